"""Keys of acknowledgements in the log, and acknowledgements compared with a log that has them."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
import structlog.testing
from django.conf import settings
from django.test import override_settings

from games.keys import acknowledging
from games.log.sealing import ForkedError, Sealer
from games.models import Game, LogEntry, PendingEntry
from games.play import service
from games.proofs.acknowledgements import acknowledge
from gameserver.processes.startup import set_up
from kit import event_loop
from kit.database import BoundedConnection
from railbird_engine import Seat
from railbird_engine.audit.acknowledgements import LoggedKeys, Validity, key_entry
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.log import Entry
from railbird_engine.kernel.chain import Kind
from tests.builders import NewGame
from tests.log.scene import monitor
from tests.processes import served_here
from tests.servers import SETTINGS


@pytest.fixture
def ack_key(own_log: Path, tmp_path: Path) -> Iterator[Path]:
    with override_settings(ACK_KEY_FILE=tmp_path / "ack"):
        acknowledging.add(tmp_path / "ack", settings.LOG_ORIGIN)
        yield tmp_path / "ack"


def acknowledged(game: Game, spot: int) -> str:
    async def play() -> str:
        command, id_ = {"type": "take_spot", "spot": spot}, uuid4()
        stored = await service.play(game.id, Seat(0), command, id_)
        return await acknowledge(Seat(0), id_, stored)

    return event_loop.call(play())


def key_entries() -> list[Entry]:
    rows = LogEntry.objects.order_by("index").values_list("entry", flat=True)
    found = [Entry.decode(bytes(row)) for row in rows]
    return [entry for entry in found if entry.kind is Kind.KEY]


def monitored(address: str, folder: Path, notes: Sequence[str]) -> tuple[int, str]:
    (folder / "acks").write_bytes(b"".join(msgspec.json.encode(note) + b"\n" for note in notes))
    return monitor(address, folder / "state", "--acknowledgements", str(folder / "acks"))


def test_the_sealer_logs_each_key_and_its_end_once(ack_key: Path) -> None:
    sealer = Sealer()
    sealer.seal()
    (first,) = acknowledging.public(ack_key)
    assert key_entries() == [key_entry(first.verifier.key, first.validity, 0)]
    assert sealer.seal() == Sealer().seal() == 0
    second = acknowledging.add(ack_key, settings.LOG_ORIGIN)
    retired = acknowledging.retire(ack_key, first.verifier.key_id.hex())
    sealer.seal()
    assert key_entries()[1:] == [
        key_entry(first.verifier.key, retired.validity, 1),
        key_entry(second.verifier.key, second.validity, 0),
    ]
    keys = LoggedKeys()
    for index, entry in enumerate(key_entries()):
        keys.take(entry, index)
    one, other = (keys.known[each.verifier.key] for each in (first, second))
    assert [size for size in range(5) if one.counts(size)] == [1]
    assert [size for size in range(5) if other.counts(size)] == [3, 4]


@pytest.mark.parametrize(
    "entry",
    [
        key_entry(b"k" * 32, Validity(1, 9), 1),
        key_entry(b"k" * 32, Validity(1, 9), 0),
        key_entry(b"k" * 32, Validity(0, 5), 1)._replace(version=2),
        key_entry(b"k" * 32, Validity(0, 5), 1)._replace(name=uuid4()),
    ],
)
def test_the_time_of_a_key_only_ends_earlier(entry: Entry) -> None:
    keys = LoggedKeys()
    keys.take(key_entry(b"k" * 32, Validity(0, 8), 0), 0)
    with pytest.raises(DivergenceError):
        keys.take(entry, 1)


def test_the_database_cannot_have_the_sealer_log_a_key(ack_key: Path) -> None:
    forged = key_entry(b"k" * 32, Validity(0, 2**40), 0)
    row = PendingEntry.objects.create(name=forged.name, entry=forged.encode())
    with pytest.raises(ForkedError, match="no lobby's"):
        Sealer().seal()
    row.delete()


def test_acknowledgements_are_compared_with_the_log(
    ack_key: Path, new_game: NewGame, tmp_path: Path
) -> None:
    game, sealer = new_game(1), Sealer()
    sealer.seal()
    first = acknowledged(game, 1)
    second = acknowledged(game, 2)
    sealer.seal()
    with served_here() as address:
        code, line = monitored(address, tmp_path, [first, second])
        assert (code, "2 signed notes, 1 confirmed" in line) == (0, True), line
        own = Path(settings.ACK_KEY_FILE)
        with override_settings(ACK_KEY_FILE=tmp_path / "unknown"):
            acknowledging.add(tmp_path / "unknown", settings.LOG_ORIGIN)
            text = second.rpartition("\n\n")[0] + "\n"
            stranger = acknowledging.sign(tmp_path / "unknown", text)
        code, line = monitored(address, tmp_path, [stranger])
        assert (code, "a signature by a key that the log names" in line) == (5, True)
        hash_, log = (
            next(row for row in text.split("\n") if row.startswith(name))
            for name in ("hash ", "log ")
        )
        for old, new, field in (
            (hash_, f"hash {64 * '0'}", "acknowledgement"),
            (log, f"log 1 {64 * '0'}", "history"),
            (log, f"log 9999 {64 * '0'}", "size"),
            (f"name {game.log_name}", f"name {uuid4()}", "name"),
        ):
            forged = acknowledging.sign(own, text.replace(old, new))
            code, line = monitored(address, tmp_path, [forged])
            assert (code, f": {field}: expected" in line) == (1, True), line


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Read the settings and keys as a web process does at its start."""
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", SETTINGS)
    monkeypatch.setattr(BoundedConnection, "answer_within_s", None)

    def start() -> None:
        set_up("web", answer_within_s=1.0, acknowledges=True)
        BoundedConnection.answer_within_s = None

    return start


def test_a_web_process_with_a_key_of_another_log_stops_with_one_line(
    ack_key: Path, starts: Callable[[], None]
) -> None:
    starts()
    with override_settings(LOG_ORIGIN="games.example.org/log"):
        with pytest.raises(SystemExit) as stopped:
            starts()
        line = str(stopped.value.code)
        assert "set LOG_ORIGIN to localhost/log, or" in line
        assert "\n" not in line
        acknowledging.add(ack_key, settings.LOG_ORIGIN)
        starts()


def test_a_web_process_without_the_public_half_of_its_key_stops_with_one_line(
    ack_key: Path, starts: Callable[[], None]
) -> None:
    ack_key.with_name("ack.pub").unlink()
    with pytest.raises(SystemExit, match=r"ack\.pub lacks the public half"):
        starts()


def test_a_start_warns_of_a_key_that_expires(
    ack_key: Path, starts: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with structlog.testing.capture_logs() as logs:
        starts()
        monkeypatch.setattr(acknowledging, "VALID_S", acknowledging.WARN_S - 1)
        acknowledging.add(ack_key, settings.LOG_ORIGIN)
        starts()
    assert [log["days"] for log in logs if log["event"] == "ack_key_expires"] == [29]
