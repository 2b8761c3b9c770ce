"""A race with gql, which validates each document by the schema of the server: python play.py URL.

Bets are sent while a subscription follows the game.
"""

import asyncio
import json
import sys
from uuid import uuid4

from gql import Client, gql
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.websockets import WebsocketsTransport

PATIENT_S = 60
GUEST = gql("mutation { createGuest { ... on NewToken { token } ... on Problem { code } } }")
CREATE = gql("""mutation ($options: GameOptionsInput!) {
  createLobby(slug: "ready_set_bet", options: $options) {
    ... on Lobby { id }
    ... on Problem { code }
  }
}""")
ADD_BOT = gql("""mutation ($lobby: UUID!) {
  addBot(lobby: $lobby) { ... on Lobby { capacity } ... on Problem { code } }
}""")
START = gql("""mutation ($lobby: UUID!) {
  startGame(lobby: $lobby) { ... on Start { id } ... on Problem { code } }
}""")
BET = gql("""mutation ($game: UUID!, $id: UUID!, $spot: String!, $token: Integer!) {
  play(game: $game, id: $id, command: {
    readySetBet: { placeBet: { spot: $spot, token: $token } }
  }) {
    ... on Committed { accepted: version }
    ... on Problem { code }
  }
}""")
LEGAL = gql("""query ($game: UUID!) {
  game(id: $game) { legal(limit: 200) { commands { ... on ReadySetBetPlaceBet { spot token } } } }
}""")
VIEW = gql("query ($game: UUID!) { game(id: $game) { ended view { version } } }")
FOLLOW = gql("""subscription ($game: UUID!) {
  gameCommits(game: $game, after: 0) { version events { __typename } }
}""")


async def race(url: str) -> dict[str, int]:
    async with Client(
        transport=HTTPXAsyncTransport(url, timeout=PATIENT_S),
        fetch_schema_from_transport=True,
        execute_timeout=PATIENT_S,
    ) as first:
        token = (await first.execute(GUEST))["createGuest"]["token"]
    key = {"Authorization": f"Bearer {token}"}
    transport = HTTPXAsyncTransport(url, headers=key, timeout=PATIENT_S)
    following = WebsocketsTransport(url.replace("http", "ws", 1), init_payload={"token": token})
    async with (
        Client(
            transport=transport, fetch_schema_from_transport=True, execute_timeout=PATIENT_S
        ) as session,
        Client(transport=following) as subscriptions,
    ):
        options = {"readySetBet": {"races": 1, "rollMs": 50, "pauseMs": 0}}
        created = await session.execute(CREATE, variable_values={"options": options})
        lobby = {"lobby": created["createLobby"]["id"]}
        await session.execute(ADD_BOT, variable_values=lobby)
        game = {"game": (await session.execute(START, variable_values=lobby))["startGame"]["id"]}
        accepted = commits = 0
        async for part in subscriptions.subscribe(FOLLOW, variable_values=game):
            commits += len(part["gameCommits"])
            legal = (await session.execute(LEGAL, variable_values=game))["game"]["legal"]
            bets = [each for each in legal["commands"] if each] if legal else []
            if bets:
                bet = {**game, "id": str(uuid4()), **bets[0]}
                played = await session.execute(BET, variable_values=bet)
                accepted += "accepted" in played["play"]
        ended = (await session.execute(VIEW, variable_values=game))["game"]
    return {"accepted": accepted, "version": ended["view"]["version"], "commits": commits}


print(json.dumps(asyncio.run(race(f"{sys.argv[1]}/graphql/"))))
