"""A race with a Python client of openapi-generator: python play.py URL."""

import json
import sys
import time
from uuid import uuid4

import race

configuration = race.Configuration(host=sys.argv[1])
with race.ApiClient(configuration) as client:
    configuration.access_token = race.AuthApi(client).create_guest(new_guest=race.NewGuest()).token
    lobbies, games = race.LobbiesApi(client), race.GamesApi(client)
    options = race.ReadySetBetReadySetBetOptionsInput(races=1, roll_ms=50, pause_ms=0)
    body = race.NewLobby(slug="ready_set_bet", options=race.GameOptionsInput(options))
    lobby = lobbies.create_lobby(body).id
    lobbies.add_bot(lobby)
    game = lobbies.start_game(lobby).id

    accepted, ended = 0, ""
    while not ended:
        commands = [each.to_dict() for each in games.list_legal_commands(game).commands]
        bets = [each for each in commands if each["type"] == "place_bet"] or commands
        if bets:
            command = race.GameCommandInput.from_json(json.dumps(bets[0]))
            try:
                games.play(game, race.NewCommand(id=uuid4(), command=command))
                accepted += 1
            except race.ApiException as refused:
                if refused.status != 409:
                    raise
        ended = games.get_game(game).ended
        time.sleep(0.1)

    # The views of games have no common field that tells them apart, which this generator needs.
    view = json.loads(games.get_view_without_preload_content(game).data)
    commits = len(games.list_commits(game).commits)
    bundle = b""
    while not bundle:
        time.sleep(0.2)  # the log seals the end of a game within seconds
        try:
            bundle = race.AuditApi(client).get_bundle(game)
        except race.ApiException as refused:
            if refused.status != 503:
                raise
    lines = len(bundle.splitlines())
played = {"accepted": accepted, "version": view["version"], "commits": commits, "lines": lines}
print(json.dumps(played))
