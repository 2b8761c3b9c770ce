"""The commit of the source: told to an image, written into an archive, or read from a clone."""

import io
import subprocess
import tarfile
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from gameserver.settings import build
from kit import installation

COMMIT = "0123456789" * 4
NAME = "gameserver/settings/commit.txt"


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    command = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the two files that matter, and one commit."""
    monkeypatch.delenv("BUILD_COMMIT", raising=False)
    folder = tmp_path / "clone"
    archived = folder / NAME
    archived.parent.mkdir(parents=True)
    archived.write_bytes(build.ARCHIVED.read_bytes())
    (folder / ".gitattributes").write_bytes((installation.FOLDER / ".gitattributes").read_bytes())
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "first")
    return folder


def found(folder: Path) -> str:
    return build.commit(folder, folder / NAME)


def test_a_clone_tells_its_commit(clone: Path) -> None:
    head = git(clone, "rev-parse", "HEAD")
    assert found(clone) == head
    git(clone, "pack-refs", "--all")
    assert found(clone) == head
    git(clone, "checkout", "--quiet", "--detach")
    assert found(clone) == head
    git(clone, "worktree", "add", "--quiet", "-b", "other", "../other")
    git(clone.parent / "other", "commit", "--quiet", "--allow-empty", "--message", "second")
    assert found(clone.parent / "other") == git(clone, "rev-parse", "other") != head


def test_an_archive_tells_its_commit_without_git(clone: Path, tmp_path: Path) -> None:
    archive = subprocess.run(
        ["git", "-C", str(clone), "archive", "HEAD"], capture_output=True, check=True
    ).stdout
    folder = tmp_path / "archive"
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    assert not (folder / ".git").exists()
    assert found(folder) == git(clone, "rev-parse", "HEAD")


def test_an_image_is_told_its_commit(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILD_COMMIT", COMMIT)
    assert found(clone) == COMMIT
    monkeypatch.setenv("BUILD_COMMIT", "main")
    with pytest.raises(ImproperlyConfigured, match="BUILD_COMMIT must be a commit"):
        found(clone)


def test_without_any_of_them_the_commit_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "commit.txt").write_bytes(build.ARCHIVED.read_bytes())
    assert not build.commit(tmp_path, tmp_path / "commit.txt")
    assert build.version()
