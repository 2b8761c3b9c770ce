"""Slow tables: games of people who are never present together, played over days.

No test waits: the times that the database stores are moved into the past.
"""

import shutil
import subprocess
import sys
from datetime import date, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts import vacations
from accounts.models import User, Vacation
from games import following, lobbies
from games.log import sealing
from games.models import Game, Head, Lobby, Schedule
from games.play import absence, agreements, corrections, service
from games.play.commit import RefusedError
from games.proofs.verification import ledger_findings, verify_game
from games.reads import absences
from games.reads.filters import GameFilter
from games.reads.games import games_for
from games.store import loaded_games
from games.store.heads import Claim
from games.store.registry import catalogue
from games.workers.clock import LATE_MS, SLOW_CLAIMS_MAX, Clock
from kit import event_loop
from notices import inbox
from notices.models import Notice
from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims, ask_bot
from railbird_engine.kernel.server_commands import Paused, SeatReplaced, Ticked
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from tests.archive.past import as_owner, end_of, make_months, played_in
from tests.builders import NewUser, empty_log
from tests.lobbies.scene import balance, refused
from tests.processes import READY_WITHIN_S, ROOT, environment_with, kill, worker
from tests.waiting import until
from tests.workers.scene import commands

pytestmark = pytest.mark.xdist_group("clock")

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
YEAR = 365 * DAY
DECISIONS_MAX = 40
SLOW_GAMES = sorted(slug for slug, rules in catalogue().items() if rules.limits)
DAILY = {"level_s": 86_400, "hourglass_s": 86_400, "reveal_s": 86_400}


def open_lobby(host: User, **choices: Any) -> Lobby:
    wanted: dict[str, Any] = {
        "slug": "quitte_ou_double",
        "options": DAILY,
        "capacity": 4,
        "pace": "slow",
    }
    return lobbies.create(host, lobbies.LobbyChoices(start_when_full=True, **(wanted | choices)))


def started(new_user: NewUser, **choices: Any) -> tuple[Game, list[User]]:
    """A slow game of four users."""
    users = [new_user() for _ in range(4)]
    lobby = open_lobby(users[0], **choices)
    for user in users[1:]:
        lobbies.join(user, lobby.id)
    return Game.objects.get(lobby=lobby), users


def head_of(game: Game) -> Head:
    return Head.objects.get(game=game)


def days_pass(time: timedelta) -> None:
    """Move everything that the database expects into the past."""
    moved: dict[str, Any] = {"t": time}
    with connection.cursor() as cursor:
        for statement in (
            "UPDATE games_head SET due_at = due_at - %(t)s WHERE ended = '' AND is_slow",
            "UPDATE games_schedule SET due_at = due_at - %(t)s, claimed_until = NULL WHERE is_slow",
            "UPDATE accounts_vacation SET starts_at = starts_at - %(t)s, ends_at = ends_at - %(t)s",
            "UPDATE games_lobby SET fills_by = fills_by - %(t)s WHERE pace = 'slow'",
            "UPDATE games_reminder SET at = at - %(t)s",
        ):
            cursor.execute(statement, moved)


def ring() -> int:
    """Let the slow clock of a new process step what is due. Return how many games."""

    async def step() -> int:
        loaded_games.loaded_games()._games.clear()
        clock = Clock()
        claims = await clock.claim_slow(SLOW_CLAIMS_MAX)
        await clock.answer_slow(claims)
        return len(claims)

    return event_loop.call(step())


def waiting_for(user: User) -> list[UUID]:
    """The games of the user's list of those that await them."""
    found = GameFilter(awaits="me").narrow(games_for(user), user)
    return [game.id for game in found]


def decide(game: Game, user: User, chance: Whims) -> bool:
    """Let a user decide as a bot would. Return whether it does."""
    loaded = event_loop.call(service.at_head(game.id))
    seat = loaded.seat_of[user.id]
    assert loaded.state is not None
    command = ask_bot(loaded.rules, loaded.state, seat, chance)
    if command is None:
        return False
    event_loop.call(service.play(game.id, seat, msgspec.json.encode(command), uuid4()))
    return True


def server_commands(game: Game, kind: type) -> list[Any]:
    return [command for command, _ in commands(game) if isinstance(command, kind)]


def test_four_users_play_for_sixty_days_with_a_vacation_and_restarts(new_user: NewUser) -> None:
    """Three answer after a day, one lets their time pass, and all go on vacation at once."""
    game, users = started(new_user, vacations=True, options=dict.fromkeys(DAILY, 5 * 86_400))
    chance, played, sleeper = Whims(b"sixty days"), timedelta(), users[3]
    while not (head := head_of(game)).ended:
        awaited = [user for user in users if user.id in (head.awaits or ())]
        assert awaited and all(waiting_for(user) == [game.id] for user in awaited[:1])
        assert game.id not in absences.abandoned_games(0, 1000)
        if played > 20 * DAY and not Vacation.objects.filter(user=sleeper).exists():
            now = timezone.now()
            for user in users:
                vacations.announce(user, now + DAY + HOUR, now + 11 * DAY)
        active = [user for user in awaited if user != sleeper]
        assert head.due_at is not None
        until_due = head.due_at - timezone.now() + HOUR / 2
        is_on = any(decide(game, user, chance) for user in active)
        time = min(40 * HOUR, until_due) if is_on else until_due
        days_pass(time)
        ring()
        played += time
    assert played > 60 * DAY
    assert head.ended == Head.Ended.FINISHED
    (pause,) = server_commands(game, Paused)
    assert pause.late_ms < 3_600_000, "it was on time, and everybody was on vacation"
    assert len(server_commands(game, Ticked)) > 5
    assert verify_game(game.id).findings == []


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLOW_GAMES)
def test_users_who_never_meet_play_every_slow_game_to_its_end(new_user: NewUser, slug: str) -> None:
    """One comes at a time, hours after the one before, and decides what awaits them."""
    options = dict.fromkeys(catalogue()[slug].limits, 10 * 86_400)
    game, users = started(new_user, slug=slug, options=options)
    chance, played = Whims(slug.encode()), timedelta()
    for user in cycle(users):
        if head_of(game).ended:
            break
        assert played < YEAR, "it ends"
        for _ in range(DECISIONS_MAX):
            if user.id not in (head_of(game).awaits or ()) or not decide(game, user, chance):
                break
        days_pass(5 * HOUR)
        ring()
        played += 5 * HOUR
    assert head_of(game).ended == Head.Ended.FINISHED
    assert played > 7 * DAY
    assert server_commands(game, SeatReplaced) == server_commands(game, Paused) == []
    assert verify_game(game.id).findings == []


def next_build(folder: Path) -> dict[str, str]:
    """Copy the rules with a next version of those that are played, which become superseded ones.
    Return the environment of processes of that build."""
    copy = folder / "engine" / "railbird_engine"
    shutil.copytree(ROOT / "engine" / "railbird_engine", copy)
    rules, number = copy / "rules" / "quitte_ou_double", QuitteOuDouble.version
    sound, changed = f"    version = {number}\n", f"    version = {number + 1}\n"
    text = (rules / "rules.py").read_text()
    assert text.count(sound) == 1
    (rules / "rules.py").write_text(text.replace(sound, changed))
    (rules / f"rules_v{number}.py").write_text(
        "from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble\n\n\n"
        f"class Superseded(QuitteOuDouble):\n{sound}"
    )
    return {"PYTHONPATH": str(folder / "engine")}


def rules_of(build: dict[str, str]) -> str:
    """Return what a build says about its rules. Fails if it lacks those of an open game."""
    commands = [[sys.executable, "manage.py", "rules", *more] for more in (["--needed"], [])]
    found = [
        subprocess.run(each, cwd=ROOT, env=environment_with(build), capture_output=True, check=True)
        for each in commands
    ]
    return found[1].stdout.decode()


class Host:
    """Has the only worker, which is killed and upgraded, and archives a month."""

    def __init__(self, folder: Path, month: date, operator: User) -> None:
        self.folder, self.operator = folder, operator
        self.before = f"{end_of(month):%Y-%m}"
        self.worker = worker()

    def start(self) -> None:
        self.worker.start()
        assert self.worker.is_ready(within_s=READY_WITHIN_S)

    def kill(self) -> None:
        kill(self.worker)
        self.start()

    def upgrade(self) -> None:
        build = next_build(self.folder)
        assert f"quitte_ou_double {QuitteOuDouble.version + 1} offered" in rules_of(build)
        self.worker.stop()
        self.worker = worker(build)
        self.start()

    def archive(self) -> None:
        with as_owner():
            call_command("archive", before=self.before, reason="a test", by=self.operator.username)


def play_on(game: Game, users: list[User], chance: Whims) -> None:
    """Let users decide until the game awaits something else."""
    alarm = head_of(game).alarm
    while (head := head_of(game)).alarm == alarm and not head.ended:
        decided = [decide(game, user, chance) for user in users if user.id in (head.awaits or ())]
        assert any(decided), "somebody can decide"


def go_away(game: Game, users: list[User]) -> timedelta:
    """Let all users be on vacation when their time passes. Return after which time they are back,
    and have hours left."""
    now, before = timezone.now(), head_of(game)
    assert before.due_at is not None
    for user in users:
        vacations.announce(user, now + DAY + HOUR, now + 26 * DAY)
    days_pass(away := before.due_at - now + HOUR / 2)
    until(lambda: head_of(game).version > before.version, "the pause")
    due_at = head_of(game).due_at
    assert due_at is not None
    days_pass(rest := due_at - timezone.now() - 20 * HOUR)
    return away + rest


@pytest.mark.slow
def test_a_table_outlives_restarts_an_upgrade_and_the_archive_of_its_month(
    new_user: NewUser, tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A real worker steps sixty days. Coins are at stake: a player who is late forfeits."""
    empty_log()
    following.follow()
    settings.ARCHIVE_URL, month = (tmp_path / "archive").as_uri(), date(1999, 5, 1)
    make_months(month)
    with played_in(month):
        options = dict.fromkeys(DAILY, 5 * 86_400)
        game, users = started(new_user, vacations=True, buy_in=100, options=options)
    operator = new_user()
    User.objects.filter(id=operator.id).update(is_staff=True)
    host = Host(tmp_path, month, operator)
    accidents = [(10, host.kill), (20, host.upgrade), (50, host.kill)]
    chance, played, was_away = Whims(b"sixty days"), timedelta(), False
    try:
        host.start()
        until(lambda: head_of(game).sealed, "the sealer")
        while not head_of(game).ended:
            if accidents and played > accidents[0][0] * DAY:
                accidents.pop(0)[1]()
                with pytest.raises(CommandError, match=f"game_not_ended: game {game.id}"):
                    host.archive()
            if played > 15 * DAY and not was_away:
                was_away = True
                played += go_away(game, users)
            play_on(game, users, chance)
            days_pass(50 * HOUR)
            played += 50 * HOUR
        assert (played > 60 * DAY, head_of(game).ended) == (True, Head.Ended.FINISHED)
        over = Notice.objects.filter(subject=game.id, kind="game_over")
        until(lambda: over.count() == 4, "the end of it is paid out and followed")
        until(lambda: head_of(game).sealed, "the sealer")
    finally:
        host.worker.stop()
    (pause,) = server_commands(game, Paused)
    assert pause.late_ms < 3_600_000, "it was on time, and everybody was on vacation"
    assert (server_commands(game, Ticked), accidents) == ([], [])
    assert sum(balance(user) for user in users) == 4 * 1000
    assert verify_game(game.id).findings == [] == list(ledger_findings())
    for user in users:
        told = list(inbox.read_after(user.id, 0, 1000).notices)
        assert [each.number for each in told] == [*range(1, len(told) + 1)]
        kinds = [each.kind for each in told]
        assert (kinds.count("game_starts"), kinds.count("game_over")) == (1, 1)
    capsys.readouterr()
    host.archive()
    assert f"{month:%Y-%m}: 1 games archived" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("late", "kind"),
    [(timedelta(minutes=59), Ticked), (timedelta(minutes=61), Paused), (30 * DAY, Paused)],
)
def test_a_tick_of_a_slow_table_may_be_an_hour_late(
    new_user: NewUser, late: timedelta, kind: type
) -> None:
    """A later one is paused once: players get the time of their limit again, at most a day."""
    game, _ = started(new_user, options=dict.fromkeys(DAILY, 14 * 86_400))
    days_pass(14 * DAY + late)
    assert ring() == 1
    assert len(server_commands(game, kind)) == 1
    assert len(commands(game)) == 2
    due = head_of(game).due_at
    assert due is not None
    again = DAY if kind is Paused else 14 * DAY
    assert abs(due - timezone.now() - again) < HOUR / 4
    days_pass(again + HOUR / 4)
    assert ring() == 1
    assert server_commands(game, Ticked)


def test_slow_games_are_stepped_one_at_a_time_while_live_ones_are_late(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.workers.clock.LATE_FOR_S", 3600.0)  # however slow the machine is
    game, _ = started(new_user)
    days_pass(DAY)
    later, _ = started(new_user)
    days_pass(DAY)

    async def paces() -> list[set[UUID]]:
        clock, stepped = Clock(), []
        for late_ms, is_again in ((0.0, False), (LATE_MS + 1, True), (LATE_MS + 1, False)):
            await clock.answer([Claim(game.id, head_of_now.version, 999, late_ms, is_again)])
            claims = await clock.claim_slow(clock.slow_pace()[0])
            stepped.append({claim.game for claim in claims})
            await sync_to_async(days_pass)(timedelta())
        return stepped

    head_of_now = head_of(game)
    assert event_loop.call(paces()) == [{game.id, later.id}, {game.id, later.id}, {game.id}]


@pytest.mark.parametrize(("absence_", "forfeits"), [("bot", False), ("forfeit", True)])
def test_absence_acts_when_the_own_limit_of_a_seat_rings(
    new_user: NewUser, absence_: str, forfeits: bool
) -> None:
    """Nobody was ever connected. A user on vacation is not absent."""
    game, users = started(new_user, absence=absence_, vacations=True)
    lobbies.replace_absent(most=1000)
    assert not server_commands(game, SeatReplaced), "presence decides nothing"
    presenter = head_of(game).awaits
    assert presenter is not None
    days_pass(DAY)
    ring()
    (replaced,) = server_commands(game, SeatReplaced)
    assert [users[replaced.seat].id] == presenter
    assert replaced.forfeits == forfeits
    away = users[1]
    now = timezone.now()
    Vacation.objects.create(user=away, starts_at=now, ends_at=now + 9 * DAY)
    assert away.id in (head_of(game).awaits or ())
    days_pass(DAY)
    ring()
    assert {each.seat for each in server_commands(game, SeatReplaced)} == {0, 2, 3}


def test_bots_are_woken_when_a_slow_game_awaits_them(new_user: NewUser) -> None:
    """The presenter chooses the level alone, and bots have nothing to do meanwhile."""
    host = new_user()
    lobby = open_lobby(host)
    for _ in range(3):
        lobbies.add_bot(host, lobby.id)
    game = Game.objects.get(lobby=lobby)
    schedule = Schedule.objects.filter(game=game)
    assert (head_of(game).bots, schedule.get().bots_due_at) == (3, None)
    assert decide(game, host, Whims(b"level"))
    assert schedule.get().bots_due_at is not None


def test_an_idle_slow_game_is_left_alone_by_the_sealer(new_user: NewUser) -> None:
    empty_log()
    game, users = started(new_user)
    sealer = sealing.Sealer()
    assert sealer.seal() > 0
    assert head_of(game).sealed
    assert Lobby.objects.get(game=game).seed is None, "its seed is still secret"
    decide(game, users[0], Whims(b"level"))
    assert not head_of(game).sealed
    assert sealer.seal() == 1
    event_loop.call(corrections.void(game.id, "test"))
    assert sealer.seal() == 1
    assert Lobby.objects.get(game=game).seed is not None


def test_a_slow_game_is_voided_when_all_who_have_seats_agree(new_user: NewUser) -> None:
    game, _ = started(new_user)
    event_loop.call(absence.resign(game.id, Seat(3)))
    for seat in (0, 1):
        event_loop.call(agreements.agree(game.id, Seat(seat), agrees=True))
    event_loop.call(agreements.agree(game.id, Seat(1), agrees=False))
    event_loop.call(agreements.agree(game.id, Seat(2), agrees=True))
    assert (head_of(game).agreed, head_of(game).ended) == ([0, 2], "")
    with pytest.raises(RefusedError, match="seat_forfeited"):
        event_loop.call(agreements.agree(game.id, Seat(3), agrees=True))
    event_loop.call(agreements.agree(game.id, Seat(1), agrees=True))
    assert head_of(game).ended == Head.Ended.VOIDED


def test_a_slow_game_that_never_ends_is_voided_with_refunds(
    new_user: NewUser, settings: Any
) -> None:
    game, users = started(new_user, buy_in=100)
    lobbies.void_endless(most=1000)
    assert not head_of(game).ended
    settings.SLOW_GAME_DAYS = 0
    lobbies.void_endless(most=1000)
    lobbies.settle_ended(most=10_000)
    assert head_of(game).ended == Head.Ended.VOIDED
    assert [balance(user) for user in users] == [1000] * 4
    assert list(ledger_findings()) == []


def test_seats_of_a_slow_lobby_last_until_it_fills_or_two_weeks_have_passed(
    new_user: NewUser, settings: Any
) -> None:
    settings.LOBBY_ABSENT_S = 0
    host, guest = new_user(), new_user()
    lobby = open_lobby(host, buy_in=100)
    lobbies.join(guest, lobby.id)
    lobbies.time_out_absent(most=1000)
    days_pass(13 * DAY)
    lobbies.close_unfilled(most=1000)
    assert Lobby.objects.get(id=lobby.id).seats.count() == 2
    days_pass(DAY + HOUR)
    lobbies.close_unfilled(most=1000)
    assert Lobby.objects.get(id=lobby.id).status == Lobby.Status.CLOSED
    assert [balance(user) for user in (host, guest)] == [1000, 1000]


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ({"options": {}}, "limit_not_slow"),
        ({"options": DAILY | {"level_s": 0}}, "limit_not_slow"),
        ({"slug": "ready_set_bet", "options": {}, "capacity": None}, "pace_not_offered"),
        ({"pace": "live", "vacations": True}, "vacations_need_slow_pace"),
    ],
)
def test_terms_of_a_slow_table_are_checked(
    new_user: NewUser, choices: dict[str, Any], code: str
) -> None:
    assert refused(lambda: open_lobby(new_user(), **choices)) == code


def test_a_vacation_is_announced_a_day_ahead_and_lasts_thirty_days_a_year_at_most(
    new_user: NewUser,
) -> None:
    user = new_user()
    year = timezone.now().replace(month=2, day=1, year=timezone.now().year + 1)
    refusals = [
        (timezone.now() + 23 * HOUR, timezone.now() + 3 * DAY, "vacation_too_soon"),
        (year, year + 31 * DAY, "vacation_too_long"),
        (year, year, "malformed"),
    ]
    for starts, ends, code in refusals:
        assert refused(lambda: vacations.announce(user, starts, ends)) == code  # noqa: B023
    vacations.announce(user, year, year + 20 * DAY)
    assert refused(lambda: vacations.announce(user, year + DAY, year + 30 * DAY)) == (
        "vacations_overlap"
    )
    assert refused(lambda: vacations.announce(user, year + 30 * DAY, year + 41 * DAY)) == (
        "vacation_too_long"
    )
    vacations.announce(user, year + 30 * DAY, year + 39 * DAY)
    (one, two) = vacations.vacations_of(user)
    vacations.end(user, one.id)
    assert list(vacations.vacations_of(user)) == [two]
