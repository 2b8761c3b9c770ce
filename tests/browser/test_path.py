"""The pages of a server under a path, behind a proxy that removes the path."""

from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, Request, WebSocket, expect

from tests.browser.scene import A_RACE_MS, start_table
from tests.processes import running, worker
from tests.stripping_proxy import PATH, under_a_path

pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.slow,
]


async def test_a_guest_plays_a_race_and_sees_the_replay_below_the_path(page: Page) -> None:
    outside: list[str] = []

    def note(request: Request | WebSocket) -> None:
        if not urlsplit(request.url).path.startswith(f"{PATH}/"):
            outside.append(request.url)

    page.context.on("request", note)
    page.on("websocket", note)
    with under_a_path() as server, running(worker({"BOT_DELAY_PERCENT": "10"})):
        game = await start_table(page, server)
        await page.get_by_role("link", name="Replay").wait_for(timeout=A_RACE_MS)
        await page.get_by_role("link", name="Replay").click()
        await page.wait_for_url(f"{server}/games/{game}/replay/**")
        await page.goto(f"{server}/profile/")
        await expect(page.locator('.history[aria-busy="false"]')).to_have_count(2)
        for name in ("graphql", "api/docs", "api/sockets"):
            await page.goto(f"{server}/{name}/", wait_until="networkidle")
    assert outside == []
