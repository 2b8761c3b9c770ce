"""L'Ascot in a real browser, played by clicks."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import photograph
from tests.browser.test_web import other_origins, play_now
from tests.browser.whole_games import play_to_the_end

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

WANTED = (
    ".ascot[data-phase=preliminaries] button[data-command=accept]",
    ".ascot button[data-command=ready]",
    ".ascot button[aria-pressed=false]:has(.lease-office)",  # nobody may keep both stables
    ".ascot button[data-command=discard]",
    ".field .target",
    ".ascot .actions button[data-command=bid]",
    ".ascot .actions button[data-command=place_bet]",
    ".ascot .turn-panel .actions button",
)
"""The first of these that is on the page is clicked."""
PHASES = ("exchange", "discard", "auction", "training", "preliminaries", "betting", "race")


async def test_a_card_is_exchanged_by_key_and_others_are_thrown_away_by_click(
    page: Page, server: str
) -> None:
    elsewhere = other_origins(page.context, server)
    await play_now(page, server, "Ascot")
    card = page.locator("button[data-command=exchange]").first
    await card.focus()
    await page.keyboard.press("Enter")
    await page.get_by_text("Mark the cards to throw away.").wait_for()
    await page.locator(".ascot button[aria-pressed=false]").first.click()
    await page.get_by_role("button", name=re.compile("^Throw away 1 and keep")).click()
    await expect(page.locator(".ascot")).to_have_attribute("data-phase", "auction")
    await expect(page.locator(".lot .lease")).to_be_visible()
    assert elsewhere == []


@pytest.mark.slow
async def test_a_whole_game_is_played_by_clicks(page: Page, server: str) -> None:
    await play_now(page, server, "Ascot")
    photographed: set[str] = set()

    async def look() -> None:
        phase = await page.locator(".ascot").get_attribute("data-phase")
        if phase in PHASES and phase not in photographed:
            photographed.add(phase)
            await photograph(page, f"ascot-{phase}")

    await play_to_the_end(page, WANTED, look)
    await expect(page.get_by_text("Winner:")).to_be_visible()
    await photograph(page, "ascot-finished")
