"""L'Ascot in a real browser, played by clicks."""

import json
import re
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any, Final, cast

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, ViewportSize, expect

from accounts.models import User
from railbird_engine import AnyRules, Seat, State
from railbird_engine.kernel.playout import Whims, ask_bot
from railbird_engine.rules.ascot.commands import Bid, Pass, Ready
from railbird_engine.rules.ascot.data import load
from railbird_engine.rules.ascot.race import choices_to_assign
from railbird_engine.rules.ascot.state import AscotState, cash, horses_of, share
from tests.api.graphql.scene import player
from tests.browser.accessibility import check
from tests.browser.conftest import photograph
from tests.browser.scene import (
    any_legal,
    authorization,
    large_news,
    open_game,
    other_origins,
    play_now,
    play_until,
    played,
    start_table,
)
from tests.browser.symbols import check_symbols
from tests.browser.whole_games import (
    PRESSES_OF_ASCOT,
    check_the_end,
    play_to_the_end,
    replay_in_french,
)
from tests.builders import NewGame
from tests.moves import play
from tests.rules.golden import RULES

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

UNHURRIED = {"nomination_s": 0, "exchange_s": 0, "discard_s": 0}
PHASES = ("exchange", "discard", "auction", "training", "preliminaries", "betting", "race")

BESIDE_THE_BOARD = """() => {
    const pieces = [...document.querySelectorAll(".target.press")].map((one) => one.ariaLabel);
    const onHorses = "[data-command=apply_report], [data-command=assign], "
        + "[data-command=name_favourite]:has(.horse-name)";
    const onCards = "[data-command=choose_colour], [data-command=use_report], "
        + "[data-command=take_report], [data-command=exchange]";
    const nameOf = (button) => button.querySelector(".horse-name > span").textContent;
    return [
        ...[...document.querySelectorAll(onHorses)].filter(
            (one) => !pieces.some((piece) => piece.includes(nameOf(one)))),
        ...document.querySelectorAll(`:is(${onCards}):not(:has(.lease))`),
    ].filter((one) => !one.closest("[aria-busy]")).map((one) => one.outerHTML);
}"""
"""The choices that cannot be made on a horse or a card, but for those of a view that has gone."""


COVERED_NAMES = """() => [...document.querySelectorAll(".lease b")].filter((name) => {
    name.scrollIntoView({ block: "center" });
    const text = document.createRange();
    text.selectNodeContents(name);
    const { left, right, top, height } = text.getBoundingClientRect();
    const card = name.closest(".lease");
    const isShown = (x) => card.contains(document.elementFromPoint(x, top + height / 2));
    return name.checkVisibility() && !(isShown(left + 1) && isShown(right - 1));
}).map((one) => one.textContent)"""
"""The names of cards that another card covers."""


@pytest.mark.ci
async def test_a_card_is_exchanged_by_key_and_the_others_are_thrown_away_by_click(
    page: Page, server: str
) -> None:
    elsewhere = other_origins(page.context, server)
    await start_table(page, server, UNHURRIED, slug="ascot", bots=2)
    card = page.locator("button[data-command=exchange]").first
    vote = page.locator("button[data-command=nominate]").first
    await card.or_(vote).first.wait_for()
    if await vote.is_visible():  # nobody was dealt the Auctioneer
        await vote.click()
    await card.focus()
    await page.keyboard.press("Enter")
    await page.locator("p.ask", has_text="Mark the cards to throw away.").wait_for()
    kept = page.locator(".ascot button[aria-pressed=false]")
    cards = await kept.count()
    for _ in range(cards):
        await kept.first.click()
    await page.get_by_role("button", name=f"Throw away {cards} and keep cards for 0 F").click()
    await expect(page.locator(".ascot")).to_have_attribute("data-phase", "auction")
    await expect(page.locator(".lot .lease")).to_be_visible()
    assert elsewhere == []


async def test_two_presses_at_once_send_one_command(page: Page, server: str) -> None:
    played: list[str] = []

    def note(text: str | bytes) -> None:
        if json.loads(text)["type"] == "play":
            played.append(str(text))

    page.on("websocket", lambda socket: socket.on("framesent", note))
    await start_table(page, server, UNHURRIED, slug="ascot", bots=2)
    await page.locator(".standing .me.on-turn").wait_for()
    cards = page.locator(".actions:not([aria-busy]) button[data-command]")
    await cards.nth(1).wait_for()
    board = page.locator(".ascot")
    version = await board.get_attribute("data-version") or ""
    await cards.evaluate_all("all => all.forEach((one) => one.click())")
    await expect(board).not_to_have_attribute("data-version", version)
    assert len(played) == 1, played
    await expect(page.locator(".message[data-kind=bad]:not(:empty)")).to_have_count(0)


def bot_or_any(rules: AnyRules, state: object, seat: Seat, luck: Whims) -> Any:
    """Return what a bot does, or else a legal command."""
    command = ask_bot(rules, cast("State", state), seat, luck)
    return any_legal(rules, state, seat, luck) if command is None else command


UNLIMITED = {
    **dict.fromkeys(("bid_s", "sale_s", "training_s", "trade_s"), 0),
    **dict.fromkeys(("favourite_s", "bet_s", "race_s", "hazard_s"), 0),
}


def start_with_a_leader(new_game: NewGame) -> tuple[User, str, Seat]:
    """Play games up to a race in which one horse is in front, and its owner is not the richest.

    Return a user, the game and the seat of this owner.
    """

    def leads(state: AscotState, _seat: Seat) -> Seat | None:
        best = [best_row(state, Seat(seat)) for seat in range(3)]
        leader = Seat(best.index(max(best)))
        richest = max(range(3), key=lambda seat: cash(state, Seat(seat)))
        is_alone = state.phase == "race" and best.count(max(best)) == 1
        return leader if is_alone and richest != leader else None

    start = partial(new_game, 3, "ascot", **UNHURRIED, **UNLIMITED)
    game, _, leader = play_until(start, Whims(b"a race"), AscotState, leads)
    return game.lobby.host, str(game.id), leader


def best_row(state: AscotState, seat: Seat) -> int:
    """Return how far the best horse of a seat has run."""
    return max((state.horses[one].row for one in horses_of(state, seat, "running")), default=0)


@pytest.mark.slow
async def test_the_crown_is_for_the_owner_of_the_horse_in_front(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, leader = await sync_to_async(start_with_a_leader)(new_game)
    await open_game(page, server, user, game)
    places = page.locator(".standing li")
    await expect(places.nth(leader)).to_have_class(re.compile(r"\bleads\b"))
    await expect(page.locator(".standing .crown")).to_have_count(1)
    await page.get_by_role("button", name="Skip").click()
    crown = places.nth(leader).get_by_role("button", name="leads")
    await page.keyboard.press("Tab")  # what has the focus by a key explains itself
    await crown.focus()
    told = page.get_by_role("tooltip")
    await expect(told).to_contain_text("the owner of the horse in front")
    await expect(page.locator(".ascot-players .leads")).to_have_count(1)


def start_after_an_arrival(new_game: NewGame) -> tuple[User, str, Seat, str]:
    """Play games up to a race with a winner, in which another player has the best of the others.

    Return a user, the game, the winner's seat, and the name of the first horse.
    """

    def is_won(state: AscotState, _seat: Seat) -> tuple[Seat, int] | None:
        if state.race is None or not state.race.arrivals:
            return None
        first = state.race.arrivals[0].horse
        best = [best_row(state, Seat(seat)) for seat in range(3)]
        owner = state.horses[first].owner
        return (owner, first) if max(best) > best[owner] else None

    start = partial(new_game, 3, "ascot", **UNHURRIED, **UNLIMITED)
    luck = Whims(b"an arrival")
    game, _, (owner, first) = play_until(start, luck, AscotState, is_won, bot_or_any)
    return game.lobby.host, str(game.id), owner, load().horses[first].en


@pytest.mark.ci
async def test_the_crown_stays_with_the_first_past_the_post(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, owner, horse = await sync_to_async(start_after_an_arrival)(new_game)
    await open_game(page, server, user, game)
    crown = page.locator(".standing .crown")
    await expect(crown).to_have_count(1)
    await expect(
        page.locator(".standing li").nth(owner).and_(page.locator(".leads"))
    ).to_be_visible()
    await expect(crown).to_have_attribute("aria-label", re.compile(f"{horse} was the first past"))
    await expect(page.locator(".facts")).to_contain_text(f"Past the post: 1. {horse} (")
    place = page.locator(".stable li", has_text=horse)
    await expect(place).to_contain_text("Place 1")


def start_with_a_horse_out(new_game: NewGame) -> tuple[User, str, str]:
    """Play games up to a training that a horse has left; return a user, the game and its name."""

    def left(state: AscotState, _seat: Seat) -> str | None:
        out = [number for number, horse in state.horses.items() if horse.fate == "eliminated"]
        return load().horses[out[0]].en if out and state.phase == "training" else None

    start = partial(new_game, 3, "ascot", **UNHURRIED, **UNLIMITED)
    game, _, horse = play_until(start, Whims(b"a lame horse"), AscotState, left)
    return game.lobby.host, str(game.id), horse


@pytest.mark.slow
async def test_a_horse_that_leaves_in_training_stays_told(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, horse = await sync_to_async(start_with_a_horse_out)(new_game)
    await open_game(page, server, user, game)
    await expect(page.locator(".facts")).to_contain_text(f"Out of the game: {horse} (")
    await expect(page.locator(".stable li", has_text=horse)).to_contain_text("eliminated")
    told = page.locator(".calls", has_text=f"{horse} is lame and out of the game")
    await expect(told).to_be_visible()


def start_with_a_wasted_throw(new_game: NewGame) -> tuple[User, str, int, int]:
    """Play games up to a throw that is too high for one of the horses that may use it.

    Return the user, the game, that horse, and the throw that it needs.
    """

    def is_wasted(state: AscotState, _seat: Seat) -> tuple[int, int] | None:
        if state.race is None or state.race.step != "assign":
            return None
        for horse in choices_to_assign(state):
            exact = load().course.rows + 1 - state.horses[horse].row
            if not state.horses[horse].is_down and state.race.die > exact:
                return horse, exact
        return None

    start = partial(new_game, 3, "ascot", **UNHURRIED, **UNLIMITED)
    luck = Whims(b"a wasted throw")
    game, seat, (horse, exact) = play_until(start, luck, AscotState, is_wasted, bot_or_any)
    return player(game, seat), str(game.id), horse, exact


@pytest.mark.slow
async def test_the_button_of_a_horse_says_what_the_throw_does(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, horse, exact = await sync_to_async(start_with_a_wasted_throw)(new_game)
    await open_game(page, server, user, game)
    told = f"wasted: it needs exactly {exact}"
    name = load().horses[horse].en
    button = page.locator("[data-command=assign]", has_text=name)
    await expect(button).to_contain_text(told)
    await expect(page.locator(f".target[aria-label*='{told}']")).to_have_count(1)


def start_with_entries(new_game: NewGame) -> tuple[User, str, int, Callable[[], int]]:
    """Play a game up to the deals before the race.

    Return a user who will pay for entries, the game, their sum, and what plays on until they are
    paid and returns the sum then.
    """
    fee, luck = load().tariff.entry_fee, Whims(b"entries")

    def entries(state: AscotState, seat: Seat) -> int | None:
        runners = min(len(horses_of(state, seat, "home")), share(state, seat))
        return runners * fee or None if state.phase == "preliminaries" else None

    start = partial(new_game, 3, "ascot", **UNHURRIED, **UNLIMITED)
    game, seat, fees = play_until(start, luck, AscotState, entries, bot_or_any)

    def pay() -> int:
        states = played(game, luck, AscotState, bot_or_any)
        state = next(state for state, _ in states if state.phase == "favourites")
        return len(horses_of(state, seat, "running")) * fee

    return player(game, seat), str(game.id), fees, pay


@pytest.mark.slow
async def test_the_entries_are_told_before_and_after(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, fees, pay = await sync_to_async(start_with_entries)(new_game)
    await open_game(page, server, user, game)
    panel = page.locator(".turn-panel")
    await expect(panel).to_contain_text(f"10,000 F a horse for the Bank, {fees:,} F for your")
    paid = await sync_to_async(pay)()
    await expect(panel).to_contain_text(f"You have paid {paid:,} F to the Bank")


def start_with_a_sale(new_game: NewGame) -> tuple[User, str, str, Callable[[], None]]:
    """Play a game up to the sale of an office for which two others may bid.

    Return the user of the third seat, the game, the term of the office, and what bids for it.
    """

    def is_office(state: AscotState, seat: Seat) -> tuple[Seat, str, Bid] | None:
        lot, legal = state.lot, RULES["ascot"].legal(state, seat)
        bid = next((each for each in legal if isinstance(each, Bid)), None)
        if (
            bid is None
            or lot is None
            or not lot.asset.startswith("office:")
            or len(lot.open_to) < 3
        ):
            return None
        watcher = next(each for each in lot.open_to if each != seat)
        return watcher, lot.asset.removeprefix("office:"), bid

    start = partial(new_game, 3, "ascot", **UNHURRIED, **UNLIMITED)
    luck = Whims(b"a sale")
    game, seat, (watcher, office, bid) = play_until(start, luck, AscotState, is_office)
    return player(game, watcher), str(game.id), office, lambda: play(game, seat, bid)


@pytest.mark.ci
async def test_a_card_stays_explained_while_others_bid(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, office, bid = await sync_to_async(start_with_a_sale)(new_game)
    await open_game(page, server, user, game)
    terms = RULES["ascot"].book().guide
    assert terms
    text = terms.terms["commissioner" if office == "club" else office].text.en
    card = page.locator(".lot .lease")
    await card.hover()
    told = page.get_by_role("tooltip")
    await expect(told).to_contain_text(text.replace("'", "’"))
    await sync_to_async(bid)()
    await expect(page.locator(".lot .bid")).to_contain_text("Highest bid")
    await expect(told).to_contain_text(text.replace("'", "’"))


def start_with_a_spent_square(new_game: NewGame) -> tuple[User, str, int]:
    """Play games up to a race in which a user may run to a sign after obeying one in this turn.

    Return the user, the game, and the number of such squares.
    """
    printed = load()

    def spent_squares(state: AscotState, _seat: Seat) -> tuple[Seat, int] | None:
        race = state.race
        if race is None or race.step != "move":
            return None
        if race.has_used_colour or not race.has_used_inscription:
            return None
        signs = (printed.inscription_at(*way[-1]) for way in race.ways.values())
        spent = sum(sign is not None and sign.effect != "bend" for sign in signs)
        return (race.seat, spent) if spent else None

    start = partial(new_game, 3, "ascot", **UNHURRIED, **UNLIMITED)
    luck = Whims(b"a second sign")
    game, _, (seat, spent) = play_until(start, luck, AscotState, spent_squares)
    return player(game, seat), str(game.id), spent


@pytest.mark.slow
async def test_a_square_that_no_longer_counts_is_marked(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, spent = await sync_to_async(start_with_a_spent_square)(new_game)
    await open_game(page, server, user, game)
    marked = page.locator(".target:has(.spent-line)")
    await expect(marked).to_have_count(spent)
    told = page.get_by_role("button", name="already used this turn")
    await expect(marked.and_(told)).to_have_count(spent)


def start_before_entries(new_game: NewGame) -> tuple[User, str, Callable[[], object]]:
    """Play games up to one in which a user must choose the horses that run.

    Return the user, the game, and what ends the trading of another user.
    """
    luck = Whims(b"moves")
    while True:
        game = new_game(3, "ascot", **UNHURRIED, bid_s=0, sale_s=0, training_s=0, trade_s=0)
        states = played(game, luck, AscotState)
        state = next(state for state, _seat in states if state.phase == "preliminaries")
        for seat in map(Seat, range(3)):
            if len(horses_of(state, seat, "home")) > share(state, seat) > 0:
                end_trading = partial(play, game, (seat + 1) % 3, Ready())
                return player(game, seat), str(game.id), end_trading


@pytest.mark.slow
async def test_what_others_do_changes_no_horse_that_is_marked_to_run(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, end_trading = await sync_to_async(start_before_entries)(new_game)
    await open_game(page, server, user, game)
    await expect(page.locator(".standing .crown")).to_have_count(0)  # money does not lead
    horses = page.locator(".runner-choice")
    left_out = page.locator(".runner-choice[aria-pressed=false]")
    name = await left_out.first.locator(".horse-name > span").inner_text()
    await left_out.first.click()
    marked = horses.filter(has_text=name)
    await expect(marked).to_have_attribute("aria-pressed", "true")
    await sync_to_async(end_trading)()
    await page.locator(".calls").get_by_text("is done trading").wait_for()
    await page.locator(".actions:not([aria-busy]) [data-command=ready]").wait_for()
    await expect(marked).to_have_attribute("aria-pressed", "true")


def start_auction(new_game: NewGame) -> tuple[User, str, Callable[[], None]]:
    """Play a game up to a sale in which the user of a seat may bid.

    Return the user, the game, and what lets this user win the sale.
    """
    game = new_game(3, "ascot", **UNHURRIED, bid_s=0)
    lot, seat, bid = next(
        (state.lot, seat, bid)
        for state, seat in played(game, Whims(b"moves"), AscotState)
        for bid in RULES["ascot"].legal(state, seat)
        if state.lot and isinstance(bid, Bid)
    )

    def win() -> None:
        play(game, seat, bid)
        for rival in [each for each in lot.open_to if each != seat]:
            play(game, rival, Pass(lot.asset))

    return player(game, seat), str(game.id), win


@pytest.mark.slow
async def test_a_first_screen_shows_the_card_on_sale_and_the_bids(
    page: Page, server: str, new_game: NewGame
) -> None:
    user, game, _ = await sync_to_async(start_auction)(new_game)
    await page.set_viewport_size({"width": 390, "height": 844})
    await open_game(page, server, user, game)
    await page.get_by_role("button", name="Skip").click()
    await page.locator(".sum-chip").last.wait_for()
    for width, height in ((390, 844), (1440, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        parts = page.locator(".lot, .sum-chip, .knock, [data-command=pass]")
        for box in [await part.bounding_box() for part in await parts.all()]:
            assert box and box["y"] >= 0 and box["y"] + box["height"] <= height, (width, box)


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1360])
async def test_what_happens_to_the_user_is_told_large(
    page: Page, server: str, new_game: NewGame, width: int
) -> None:
    user, game, win = await sync_to_async(start_auction)(new_game)
    await page.set_viewport_size({"width": width, "height": 850})
    await open_game(page, server, user, game)
    await page.locator("[data-command=pass]").wait_for()
    async with large_news(page, "^Sold: .* goes to you for "):
        await sync_to_async(win)()


WATCH_PLACES = """window.places = {};
const placeOf = (one, ...edges) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const all = { left, top: top + scrollY, width, height };
    return edges.map((edge) => Math.round(all[edge] * 10) / 10).join();
};
const note = (key, place) => {
    const all = (window.places[`${innerWidth} ${key}`] ??= {});
    all[place] ??= document.querySelector(".you-doing").textContent;
};
window.look = () => new Promise((done) => requestAnimationFrame(() => {
    const phase = document.querySelector(".drawn:not([hidden]) > .ascot")?.dataset.phase;
    if (!phase || document.querySelector(".first-cards, .moment")) return done();
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
    const boards = [...document.querySelectorAll(".felt-table, .loop, .field")].filter(isSeen);
    for (const one of boards)
        note(`${phase} ${one.className}`, placeOf(one, "left", "top", "width", "height"));
    const lot = document.querySelector(".lot");
    if (lot && isSeen(lot)) note(`${phase} lot`, placeOf(lot, "left", "top", "width", "height"));
    const board = boards.map((one) => one.className).join();
    const presses = [...document.querySelectorAll(".turn-panel .actions button")].filter(isSeen);
    if (presses.length) note(`${phase} ${board} presses`, placeOf(presses[0], "top"));
    const fixed = "bid pass place_bet no_bet".split(" ");
    for (const one of presses.filter(({ dataset }) => fixed.includes(dataset.command)))
        if (document.querySelector(".turn-panel .sums"))
            note(`${phase} ${one.dataset.command}`, placeOf(one, "left", "top"));
    for (const [nth, one] of [...document.querySelectorAll(".turn-panel .sum-chip")].entries())
        note(`${phase} sum ${nth}`, placeOf(one, "left", "top"));
    done();
}));
new MutationObserver(window.look).observe(document, { childList: true, subtree: true });"""
"""Record all places that the boards and the presses have in each phase, with what was asked."""

SCREENS: Final[tuple[ViewportSize, ...]] = (
    {"width": 390, "height": 844},
    {"width": 1360, "height": 850},
    {"width": 1440, "height": 900},
)


@pytest.mark.slow
async def test_nothing_moves_between_the_questions_of_a_phase(page: Page, server: str) -> None:
    sizes = cycle(SCREENS)
    await page.add_init_script(WATCH_PLACES)
    await page.set_viewport_size(next(sizes))
    await start_table(page, server, UNHURRIED | UNLIMITED, slug="ascot", bots=3)
    await page.get_by_role("button", name="Skip").click()

    async def turn_to_next_size() -> None:
        await page.set_viewport_size(next(sizes))
        await page.evaluate("look()")

    await play_to_the_end(page, PRESSES_OF_ASCOT, turn_to_next_size)
    places: dict[str, dict[str, str]] = await page.evaluate("window.places")
    assert {f"{size['width']} auction sum 7" for size in SCREENS} <= places.keys()
    moved = [f"{key}: {found}" for key, found in places.items() if len(found) > 1]
    assert moved == [], "\n".join(moved)


@pytest.mark.slow
async def test_a_whole_game_is_played_by_clicks(page: Page, server: str) -> None:
    await play_now(page, server, "Ascot")
    photographed: set[str] = set()

    async def look() -> None:
        assert await page.evaluate(BESIDE_THE_BOARD) == []
        phase = await page.locator(".ascot").get_attribute("data-phase")
        if phase in PHASES and phase not in photographed:
            photographed.add(phase)
            await photograph(page, f"ascot-{phase}")
            await check(page)
            await check_symbols(page, "ascot")
            assert await page.evaluate(COVERED_NAMES) == []
            facts = await page.locator(".facts").inner_text()
            assert ("Tickets on " in facts) is (phase == "betting")

    await play_to_the_end(page, PRESSES_OF_ASCOT, look)
    await photograph(page, "ascot-finished")
    await check_the_end(page, has_bets=True)
    await replay_in_french(page, ".results")
    await photograph(page, "ascot-french")
    version = await first_training(page, server)
    await page.get_by_role("slider").fill(str(version))
    await page.locator(".ascot[data-phase=training]").wait_for()
    await photograph(page, "ascot-training")
    await check(page)


async def first_training(page: Page, server: str) -> int:
    """Return the version of the first throw in training of the game that this page replays."""
    game = page.url.split("/games/")[1].split("/")[0]
    headers, version = await authorization(page), 0
    while True:
        answer = await page.request.get(
            f"{server}/api/v1/games/{game}/commits/?after={version}", headers=headers
        )
        commits = (await answer.json())["commits"]
        assert commits, "nobody trained"
        for commit in commits:
            version = commit["version"]
            if any(event["type"] == "training_thrown" for event in commit["events"]):
                return int(version)
