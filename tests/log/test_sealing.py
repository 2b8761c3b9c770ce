"""The log on real servers: entries, order, signatures, and when the sealer stops."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from django.db import OperationalError
from psycopg.errors import InsufficientPrivilege

from games.log import sealing, signing, tiles, troubles
from games.log.sealing import LOCK, ForkedError, Sealer
from games.models import Commit, Game, Head, LogCheckpoint, LogEntry
from games.play import corrections
from games.proofs.verification import verify_game
from kit import background, event_loop
from railbird_engine.audit import merkle
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Checkpoint, Verifier, opened
from railbird_engine.audit.records import heartbeat_entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.api.rest import Caller
from tests.builders import NewGame
from tests.commands import managed
from tests.log.scene import check_whole_log, checkpoints, logged, queue_entries, shorten_log
from tests.moves import take
from tests.processes import served_here
from tests.store.tampering import unprotected
from tests.waiting import WITHIN_S, until


def test_a_game_is_in_the_log_from_its_start_to_its_end(own_log: Path, new_game: NewGame) -> None:
    sealer, game = Sealer(), new_game(2, boards=1, spots=6)
    sealer.seal()
    promised = chain.decode_genesis(bytes(game.genesis)).seed_hash
    opened, started, dealt = logged(game)
    assert opened.encode() == chain.opened_entry(chain.decode_genesis(bytes(game.genesis)))
    assert opened.payload[:32].hex() == promised
    assert started == Entry(Kind.STARTED, game.log_name, 0, chain.genesis_hash(bytes(game.genesis)))
    assert (dealt.kind, dealt.version, dealt.payload) == (Kind.ADVANCED, 1, b"")
    assert sealer.seal() == 0
    take(game, 0)
    take(game, 1)
    sealer.seal()
    assert logged(game)[3:] == [
        Entry(Kind.ADVANCED, game.log_name, 3, bytes(Commit.objects.get(game=game, version=3).hash))
    ]
    for spot in range(2, 6):
        take(game, spot)
    sealer.seal()
    ended = logged(game)[-1]
    assert (ended.kind, ended.version) == (Kind.FINISHED, 7)
    assert chain.seed_hash(ended.payload) == promised
    assert Head.objects.get(game=game).sealed
    check_whole_log()


def test_an_aborted_game_stays_in_the_log_and_its_seed_is_public(
    own_log: Path, new_game: NewGame
) -> None:
    game = new_game(2)
    assert event_loop.call(corrections.void(game.id, "nobody came"))
    Sealer().seal()
    opened, started, voided = logged(game)
    assert (started.kind, voided.kind) == (Kind.STARTED, Kind.VOIDED)
    assert chain.seed_hash(voided.payload) == opened.payload[:32].hex()


def test_sealers_of_many_processes_make_one_log(own_log: Path, new_game: NewGame) -> None:
    games, done, errors = [new_game(2) for _ in range(4)], threading.Event(), []

    def keep_sealing() -> None:
        sealer = Sealer()
        try:
            while not done.is_set():
                sealer.seal()
        except BaseException as error:
            errors.append(error)
            raise
        finally:
            from django.db import connection  # noqa: PLC0415 -- this thread's own

            connection.close()

    threads = [threading.Thread(target=keep_sealing) for _ in range(3)]
    for thread in threads:
        thread.start()
    for spot in range(20):
        for game in games:
            take(game, spot)
    done.set()
    for thread in threads:
        thread.join()
    Sealer().seal()
    assert not errors
    for game in games:
        versions = [entry.version for entry in logged(game)]
        assert versions == [0, *sorted(set(versions))]
        assert versions[-1] == 21
    check_whole_log()


def test_a_new_process_continues_partial_tiles(own_log: Path) -> None:
    for _ in range(9):
        queue_entries(30)
        Sealer().seal()
    assert LogEntry.objects.count() > 256
    check_whole_log()


def test_busy_games_do_not_delay_others(
    own_log: Path, new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More games move in every round than fit in one; each is still sealed within three rounds."""
    sealer = Sealer()
    sealer.seal()
    monkeypatch.setattr(sealing, "HEADS_MAX", 2)
    games = sorted((new_game(1) for _ in range(5)), key=lambda game: game.id)
    assert not sealer.is_behind
    for spot in range(6):
        for game in games:
            take(game, spot)
        assert sealer.seal()
        assert sealer.is_behind == (spot % 3 < 2)
    # After 1 and 4 moves, 2 and 5, 3 and 6: the deal is a version too, and every game has started.
    versions = [[entry.version for entry in logged(game)] for game in games]
    assert versions == [
        [0, 0, 2, 5],
        [0, 0, 2, 5],
        [0, 0, 3, 6],
        [0, 0, 3, 6],
        [0, 0, 4, 7],
    ]
    check_whole_log()


def test_sealing_and_games_do_not_wait_for_each_other(own_log: Path, new_game: NewGame) -> None:
    """The last committed version of a locked head is sealed.

    Games continue while a sealer hangs.
    """
    game = new_game(2, boards=1)
    with psycopg.connect(os.environ["DATABASE_URL"]) as holding:
        holding.execute("SELECT 1 FROM games_head WHERE game_id = %s FOR UPDATE", [game.id])
        Sealer().seal()
    assert [entry.version for entry in logged(game)] == [0, 0, 1]
    with psycopg.connect(os.environ["DATABASE_URL"]) as hanging:
        hanging.execute("SELECT pg_advisory_xact_lock(%s)", [sealing.LOCK])
        take(game, 0)
        assert Sealer().seal() == 0
    assert Sealer().seal() == 1


def test_the_key_is_created_once_and_readable_only_by_its_owner(
    own_log: Path, new_game: NewGame
) -> None:
    Sealer().seal()
    assert own_log.stat().st_mode & 0o777 == 0o600
    before = own_log.read_text()
    new_game(1)
    Sealer().seal()
    assert own_log.read_text() == before
    assert before.split()[0] not in repr(list(LogCheckpoint.objects.values())) + repr(
        tiles.verifiers()
    )


def test_a_missing_or_foreign_key_stops_the_sealing(own_log: Path, new_game: NewGame) -> None:
    Sealer().seal()
    new_game(1)
    own_log.unlink()
    with pytest.raises(signing.UnsignedError, match="restore it or set LOG_KEY_FILE"):
        Sealer().seal()
    assert not own_log.exists()
    signing.add(own_log, "localhost/log")
    with pytest.raises(signing.UnsignedError, match="none of the keys"):
        Sealer().seal()
    own_log.write_text("PRIVATE+KEY+nonsense\n")
    with pytest.raises(signing.UnsignedError):
        Sealer().seal()


def test_both_keys_sign_during_a_key_replacement(own_log: Path, new_game: NewGame) -> None:
    Sealer().seal()
    elsewhere = own_log.rename(own_log.with_name("elsewhere"))
    own_log.symlink_to(elsewhere)
    elsewhere.chmod(0o640)
    signing.add(own_log, "localhost/log")
    assert (own_log.is_symlink(), elsewhere.stat().st_mode & 0o777) == (True, 0o640)
    new_game(1)
    Sealer().seal()
    sealed = tiles.newest()
    assert sealed is not None
    old, new = [Verifier.parse(verifier) for verifier in tiles.verifiers()]
    assert opened(sealed.note, [old]) == opened(sealed.note, [new])
    own_log.write_text(own_log.read_text().split()[1] + "\n")
    new_game(1)
    assert Sealer().seal() > 0


def test_the_kept_checkpoint_never_goes_back(own_log: Path) -> None:
    notes = [f"a log\n{size}\nits root\n" for size in range(1, 100)]

    def remember(given: list[str]) -> None:
        for note in given:
            signing.remember(own_log, note)

    with ThreadPoolExecutor() as sealers:
        list(sealers.map(remember, [notes, notes[::-1], notes]))
    assert signing.last_signed(own_log) == notes[-1]


def test_a_restored_database_does_not_fork_the_log(own_log: Path, new_game: NewGame) -> None:
    """Nor does a sealer that saw that state, and was passive when another sealed the later ones."""
    game = new_game(1)
    passive = Sealer()
    passive.seal()
    earlier = own_log.with_name("key.checkpoint").read_bytes()
    new_game(1)
    Sealer().seal()
    shorten_log(checkpoints()[0].size)
    for sealer in (passive, Sealer()):
        with pytest.raises(ForkedError, match="restored to an earlier state"):
            sealer.seal()
    own_log.with_name("key.checkpoint").write_bytes(earlier)
    take(game, 0)
    assert Sealer().seal() > 0


def test_sealers_of_two_databases_with_one_key_sign_one_at_a_time(own_log: Path) -> None:
    with signing.held(own_log) as is_mine:
        assert is_mine
        assert Sealer().seal() == 0
    assert Sealer().seal() > 0


def test_a_sealer_that_cannot_sign_says_why_until_it_can(
    own_log: Path, new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "BACKOFF_MIN_S", 0.02)
    new_game(1)
    Sealer().seal()
    key = own_log.read_text()
    own_log.unlink()
    new_game(1)
    stopping = threading.Event()
    sealer = threading.Thread(target=sealing.run, args=[stopping])
    sealer.start()
    try:
        until(lambda: troubles.texts() != [], "the trouble")
        assert ["is missing" in text for text in troubles.texts()] == [True]
        assert "sealer" in Caller(None).get("/health/ready/").data["late"], "beside the clock"
        with signing.held(own_log, waits=True):
            failures = background.failures["sealer"]
            until(
                lambda: background.failures["sealer"] > failures, "a try while another has a turn"
            )
            assert troubles.texts() != []
        own_log.write_text(key)
        until(lambda: troubles.texts() == [], "the log to be signed again")
    finally:
        stopping.set()
        sealer.join()


def test_a_session_that_takes_the_lock_of_the_sealer_raises_the_alarm(
    own_log: Path, new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any session of the application's role can take it, and then nothing is sealed."""
    monkeypatch.setattr(sealing, "LOCKED_OUT_S", 0.1)
    Sealer().seal()
    new_game(1)
    stopping = threading.Event()
    with psycopg.connect(os.environ["DATABASE_URL"]) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        pid = other.info.backend_pid
        sealer = threading.Thread(target=sealing.run, args=[stopping])
        sealer.start()
        try:
            until(lambda: troubles.texts() != [], "the trouble")
            assert [f"process {pid} of PostgreSQL" in text for text in troubles.texts()] == [True]
            ready = Caller(None).get("/health/ready/").data
            assert "sealer" in ready["late"]
            assert ready["seal_lag_s"] > 0
            other.rollback()
            until(lambda: troubles.texts() == [], "the log to be signed again")
        finally:
            stopping.set()
            sealer.join()


def test_a_round_that_was_cut_off_does_not_check_the_same_starts_again(
    own_log: Path, new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(2)
    checked: list[UUID] = []

    def is_cut_off(*_: object) -> str:
        raise OperationalError

    with monkeypatch.context() as cut_off:
        cut_off.setattr(sealing, "check_dice", lambda opening, *_: checked.append(opening.game))
        cut_off.setattr(sealing, "append", is_cut_off)
        for _ in range(2):
            with pytest.raises(OperationalError):
                Sealer().seal()
    assert checked.count(game.id) == 1


def test_a_head_that_is_only_marked_as_sealed_is_found(own_log: Path, new_game: NewGame) -> None:
    """So somebody could hold back the log of one game."""
    game = new_game(2)
    Sealer().seal()
    take(game, 0)
    Head.objects.filter(game=game).update(sealed=True)
    Sealer().seal()
    assert logged(game)[-1].version == 1
    (finding,) = verify_game(game.id).findings
    assert finding == ("sealed version of the head", 2, 1)


def test_rewritten_entries_are_not_signed(own_log: Path, new_game: NewGame) -> None:
    new_game(1)
    Sealer().seal()
    new_game(1)
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute("ALTER TABLE games_logentry DISABLE TRIGGER append_only_rows")
        owner.execute(
            "UPDATE games_logentry SET entry = set_byte(entry, 30, get_byte(entry, "
            "30) # 1) WHERE index = 0"
        )
        owner.execute("ALTER TABLE games_logentry ENABLE ALWAYS TRIGGER append_only_rows")
    with pytest.raises(ForkedError, match="somebody changed them"):
        Sealer().seal()


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("games_logentry", "version"),
        ("games_logtile", "level"),
        ("games_logcheckpoint", "size"),
        ("games_logkey", "at"),
    ],
)
def test_the_log_is_neither_changed_nor_shortened(
    own_log: Path, new_game: NewGame, table: str, column: str
) -> None:
    new_game(1)
    Sealer().seal()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as application:
        application.execute("INSERT INTO games_logtile VALUES (63, 0, '')")
        with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
            for connection in (application, owner):
                for statement in (
                    f"UPDATE {table} SET {column} = {column}",
                    f"DELETE FROM {table}",
                    f"TRUNCATE {table} CASCADE",
                ):
                    with pytest.raises(InsufficientPrivilege):
                        connection.execute(statement)


def get(address: str, path: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(address, timeout=WITHIN_S)
    connection.request("GET", f"/log/{path}")
    answer = connection.getresponse()
    found = (
        answer.status,
        {name.lower(): value for name, value in answer.getheaders()},
        answer.read(),
    )
    connection.close()
    return found


def test_the_tree_can_be_rebuilt_from_the_static_addresses(own_log: Path) -> None:
    for _ in range(4):
        queue_entries(70)
        Sealer().seal()
    with served_here() as address:
        status, headers, note = get(address, "checkpoint")
        assert (status, headers["content-type"]) == (200, "text/plain; charset=utf-8")
        assert headers["cache-control"] == "public, max-age=1"
        keys = [Verifier.parse(line) for line in get(address, "keys")[2].decode().split()]
        checkpoint = Checkpoint.parse(opened(note.decode(), keys))
        hashes: list[bytes] = []
        while len(hashes) < checkpoint.size:
            number = len(hashes) // 256
            width = merkle.width_of(0, number, checkpoint.size)
            status, headers, tile = get(address, merkle.tile_path(0, number, width))
            assert (status, headers["content-type"], len(tile)) == (
                200,
                "application/octet-stream",
                32 * width,
            )
            assert "immutable" in headers["cache-control"]
            entries = get(address, merkle.tile_path("entries", number, width))[2]
            for place in range(width):
                length = int.from_bytes(entries[:2], "big")
                entry, entries = entries[2 : 2 + length], entries[2 + length :]
                Entry.decode(entry)
                assert merkle.leaf_hash(entry) == tile[32 * place : 32 * place + 32]
            assert not entries
            hashes += [tile[32 * place : 32 * place + 32] for place in range(width)]
        assert merkle.root_of(hashes) == checkpoint.root
        assert get(address, merkle.tile_path(1, 0, len(hashes) // 256))[2] == merkle.root_of(
            hashes[:256]
        )
        assert get(address, "tile/0/000.p/7")[2] == b"".join(hashes[:7])
        last = merkle.tile_path(0, len(hashes) // 256, len(hashes) % 256 + 1)
        for missing in (
            last,
            "tile/0/999",
            "tile/0/000.p/256",
            "tile/2/000.p/1",
            "tile/64/000",
            "tile/0/00",
            "tile/0/x000/000",
        ):
            assert get(address, missing)[0] == 404


def test_the_keys_of_the_log_are_listed_and_added(
    own_log: Path, new_game: Callable[..., Game]
) -> None:
    refused = managed("keys", "log", "--add")
    assert (refused.returncode, "There is no log yet" in refused.stderr) == (1, True)
    new_game()
    Sealer().seal()
    (first,) = managed("keys", "log").stdout.splitlines()
    added = managed("keys", "log", "--add")
    assert added.stdout.splitlines()[0] == first
    second = added.stdout.splitlines()[1]
    new_game()
    Sealer().seal()
    assert managed("keys", "log").stdout.splitlines() == [first, second]
    own_log.unlink()
    refused = managed("keys", "log", "--add")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)


def test_a_late_sealer_makes_no_time_wrong(
    own_log: Path, new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game starts before the log says so, but not before its lobby opens."""

    def late(at_s: int, number: int) -> Entry:
        return heartbeat_entry(at_s + 3600, number)

    monkeypatch.setattr(sealing, "heartbeat_entry", late)
    game = new_game(2)
    Sealer().seal()
    assert verify_game(game.id).findings == []
    with unprotected("games_game", "games_commit") as owner:
        for change in (
            "UPDATE games_game SET started_at = started_at - interval '90 s' WHERE id = %s",
            "UPDATE games_commit SET at = at - interval '90 s' WHERE game_id = %s",
        ):
            owner.execute(change, [game.id])
    assert "by the heartbeats" in str(verify_game(game.id).findings)
