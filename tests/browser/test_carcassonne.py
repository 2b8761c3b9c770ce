"""Carcassonne in a real browser, played by clicks."""

import re
from collections.abc import Callable
from functools import partial
from itertools import combinations
from math import hypot

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Locator, Page, expect

from accounts.models import User
from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims
from railbird_engine.rules.carcassonne.state import CarcassonneState
from tests.api.graphql.scene import player
from tests.browser.accessibility import check
from tests.browser.conftest import photograph
from tests.browser.scene import (
    large_news,
    open_game,
    other_origins,
    play_now,
    play_until,
    start_before_a_join,
    start_before_a_score,
    start_carcassonne,
    start_table,
)
from tests.browser.symbols import check_symbols
from tests.browser.whole_games import PRESSES, check_the_end, play_to_the_end, replay_in_french
from tests.builders import NewGame

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

TARGET_PX, RING_PX = 40, 6
"""The width of a target on a tile, and of both edges of the rings of two targets."""

COUNT_TONES = """window.tones = 0;
window.OscillatorNode = class extends OscillatorNode {
    start(...at) { window.tones++; super.start(...at); }
};"""


async def drag_the_land(page: Page, cell: Locator) -> None:
    """Drag the land by a cell, a little, so that the mouse stays in the cell."""
    await cell.hover()
    box = await cell.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await page.mouse.down()
    await page.mouse.move(x + 10, y + 10, steps=2)
    await page.mouse.up()


@pytest.mark.ci
async def test_a_tile_and_a_meeple_are_placed_by_click_or_key(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game = await sync_to_async(start_carcassonne)(new_game)
    elsewhere = other_origins(page.context, server)
    await page.add_init_script(COUNT_TONES)
    await open_game(page, server, user, game)
    await page.locator(".land svg").wait_for()
    free = page.locator(".free").first
    await expect(page).to_have_title(re.compile("^● Your turn · Carcassonne"))
    await expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:"))
    await drag_the_land(page, free)
    await expect(page.locator(".chosen-cell")).to_have_count(0)
    chosen = page.locator(".free").last
    cell = page.get_by_label(await chosen.get_attribute("aria-label") or "", exact=True)
    await chosen.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".chosen-cell")).to_be_focused()
    await expect(cell).to_be_focused()
    await page.get_by_role("button", name="Place the tile here").focus()
    await page.keyboard.press("Enter")
    await page.locator(".meeple-spot").first.wait_for()
    for width, height in ((390, 844), (1440, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        circles: list[tuple[float, float, float]] = await page.locator(
            ".meeple-spot > circle"
        ).evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(r => [r.x, r.y, r.width])"
        )
        assert min(wide for _, _, wide in circles) >= TARGET_PX
        for (x, y, wide), (other_x, other_y, _) in combinations(circles, 2):
            assert hypot(x - other_x, y - other_y) >= wide + RING_PX, "no circle touches another"
    await page.locator(".standing").hover()  # a resting mouse points at nothing
    claim = page.locator(".chosen .told")
    await expect(claim).to_have_text("Each circle claims what lies below it.")
    await expect(page.locator(".claim")).to_have_count(0)
    await page.locator(".meeple-spot").first.focus()
    await expect(claim).to_have_text(
        re.compile(r"^(city|field|monastery|road) \(\d+ tiles?\)\. .+")
    )
    await expect(page.locator(".claim > g").first).to_be_attached()
    await photograph(page, "carcassonne-meeple")
    await page.get_by_label("Sounds").check()
    await page.get_by_label("Ask before each move").check()
    await page.locator(".meeple-spot").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_contain_text("Your move: Meeple on the")
    await page.keyboard.press("Enter")
    await expect(page.locator(".calls")).to_contain_text("You place a meeple")
    await page.wait_for_function("window.tones > 0")
    assert elsewhere == []


@pytest.mark.slow
async def test_a_finger_chooses_a_meeple_before_it_places_it(
    browser: Browser, server: str, new_game: NewGame
) -> None:
    user, game = await sync_to_async(start_carcassonne)(new_game)
    async with await browser.new_context(has_touch=True, reduced_motion="reduce") as context:
        page = await context.new_page()
        await open_game(page, server, user, game)
        await page.locator(".free").first.tap()
        await page.get_by_role("button", name="Place the tile here").tap()
        spot = page.locator(".meeple-spot").last
        await spot.tap()
        await expect(spot).to_have_class(re.compile("picked"))
        await expect(page.locator(".chosen .told")).to_contain_text(re.compile(r"\(\d+ tiles?\)"))
        await expect(page.locator(".land .meeple:not(.meeple-spot *)")).to_have_count(0)
        await page.get_by_role("button", name="Place the meeple here").tap()
        await expect(page.locator(".land .meeple:not(.meeple-spot *)")).to_have_count(1)


async def drag_by_finger(page: Page, piece: Locator) -> None:
    """Drag a piece a little, by touch."""
    box = await piece.bounding_box()
    assert box is not None
    devices = await page.context.new_cdp_session(page)
    for step, kind in enumerate(("touchStart", "touchMove", "touchMove", "touchEnd")):
        point = {"x": box["x"] + 20 + 20 * step, "y": box["y"] + 20}
        points = [] if kind == "touchEnd" else [point]
        await devices.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.slow
async def test_a_key_is_pressed_once_after_a_finger(
    browser: Browser, server: str, new_game: NewGame
) -> None:
    user, game = await sync_to_async(start_carcassonne)(new_game)
    async with await browser.new_context(has_touch=True, reduced_motion="reduce") as context:
        page = await context.new_page()
        await open_game(page, server, user, game)
        await page.get_by_role("button", name="Skip").tap()
        held, drawn = page.locator(".held"), page.locator(".next-tile > g")
        before = await drawn.get_attribute("transform") or ""
        await drag_by_finger(page, held)
        await expect(drawn).to_have_attribute("transform", before)
        await held.press("Enter")
        await expect(drawn).not_to_have_attribute("transform", before)
        await page.locator(".free").first.tap()
        await page.get_by_role("button", name="Place the tile here").press("Enter")
        await page.locator(".meeple-spot").last.press("Enter")
        await expect(page.locator(".land .meeple:not(.meeple-spot *)")).to_have_count(1)


@pytest.mark.slow
async def test_a_tile_that_joins_the_features_of_two_players_is_told_before_and_after(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, command = await sync_to_async(start_before_a_join)(new_game)
    await open_game(page, server, user, game)
    await page.locator(f".free[data-cell='{command.x},{command.y}']").click()
    told = page.locator(".chosen .told")
    turn = page.get_by_role("button", name="Turn it")
    await page.set_viewport_size({"width": 1360, "height": 500})  # the button is at the edge
    while "This joins your " not in (await told.text_content() or ""):
        await turn.hover()
        before = await page.evaluate("scrollY")
        await page.mouse.down()
        await page.mouse.up()
        assert await page.evaluate("scrollY") == before, "a press does not scroll the page"
    async with large_news(page, "^You share a "):
        await page.get_by_role("button", name="Place the tile here").click()


AT = """all => all.map((one) => {
    const { x, y } = one.getBoundingClientRect();
    return [Math.round(x), Math.round(y)];
})"""
COORDINATES = re.compile(r"\(-?\d+[,;] ?-?\d")
SPOKEN = """() => [...document.querySelectorAll(".drawn, .drawn [aria-label]")].map(
    (one) => one.getAttribute("aria-label") ?? one.textContent)"""


@pytest.mark.slow
async def test_what_was_scored_glows_and_the_log_points_at_it(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, scored, finish = await sync_to_async(start_before_a_score)(new_game)
    await open_game(page, server, user, game)
    await page.locator(".land svg").wait_for()
    await expect(page.locator(".glow")).to_have_count(0)
    await sync_to_async(finish)()
    await expect(page.locator(".land g:has(> .glow)")).to_have_count(scored.tiles)
    log, pointed = page.get_by_role("list", name="What happened"), page.locator(".pointed")
    await log.focus()
    line = log.locator(f"[data-feature='{scored.feature}']", has_text="is finished")
    while not await line.evaluate("one => one === document.activeElement"):
        await page.keyboard.press("ArrowDown")
    await expect(pointed).to_have_count(scored.tiles)
    await log.get_by_text("place the tile").first.hover()
    await expect(pointed).to_have_count(1)
    assert await pointed.evaluate_all(AT) == await page.locator(".newest").evaluate_all(AT)
    await page.locator(".standing").hover()
    await expect(pointed).to_have_count(0)
    assert [one for one in await page.evaluate(SPOKEN) if COORDINATES.search(one)] == []
    await page.get_by_label("Which events").select_option("mine")
    await log.focus()
    for line in await log.locator("[data-mine][tabindex]").all():
        await page.keyboard.press("ArrowDown")
        await expect(line).to_be_focused()


LARGE = 45
"""The tiles of a board that is higher than seven rows."""

UNREACHED = """() => [...document.querySelectorAll(".land > svg > :is(g:has(title), .free)")]
.filter((one) => {
    one.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return !shown?.closest(".land");
}).length"""
"""How many tiles and cells something else covers wherever the land is scrolled."""


def start_at(
    new_game: NewGame, luck: bytes, is_wanted: Callable[[CarcassonneState, Seat], bool]
) -> tuple[User, str]:
    """Play Carcassonne of users until a state is wanted. Return who plays next, and the game."""

    def found(state: CarcassonneState, seat: Seat) -> bool | None:
        return is_wanted(state, seat) or None

    start = partial(new_game, slug="carcassonne")
    game, seat, _ = play_until(start, Whims(luck), CarcassonneState, found)
    return player(game, seat), str(game.id)


def start_with_a_large_board(new_game: NewGame) -> tuple[User, str]:
    """Play Carcassonne of users until a player places a tile on a large board."""

    def is_large(state: CarcassonneState, _seat: Seat) -> bool:
        return len(state.board.cells) >= LARGE and state.stage == "tile"

    return start_at(new_game, b"a large board", is_large)


@pytest.mark.slow
async def test_a_large_board_stays_legible_and_nothing_covers_its_tiles(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game = await sync_to_async(start_with_a_large_board)(new_game)
    await open_game(page, server, user, game)
    await page.get_by_role("button", name="Skip").click()
    await page.locator(".free").first.wait_for()
    for width, height in ((1440, 900), (390, 844), (720, 450)):
        await page.set_viewport_size({"width": width, "height": height})
        await photograph(page, f"carcassonne-large-{width}")
        await page.set_viewport_size({"width": width, "height": height})
        newest = await page.locator(".newest").bounding_box()
        assert newest and newest["width"] >= TARGET_PX - RING_PX
        assert await page.evaluate(UNREACHED) == 0


CHIPS = 6

UNSEEN = """() => {
    const land = document.querySelector(".land").getBoundingClientRect();
    return [...document.querySelectorAll(".land :is(.newest, .glow)")].filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return left < land.left || top < land.top || right > land.right || bottom > land.bottom;
    }).length;
}"""
"""How many parts of a question about bets the land does not show whole."""


def start_with_chips_on_offices(new_game: NewGame) -> tuple[User, str]:
    """Play Carcassonne of users until one who has bet on a large board may bet again."""

    def may_bet_again(state: CarcassonneState, seat: Seat) -> bool:
        betting = state.betting
        assert betting is not None
        is_open = state.stage == "bets" and seat not in betting.decided
        has_bet = 1 < len(betting.chips[seat]) < CHIPS
        return is_open and has_bet and len(state.board.cells) > LARGE

    return start_at(new_game, b"chips on offices", may_bet_again)


@pytest.mark.ci
async def test_a_bet_or_none_takes_two_presses_at_fixed_places_below_the_whole_office(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game = await sync_to_async(start_with_chips_on_offices)(new_game)
    await open_game(page, server, user, game)
    await page.locator(".bet-chip").first.wait_for()
    await photograph(page, "carcassonne-bets")
    chips, none = page.locator(".bet-chip"), page.get_by_role("button", name="No bet")
    await expect(chips).to_have_count(CHIPS)
    assert await page.locator(".bet-chip:disabled").count() > 0
    for width, height in ((390, 844), (1360, 850), (1440, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function(f"({UNSEEN})() === 0")
    before = await none.bounding_box()
    await page.locator(".bet-chip:enabled").first.click()
    assert await none.bounding_box() == before
    await none.click()
    async with large_news(page, "^You place no bet"):
        await page.get_by_role("button", name="Place no bet").click()


@pytest.mark.slow
async def test_a_tile_is_dragged_to_its_place(page: Page, server: str, new_game: NewGame) -> None:
    user, game = await sync_to_async(start_carcassonne)(new_game)
    await open_game(page, server, user, game)
    await page.get_by_role("button", name="Skip").click()
    await page.locator(".held").drag_to(page.locator(".free.press").last)
    await expect(page.locator(".chosen-cell")).to_have_count(1)
    await expect(page.get_by_role("button", name="Place the tile here")).to_be_visible()


@pytest.mark.slow
async def test_a_page_says_what_was_done_for_a_player_whose_time_is_up(
    page: Page, server: str
) -> None:
    await start_table(page, server, {"turn_seconds": 5}, slug="carcassonne", bots=1)
    told = re.compile(r"Time is up\. You place")
    await expect(page.locator(".message")).to_have_text(told, timeout=60_000)


@pytest.mark.slow
async def test_a_whole_game_is_played_by_clicks(page: Page, server: str) -> None:
    await play_now(page, server, "Carcassonne")
    tiles = 0

    async def look() -> None:
        nonlocal tiles
        now = await page.locator(".land title").count()
        if tiles < 30 <= now:
            await photograph(page, "carcassonne-turn")
            await check(page)
            await check_symbols(page, "carcassonne")
        tiles = now

    await play_to_the_end(page, PRESSES, look)
    await photograph(page, "carcassonne-over")
    await check_the_end(page, has_bets=True)
    await replay_in_french(page, ".results")
    await photograph(page, "carcassonne-french")
