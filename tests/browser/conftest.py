"""One browser, one server and a site of another origin for all browser tests.

A page with an error fails its test.
"""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

import asyncio
import os
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, Literal

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from accounts.models import User
from notices import vapid
from sdk import node
from tests.browser import chromium
from tests.builders import end_games
from tests.processes import running, web_process, worker

WITHIN_MS = 120_000
expect.set_options(timeout=WITHIN_MS)
PASSWORD = "correct horse battery"
SIZES: Final = ((390, 844), (820, 1180), (1440, 900))
SCHEMES: Final[tuple[Literal["dark", "light"], ...]] = ("dark", "light")
SITE = Path(__file__).parent / "site"


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(scope="package")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the server looks for archived games."""
    return tmp_path_factory.mktemp("archive")


@pytest.fixture(scope="package")
def server(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a running server with lively bots."""
    quick = {"BOT_DELAY_PERCENT": "10"}
    keys = tmp_path_factory.mktemp("keys") / "vapid_key"
    vapid.add(keys)
    settings = {
        "RATE_LIMITS": "sign_in=0/60",
        "ARCHIVE_URL": archive.as_uri(),
        "VAPID_KEY_FILE": str(keys),
    }
    with (
        web_process(settings) as (_, address),
        running(worker(quick)),
    ):
        yield f"http://{address}"


class Handler(SimpleHTTPRequestHandler):
    """Serve files without logging."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a site of another origin: its pages, and the built TypeScript client."""
    folder = tmp_path_factory.mktemp("site")
    node.TYPESCRIPT.run(
        "typescript/bin/tsc",
        "--project",
        "tsconfig.build.json",
        "--noCheck",
        "--outDir",
        str(folder / "client"),
    )
    for page in SITE.iterdir():
        (folder / page.name).write_bytes(page.read_bytes())
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as files:
        serving = threading.Thread(target=files.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{files.server_port}"
        files.shutdown()
        serving.join()


@pytest.fixture(autouse=True)
def _games_end() -> Iterator[None]:
    """Void the games of each test, which bots would play on to the end."""
    yield
    end_games()


@pytest.fixture
def new_player(new_user: Callable[[], User]) -> Callable[[], User]:
    """Create a user who can sign in."""

    def make() -> User:
        user = new_user()
        user.set_password(PASSWORD)
        user.save(update_fields=["password"])
        return user

    return make


async def sign_in(page: Page, user: User, password: str = PASSWORD) -> None:
    """Fill in and submit the form of the page."""
    await page.get_by_label("Username").fill(user.username)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in", exact=True).click()


async def histories(page: Page) -> None:
    """Wait until the profile page has read its histories, which it does again after a sign-in."""
    await expect(page.locator('.history[aria-busy="false"]')).to_have_count(2)


async def sign_in_as(page: Page, server: str, user: User) -> None:
    """Open the profile page, and sign in there."""
    await page.goto(f"{server}/profile/")
    await sign_in_here(page, user)


async def sign_in_here(page: Page, user: User) -> None:
    """Sign in on the profile page, which is open."""
    await histories(page)
    closed = page.locator("details:not([open]) > summary", has_text="Already registered?")
    if await closed.count():
        await closed.click()
    form = page.locator("form", has=page.get_by_role("button", name="Sign in"))
    await form.get_by_label("Username").fill(user.username)
    await form.get_by_label("Password").fill(PASSWORD)
    await form.get_by_role("button", name="Sign in").click()
    await page.get_by_text(f"You are signed in as {user.username}.").wait_for()
    await histories(page)


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def browser() -> AsyncIterator[Browser]:
    """A real browser."""
    found = await asyncio.to_thread(chromium.find)
    if found is None:
        pytest.skip("there is no Chromium in the packages for this machine, and none is installed")
    async with (
        async_playwright() as playwright,
        await playwright.chromium.launch(
            executable_path=found.path, args=chromium.ARGUMENTS, env=found.environment
        ) as browser,
    ):
        yield browser


@pytest.fixture
def forgiven() -> list[str]:
    """Patterns of expected errors of a page. Each of them must occur."""
    return []


@pytest_asyncio.fixture(loop_scope="package")
async def page(browser: Browser, forgiven: list[str]) -> AsyncIterator[Page]:
    """A page in a fresh browser context, without animations, because painting them costs CPU.

    The test fails on unexpected errors.
    """
    async with await browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(WITHIN_MS)
        complaints: list[str] = []
        listen(context, complaints)
        yield await context.new_page()
    assert [
        said for said in complaints if not any(re.search(pattern, said) for pattern in forgiven)
    ] == []
    assert [
        pattern for pattern in forgiven if not any(re.search(pattern, said) for said in complaints)
    ] == []


async def photograph(page: Page, name: str) -> None:
    """Keep screenshots at three widths, light and dark, in the folder SCREENSHOTS if it is set."""
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        return
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            path = Path(folder) / f"{name}-{width}-{scheme}.png"
            await page.screenshot(path=path, full_page=True)
    await page.emulate_media(color_scheme="light")


def listen(context: BrowserContext, complaints: list[str]) -> None:
    """Record errors of the pages: console errors, violated policies, and statuses from 400 on.

    The bundle of a game that has just ended may not be sealed yet: then a page asks again.
    """
    context.on(
        "console",
        lambda said: (
            complaints.append(f"{said.type}: {said.text}")
            if said.type in {"error", "warning"}
            and not ("503" in said.text and "/bundle/" in said.location["url"])
            else None
        ),
    )
    context.on("weberror", lambda thrown: complaints.append(f"thrown: {thrown.error}"))
    context.on(
        "requestfailed",
        # Leaving a page cancels the requests that are under way.
        lambda request: (
            complaints.append(f"failed: {request.url} {request.failure}")
            if request.failure != "net::ERR_ABORTED"
            else None
        ),
    )
