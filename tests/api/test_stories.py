"""The same scenarios over every API: same codes, same data, same effects."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol
from uuid import UUID, uuid4

import msgspec
import pytest
from django.conf import settings
from django.test import override_settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from accounts import tokens
from accounts.models import User
from games import lobbies
from games.models import Bet, Commit, Game, Lobby
from games.models import Seat as LobbySeat
from games.play import corrections, service
from gameserver.errors import TABLE
from kit import event_loop
from railbird_engine import Seat
from tests import contract
from tests.api.conftest import Strict
from tests.api.graphql.client import Client
from tests.api.rest import Answer, Caller, take
from tests.builders import NewGame, NewUser
from tests.waiting import WITHIN_S

STRANGER: Final = "somebody without a seat"
READER: Final = "somebody whose token is for reading"
NOBODY: Final = "somebody without a token"
NOWHERE: Final = "a game that is not there"
TOO_MUCH: Final = "x" * 70_000


class Said(NamedTuple):
    """The response to a command, in a form that all APIs share."""

    code: str
    version: int | None
    data: Mapping[str, Any]


class Say(NamedTuple):
    """A command of a seat. Commands with the same letter have the same id."""

    who: int | str
    command: Any
    letter: str = ""
    game: str = "this game"


class Story(NamedTuple):
    """The commands, the expected responses, and the number of bets at the end."""

    received: Sequence[Say]
    answers: Sequence[Said]
    bets: int
    slug: str = "free_spots"


def accepted(version: int) -> Said:
    return Said("accepted", version, {})


def refused(code: str, version: int | None = None, **data: object) -> Said:
    return Said(code, version, data)


def in_turn(game: Game) -> tuple[int, Any]:
    """The seat in turn, and a legal command."""
    for seat in range(2):
        _, commands, _ = event_loop.call(service.legal(game.id, Seat(seat), 1))
        if commands:
            return seat, msgspec.to_builtins(commands[0])
    raise AssertionError("nobody may do anything")


OUT_OF_TURN: Final = "a command whose turn is the other seat's"

STORIES: Final[Mapping[str, Story]] = {
    "place a bet": Story([Say(0, take(7))], [accepted(2)], 1),
    "lose the race for a spot": Story(
        [Say(0, take(7)), Say(1, take(7)), Say(1, take(8))],
        [accepted(2), refused("spot_taken", 2, spot=7), accepted(3)],
        2,
    ),
    "say it twice": Story(
        [Say(0, take(7), "a"), Say(1, take(8)), Say(0, take(7), "a")],
        [accepted(2), accepted(3), accepted(2)],
        2,
    ),
    "say something else under the same id": Story(
        [Say(0, take(7), "a"), Say(0, take(8), "a")],
        [accepted(2), refused("command_id_reused", 2)],
        1,
    ),
    "two seats, one id": Story(
        [Say(0, take(7), "a"), Say(1, take(8), "a")], [accepted(2), accepted(3)], 2
    ),
    "a refused command leaves its id free": Story(
        [Say(0, take(70), "a"), Say(0, take(7), "a")],
        [refused("unknown_spot", 1, spot=70), accepted(2)],
        1,
    ),
    "act out of turn": Story(
        [Say(0, OUT_OF_TURN)], [refused("not_your_turn", 1)], 0, "carcassonne"
    ),
    "a field of the wrong kind": Story(
        [Say(0, take("7"))],
        [refused("malformed", path="$.command.spot")],
        0,
    ),
    "a field out of its bounds": Story(
        [Say(0, take(-1))], [refused("malformed", path="$.command.spot")], 0
    ),
    "a field that is not known": Story(
        [Say(0, {**take(7), "odds": 9})],
        [refused("malformed", path="$.command")],
        0,
    ),
    "a command that is not known": Story([Say(0, {"type": "dance"})], [refused("malformed")], 0),
    "a number that readers of JSON disagree on": Story(
        [Say(0, take(2**53))], [refused("malformed", path="$.command.spot")], 0
    ),
    "a game that is not there": Story(
        [Say(0, take(7), game=NOWHERE)], [refused("not_found", what="game")], 0
    ),
    "watch and speak": Story([Say(STRANGER, take(7))], [refused("spectators_only_watch")], 0),
    "come without a token": Story([Say(NOBODY, take(7))], [refused("unauthenticated")], 0),
    "come with a token for something else": Story(
        [Say(READER, take(7))], [refused("scope_missing", scope="play")], 0
    ),
    "say too much": Story([Say(0, {**take(7), "why": TOO_MUCH})], [refused("too_large")], 0),
}


class Talk(NamedTuple):
    """Chat at a running game, after five earlier events of the lobby.

    The expected responses and the messages at the end. The user of the second seat may be muted.
    """

    received: Sequence[Say]
    answers: Sequence[Said]
    read: Sequence[str]
    spectators: str = "watch"
    muted: bool = False


TALKS: Final[Mapping[str, Talk]] = {
    "say good evening": Talk(
        [Say(0, "Good evening"), Say(1, " Hello ")],
        [accepted(6), accepted(7)],
        ["Good evening", "Hello"],
    ),
    "say it twice": Talk(
        [Say(0, "Once", "a"), Say(1, "Well"), Say(0, "Once", "a")],
        [accepted(n) for n in (6, 7, 6)],
        ["Once", "Well"],
    ),
    "watch and talk": Talk(
        [Say(STRANGER, "Well played")], [accepted(6)], ["Well played"], spectators="chat"
    ),
    "watch and be silent": Talk(
        [Say(STRANGER, "Well played")], [refused("spectators_only_watch")], []
    ),
    "be muted": Talk(
        [Say(1, "But"), Say(0, "Shh")], [refused("muted"), accepted(7)], ["Shh"], muted=True
    ),
    "say nothing": Talk([Say(0, ""), Say(0, "  ")], [refused("malformed", path="$.text")] * 2, []),
    "more than one line": Talk(
        [Say(0, "Good\nevening"), Say(0, "Good\n")], [refused("malformed", path="$.text")] * 2, []
    ),
    "go on and on": Talk([Say(0, "x" * 501)], [refused("malformed", path="$.text")], []),
    "a room that is not there": Talk(
        [Say(0, "Hello?", game=NOWHERE)], [refused("not_found", what="lobby")], []
    ),
    "talk without a token": Talk([Say(NOBODY, "Hello")], [refused("unauthenticated")], []),
    "talk with a token for reading": Talk(
        [Say(READER, "Hello")], [refused("scope_missing", scope="lobby")], []
    ),
    "say far too much": Talk([Say(0, TOO_MUCH)], [refused("too_large")], []),
}


# The APIs


class Face(Protocol):
    """One way to reach the server."""

    def play(self, token: str, game: UUID, command: Any, command_id: UUID) -> Said:
        """Send a command and return the response."""

    def talk(self, token: str, lobby: UUID, text: str, line: UUID) -> Said:
        """Send a chat message and return the response."""

    def hurry(self, token: str, game: UUID, strict: Strict) -> Said:
        """Send commands until the rate limit, and return the last response.

        The first two are legal.
        """


class Rest:
    """One request per command."""

    def __init__(self, address: str) -> None:
        """Needs no web process."""

    def play(self, token: str, game: UUID, command: Any, command_id: UUID) -> Said:
        return self._said(Caller(token=token).play(game, command, command_id))

    def talk(self, token: str, lobby: UUID, text: str, line: UUID) -> Said:
        return self._said(
            Caller(token=token).post(f"/lobbies/{lobby}/messages/", {"id": str(line), "text": text})
        )

    def _said(self, answer: Answer) -> Said:
        if answer.status == 201:
            return accepted(answer.data["version"])
        _, code = answer.problem
        return Said(code, answer.data.get("version"), answer.data.get("data", {}))

    def hurry(self, token: str, game: UUID, strict: Strict) -> Said:
        with override_settings(RATE_LIMITS={**settings.RATE_LIMITS, "token": (2, 600)}):
            return [self.play(token, game, take(spot), uuid4()) for spot in range(3)][-1]


class Socket:
    """One connection per command."""

    def __init__(self, address: str) -> None:
        self.address = address

    def play(self, token: str, game: UUID, command: Any, command_id: UUID) -> Said:
        return self._send(
            token,
            f"/ws/v1/games/{game}",
            {"type": "play", "id": str(command_id), "command": command},
        )

    def talk(self, token: str, lobby: UUID, text: str, line: UUID) -> Said:
        return self._send(
            token,
            f"/ws/v1/lobbies/{lobby}",
            {"type": "send_message", "id": str(line), "text": text},
        )

    def _send(self, token: str, path: str, frame: Mapping[str, Any]) -> Said:
        with connect(
            f"ws://{self.address}{path}", additional_headers={"Authorization": f"Bearer {token}"}
        ) as socket:
            with suppress(ConnectionClosed):  # a rejected client reads the reason below
                socket.send(json.dumps(frame))
            try:
                while True:
                    text = socket.recv(timeout=WITHIN_S)
                    contract.check_frame(path, text)
                    answer: dict[str, Any] = json.loads(text)
                    if answer["type"] in {"accepted", "message_accepted"}:
                        return accepted(answer["version"])
                    if answer["type"] in {"refused", "error"}:
                        return Said(answer["code"], answer.get("version"), answer["data"])
            except ConnectionClosed:
                # No frame of the server fits here: the protocol itself reports a message that is
                # too big.
                assert socket.protocol.close_code == 1009
                return refused("too_large")

    def hurry(self, token: str, game: UUID, strict: Strict) -> Said:
        """Sockets count frames, and long frames count more."""
        for spot in range(2):
            self.play(token, game, take(spot), uuid4())
        with connect(
            f"ws://{self.address}/ws/v1/games/{game}",
            additional_headers={"Authorization": f"Bearer {token}"},
        ) as socket:
            last: dict[str, Any] = {}
            with suppress(ConnectionClosed):
                for _ in range(20):
                    command = {**take(2), "why": "x" * 60_000}
                    socket.send(
                        json.dumps({"type": "play", "id": str(uuid4()), "command": command})
                    )
            with suppress(ConnectionClosed):
                while True:
                    last = json.loads(socket.recv(timeout=WITHIN_S))
            assert socket.protocol.close_code == 4429
        return refused(last["code"], **last["data"])


class GraphQL:
    """One mutation per command. The command's type is a field of its input."""

    def __init__(self, address: str) -> None:
        self.address = address

    def play(self, token: str, game: UUID, command: Any, command_id: UUID) -> Said:
        slug = Game.objects.filter(id=game).values_list("slug", flat=True).first() or "free_spots"
        fields = {camel(name): value for name, value in command.items() if name != "type"}
        mutation = """mutation ($game: UUID!, $id: UUID!, $command: GameCommandInput!) {
                received: play(game: $game, id: $id, command: $command) {
                    ... on Committed { accepted: version }
                    ... on Problem { code version data } } }"""
        given = {
            "game": str(game),
            "id": str(command_id),
            "command": {camel(slug): {camel(command["type"]): fields}},
        }
        received = self._do(token, mutation, given)
        if received.code == "malformed" and "path" in received.data:
            path = (
                received.data["path"]
                .replace(f".{camel(slug)}", "")
                .replace(f".{camel(command['type'])}", "")
            )
            return received._replace(data={**received.data, "path": path})
        return received

    def talk(self, token: str, lobby: UUID, text: str, line: UUID) -> Said:
        mutation = """mutation ($lobby: UUID!, $id: UUID!, $text: String!) {
                received: sendMessage(lobby: $lobby, id: $id, text: $text) {
                    ... on LobbyEvent { accepted: version } ... on Problem { code version data } }
                      }"""
        return self._do(token, mutation, {"lobby": str(lobby), "id": str(line), "text": text})

    def _do(self, token: str, mutation: str, given: Mapping[str, Any]) -> Said:
        response = Client(self.address, token=token).post(mutation, dict(given))
        answer: dict[str, Any] = response.json()
        if response.status_code != 200:
            return Said(answer["code"], None, answer.get("data", {}))
        if "errors" in answer:
            refusal = answer["errors"][0]["extensions"]
            return Said(refusal["code"], refusal.get("version"), refusal.get("data", {}))
        received = answer["data"]["received"]
        return (
            accepted(received["accepted"])
            if "accepted" in received
            else Said(received["code"], received["version"], received["data"])
        )

    def hurry(self, token: str, game: UUID, strict: Strict) -> Said:
        """The commands after the second take taken spots."""
        hasty = GraphQL(strict.address)
        said = [hasty.play(token, game, take(spot % 2), uuid4()) for spot in range(6)]
        assert {each.code for each in said[2:5]} == {"spot_taken"}
        return said[-1]


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


FACES: Final[Mapping[str, Callable[[str], Face]]] = {
    "rest": Rest,
    "socket": Socket,
    "graphql": GraphQL,
}


def tokens_at(game: Game, stranger: User) -> dict[int | str, str]:
    """The tokens of all participants, by seat or role."""
    seats = LobbySeat.objects.filter(lobby=game.lobby).order_by("number").select_related("user")
    held: dict[int | str, str] = {
        seat.number: tokens.begin_session(seat.user).text for seat in seats if seat.user is not None
    }
    session = tokens.caller_with(held[0])
    assert session is not None
    held[READER] = tokens.issue_personal(session, "reader", [tokens.Scope.READ], 1).text
    held[STRANGER] = tokens.begin_session(stranger).text
    return held


def check_answers(answers: Sequence[Said], wanted: Sequence[Said]) -> None:
    assert [answer.code for answer in answers] == [expected.code for expected in wanted]
    for answer, expected in zip(answers, wanted, strict=True):
        assert answer.version == expected.version
        assert expected.data.items() <= answer.data.items()


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", STORIES)
def test_every_api_gives_the_same_responses(
    new_game: NewGame, new_user: NewUser, address: str, name: str, face: str
) -> None:
    story = STORIES[name]
    game = new_game(slug=story.slug)
    held = tokens_at(game, new_user())
    ids: dict[str, UUID] = {}
    server = FACES[face](address)

    answers = []
    for say in story.received:
        who, command = say.who, say.command
        if command == OUT_OF_TURN:
            acting, command = in_turn(game)
            who = 1 - acting
        command_id = ids.setdefault(say.letter, uuid4()) if say.letter else uuid4()
        answers.append(
            server.play(
                held.get(who, "nobody's"),
                uuid4() if say.game == NOWHERE else game.id,
                command,
                command_id,
            )
        )

    check_answers(answers, story.answers)
    assert Bet.objects.filter(game=game).count() == story.bets
    accepted_once = {answer.version for answer in answers if answer.code == "accepted"}
    assert Commit.objects.filter(game=game).count() == 1 + len(accepted_once)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", TALKS)
def test_chat_works_the_same_over_every_api(
    new_game: NewGame, new_user: NewUser, address: str, name: str, face: str
) -> None:
    story = TALKS[name]
    game = new_game()
    Lobby.objects.filter(id=game.lobby_id).update(spectators=story.spectators)
    held = tokens_at(game, new_user())
    if story.muted:
        seated = LobbySeat.objects.select_related("user").get(lobby=game.lobby, number=1)
        assert seated.user is not None
        lobbies.mute(game.lobby.host, game.lobby_id, seated.user.id)
    ids: dict[str, UUID] = {}
    server = FACES[face](address)

    answers = []
    for said in story.received:
        line = ids.setdefault(said.letter, uuid4()) if said.letter else uuid4()
        room = uuid4() if said.game == NOWHERE else game.lobby_id
        answers.append(server.talk(held.get(said.who, "nobody's"), room, said.command, line))

    check_answers(answers, story.answers)
    query = (
        "query ($room: UUID!) "
        "{ lobbyEvents(lobby: $room, after: 5) "
        "{ events { event { ... on MessageSent { text } } } } }"
    )
    events = Client(address, token=held[0]).ask(query, room=str(game.lobby_id))["lobbyEvents"][
        "events"
    ]
    assert [received["event"]["text"] for received in events if received["event"]] == list(
        story.read
    )


# Each API has its own unit: requests or frames.
TOO_OFTEN: Final = {
    "rest": refused("too_many_requests", policy="token"),
    "graphql": refused("too_many_requests", policy="token"),
    "socket": refused("too_many_frames", most=500),
}


@pytest.mark.parametrize("face", FACES)
def test_rate_limited(new_game: NewGame, address: str, strict: Strict, face: str) -> None:
    """A client over the limit gets an error and loses only time; others are not affected."""
    game = new_game()
    seats = LobbySeat.objects.filter(lobby=game.lobby).order_by("number").select_related("user")
    hasty, calm = [tokens.begin_session(seat.user).text for seat in seats if seat.user is not None]
    server = FACES[face](address)
    refusal = server.hurry(hasty, game.id, strict)
    assert (refusal.code, refusal.version) == (TOO_OFTEN[face].code, None)
    assert TOO_OFTEN[face].data.items() <= refusal.data.items()
    assert TABLE[refusal.code].status == 429
    if refusal.code == "too_many_requests":
        assert 1 <= refusal.data["retry_after"] <= 600
    assert server.play(calm, game.id, take(2), uuid4()) == accepted(4)
    assert Bet.objects.filter(game=game).count() == 3


def test_two_requests_for_a_rematch_over_two_apis_create_one(
    new_game: NewGame, new_user: NewUser, address: str
) -> None:
    game = new_game()
    held = tokens_at(game, new_user())
    mutation = """mutation ($lobby: UUID!) { rematch(lobby: $lobby) {
        ... on Lobby { id yourSeat held { number } } ... on Problem { code } } }"""

    def over_rest(who: int | str) -> Any:
        answer = Caller(token=held[who]).post(f"/lobbies/{game.lobby_id}/rematch/")
        return (
            answer.data["code"]
            if answer.status >= 400
            else (answer.data["id"], answer.data["your_seat"], answer.data["held"])
        )

    def over_graphql(who: int | str) -> Any:
        found = Client(address, token=held[who]).do(mutation, lobby=str(game.lobby_id))
        return found["code"] if "code" in found else (found["id"], found["yourSeat"], found["held"])

    for ask in (over_rest, over_graphql):
        assert [ask(0), ask(STRANGER)] == ["game_not_ended", "spectators_only_watch"]
    event_loop.call(corrections.void(game.id, "the lights went out"))
    again, seat, kept = over_graphql(1)
    assert (seat, kept) == (1, [{"number": 0}])
    assert over_rest(0) == (again, 0, [])
    assert over_graphql(0) == over_rest(0)
