"""Corrections: additional commits and transfers with a reason; log, ledger and replay agree."""

from typing import Any

import pytest

from accounts import ledger
from accounts.models import Account, Transfer, User
from games import lobbies
from games.models import Commit, Game, Head, OperatorAction
from games.operators import actions
from games.play import service
from games.proofs.verification import ledger_findings, verify_game
from kit import event_loop
from kit.problems import Problem
from railbird_engine import BetVoided, Intervened, seat_purse
from tests.builders import NewGame, NewUser, start_game
from tests.moves import take_in_turn

SPOTS = 12


def finish(game: Game) -> None:
    for spot in range(SPOTS):
        take_in_turn(game, spot)
    assert Head.objects.get(game=game).ended == "finished"


def purse(game: Game, seat: int) -> int:
    return Account.objects.get(book=game.id, key=seat_purse(seat)).balance


def balance(user: User) -> int:
    return ledger.wallet_of(user).balance


def last_events(game: Game) -> tuple[Any, ...]:
    head = Head.objects.get(game=game)
    (record,) = event_loop.call(service.commits(game.id, head.version - 1, 5))
    assert record.events is not None
    return record.events


def sound(game: Game) -> bool:
    return verify_game(game.id).findings == [] and list(ledger_findings()) == []


def test_an_open_bet_is_voided_and_refunded_and_the_game_continues(
    new_game: NewGame, new_user: NewUser
) -> None:
    game, operator = new_game(boards=1, spots=SPOTS), new_user()
    before = purse(game, 1)
    take_in_turn(game, 7)
    actions.void_bet(operator, game.id, 1, "the die was cocked")
    assert purse(game, 1) == before
    assert last_events(game) == (
        Intervened(by=operator.id, reason="the die was cocked"),
        BetVoided(bet=1, payout=1, reason="the die was cocked"),
    )
    assert game.settlements.get().outcome == "void"
    assert not game.corrections.exists()
    finish(game)
    assert game.settlements.filter(number=1).get().outcome == "void", "it is not settled again"
    assert sound(game)


def test_a_settled_bet_of_a_finished_game_is_corrected(
    new_game: NewGame, new_user: NewUser
) -> None:
    game, operator = new_game(boards=1, spots=SPOTS), new_user()
    finish(game)
    ended_at = Head.objects.get(game=game).ended_at
    lobbies.settle_ended(most=10_000)
    actions.void_bet(operator, game.id, 3, "taken after the bell")
    head = Head.objects.get(game=game)
    assert (head.version, head.ended, head.ended_at, head.sealed) == (
        SPOTS + 2,
        "finished",
        ended_at,
        False,
    )
    assert (game.settlements.get(number=3).outcome, game.corrections.get().version) == (
        "won",
        SPOTS + 2,
    )
    assert sound(game)
    with pytest.raises(Problem, match="bet_void_already"):
        actions.void_bet(operator, game.id, 3, "taken after the bell")
    with pytest.raises(Problem, match="not_found"):
        actions.void_bet(operator, game.id, 99, "there is no such bet")
    assert [action.action for action in OperatorAction.objects.filter(operator=operator)] == [
        "void_bet"
    ] * 3


def finished_for_money(new_user: NewUser) -> tuple[Game, list[User]]:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(
        host,
        lobbies.LobbyChoices(slug="free_spots", options={"boards": 1, "spots": SPOTS}, buy_in=100),
    )
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    finish(game)
    lobbies.settle_ended(most=10_000)
    return game, [host, guest]


def test_a_paid_out_game_is_voided_and_every_coin_is_refunded(new_user: NewUser) -> None:
    game, (host, guest) = finished_for_money(new_user)
    actions.void_game(host, game.id, "two tables were mixed up")
    lobbies.settle_ended(most=10_000)
    assert [balance(host), balance(guest)] == [1000, 1000]
    assert Head.objects.get(game=game).ended == "voided"
    assert sound(game)
    with pytest.raises(Problem, match="game_voided"):
        actions.void_game(host, game.id, "once more")
    with pytest.raises(Problem, match="game_voided"):
        actions.annotate(host, game.id, "once more")


def test_a_correction_after_the_payout_pays_the_difference_once(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, people = finished_for_money(new_user)
    assert [balance(person) for person in people] == [1000, 1000], "they tied"
    house = ledger.house().balance
    monkeypatch.setattr("railbird_engine.kernel.payouts.share", lambda *_: {0: 150, 1: 50})
    actions.annotate(people[0], game.id, "the ranking was read wrongly")
    for _ in range(2):
        lobbies.settle_ended(most=10_000)
    assert [balance(person) for person in people] == [1050, 950]
    assert ledger.house().balance == house
    rows = Transfer.objects.filter(cause=game.id, number__lt=0).values_list(
        "number", "amount", "reason"
    )
    assert sorted(rows) == [(-(SPOTS + 2), 50, "correction")] * 2
    assert sound(game)


def test_hashed_bytes_contain_no_user(new_game: NewGame, new_user: NewUser) -> None:
    game, operator = new_game(), new_user()
    User.objects.filter(id=operator.id).update(
        username="operator-lisa", display_name="Lisa Example"
    )
    game.lobby.title = "Lisa Example's table"
    game.lobby.save()
    actions.annotate(operator, game.id, "a spectator shouted")
    people = list(User.objects.filter(seats__lobby=game.lobby))
    stored = bytes(game.genesis) + b"".join(bytes(c.body) for c in Commit.objects.filter(game=game))
    for word in [
        "Lisa",
        "operator-lisa",
        *(p.username for p in people),
        *(p.display_name for p in people),
    ]:
        assert word.encode() not in stored
    # So erasing a user changes no proof.
    for person in [operator, *people]:
        User.objects.filter(id=person.id).update(
            username=str(person.id), display_name="", is_active=False
        )
    assert sound(game)
