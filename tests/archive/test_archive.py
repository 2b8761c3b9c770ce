"""A month is archived, and every call about its games answers as before."""

import io
import json
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from threading import Thread
from unittest.mock import patch
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client, override_settings
from msgspec import structs
from msgspec.json import encode as json_encode
from structlog.testing import capture_logs
from uuid_utils.compat import uuid7

from accounts.models import User
from games import lobbies
from games.archive import months, reading, records
from games.log.sealing import Sealer
from games.models import ArchivedGame, Commit, Game, Head
from games.operators import actions
from games.play import corrections
from games.proofs import archiving
from games.proofs.bundles import bundled
from games.proofs.verification import verify_game
from kit import event_loop, metrics
from kit.object_storage import ObjectStorage
from kit.partitions import first_id, made_at
from kit.problems import Problem
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.verify import verify
from railbird_engine.kernel.chain import decode_body
from tests.api.rest import Caller
from tests.archive.conftest import SPOTS
from tests.archive.past import as_owner, end_of
from tests.archive.scene import answers, archive, forget, left, place_of
from tests.audit.honest import rules_of
from tests.builders import NewGame, NewUser
from tests.commands import managed
from tests.moves import take_in_turn

pytestmark = pytest.mark.ci


def test_every_call_answers_as_before(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    user = games[0].lobby.host
    before = [answers(game, game.lobby.host) for game in games]
    found = [verify_game(game.id) for game in games]
    assert not any(each.findings for each in found)
    archived = archive(month, storage, user)
    assert archived.games == 2
    assert [left(game) for game in games] == [0, 0]
    assert [answers(game, game.lobby.host) for game in games] == before
    assert [verify_game(game.id) for game in games] == found
    assert [left(game) for game in games] == [0, 0], "the calls brought nothing back"


def test_a_command_that_is_sent_again_is_answered_as_before(
    month: date, storage: Path, games: list[Game]
) -> None:
    game = games[0]
    first = Commit.objects.filter(game=game, seat=0).order_by("version")[0]
    command = json.loads(bytes(decode_body(bytes(first.body)).command or b""))
    again = {"id": str(first.command_id), "command": command}
    late = {"not_after": "2020-01-01T00:00:00Z"}
    bodies = (
        again,
        again | late,
        again | {"command": command | {"spot": 30}},
        again | {"id": str(uuid4())},
        again | {"id": str(uuid4())} | late,
    )

    def sent() -> list[tuple[int, str]]:
        caller = Caller(game.lobby.host)
        found = [caller.post(f"/games/{game.id}/commands/", body) for body in bodies]
        return [(each.status, each.data.get("code", each.data)) for each in found]

    before = sent()
    archive(month, storage, game.lobby.host)
    assert sent() == before
    assert [status for status, _ in before] == [201, 201, 422, 409, 409]


@contextmanager
def a_gift_in(game: Game) -> Iterator[None]:
    """A transfer that no commit explains, by the owner of the tables. It vanishes in the end."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(
            "INSERT INTO accounts_transfer (cause, number, position, debit_id, credit_id, amount, "
            "reason) SELECT %s, 7, 9, min(id), max(id), 5, 'gift' FROM accounts_account "
            "WHERE book = %s",
            [game.id, game.id],
        )
        try:
            yield
        finally:
            owner.execute("ALTER TABLE accounts_transfer DISABLE TRIGGER append_only_rows")
            owner.execute("DELETE FROM accounts_transfer WHERE reason = 'gift'")
            owner.execute("ALTER TABLE accounts_transfer ENABLE ALWAYS TRIGGER append_only_rows")


@pytest.mark.slow
def test_a_transfer_between_books_that_no_commit_explains_is_not_archived(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    with a_gift_in(games[0]), pytest.raises(archiving.NotArchivedError, match=str(games[0].id)):
        archive(month, storage, new_user())
    archive(month, storage, new_user())


@pytest.mark.slow
def test_the_bundle_of_an_archived_game_shows_a_transfer_that_no_commit_explains(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    game = games[0]
    archive(month, storage, new_user())
    path = f"/audit/games/{game.id}/bundle/"

    def verified() -> int:
        content = Caller(game.lobby.host).get(path).content
        return verify(io.BytesIO(content), rules_of).games

    with a_gift_in(game), pytest.raises(DivergenceError) as found:
        verified()
    assert found.value.field.startswith("rows of transfers")
    assert verified() == 1


def test_the_stored_bundle_verifies_offline_and_its_game_is_not_corrected(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    archive(month, storage, new_user())
    place = place_of(games[0])
    stored = (storage / place.object).read_bytes()[place.start : place.start + place.length]
    record = records.decode(stored)
    found = verify(io.BytesIO(record.bundle), rules_of)
    assert (found.games, found.bets) == (1, SPOTS)
    operator, game = new_user(), games[0].id
    with pytest.raises(Problem, match="game_archived"):
        actions.annotate(operator, game, "a late note")
    with pytest.raises(Problem, match="game_archived"):
        actions.void_game(operator, game, "a late decision")
    with pytest.raises(Problem, match="game_archived"):
        actions.void_bet(operator, game, 3, "a late decision")


def unlink(path: Path, _place: ArchivedGame) -> None:
    path.unlink()


def truncate(path: Path, place: ArchivedGame) -> None:
    path.write_bytes(path.read_bytes()[: place.start + place.length - 1])


def change_one_byte(path: Path, place: ArchivedGame) -> None:
    content = bytearray(path.read_bytes())
    content[place.start + place.length // 2] ^= 1
    path.write_bytes(content)


def test_a_damaged_object_is_an_error(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    archive(month, storage, new_user())
    damaged, intact = games
    place = place_of(damaged)
    path = storage / place.object
    stored = path.read_bytes()
    caller, of_game = Caller(damaged.lobby.host), f"/games/{damaged.id}"
    paths = [
        *(f"{of_game}/{part}/" for part in ("commits", "bets", "transfers", "purses")),
        *(f"{of_game}/", f"{of_game}/view/?version=3"),
        *(f"/audit{of_game}/bundle/", f"/audit{of_game}/bets/1/receipt/"),
        *(f"/bets/?game={damaged.id}", f"/bets/export/?game={damaged.id}"),
    ]
    for damage, reason, asked in (
        (unlink, "missing", paths[1:2]),
        (truncate, "changed", paths[1:2]),
        (change_one_byte, "changed", paths),
    ):
        damage(path, place)
        forget()
        before = metrics.ARCHIVE_FAILURES.labels(reason)._value.get()
        for address in asked:
            answer = caller.get(address)
            assert answer.problem == (500, "archive_damaged"), address
            assert answer.data["data"] == {"game": str(damaged.id)}
        assert metrics.ARCHIVE_FAILURES.labels(reason)._value.get() - before == len(asked)
        if damage is not change_one_byte:
            path.write_bytes(stored)
    with pytest.raises(Problem, match="archive_damaged"):
        verify_game(damaged.id)
    assert Caller(intact.lobby.host).get(f"/games/{intact.id}/bets/").status == 200
    path.write_bytes(stored)
    place.game_id = intact.id
    with pytest.raises(Problem, match="archive_damaged"):
        reading.read(place)


@pytest.mark.slow
def test_the_pass_reads_every_archived_game_and_finds_damage(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    archive(month, storage, new_user())
    place = place_of(games[1])
    change_one_byte(storage / place.object, place)
    with capture_logs() as logs:
        assert set(iter(reading.Pass().read_next, None)) >= {game.id for game in games}
    found = [line["game"] for line in logs if line["event"] == "archive_damaged"]
    assert str(games[1].id) in found
    assert str(games[0].id) not in found


def test_a_process_keeps_few_records(
    month: date,
    storage: Path,
    games: list[Game],
    new_user: NewUser,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive(month, storage, new_user())
    reads: list[str] = []
    read = ObjectStorage.read

    def counted(self: ObjectStorage, name: str, start: int, length: int) -> bytes:
        reads.append(name)
        return read(self, name, start, length)

    monkeypatch.setattr(ObjectStorage, "read", counted)
    places = [place_of(game) for game in games]
    for place in places * 2:
        reading.read(place)
    assert len(reads) == 2
    monkeypatch.setattr(reading, "KEPT_BYTES", 1)
    forget()
    for place in places * 2:
        reading.read(place)
    assert len(reads) == 6


def test_an_interrupted_run_continues_where_it_was(
    month: date,
    storage: Path,
    games: list[Game],
    new_user: NewUser,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archiving, "OBJECT_BYTES", 1)
    verified: list[UUID] = []
    check = archiving._verify

    def stop_at_second(place: archiving.Indexed, *rest: object) -> None:
        if verified:
            raise KeyboardInterrupt
        verified.append(place.game)
        check(place, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(archiving, "_verify", stop_at_second)
    with pytest.raises(KeyboardInterrupt):
        archive(month, storage, new_user())
    assert verified == [games[0].id]
    assert all(left(game) for game in games), "nothing leaves before all games are verified"
    again: list[UUID] = []

    def note(place: archiving.Indexed, *rest: object) -> None:
        again.append(place.game)
        check(place, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(archiving, "_verify", note)
    assert archive(month, storage, new_user()).games == 2
    assert again == [games[1].id]


@pytest.mark.slow
def test_a_second_run_at_the_same_time_is_refused(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    objects = ObjectStorage(storage.as_uri(), patient=True)
    refused: list[str] = []

    def run(on_games: Callable[[int, int], None]) -> archiving.Archived:
        return archiving.archive(
            month, objects, by=operator, reason="a test of archives", on_games=on_games
        )

    def second() -> None:
        try:
            run(lambda *_: None)
        except archiving.NotArchivedError as error:
            refused.append(str(error))
        finally:
            connection.close()

    def meanwhile(done: int, _: int) -> None:
        if done == len(games):
            other = Thread(target=second)
            other.start()
            other.join()

    operator = new_user()
    with as_owner():
        assert run(meanwhile).games == 2
    assert refused == ["another run of this command is archiving"]


@pytest.mark.slow
def test_a_disk_that_is_full_stops_the_run_and_the_next_one_continues(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
    try:
        with pytest.raises(archiving.NotArchivedError) as refused:
            archive(month, storage, new_user())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert "\n" not in str(refused.value)
    assert all(left(game) for game in games)
    objects = ObjectStorage(storage.as_uri())
    assert objects.names(f"{month:%Y-%m}") == []
    assert archive(month, storage, new_user()).games == 2
    assert Caller(games[0].lobby.host).get(f"/games/{games[0].id}/bets/").status == 200


@pytest.mark.slow
def test_a_database_older_than_its_archive_is_archived_again(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    objects = ObjectStorage(storage.as_uri(), patient=True)
    (stored,) = archiving._store(month, [game.id for game in games], objects)
    written = objects.names(f"{month:%Y-%m}")
    # The index was cut off by a loss of power, and the archive knows a game that the dump lacks.
    index = storage / next(name for name in written if name.endswith(archiving.INDEX))
    cut = index.with_name(f"{'0' * 64}{archiving.INDEX}")
    cut.write_bytes(index.read_bytes()[:-9])
    unknown = structs.replace(stored[0], game=uuid4())
    index.with_name(f"{'1' * 64}{archiving.INDEX}").write_bytes(json_encode(unknown))
    assert archive(month, storage, new_user()).games == 2
    assert [bytes(place_of(game).digest) for game in games] == [each.digest for each in stored]


@pytest.mark.slow
def test_a_game_that_changed_since_an_interrupted_run_is_stored_again(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    objects = ObjectStorage(storage.as_uri(), patient=True)
    (stored,) = archiving._store(month, [game.id for game in games], objects)
    event_loop.call(corrections.annotate(games[0].id, "a note that came late", uuid4()))
    lobbies.settle_ended()
    Sealer().seal()
    archive(month, storage, new_user())
    assert [place_of(game).digest for game in games] != [each.digest for each in stored]
    assert bytes(place_of(games[1]).digest) == stored[1].digest
    commits = Caller(games[0].lobby.host).get(f"/games/{games[0].id}/commits/?limit=100").data
    assert commits["commits"][-1]["events"][0]["type"] == "intervened"


@pytest.mark.slow
def test_a_month_with_an_unsealed_game_is_not_archived(
    month: date, storage: Path, games: list[Game], new_user: NewUser, new_game: NewGame
) -> None:
    running = new_game(2)
    with pytest.raises(archiving.NotArchivedError, match=f"game_not_ended.*{running.id}"):
        archive(month, storage, new_user())
    assert all(left(game) for game in games)
    event_loop.call(corrections.void(running.id, "nobody came back"))
    lobbies.settle_ended()
    Sealer().seal()
    assert archive(month, storage, new_user()).games == 3


@pytest.mark.slow
def test_a_correction_while_a_month_is_detached_stops_it(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    def corrected(*args: object, **named: object) -> object:
        event_loop.call(corrections.annotate(games[0].id, "just in time", uuid4()))
        with transaction.atomic():
            Head.objects.filter(game=games[0]).update(settled=True, sealed=True)
            return months.detach(*args, **named)  # type: ignore[arg-type]

    with (
        patch("games.proofs.archiving.detach", corrected),
        pytest.raises(
            archiving.NotArchivedError, match=f"game {games[0].id} was corrected meanwhile"
        ),
    ):
        archive(month, storage, new_user())
    lobbies.settle_ended()
    Sealer().seal()
    assert archive(month, storage, new_user()).games == 2


@pytest.mark.slow
def test_a_bundle_of_a_game_that_is_archived_meanwhile_ends_early(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    game = Game.objects.select_related("head").get(id=games[0].id)
    parts = bundled([game])
    begun = [next(parts), next(parts)]
    assert [json.loads(part)["type"] for part in begun] == ["bundle", "game"]
    archive(month, storage, new_user())
    with pytest.raises(Problem, match="busy"):
        list(parts)
    later = b"".join(bundled([game]))
    assert verify(io.BytesIO(later), rules_of).games == 1


def test_archived_and_other_games_are_listed_together(
    month: date, storage: Path, games: list[Game], new_user: NewUser, new_game: NewGame
) -> None:
    with patch("kit.partitions.new_id", uuid7):
        other = new_game(2)
    take_in_turn(other, 1)
    wanted = [games[0].id, other.id]
    fields = " ".join(
        f'g{place}: game(id: "{game}") {{ bets(first: 2) {{ edges {{ node {{ spot }} }} }} }}'
        for place, game in enumerate(wanted)
    )
    caller = Caller(games[0].lobby.host)
    headers = {"Authorization": f"Bearer {caller.token}"}

    def ask() -> object:
        body = json.dumps({"query": f"query {{ {fields} }}"})
        return caller.client.post(
            "/graphql/", body, content_type="application/json", headers=headers
        ).json()["data"]

    before = ask()
    archive(month, storage, new_user())
    assert ask() == before


@pytest.mark.slow
def test_the_admin_finds_the_rows_of_an_archived_game(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    user, game = new_user(), games[0]
    User.objects.filter(id=user.id).update(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(user)
    lists = [f"/admin/games/game/{game.id}/commits/", f"/admin/games/game/bets/?game={game.id}"]

    def shown(address: str) -> str:
        return client.get(address).content.decode().partition('class="results"')[2]

    before = [shown(address) for address in lists]
    assert all(page.count("<tr") > SPOTS for page in before)
    archive(month, storage, new_user())
    assert [shown(address) for address in lists] == before
    page = client.get(f"/admin/games/game/{game.id}/change/").content.decode()
    place = place_of(game)
    assert f"{place.object}, {place.length} bytes from {place.start}" in page
    (storage / place.object).unlink()
    forget()
    for address in lists:
        answer = client.get(address)
        assert (answer.status_code, b"archive_damaged" in answer.content) == (200, True)


@pytest.mark.slow
def test_fairness_tests_archived_games_and_names_those_that_it_cannot_read(
    month: date, storage: Path, own_log: Path, new_game: NewGame, new_user: NewUser
) -> None:
    # No other test reports on these rules: it would meet the game whose archive is gone.
    slug = "set_dice"
    game = new_game(2, slug=slug)
    event_loop.call(corrections.void(game.id, "the test is over"))
    lobbies.settle_ended()
    Sealer().seal()

    def said() -> str:
        done = managed("fairness", "--game", slug)
        return f"{done.returncode} {done.stdout}"

    before = said()
    assert " 0 draws" not in before
    archive(month, storage, new_user())
    assert said() == before
    (storage / place_of(game).object).unlink()
    forget()
    after = said()
    assert after.startswith("1 ")
    assert f"game {game.id}: archive_damaged" in after


def test_archived_months_are_listed(
    month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    caller = Caller(games[0].lobby.host)
    game, name = games[0].id, f"{month:%Y-%m}"
    assert name not in [row["month"] for row in caller.get("/audit/archive/").data]
    listed = caller.get("/bets/").data["items"]
    assert str(game) in [row["game"] for row in listed]
    archive(month, storage, new_user())
    (row,) = [row for row in caller.get("/audit/archive/").data if row["month"] == name]
    assert row["games"] == 2
    assert caller.get("/bets/").data["items"] == [], "lists over all games leave it out"


def archived_by_command(before: str, by: User, capsys: pytest.CaptureFixture[str]) -> str:
    with as_owner():
        call_command("archive", before=before, reason="a test of archives", by=by.username)
    forget()
    return capsys.readouterr().out


@pytest.mark.slow
def test_the_command_archives_all_earlier_months(
    month: date,
    storage: Path,
    games: list[Game],
    new_user: NewUser,
    capsys: pytest.CaptureFixture[str],
) -> None:
    operator = new_user()
    User.objects.filter(id=operator.id).update(is_staff=True)
    before = f"{end_of(month):%Y-%m}"
    said = archived_by_command(before, operator, capsys)
    assert f"{month:%Y-%m}: 2 games archived" in said
    assert [left(game) for game in games] == [0, 0]
    assert archived_by_command(before, operator, capsys) == ""


@pytest.mark.parametrize(
    ("before", "by", "said"),
    [
        ("2026-13", "staff", "--before must look like 2026-05, not '2026-13'"),
        ("2999-01", "staff", "--before 2999-01: the current month and later ones stay"),
        ("2001-01", "nobody-here", "nobody-here is not a member of staff"),
    ],
)
def test_the_command_refuses_with_one_line(
    new_user: NewUser, before: str, by: str, said: str
) -> None:
    operator = new_user()
    User.objects.filter(id=operator.id).update(is_staff=True)
    name = operator.username if by == "staff" else by
    with pytest.raises(CommandError) as refused:
        call_command("archive", before=before, reason="a test of archives", by=name)
    assert str(refused.value) == said


def test_the_command_refuses_a_storage_that_is_not_there(new_user: NewUser, tmp_path: Path) -> None:
    operator = new_user()
    User.objects.filter(id=operator.id).update(is_staff=True)
    (tmp_path / "file").touch()
    url = (tmp_path / "file" / "archive").as_uri()
    with override_settings(ARCHIVE_URL=url), pytest.raises(CommandError) as refused:
        call_command("archive", before="2026-01", reason="a test", by=operator.username)
    assert "\n" not in str(refused.value)


def test_records_have_all_columns_of_the_tables() -> None:
    for table in records.TABLES:
        assert set(table.columns) == {
            field.attname for field in table.model._meta.concrete_fields
        }, table.name


@pytest.mark.parametrize("path", ["/bets/", "/bets/export/"])
def test_a_game_of_a_month_after_all_calendars_has_no_rows(new_user: NewUser, path: str) -> None:
    after_all = UUID(int=2**128 - 1)
    assert Caller(new_user()).get(f"{path}?game={after_all}").status == 200


def test_current_games_cost_no_query() -> None:
    now = uuid7()
    assert not reading.may_be_archived(UUID(int=now.int))
    assert reading.may_be_archived(first_id(date(2020, 1, 1)))
    assert made_at(now).year >= 2024
