"""The first screen of a table: the board, whom the game waits for, who leads, why it has ended."""

import re

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, expect

from games.models import Game
from games.play import service
from kit import event_loop
from railbird_engine import Seat
from tests.browser.accessibility import check
from tests.browser.scene import enter_as
from tests.browser.symbols import check_symbols
from tests.builders import NewGame

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

SEATS = {"ascot": 6, "carcassonne": 5, "quitte_ou_double": 4, "ready_set_bet": 8, "set_dice": 4}
WAITS = {
    "ascot": {"nomination_s": 0},
    "quitte_ou_double": {"level_s": 0},
    "ready_set_bet": {"pause_ms": 120_000},
    "set_dice": {"opening_s": 0},
}
"""Options with which the first phase lasts."""

BOARDS = ".felt, .land-table, .stage, .track, .board, .set-table"
SHOWN = """boards => boards.reduce((sum, board) => {
    const { left, top, right, bottom } = board.getBoundingClientRect();
    const width = Math.max(0, Math.min(right, innerWidth) - left);
    return sum + width * Math.max(0, Math.min(bottom, innerHeight) - top);
}, 0) / innerWidth / innerHeight"""


GAP = """(() => {
    const [bar, next] = [...document.querySelectorAll(".drawn > :not(.tip)")];
    return next.getBoundingClientRect().top - bar.getBoundingClientRect().bottom;
})()"""
"""The room below the bar."""


EACH = [
    pytest.param(slug, marks=() if slug == "ascot" else pytest.mark.slow, id=slug) for slug in SEATS
]
"""Every game; L'Ascot, which has the most to show, stands for all in each run."""


async def open_table(
    page: Page, server: str, new_game: NewGame, seats: int, slug: str, **options: object
) -> Game:
    """Start a game of users, and open its page as its host."""
    game = await sync_to_async(new_game)(seats, slug, **options)
    await enter_as(page, server, await sync_to_async(lambda: game.lobby.host)())
    await page.goto(f"{server}/games/{game.id}/")
    return game


@pytest.mark.parametrize("slug", EACH)
@pytest.mark.ci
async def test_a_phone_shows_whom_the_game_waits_for(
    page: Page, server: str, new_game: NewGame, slug: str
) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    game = await open_table(page, server, new_game, SEATS[slug], slug, **WAITS.get(slug, {}))
    loaded = await sync_to_async(event_loop.call)(service.at_head(game.id))
    assert loaded.state is not None
    awaited = loaded.rules.awaited(loaded.state)
    teams = loaded.rules.teams(loaded.state) or tuple((Seat(seat),) for seat in range(SEATS[slug]))
    places = page.locator(".standing li")
    await expect(places).to_have_count(len(teams))
    await expect(page.locator(".standing .me")).to_contain_text("You")
    marked = await places.evaluate_all("all => all.map(one => one.matches('.on-turn'))")
    assert marked == [any(seat in awaited for seat in team) for team in teams]
    for place in await places.all():
        box = await place.bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] < 280
    assert await page.evaluate(GAP) <= 16
    await check(page)
    await check_symbols(page, slug)


@pytest.mark.slow
async def test_a_game_that_silence_ended_says_so(
    page: Page, server: str, new_game: NewGame
) -> None:
    await open_table(page, server, new_game, 2, "set_dice", opening_s=1)
    end = page.locator(".moment")
    await expect(end).to_contain_text("nobody answered three openings in a row")
    await expect(end).to_contain_text("Nobody has won.")
    await expect(end).not_to_contain_text("Winner")
    await expect(page.locator(".results")).to_contain_text("Nobody has won.")
    await page.get_by_role("button", name="Français").click()
    await expect(end).to_contain_text("personne n’a répondu à trois ouvertures de suite")
    await expect(end).to_contain_text("Personne n’a gagné.")


@pytest.mark.slow
@pytest.mark.parametrize("slug", EACH)
async def test_the_board_fills_half_of_a_desktop(
    page: Page, server: str, new_game: NewGame, slug: str
) -> None:
    await page.set_viewport_size({"width": 1440, "height": 900})
    await open_table(page, server, new_game, SEATS[slug], slug, **WAITS.get(slug, {}))
    await page.get_by_role("button", name="Skip").click()
    await page.locator(".standing li").first.wait_for()
    assert await page.locator(BOARDS).evaluate_all(SHOWN) >= 0.5


async def test_who_has_answered_sees_that_the_others_are_on_turn(
    page: Page, server: str, new_game: NewGame
) -> None:
    await open_table(page, server, new_game, 2, "set_dice", opening_s=0)
    bar = page.locator("section.you")
    await expect(bar).to_have_class(re.compile(r"\bmine\b"))
    await page.get_by_role("button", name="I see no SET").click()
    await expect(bar).not_to_have_class(re.compile(r"\bmine\b"))
    await expect(bar).to_contain_text("You can still call one")
