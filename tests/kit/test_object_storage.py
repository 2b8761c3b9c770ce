"""Objects in a folder and on a real S3 server."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gameserver.settings import environment
from kit.object_storage import MissingObjectError, ObjectStorage, UnreachableError
from tests.storage import SECRET, s3

NAME = "2001-01/one"
CONTENT = b"commits and bets"


@pytest.fixture(scope="module", params=["folder", pytest.param("s3", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("objects")
    if request.param == "folder":
        yield (folder / "archive").as_uri()
        return
    with s3(folder):
        yield "s3://games/archive"


@pytest.fixture(scope="module")
def objects(url: str) -> ObjectStorage:
    found = ObjectStorage(url, patient=True)
    found.write(NAME, CONTENT)
    return found


def test_parts_of_an_object_are_read(objects: ObjectStorage) -> None:
    assert objects.read(NAME, 0, len(CONTENT)) == CONTENT
    assert objects.read(NAME, 3, 4) == CONTENT[3:7]
    assert objects.read(NAME, 0, 2**31) == CONTENT
    assert objects.read(NAME, len(CONTENT) - 2, 9) == CONTENT[-2:]


def test_what_is_not_there_is_missing(objects: ObjectStorage) -> None:
    with pytest.raises(MissingObjectError):
        objects.read("2001-01/two", 0, 1)
    with pytest.raises(MissingObjectError):
        objects.read(NAME, len(CONTENT), 1)


def test_an_object_is_written_once(objects: ObjectStorage) -> None:
    objects.write(NAME, CONTENT)
    for other in (CONTENT.upper(), CONTENT + b"!", CONTENT[:-1]):
        with pytest.raises(UnreachableError, match="another object has the name"):
            objects.write(NAME, other)
    assert objects.read(NAME, 0, len(CONTENT)) == CONTENT


def test_a_folder_has_the_name_that_its_url_stands_for(tmp_path: Path) -> None:
    folder = tmp_path / "the club's archive"
    ObjectStorage(folder.as_uri()).write(NAME, CONTENT)
    assert (folder / NAME).read_bytes() == CONTENT


def test_objects_of_a_month_are_listed(objects: ObjectStorage) -> None:
    objects.write("2001-02/two", b"2")
    objects.write("2001-02/one", b"1")
    assert objects.names("2001-02") == ["2001-02/one", "2001-02/two"]
    assert objects.names("2001-03") == []


def test_a_large_object_comes_back(objects: ObjectStorage) -> None:
    content = os.urandom(2**20) * 40
    objects.write("2001-04/large", content)
    assert objects.read("2001-04/large", 0, len(content) + 1) == content


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with s3(tmp_path_factory.mktemp("bucket")):
        yield


@pytest.mark.slow
def test_a_wrong_bucket_is_not_a_missing_object(bucket: None) -> None:
    wrong = ObjectStorage("s3://other-games/archive")
    for call in (
        lambda: wrong.write(NAME, CONTENT),
        lambda: wrong.read(NAME, 0, 1),
        lambda: wrong.names("2001-01"),
    ):
        with pytest.raises(UnreachableError, match=r"404 Not Found: NoSuchBucket$") as refused:
            call()
        assert SECRET not in f"{refused.value} {refused.value.__cause__}"


def test_a_storage_that_does_not_answer_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "croupier")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with pytest.raises(UnreachableError) as refused:
        ObjectStorage("s3://games").read(NAME, 0, 1)
    assert "\n" not in str(refused.value)
    assert SECRET not in f"{refused.value} {refused.value.__cause__}"


def test_credentials_of_the_storage_may_stand_in_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text(f"{SECRET}\n")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY_FILE", str(tmp_path / "key"))
    environment.read_secret_files()
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == SECRET
