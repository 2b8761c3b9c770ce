"""Sockets while the database is away: the documented code, so that clients come back."""

from pathlib import Path

from websockets.asyncio.client import connect

from games.api.sockets.frames import CloseCode
from tests.processes import web_process

NOWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}


PATHS = ("games/00000000-0000-4000-8000-000000000000", "lobbies")


async def test_a_handshake_during_an_outage_is_answered_with_unavailable(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    with web_process(NOWHERE, log=log) as (_, address):
        headers = {"Authorization": "Bearer gss_any-token-that-needs-a-look-into-the-database"}
        for path in PATHS:
            url = f"ws://{address}/ws/v1/{path}"
            async with connect(url, additional_headers=headers, open_timeout=30) as connection:
                await connection.wait_closed()
            found = (connection.close_code, connection.close_reason)
            assert found == (CloseCode.UNAVAILABLE, "unavailable"), path
    assert "Traceback" not in log.read_text()
