"""Object storage: objects that are written once, in a folder or with a cloud provider, by URL."""

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import LocalStore, from_url

ANSWER_WITHIN: Final = timedelta(seconds=5)
UPLOAD_WITHIN: Final = timedelta(minutes=5)
NO_BUCKET: Final = "<Code>NoSuchBucket</Code>"
"""S3 answers that a bucket is missing as it does for an object."""


class MissingObjectError(Exception):
    """There is no such object, or it is shorter."""


class UnreachableError(Exception):
    """The storage does not answer, or refuses access."""


class ObjectStorage:
    """The objects under a URL, such as `file:///var/lib/archive` or `s3://bucket/prefix`.

    Credentials of a provider come from the environment, as its own tools read them. `patient`
    allows the time that large uploads take. All methods raise UnreachableError.
    """

    def __init__(self, url: str, *, patient: bool = False) -> None:
        within = UPLOAD_WITHIN if patient else ANSWER_WITHIN
        is_folder = url.startswith("file://")
        self._url = url
        self._folder = Path(unquote(url.removeprefix("file://"))) if is_folder else None
        try:
            if self._folder is not None:
                self._store = LocalStore(self._folder, mkdir=True)
            else:
                self._store = from_url(  # type: ignore[assignment]
                    url,
                    # An address with http:// in AWS_ENDPOINT is meant so.
                    client_options={"timeout": within, "allow_http": True},
                    retry_config={"max_retries": 2, "retry_timeout": within},
                )
        except (BaseError, OSError, ValueError) as error:
            raise self._unreachable(error) from error

    def write(self, name: str, content: bytes) -> None:
        """Write an object durably. One with this name already has to be the same."""
        try:
            self._store.put(name, content, mode="create")
            if self._folder is not None:
                _sync(self._folder / name)
        except AlreadyExistsError as error:
            if self.read(name, 0, len(content) + 1) != content:
                raise UnreachableError(f"another object has the name {name}") from error
        except (BaseError, OSError) as error:
            raise self._unreachable(error) from error

    def read(self, name: str, start: int, length: int) -> bytes:
        """Return so many bytes of an object, fewer at its end. Raises MissingObjectError."""
        try:
            return bytes(self._store.get_range(name, start=start, length=length))
        except FileNotFoundError as error:
            if NO_BUCKET in str(error):
                raise self._unreachable(error) from error
            raise MissingObjectError(name) from error
        except (BaseError, OSError) as error:
            if self._ends_before(name, start):
                raise MissingObjectError(name) from error
            raise self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> UnreachableError:
        return UnreachableError(f"{self._url}: {_line(error)}")

    def _ends_before(self, name: str, start: int) -> bool:
        """Whether the object has no byte at this place, which storages report in various ways."""
        try:
            return self._store.head(name)["size"] <= start
        except (BaseError, OSError):
            return False

    def names(self, prefix: str) -> list[str]:
        """Return the names of all objects below a prefix, in order."""
        try:
            return sorted(found["path"] for part in self._store.list(prefix) for found in part)
        except (BaseError, OSError) as error:
            raise self._unreachable(error) from error


def _sync(path: Path) -> None:
    """Wait until a file and its names are on the disk."""
    for part in (path, path.parent, path.parent.parent):
        descriptor = os.open(part, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _line(error: Exception) -> str:
    """Return the first line of an error, and the code in an answer of S3, which says more."""
    text = str(error)
    code = re.search(r"<Code>(\w+)</Code>", text)
    first = text.partition("\n")[0].partition(": <?xml")[0]
    return first if code is None else f"{first}: {code[1]}"
