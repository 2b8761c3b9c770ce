"""Scripts of the TypeScript client, run by Node."""

import asyncio

from sdk import node


async def run_script(name: str, *arguments: str, **variables: str) -> str:
    """Run a script of the client's tests, and return its output."""
    process = await asyncio.create_subprocess_exec(
        node.NODE,
        node.TYPESCRIPT.folder / "tests" / name,
        *arguments,
        env={**node.environment(), **variables},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        printed, complained = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, f"{printed.decode()}\n{complained.decode()}"
    return printed.decode()
