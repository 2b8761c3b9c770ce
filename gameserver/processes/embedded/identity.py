"""Who PostgreSQL runs as: it refuses root, so root hands it to the owner of its data or else to
`nobody`."""

import os
import pwd
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from gameserver.processes.children import Identity
from gameserver.processes.embedded.programs import EmbeddedError

CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_SETPCAP = 1, 2, 8  # <linux/capability.h>


def postgres_identity(cluster: Path, *, reaching: Iterable[Path]) -> Identity | None:
    """None for an ordinary user, who runs it himself; raises EmbeddedError when nobody could enter
    the folders to it.

    A clone in a private folder of root is closed to `nobody`: there it keeps root's right to pass
    through folders, if this machine lets it, and no other right."""
    if os.geteuid() != 0:
        return None
    user = pwd.getpwnam("nobody")
    uid, gid = user.pw_uid, user.pw_gid
    if cluster.exists() and cluster.stat().st_uid != 0:
        uid, gid = cluster.stat().st_uid, cluster.stat().st_gid
    closed = next((folder for path in reaching for folder in _folders_closed_to(uid, path)), None)
    if closed is None:
        return Identity(uid, gid)
    capability = _right_to_pass()
    if capability is None:
        raise EmbeddedError(
            f"PostgreSQL does not run as root, and user {uid} cannot enter {closed}: "
            f"move the clone and GAMESERVER_DATA_DIR to folders open to all, start as an ordinary user, or set DATABASE_URL."
        )
    return Identity(uid, gid, capability)


def _folders_closed_to(uid: int, path: Path) -> list[Path]:
    closed = []
    for folder in reversed(
        path.resolve().parents if path.is_file() else [path.resolve(), *path.resolve().parents]
    ):
        status = folder.stat()
        may_enter = stat.S_IXUSR if status.st_uid == uid else stat.S_IXOTH
        if not status.st_mode & may_enter:
            closed.append(folder)
    return closed


def _right_to_pass() -> int | None:
    """The weakest right of ours that opens folders and that the kernel would let us hand on."""
    if sys.platform != "linux":
        return None
    status = dict(
        line.split(":\t")
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("Cap")
    )
    ours = int(status["CapPrm"], 16) & int(status["CapBnd"], 16)
    if not ours >> CAP_SETPCAP & 1:
        return None
    return next(
        (right for right in (CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE) if ours >> right & 1), None
    )
