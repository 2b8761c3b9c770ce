"""SET Dice in a real browser, played by clicks."""

import re
from collections.abc import Callable
from functools import partial
from itertools import combinations, permutations

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Page, expect

from accounts.models import User
from games.models import Game
from games.play import service
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims, ask_bot
from railbird_engine.rules.set_dice.board import COMPLETES
from railbird_engine.rules.set_dice.commands import CallSet, DeclareNoSet, NamedDie, PassTurn
from railbird_engine.rules.set_dice.data import WILD
from railbird_engine.rules.set_dice.search import best_moves
from railbird_engine.rules.set_dice.state import SetDiceState
from tests.api.graphql.scene import player
from tests.browser.accessibility import check
from tests.browser.conftest import SIZES, photograph
from tests.browser.scene import open_game, other_origins, play_now, play_until
from tests.browser.symbols import COVERED, RING, check_symbols
from tests.browser.whole_games import PRESSES, check_the_end, play_to_the_end, replay_in_french
from tests.builders import NewGame
from tests.moves import play
from tests.rules.golden import RULES

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]


def start_with_a_set(new_game: NewGame) -> tuple[User, str, Callable[[], object]]:
    """Start a game of users, and let them throw until the second one can call a SET.

    Bots would call one within seconds. Return the first user, the game and what calls.
    """
    game = new_game(slug="set_dice", opening_s=0, turn_s=0)
    while True:
        thrown = event_loop.call(service.at_head(game.id))
        assert thrown.state is not None
        call = ask_bot(thrown.rules, thrown.state, Seat(1), Whims(b"call"))
        if isinstance(call, CallSet):
            return game.lobby.host, str(game.id), partial(play, game, 1, call)
        for seat in range(2):
            play(game, seat, DeclareNoSet())


OPENINGS = 9
"""The tenth opening without a call ends a game."""


@pytest.mark.slow
async def test_the_log_calls_its_reader_you(page: Page, server: str, new_game: NewGame) -> None:
    _, game, call = await sync_to_async(start_with_a_set)(new_game)
    caller = await sync_to_async(lambda: player(Game.objects.get(pk=game), Seat(1)))()
    await open_game(page, server, caller, game)
    await page.locator(".calls li").first.wait_for()
    await sync_to_async(call)()
    await expect(page.locator(".calls")).to_contain_text("SET! You call it first and score ")


def call_with_a_wild(state: SetDiceState) -> tuple[CallSet, int, int] | None:
    """Find a call of the second seat, a Wild first, with dice of the first seat that go with it.

    These are a die with the face of the Wild, and a Wild. No two dice of the call are the same.
    """
    own, other = state.hands
    wilds = {die.number for die in own if die.shows == WILD}
    known = [die for die in other if die.shows != WILD]
    taken = [die.number for die in other if die.shows == WILD]
    for one, two in permutations(known, 2) if wilds and taken else ():
        face = COMPLETES[one.shows][two.shows]
        fitting = [die.number for die in own if die.shows == face]
        if one.shows != two.shows and fitting:
            wild = NamedDie(taken[0], face)
            call = CallSet((wild, NamedDie(one.number), NamedDie(two.number)))
            return call, fitting[0], min(wilds)
    return None


def start_with_a_wild(new_game: NewGame) -> tuple[User, str, int, int]:
    """Start a game with a Wild on the board; return a user on turn, the game and their two dice."""
    while True:
        game = new_game(slug="set_dice", opening_s=0, turn_s=0)
        for _ in range(OPENINGS):
            state = event_loop.call(service.at_head(game.id)).state
            assert isinstance(state, SetDiceState)
            if found := call_with_a_wild(state):
                call, fitting, wild = found
                play(game, 1, call)
                return game.lobby.host, str(game.id), fitting, wild
            for seat in range(2):
                play(game, seat, DeclareNoSet())


def start_without_a_move(new_game: NewGame) -> tuple[User, str]:
    """Let bots play for users up to a turn in which no die of a hand of two or more fits anywhere.

    Return the user on turn, and the game.
    """

    def is_stuck(state: SetDiceState, seat: Seat) -> bool | None:
        faces = {cell: die.face for cell, die in state.board.items()}
        hand = state.hands[seat]
        may_only_pass = list(RULES["set_dice"].legal(state, seat)) == [PassTurn()]
        is_wanted = may_only_pass and len(hand) > 1
        return (is_wanted and not best_moves(faces, hand, {}, per_size=1)) or None

    start = partial(new_game, slug="set_dice", opening_s=0, turn_s=0, reroll_s=0)
    game, seat, _ = play_until(start, Whims(b"no move"), SetDiceState, is_stuck, ask_bot)
    return player(game, seat), str(game.id)


POSITIONS = """() => [".set-board", ".set-own .actions", ".set-hand"].map((one) => {
    const { x, y } = document.querySelector(one).getBoundingClientRect();
    return [x + scrollX, y + scrollY];
})"""
"""Where the controls are on the page."""


WATCH_SHINE = """() => {
    window.shone = [];
    const since = new Map();
    const { add, remove } = DOMTokenList.prototype;
    DOMTokenList.prototype.add = function (...names) {
        if (names.includes("shines")) since.set(this, performance.now());
        add.apply(this, names);
    };
    DOMTokenList.prototype.remove = function (...names) {
        if (names.includes("shines")) window.shone.push(performance.now() - since.get(this));
        remove.apply(this, names);
    };
}"""
"""Record for how long the dice of a SET have shone."""


@pytest.mark.slow
async def test_a_die_is_explained_beside_all_dice_and_what_is_asked(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, _ = await sync_to_async(start_with_a_set)(new_game)
    await open_game(page, server, user, game)
    await page.get_by_role("button", name="Skip").click()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        for place in (0, 4):
            await page.locator(".die-button").nth(place).hover()
            await page.locator(".tip").wait_for()
            asked = ".set-hand .die-button, .set-own .actions button, .you-doing"
            assert await page.evaluate(COVERED, asked) == [], (width, place)
            await page.keyboard.press("Escape")
            await page.locator(".tip").wait_for(state="hidden")
            await page.mouse.move(1, 1)
    await page.locator(".square[tabindex='0']").focus()
    await page.keyboard.press("ArrowUp")
    name, reach = await page.evaluate(RING)
    assert name == "square" and reach <= 0, "the dice beside it stay whole"


@pytest.mark.ci
async def test_dice_are_chosen_by_click_and_squares_by_key(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, call = await sync_to_async(start_with_a_set)(new_game)
    elsewhere = other_origins(page.context, server)
    await open_game(page, server, user, game)
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
    before = await page.evaluate(POSITIONS)
    await page.locator("button[data-command=declare_no_set]").press("Enter")
    await expect(page.locator(".set-own")).to_be_focused()  # no part without a name
    await page.evaluate(WATCH_SHINE)
    await sync_to_async(call)()
    await expect(page.get_by_role("status").locator(".reason")).to_have_count(3)
    reasons = await page.locator(".reason").all_inner_texts()
    for feature, reason in zip(("colour", "shape", "number"), reasons, strict=True):
        assert reason in {f"{feature}: the same", f"{feature}: all different"}
    await page.locator("button[data-command=pass_turn]").wait_for()
    assert await page.evaluate(POSITIONS) == before, "nothing moves below a pointer"
    await dice.nth(0).click()
    await page.locator("[data-square='6:4']").click()
    await page.locator("button[data-command=place_dice]").wait_for()
    await expect(page.locator(".set-told")).not_to_be_empty()
    assert await page.evaluate(POSITIONS) == before
    await expect(page.locator(".shines")).to_have_count(0)
    shone = await page.evaluate("window.shone")
    assert len(shone) == 3 and min(shone) >= 1490, shone
    assert elsewhere == []


@pytest.mark.slow
async def test_squares_are_lit_where_a_die_makes_a_set_and_a_swap_is_asked(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, fitting, wild = await sync_to_async(start_with_a_wild)(new_game)
    await open_game(page, server, user, game)
    lit, swap = page.locator(".square.press"), page.locator(".square.swap")
    fitting_die, wild_die = (page.locator(f"[data-die='{die}']") for die in (fitting, wild))

    # At the other end of the logo, this die makes a SET in place of the Wild, and nowhere else.
    await fitting_die.click()
    await expect(lit).to_have_attribute("data-square", "5:7")
    await expect(lit).to_have_attribute("data-points", "+3")
    await expect(lit).to_have_accessible_name(re.compile("a SET here, 3 points$"))
    await photograph(page, "set_dice-lit")
    await lit.click()
    await expect(page.locator(".set-told")).to_contain_text("3 points from 1 SET")
    await expect(page.locator("button[data-command=suggest]")).to_have_count(0)
    await page.locator("button[data-command=back]").click()

    # A Wild starts with the only face that makes a SET there, and scores nothing itself.
    await wild_die.click()
    await expect(page.locator("[data-square='5:7']")).to_have_attribute("data-points", "+2")
    await page.locator("[data-square='5:7']").click()
    await expect(page.locator(".set-told")).to_contain_text("2 points from 1 SET")
    await expect(page.locator(".wild-face label:not(.unfit)")).to_have_count(1)
    await photograph(page, "set_dice-wild")
    await page.locator("button[data-command=back]").click()

    await fitting_die.click()
    await expect(swap).to_have_attribute("data-square", "5:4")
    await swap.click()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(page.locator("[data-square='5:4']")).to_have_attribute("data-term", "wild")
    await swap.click()
    await page.get_by_role("dialog").get_by_role("button", name="Swap").click()
    await expect(page.locator("[data-square='5:4']")).to_have_attribute("data-term", "die")
    await expect(swap).to_have_count(0)
    await expect(page.locator(".die-button")).to_have_count(5)


@pytest.mark.ci
@pytest.mark.parametrize("locale", [pytest.param("en", marks=pytest.mark.slow), "fr"])
@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.slow), 4])
async def test_board_hand_and_presses_are_on_the_first_screen(
    browser: Browser, server: str, new_game: NewGame, seats: int, locale: str
) -> None:
    game = await sync_to_async(new_game)(seats, "set_dice", opening_s=0)
    host = await sync_to_async(lambda: game.lobby.host)()
    parts = ".set-board, .set-hand, .set-own .actions button"
    async with await browser.new_context(locale=locale, reduced_motion="reduce") as context:
        page = await context.new_page()
        await open_game(page, server, host, game.id)
        await page.locator(".first-cards button").last.click()
        await page.locator("[data-command=declare_no_set]").wait_for()
        for width, height in ((390, 844), (1440, 900)):
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate("scrollTo(0, 0)")
            also = ", .other-hand" if width > 1000 else ""  # on a phone they are below
            for part in await page.locator(parts + also).all():
                box = await part.bounding_box()
                assert box and box["y"] + box["height"] <= height, (width, box)


@pytest.mark.slow
async def test_a_player_whose_dice_fit_nowhere_is_shown_how_to_pass(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game = await sync_to_async(start_without_a_move)(new_game)
    await open_game(page, server, user, game)
    await expect(page.get_by_text("None of your dice makes a SET now: pass.")).to_be_visible()
    await expect(page.locator(".set-hand.press, .square.press")).to_have_count(0)
    await page.locator(".die-button").first.click()
    await page.locator("button.press[data-command=pass_turn]").click()
    await expect(page.locator("[data-command=pass_turn]")).to_have_count(0)


@pytest.mark.slow
async def test_three_dice_can_be_called_or_are_told_why_they_are_no_set(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, _ = await sync_to_async(start_with_a_set)(new_game)
    await open_game(page, server, user, game)
    dice = page.locator(".die-button:not([disabled])")
    call = page.locator("button.press[data-command=call_set]")
    refusal = page.locator(".set-told", has_text="No SET: two dice are alike")
    for three in combinations(range(5), 3):
        for die in three:
            await dice.nth(die).click()
        await expect(call.or_(refusal)).to_have_count(1)
        for die in three:
            await dice.nth(die).click()
        await expect(call.or_(refusal)).to_have_count(0)


@pytest.mark.slow
async def test_a_choice_ends_when_all_dice_are_thrown_again(
    page: Page, server: str, new_game: NewGame
) -> None:
    def start() -> tuple[User, Game]:
        game = new_game(slug="set_dice", opening_s=0)
        return game.lobby.host, game

    user, game = await sync_to_async(start)()
    await open_game(page, server, user, game.id)
    await page.locator(".die-button:not([disabled])").nth(0).click()
    await expect(page.locator(".die-button[aria-pressed=true]")).to_have_count(1)
    await page.locator("[data-square='0:0']").click()
    await expect(page.locator(".square.draft")).to_have_count(0)
    before = await page.evaluate(POSITIONS)

    def throw_again() -> None:
        before = after = hand_of(game)
        while after == before:
            for seat in range(2):
                play(game, seat, DeclareNoSet())
            after = hand_of(game)

    await sync_to_async(throw_again)()
    await expect(page.locator(".die-button[aria-pressed=true]")).to_have_count(0)
    await expect(page.locator(".set-again")).not_to_be_empty()
    assert await page.evaluate(POSITIONS) == before


def hand_of(game: Game) -> list[tuple[int, str]]:
    """Return the dice of the first seat and what they show."""
    thrown = event_loop.call(service.at_head(game.id))
    assert isinstance(thrown.state, SetDiceState)
    return [(die.number, die.shows) for die in thrown.state.hands[0]]


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
            await check_symbols(page, "set_dice")
        dice = now

    await play_to_the_end(page, PRESSES, look)
    await photograph(page, "set_dice-over")
    await check_the_end(page, has_bets=False)
    await replay_in_french(page, ".results")
    await photograph(page, "set_dice-french")
