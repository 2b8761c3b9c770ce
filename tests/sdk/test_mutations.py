"""Nothing that arrives makes a client throw anything but its own errors."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from railbird_client import Client, ServerError
from railbird_client.games import ready_set_bet as rsb
from railbird_client.http import read_answer
from railbird_client.models import Lobby
from railbird_client.stream import Lost, Stream
from tests.sdk.mutations import mutations
from tests.sdk.scripts import run_script

FEW, MANY = 1_000, 20_000


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
async def test_damaged_frames_and_bodies_are_read_or_reported(count: int) -> None:
    client = Client("http://127.0.0.1:9", "SECRET", entropy=False)
    read = 0

    def streams() -> tuple[Stream[Any, Any], ...]:
        table = client.table("a", rsb.TYPES)
        return table, client.room("a"), client.lobbies(), client.inbox()

    for text in mutations(count):
        for stream in streams():
            try:
                stream._hear(text)
                read += 1
            except (Lost, ServerError):
                pass
        for status, kind in ((200, "application/json"), (503, "application/problem+json")):
            response = httpx.Response(status, headers={"Content-Type": kind})
            try:
                read_answer(response, text.encode(errors="replace"), Lobby)
                read += 1
            except ServerError:
                pass
    assert read > count // 2, "many are read nevertheless"


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.ci
async def test_typescript_reads_or_reports_them_too(count: int, tmp_path: Path) -> None:
    path = tmp_path / "texts"
    path.write_text(json.dumps(list(mutations(count))))
    found = json.loads(await run_script("mutations.ts", str(path)))
    assert found["foreign"] == []
    assert found["read"] > count // 2
