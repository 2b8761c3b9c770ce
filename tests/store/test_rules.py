"""Builds with different rules beside each other: each continues only the games that it can."""

import asyncio
import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import httpx
import pytest
from django.core.management import CommandError, call_command

from accounts import ledger
from accounts.models import User
from bench.free_spots import FreeSpots
from games import lobbies
from games.api.sockets.frames import CloseCode
from games.models import Head, OfferedRules, Schedule
from games.play import corrections, service
from games.proofs.verification import verify_game
from games.reads.lobbies import lobby_for
from games.store import heads, registry
from kit import event_loop
from kit.problems import Problem
from railbird_engine import Seat
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from tests.api.sockets import joined, seated
from tests.builders import NewGame, NewUser, start_game
from tests.gameserver.scene import web
from tests.moves import forget, take
from tests.store.scene import build
from tests.workers.scene import make_due

pytestmark = pytest.mark.xdist_group("clock")


class NextFreeSpots(FreeSpots):
    version = 2


@pytest.fixture(autouse=True)
def _nothing_else_is_due() -> Iterator[None]:
    Schedule.objects.update(due_at=None, bots_due_at=None)
    yield
    OfferedRules.objects.all().delete()


def claimed() -> list[str]:
    claims = event_loop.call(heads.claim_due(10))
    return [str(claim.game) for claim in claims]


def test_a_clock_leaves_games_alone_that_its_build_cannot_continue(new_game: NewGame) -> None:
    game = new_game(2, "ready_set_bet", roll_ms=50)
    make_due(game)
    Schedule.objects.filter(game=game).update(bots_due_at="2026-01-01T00:00:00Z")
    with build(without="ready_set_bet"):
        assert claimed() == []
        assert event_loop.call(heads.claim_bots(1, [], 10)) == []
    assert claimed() == [str(game.id)]
    assert [woken.game for woken in event_loop.call(heads.claim_bots(1, [], 10))] == [game.id]


async def test_a_web_process_sends_clients_of_such_a_game_elsewhere(new_game: NewGame) -> None:
    game, (token, _) = await seated(new_game)
    async with web(EXTRA_RULES="bench.metronome") as (_, address):
        async with joined(address, game.id, token) as client:
            code, last = await client.closed()
        assert (code, last["code"]) == (CloseCode.UNAVAILABLE, "rules_missing")
        for path in ("view/", "view/?version=1", "views/?from=1"):
            answer = await asyncio.to_thread(
                httpx.get,
                f"http://{address}/api/v1/games/{game.id}/{path}",
                headers={"Authorization": f"Bearer {token}"},
            )
            assert (answer.status_code, answer.json()["code"]) == (503, "rules_missing"), path


def test_a_game_needs_the_edition_that_it_began_with(new_game: NewGame) -> None:
    game = new_game(2, "ready_set_bet", roll_ms=50)
    make_due(game)
    needs = Head.objects.get(game=game).rules
    slug, version, edition = needs.split(" ")
    assert (slug, int(version)) == ("ready_set_bet", game.rules_version)
    Head.objects.filter(game=game).update(rules=f"{slug} {version} {edition[::-1]}")
    assert claimed() == []


def test_a_game_without_rules_can_be_voided_and_is_paid_back(
    new_game: NewGame, new_user: Callable[[], User]
) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=40))
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    take(game, 1)
    with build(without="free_spots"):
        forget(game)
        with pytest.raises(Problem, match="rules_missing"):
            event_loop.call(service.view(game.id, Seat(0)))
        assert event_loop.call(corrections.void(game.id, "its rules are gone"))
        lobbies.settle_ended()
    assert Head.objects.get(game=game).ended == "voided"
    assert [ledger.wallet_of(person).balance for person in (host, guest)] == [1000, 1000]
    assert verify_game(game.id).findings == []


def test_a_new_version_is_shipped_first_and_offered_later(new_game: NewGame) -> None:
    call_command("rules", "--offer", stdout=StringIO())
    old = new_game(2)
    with build(NextFreeSpots()):
        shipped = new_game(2)
        call_command("rules", "--offer", stdout=StringIO())
        offered = new_game(2)
        report = StringIO()
        call_command("rules", stdout=report)
    assert [game.rules_version for game in (old, shipped, offered)] == [1, 1, 2]
    assert "free_spots 2 offered" in report.getvalue()
    with pytest.raises(Problem, match="unknown_game"):
        new_game(2)


def test_a_game_that_was_installed_later_is_offered_in_its_newest_version(
    new_game: NewGame,
) -> None:
    with build(without="free_spots"):
        call_command("rules", "--offer", stdout=StringIO())
    OfferedRules.objects.filter(slug="free_spots").delete()
    with build(NextFreeSpots()):
        assert registry.offered().keys() == registry.catalogue().keys()
        assert new_game(2).rules_version == 2


def test_a_lobby_shows_the_teams_of_the_rules_that_it_opened_with(new_user: NewUser) -> None:
    class OtherTeams(QuitteOuDouble):
        version = QuitteOuDouble.version + 1

        def teams(self, state: Any) -> tuple[tuple[Seat, ...], ...]:
            return ()

    host = new_user()
    lobby = lobbies.create(
        host, lobbies.LobbyChoices(slug="quitte_ou_double", options={"team_count": 3})
    )
    for _ in range(3):
        lobbies.add_bot(host, lobby.id)
    with build(OtherTeams()):
        teams = lobbies.teams_of(lobby_for(host, lobby.id))
    assert teams is not None
    assert sorted(seat for team in teams for seat in team) == [0, 1, 2, 3]


def lacking() -> str:
    try:
        call_command("rules", "--needed")
    except CommandError as error:
        return str(error)
    return ""


def test_games_that_a_build_cannot_continue_are_named(
    new_game: NewGame, capsys: pytest.CaptureFixture[str]
) -> None:
    game = new_game(2)
    assert "free_spots 1" not in lacking()
    assert str(game.id) not in capsys.readouterr().out
    with build(without="free_spots"):
        assert re.search(r"this build lacks: .*free_spots 1 \(\d+ games\)", lacking())
    assert f"{game.id} needs free_spots 1\n" in capsys.readouterr().out
