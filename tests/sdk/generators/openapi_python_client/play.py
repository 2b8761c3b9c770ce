"""A race with a client of openapi-python-client: python play.py URL."""

import json
import sys
import time
from uuid import uuid4

import httpx
from race import AuthenticatedClient, Client
from race.api.audit import get_bundle
from race.api.auth import create_guest
from race.api.games import get_game, get_view, list_commits, list_legal_commands, play
from race.api.lobbies import add_bot, create_lobby, start_game
from race.models import NewCommand, NewGuest, NewLobby, ReadySetBetReadySetBetOptionsInput

url = sys.argv[1]
PATIENT = httpx.Timeout(60)
guest = create_guest.sync(client=Client(url, timeout=PATIENT), body=NewGuest())
client = AuthenticatedClient(url, token=guest.token, timeout=PATIENT)
options = ReadySetBetReadySetBetOptionsInput(races=1, roll_ms=50, pause_ms=0)
lobby = create_lobby.sync(client=client, body=NewLobby(slug="ready_set_bet", options=options))
add_bot.sync_detailed(lobby.id, client=client)
game = start_game.sync(lobby.id, client=client).id

accepted, ended = 0, ""
while not ended:
    commands = list_legal_commands.sync(game, client=client).commands
    bets = [command for command in commands if command.type_ == "place_bet"] or commands
    if bets:
        body = NewCommand(id=uuid4(), command=bets[0])
        accepted += play.sync_detailed(game, client=client, body=body).status_code == 201
    ended = get_game.sync(game, client=client).ended
    time.sleep(0.1)

view = get_view.sync(game, client=client)
commits = list_commits.sync(game, client=client).commits
while (bundle := get_bundle.sync_detailed(game, client=client)).status_code != 200:
    time.sleep(0.2)  # the log seals the end of a game within seconds
lines = len(bundle.content.splitlines())
played = {"accepted": accepted, "version": view.version, "commits": len(commits), "lines": lines}
print(json.dumps(played))
