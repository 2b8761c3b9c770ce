"""Serve static files of the admin and of the documentation before Django.

As a Django middleware WhiteNoise is synchronous: every API request would visit a thread just to
find that it is no file.
"""

import asyncio
import base64
import gzip
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from whitenoise.middleware import WhiteNoiseMiddleware

from gameserver.http.headers import PAGE

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

SITE: Final = Path(__file__).parent.parent / "site"
"""The documentation that `.ci/run docs` builds from `docs/`."""

INLINE_SCRIPT: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

TEXTS: Final = re.compile(r"text/|application/(?:javascript|json|xml)|image/svg")
"""The media types of files that are compressed."""

CHUNK = 65_536
HEADERS = {
    b"if-none-match": "HTTP_IF_NONE_MATCH",
    b"if-modified-since": "HTTP_IF_MODIFIED_SINCE",
    b"range": "HTTP_RANGE",
}


class StaticFiles:
    """An ASGI application that serves static files and passes other requests to `application`."""

    def __init__(self, application: Application) -> None:
        self.application = application
        whitenoise = Files()
        whitenoise.index_file = "index.html"
        whitenoise.add_headers_function = add_policy
        if SITE.is_dir():
            whitenoise.add_files(SITE, prefix="docs/")
        self.files = whitenoise.files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self.files.get(scope["path"])
        if file is None:
            await self.application(scope, receive, send)
            return
        asked = {
            HEADERS[name]: value.decode("latin-1")
            for name, value in scope["headers"]
            if name in HEADERS
        }
        answer = file.get_response(scope["method"], asked)
        fields = {name.lower(): value for name, value in answer.headers}
        packed = await _packed_for(scope, fields, answer.file)
        if packed is not None:
            fields |= {"content-encoding": "gzip", "content-length": str(len(packed))}
        headers = [(name.encode(), value.encode("latin-1")) for name, value in fields.items()]
        await send(
            {"type": "http.response.start", "status": int(answer.status), "headers": headers}
        )
        if packed is not None:
            await send({"type": "http.response.body", "body": packed, "more_body": True})
        elif answer.file is not None:
            with answer.file:
                while chunk := await asyncio.to_thread(answer.file.read, CHUNK):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _packed_for(scope: Scope, headers: Mapping[str, str], file: Any) -> bytes | None:
    """Return the compressed content for a client that accepts it, None for parts and pictures."""
    accepted = dict(scope["headers"]).get(b"accept-encoding", b"")
    is_text = TEXTS.match(headers.get("content-type", "")) is not None
    if file is None or not is_text or b"gzip" not in accepted or "content-range" in headers:
        return None
    with file:
        return await asyncio.to_thread(_packed, file.name, headers["etag"])


@lru_cache(maxsize=512)
def _packed(path: str, _etag: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), mtime=0)


class Files(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise has no types
    """All static files. Their names stay the same from version to version.

    Browsers ask each time whether a file has changed, so that no page mixes the scripts of two
    versions.
    """

    def add_cache_headers(self, headers: MutableMapping[str, str], path: str, url: str) -> None:
        """Add an entity tag of the content: the times of installed files may mean nothing."""
        headers["Cache-Control"] = "no-cache"
        # Weak, because it is the same for the compressed content.
        headers["ETag"] = f'W/"{hashlib.sha256(Path(path).read_bytes()).hexdigest()[:32]}"'
        headers["Vary"] = "Accept-Encoding"


def add_policy(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """Add the Content-Security-Policy of pages to those of the documentation. Their theme has
    inline scripts: the policy allows exactly these, by their hashes."""
    if path.endswith(".html"):
        hashes = (
            base64.b64encode(hashlib.sha256(script).digest()).decode()
            for script in INLINE_SCRIPT.findall(Path(path).read_bytes())
        )
        allowed = " ".join(("script-src 'self'", *(f"'sha256-{text}'" for text in hashes)))
        headers["Content-Security-Policy"] = PAGE.replace("script-src 'self'", allowed)
