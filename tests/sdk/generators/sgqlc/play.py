"""A race with the operations of sgqlc-codegen: python play.py URL."""

import json
import sys
import time
from typing import Any
from uuid import uuid4

from operations import Operations
from sgqlc.endpoint.http import HTTPEndpoint

endpoint = HTTPEndpoint(f"{sys.argv[1]}/graphql/", timeout=60)


def ask(operation: Any, **variables: Any) -> Any:
    """Return the typed result of an operation. Its errors raise."""
    return operation + endpoint(operation, variables)


token = ask(Operations.mutation.guest).create_guest.token
endpoint.base_headers = {"Authorization": f"Bearer {token}"}
options = {"readySetBet": {"races": 1, "rollMs": 50, "pauseMs": 0}}
lobby = ask(Operations.mutation.create, options=options).create_lobby.id
ask(Operations.mutation.add_bot, lobby=lobby)
game = ask(Operations.mutation.start, lobby=lobby).start_game.id

accepted = 0
while not (race := ask(Operations.query.race, game=game, most=200).game).ended:
    bets = [each for each in race.legal.commands if each.__typename__ == "ReadySetBetPlaceBet"]
    if bets:
        bet = {"spot": bets[0].spot, "token": bets[0].token}
        command = {"readySetBet": {"placeBet": bet}}
        played = ask(Operations.mutation.bet, game=game, id=str(uuid4()), command=command)
        accepted += played.play.__typename__ == "Committed"
    time.sleep(0.1)

commits = len(race.commits.edges)
print(json.dumps({"accepted": accepted, "version": race.view.version, "commits": commits}))
