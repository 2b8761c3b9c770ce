"""Clients of a replicated server, which record acknowledged commands, commits that sockets showed,
and checkpoints of the log."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import httpx
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from railbird_engine.audit.notes import Checkpoint
from tests.waiting import WITHIN_S

LOOK_EVERY_S: Final = 0.2
SPOTS: Final = 8
"""Few, so that players soon find a free one: a game without one would seem to stand."""
RACE: Final = {"roll_ms": 700, "pause_ms": 700, "think_ms": 0, "vip": False}
UNAVAILABLE: Final = frozenset({429, 500, 502, 503})
HISTORY_LOST: Final = 4410
BEYOND: Final = 4404
"""The close code of `version_ahead`: the game was lost before this reader came back."""


class Kept(NamedTuple):
    """A command that was acknowledged, with the hash of its commit."""

    game: str
    version: int
    hash: str
    id: str
    at: float


class Players(threading.Thread):
    """Two users at a table of free spots, who send commands to any web process, and a race that
    only the clock moves. They repeat a command whose outcome is unknown.

    Those that rest while `rests` is set have no race.
    """

    def __init__(self, addresses: Sequence[str], *, rests: bool = False) -> None:
        super().__init__(daemon=True)
        self.kept: list[Kept] = []
        self.refused: Counter[str] = Counter()
        self.ended = threading.Event()
        self.turn = threading.Lock()
        """They send no command while another thread holds it."""
        self.plays = threading.Event()
        self.plays.set()
        self._addresses = addresses
        self._chance = random.Random()
        with httpx.Client(timeout=30) as client:
            self._tokens = [self._post(client, "/auth/guest/", "")["token"] for _ in range(2)]
            self.game = self._start(client, "free_spots", {"spots": SPOTS})
            self.race = "" if rests else self._start(client, "ready_set_bet", RACE)
        self.reader = Reader(addresses, self.game, self._tokens[0])

    def _start(self, client: httpx.Client, slug: str, options: dict[str, Any]) -> str:
        host, guest = self._tokens
        lobby = self._post(client, "/lobbies/", host, slug=slug, options=options)["id"]
        self._post(client, f"/lobbies/{lobby}/join/", guest)
        answer = client.put(
            self._url(f"/lobbies/{lobby}/ready/"), json={"ready": True}, headers=_of(guest)
        )
        assert answer.status_code == 200, answer.text
        return str(self._post(client, f"/lobbies/{lobby}/start/", host)["id"])

    def _url(self, path: str) -> str:
        return f"http://{self._chance.choice(self._addresses)}/api/v1{path}"

    def _post(self, client: httpx.Client, path: str, token: str, **body: Any) -> Any:
        answer = client.post(self._url(path), json=body, headers=_of(token))
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def run(self) -> None:
        """Play until the end."""
        self.reader.start()
        with httpx.Client(timeout=15) as client:
            while not self.ended.is_set():
                self.plays.wait()
                with self.turn:
                    self._play(client)
                time.sleep(self._chance.uniform(0.02, 0.1))

    def end(self) -> None:
        """End the thread soon."""
        for event in (self.ended, self.plays, self.reader.ended):
            event.set()

    def _play(self, client: httpx.Client) -> None:
        token = self._chance.choice(self._tokens)
        spot = self._chance.randrange(SPOTS)
        command = {"id": str(uuid4()), "command": {"type": "take_spot", "spot": spot}}
        while not self.ended.is_set():
            with suppress(httpx.HTTPError, ValueError, KeyError):
                url = self._url(f"/games/{self.game}/commands/")
                answer = client.post(url, json=command, headers=_of(token))
                if answer.status_code == 201:
                    told = answer.json()
                    where = (self.game, told["version"], told["hash"], str(command["id"]))
                    self.kept.append(Kept(*where, time.monotonic()))
                    return
                if answer.status_code not in UNAVAILABLE:
                    self.refused[answer.json()["code"]] += 1
                    return
            time.sleep(LOOK_EVERY_S)


def _of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


class Reader(threading.Thread):
    """A client that follows a game over sockets, and forgets it when the server reports that
    commits are lost. The database must have all that it remembers."""

    def __init__(self, addresses: Sequence[str], game: str, token: str) -> None:
        super().__init__(daemon=True)
        self.shown: dict[int, str] = {}
        """The hash of each version since the first or the last view."""
        self.last = 0
        self.broken: list[str] = []
        self.restarts = 0
        self.ended = threading.Event()
        self._addresses = addresses
        self._game = game
        self._token = token

    def run(self) -> None:
        """Follow the game until the end."""
        while not self.ended.is_set():
            with suppress(OSError, TimeoutError, WebSocketException):
                self._follow()
            self.ended.wait(LOOK_EVERY_S)

    def _follow(self) -> None:
        after = f"?after={self.last}" if self.last else ""
        url = f"ws://{random.choice(self._addresses)}/ws/v1/games/{self._game}{after}"
        headers = _of(self._token)
        options: dict[str, Any] = {"proxy": None, "ping_interval": None, "compression": None}
        with connect(url, additional_headers=headers, **options) as socket:
            try:
                self._read(socket)
            except ConnectionClosed:
                if socket.protocol.close_code in {HISTORY_LOST, BEYOND}:
                    self.shown, self.last = {}, 0
                    self.restarts += 1

    def _read(self, socket: ClientConnection) -> None:
        while not self.ended.is_set():
            with suppress(TimeoutError):
                self._take(json.loads(socket.recv(timeout=1)))

    def _take(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "view":
            self.last = frame["version"]
        if frame["type"] != "commits":
            return
        previous = frame["previous"]
        for commit in frame["commits"]:
            if self.shown.get(self.last, previous) != previous or commit["version"] > self.last + 1:
                self.broken.append(f"{commit['version']} does not follow {self.last}")
            self.last = commit["version"]
            self.shown[self.last] = previous = commit["hash"]

    def caught_up(self, version: int) -> bool:
        """Wait until the commits up to a version have arrived. Return whether they did."""
        until = time.monotonic() + WITHIN_S
        while self.last < version and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
        return self.last >= version


class Watcher(threading.Thread):
    """Collects every checkpoint that anybody can see, and the one beside the key of the log."""

    def __init__(self, addresses: Sequence[str], key: Path) -> None:
        super().__init__(daemon=True)
        self.roots: dict[int, set[bytes]] = {}
        self._addresses = addresses
        self._beside = key.with_name(f"{key.name}.checkpoint")

    def run(self) -> None:
        """Look until the process ends."""
        with httpx.Client(timeout=2) as client:
            while True:
                for address in self._addresses:
                    with suppress(httpx.HTTPError):
                        answer = client.get(f"http://{address}/log/checkpoint")
                        if answer.status_code == 200:
                            self._note(answer.text)
                with suppress(OSError):
                    self._note(self._beside.read_text())
                time.sleep(LOOK_EVERY_S)

    def _note(self, note: str) -> None:
        with suppress(ValueError):  # a file that is being written
            seen = Checkpoint.parse(note.rpartition("\n\n")[0] + "\n")
            self.roots.setdefault(seen.size, set()).add(seen.root)
