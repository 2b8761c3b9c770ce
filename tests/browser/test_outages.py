"""Every page while the network is away: in each phase of loading and afterwards, by a fake clock.

The page goes on by itself when the network is back, and says meanwhile that it waits.
"""

from typing import Final

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Locator, Page, expect

from tests.browser.network import install
from tests.browser.scene import authorization, open_start_page, play_now, play_to_the_end
from tests.builders import NewGame

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

GAPS_S: Final = (1, 5, 15, 60)
STEP_MS: Final = 4000
STEPS_MAX: Final = 30

FRAME: Final = "new Promise((done) => requestIdleCallback(done))"


async def recover(page: Page, gap_s: int, shown: Locator) -> None:
    """Let the time of the outage pass, then end it: the page goes on by itself."""
    while not await page.evaluate("window.network.isCut"):
        if await shown.is_visible():
            return  # this time the page needed fewer calls
        await page.evaluate(FRAME)
    await page.clock.run_for(gap_s * 1000)
    if gap_s > 10:
        await expect(page.locator(".connection")).not_to_be_empty()
    await page.evaluate("window.network.isCut = false")
    for _ in range(STEPS_MAX):
        if await shown.is_visible() and not await page.locator(".connection").text_content():
            return
        await page.clock.run_for(STEP_MS)
        await page.evaluate(FRAME)
    await expect(shown).to_be_visible(timeout=5000)
    await expect(page.locator(".connection")).to_be_empty(timeout=5000)


async def load(page: Page, address: str, cut_at: str) -> None:
    """Load a page whose network is cut at this call."""
    await page.evaluate("cutAt => sessionStorage.setItem('cutAt', cutAt)", cut_at)
    await page.goto(address)


async def check_page(page: Page, address: str, shown: Locator, *, lives: bool = False) -> None:
    """Cut the network for each gap in each phase of loading, and while the page lives."""
    await load(page, address, "")
    await shown.wait_for()
    phases = len(await page.evaluate("window.network.calls"))
    for phase in range(phases):
        for gap_s in GAPS_S:
            await load(page, address, str(phase))
            await recover(page, gap_s, shown)
    for gap_s in GAPS_S if lives else ():
        await page.evaluate("window.network.cut()")
        await recover(page, gap_s, shown)


@pytest.mark.slow
async def test_tables_and_replays_go_on(page: Page, server: str) -> None:
    await install(page)
    game = await play_now(page, server, "SET Dice")
    board = page.locator(".set-board")
    await board.wait_for()
    await check_page(page, f"{server}/games/{game}/", board, lives=True)
    await check_page(page, f"{server}/games/{game}/replay/", board)


@pytest.mark.slow
async def test_start_pages_and_lobbies_go_on(page: Page, server: str) -> None:
    await install(page)
    await open_start_page(page, server)
    listed = page.locator("ul.tables li").first
    await check_page(page, f"{server}/", listed, lives=True)
    await load(page, f"{server}/", "")
    await page.evaluate("localStorage.clear()")
    await load(page, f"{server}/", "0")
    await recover(page, 15, listed)
    answer = await page.request.post(
        f"{server}/api/v1/lobbies/", data={"slug": "set_dice"}, headers=await authorization(page)
    )
    address = f"{server}/lobbies/{(await answer.json())['id']}/"
    await check_page(page, address, page.get_by_role("button", name="Add a bot"), lives=True)


@pytest.mark.slow
async def test_all_other_pages_go_on(page: Page, server: str) -> None:
    await install(page)
    await open_start_page(page, server)
    button = page.get_by_role("button", name="Open the table")
    await check_page(page, f"{server}/open/?game=ready_set_bet", button)
    await check_page(page, f"{server}/profile/", page.locator('.history[aria-busy="false"]').nth(1))
    await check_page(page, f"{server}/api/sockets/", page.locator("#channel"))
    choices = page.get_by_role("heading", name="Which notices you get")
    await check_page(page, f"{server}/notices/", choices)


@pytest.mark.slow
async def test_a_verifier_goes_on(page: Page, server: str, new_game: NewGame) -> None:
    game = await sync_to_async(play_to_the_end)(new_game)
    await install(page)
    await open_start_page(page, server)
    verified = page.get_by_role("heading", name="Verified")
    await check_page(page, f"{server}/verify/?game={game}", verified)
