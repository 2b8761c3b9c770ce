"""Connections of the pages in a real browser: lost, asleep, restarted, and several at once."""

import json
import re
from collections.abc import Callable
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Page, WebSocket, expect

from accounts.models import User
from games import lobbies
from games.models import Bet, Commit, Game
from games.play import corrections
from kit import event_loop
from tests.browser.conftest import WITHIN_MS, sign_in_as
from tests.browser.scene import start_table
from tests.processes import kill, web_process
from tests.waiting import until

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

LOST = "The connection was lost."
SPOTS = ("win:7:r", "show:6:r", "show:8:r", "place:7:r", "win:6:r", "win:8:r")
SLOW = {"roll_ms": 5000, "pause_ms": 1500, "think_ms": 2000, "races": 1}

CUT = """
const Plain = WebSocket;
window.sockets = [];
window.WebSocket = class extends Plain {
    constructor(...given) { super(...given); window.sockets.push(this); }
    send(text) {
        super.send(text);
        if (!window.cutsPlay || !text.includes('"type":"play"')) return;
        window.cutsPlay = false;
        this.close();
    }
};
"""
"""Lets a test close the socket, and cut it between a command and its answer."""


class Frames:
    """The frames of all sockets of a page to games."""

    def __init__(self, page: Page) -> None:
        self.plays: list[str] = []
        self.versions: list[int] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        if "/games/" in socket.url:
            socket.on("framesent", self._sent)
            socket.on("framereceived", self._received)

    def _sent(self, text: str | bytes) -> None:
        frame = json.loads(text)
        if frame["type"] == "play":
            self.plays.append(frame["id"])

    def _received(self, text: str | bytes) -> None:
        frame = json.loads(text)
        for each in frame if isinstance(frame, list) else [frame]:
            if each["type"] == "commits":
                self.versions += [commit["version"] for commit in each["commits"]]


async def bet(page: Page) -> str:
    """Bet on a free spot by click; return it."""
    await page.locator('[data-phase="open"]').wait_for()
    for spot in SPOTS:
        if await page.locator(f'[data-spot="{spot}"] .chip').count():
            continue
        await page.locator(f'[data-spot="{spot}"]').click()
        await page.locator(f'[data-spot="{spot}"] .chip').first.wait_for()
        if await page.locator(f'.mine[data-spot="{spot}"]').count():
            return spot
    raise AssertionError("others took every spot")


@pytest.mark.ci
async def test_a_command_under_way_is_sent_again_by_its_id_and_counts_once(
    page: Page, server: str
) -> None:
    frames = Frames(page)
    await page.add_init_script(CUT)
    game = UUID(await start_table(page, server, SLOW))
    await page.locator('[data-phase="open"]').wait_for()
    await page.evaluate("window.cutsPlay = true")
    await page.locator('[data-spot="colour:pink"]').click()
    await expect(page.locator('[data-spot="colour:pink"]')).to_have_class(re.compile("mine"))
    assert len(frames.plays) == 2
    assert len(set(frames.plays)) == 1
    own = Bet.objects.filter(game=game, user__isnull=False)
    assert [each.spot async for each in own] == ["colour:pink"]


@pytest.mark.slow
async def test_a_page_that_was_offline_shows_all_that_happened_meanwhile(
    page: Page, server: str, forgiven: list[str]
) -> None:
    frames = Frames(page)
    await page.add_init_script(CUT)
    game = UUID(await start_table(page, server, {**SLOW, "roll_ms": 1500}))
    await page.locator('[data-phase="open"]').wait_for()
    await page.context.set_offline(True)
    failure = "WebSocket connection"
    forgiven.append(failure)
    async with page.expect_console_message(lambda said: failure in said.text):
        await page.evaluate("window.sockets.at(-1).close()")
    await page.get_by_text(LOST).wait_for()
    before = frames.versions[-1]
    await sync_to_async(_until_version)(game, before + 3)
    await page.context.set_offline(False)
    await page.get_by_text("Connected again.").wait_for()
    await expect(page.get_by_text(LOST)).to_be_hidden()
    await bet(page)
    assert frames.versions == [*range(frames.versions[0], frames.versions[-1] + 1)]
    assert frames.versions[-1] >= before + 3


def _until_version(game: UUID, version: int) -> None:
    until(Commit.objects.filter(game=game, version=version).exists, f"version {version}")


@pytest.mark.slow
async def test_a_page_connects_at_once_after_a_sleep(page: Page, server: str) -> None:
    await page.clock.install()
    await page.add_init_script(CUT)
    await start_table(page, server, SLOW)
    await page.locator('[data-phase="paddock"], [data-phase="open"]').wait_for()
    opened = await page.evaluate("window.sockets.length")
    await page.clock.fast_forward(10 * 60_000)  # the machine sleeps; the socket looks open
    await page.wait_for_function("before => window.sockets.length > before", arg=opened)
    await page.locator('[data-phase="open"]').wait_for()
    await bet(page)


@pytest.mark.slow
async def test_a_restarted_server_loses_nothing_on_the_page(browser: Browser) -> None:
    # The browser reports the failed connections as errors, so this is not the usual page.
    async with await browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(WITHIN_MS)
        page = await context.new_page()
        frames = Frames(page)
        with web_process({"RATE_LIMITS": "sign_in=0/60"}) as (web, address):
            game = UUID(await start_table(page, f"http://{address}", SLOW))
            spot = await bet(page)
            kill(web)
            await page.get_by_text(LOST).wait_for()
            web.start()
            assert web.is_ready(within_s=60)
            await page.get_by_text("Connected again.").wait_for()
            await expect(page.locator(f'[data-spot="{spot}"]')).to_have_class(re.compile("mine"))
            later = await bet(page)
            own = Bet.objects.filter(game=game, user__isnull=False).order_by("number")
            assert [each.spot async for each in own] == [spot, later]
            assert frames.versions == [*range(frames.versions[0], frames.versions[-1] + 1)]


@pytest.mark.slow
async def test_a_voided_game_and_a_closed_table_say_so(
    page: Page, server: str, new_user: Callable[[], User], new_game: Callable[..., Game]
) -> None:
    game = await sync_to_async(new_game)(2)
    await page.goto(f"{server}/games/{game.id}/")
    await page.get_by_role("heading", name="The table").wait_for()
    await sync_to_async(event_loop.call)(corrections.void(game.id, "the lights went out"))
    await page.get_by_text("This game was voided.").wait_for()

    host = await sync_to_async(new_user)()
    choices = lobbies.LobbyChoices(slug="free_spots", options={})
    lobby = await sync_to_async(lobbies.create)(host, choices)
    await page.goto(f"{server}/lobbies/{lobby.id}/")
    await page.get_by_role("button", name="Join").wait_for()
    await sync_to_async(lobbies.leave)(host, lobby.id)
    await page.get_by_text("This table has been closed.").wait_for()
    await expect(page.get_by_role("button", name="Join")).to_have_count(0)
    await expect(page.get_by_text(LOST)).to_have_count(0)


@pytest.mark.slow
async def test_two_tabs_share_a_seat_and_a_device_without_its_key_watches(
    page: Page, browser: Browser, server: str, new_player: Callable[[], User]
) -> None:
    user = await sync_to_async(new_player)()
    await sign_in_as(page, server, user)
    await page.goto(f"{server}/open/?game=ready_set_bet")
    await page.get_by_text("More options").click()
    await page.get_by_label("Races").fill("1")
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("button", name="Add a bot").click()
    tab = await page.context.new_page()
    await tab.goto(page.url)
    await tab.get_by_role("button", name="Start the game").wait_for()
    async with await browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(WITHIN_MS)
        device = await context.new_page()
        await sign_in_as(device, server, user)
        await device.goto(page.url)
        # The entropy of the seat is on the device where it was taken, which reveals it.
        await device.get_by_role("button", name="Start the game").click()
        pages = (page, tab, device)
        for each in pages:
            await each.wait_for_url("**/games/*/")
        for each in pages:
            await each.locator('[data-phase="open"]').wait_for()
        for each, spot in ((page, "colour:pink"), (tab, "colour:blue")):
            await each.locator(f'[data-spot="{spot}"]').click()
            for other in pages:  # the next page bets with another token
                shown = other.locator(f'[data-spot="{spot}"]')
                await expect(shown).to_have_class(re.compile("mine"))
        orange = device.locator('[data-spot="colour:orange"]')
        await orange.click()
        await device.get_by_text("You took this seat on another device").wait_for()
        await expect(orange).not_to_have_class(re.compile("mine"))
