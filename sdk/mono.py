"""Compile and run C# with Mono: an installed one, or Debian's packages in a folder."""

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent / "csharp" / ".mono"
PACKAGES: Final = (
    "libmono-corlib4.5-cil",
    "libmono-corlib4.5-dll",
    "libmono-security4.0-cil",
    "libmono-system-configuration4.0-cil",
    "libmono-system-core4.0-cil",
    "libmono-system-net-http4.0-cil",
    "libmono-system-numerics4.0-cil",
    "libmono-system-security4.0-cil",
    "libmono-system-xml4.0-cil",
    "libmono-system4.0-cil",
    "mono-mcs",
    "mono-runtime-common",
    "mono-runtime-sgen",
)
INSTALL_WITHIN_S: Final = 120


class MonoError(Exception):
    """Mono is missing, or a program failed; the message says which."""


class Mono(NamedTuple):
    """How to start Mono: the runtime, the compiler and the environment."""

    runtime: tuple[str, ...]
    compiler: tuple[str, ...]
    environment: Mapping[str, str]

    def compile(self, sources: Iterable[Path], program: Path) -> None:
        """Compile a program as C# 7.2, without warnings. Raises MonoError."""
        libraries = ("-r:System.Net.Http.dll", "-r:System.Numerics.dll")
        options = ("-langversion:7.2", "-warnaserror", *libraries, f"-out:{program}")
        _run([*self.compiler, *options, *map(str, sources)], self.environment)


def find() -> Mono:
    """Return the installed Mono, or else one made of Debian's packages. Raises MonoError."""
    runtime, compiler = shutil.which("mono"), shutil.which("mcs")
    if runtime and compiler:
        return Mono((runtime,), (compiler,), os.environ)
    if not FOLDER.exists():
        _unpack()
    config = FOLDER / "etc" / "mono" / "config"
    start = (str(FOLDER / "usr" / "bin" / "mono-sgen"), "--config", str(config))
    libraries = {"LD_LIBRARY_PATH": str(FOLDER / "usr" / "lib")}
    compiler_file = FOLDER / "usr" / "lib" / "mono" / "4.5" / "mcs.exe"
    return Mono(start, (*start, str(compiler_file)), {**os.environ, **libraries})


def _unpack() -> None:
    """Download Debian's packages, with lists of its own, and unpack them. Needs no root."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise MonoError(f"Mono is not installed, and {platform.platform()} has no apt-get")
    with tempfile.TemporaryDirectory(dir=FOLDER.parent, prefix=".mono-") as name:
        folder = Path(name)
        for part in ("lists/partial", "cache/archives/partial", "root"):
            (folder / part).mkdir(parents=True)
        own = {"Dir::State::lists": "lists", "Dir::Cache": "cache"}
        options = [f"-o{option}={folder / part}" for option, part in own.items()]
        apt = ["apt-get", "-qq", *options, "-oAPT::Sandbox::User=root"]
        _run([*apt, "update"], os.environ)
        _run([*apt, "download", *PACKAGES], os.environ, folder)
        for package in folder.glob("*.deb"):
            _run(["dpkg-deb", "--extract", str(package), str(folder / "root")], os.environ)
        (folder / "root").rename(FOLDER)


def _run(
    command: Iterable[str], environment: Mapping[str, str], folder: Path | None = None
) -> None:
    try:
        done = subprocess.run(  # noqa: S603 -- our own programs
            list(command),
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env=environment,
            timeout=INSTALL_WITHIN_S,
        )
    except subprocess.TimeoutExpired as error:
        raise MonoError(f"{error.cmd[0]} took more than {error.timeout} s") from error
    if done.returncode:
        raise MonoError(f"{done.stdout}{done.stderr}".strip())
