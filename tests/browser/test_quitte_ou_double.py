"""Quitte ou double in a real browser, played by clicks."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessibility import check
from tests.browser.conftest import photograph
from tests.browser.scene import other_origins, start_table
from tests.browser.whole_games import play_to_the_end, replay_in_french

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

WANTED = (
    "button[data-command=choose_level]",
    "button[data-command=lock_answer]",
    "button[data-command=write_answer]",
    "button[data-command=lock_bets]",
    ".zone:not([disabled])",
    "button[data-command=next_question]",
)
"""The first of these that is on the page is clicked."""


async def start(page: Page, server: str) -> None:
    """Start a game without an hourglass, and choose the level of its questions."""
    options = {"level_s": 0, "hourglass_s": 0}
    await start_table(page, server, options, slug="quitte_ou_double", bots=3)
    await page.get_by_role("button", name="Level 1").click()
    await page.get_by_label("Your team’s answer").wait_for()


async def test_an_answer_is_written_by_key_and_both_tokens_are_placed(
    page: Page, server: str
) -> None:
    elsewhere = other_origins(page.context, server)
    await start(page, server)
    answer = page.get_by_label("Your team’s answer")
    await answer.fill("about 12")
    await page.keyboard.press("Enter")
    await page.get_by_text("Write a plain number, such as 1969 or 3.5.").wait_for()
    await answer.fill("12")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Lock the answer").click()
    zones = page.locator(".zone:not([disabled])")
    asks = page.get_by_label("Ask before each move")
    await asks.check()
    for zone, choice, token in ((1, "Cancel", "Token A"), (0, "Play it", "Token B")):
        await zones.nth(zone).click()
        question = page.get_by_role("dialog")
        await expect(question).to_contain_text("Your move: Token A · ")
        await expect(page.locator(".coin[aria-checked=true]")).to_have_text("A")
        await question.get_by_role("button", name=choice).click()
        await expect(page.get_by_role("radio", name=token)).to_be_checked()
    await asks.uncheck()
    await zones.last.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Lock the bets").click()
    await page.get_by_text("The right answer:").first.wait_for()
    assert await page.locator(".calls li", has_text="Bets lost:").count() <= 1
    await photograph(page, "quitte_ou_double-reveal")
    assert elsewhere == []


@pytest.mark.slow
async def test_a_whole_game_is_played_by_clicks(page: Page, server: str) -> None:
    await start(page, server)
    await photograph(page, "quitte_ou_double-answer")
    photographed: set[str] = set()

    async def look() -> None:
        for name, part in (("bets", ".token-choice"), ("double", ".double")):
            if name not in photographed and await page.locator(part).count():
                photographed.add(name)
                await photograph(page, f"quitte_ou_double-{name}")
                await check(page)

    await play_to_the_end(page, WANTED, look)
    await photograph(page, "quitte_ou_double-over")
    await replay_in_french(page, ".results")
    await photograph(page, "quitte_ou_double-french")
