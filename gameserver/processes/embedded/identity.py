"""The user that runs PostgreSQL, which does not run as root.

Root hands it to the owner of its data, or else to `nobody`.
"""

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
    """Return the identity for PostgreSQL; None for an ordinary user, who runs it directly.

    Raises EmbeddedError if no user could enter the folders. A clone in a private folder of root is
    closed to `nobody`: there PostgreSQL keeps root's right to traverse folders, if the kernel
    allows it, and no other right.
    """
    if os.geteuid() != 0:
        return None
    user = pwd.getpwnam("nobody")
    uid, gid = user.pw_uid, user.pw_gid
    if cluster.exists() and cluster.stat().st_uid != 0:
        uid, gid = cluster.stat().st_uid, cluster.stat().st_gid
    closed = next((folder for path in reaching for folder in _folders_closed_to(uid, path)), None)
    if closed is None:
        return Identity(uid, gid)
    capability = _traversal_capability()
    if capability is None:
        raise EmbeddedError(
            f"PostgreSQL does not run as root, and user {uid} cannot enter {closed}: "
            "move the clone and GAMESERVER_DATA_DIR to folders open to all, start as "
            "an ordinary user, or set DATABASE_URL."
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


def _traversal_capability() -> int | None:
    """Return the weakest capability that opens folders and that this process can pass on."""
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
