"""The Chromium for tests: from the packages, or else an installed one."""

import os
import platform
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from sdk.node import Packages

PACKAGES: Final = Packages(Path(__file__).parent)
UNPACKED: Final = PACKAGES.modules / ".chromium"
INSTALLED: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS: Final = (
    "--no-sandbox",  # root may not have one
    "--disable-gpu",
    "--disable-quic",
    "--disable-component-update",
    "--enable-blink-features=ComputedAccessibilityInfo",  # names and roles, for tests
    "--host-resolver-rules=MAP *.example 127.0.0.1",
)


class Chromium(NamedTuple):
    """The program, and the environment that it needs."""

    path: str
    environment: dict[str, str | float | bool]


def find() -> Chromium | None:
    """Find a Chromium for this machine, or return None."""
    PACKAGES.install()
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        fonts = str(PACKAGES.folder / "fonts.conf")
        needed = {"LD_LIBRARY_PATH": str(UNPACKED / "al2023" / "lib"), "FONTCONFIG_FILE": fonts}
        return Chromium(str(UNPACKED / "chromium"), {**os.environ, **needed})
    path = next(filter(None, map(shutil.which, INSTALLED)), None)
    return None if path is None else Chromium(path, {**os.environ})
