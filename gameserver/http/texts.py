"""Documents that only change with the server: made once, compressed once, sent with an ETag."""

import gzip
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

T = TypeVar("T")

_making = Lock()


class Text(NamedTuple):
    """A document in full and compressed, with its media type."""

    media_type: str
    plain: bytes
    packed: bytes


def text(media_type: str, content: bytes) -> Text:
    """Return a document to keep."""
    return Text(media_type, content, gzip.compress(content, mtime=0))


def made_once(make: Callable[[], T]) -> T:
    """Return what `make` keeps. While one request makes it, the others wait."""
    with _making:
        return make()


def serve(request: HttpRequest, made: Text) -> HttpResponse:
    """Answer with a document, compressed for clients that accept that."""
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(made.packed if is_packed else made.plain, content_type=made.media_type)
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept", "Accept-Encoding"])
    return response
