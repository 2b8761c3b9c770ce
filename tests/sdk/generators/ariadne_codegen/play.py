"""A race with a GraphQL client of ariadne-codegen: python play.py URL."""

import json
import sys
import time
from uuid import uuid4

import httpx
from race import Client
from race.input_types import (
    GameCommandInput,
    GameOptionsInput,
    ReadySetBetCommandInput,
    ReadySetBetOptionsInput,
    ReadySetBetPlaceBetInput,
)

url = f"{sys.argv[1]}/graphql/"
patient = httpx.Client(timeout=60)
client = Client(url, http_client=patient)
patient.headers["Authorization"] = f"Bearer {client.guest().create_guest.token}"
options = ReadySetBetOptionsInput(races=1, rollMs=50, pauseMs=0)
lobby = client.create(GameOptionsInput(readySetBet=options)).create_lobby.id
client.add_bot(lobby)
game = client.start(lobby).start_game.id

accepted = 0
while not (race := client.race(game).game).ended:
    bets = [command for command in race.legal.commands if hasattr(command, "spot")]
    if bets:
        bet = ReadySetBetPlaceBetInput(spot=bets[0].spot, token=bets[0].token)
        command = GameCommandInput(readySetBet=ReadySetBetCommandInput(placeBet=bet))
        accepted += hasattr(client.play(game, uuid4(), command).play, "accepted")
    time.sleep(0.1)

commits = len(race.commits.edges)
print(json.dumps({"accepted": accepted, "version": race.view.version, "commits": commits}))
