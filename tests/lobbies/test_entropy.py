"""Players' own entropy: commitments, reveals, tables that wait for them, and abandoned attempts."""

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from django.db.models.functions import Now

from accounts import ledger
from accounts.models import User
from games import lobbies
from games.api.sockets.lobby_list import list_for
from games.keys import acknowledging
from games.lobbies.attempts import RECEIPT_TITLE, reveal_receipt, terms_of
from games.log.sealing import Sealer
from games.models import AbandonedAttempt, Game, Lobby, LogEntry, PendingEntry, Seat
from games.reads.filters import LobbyFilter
from games.reads.lobbies import as_changed, lobbies_for
from games.store import seeds
from kit.problems import Problem
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Verifier, opened
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.builders import NewUser
from tests.lobbies.scene import committed, current, opened_hash, ready, seat_of

TABLE = lobbies.LobbyChoices(slug="free_spots")
FULL_TABLE = lobbies.LobbyChoices(slug="free_spots", capacity=2, start_when_full=True)


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Problem) as problem:
        call()
    return problem.value.code


def pending(name: UUID) -> list[Kind]:
    rows = PendingEntry.objects.filter(name=name).order_by("id")
    return [Entry.decode(bytes(row.entry)).kind for row in rows]


def genesis_of(game: Game) -> chain.Genesis:
    return chain.decode_genesis(bytes(game.genesis))


def test_revealed_entropy_enters_the_key_of_the_game(new_user: NewUser) -> None:
    host, leaver, guest, plain = (new_user() for _ in range(4))
    lobby = lobbies.create(host, TABLE)
    for user in (leaver, guest, plain):
        lobbies.join(user, lobby.id)
    lobbies.leave(leaver, lobby.id)
    of_host, of_guest = committed(host, lobby), committed(guest, lobby)
    ready(guest, lobby, of_guest)
    ready(plain, lobby)
    game = lobbies.start(host, lobby.id, entropy=of_host)
    opening = genesis_of(game)
    assert [(reveal.seat, reveal.place) for reveal in opening.reveals] == [(0, 0), (1, 2)]
    assert [bytes.fromhex(reveal.entropy) for reveal in opening.reveals] == [of_host, of_guest]
    seed = seeds.seed_of(current(lobby))
    key = chain.game_key(seed, opened_hash(lobby), [of_host, of_guest])
    assert chain.key_of(seed, opening) == key
    assert chain.game_key(seed, opened_hash(lobby), [of_guest]) != key


def test_a_reveal_has_to_match_its_commitment(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    lobbies.join(guest, lobby.id)
    assert refused(lambda: ready(guest, lobby, bytes(32))) == "commitment_required"
    entropy = committed(guest, lobby)
    assert refused(lambda: ready(guest, lobby)) == "entropy_required"
    assert refused(lambda: ready(guest, lobby, bytes(32))) == "wrong_entropy"
    assert refused(lambda: lobbies.start(host, lobby.id)) == "not_ready"
    ready(guest, lobby, entropy)
    lobbies.set_ready(guest, lobby.id, ready=False)
    assert refused(lambda: lobbies.start(host, lobby.id)) == "not_ready"
    ready(guest, lobby)
    assert lobbies.start(host, lobby.id)


def test_a_host_who_committed_reveals_with_the_start(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, TABLE)
    entropy = committed(host, lobby)
    assert refused(lambda: lobbies.start(host, lobby.id)) == "entropy_required"
    game = lobbies.start(host, lobby.id, entropy=entropy)
    assert [reveal.entropy for reveal in genesis_of(game).reveals] == [entropy.hex()]


def test_a_commitment_is_made_to_the_current_opening(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, TABLE)
    stale = lambda: lobbies.commit(  # noqa: E731
        host, lobby.id, opened=bytes(32), commitment=bytes(32)
    )
    assert refused(stale) == "attempt_over"


CHANGES: dict[str, Callable[[Lobby, User, User, User], object]] = {
    "join": lambda lobby, _host, _guest, other: lobbies.join(other, lobby.id),
    "leave": lambda lobby, _host, guest, _other: lobbies.leave(guest, lobby.id),
    "kick": lambda lobby, host, _guest, _other: lobbies.remove_seat(host, lobby.id, 1),
    "bot": lambda lobby, host, _guest, _other: lobbies.add_bot(host, lobby.id),
    "move": lambda lobby, host, _guest, _other: lobbies.take_seat(host, lobby.id, 4),
    "swap": lambda lobby, host, _guest, _other: lobbies.swap_seats(host, lobby.id, 0, 1),
    "commit": lambda lobby, host, _guest, _other: committed(host, lobby),
    "commit-again": lambda lobby, _host, guest, _other: committed(guest, lobby),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_the_first_reveal_every_change_of_the_table_ends_the_attempt(
    new_user: NewUser, change: str
) -> None:
    host, guest, other = new_user(), new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    lobbies.join(guest, lobby.id)
    before, seed = terms_of(lobby), seeds.seed_of(lobby)
    entropy = committed(guest, lobby)
    ready(guest, lobby, entropy)
    CHANGES[change](lobby, host, guest, other)
    after = terms_of(current(lobby))
    assert before.name != after.name
    assert before.game == after.game
    assert before.seed_hash != after.seed_hash
    assert pending(before.name) == [Kind.OPENED, Kind.ABANDONED]
    row = PendingEntry.objects.filter(name=before.name).order_by("id")[1]
    entry = Entry.decode(bytes(row.entry))
    assert entry.hash == chain.entry_hash(chain.opened_entry(before))
    assert (entry.seed, list(entry.reveals)) == (seed, [(1, entropy)])
    assert after.abandoned == chain.entry_hash(bytes(row.entry)).hex()
    assert not Seat.objects.filter(lobby=lobby, entropy__isnull=False).exists()
    assert not Seat.objects.filter(lobby=lobby, commitment__isnull=False).exists()
    assert not Seat.objects.filter(lobby=lobby, user=guest, ready=True).exists()
    assert AbandonedAttempt.objects.get(lobby=lobby).name == before.name
    stale = lambda: lobbies.commit(  # noqa: E731
        host, lobby.id, opened=chain.entry_hash(chain.opened_entry(before)), commitment=bytes(32)
    )
    assert refused(stale) == "attempt_over"


def test_before_the_first_reveal_players_come_and_go_within_one_attempt(new_user: NewUser) -> None:
    host, guest, other = new_user(), new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    of_host = committed(host, lobby)
    lobbies.join(guest, lobby.id)
    committed(guest, lobby)
    lobbies.join(other, lobby.id)
    lobbies.leave(other, lobby.id)
    # A seat that moves has another commitment to make.
    lobbies.take_seat(guest, lobby.id, 3)
    assert seat_of(lobby, guest).commitment is None
    assert refused(lambda: ready(guest, lobby)) == "commitment_required"
    ready(guest, lobby, committed(guest, lobby))
    game = lobbies.start(host, lobby.id, entropy=of_host)
    opening = genesis_of(game)
    assert opening.name == lobby.log_name
    assert opening.abandoned is None
    assert [(reveal.seat, reveal.place) for reveal in opening.reveals] == [(0, 0), (1, 3)]


def test_a_full_table_where_nobody_commits_starts_at_once(new_user: NewUser) -> None:
    lobby = lobbies.create(new_user(), FULL_TABLE)
    lobbies.join(new_user(), lobby.id)
    assert current(lobby).status == Lobby.Status.STARTED


def full_table(new_user: NewUser, *, buy_in: int = 0) -> tuple[Lobby, User, User]:
    host, guest = new_user(), new_user()
    choices = lobbies.LobbyChoices(
        slug="free_spots", capacity=2, start_when_full=True, buy_in=buy_in
    )
    lobby = lobbies.create(host, choices, commits=True)
    lobbies.join(guest, lobby.id, commits=True)
    return lobby, host, guest


def test_a_full_table_waits_until_all_who_commit_have_revealed(new_user: NewUser) -> None:
    lobby, host, guest = full_table(new_user)
    waiting = current(lobby)
    assert waiting.status == Lobby.Status.STARTING
    assert waiting.starts_by is not None
    assert 8 < (waiting.starts_by - waiting.created_at).total_seconds() < 60
    of_host, of_guest = committed(host, lobby), committed(guest, lobby)
    ready(host, lobby, of_host)
    assert current(lobby).status == Lobby.Status.STARTING
    ready(guest, lobby, of_guest)
    started = current(lobby)
    assert (started.status, started.starts_by) == (Lobby.Status.STARTED, None)
    reveals = genesis_of(Game.objects.get(lobby=lobby)).reveals
    assert [bytes.fromhex(reveal.entropy) for reveal in reveals] == [of_host, of_guest]


def pass_deadline(lobby: Lobby) -> None:
    Lobby.objects.filter(id=lobby.id).update(starts_by=Now())
    lobbies.give_up_unrevealed()


def test_a_seat_that_does_not_reveal_in_time_is_given_up_with_its_stake(new_user: NewUser) -> None:
    lobby, host, guest = full_table(new_user, buy_in=100)
    of_host = committed(host, lobby)
    committed(guest, lobby)
    ready(host, lobby, of_host)
    name = lobby.log_name
    assert ledger.wallet_of(guest).balance == 900
    lobbies.give_up_unrevealed()
    assert Seat.objects.filter(lobby=lobby).count() == 2
    pass_deadline(lobby)
    left = current(lobby)
    assert (left.status, left.starts_by) == (Lobby.Status.OPEN, None)
    assert ledger.wallet_of(guest).balance == 1000
    assert ledger.wallet_of(host).balance == 900
    assert [seat.user for seat in Seat.objects.filter(lobby=lobby)] == [host]
    assert pending(name) == [Kind.OPENED, Kind.ABANDONED]
    # The next player fills the table again, and everybody commits to the next attempt.
    third = new_user()
    lobbies.join(third, lobby.id, commits=True)
    assert current(lobby).status == Lobby.Status.STARTING
    for user in (host, third):
        entropy = committed(user, lobby)
        if user == host:
            of_host = entropy
    ready(host, lobby, of_host)
    ready(third, lobby, entropy)
    opening = genesis_of(Game.objects.get(lobby=lobby))
    assert opening.abandoned is not None


def test_nobody_reveals_before_everybody_has_committed(new_user: NewUser) -> None:
    lobby, host, guest = full_table(new_user)
    of_host = committed(host, lobby)
    with pytest.raises(Problem) as early:
        ready(host, lobby, of_host)
    assert (early.value.code, early.value.data) == ("commitments_awaited", {"seats": [1]})
    assert seat_of(lobby, host).entropy is None
    of_guest = committed(guest, lobby)
    ready(host, lobby, of_host)
    ready(guest, lobby, of_guest)
    assert genesis_of(Game.objects.get(lobby=lobby)).abandoned is None


def test_a_seat_that_does_not_commit_in_time_is_given_up_alone(new_user: NewUser) -> None:
    lobby, host, _ = full_table(new_user)
    committed(host, lobby)
    pass_deadline(lobby)
    assert [seat.user for seat in Seat.objects.filter(lobby=lobby)] == [host]
    assert current(lobby).status == Lobby.Status.OPEN
    assert not AbandonedAttempt.objects.filter(lobby=lobby).exists()


def test_a_quick_match_repeated_while_the_table_waits_returns_it(new_user: NewUser) -> None:
    choices = lobbies.TableChoices(slug="free_spots", capacity=2, buy_in=77)
    first, second = new_user(), new_user()
    lobby = lobbies.quick_match(first, choices, commits=True)
    assert lobbies.quick_match(second, choices, commits=True) == lobby
    assert current(lobby).status == Lobby.Status.STARTING
    for user in (first, second):
        assert lobbies.quick_match(user, choices, commits=True) == lobby


def test_a_table_that_waits_is_in_the_list_of_lobbies(new_user: NewUser) -> None:
    lobby, _, guest = full_table(new_user)
    assert lobby.id in {found.id for found in list_for(guest.id, "free_spots")[1]}
    starting = LobbyFilter(status="starting").narrow(lobbies_for(guest), guest)
    assert lobby in starting


def test_a_table_where_nobody_reveals_loses_its_players_and_closes(new_user: NewUser) -> None:
    lobby, _, _ = full_table(new_user, buy_in=100)
    pass_deadline(lobby)
    assert current(lobby).status == Lobby.Status.CLOSED
    assert pending(lobby.log_name) == [Kind.OPENED, Kind.ABANDONED]


def test_whoever_leaves_a_starting_table_gets_the_stake_back(new_user: NewUser) -> None:
    lobby, _, guest = full_table(new_user, buy_in=100)
    lobbies.leave(guest, lobby.id)
    assert current(lobby).status == Lobby.Status.OPEN
    assert ledger.wallet_of(guest).balance == 1000


def test_a_reveal_is_secret_and_answered_by_a_signed_receipt(
    new_user: NewUser, tmp_path: Path, settings: object
) -> None:
    settings.ACK_KEY_FILE = tmp_path / "ack"  # type: ignore[attr-defined]  # a fixture
    key = acknowledging.add(tmp_path / "ack", "localhost/log").verifier
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    lobbies.join(guest, lobby.id)
    entropy = committed(guest, lobby)
    seen = as_changed(current(lobby))
    assert reveal_receipt(seen, guest.id) is None
    ready(guest, lobby, entropy)
    seen = as_changed(current(lobby))
    note = reveal_receipt(seen, guest.id)
    assert note is not None
    assert reveal_receipt(seen, host.id) is None
    assert reveal_receipt(seen, None) is None
    text = opened(note, [Verifier.parse(key.text)])
    assert text.startswith(f"{RECEIPT_TITLE}\n")
    assert f"\nopened {opened_hash(lobby).hex()}\nseat 1\n" in text
    assert f"\nentropy {entropy.hex()}\n" in text


def test_an_abandoned_attempt_and_the_next_are_sealed_in_order(
    own_log: Path, new_user: NewUser
) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    lobbies.join(guest, lobby.id)
    ready(guest, lobby, committed(guest, lobby))
    lobbies.leave(guest, lobby.id)
    lobbies.start(host, lobby.id)
    Sealer().seal()
    kinds = [
        Entry.decode(bytes(row)).kind
        for row in LogEntry.objects.order_by("index").values_list("entry", flat=True)
    ]
    assert kinds == [
        Kind.BUILD,
        Kind.HEARTBEAT,
        Kind.OPENED,
        Kind.ABANDONED,
        Kind.OPENED,
        Kind.STARTED,
        Kind.ADVANCED,
    ]
