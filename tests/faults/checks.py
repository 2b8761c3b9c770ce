"""Invariants after faults, checked by the responses to players and by the database.

| invariant | checked by |
|---|---|
| I1 to I4 | `ledger.divergences`; the database refuses amounts below 1 and overdrafts by itself |
| I5, I6 | each answer against the commits: accepted is stored once, refused is not stored |
| I7, I8 | `verify_game`: versions without a gap, hashes, and a replay of every commit |
| I9 to I11 | `verify_game`: bets, settlements and transfers are those of the replay |
| I12 | `verify_game`: the replay refuses what the rules refuse |
| I13 | each player received every commit as stored in the database |
| I14 | `verify_game`: every draw follows from the seed |
| I15 | no seed in any frame of a running game; each seat receives only events that it may read |
| N1 | notices of each user are numbered without gaps; one start and one end of each game |
| N2 | each notice of a correspondent arrived, under one id and with one body |
"""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from accounts import ledger
from games.live import hubs
from games.models import Commit, Game, Head, Seat
from games.play import corrections, service
from games.proofs.verification import verify_game
from games.store import seeds
from games.store.commits import VERSION_MAX
from kit import event_loop
from kit.problems import Problem
from notices.models import Delivery, Notice
from railbird_engine import Seat as SeatNumber
from tests.faults.correspondents import Correspondents
from tests.faults.players import Player, Sent


class Found(NamedTuple):
    """Responses that the database contradicts, and all other errors."""

    lost: list[Sent]
    doubled: list[Sent]
    findings: list[str]


def void_all(games: Sequence[UUID]) -> None:
    """Void all games, so that their histories end."""
    for game in games:
        while not Head.objects.filter(game=game, ended="voided").exists():
            with suppress(Problem):  # connections of this process may be dead
                event_loop.call(corrections.void(game, "the faults are over"))


def check(games: Sequence[UUID], players: Sequence[Player]) -> Found:
    """Compare the responses to players with the stored rows, and the stored rows with each
    other."""
    found = Found([], [], [f"ledger: {each}" for each in ledger.divergences()])
    for game in games:
        found.findings.extend(f"{game}: {finding}" for finding in verify_game(game).findings)
    for player in players:
        _check_answers(player, found)
        _check_shown(player, found)
    return found


def check_notices(games: Sequence[UUID], correspondents: Correspondents) -> list[str]:
    """Compare the notices of the players of games with the games, and with what arrived."""
    findings = [f"N2: {number} has a wrong signature" for number in correspondents.forged]
    seats = Seat.objects.filter(lobby__game__in=games, user__isnull=False)
    for user, game in seats.values_list("user", "lobby__game"):
        told = list(Notice.objects.filter(user=user).order_by("number"))
        if [each.number for each in told] != [*range(1, len(told) + 1)]:
            findings.append(f"N1: the notices of {user} have gaps")
        kinds = Counter((each.kind, each.version) for each in told if each.subject == game)
        if (kinds["game_starts", 0], kinds["game_over", 1]) != (1, 1):
            findings.append(f"N1: {user} was notified of {kinds} of {game}")
    users = [each.user for each in correspondents.users.values()]
    notices = Notice.objects.filter(user__in=users)
    sent = Delivery.objects.filter(user__in=users, state=Delivery.State.SENT)
    numbers = {(each.user_id, each.number) for each in sent}
    if not notices.count() == len(numbers) == sent.count():
        findings.append(f"N2: {notices.count()} notices, {sent.count()} deliveries were sent")
    ids = {f"{each.id}_{int(each.at.timestamp())}" for each in sent}
    if ids != correspondents.received.keys():
        findings.append(f"N2: {sorted(ids ^ correspondents.received.keys())[:5]} differ")
    changed = [number for number, bodies in correspondents.received.items() if len(bodies) > 1]
    return [*findings, *(f"N2: {number} arrived with several bodies" for number in changed)]


def _check_answers(player: Player, found: Found) -> None:
    stored: dict[UUID, list[int]] = {}
    rows = Commit.objects.filter(game=player.game, seat=player.seat)
    for command_id, version in rows.values_list("command_id", "version"):
        if command_id is not None:
            stored.setdefault(command_id, []).append(version)
    for sent in player.sent:
        versions = stored.get(sent.id, [])
        if sent.accepted is not None and sent.accepted not in versions:
            found.lost.append(sent)
        if len(versions) > 1:
            found.doubled.append(sent)
        if sent.refused and versions:
            found.findings.append(
                f"I5: {sent.id} was refused ({sent.refused}) and is version {versions[0]} of"
                f" {player.game}"
            )
    unsent = stored.keys() - {sent.id for sent in player.sent}
    found.findings.extend(f"I5: nobody sent {command_id}" for command_id in unsent)


def _check_shown(player: Player, found: Found) -> None:
    game = Game.objects.select_related("lobby").get(id=player.game)
    seed = seeds.seed_of(game.lobby).hex()
    if any(seed in frame for frame in player.shown.frames):
        found.findings.append(f"I15: {game.id} showed its seed to seat {player.seat}")
    records = event_loop.call(service.commits(player.game, 0, VERSION_MAX))
    frame = json.loads(hubs.commits_frame(records, SeatNumber(player.seat)))
    stored = {commit["version"]: commit for commit in frame["commits"]}
    for version, shown in player.shown.commits.items():
        if stored.get(version) != shown:
            found.findings.append(f"I13: {game.id}: version {version} differs from the stored one")
    missing = range(min(player.shown.commits, default=1), player.shown.last + 1)
    gaps = [version for version in missing if version not in player.shown.commits]
    found.findings.extend(f"I13: {game.id}: {gap}" for gap in player.shown.gaps[:5])
    if gaps:
        found.findings.append(f"I13: {game.id} never showed {gaps[:5]} to seat {player.seat}")
