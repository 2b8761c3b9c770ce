"""Carcassonne in a real browser, played by clicks."""

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import photograph
from tests.browser.test_web import other_origins, play_now

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

A_GAME_MS = 400_000


def choices(page: Page) -> Locator:
    """Everything that a player can click on their turn, and the end of the game."""
    return page.locator(
        ".free:not(.chosen-cell), .chosen .primary, .meeple-spot,"
        " .turn-panel .actions button:not(:disabled)"
    )


async def test_a_tile_and_a_meeple_are_placed_by_click_or_key(page: Page, server: str) -> None:
    elsewhere = other_origins(page.context, server)
    await play_now(page, server, "Carcassonne")
    await page.locator(".land svg").wait_for()
    await page.locator(".free").first.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Place the tile here").focus()
    await page.keyboard.press("Enter")
    await page.locator(".meeple-spot").first.wait_for()
    await photograph(page, "carcassonne-meeple")
    await page.locator(".meeple-spot").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".seats .me")).to_contain_text("6 meeples")
    await expect(page.locator(".land .meeple")).not_to_have_count(0)
    assert elsewhere == []


@pytest.mark.slow
async def test_a_whole_game_is_played_by_clicks(page: Page, server: str) -> None:
    await play_now(page, server, "Carcassonne")
    again = page.get_by_role("button", name="Play again")
    while True:
        await choices(page).first.wait_for(timeout=A_GAME_MS)
        if await again.is_visible():
            break
        await page.evaluate(
            """() => new Promise((redrawn) => {
                const observer = new MutationObserver(() => { observer.disconnect(); redrawn(); });
                const all = { attributes: true, childList: true, subtree: true };
                observer.observe(document.body, all);
                const wanted = [".chosen .primary", ".meeple-spot", ".free",
                                ".turn-panel .actions button"];
                const found = wanted.map((one) => document.querySelector(one)).find(Boolean);
                found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
            })"""
        )
    await photograph(page, "carcassonne-over")
