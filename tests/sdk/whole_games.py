"""The check of a whole game that a client of any language played to the end."""

from collections.abc import Callable
from typing import Any

from railbird_client import Client
from tests.sdk.scene import all_commits, bets_of


async def check_whole_game(
    server: str,
    played: dict[str, Any],
    *,
    seat: int,
    shown: Callable[[Any], Any] = lambda events: events,
) -> None:
    """Compare what a client saw with what is stored, and its bets with what was acknowledged.

    `shown` is what the client's language shows of events.
    """
    async with Client(server, played["token"]) as client:
        stored, seen = await all_commits(client, played["game"]), played["commits"]
        assert [commit["version"] for commit in seen] == list(range(1, len(stored) + 1))
        assert [commit["hash"] for commit in seen] == [commit.hash for commit in stored]
        events = [commit["events"] for commit in seen]
        assert shown(events) == shown([commit.events for commit in stored])
        ended = await client.get_game(played["game"])
        assert (ended.ended, ended.version) == ("finished", len(stored))
        accepted = played["accepted"]
        assert len(accepted) == len(set(accepted)) > 0
        mine = [bet async for bet in bets_of(client, played["game"], seat=seat)]
        assert {bet.version for bet in mine} <= set(accepted), (
            "no bet that was not acknowledged, none twice"
        )
