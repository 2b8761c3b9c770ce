"""Programs of Debian's packages, for tests of the configuration that we ship for them."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest


class Program(NamedTuple):
    """A program, and the environment that finds its libraries."""

    path: str
    environment: dict[str, str]


@cache
def program(name: str, folder: Path, *libraries: str) -> Program:
    """Return an installed program, or the one of Debian's package of the same name.

    Fails where neither can be had. `libraries` are the packages that it needs.
    """
    if installed := shutil.which(name):
        return Program(installed, {})
    if shutil.which("apt-get") is None:
        pytest.fail(f"{name} is not installed, and there is no apt-get to download it")
    done = subprocess.run(
        ["apt-get", "download", name, *libraries],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"{name} cannot be downloaded: {done.stderr.strip()}")
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg", "--extract", package, folder / "root"], check=True)
    (path,) = (folder / "root" / "usr").glob(f"*bin/{name}")
    found = [str(each) for each in (folder / "root" / "usr" / "lib").glob("*-linux-gnu")]
    return Program(str(path), {"LD_LIBRARY_PATH": ":".join(found)} if found else {})
