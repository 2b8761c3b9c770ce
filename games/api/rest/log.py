"""The public log in the format of C2SP tlog-tiles, which anybody may read, cache and mirror."""

import re
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, re_path
from django.views.decorators.http import require_safe

from games.log import tiles
from railbird_engine.audit.merkle import WIDTH, width_of

TEXT: Final = "text/plain; charset=utf-8"
BYTES: Final = "application/octet-stream"
SOON: Final = "public, max-age=1"
FOR_EVER: Final = "public, max-age=31536000, immutable"
TILE: Final = (
    r"^tile/(?P<level>entries|[0-9]|[1-5][0-9]|6[0-3])/"
    r"(?P<number>(?:x[0-9]{3}/){0,5}[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?$"
)


def _answer(content: str | bytes, content_type: str, cache: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=content_type)
    answer["Cache-Control"] = cache
    return answer


@require_safe
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Return the newest published checkpoint."""
    sealed = tiles.published()
    if sealed is None:
        raise Http404
    return _answer(sealed.note, TEXT, SOON)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Return the public keys of the log, one per line, oldest first."""
    return _answer("".join(f"{verifier}\n" for verifier in tiles.verifiers()), TEXT, SOON)


@require_safe
def tile(request: HttpRequest, level: str, number: str, width: str | None = None) -> HttpResponse:
    """Return a tile of hashes, or the entries of a tile of level 0. A partial one has a width."""
    place = int(re.sub("[x/]", "", number))
    wanted = WIDTH if width is None else int(width)
    sealed = tiles.newest()
    there = (
        0
        if sealed is None
        else width_of(0 if level == "entries" else int(level), place, sealed.checkpoint.size)
    )
    if wanted > there or (width is not None and wanted >= WIDTH) or (number.startswith("x000/")):
        raise Http404
    if level == "entries":
        content = b"".join(
            len(entry).to_bytes(2, "big") + entry for entry in tiles.entries(place, wanted)
        )
    else:
        content = b"".join(tiles.hashes(int(level), place, wanted))
    return _answer(content, BYTES, FOR_EVER)


urlpatterns = [
    path("checkpoint", checkpoint, name="log_checkpoint"),
    path("keys", keys, name="log_keys"),
    re_path(TILE, tile),
]
