"""Quitte ou double in a real browser, played by clicks."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from accounts.models import User
from railbird_engine.rules.quitte_ou_double.data import ROUNDS
from tests.browser.accessibility import check
from tests.browser.conftest import WITHIN_MS, photograph
from tests.browser.scene import open_game, other_origins, start_table
from tests.browser.symbols import COVERED, RING, check_symbols
from tests.browser.whole_games import (
    PRESSES,
    check_the_end,
    play_to_the_end,
    press_next,
    replay_in_french,
)
from tests.builders import NewGame
from tests.moves import play

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]


async def start(page: Page, server: str) -> None:
    """Start a game without an hourglass, and choose the level of its questions."""
    options = {"level_s": 0, "hourglass_s": 0}
    await start_table(page, server, options, slug="quitte_ou_double", bots=3)
    await page.get_by_role("button", name="Level 1").click()
    await page.get_by_label("Your team’s answer").wait_for()


PRESS_WHILE_IT_LOCKS: Final = """() => {
    window.sent = new Map();
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
        send.call(this, text);
        const { id, command } = JSON.parse(text);
        if (!command?.type.endsWith("_answer")) return;
        window.sent.set(id, command.type);  // copies of it may follow
        const button = document.querySelector("button[data-command=write_answer]");
        if (command.type === "lock_answer") button?.click();
    };
}"""
"""Press the button again when the page locks the answer, and record the commands."""


@pytest.mark.ci
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
    await page.evaluate(PRESS_WHILE_IT_LOCKS)
    await page.keyboard.press("Enter")  # writes and locks: the user is alone in the team
    zones = page.locator(".zone:not([disabled])")
    await zones.first.wait_for()
    sent = await page.evaluate("[...window.sent.values()]")
    assert sent == ["write_answer", "lock_answer"]
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
async def test_each_of_two_quick_presses_on_a_gap_places_a_token(page: Page, server: str) -> None:
    await start(page, server)
    await page.get_by_label("Your team’s answer").fill("12")
    await page.keyboard.press("Enter")
    gap = page.locator(".zone:not([disabled])").first
    await gap.dblclick()
    await page.get_by_role("button", name="Lock the bets").wait_for()
    await expect(gap).to_contain_text("+2 if it is here")


SEATS: Final = 4
ANSWERS: Final = ("10", "11", "12", "4000")
"""Three of them lie nearly at one place of the number line."""

PHONE, DESKTOP, LOW_DESKTOP = (390, 844), (1440, 900), (1360, 850)
FIRST_SCREEN: Final = """(wanted) => {
    const boxes = [...document.querySelectorAll(".line-mark .team-mark, .line-answer")]
        .map((one) => one.getBoundingClientRect());
    const covers = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const covered = boxes.some((one, nth) => boxes.slice(nth + 1).some((two) => covers(one, two)));
    const bottom = document.querySelector(wanted).getBoundingClientRect().bottom + scrollY;
    return { covered, isWhole: bottom <= innerHeight };
}"""
"""Whether a mark of the number line covers another, and the first screen has what is wanted."""


async def check_first_screens(page: Page, wanted: str, *screens: tuple[int, int]) -> None:
    """Look at the number line, and at what is wanted, on each of these screens."""
    for width, height in screens:
        await page.set_viewport_size({"width": width, "height": height})
        found = await page.evaluate(FIRST_SCREEN, wanted)
        assert found == {"covered": False, "isWhole": True}, width


UNDER_THE_BAR: Final = """() => {
    const mark = document.querySelector(".line-mark");
    const middle = () => {
        const { x, y, width, height } = mark.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    scrollBy({ top: middle()[1] - 20, behavior: "instant" });
    return document.elementFromPoint(...middle()).closest(".you, .line-mark").className;
}"""
"""The class of what is on top where a mark of the number line is scrolled below the bar."""


WATCH_STEPS: Final = """(skips) => {
    const parts = [".zone.pays", ".right-answer", ".podium-gain:not(:empty)"];
    const told = () => document.querySelector(".calls").textContent.includes("The right answer");
    window.steps = [];
    const held = () => document.querySelector(".you-cost").textContent;
    const before = held();
    const look = () => {
        const now = parts.filter((one) => document.querySelector(one)).length;
        const next = document.querySelector("[data-command=next_question]");
        const isEarly = now < 3 && (held() !== before || next);
        const step = `${now}${told() ? " told" : ""}${isEarly ? " early" : ""}`;
        if (window.steps.at(-1) !== step) window.steps.push(step);
        if (skips && now === 1) document.querySelector(".skip-reveal").click();
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
"""Record how much of the answer is shown, and whether the list of events tells it.

It is early for the bar to pay, and to ask the presenter for the next question.
"""


def start_before_a_reveal(new_game: NewGame) -> tuple[list[User], str, Callable[[], object]]:
    """Start a game of users, and play it until only the last seat has not locked its bets.

    Return the users, the last seat first, the game and what locks its bets.
    """
    game = new_game(SEATS, "quitte_ou_double", level_s=0, hourglass_s=0, reveal_s=0)
    play(game, 0, {"type": "choose_level", "level": 1})
    for seat in range(SEATS):
        play(game, seat, {"type": "write_answer", "answer": ANSWERS[seat]})
        play(game, seat, {"type": "lock_answer"})
    lock = [partial(play, game, seat, {"type": "lock_bets"}) for seat in range(SEATS)]
    for seat in range(SEATS):
        for token in (1, 2):
            play(game, seat, {"type": "place_token", "token": token, "zone": seat})
        if seat < SEATS - 1:
            lock[seat]()
    seats = game.lobby.seats.select_related("user").order_by("number")
    users = [seat.user for seat in seats if seat.user]
    return users[::-1], str(game.id), lock[-1]


@pytest.mark.slow
async def test_the_answer_is_revealed_in_three_steps_which_can_be_skipped(
    browser: Browser, server: str, new_game: NewGame
) -> None:
    users, game, lock = await sync_to_async(start_before_a_reveal)(new_game)
    async with (
        await browser.new_context(reduced_motion="no-preference") as waiting,
        await browser.new_context(reduced_motion="no-preference") as skipping,
    ):
        pages: list[Page] = []
        for context, user in zip((skipping, waiting), (users[0], users[-1]), strict=True):
            context.set_default_timeout(WITHIN_MS)
            page = await context.new_page()
            await open_game(page, server, user, game)
            await page.locator(".zone").first.wait_for()
            await page.get_by_role("button", name="Skip").click()
            await check_first_screens(page, ".true-line", PHONE, DESKTOP)
            await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            assert (await page.evaluate(UNDER_THE_BAR)).startswith("you")
            await page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
            await page.evaluate(WATCH_STEPS, context is skipping)
            pages.append(page)
        await sync_to_async(lock)()
        for page in pages:
            await page.locator(".podium-gain:not(:empty)").first.wait_for()
            await expect(page.locator(".calls")).to_contain_text("The right answer")
            await check_first_screens(page, ".podiums", DESKTOP, LOW_DESKTOP)
        await page.locator("[data-command=next_question]").wait_for()
        quick, slow = [await page.evaluate("window.steps") for page in pages]
        assert slow == ["0", "1", "2", "3 told"]
        assert quick == ["0", "1", "3 told"]


def start_before_the_last_bets(new_game: NewGame) -> tuple[User, str]:
    """Start a game of users, and play it until only seat 0 has not bet in the last round.

    All answers are one: the two gaps take a token each, and each team wins in each round.
    """
    game = new_game(SEATS, "quitte_ou_double", level_s=0, hourglass_s=0, reveal_s=0)
    play(game, 0, {"type": "choose_level", "level": 1})
    for left in reversed(range(ROUNDS)):
        for seat in range(SEATS):
            play(game, seat, {"type": "write_answer", "answer": "0"})
            play(game, seat, {"type": "lock_answer"})
        for seat in range(0 if left else 1, SEATS):
            for token in (1, 2):
                play(game, seat, {"type": "place_token", "token": token, "zone": token - 1})
            play(game, seat, {"type": "lock_bets"})
        if left:
            play(game, 0, {"type": "next_question"})
    user = game.lobby.seats.select_related("user").get(number=0).user
    assert user is not None
    return user, str(game.id)


@pytest.mark.slow
async def test_a_stake_that_is_typed_over_counts_when_the_bets_are_locked(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game = await sync_to_async(start_before_the_last_bets)(new_game)
    await open_game(page, server, user, game)
    await page.get_by_role("button", name="Skip").click()
    stake = page.get_by_label("Gain tokens under token")
    for zone in (0, 1):
        await page.locator(".zone:not([disabled])").nth(zone).click()
        await page.keyboard.press("Shift+Tab")
        await page.keyboard.press("Tab")
        name, reach = await page.evaluate(RING)
        assert name == "zone" and reach <= 0, "the answers beside it stay whole"
    lock = page.get_by_role("button", name="Lock the bets")
    await lock.wait_for()
    await stake.fill("2")
    await stake.press("Tab")
    await page.locator("[data-token='0:2']").filter(has_text="+2").wait_for()
    score = int(await page.locator(".podium-of.me .podium-score").inner_text())
    left = page.get_by_text(f"({score - 2} of {score} left)")
    await expect(left).to_be_visible()
    await stake.fill("4000")
    await lock.click()
    await page.locator(".message").filter(has_text="gain tokens").wait_for()
    await expect(lock).to_be_visible()
    await stake.fill("3")
    await lock.click()
    await page.get_by_role("button", name="See who wins").wait_for()
    assert await page.locator("[data-token='0:2']").all_text_contents() == ["B +3"]


@pytest.mark.slow
async def test_a_page_says_what_counts_once_time_is_up(page: Page, server: str) -> None:
    options = {"level_s": 0, "hourglass_s": 5}
    await start_table(page, server, options, slug="quitte_ou_double", bots=3)
    await page.get_by_role("button", name="Level 1").click()
    late = "Time is up. Your team has no answer to this question."
    await page.set_viewport_size({"width": 390, "height": 844})
    await expect(page.locator(".message")).to_have_text(late, timeout=30_000)
    bar = ".you-doing, .you-cost, .you .countdown, .standing li, .rules-button"
    assert await page.evaluate(COVERED, bar) == []
    late = "Time is up. Your bets count as they lie: 0 of 2."
    await expect(page.locator(".message")).to_have_text(late, timeout=30_000)


def ask_for_a_year(socket: WebSocketRoute) -> None:
    """Replace each question by one for a year, which has no unit."""

    def pass_on(message: str | bytes) -> None:
        frame = json.loads(message)
        if frame["type"] == "view" and frame["view"]["question"]:
            text = {"en": "In which year?", "fr": "En quelle année ?"}
            frame["view"]["question"] |= {**text, "unit": {"en": "", "fr": ""}}
        socket.send(json.dumps(frame))

    socket.connect_to_server().on_message(pass_on)


@pytest.mark.slow
async def test_years_lie_before_and_after_one_another(page: Page, server: str) -> None:
    await page.route_web_socket(re.compile("/ws/v1/games/"), ask_for_a_year)
    await start(page, server)
    await page.get_by_label("Your team’s answer").fill("1950")
    await page.keyboard.press("Enter")
    gaps = page.locator(".zone-name")
    await expect(gaps.first).to_have_text(re.compile(r"Before \d"))
    await expect(gaps.last).to_have_text(re.compile(r"After \d"))
    log = page.locator(".calls")
    while not await log.filter(has_text="on the gap").count():
        await press_next(page, PRESSES)
    named = set(re.findall(r"on the gap (\w+)", await log.inner_text()))
    assert named <= {"before", "between", "after"}, named


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
                await check_symbols(page, "quitte_ou_double")

    await play_to_the_end(page, PRESSES, look)
    await photograph(page, "quitte_ou_double-over")
    await check_the_end(page, has_bets=True)
    await replay_in_french(page, ".results")
    await photograph(page, "quitte_ou_double-french")
