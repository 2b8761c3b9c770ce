"""SET Dice in a real browser, played by clicks."""

import re
from collections.abc import Callable
from functools import partial
from uuid import UUID, uuid4

import msgspec
import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, expect

from accounts.models import User
from games.play import service
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims, ask_bot
from railbird_engine.rules.set_dice.commands import CallSet, DeclareNoSet
from railbird_engine.rules.set_dice.state import SetDiceState
from tests.browser.accessibility import check
from tests.browser.conftest import photograph
from tests.browser.scene import enter_as, other_origins, play_now
from tests.browser.symbols import check_symbols
from tests.browser.whole_games import check_the_end, play_to_the_end, replay_in_french
from tests.builders import NewGame

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

WANTED = (
    "button[data-command=place_dice]",
    "button[data-command=declare_no_set]",
    "button[data-command=keep_dice]",
    "button[data-command=suggest]",
    "button[data-command=pass_turn]",
)
"""The first of these that is on the page is clicked; a move that was found is placed."""


def start_with_a_set(new_game: NewGame) -> tuple[User, str, Callable[[], object]]:
    """Start a game of users, and let them throw until the second one can call a SET.

    Bots would call one within seconds. Return the first user, the game and what calls.
    """
    game = new_game(slug="set_dice", opening_s=0, turn_s=0)

    def play(seat: int, command: CallSet | DeclareNoSet) -> object:
        body = msgspec.json.encode(command)
        return event_loop.call(service.play(game.id, Seat(seat), body, uuid4()))

    while True:
        thrown = event_loop.call(service.at_head(game.id))
        assert thrown.state is not None
        call = ask_bot(thrown.rules, thrown.state, Seat(1), Whims(b"call"))
        if isinstance(call, CallSet):
            return game.lobby.host, str(game.id), partial(play, 1, call)
        for seat in range(2):
            play(seat, DeclareNoSet())


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


async def test_dice_are_chosen_by_click_and_squares_by_key(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, call = await sync_to_async(start_with_a_set)(new_game)
    elsewhere = other_origins(page.context, server)
    await enter_as(page, server, user)
    await page.goto(f"{server}/games/{game}/")
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
    await page.locator(".square.press").first.click()
    await page.locator("button[data-command=place_dice]").wait_for()
    await expect(page.locator(".set-told")).not_to_be_empty()
    assert await page.evaluate(POSITIONS) == before
    await expect(page.locator(".shines")).to_have_count(0)
    shone = await page.evaluate("window.shone")
    assert len(shone) == 3 and min(shone) >= 1490, shone
    assert elsewhere == []


@pytest.mark.slow
async def test_a_choice_ends_when_all_dice_are_thrown_again(
    page: Page, server: str, new_game: NewGame
) -> None:
    def start() -> tuple[User, UUID]:
        game = new_game(slug="set_dice", opening_s=0)
        return game.lobby.host, game.id

    user, game = await sync_to_async(start)()
    await enter_as(page, server, user)
    await page.goto(f"{server}/games/{game}/")
    await page.locator(".die-button:not([disabled])").nth(0).click()
    await expect(page.locator(".die-button[aria-pressed=true]")).to_have_count(1)
    await page.locator("[data-square='0:0']").click()
    await expect(page.locator(".square.draft")).to_have_count(0)
    before = await page.evaluate(POSITIONS)

    def throw_again() -> None:
        before = after = hand_of(game)
        while after == before:
            for seat in range(2):
                body = msgspec.json.encode(DeclareNoSet())
                event_loop.call(service.play(game, Seat(seat), body, uuid4()))
            after = hand_of(game)

    await sync_to_async(throw_again)()
    await expect(page.locator(".die-button[aria-pressed=true]")).to_have_count(0)
    await expect(page.locator(".set-again")).not_to_be_empty()
    assert await page.evaluate(POSITIONS) == before


def hand_of(game: UUID) -> list[tuple[int, str]]:
    """Return the dice of the first seat and what they show."""
    thrown = event_loop.call(service.at_head(game))
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

    await play_to_the_end(page, WANTED, look)
    await photograph(page, "set_dice-over")
    await check_the_end(page, has_bets=False)
    await replay_in_french(page, ".results")
    await photograph(page, "set_dice-french")
