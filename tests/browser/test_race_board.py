"""The board of a race on a phone, and the bar that follows the choice of a token."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import photograph
from tests.browser.scene import start_table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

COVERED = """() => {
  const boxOf = (element) => element.getBoundingClientRect();
  const runs = [...document.querySelectorAll('.small-run, .small-run svg')].map(boxOf);
  const shown = '.grid .gain, .grid .loss, .row-name b, .row-name small';
  const isCovered = (label) => {
    const own = boxOf(label);
    const cell = boxOf(label.parentElement);
    if (!own.width || label.closest('[data-term="colour"]')) return false;
    const isCut = own.left < cell.left - 1 || own.right > cell.right + 1;
    const lies = (run) => run.top + 2 < own.bottom && own.top < run.bottom;
    const beside = (run) => run.right <= own.left || own.right <= run.left;
    return isCut || runs.some((run) => lies(run) && !beside(run));
  };
  const covered = [...document.querySelectorAll(shown)].filter(isCovered);
  return covered.map((label) => label.parentElement.textContent);
}"""
"""The labels that a horse, its run or the edge of their cell covers."""


async def test_a_phone_shows_every_price_and_the_chosen_token(page: Page, server: str) -> None:
    """Neither horses nor the edges of a cell cover what a bet pays and costs, before the start."""
    await page.set_viewport_size({"width": 390, "height": 844})
    await start_table(page, server, {"pause_ms": 6_000, "roll_ms": 20_000, "races": 1})
    await page.locator(".small-run svg").first.wait_for()
    assert await page.evaluate(COVERED) == []
    await photograph(page, "race_board")
    await page.set_viewport_size({"width": 390, "height": 844})
    token = page.get_by_role("radio", name="Token 3").first
    await expect(page.locator(".ready-set-bet[data-phase='open']")).to_be_visible()
    await token.click()
    await expect(page.locator(".you-doing")).to_have_text("Choose a spot for your 3.")
