"""A web process that the test ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gameserver.processes.children import Child
from tests.processes import web_process


@asynccontextmanager
async def web(log: Path | None = None, **environment: str) -> AsyncIterator[tuple[Child, str]]:
    process = web_process(environment, log=log)
    child, address = await asyncio.to_thread(process.__enter__)
    try:
        yield child, address
    finally:
        await asyncio.to_thread(process.__exit__, None, None, None)
