"""Build all packages into a folder: `python -m packages.build FOLDER`.

Three wheels (`railbird`, `railbird_engine`, `railbird_client`), the npm package `railbird-client`,
the sources of the C# client (`railbird-csharp-VERSION.zip`), a list of all dependencies
(`railbird.cdx.json`, CycloneDX) and `SHA256SUMS`.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sdk.generate_csharp import CSHARP, write_csharp
from sdk.node import NODE, NPM, TYPESCRIPT, environment

ROOT: Final = Path(__file__).parent.parent
LICENSE: Final = ROOT / "LICENSE"
SITE: Final = ROOT / "gameserver" / "site"
UV: Final = str(ROOT / "bin" / "uv")
WHEELS: Final = (ROOT, ROOT / "engine", ROOT / "sdk" / "python")


def versions() -> set[str]:
    """Return the versions that the packages state: one, when they are in step."""
    wheels = {
        tomllib.loads((path / "pyproject.toml").read_text())["project"]["version"]
        for path in WHEELS
    }
    return {*wheels, json.loads((TYPESCRIPT.folder / "package.json").read_text())["version"]}


def wheels(folder: Path, commit: str = "HEAD") -> list[Path]:
    """Build the three wheels from a commit, and return their files."""
    if not (SITE / "index.html").is_file():
        sys.exit("The documentation is part of the package: run `.ci/run docs` first.")
    with TemporaryDirectory() as name:
        sources = Path(name)
        # An archive has the commit in `commit.txt`, and no file that git does not track.
        archive = sources / "archive.tar"
        run("git", "archive", "--output", str(archive), commit)
        shutil.unpack_archive(archive, sources)
        shutil.copytree(SITE, sources / SITE.relative_to(ROOT))
        for path in WHEELS:
            project = sources / path.relative_to(ROOT)
            run(UV, "build", "--quiet", "--wheel", "--out-dir", str(folder), str(project))
    return sorted(folder.glob("*.whl"))


def npm_package(folder: Path) -> Path:
    """Build the npm package and return its file."""
    with TemporaryDirectory() as name:
        package = Path(name)
        for file in (TYPESCRIPT.folder / "package.json", TYPESCRIPT.folder / "README.md", LICENSE):
            shutil.copy(file, package)
        compile_into = ("--project", "tsconfig.build.json", "--outDir", str(package / "dist"))
        TYPESCRIPT.run("typescript/bin/tsc", *compile_into)
        pack = ("pack", "--silent", "--ignore-scripts", "--pack-destination", str(folder))
        told = run(str(NODE), str(NPM), *pack, folder=package)
    return folder / told.split()[-1]


def csharp_sources(folder: Path) -> Path:
    """Write the sources of the C# client, and return their file."""
    (version,) = versions()
    with TemporaryDirectory() as name:
        sources = Path(name) / "sources"
        write_csharp(sources / CSHARP.name)
        for file in (CSHARP.parent / "README.md", LICENSE):
            shutil.copy(file, sources)
        target = folder / f"railbird-csharp-{version}"
        return Path(shutil.make_archive(str(target), "zip", sources))


def components(folder: Path) -> Path:
    """Write the list of all packages that the server depends on, and return its file."""
    file = folder / "railbird.cdx.json"
    listed = run(
        UV, "export", "--quiet", "--format", "cyclonedx1.5", "--no-dev", "--no-emit-workspace"
    )
    file.write_text(listed)
    return file


def run(*command: str, folder: Path = ROOT) -> str:
    """Return what a program prints. Raises CalledProcessError when it fails."""
    done = subprocess.run(  # noqa: S603 -- our own programs
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def main(folder: Path) -> None:
    if len(versions()) > 1:
        sys.exit(f"The packages state different versions: {', '.join(sorted(versions()))}.")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"{folder} is not empty.")
    files = [
        *wheels(folder),
        npm_package(folder),
        csharp_sources(folder),
        components(folder),
    ]
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(sums))
    lines = (f"{file.stat().st_size:>10,}  {file.name}\n" for file in files)
    sys.stdout.writelines(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m packages.build", description=__doc__)
    parser.add_argument("folder", type=Path, help="an empty folder, or one that does not exist")
    main(parser.parse_args().folder.absolute())
