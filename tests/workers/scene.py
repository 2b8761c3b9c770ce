"""Games with a clock that the test turns itself."""

from datetime import timedelta
from typing import Any

from django.db import connection

from games.models import Commit, Game, Schedule
from games.play import service
from games.workers.clock import Clock
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import Ticked
from tests.builders import NewGame


def race(new_game: NewGame, seats: int = 2, roll_ms: int = 50) -> Game:
    """Start races without any pause between them."""
    return new_game(seats, "ready_set_bet", roll_ms=roll_ms, pause_ms=0, vip=False)


def commands(game: Game) -> list[Any]:
    """The server's own commits of a game, in order, with their times."""
    rows = Commit.objects.filter(game=game, seat=None).order_by("version")
    return [
        (chain.decode_server_command(chain.decode_body(bytes(row.body)).command), row.at)
        for row in rows
    ]


def ticks(game: Game) -> list[int]:
    return [command.alarm for command, _ in commands(game) if isinstance(command, Ticked)]


def make_due(game: Game, late: timedelta = timedelta(0)) -> None:
    with connection.cursor() as cursor:
        for table in ("games_head", "games_schedule"):
            cursor.execute(
                f"UPDATE {table} SET due_at = clock_timestamp() - %s * interval '1 s' "
                "WHERE game_id = %s",
                (late.total_seconds(), game.id),
            )
    Schedule.objects.filter(game=game).update(claimed_until=None)


def step(clock: Clock | None = None) -> int:
    return event_loop.call((clock or Clock()).step())


def legal(game: Game, seat: int) -> list[Any]:
    return event_loop.call(service.legal(game.id, Seat(seat), 500))[1]
