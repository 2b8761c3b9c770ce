"""Build the pages: check the sources in `client/` and bundle them for browsers."""

import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sdk.node import Packages

FOLDER: Final = Path(__file__).parent
CLIENT: Final = Packages(FOLDER / "client")
BUILT: Final = FOLDER / "static" / "web"
SCRIPTS: Final = (
    *("start.ts", "lobby.ts", "table.ts", "replay.ts"),
    *("open.ts", "verify.ts", "profile.ts", "signed_in.ts", "sockets.ts"),
    *("console.ts", "watch.ts", "factor.ts", "notices.ts", "service_worker.ts"),
)
ENTRIES: Final = (*SCRIPTS, "verifier.ts", "pages.css", "admin.css", "icon.svg")
VERIFIER: Final = FOLDER.parent / "audit" / "typescript" / "verify.ts"
PART: Final = re.compile(rb"part-[0-9A-Z]{8}\.js")
OPTIONS: Final = (
    "--bundle",
    "--splitting",
    "--chunk-names=part-[hash]",
    "--minify",  # so that a changed comment in the SDK changes no built file
    "--format=esm",
    "--target=es2022,chrome111,firefox115,safari16.4",
    "--charset=utf8",
    "--loader:.svg=copy",
    "--entry-names=[name]",
    "--log-level=warning",
    f"--alias:railbird-verifier={VERIFIER}",
    "--alias:node:crypto=./verify/crypto.ts",
    "--alias:node:fs=./verify/files.ts",
    "--alias:node:util=./verify/arguments.ts",
)


def build() -> Mapping[str, bytes]:
    """The built files by name. Raises NodeError if the sources have type errors."""
    CLIENT.run("typescript/bin/tsc", "--noEmit")
    with TemporaryDirectory() as folder:
        CLIENT.run("esbuild/bin/esbuild", *ENTRIES, *OPTIONS, f"--outdir={folder}")
        return _numbered({path.name: path.read_bytes() for path in Path(folder).iterdir()})


def _numbered(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Replace the hashes in the names of shared parts by numbers, in the order of their use.

    A change then keeps the names of the committed files.
    """
    parts: dict[bytes, bytes] = {}
    waiting = [name for name in sorted(files) if not name.startswith("part-")]
    for name in waiting:
        for part in PART.findall(files[name]):
            if part not in parts:
                parts[part] = b"part-%d.js" % (len(parts) + 1)
                waiting.append(part.decode())
    return {
        parts.get(name.encode(), name.encode()).decode(): PART.sub(
            lambda found: parts[found[0]], content
        )
        for name, content in sorted(files.items())
    }
