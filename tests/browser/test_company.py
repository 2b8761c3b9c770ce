"""Two people in two browsers: again, chat, a menu of seats, and a table by quick match."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.accessibility import check
from tests.browser.conftest import WITHIN_MS, listen, photograph
from tests.browser.scene import A_RACE_MS, press_card, start_table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
]


async def say(page: Page, text: str, to: Page) -> None:
    """Write a message on one page, and wait until the other shows it."""
    await page.get_by_label("Your message").fill(text)
    await page.keyboard.press("Enter")
    await to.get_by_text(text).wait_for()


async def find_players(page: Page, server: str) -> str:
    """Press *Find players* for SET Dice; return the address of the table."""
    await press_card(page, server, "SET Dice", "Find players")
    await page.wait_for_url("**/lobbies/*/")
    await page.get_by_label("Your message").wait_for()
    await page.get_by_text(re.compile("starts by itself when [23] more have joined")).wait_for()
    return page.url


async def mute_and_remove(page: Page, other: Page) -> None:
    """Use the open menu of the seat of the other guest, who writes again before they leave."""
    await page.get_by_role("button", name="Mute", exact=True).click()
    await page.get_by_role("button", name="Unmute").wait_for()
    await expect(page.locator("ol.tables li", has_text="· Muted")).to_have_count(1)
    await other.get_by_label("Your message").fill("Why?")
    await other.keyboard.press("Enter")
    await other.get_by_text("You are muted in this chat.").wait_for()
    await expect(other.get_by_text("· Muted")).to_have_count(0)
    await page.keyboard.press("Shift")  # after a key, a click is a press of its own
    await page.get_by_role("button", name="Unmute").click()
    await page.get_by_role("button", name="Mute", exact=True).wait_for()
    await say(other, "Thank you", to=page)
    await page.get_by_role("button", name="Remove", exact=True).click()
    await other.get_by_role("button", name="Join").wait_for()


async def ban(page: Page, other: Page) -> None:
    """Use the menu of the seat of the other guest, who comes back only once admitted again."""
    await page.locator(".lobby-menu summary").click()
    await page.get_by_role("button", name="Ban").click()
    await page.get_by_role("dialog").get_by_role("button", name="Ban").click()
    await other.get_by_text("You are no longer admitted to this table.").wait_for()
    await expect(other.get_by_role("button", name="I am ready")).to_have_count(0)
    barred = page.get_by_role("list", name="Muted and banned")
    await expect(barred).to_contain_text("Banned")
    await check(page)
    await page.reload()
    await barred.get_by_role("button", name="Admit again").click()
    await expect(barred).to_be_hidden()
    await other.reload()
    await other.get_by_role("button", name="Join").click()
    await other.get_by_text("(you)").wait_for()


async def test_two_people_talk_play_again_part_and_find_each_other(
    page: Page, browser: Browser, server: str
) -> None:
    complaints: list[str] = []
    async with await browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(WITHIN_MS)
        listen(context, complaints)
        other = await context.new_page()
        await start_table(page, server, opponent=other)
        await other.wait_for_url("**/games/*/")
        await say(page, "Good luck!", to=other)

        again = page.get_by_role("button", name="Play again with Guest")
        await again.wait_for(timeout=A_RACE_MS)
        await check(page)
        await again.click()
        await page.wait_for_url("**/lobbies/*/")
        await page.get_by_text("Kept for a player of the last game").wait_for()
        await other.get_by_text("The others want to play again.").wait_for()
        await other.get_by_role("button", name="Play again with them").click()
        await other.wait_for_url(page.url)
        await say(other, "Once more", to=page)

        await page.locator(".lobby-menu summary").click()
        await photograph(page, "lobby-menu")
        await page.get_by_role("button", name="Swap seats with me").click()
        await expect(page.locator("ol.tables li").nth(1)).to_contain_text("(you)")
        await mute_and_remove(page, other)

        screen = await context.new_page()
        await screen.goto(f"{page.url}?screen")
        await screen.get_by_role("img", name="QR code of the invitation").wait_for()
        await expect(screen.get_by_role("button", name="Join")).to_be_hidden()
        await expect(screen.locator("ol.tables :is(button, select):visible")).to_have_count(0)
        await photograph(screen, "lobby-screen")
        await check(screen)

        await page.get_by_role("button", name="Add a bot").click()
        await page.get_by_role("button", name="Start the game").click()
        await screen.wait_for_url("**/games/*/?screen")
        await page.locator(".hand .token").first.wait_for()
        await screen.get_by_text("You are watching this game.").first.wait_for()
        await expect(screen.locator(".hand .token, .rules-button:visible")).to_have_count(0)
        await check(screen)

        table = await find_players(page, server)
        assert await find_players(other, server) == table
        await ban(page, other)
    refusals = [said for said in complaints if "status of 403" in said]
    assert complaints == refusals
