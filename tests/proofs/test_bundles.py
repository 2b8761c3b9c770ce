"""Bundles and receipts of real games verify, and changes in the tables are found."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import psycopg
import pytest
from django.core.management import CommandError, call_command

from accounts import ledger
from games import lobbies
from games.log import tiles
from games.log.sealing import Sealer
from games.models import Game, Head
from games.operators import actions
from games.play import corrections
from games.proofs import bundles
from games.store import seeds
from games.store.commits import DamagedError
from kit import event_loop
from kit.problems import Problem
from railbird_engine.audit import bundle
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.verify import Verified
from tests.builders import NewGame, NewUser, start_game
from tests.moves import take_in_turn
from tests.proofs.scene import bundled, python, read, typescript, verified

SPOTS = 12


def take(game: Game, spots: range) -> None:
    for spot in spots:
        take_in_turn(game, spot)


@pytest.mark.parametrize("is_voided", [False, True])
def test_both_verifiers_say_what_was_voided_and_what_each_seat_is_owed(
    own_log: Path, tmp_path: Path, new_user: NewUser, is_voided: bool
) -> None:
    host, *others = people = [new_user() for _ in range(3)]
    options = {"boards": 1, "spots": 8 if is_voided else 7}
    choices = lobbies.LobbyChoices(
        slug="free_spots", options=options, buy_in=101, prizes=(60, 30, 10)
    )
    lobby = lobbies.create(host, choices)
    for other in others:
        lobbies.join(other, lobby.id)
        lobbies.set_ready(other, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    for spot in range(7):
        take_in_turn(game, spot, 3)
    voided = ""
    if is_voided:
        assert event_loop.call(corrections.void_bet(game.id, 2, "two chips were mixed up", host.id))
        assert event_loop.call(corrections.void(game.id, "the power went out"))
        voided = (
            f"; bet 2 of game {game.id} voided at version 9 (two chips were mixed up)"
            f"; game {game.id} voided at version 10 (the power went out)"
        )
    lobbies.settle_ended(most=10_000)
    Sealer().seal()
    wallets = [ledger.wallet_of(each).balance for each in people]
    paid = [wallet - 1000 + 101 for wallet in wallets]
    assert sum(paid) == 303
    owed = ", ".join(f"seat {seat} {coins}" for seat, coins in enumerate(paid))
    (tmp_path / "game.bundle").write_bytes(bundled(game))
    for code, printed in (python(tmp_path, ["game.bundle"]), typescript(tmp_path, ["game.bundle"])):
        expected = f"{voided}; owed in game {game.id}: {owed}"
        assert (code, expected in printed) == (0, True), printed


@pytest.fixture
def ended(own_log: Path, new_game: NewGame) -> Game:
    game = new_game(2, boards=1, spots=SPOTS)
    take(game, range(SPOTS))
    Sealer().seal()
    return game


def test_bundles_of_ended_games_verify(ended: Game, new_game: NewGame) -> None:
    kept = tiles.newest()
    assert kept is not None
    voided = new_game(2)
    take(voided, range(5))
    assert event_loop.call(corrections.void(voided.id, "nobody came back"))
    Sealer().seal()
    found = verified(bundled(ended, voided, since=kept.checkpoint.size), since=kept.note)
    assert (found.games, found.commits, found.bets, found.transfers) == (
        2,
        SPOTS + 1 + 7,
        SPOTS + 5,
        2 + SPOTS + SPOTS + 2 + 5,
    )


def test_a_running_game_keeps_its_secrets(own_log: Path, new_game: NewGame) -> None:
    game = new_game(2)
    take(game, range(3))
    with pytest.raises(Problem, match="game_not_ended"):
        bundled(game)
    Sealer().seal()
    with pytest.raises(Problem, match="game_not_ended"):
        bundled(game)
    receipt = bundles.receipt(read(game), 2)
    assert receipt.seed is None
    assert (receipt.bodies, receipt.outcomes) == ((), ())
    seed = seeds.seed_of(game.lobby)
    written = bundle.line(receipt)
    for secret in (seed, seed.hex().encode(), msgspec.json.encode(seed).strip(b'"')):
        assert secret not in written
    found = verified(written)
    assert found.commits == 2


def test_a_game_is_not_bundled_before_its_end_is_sealed(own_log: Path, new_game: NewGame) -> None:
    game = new_game(2, boards=1, spots=SPOTS)
    Sealer().seal()
    take(game, range(SPOTS))
    with pytest.raises(Problem, match="not_sealed"):
        bundled(game)


def test_a_bundle_of_a_game_that_is_corrected_meanwhile_ends_early(
    ended: Game, new_user: NewUser
) -> None:
    parts = bundles.bundled([read(ended)])
    next(parts)
    actions.void_bet(new_user(), ended.id, 10, "taken after the bell")
    with pytest.raises(Problem, match="busy"):
        list(parts)
    Sealer().seal()
    assert verified(bundled(ended)).games == 1


def test_the_receipt_of_a_settled_bet_shows_all_that_decided_it(ended: Game) -> None:
    receipt = bundles.receipt(read(ended), 10)
    assert (receipt.version, receipt.outcomes, receipt.how) == (
        11,
        (bundle.Outcome(SPOTS + 1, "won", 1),),
        "finished",
    )
    found = verified(bundle.line(receipt))
    assert found.commits == len(receipt.bodies) == SPOTS - 9
    assert found.receipt == receipt
    assert received(found) == (0, 0, None)


def received(found: Verified) -> tuple[int, int | None, str | None]:
    """The draws of a receipt, those that decided the bet, and the reason why it was voided."""
    assert found.followed is not None
    return found.followed.draws, found.followed.decided, found.followed.reason


def test_a_receipt_shows_a_correction_and_then_the_voided_game(
    ended: Game, new_user: NewUser
) -> None:
    actions.void_bet(new_user(), ended.id, 10, "taken after the bell")
    with pytest.raises(Problem, match="not_sealed"):
        bundles.receipt(read(ended), 10)
    Sealer().seal()
    receipt = bundles.receipt(read(ended), 10)
    assert receipt.outcomes == (
        bundle.Outcome(SPOTS + 1, "won", 1),
        bundle.Outcome(SPOTS + 2, "void", ended.corrections.get().payout),
    )
    assert received(verified(bundle.line(receipt))) == (0, 0, "taken after the bell")
    actions.void_game(new_user(), ended.id, "two tables were mixed up")
    Sealer().seal()
    receipt = bundles.receipt(read(ended), 9)
    assert (receipt.how, receipt.outcomes) == ("voided", (bundle.Outcome(SPOTS + 1, "won", 1),))
    assert verified(bundle.line(receipt)).commits == SPOTS - 6


def test_a_bet_voided_while_open_has_one_result(
    own_log: Path, new_game: NewGame, new_user: NewUser
) -> None:
    game = new_game(2, boards=1, spots=SPOTS)
    take(game, range(3))
    actions.void_bet(new_user(), game.id, 2, "taken after the bell")
    take(game, range(3, SPOTS))
    take(game, range(1, 2))
    Sealer().seal()
    receipt = bundles.receipt(read(game), 2)
    assert receipt.outcomes == (bundle.Outcome(5, "void", 1),)
    assert received(verified(bundle.line(receipt))) == (0, 0, "taken after the bell")


def test_a_receipt_that_would_be_too_long_is_rejected(
    ended: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    (last,) = bundles.receipt(read(ended), SPOTS).bodies
    monkeypatch.setattr(bundles, "RECEIPT_MAX", len(last))
    assert bundles.receipt(read(ended), SPOTS).bodies == (last,)
    with pytest.raises(Problem, match="receipt_too_long"):
        bundles.receipt(read(ended), 1)


CHANGES = [
    ("UPDATE games_bet SET stake = 9 WHERE game_id = %(game)s AND number = 7", "rows of bets"),
    (
        "UPDATE games_settlement SET payout = 9 WHERE game_id = %(game)s AND number = 7",
        "rows of settlements",
    ),
    (
        "DELETE FROM games_settlement WHERE game_id = %(game)s AND number = 7",
        "rows of settlements",
    ),
    (
        "UPDATE accounts_transfer SET amount = 9 WHERE cause = %(game)s AND number = 7",
        "rows of transfers",
    ),
    (
        "UPDATE accounts_account SET credits = credits + 5 WHERE book = %(game)s "
        "AND key = 'seat:0'",
        "purses",
    ),
    (
        "INSERT INTO accounts_transfer (cause, number, position, debit_id, "
        "credit_id, amount, reason) SELECT cause, 70, 0, "
        "debit_id, credit_id, 5, 'gift' FROM accounts_transfer WHERE cause = "
        "%(game)s AND number = 7",
        "rows of transfers",
    ),
]
"""Changes by an administrator of the database, and the field that then differs."""


def test_changes_by_a_database_administrator_are_found(ended: Game) -> None:
    assert verified(bundled(ended))
    for statement, field in CHANGES:
        with changed(ended, statement), pytest.raises(DivergenceError) as found:
            verified(bundled(ended))
        assert found.value.game == ended.id
        assert found.value.field.startswith(field), statement
        assert verified(bundled(ended))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_commit SET hash = sha256('x') WHERE game_id = %(game)s AND version = 7",
        "UPDATE games_commit SET body = body || 'x' WHERE game_id = %(game)s AND version = 7",
        "DELETE FROM games_commit WHERE game_id = %(game)s AND version = 7",
    ],
)
def test_files_with_damaged_commits_are_refused(ended: Game, statement: str) -> None:
    files: list[Callable[[], object]] = [
        lambda: bundled(ended),
        lambda: bundles.receipt(read(ended), 1),
    ]
    for make in files:
        with changed(ended, statement), pytest.raises(DamagedError) as found:
            make()
        assert found.value.version == 7
        noted = Head.objects.filter(game=ended, damaged=7)
        assert noted.update(damaged=None, stalled="") == 1
    assert verified(bundled(ended))


@contextmanager
def changed(game: Game, statement: str) -> Iterator[None]:
    """A change by the owner of the tables.

    It is reverted in the end, because other tests check all money.
    """
    rows = {
        "games_bet": "game_id",
        "games_settlement": "game_id",
        "games_commit": "game_id",
        "accounts_transfer": "cause",
    }
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        for table, column in rows.items():
            owner.execute(
                f"CREATE TEMPORARY TABLE kept_{table} AS SELECT * FROM {table} WHERE "
                f"{column} = '{game.id}'"
            )
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows")
        purses = owner.execute(
            "SELECT id, credits FROM accounts_account WHERE book = %s", [game.id]
        ).fetchall()
        try:
            owner.execute(statement, {"game": game.id})
            yield
        finally:
            for table, column in rows.items():
                owner.execute(f"DELETE FROM {table} WHERE {column} = '{game.id}'")
                owner.execute(f"INSERT INTO {table} SELECT * FROM kept_{table}")
                owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_rows")
            for number, credits_ in purses:
                owner.execute(
                    "UPDATE accounts_account SET credits = %s WHERE id = %s", [credits_, number]
                )


def test_the_command_writes_a_file_that_verifies(ended: Game, tmp_path: Path) -> None:
    call_command("bundle", str(ended.id), output=tmp_path / "game.bundle")
    assert verified((tmp_path / "game.bundle").read_bytes()).games == 1


def test_the_command_refuses_more_games_than_a_bundle_may_have(
    ended: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "GAMES_MAX", 0)
    with pytest.raises(CommandError, match="1 games exceed the limit of a bundle, 0: give ids"):
        call_command("bundle", str(ended.id))
