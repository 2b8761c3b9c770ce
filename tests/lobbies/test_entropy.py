"""Players' own entropy: commitments, reveals, tables that wait for them, and abandoned attempts."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.test import override_settings

from accounts import ledger
from accounts.models import User
from games import lobbies
from games.api.sockets.lobby_list import list_for
from games.keys import acknowledging
from games.lobbies import attempts, periodic
from games.lobbies.attempts import reveal_receipt, terms_of
from games.log.sealing import Sealer
from games.models import (
    AbandonedAttempt,
    Game,
    Head,
    Lobby,
    LogEntry,
    PendingEntry,
    Presence,
    Seat,
)
from games.play import corrections
from games.proofs.verification import verify_game
from games.reads.filters import LobbyFilter
from games.reads.lobbies import as_changed, lobbies_for
from games.store import seeds
from games.store.registry import catalogue
from kit import event_loop
from kit.problems import Problem
from railbird_engine.audit.acknowledgements import REVEAL_TITLE
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Verifier, opened
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.builders import NewUser, start_game
from tests.lobbies.scene import (
    committed,
    committed_hash,
    current,
    freeze,
    opened_hash,
    ready,
    refused,
    reveal,
    revealed,
    seal,
    seat_of,
)
from tests.proofs.scene import bundled, python, typescript

TABLE = lobbies.LobbyChoices(slug="free_spots")


@pytest.fixture(autouse=True)
def _looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no pause of this machine count as one of the server."""
    monkeypatch.setattr(periodic, "LOOKED_AT_WITHIN_S", 60)


FULL_TABLE = lobbies.LobbyChoices(slug="free_spots", capacity=2, start_when_full=True)


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
    ready(guest, lobby)
    ready(plain, lobby)
    assert lobbies.start(host, lobby.id).status == Lobby.Status.STARTING
    assert lobbies.start(host, lobby.id).status == Lobby.Status.STARTING
    game = revealed(lobby, {guest: of_guest, host: of_host})
    opening = genesis_of(game)
    assert [row.place for row in opening.rows] == [0, 2, 3]
    assert [row.commitment is None for row in opening.rows] == [False, False, True]
    assert [(each.seat, each.entropy) for each in opening.reveals] == [
        (0, of_host.hex()),
        (1, of_guest.hex()),
    ]
    rows = LogEntry.objects.filter(name=lobby.log_name).order_by("place")
    kinds = [Kind.OPENED, Kind.COMMITTED, Kind.REVEALED]
    entries = [Entry.decode(bytes(row.entry)) for row in rows]
    assert [entry.kind for entry in entries[:3]] == kinds
    assert [entry.encode() for entry in entries[:3]] == [*chain.start_entries(opening)]
    assert entries[2].payload == b"\x00\x00" + of_host + b"\x00\x02" + of_guest


def test_a_reveal_is_taken_only_after_the_log_has_all_commitments(new_user: NewUser) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    lobbies.join(guest, lobby.id, commits=True)
    ready(guest, lobby)
    assert refused(lambda: lobbies.start(host, lobby.id)) == "commitments_awaited"
    entropy = committed(guest, lobby)
    assert refused(lambda: reveal(guest, lobby, entropy)) == "attempt_over"
    lobbies.start(host, lobby.id)
    assert refused(lambda: reveal(guest, lobby, entropy)) == "not_sealed"
    seal()
    assert current(lobby).stage == Lobby.Stage.REVEALING
    stale = lambda: lobbies.reveal(  # noqa: E731
        guest, lobby.id, committed=bytes(32), entropy=entropy
    )
    assert refused(stale) == "attempt_over"
    assert refused(lambda: reveal(guest, lobby, bytes(32))) == "wrong_entropy"
    assert refused(lambda: reveal(host, lobby, bytes(32))) == "commitment_required"
    game = revealed(lobby, {guest: entropy})
    assert [each.entropy for each in genesis_of(game).reveals] == [entropy.hex()]


def test_a_commitment_is_made_to_the_current_opening(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, TABLE)
    stale = lambda: lobbies.commit(  # noqa: E731
        host, lobby.id, lobbies.Commitment(bytes(32), bytes(32))
    )
    assert refused(stale) == "attempt_over"


REFUSED: dict[str, Callable[[Lobby, User, User, User], object]] = {
    "join": lambda lobby, _host, _guest, other: lobbies.join(other, lobby.id),
    "bot": lambda lobby, host, _guest, _other: lobbies.add_bot(host, lobby.id),
    "move": lambda lobby, host, _guest, _other: lobbies.take_seat(host, lobby.id, 4),
    "swap": lambda lobby, host, _guest, _other: lobbies.swap_seats(host, lobby.id, 0, 1),
    "commit": lambda lobby, host, _guest, _other: committed(host, lobby),
    "commit-again": lambda lobby, _host, guest, _other: committed(guest, lobby),
    "unready": lambda lobby, _host, guest, _other: lobbies.set_ready(guest, lobby.id, ready=False),
}
LEAVING: dict[str, Callable[[Lobby, User, User], object]] = {
    "leave": lambda lobby, _host, guest: lobbies.leave(guest, lobby.id),
    "kick": lambda lobby, host, _guest: lobbies.remove_seat(host, lobby.id, 1),
    "ban": lambda lobby, host, guest: lobbies.ban(host, lobby.id, guest.id),
}


def frozen(new_user: NewUser) -> tuple[Lobby, User, User, bytes]:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    return lobby, host, guest, freeze(lobby, host, guest)


def test_after_the_freeze_no_seat_changes(new_user: NewUser) -> None:
    lobby, host, guest, entropy = frozen(new_user)
    for change in REFUSED.values():
        other = new_user()
        assert refused(lambda: change(lobby, host, guest, other)) == "lobby_not_open"  # noqa: B023
    assert genesis_of(revealed(lobby, {guest: entropy})).abandoned is None


@pytest.mark.parametrize("how", LEAVING)
def test_whoever_leaves_after_the_freeze_ends_the_attempt(new_user: NewUser, how: str) -> None:
    lobby, host, guest, entropy = frozen(new_user)
    before, seed, named = terms_of(lobby), seeds.seed_of(lobby), committed_hash(lobby)
    seal()
    reveal(guest, lobby, entropy)
    LEAVING[how](lobby, host, guest)
    after = terms_of(current(lobby))
    assert current(lobby).status == Lobby.Status.OPEN
    assert before.name != after.name
    assert before.game == after.game
    assert before.seed_hash != after.seed_hash
    row = PendingEntry.objects.filter(name=before.name).latest("id")
    entry = Entry.decode(bytes(row.entry))
    assert entry.hash == chain.entry_hash(chain.opened_entry(before))
    assert (entry.seed, entry.given_up) == (seed, chain.GivenUp(named, [], [(1, entropy)]))
    assert after.abandoned == chain.entry_hash(bytes(row.entry)).hex()
    assert not Seat.objects.filter(lobby=lobby, entropy__isnull=False).exists()
    assert AbandonedAttempt.objects.get(lobby=lobby).name == before.name


def test_before_the_freeze_players_come_and_go_within_one_attempt(new_user: NewUser) -> None:
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
    ready(guest, lobby)
    assert refused(lambda: lobbies.start(host, lobby.id)) == "commitments_awaited"
    of_guest = committed(guest, lobby)
    lobbies.start(host, lobby.id)
    opening = genesis_of(revealed(lobby, {host: of_host, guest: of_guest}))
    assert opening.name == lobby.log_name
    assert opening.abandoned is None
    assert [row.place for row in opening.rows] == [0, 3]


def test_a_full_table_where_nobody_commits_starts_at_once(new_user: NewUser) -> None:
    lobby = lobbies.create(new_user(), FULL_TABLE)
    lobbies.join(new_user(), lobby.id)
    assert current(lobby).status == Lobby.Status.STARTED


def ended_starts(most: int) -> override_settings:
    """Limit the starts that one user ends: to one in a lobby, and to so many in all."""
    limits = {"ended_start": (1, 600), "ended_starts": (most, 3600)}
    return override_settings(RATE_LIMITS={**settings.RATE_LIMITS, **limits})


def full_table(new_user: NewUser, **more: Any) -> tuple[Lobby, User, User]:
    host, guest = new_user(), new_user()
    choices = lobbies.LobbyChoices(slug="free_spots", capacity=2, start_when_full=True, **more)
    lobby = lobbies.create(host, choices, commits=True)
    lobbies.join(guest, lobby.id, commits=True)
    return lobby, host, guest


def test_a_full_table_freezes_when_all_have_committed(new_user: NewUser) -> None:
    lobby, host, guest = full_table(new_user)
    waiting = current(lobby)
    assert (waiting.status, waiting.stage) == (Lobby.Status.OPEN, Lobby.Stage.NONE)
    assert waiting.starts_by is not None
    assert 8 < (waiting.starts_by - waiting.created_at).total_seconds() < 60
    of_host, of_guest = committed(host, lobby), committed(guest, lobby)
    assert current(lobby).status == Lobby.Status.STARTING
    game = revealed(lobby, {host: of_host, guest: of_guest})
    started = current(lobby)
    assert (started.status, started.starts_by) == (Lobby.Status.STARTED, None)
    reveals = genesis_of(game).reveals
    assert [bytes.fromhex(reveal.entropy) for reveal in reveals] == [of_host, of_guest]


def pass_deadline(lobby: Lobby, late_s: int = 0) -> None:
    Lobby.objects.filter(id=lobby.id).update(starts_by=Now() - timedelta(seconds=late_s))
    lobbies.give_up_late()


def test_a_seat_that_does_not_reveal_in_time_is_given_up_with_its_stake(new_user: NewUser) -> None:
    lobby, host, guest = full_table(new_user, buy_in=100)
    of_host = committed(host, lobby)
    committed(guest, lobby)
    seal()
    reveal(host, lobby, of_host)
    name = lobby.log_name
    assert ledger.wallet_of(guest).balance == 900
    lobbies.give_up_late()
    assert Seat.objects.filter(lobby=lobby).count() == 2
    pass_deadline(lobby)
    left = current(lobby)
    assert (left.status, left.starts_by) == (Lobby.Status.OPEN, None)
    assert ledger.wallet_of(guest).balance == 1000
    assert ledger.wallet_of(host).balance == 900
    assert [seat.user for seat in Seat.objects.filter(lobby=lobby)] == [host]
    entry = Entry.decode(bytes(PendingEntry.objects.get(name=name).entry))
    assert (entry.given_up.missing, entry.reveals) == ([1], [(0, of_host)])
    # The next player fills the table again, and everybody commits to the next attempt.
    third = new_user()
    lobbies.join(third, lobby.id, commits=True)
    entropies = {user: committed(user, lobby) for user in (host, third)}
    assert (
        genesis_of(revealed(lobby, entropies)).abandoned == chain.entry_hash(entry.encode()).hex()
    )


def test_a_user_who_ends_starts_takes_no_seat_there_for_a_while(new_user: NewUser) -> None:
    options = {"boards": int(uuid4()) % 10**9}
    with ended_starts(2):
        lobby, host, guest = full_table(new_user, options=options)
        lobbies.leave(guest, lobby.id)  # nobody waits for the log yet
        lobbies.join(guest, lobby.id, commits=True)
        of_host = committed(host, lobby)
        committed(guest, lobby)
        seal()
        reveal(host, lobby, of_host)
        pass_deadline(lobby)
        assert refused(lambda: lobbies.join(guest, lobby.id)) == "too_many_requests"
        wanted = lobbies.TableChoices(slug="free_spots", capacity=2, options=options)
        assert lobbies.quick_match(guest, wanted).id != lobby.id
        owner = new_user()
        other = lobbies.create(owner, TABLE)
        freeze(other, owner, guest)
        lobbies.leave(guest, other.id)
        assert refused(lambda: lobbies.create(guest, TABLE)) == "too_many_requests"
        lobbies.join(new_user(), other.id)


def test_a_user_who_does_not_commit_at_a_full_table_takes_no_seat_there_for_a_while(
    new_user: NewUser,
) -> None:
    with ended_starts(9):
        lobby, host, guest = full_table(new_user)
        committed(host, lobby)
        pass_deadline(lobby)
        assert [seat.user for seat in Seat.objects.filter(lobby=lobby)] == [host]
        assert refused(lambda: lobbies.join(guest, lobby.id)) == "too_many_requests"
        lobbies.join(new_user(), lobby.id, commits=True)


def test_a_seat_whose_start_others_ended_may_be_taken_again_after_a_silence(
    new_user: NewUser,
) -> None:
    """Clients stop after starts that others ended: that is no doing of theirs."""
    with ended_starts(9):
        lobby, host, guest = full_table(new_user)
        committed(host, lobby)
        committed(guest, lobby)
        seal()
        lobbies.leave(guest, lobby.id)
        other = new_user()
        lobbies.join(other, lobby.id, commits=True)
        committed(other, lobby)
        pass_deadline(lobby)
        assert [seat.user for seat in Seat.objects.filter(lobby=lobby)] == [other]
        lobbies.join(host, lobby.id, commits=True)
        pass_deadline(lobby)
        assert refused(lambda: lobbies.join(host, lobby.id)) == "too_many_requests"


def test_seats_that_are_swapped_have_their_time_to_commit_again(new_user: NewUser) -> None:
    """Else a host could have the others counted as silent."""
    lobby, host, guest = full_table(new_user)
    committed(guest, lobby)
    before = current(lobby).starts_by
    lobbies.swap_seats(host, lobby.id, 0, 1)
    after = current(lobby).starts_by
    assert before is not None
    assert after is not None
    assert after > before


def seen(lobby: Lobby, user: User, s_ago: int, gone: str = "") -> None:
    """Note that a process last saw a user so many seconds ago, and why they are gone, if so."""
    Presence.objects.create(
        lobby_id=lobby.id,
        user_id=user.id,
        process=uuid4(),
        connected=not gone,
        disconnect_reason=gone or "lost",
        seen_at=Now() - timedelta(seconds=s_ago),
    )


def silent(lobby: Lobby, user: User, gone: str = "", *, s_ago: int = -60, late_s: int = 0) -> None:
    """Pass the deadline for reveals, and look at it so many seconds later. The user, seen last
    so many seconds ago, is the only one on the server."""
    seal()
    with transaction.atomic():
        with connection.cursor() as cursor:  # connections of other tests are renewed
            cursor.execute("LOCK TABLE games_presence IN EXCLUSIVE MODE")
        Presence.objects.all().delete()
        seen(lobby, user, s_ago, gone)
        pass_deadline(lobby, late_s)


def closed_for_cause(lobby: Lobby, host: User, guest: User) -> None:
    """Close the guest's connection while the host's stays."""
    seal()
    seen(lobby, host, -60)
    seen(lobby, guest, 5, "closed")
    pass_deadline(lobby)


def absent(lobby: Lobby) -> None:
    """Let the guest be absent for long."""
    long_ago = Now() - timedelta(seconds=settings.LOBBY_ABSENT_S + 60)
    Seat.objects.filter(lobby=lobby, number=1).update(taken_at=long_ago)
    while current(lobby).status == Lobby.Status.STARTING:
        lobbies.time_out_absent()


def unfilled(lobby: Lobby) -> None:
    Lobby.objects.filter(id=lobby.id).update(fills_by=Now())
    lobbies.close_unfilled()


HOST, GUEST, NOBODY = 0, 1, None
ENDINGS: dict[str, tuple[int | None, Callable[[Lobby, User, User], object]]] = {
    "the guest leaves": (GUEST, lambda lobby, _, guest: lobbies.leave(guest, lobby.id)),
    "the guest is erased": (GUEST, lambda _, __, guest: lobbies.leave_all(guest)),
    "the guest is silent": (GUEST, lambda lobby, _, guest: silent(lobby, guest)),
    "the guest goes": (GUEST, lambda lobby, _, guest: silent(lobby, guest, "left")),
    "the guest polls no more": (GUEST, lambda lobby, _, guest: silent(lobby, guest, "silent")),
    "the guest is closed for cause": (GUEST, closed_for_cause),
    "the guest is absent": (GUEST, lambda lobby, _, __: absent(lobby)),
    "the host leaves": (HOST, lambda lobby, host, _: lobbies.leave(host, lobby.id)),
    "the host kicks": (HOST, lambda lobby, host, _: lobbies.remove_seat(host, lobby.id, 1)),
    "the host bans": (HOST, lambda lobby, host, guest: lobbies.ban(host, lobby.id, guest.id)),
    "an operator closes": (NOBODY, lambda lobby, _, __: lobbies.close_by_operator(lobby.id)),
    "the log is late": (NOBODY, lambda lobby, _, __: pass_deadline(lobby)),
    "it is not filled": (NOBODY, lambda lobby, _, __: unfilled(lobby)),
    "the server was away": (NOBODY, lambda lobby, _, guest: silent(lobby, guest, late_s=90)),
    "its process was stopped": (
        NOBODY,
        lambda lobby, _, guest: silent(lobby, guest, "closed", s_ago=20),
    ),
    "its process died": (NOBODY, lambda lobby, _, guest: silent(lobby, guest, s_ago=25)),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ended_start_counts_for_whose_doing_it_is(new_user: NewUser, ending: str) -> None:
    who, ends = ENDINGS[ending]
    with ended_starts(1):
        lobby, host, guest, _ = frozen(new_user)
        ends(lobby, host, guest)
        assert current(lobby).status in {Lobby.Status.OPEN, Lobby.Status.CLOSED}
        for number, user in enumerate((host, guest)):
            if number == who:
                assert refused(partial(lobbies.create, user, TABLE)) == "too_many_requests"
            else:
                lobbies.create(user, TABLE)


def test_a_start_that_could_not_be_ended_does_not_count(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Problem("seed_key_missing")

    with ended_starts(1):
        lobby, _, guest, _ = frozen(new_user)
        with monkeypatch.context() as without_key:
            without_key.setattr(attempts, "open_attempt", refuse)
            assert refused(lambda: lobbies.leave(guest, lobby.id)) == "seed_key_missing"
        lobbies.create(guest, TABLE)


def test_a_host_ends_one_start_in_ten_minutes_by_removing_players(new_user: NewUser) -> None:
    with ended_starts(9):
        lobby, host, _, _ = frozen(new_user)
        lobbies.remove_seat(host, lobby.id, 1)
        guest = new_user()
        freeze(lobby, host, guest)
        for removes in (
            lambda: lobbies.remove_seat(host, lobby.id, 1),
            lambda: lobbies.ban(host, lobby.id, guest.id),
        ):
            assert refused(removes) == "too_many_requests"
        assert current(lobby).status == Lobby.Status.STARTING
        lobbies.leave(guest, lobby.id)
        lobbies.join(new_user(), lobby.id)
        lobbies.remove_seat(host, lobby.id, 1)  # nobody waits for the log any more


def hours_pass(lobby: Lobby, hours: int) -> None:
    """Move what the start waits for into the past, and give up what is late."""
    passed = F("starts_by") - timedelta(hours=hours)
    Lobby.objects.filter(id=lobby.id).update(starts_by=passed)
    lobbies.give_up_late()


@pytest.mark.parametrize("late", ["", "committing", "revealing"])
def test_players_of_a_slow_table_have_two_days_to_commit_and_two_to_reveal(
    new_user: NewUser, late: str
) -> None:
    host, guest = new_user(), new_user()
    options = dict.fromkeys(catalogue()["set_dice"].limits, 86_400)
    slow = {"slug": "set_dice", "options": options, "pace": "slow"}
    lobby = lobbies.create(host, msgspec.structs.replace(FULL_TABLE, **slow), commits=True)
    lobbies.join(guest, lobby.id, commits=True)
    entropies = {host: committed(host, lobby)}
    hours_pass(lobby, 49 if late == "committing" else 47)
    if late != "committing":
        entropies[guest] = committed(guest, lobby)
        seal()
        reveal(host, lobby, entropies.pop(host))
        hours_pass(lobby, 49 if late == "revealing" else 47)
    if late:
        assert current(lobby).status == Lobby.Status.OPEN
        assert not Seat.objects.filter(lobby=lobby, user=guest).exists()
    else:
        assert revealed(lobby, entropies).lobby_id == lobby.id


@pytest.mark.parametrize("reveals", [False, True])
def test_a_start_for_which_the_log_is_too_late_is_abandoned(
    new_user: NewUser, *, reveals: bool
) -> None:
    lobby, _, guest, entropy = frozen(new_user)
    if reveals:
        seal()
        reveal(guest, lobby, entropy)
    name = current(lobby).log_name
    pass_deadline(lobby)
    left = current(lobby)
    assert (left.status, left.stage) == (Lobby.Status.OPEN, Lobby.Stage.NONE)
    assert Seat.objects.filter(lobby=lobby).count() == 2
    entry = Entry.decode(bytes(PendingEntry.objects.filter(name=name).latest("id").entry))
    assert entry.given_up.missing == []


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
    for user in (first, second):
        committed(user, lobby)
    assert current(lobby).status == Lobby.Status.STARTING
    for user in (first, second):
        assert lobbies.quick_match(user, choices, commits=True) == lobby


def test_a_table_that_waits_is_in_the_list_of_lobbies(new_user: NewUser) -> None:
    lobby, host, guest = full_table(new_user)
    for user in (host, guest):
        committed(user, lobby)
    assert lobby.id in {found.id for found in list_for(guest.id, "free_spots")[1]}
    starting = LobbyFilter(status="starting").narrow(lobbies_for(guest), guest)
    assert lobby in starting


def test_a_table_where_nobody_reveals_loses_its_players_and_closes(new_user: NewUser) -> None:
    lobby, _, _ = full_table(new_user, buy_in=100)
    pass_deadline(lobby)
    assert current(lobby).status == Lobby.Status.CLOSED
    assert pending(lobby.log_name) == [Kind.OPENED, Kind.ABANDONED]


def test_a_reveal_is_secret_and_answered_by_a_signed_receipt(
    new_user: NewUser, tmp_path: Path, settings: object
) -> None:
    settings.ACK_KEY_FILE = tmp_path / "ack"  # type: ignore[attr-defined]  # a fixture
    key = acknowledging.add(tmp_path / "ack", "localhost/log").verifier
    lobby, host, guest, entropy = frozen(new_user)
    seal()
    seen = as_changed(current(lobby))
    assert reveal_receipt(seen, guest.id) is None
    reveal(guest, lobby, entropy)
    seen = as_changed(current(lobby))
    note = reveal_receipt(seen, guest.id)
    assert note is not None
    assert reveal_receipt(seen, host.id) is None
    assert reveal_receipt(seen, None) is None
    text = opened(note, [Verifier.parse(key.text)])
    assert text.startswith(f"{REVEAL_TITLE}\n")
    named = f"\nopened {opened_hash(lobby).hex()}\ncommitted {committed_hash(lobby).hex()}\n"
    assert f"{named}seat 1\n" in text
    assert f"\nentropy {entropy.hex()}\n" in text


def test_an_abandoned_attempt_and_the_next_are_sealed_in_order(
    own_log: Path, new_user: NewUser
) -> None:
    lobby, host, guest, _ = frozen(new_user)
    lobbies.leave(guest, lobby.id)
    start_game(host, lobby.id)
    Sealer().seal()
    of_the_server = (Kind.BUILD, Kind.HEARTBEAT, Kind.ACTIONS, Kind.ARCHIVED)
    of_games = LogEntry.objects.exclude(kind__in=of_the_server).order_by("index")
    kinds = [Entry.decode(bytes(row)).kind for row in of_games.values_list("entry", flat=True)]
    assert kinds == [
        Kind.OPENED,
        Kind.COMMITTED,
        Kind.ABANDONED,
        Kind.OPENED,
        Kind.STARTED,
        Kind.ADVANCED,
    ]


def test_a_bots_seat_gives_the_operator_no_choice_after_the_reveals(
    own_log: Path, new_user: NewUser, tmp_path: Path
) -> None:
    """The owner of the database lets a bot add entropy, once the person's is known."""
    host = new_user()
    lobby = lobbies.create(host, TABLE)
    lobbies.add_bot(host, lobby.id)
    entropy, suits = committed(host, lobby), bytes(32)
    lobbies.start(host, lobby.id)
    seal()
    reveal(host, lobby, entropy)
    commitment = chain.commitment(opened_hash(lobby), 1, suits)
    of_bot = Seat.objects.filter(lobby=lobby, number=1)
    of_bot.update(commits=True, commitment=commitment, entropy=suits)
    reveals = [(0, entropy), (1, suits)]
    forged = chain.revealed_entry(current(lobby).log_name, committed_hash(lobby), reveals)
    Lobby.objects.filter(id=lobby.id).update(revealed=forged)
    PendingEntry.objects.filter(name=current(lobby).log_name).update(entry=forged)
    seal()
    game = Game.objects.get(lobby=lobby)
    assert [each.entropy for each in genesis_of(game).reveals] == [entropy.hex(), suits.hex()]
    Sealer().seal()
    assert Head.objects.get(game=game).stalled
    assert any("log entry" in finding.what for finding in verify_game(game.id).findings)
    event_loop.call(corrections.void(game.id, "The test is over."))
    (tmp_path / "file").write_bytes(bundled(game))
    for code, line in (python(tmp_path, ["file"]), typescript(tmp_path, ["file"])):
        assert (code, ": committed: expected" in line) == (1, True), line
