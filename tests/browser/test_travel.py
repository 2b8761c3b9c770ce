"""Pieces travel to their places within 600 ms, and not at all where motion is reduced."""

from collections.abc import AsyncIterator
from typing import Final, Literal

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Page, expect

from tests.browser.scene import enter_as, start_carcassonne, start_table
from tests.builders import NewGame

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

Motion = Literal["no-preference", "reduce"]
MOTIONS: Final = ("no-preference", pytest.param("reduce", marks=pytest.mark.slow))
RECORD = """window.journeys = [];
const { animate } = Element.prototype;
Element.prototype.animate = function (frames, options) {
    if (this.matches(".chip, [data-piece]")) window.journeys.push(options.duration);
    return animate.call(this, frames, options);
};"""


@pytest.fixture(params=MOTIONS)
def motion(request: pytest.FixtureRequest) -> Motion:
    found: Motion = request.param
    return found


@pytest_asyncio.fixture(loop_scope="package")
async def recorded(browser: Browser, motion: Motion) -> AsyncIterator[Page]:
    """A page that records how long pieces travel."""
    async with await browser.new_context(reduced_motion=motion) as context:
        page = await context.new_page()
        await page.add_init_script(RECORD)
        yield page


async def check_journeys(page: Page, motion: Motion) -> None:
    journeys: list[float] = await page.evaluate("window.journeys")
    assert bool(journeys) == (motion == "no-preference")
    assert all(0 < each <= 600 for each in journeys)


async def test_a_bet_travels(recorded: Page, server: str, motion: Motion) -> None:
    await start_table(recorded, server, {"roll_ms": 60_000, "pause_ms": 0, "races": 1})
    await recorded.locator('[data-phase="open"]').wait_for()
    await recorded.locator(".spot:not(.closed):not(:has(.chip))").first.click()
    await recorded.locator(".spot .chip").first.wait_for()  # a bot's, if it was quicker
    await check_journeys(recorded, motion)


async def test_a_meeple_travels(
    recorded: Page, server: str, new_game: NewGame, motion: Motion
) -> None:
    user, game = await sync_to_async(start_carcassonne)(new_game)
    await enter_as(recorded, server, user)
    await recorded.goto(f"{server}/games/{game}/")
    await recorded.locator(".free").last.press("Enter")
    await recorded.get_by_role("button", name="Place the tile here").press("Enter")
    # Nothing closes a field: a meeple elsewhere may score and leave before it is drawn.
    spots = recorded.locator(".meeple-spot")
    await spots.first.wait_for()
    field = recorded.locator('.meeple-spot[data-term="field"]')
    await (field if await field.count() else spots).first.press("Enter")
    await expect(recorded.locator(".calls")).to_contain_text("You place a meeple")
    if await recorded.locator("[data-piece]").count():
        await check_journeys(recorded, motion)
