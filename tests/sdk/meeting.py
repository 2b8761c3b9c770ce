"""Meet each case of a hostile server, and print the outcomes: `meeting.py URL TLS CASES`.

It imports the client and nothing else of this repository, so that any Python runs it.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import chain
from typing import Any

from railbird_client import Client, RoomNews, ServerError, Table, lobbies, patience
from railbird_client import stream as stream_module
from railbird_client import table as table_module
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import NewLobby

vars(patience).update(FIRST_S=0.05, ASKED_MAX_S=0.1)  # tests wait less than programs
vars(lobbies).update(LIST_MAX=50)
vars(stream_module).update(NEWS_MAX=50)
vars(table_module).update(IN_TIME=timedelta(seconds=1))

WITHIN_S = 60.0
WAIT_S = 1.0
"""How long a client waits for what never comes, and one of a busy server is observed."""


async def news(table: Table[Any, Any, Any]) -> str:
    return " ".join([*[str(each.version) async for each in table], "end"])


async def wait(table: Table[Any, Any, Any]) -> str:
    try:
        async with asyncio.timeout(WAIT_S):
            return await news(table)
    except TimeoutError:
        return "waiting"


async def limit(table: Table[Any, Any, Any]) -> str:
    refused = await outcome(table.legal_commands(0))
    return f"{refused} {(await table.look()).version}"


async def legal(table: Table[Any, Any, Any]) -> str:
    found = await table.legal_commands()
    assert not found.is_complete, "some are unknown"
    return str(len(found.commands))


async def look(table: Table[Any, Any, Any]) -> str:
    return str((await table.look(within_s=WITHIN_S)).version)


async def slow(table: Table[Any, Any, Any]) -> str:
    """Read no news."""
    return await look(table)


async def never(table: Table[Any, Any, Any]) -> str:
    return str((await table.look(within_s=WAIT_S)).version)


async def play(table: Table[Any, Any, Any]) -> str:
    return str((await table.play(rsb.PlaceBet(spot="win:7:r", token=5), within_s=WITHIN_S)).version)


async def odd_play(table: Table[Any, Any, Any]) -> str:
    return str((await table.play(rsb.PlaceBet(spot="\ud800", token=5))).version)


async def hurry(table: Table[Any, Any, Any]) -> str:
    bet = rsb.PlaceBet(spot="win:7:r", token=5)
    return str((await table.play(bet, within_s=3 * WAIT_S)).version)


async def chat(table: Table[Any, Any, Any]) -> str:
    return str(await table.send_message("Good evening"))


ON_TABLES: dict[str, Callable[[Table[Any, Any, Any]], Awaitable[str]]] = {
    each.__name__.replace("_", " "): each
    for each in (news, wait, limit, legal, look, slow, never, play, odd_play, hurry, chat)
}


async def twice(client: Client) -> str:
    """Ask two things, one after the other; the second answer is no rest of the first."""
    await client.get_lobby("x")
    return "ok" if (await client.get_lobby("x")).id == "a" else "the second answer to the first"


async def room(client: Client) -> str:
    async with client.room("a") as news:
        found = [each async for each in news if isinstance(each, RoomNews)]
    versions = [[each.version for each in one.events] or [one.version] for one in found]
    return " ".join([*map(str, chain.from_iterable(versions)), "end"])


async def lists(client: Client) -> str:
    async with client.lobbies() as lists_:
        async for found in lists_:
            if len(found) > 1:
                break
    return " ".join(each.id for each in found)


async def inbox(client: Client) -> str:
    numbers: list[int] = []
    async with client.inbox(after=0) as news:
        while len(numbers) < 2:
            numbers += [notice.number for notice in (await anext(news)).notices]
    return " ".join(map(str, numbers))


OVER_HTTP: dict[str, Callable[[Client], Awaitable[object]]] = {
    "get": lambda client: client.get_lobby("x"),
    "leave": lambda client: client.leave_lobby("x"),
    "join": lambda client: client.join_lobby("x"),
    "bot": lambda client: client.add_bot("x"),
    "drip": lambda client: client.add_bot("x"),
    "odd": lambda client: client.get_lobby("../x?y#zé"),
    "up": lambda client: client.get_lobby(".."),
    "unsent": lambda client: client.create_lobby(NewLobby(slug="x", options=object())),
    "twice": twice,
    "room": room,
    "lobbies": lists,
    "inbox": inbox,
}


async def outcome(done: Awaitable[object]) -> str:
    try:
        found = await done
    except ServerError as error:
        return error.code
    return found if isinstance(found, str) else "ok"


async def meet(url: str, does: str) -> str:
    timeout_s = WAIT_S / 4 if does == "drip" else WITHIN_S
    async with Client(url, "SECRET", timeout_s=timeout_s, entropy=False) as client:
        if does in OVER_HTTP:
            return await outcome(OVER_HTTP[does](client))
        async with client.table("game", rsb.TYPES) as table:
            return await outcome(ON_TABLES[does](table))


async def main(url: str, tls: str, given: str) -> None:
    cases: dict[str, str] = json.loads(given)
    met = [meet(f"{url}/{name}", does) for name, does in cases.items()]
    found = await asyncio.gather(*met, meet(f"{tls}/tls", "bot"))
    print(json.dumps(dict(zip([*cases, "tls"], found, strict=True))))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
