"""The demonstration: a whole game with bots, watched live, then its ledger and history verified."""

import random
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console
from rich.live import Live

from demo.guest import Guest, Place, RefusedError
from demo.picture import Picture
from demo.race import RacePicture
from demo.words import Words
from kit import installation

HOST_NAME: Final = "Visitor"
THINK_S: Final = 1.0
LEGAL_MAX: Final = 100
FRAMES_PER_S: Final = 12


class Show:
    """A game of `slug` with some bots on a server."""

    def __init__(
        self,
        url: str,
        slug: str,
        *,
        options: Mapping[str, Any],
        bots: int,
        language: str,
        console: Console,
    ) -> None:
        self._language = language
        self._console = console
        self._guest = Guest(url, HOST_NAME)
        self._rules = self._guest.get(f"rules/{slug}/")
        self._book = self._guest.get(f"rules/{slug}/book/")
        self._options = options
        self._bots = bots

    def play(self) -> str:
        """Play the game to its end and return its id."""
        game = self._open()
        names = [seat["name"] for seat in game["seats"]]
        picture = picture_of(self._rules["json_schema"])(
            self._rules["title"][self._language], names, Words(self._book, names, self._language)
        )
        place = self._guest.sit_down(game["id"])
        terminal = self._console.is_terminal
        live = (
            Live(picture, console=self._console, refresh_per_second=FRAMES_PER_S)
            if terminal
            else nullcontext()
        )
        with live:
            self._watch(game["id"], place, picture, lines=not terminal)
        self._show_result(game["id"], names)
        return str(game["id"])

    def bundle(self, game: str) -> bytes:
        """Download the game's public audit bundle."""
        return self._guest.download(f"audit/games/{game}/bundle/")

    def log_keys(self) -> list[str]:
        """Return the public keys of the server's log."""
        keys: list[str] = self._guest.get("audit/checkpoint/")["keys"]
        return keys

    def _open(self) -> Mapping[str, Any]:
        lobby = self._guest.post(
            "lobbies/",
            {"slug": self._rules["slug"], "options": self._options, "title": "Demonstration"},
        )
        for _ in range(self._bots):
            self._guest.post(f"lobbies/{lobby['id']}/bots/")
        started = self._guest.post(f"lobbies/{lobby['id']}/start/")
        game: Mapping[str, Any] = self._guest.get(f"games/{started['id']}/")
        self._console.print(
            f"Game {game['id']}, seed hash {game['seed_hash'][:16]}...", highlight=False
        )
        return game

    def _watch(self, game: str, place: Place, picture: Picture, *, lines: bool) -> None:
        """Follow the game to its end, and play for the guest's own seat now and then."""
        next_look = time.monotonic() + THINK_S
        received = 0
        for frame in place.frames(THINK_S / 2):
            received = _version_of(frame) or received
            for line in _take_in(picture, frame):
                if lines:
                    self._console.print(line, highlight=False)
            if time.monotonic() >= next_look:
                now = self._guest.get(f"games/{game}/")
                if now["ended"] and received >= now["version"]:
                    return
                if not now["ended"]:
                    self._act(game, place)
                next_look = time.monotonic() + THINK_S

    def _act(self, game: str, place: Place) -> None:
        """Play a random legal command. The server rejects it if it arrives too late."""
        legal: Sequence[Mapping[str, Any]] = self._guest.get(
            f"games/{game}/legal/?limit={LEGAL_MAX}"
        )["commands"]
        if legal:
            place.play(random.choice(legal))  # noqa: S311 -- a whim, not luck

    def _show_result(self, game: str, names: Sequence[str]) -> None:
        ended = self._guest.get(f"games/{game}/")
        if ended["ended"] != "finished":
            raise RefusedError(f"the game did not finish normally: {ended['ended']}")
        result = ended["result"]
        for number, rank in enumerate(result["ranking"], start=1):
            standing = ", ".join(f"{names[seat]} with {result['scores'][seat]}" for seat in rank)
            self._console.print(f"{number}. {standing}", highlight=False)
        self._console.print(f"{ended['version']} commits", highlight=False)


def picture_of(schema: Mapping[str, Any]) -> type[Picture]:
    """Choose how to draw a game by the fields of its view."""
    view = schema["properties"]["view"]["$ref"].rpartition("/")[2]
    fields = schema["$defs"][view]["properties"].keys()
    return RacePicture if fields >= RacePicture.FIELDS else Picture


def _version_of(frame: Mapping[str, Any] | None) -> int | None:
    """Return the version that a frame brings; None if it brings none."""
    match frame:
        case {"type": "view", "version": int(version)}:
            return version
        case {"type": "commits", "commits": [*_, {"version": int(version)}]}:
            return version
    return None


def _take_in(picture: Picture, frame: Mapping[str, Any] | None) -> list[str]:
    """Show a frame, and return the lines of its events."""
    if frame is None:
        return []
    if frame["type"] == "view":
        picture.look(frame["view"])
    commits = frame["commits"] if frame["type"] == "commits" else []
    return [line for commit in commits for event in commit["events"] for line in picture.add(event)]


def verified(
    show: Show, game: str, variables: Mapping[str, str], console: Console, kept: Path | None = None
) -> bool:
    """Whether the commands that verify ledger, history and bundle succeed.

    The last one uses only public downloads: `game.bundle` and `log_keys`, which stay in the folder
    `kept`, if there is one.
    """
    with TemporaryDirectory(prefix="gameserver-demo-") as temporary:
        folder = kept or Path(temporary)
        bundle, keys = folder / "game.bundle", folder / "log_keys"
        bundle.write_bytes(show.bundle(game))
        keys.write_text("".join(f"{key}\n" for key in show.log_keys()))
        commands = (
            ["-m", "gameserver", "verify_all"],
            ["-m", "gameserver", "verify_game", game],
            ["-m", "railbird_engine.audit", "verify", str(bundle), "--key", str(keys)],
        )
        if not all(_succeeds(command, variables, console) for command in commands):
            return False
    console.print("[bold green]everything verified, history verified[/]")
    return True


def _succeeds(command: Sequence[str], variables: Mapping[str, str], console: Console) -> bool:
    done = subprocess.run(  # noqa: S603 -- our own program
        [sys.executable, *command],
        cwd=installation.FOLDER,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    console.print(
        (done.stdout + done.stderr).strip(), highlight=False, markup=False, soft_wrap=True
    )
    return done.returncode == 0
