"""The first screen of a table: the board, whom the game waits for, who leads, why it has ended."""

import re
from typing import Any, Final

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, ViewportSize, expect

from games.models import Game
from games.play import service
from kit import event_loop
from railbird_engine import Seat
from tests.browser.accessibility import check
from tests.browser.scene import open_game, start_table
from tests.browser.symbols import check_symbols
from tests.browser.whole_games import PRESSES, PRESSES_OF_ASCOT, play_to_the_end
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

BOARDS = ".felt, .land-table, .stage, .track, .board, .set-table, .moment"
"""The boards of all games, and what is drawn for their end."""
SHOWN = """boards => boards.reduce((sum, board) => {
    const { left, top, right, bottom } = board.getBoundingClientRect();
    const width = Math.max(0, Math.min(right, innerWidth) - left);
    const height = Math.min(bottom + scrollY, innerHeight) - top - scrollY;
    return sum + width * Math.max(0, height);
}, 0) / innerWidth / innerHeight"""
"""The share of the first screen that the boards fill."""

WATCH_SHARES = f"""window.shares = {{}};
const shareOf = {SHOWN};
const isSeen = (one) => one.checkVisibility();
window.look = () => new Promise((done) => requestAnimationFrame(() => {{
    const game = document.querySelector(".drawn:not([hidden]) > [data-phase]");
    if (game && innerWidth === 1440 && !document.querySelector(".first-cards")) {{
        const phase = document.querySelector(".moment") ? "end" : game.dataset.phase;
        const share = shareOf([...document.querySelectorAll("{BOARDS}")].filter(isSeen));
        window.shares[phase] = Math.min(share, window.shares[phase] ?? 1);
    }}
    done();
}}));
new MutationObserver(window.look).observe(document, {{ childList: true, subtree: true }});"""
"""Record the least share that the boards have of the first screen in each phase."""

DESKTOP: Final[ViewportSize] = {"width": 1440, "height": 900}
PLAYED: Final[dict[str, tuple[dict[str, Any], set[str]]]] = {
    "ascot": (
        dict.fromkeys(("nomination_s", "exchange_s", "discard_s", "trade_s", "favourite_s"), 0),
        {
            "exchange",
            "discard",
            "auction",
            "training",
            "preliminaries",
            "favourites",
            "betting",
            "race",
            "end",
        },
    ),
    "carcassonne": ({}, {"", "end"}),
    "quitte_ou_double": (
        {"level_s": 0, "hourglass_s": 0, "reveal_s": 0},
        {"level", "answer", "bet", "reveal", "end"},
    ),
    "ready_set_bet": (
        {"roll_ms": 250, "pause_ms": 2_000, "think_ms": 5_000, "races": 3},
        {"paddock", "open", "closed", "finished", "draft", "end"},
    ),
    "set_dice": ({}, {"opening", "turns", "end"}),
}
"""For each game, its options, and the phases that every game has; the first have no names."""

GAP = """(() => {
    const [bar, next] = [...document.querySelectorAll(".drawn > :not(.tip)")];
    return next.getBoundingClientRect().top - bar.getBoundingClientRect().bottom;
})()"""
"""The room below the bar."""


async def open_table(
    page: Page, server: str, new_game: NewGame, seats: int, slug: str, **options: object
) -> Game:
    """Start a game of users, and open its page as its host."""
    game = await sync_to_async(new_game)(seats, slug, **options)
    await open_game(page, server, await sync_to_async(lambda: game.lobby.host)(), game.id)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("slug", SEATS)
async def test_a_phone_shows_whom_the_game_waits_for(
    page: Page, server: str, new_game: NewGame, slug: str
) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    game = await open_table(page, server, new_game, SEATS[slug], slug, **WAITS.get(slug, {}))
    loaded = await sync_to_async(event_loop.call)(service.at_head(game.id))
    assert loaded.state is not None
    # A race begins with a pause, which ends once all are ready.
    awaited = loaded.rules.awaited(loaded.state) or frozenset(map(Seat, range(SEATS[slug])))
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
    await page.set_viewport_size(DESKTOP)
    await page.get_by_role("button", name="Skip").click()
    assert await page.locator(BOARDS).evaluate_all(SHOWN) >= 0.5


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
@pytest.mark.parametrize("slug", PLAYED)
async def test_the_board_fills_half_of_a_desktop_in_every_phase(
    page: Page, server: str, slug: str
) -> None:
    options, phases = PLAYED[slug]
    checked: set[str] = set()

    async def check_once() -> None:
        phase = await page.locator("[data-phase]").get_attribute("data-phase") or ""
        if phase not in checked:
            checked.add(phase)
            await check(page)
            await page.set_viewport_size(DESKTOP)

    await page.set_viewport_size(DESKTOP)
    await page.add_init_script(WATCH_SHARES)
    await start_table(page, server, options, slug=slug, bots=3)
    await page.get_by_role("button", name="Skip").click()
    await play_to_the_end(page, PRESSES_OF_ASCOT if slug == "ascot" else PRESSES, check_once)
    await page.locator(".moment").wait_for()
    shares: dict[str, float] = await page.evaluate("look().then(() => window.shares)")
    assert shares.keys() >= phases, shares
    assert min(shares.values()) >= 0.5, shares


@pytest.mark.ci
async def test_who_has_answered_sees_that_the_others_are_on_turn(
    page: Page, server: str, new_game: NewGame
) -> None:
    await open_table(page, server, new_game, 2, "set_dice", opening_s=0)
    bar = page.locator("section.you")
    await expect(bar).to_have_class(re.compile(r"\bmine\b"))
    await page.get_by_role("button", name="I see no SET").click()
    await expect(bar).not_to_have_class(re.compile(r"\bmine\b"))
    await expect(bar).to_contain_text("If you find one, call it")
