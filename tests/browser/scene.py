"""Start tables from the pages, and what all tests of pages look at."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from asgiref.sync import sync_to_async
from playwright.async_api import BrowserContext, Locator, Page, Request, expect

from accounts import tokens
from accounts.models import User
from games.models import Game, Head
from games.play import service
from kit import event_loop
from railbird_engine import AnyRules, Seat
from railbird_engine.kernel.contract import Step
from railbird_engine.kernel.playout import Whims
from railbird_engine.rules.carcassonne.commands import CarcassonneCommand, PlaceTile
from railbird_engine.rules.carcassonne.events import FeatureScored
from railbird_engine.rules.carcassonne.state import CarcassonneState
from tests.api.graphql.scene import player
from tests.builders import NewGame
from tests.moves import play, take_in_turn
from tests.rules.golden import RULES
from tests.waiting import until

RACE_OPTIONS = {"roll_ms": 250, "pause_ms": 1500, "think_ms": 2000, "races": 1}
A_RACE_MS = 120_000
SPOTS = ("win:7:r", "show:6:r", "show:8:r", "place:7:r")


def other_origins(context: BrowserContext, server: str) -> list[str]:
    """Record the requests of the pages of this context to other servers."""
    found: list[str] = []

    def note(request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(server).netloc:
            found.append(request.url)

    context.on("request", note)
    return found


async def open_start_page(page: Page, server: str) -> None:
    """Open the start page and wait for its lists. Leaving earlier would abort their requests."""
    await page.goto(f"{server}/")
    await page.locator("ul.tables").first.wait_for(state="attached")
    await expect(page.locator("ul.tables:empty, ul.links:empty")).to_have_count(0)


async def enter_as(page: Page, server: str, user: User) -> None:
    """Let the next pages of this browser be those of a user."""
    token = (await sync_to_async(tokens.begin_session)(user)).text
    await page.goto(f"{server}/verify/")
    await page.evaluate("token => localStorage.setItem('railbird.token', token)", token)


async def open_game(page: Page, server: str, user: User, game: UUID | str) -> None:
    """Open the page of a game as a user."""
    await enter_as(page, server, user)
    await page.goto(f"{server}/games/{game}/")


async def press_card(page: Page, server: str, title: str, name: str) -> None:
    """Open the start page, and press what has this name on the card of a game."""
    await open_start_page(page, server)
    card = page.get_by_role("article", name=title)
    await card.get_by_text(name, exact=True).click()


async def authorization(page: Page) -> dict[str, str]:
    """Return the authorization header of the guest of this page."""
    path = "document.documentElement.dataset.path"
    token = await page.evaluate(f"localStorage.getItem('railbird.token' + {path})")
    return {"Authorization": f"Bearer {token}"}


async def start_table(
    page: Page,
    server: str,
    options: dict[str, int] = RACE_OPTIONS,
    *,
    slug: str = "ready_set_bet",
    bots: int = 1,
    opponent: Page | None = None,
    spectator: Page | None = None,
) -> str:
    """Let the guest of this page start a game, which is one quick race by default; return its id.

    They play against the guest of the opponent's page, or else against bots. The page of a
    spectator is at the lobby when the game starts, and follows the players.
    """
    await open_start_page(page, server)
    await page.locator(".card").first.wait_for()
    headers = await authorization(page)

    async def post(path: str, body: object = None) -> Any:
        response = await page.request.post(
            f"{server}/api/v1/lobbies/{path}", data=body, headers=headers
        )
        return await response.json()

    lobby = await post("", {"slug": slug, "options": options})
    if spectator is not None:
        await spectator.goto(f"{server}/lobbies/{lobby['id']}/")
        await spectator.locator("ol.tables li").first.wait_for()
    if opponent is None:
        for _ in range(bots):
            await post(f"{lobby['id']}/bots/")
    else:
        await opponent.goto(f"{server}/lobbies/{lobby['id']}/")
        await opponent.get_by_role("button", name="Join").click()
        await opponent.get_by_role("button", name="I am ready").click()
        await opponent.get_by_text("Ready", exact=True).first.wait_for()
    started = await post(f"{lobby['id']}/start/")
    game = str(started["id"])
    if started["has_started"]:
        await page.goto(f"{server}/games/{game}/")
    else:  # people add entropy: the game starts from the page of the lobby
        await page.goto(f"{server}/lobbies/{lobby['id']}/")
        await page.wait_for_url("**/games/*/")
    return game


async def play_now(page: Page, server: str, title: str) -> str:
    """Start a first game against bots from the start page; return its id."""
    await press_card(page, server, title, "Play now")
    await page.get_by_role("dialog").get_by_role("button", name="Skip").click()
    await page.wait_for_url("**/games/*/")
    return page.url.rstrip("/").rpartition("/")[2]


def play_to_the_end(new_game: NewGame) -> str:
    """Play a load game of one board until the log has its end; return its id."""
    game = new_game(2, boards=1, spots=12)
    for spot in range(12):
        take_in_turn(game, spot)
    until(Head.objects.filter(game=game, sealed=True).exists, "the seal of the game")
    return str(game.id)


def start_carcassonne(new_game: NewGame) -> tuple[User, str]:
    """Start Carcassonne of users; return who moves first, and the game.

    After moves of others, one tile in 400 offers no meeple.
    """
    game = new_game(slug="carcassonne")
    seats = game.lobby.seats.select_related("user")
    (first,) = (
        seat.user
        for seat in seats
        if event_loop.call(service.legal(game.id, Seat(seat.number), 1))[1]
    )
    assert first is not None
    return first, str(game.id)


async def bet_on_one_of(page: Page, spots: Sequence[str]) -> Locator:
    """Click these spots until a bet of this page stands on one; return that spot.

    Each click waits for its bet, or for that of a bot that was quicker: each would bet a token.
    """
    for spot in spots:
        chosen = page.locator(f'[data-spot="{spot}"]')
        await chosen.click()
        await chosen.locator(".chip").first.wait_for()
        if await chosen.and_(page.locator(".mine")).count():
            return chosen
    raise AssertionError("others were quicker at each spot")


Found = TypeVar("Found")
State = TypeVar("State")


def any_legal(rules: AnyRules, state: object, seat: Seat, luck: Whims) -> Any:
    """Return a legal command of the seat."""
    return luck.pick(list(rules.legal(state, seat)))


def played(
    game: Game,
    luck: Whims,
    kind: type[State],
    choose: Callable[[AnyRules, State, Seat, Whims], Any] = any_legal,
) -> Iterator[tuple[State, Seat]]:
    """Play a game of users to its end, and yield each state with the seat that plays next.

    `choose` returns the command of this seat.
    """
    while True:
        loaded = event_loop.call(service.at_head(game.id))
        state = loaded.state
        assert isinstance(state, kind)
        if not (awaited := loaded.rules.awaited(state)):
            return
        seat = min(awaited)
        yield state, seat
        play(game, seat, choose(loaded.rules, state, seat, luck))


def play_until(
    start: Callable[[], Game],
    luck: Whims,
    kind: type[State],
    wanted: Callable[[State, Seat], Found | None],
    choose: Callable[[AnyRules, State, Seat, Whims], Any] = any_legal,
) -> tuple[Game, Seat, Found]:
    """Play games of users until a state, with the seat that plays next, is wanted.

    Return the game, that seat, and what `wanted` found. `choose` is that of `played`.
    """
    while True:
        game = start()
        for state, seat in played(game, luck, kind, choose):
            if (found := wanted(state, seat)) is not None:
                return game, seat, found


def start_before(
    new_game: NewGame,
    wanted: Callable[[CarcassonneState, Seat, CarcassonneCommand, Step[Any]], Found | None],
) -> tuple[Game, Seat, CarcassonneCommand, Found]:
    """Start Carcassonne of users, and play it until a command has an outcome that is wanted."""
    rules = RULES["carcassonne"]

    def outcome(state: CarcassonneState, seat: Seat) -> tuple[CarcassonneCommand, Found] | None:
        for command in rules.legal(state, seat):
            step = rules.apply(state, seat, command, Whims(b"a try"))
            if (found := wanted(state, seat, command, step)) is not None:
                return command, found
        return None

    start = partial(new_game, slug="carcassonne")
    game, seat, (command, found) = play_until(start, Whims(b"moves"), CarcassonneState, outcome)
    return game, seat, command, found


Score = tuple[User, str, FeatureScored, Callable[[], object]]


def start_before_a_score(new_game: NewGame) -> Score:
    """Play Carcassonne of users until a move finishes a road or a city, and its player's turn.

    Return the user who makes this move, the game, what will be finished, and what makes the move.
    """

    def scored(_: object, seat: Seat, _command: object, step: Step[Any]) -> FeatureScored | None:
        if seat in RULES["carcassonne"].awaited(step.state):
            return None  # its choices glow instead
        events = (it for it in step.events if isinstance(it, FeatureScored) and it.tiles > 1)
        return next(events, None)

    game, seat, command, event = start_before(new_game, scored)
    return player(game, seat), str(game.id), event, partial(play, game, seat, command)


def start_before_a_join(new_game: NewGame) -> tuple[User, str, PlaceTile]:
    """Play Carcassonne of users until a tile can join a feature of its player to one of another.

    Return the user, the game, and the placement of the tile.
    """

    def shared(state: CarcassonneState, seat: Seat) -> int:
        owners = [{one for one, *_ in it.meeples} for it in state.board.features.values()]
        return sum(seat in seats and len(seats) > 1 for seats in owners)

    def joins(
        state: CarcassonneState, seat: Seat, command: CarcassonneCommand, step: Step[Any]
    ) -> PlaceTile | None:
        if isinstance(command, PlaceTile) and shared(step.state, seat) > shared(state, seat):
            return command
        return None

    game, seat, _, placed = start_before(new_game, joins)
    return player(game, seat), str(game.id), placed


_KEEP_NEWS = """() => {
    [window.kept, window.outside] = [[], []];
    const isOutside = (one) => {
        const [bar, box] = [document.querySelector(".you"), one].map(
            (each) => each.getBoundingClientRect());
        const isInside = box.top >= bar.top && box.bottom <= bar.bottom && box.left >= bar.left;
        return !isInside || box.right > bar.right || one.scrollHeight > one.clientHeight;
    };
    const keep = (changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        kept.push(...added.map((one) => one.textContent));
        const wrong = added.filter((one) => one.isConnected && isOutside(one));
        outside.push(...wrong.map((one) => one.outerHTML));
    };
    new MutationObserver(keep).observe(document.querySelector(".news"), { childList: true });
}"""
"""Keep the news of a table, which go by themselves, and those that are cut or leave the bar."""


@asynccontextmanager
async def large_news(page: Page, pattern: str) -> AsyncIterator[None]:
    """Expect that the bar of a table without news tells some like this, after what the block does.

    News cover no board and no choice.
    """
    await expect(page.locator(".news p")).to_have_count(0)
    await page.evaluate(_KEEP_NEWS)
    yield
    told = "pattern => kept.some((text) => new RegExp(pattern).test(text))"
    await page.wait_for_function(told, arg=pattern)
    assert await page.evaluate("outside") == []
