"""SET Dice in a real browser, played by clicks."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessibility import check
from tests.browser.conftest import photograph
from tests.browser.scene import other_origins, play_now
from tests.browser.whole_games import play_to_the_end, replay_in_french

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

WANTED = (
    "button[data-command=place_dice]",
    "button[data-command=declare_no_set]",
    "button[data-command=keep_dice]",
    "button[data-command=suggest]",
    "button[data-command=pass_turn]",
)
"""The first of these that is on the page is clicked; a move that was found is placed."""


async def test_dice_are_chosen_by_click_and_squares_by_key(page: Page, server: str) -> None:
    elsewhere = other_origins(page.context, server)
    await play_now(page, server, "SET Dice")
    dice = page.locator(".die-button:not([disabled])")
    await expect(dice).to_have_count(5)
    await dice.nth(0).click()
    await dice.nth(1).focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".die-button[aria-pressed=true]")).to_have_count(2)
    await page.locator("[data-square='5:5']").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("[data-square='5:6']")).to_be_focused()
    await expect(page.locator("[data-square='5:6']")).to_have_accessible_name(
        re.compile("^Row 6, column 7")
    )
    await page.locator("button[data-command=declare_no_set]").click()
    await page.locator(".reason").first.wait_for()  # a bot has called a SET
    assert elsewhere == []


@pytest.mark.slow
async def test_a_whole_game_is_played_by_clicks(page: Page, server: str) -> None:
    await play_now(page, server, "SET Dice")
    await page.locator(".die-button").first.wait_for()
    await photograph(page, "set_dice-opening")
    dice = 0

    async def look() -> None:
        nonlocal dice
        now = await page.locator(".square .set-die").count()
        if dice < 20 <= now:
            await photograph(page, "set_dice-turns")
            await check(page)
        dice = now

    await play_to_the_end(page, WANTED, look)
    await photograph(page, "set_dice-over")
    await replay_in_french(page, ".results")
    await photograph(page, "set_dice-french")
