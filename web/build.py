"""Build the pages: check the sources in `client/` and bundle them for browsers."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sdk.node import Packages

FOLDER: Final = Path(__file__).parent
CLIENT: Final = Packages(FOLDER / "client")
BUILT: Final = FOLDER / "static" / "web"
SCRIPTS: Final = ("start.ts", "lobby.ts", "table.ts", "replay.ts", "verify.ts", "verifier.ts")
ENTRIES: Final = (*SCRIPTS, "pages.css", "icon.svg")
VERIFIER: Final = FOLDER.parent / "audit" / "typescript" / "verify.ts"
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
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
