"""Programs that use a client, each in its own process."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from sdk import node
from tests.waiting import WITHIN_S


async def run(
    *command: str | Path, env: Mapping[str, str] = os.environ, cwd: Path | None = None
) -> str:
    """Run a program that has to succeed in time, and return its output."""
    process = await asyncio.create_subprocess_exec(
        *command, env=env, cwd=cwd, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(WITHIN_S):
            printed, complained = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, f"{printed.decode()}\n{complained.decode()}"
    return printed.decode()


async def run_script(name: str, *arguments: str, **variables: str) -> str:
    """Run a script of the TypeScript client's tests, and return its output."""
    script = node.TYPESCRIPT.folder / "tests" / name
    return await run(node.NODE, script, *arguments, env={**node.environment(), **variables})
