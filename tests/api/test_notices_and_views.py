"""A notice tells nothing that its reader's view does not: in all games, of all kinds."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
import pytest
from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from games import lobbies
from games.models import Game, Reminder
from games.operators import actions
from games.play import absence, corrections, service
from games.reads.players import people_in
from kit import event_loop
from notices import inbox, webhooks
from notices.kinds import KINDS
from notices.models import Webhook
from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims, ask_bot
from tests.api.rest import Caller
from tests.api.told import follow as follow_all
from tests.api.told import from_now_on, slow_game
from tests.builders import NewUser, start_game
from tests.moves import take_in_turn
from tests.notices.scene import webhook_of
from tests.rules.golden import RULES

__all__ = ["from_now_on"]
pytestmark = pytest.mark.xdist_group("following")

SPOTS = 4


class Reader:
    """A user whose new notices are compared with what the API shows them at that moment."""

    def __init__(self, user: User) -> None:
        self.user, self.caller = user, Caller(user)
        self.known: list[str] = []

    def get(self, path: str) -> Any:
        return self.caller.get(path).data

    def check(self) -> None:
        """Compare each fact with the views. A field that no view has is a difference."""
        page = self.get(f"/notices/?after={len(self.known)}")
        for notice in page["notices"]:
            fields = {name: notice[name] for name in notice if notice[name] is not None}
            number, kind, _ = (fields.pop(name) for name in ("number", "kind", "at"))
            self.known.append(kind)
            assert number == len(self.known)
            shown = SHOWN[kind](self, notice)
            if "lobby" in shown:
                shown["slug"] = self.lobby(notice)["slug"]
            assert fields == shown, kind

    def lobby(self, notice: Any) -> Any:
        return self.get(f"/lobbies/{notice['lobby']}/")

    def game(self, notice: Any) -> dict[str, Any]:
        """The fields of a game, under the names of a notice."""
        game = self.get(f"/games/{notice['game']}/")
        return {**game, "game": game["id"], "seat": game["your_seat"]}


def full_table(reader: Reader, notice: Any) -> dict[str, Any]:
    lobby = reader.lobby(notice)
    assert len(lobby["seats"]) == lobby["capacity"]
    return {"lobby": lobby["id"]}


def start(reader: Reader, notice: Any) -> dict[str, Any]:
    lobby = reader.lobby(notice)
    return {"lobby": lobby["id"], "game": lobby["game"], "seat": lobby["your_seat"]}


def turn(reader: Reader, notice: Any) -> dict[str, Any]:
    game = reader.game(notice)
    assert game["awaits_you"]
    assert reader.get(f"/games/{game['id']}/legal/")["commands"]
    return {name: game[name] for name in ("lobby", "game", "due_at")}


def end(reader: Reader, notice: Any) -> dict[str, Any]:
    game = reader.game(notice)
    found = {name: game[name] for name in ("lobby", "game", "seat", "ended")}
    before = 1
    for group in game["result"]["ranking"] if game["ended"] == "finished" else ():
        if game["seat"] in group:
            found["rank"] = before
        before += len(group)
    if reader.lobby(notice)["buy_in"]:
        found["payout"] = sum(
            each["amount"] if each["credit"]["book"] == str(reader.user.id) else -each["amount"]
            for each in reader.get("/transfers/")["items"]
            if each["cause"] == game["id"]
        )
    return found


def correction(reader: Reader, notice: Any) -> dict[str, Any]:
    found = {each["number"]: each for each in reader.get("/bets/")["items"]}
    bet, game = found[notice["bet"]], reader.game(notice)
    assert (bet["game"], bet["outcome"]) == (game["id"], "void")
    shown = {name: game[name] for name in ("lobby", "game")}
    return {**shown, "bet": bet["number"], "payout": bet["payout"]}


def replacement(reader: Reader, notice: Any) -> dict[str, Any]:
    game = reader.game(notice)
    lobby = UUID(game["lobby"])
    by_bots = [each.seat for each in people_in({lobby: 0})[lobby].players if each.bot_plays]
    assert game["seat"] in by_bots
    return {name: game[name] for name in ("lobby", "game", "seat")}


def reservation(reader: Reader, notice: Any) -> dict[str, Any]:
    lobby = reader.lobby(notice)
    (seat,) = (each["number"] for each in lobby["held"] if each["user"] == str(reader.user.id))
    return {"lobby": lobby["id"], "seat": seat}


def disabled_webhook(reader: Reader, notice: Any) -> dict[str, Any]:
    (found,) = reader.get("/notices/webhooks/")
    assert found["disabled"] == "gone"
    return {"webhook": found["id"]}


SHOWN: Final[Mapping[str, Callable[[Reader, Any], dict[str, Any]]]] = {
    "your_turn": turn,
    "deadline_near": turn,
    "table_full": full_table,
    "game_starts": start,
    "game_over": end,
    "bet_corrected": correction,
    "seat_replaced": replacement,
    "seat_reserved": reservation,
    "webhook_disabled": disabled_webhook,
}
"""The fields of a notice of each kind, as the views of its reader have them."""

ALWAYS: Final = {"game_starts", "seat_replaced", "game_over", "seat_reserved"}
TURNS: Final = {"your_turn", "deadline_near"}
OF_BETS: Final = {"table_full", "bet_corrected", "game_over", "webhook_disabled"}


def follow(readers: list[Reader]) -> set[str]:
    """Follow, compare what is new, and return the kinds that the readers know."""
    follow_all()
    for reader in readers:
        reader.check()
    return {kind for reader in readers for kind in reader.known}


def leave_end_and_come_back(game: Game, readers: list[Reader]) -> None:
    """A bot plays for the last player, the game is voided, and the host opens a rematch."""
    event_loop.call(absence.resign(game.id, Seat(len(readers) - 1)))
    follow(readers)
    event_loop.call(corrections.void(game.id, "test"))
    lobbies.settle_ended(most=10_000)
    follow(readers)
    lobbies.rematch(readers[0].user, game.lobby_id)


def test_every_kind_has_a_view_and_is_told_in_a_test() -> None:
    assert SHOWN.keys() == set(KINDS)
    assert set(KINDS) == ALWAYS | TURNS | OF_BETS


@pytest.mark.parametrize("slug", [slug for slug, rules in RULES.items() if rules.limits])
@pytest.mark.ci
def test_slow_games_tell_what_their_views_show(new_user: NewUser, slug: str) -> None:
    game, users = slow_game(new_user, slug, buy_in=50)
    readers, chance = [Reader(user) for user in users], Whims(uuid4().bytes)
    for _ in range(3):
        follow(readers)
        Reminder.objects.filter(game=game).update(at=Now())
        follow(readers)
        loaded = event_loop.call(service.at_head(game.id))
        assert loaded.state is not None
        (seat, *_) = sorted(loaded.rules.awaited(loaded.state))
        command = ask_bot(loaded.rules, loaded.state, seat, chance)
        event_loop.call(service.play(game.id, seat, msgspec.json.encode(command), uuid4()))
    leave_end_and_come_back(game, readers)
    assert follow(readers) == ALWAYS | TURNS


@pytest.mark.parametrize("slug", [slug for slug, rules in RULES.items() if not rules.limits])
def test_live_games_tell_what_their_views_show(new_user: NewUser, slug: str) -> None:
    users = [new_user() for _ in range(RULES[slug].seats[0])]
    choices = lobbies.LobbyChoices(slug=slug, capacity=len(users), buy_in=50)
    lobby = lobbies.create(users[0], choices)
    for user in users[1:]:
        lobbies.join(user, lobby.id)
        lobbies.set_ready(user, lobby.id, ready=True)
    game, readers = start_game(users[0], lobby.id), [Reader(user) for user in users]
    follow(readers)
    leave_end_and_come_back(game, readers)
    assert follow(readers) == ALWAYS


def test_corrected_bets_ranks_and_webhooks_are_told_as_their_views_show(new_user: NewUser) -> None:
    readers = [Reader(new_user()) for _ in range(2)]
    options = {"boards": 1, "spots": SPOTS}
    lobby = lobbies.create(
        readers[0].user,
        lobbies.LobbyChoices(slug="free_spots", options=options, capacity=2, buy_in=50),
    )
    lobbies.join(readers[1].user, lobby.id)
    lobbies.set_ready(readers[1].user, lobby.id, ready=True)
    follow(readers)
    game = start_game(readers[0].user, lobby.id)
    for spot in range(SPOTS):
        take_in_turn(game, spot)
    lobbies.settle_ended(most=10_000)
    follow(readers)
    for bet in range(1, SPOTS + 1):
        actions.void_bet(new_user(), game.id, bet, "taken after the bell")
        follow(readers)
    hook = webhook_of(readers[0].user, "https://example.org/")
    with transaction.atomic():
        inbox.tell([webhooks.disable(hook, Webhook.Disabled.GONE)])
    assert follow(readers) == OF_BETS | {"game_starts"}
