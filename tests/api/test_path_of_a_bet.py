"""The path of a bet through the code, as `docs/architecture.md` lists it."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import pytest

from accounts import ledger
from games.models import Game
from games.store import appending
from kit.database import BoundedAsyncConnection
from tests.api.sockets import close_store, opened, seated

NewGame = Callable[..., Game]

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = ROOT / "docs" / "architecture.md"
FILES_MAX = 10
RETURNS_MAX = 2
LEAVES = ("kit", "bench", "games/live", ".venv")
"""Code that is called on the way and returns. The game of this test is one of `bench`."""
READ = "_read"
"""The function with the frame of the bet."""


def documented() -> list[str]:
    """The files of a bet in the documentation, in their order."""
    text = DOCUMENTED.read_text()
    table = text[text.index("### A bet, file by file") :].split("\n\n")[2]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


@contextmanager
def traced(walks: list[list[str]], statements: list[str]) -> Iterator[None]:
    """Note the files between the frame and each call of the rules, and of the database."""

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        is_sent = code is BoundedAsyncConnection.send.__code__
        if is_sent:
            statements.append(frame.f_locals["statement"])
        if is_sent or (code.co_name == "play" and "free_spots" in code.co_filename):
            walks.append(list(walked(frame)))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def walked(frame: FrameType | None) -> Iterator[str]:
    """Yield the files of a stack from the function that read the frame."""
    files: list[str] = []
    while frame is not None:
        files.append(frame.f_code.co_filename)
        if frame.f_code.co_name == READ:
            break
        frame = frame.f_back
    for file, _ in groupby(reversed(files)):
        name = str(Path(file).relative_to(ROOT)) if file.startswith(str(ROOT)) else ""
        if name and not name.startswith(LEAVES):
            yield name


async def test_a_bet_passes_few_files_and_seldom_returns_to_one(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appending, "IDLE_S", -1.0)  # a bet leaves at once, however soon it comes
    game, (token, _) = await seated(new_game)
    walks: list[list[str]] = []
    statements: list[str] = []
    try:
        socket = await opened(game, token)
        for spot in range(2):  # the first opens the connection of appends
            walks.clear()
            command = {"type": "take_spot", "spot": spot}
            text = json.dumps({"type": "play", "id": str(uuid4()), "command": command})
            with traced(walks, statements):
                await socket.send_input({"type": "websocket.receive", "text": text})
                while json.loads((await socket.receive_output(30))["text"])["type"] != "accepted":
                    pass
        await socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await socket.wait(30)
    finally:
        await close_store()
    to_rules, to_database = walks
    stays = [file for file, _ in groupby(to_rules)]
    assert set(to_database) <= set(to_rules)
    assert ledger.POSTING in statements[-1]
    listed = documented()
    assert len(listed) <= FILES_MAX
    rules, of_ledger = "engine/railbird_engine/rules/<slug>/rules.py", "accounts/ledger.py"
    assert [*dict.fromkeys(stays), rules, of_ledger] == listed
    assert max(stays.count(file) for file in stays) <= 1 + RETURNS_MAX
