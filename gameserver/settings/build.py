"""The version of this server, and the commit of its source.

The build of an image sets its commit, `git archive` writes it into `commit.txt`, from where it
gets into the wheel, and a clone has it in `.git`.
"""

import os
import re
from importlib import metadata
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from kit import installation

ARCHIVED: Final = Path(__file__).with_name("commit.txt")


def version() -> str:
    """Return the version of this server."""
    return metadata.version("railbird-engine")  # all packages of a release have one version


def commit(root: Path = installation.FOLDER, archived: Path = ARCHIVED) -> str:
    """Return the commit as 40 hex digits, or an empty string if nothing tells it."""
    if told := os.environ.get("BUILD_COMMIT", ""):
        if not _is_commit(told):
            raise ImproperlyConfigured(
                f"BUILD_COMMIT must be a commit of 40 hex digits, not {told!r}."
            )
        return told
    found = (archived.read_text().strip(), _checked_out(root / ".git"))
    return next(filter(_is_commit, found), "")


def _is_commit(text: str) -> bool:
    return re.fullmatch("[0-9a-f]{40}", text) is not None


def _checked_out(git: Path) -> str:
    """Read the commit of a clone or of one of its worktrees, without git."""
    try:
        if git.is_file():
            git = git.parent / git.read_text().removeprefix("gitdir:").strip()
        shared = git / "commondir"
        common = git / shared.read_text().strip() if shared.exists() else git
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        name = head.removeprefix("ref: ")
        if (common / name).exists():
            return (common / name).read_text().strip()
        packed = (common / "packed-refs").read_text().splitlines()
        return next((line[:40] for line in packed if line.endswith(f" {name}")), "")
    except OSError:
        return ""
