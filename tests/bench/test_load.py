"""The load test of a deployed server, on a server of the tests."""

import asyncio
import json
import re
import ssl
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from math import inf
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from bench import load, people
from bench.ground import ExperimentError
from bench.load import Api, Load
from tests.certificates import certified
from tests.processes import web_process

pytestmark = pytest.mark.usefixtures("database")


def load_of(url: str, tables: int, *tokens: str, seconds: float = 1.0) -> Load:
    return Load(
        url=url,
        slug="free_spots",
        stages=(tables,),
        bots=1,
        seconds=seconds,
        rate=20.0,
        tokens=tokens,
    )


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The URL of a web process, whose standby clock steps the games."""
    with web_process() as (_, address):
        yield f"http://{address}"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """No stage is too slow, however slow this machine is now."""
    monkeypatch.setattr(people, "LATE_P99_MAX_MS", inf)
    monkeypatch.setattr(people, "ACKNOWLEDGED_P99_MAX_MS", inf)


@pytest.mark.slow
def test_live_tables_are_played_by_guests_and_reported(url: str) -> None:
    options = {"slug": "free_spots", "tables": [1, 2], "rate": 20.0, "seconds": 1.0, "bots": 1}
    told = StringIO()
    call_command("load", url=url, **options, json=True, stdout=told)
    loaded = json.loads(told.getvalue())
    assert [stage["tables"] for stage in loaded["stages"]] == [1, 2]
    for stage in loaded["stages"]:
        assert stage["accepted"] > 0
        assert stage["acknowledged_p50_ms"] > 0
        assert stage["commits_per_s"] >= stage["accepted"]
        assert stage["lost"] == 0


@pytest.mark.slow
async def test_a_rate_limit_that_stops_the_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "SEATED_WITHIN_S", 2.0)
    with web_process({"RATE_LIMITS": "guest=2/60"}) as (_, address):
        loaded = await load_of(f"http://{address}", 3).run()
    (stage,) = loaded.stages
    assert stage.tables == 2
    assert "rate limit guest" in loaded.stopped
    assert loaded.rate_limited == {"guest": 1}


@pytest.mark.slow
def test_the_report_says_what_the_server_held(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{a_guest(url)}\n")
    options = {"slug": "free_spots", "tables": [1], "seconds": 1.0, "bots": 1, "tokens": tokens}
    call_command("load", url=url, **options, rate=20.0)
    assert "Most tables held: 1." in capsys.readouterr().out
    call_command("load", url=url, **options, rate=0.01)
    assert "says nothing about the server" in capsys.readouterr().out


@pytest.mark.slow
async def test_a_server_with_a_certificate_of_a_private_authority_is_loaded(
    url: str, tmp_path: Path
) -> None:
    certificate = certified(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream = await asyncio.open_connection(*url.removeprefix("http://").split(":"))
        await asyncio.gather(pour(reader, upstream[1]), pour(upstream[0], writer))

    async with await asyncio.start_server(relay, "127.0.0.1", 0, ssl=tls) as server:
        secure = load_of(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}", 1)
        with pytest.raises(ExperimentError, match="CERTIFICATE_VERIFY_FAILED"):
            await secure.run()
        (stage,) = (await secure._replace(ca=str(certificate)).run()).stages
    assert stage.accepted > 0


async def pour(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65_536):
            target.write(data)
    target.close()


def a_guest(url: str) -> str:
    """Return the token of a new guest."""
    api = Api(url)
    token: str = api.post("auth/guest/", {"display_name": "Ann"}, until=0.0)["token"]
    return token


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"url": "http://127.0.0.1:9"}, "http://127.0.0.1:9 does not respond"),
        ({"url": "games.example.org"}, "'games.example.org' is not the URL of a server"),
        ({"url": "http://x", "tables": [0]}, "--tables 0 is outside 1 to 5000"),
        ({"url": "http://x", "seconds": 9999}, "--seconds 9999 is outside 1 to 600"),
        ({"url": "http://x", "tokens": Path("/nowhere")}, "/nowhere cannot be read"),
        ({"url": "http://x", "tokens": Path("/dev/null")}, "/dev/null has no tokens"),
        ({"url": "http://x", "ca": Path("/nowhere")}, "/nowhere is no file of certificates"),
        ({"url": "http://x", "ca": Path("/dev/null")}, "/dev/null is no file of certificates"),
    ],
)
def test_a_load_that_cannot_run_is_reported_in_one_line(
    options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(CommandError, match=re.escape(reason)):
        call_command("load", **options)
