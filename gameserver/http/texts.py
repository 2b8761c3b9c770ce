"""Documents that only change with the server: made once, compressed once, sent with an ETag."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from threading import Lock
from typing import NamedTuple, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

T = TypeVar("T")

_making = Lock()


class Body(NamedTuple):
    """The bytes of an answer, with the headers that depend on them."""

    content: bytes
    headers: Mapping[str, str]


class Text(NamedTuple):
    """A document in full and compressed."""

    plain: Body
    packed: Body


def text(media_type: str, content: bytes) -> Text:
    """Return a document to keep."""
    packed = gzip.compress(content, mtime=0)
    return Text(_body(media_type, content), _body(media_type, packed, {"Content-Encoding": "gzip"}))


def _body(media_type: str, content: bytes, encoding: Mapping[str, str] = {}) -> Body:
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    return Body(content, {"Content-Type": media_type, "ETag": etag, **encoding})


def made_once(make: Callable[[], T]) -> T:
    """Return what `make` keeps. While one request makes it, the others wait."""
    with _making:
        return make()


def serve(request: HttpRequest, made: Text) -> HttpResponse:
    """Answer with a document, compressed for clients that accept that."""
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    body = made.packed if is_packed else made.plain
    response = HttpResponse(body.content, headers=body.headers)
    patch_vary_headers(response, ["Accept", "Accept-Encoding"])
    return response
