"""One request over HTTP: the server's own answer, whole and within limits, or an error."""

import asyncio
import re
import ssl
import zlib
from collections.abc import Mapping
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote, urlsplit

import httpx
import msgspec

from railbird_client.models import ProblemDocument
from railbird_client.patience import retry_after_s
from railbird_client.problems import Misused, Problem, Unreachable

T = TypeVar("T")

ADDRESS: Final = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
BODY_BYTES_MAX: Final = 1 << 24
JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
WITHOUT_BODY: Final = frozenset({202, 204})
INSIDE: Final = ("_stream", "_httpcore_stream", "_connection")
"""Where httpx and httpcore keep what a response is read from. They have no public way to it."""
GZIP: Final = 31
"""The format of zlib.decompressobj."""


def part(value: object) -> str:
    """Escape a part of a path, which cannot lead elsewhere. Raises Misused."""
    text = quote(str(value), safe="", errors="replace")
    if value is None or text in {"", ".", ".."}:
        raise Misused(f"{value!r} is no id")
    return text


def written(value: object) -> bytes:
    """Write JSON. Raises Misused for what JSON cannot express."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Misused(f"this cannot be sent: {error}") from error


def is_address(url: str) -> bool:
    """Whether this is the address of a server, as sockets and HTTP understand it."""
    try:
        host = httpx.URL(url).host.encode("idna")
        return bool(host) and urlsplit(url).port != 0 and ADDRESS.fullmatch(url) is not None
    except (httpx.InvalidURL, ValueError):
        return False


class Http:
    """The HTTP connections of a client to its server, and to no other."""

    def __init__(self, url: str, timeout_s: float) -> None:
        self._http = httpx.AsyncClient(
            base_url=url,
            timeout=timeout_s,
            follow_redirects=False,
            verify=_certificates(),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            headers={"Accept-Encoding": "gzip"},
        )
        self._timeout_s = timeout_s
        self._loop: asyncio.AbstractEventLoop | None = None

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    def check_open(self) -> None:
        """Raises Misused for a client that is closed."""
        if self._http.is_closed:
            raise Misused("this client is closed: make another one")

    async def ask(
        self,
        method: str,
        path: str,
        answer: type[T] | None,
        *,
        parameters: Mapping[str, str],
        content: bytes | None,
        headers: Mapping[str, str],
    ) -> T:
        """Send a request once, and return its answer. Raises Problem, Unreachable, Misused."""
        self.check_open()
        self._loop = self._loop or asyncio.get_running_loop()
        if self._loop is not asyncio.get_running_loop():
            raise Misused("this client is of another event loop: make one for each")
        request = self._http.build_request(
            method, path, params=parameters, content=content, headers=headers
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                found = await self._http.send(request, stream=True)
                try:
                    body = await _body_of(found)
                finally:
                    await found.aclose()
                    await _end_if_more(found)
        except httpx.TimeoutException as error:
            raise Unreachable("timed_out", f"{method} {path}") from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise Unreachable(trouble_of(error), f"{method} {path}: {error!r}") from error
        return read_answer(found, body, answer)


@cache
def _certificates() -> ssl.SSLContext:
    """Return what all clients of a program trust, since loading it takes tens of milliseconds."""
    return httpx.create_ssl_context()


def trouble_of(error: BaseException) -> str:
    """Return the code for a connection that failed."""
    if isinstance(error, TimeoutError):
        return "timed_out"
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return "tls_failed"
        cause = cause.__cause__ or cause.__context__
    return "unreachable"


async def _end_if_more(found: httpx.Response) -> None:
    """End the connection if more arrived than the answer: httpx would take that for the answer to
    the next request."""
    inner: Any = found.stream
    while inner is not None and not hasattr(inner, "_h11_state"):
        inner = next((getattr(inner, name) for name in INSIDE if hasattr(inner, name)), None)
    if inner is not None and inner._h11_state.trailing_data[0]:
        await inner.aclose()


async def _body_of(found: httpx.Response) -> bytes:
    """Read a body whose size is bounded, also after decompression. Raises Unreachable."""
    parts: list[bytes] = []
    left = BODY_BYTES_MAX
    async for part in found.aiter_raw():
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise Unreachable("too_large", f"more than {BODY_BYTES_MAX} bytes")
    body = b"".join(parts)
    match found.headers.get("Content-Encoding", "identity").strip().lower():
        case "identity":
            return body
        case "gzip":
            return _unpacked(body)
    raise Unreachable("unreadable", "an encoding that was not asked for")


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=GZIP)
    try:
        body = unpacker.decompress(packed, BODY_BYTES_MAX + 1)
    except zlib.error as error:
        raise Unreachable("unreadable", str(error)) from error
    if len(body) > BODY_BYTES_MAX:
        raise Unreachable("too_large", f"more than {BODY_BYTES_MAX} bytes")
    if not unpacker.eof:
        raise Unreachable("unreadable", "the body ends too early")
    return body


def read_answer(found: httpx.Response, body: bytes, answer: type[T] | None) -> T:
    """Read the answer in a response. Raises Problem, Unreachable."""
    if found.is_redirect or found.has_redirect_location:
        raise Unreachable("redirected", f"status {found.status_code}")
    kind = found.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    try:
        if found.is_success and answer is None:
            if found.status_code in WITHOUT_BODY and not body:
                return cast("T", None)
        elif found.is_success and answer is not None and kind == JSON:
            return msgspec.json.decode(body.decode(), type=answer)
        elif found.is_error and kind == PROBLEM:
            raise _problem(found, msgspec.json.decode(body.decode(), type=ProblemDocument))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Unreachable("unreadable", f"status {found.status_code}: {error}") from error
    raise Unreachable("unreadable", f"status {found.status_code} with {kind or 'no type'}")


def _problem(found: httpx.Response, document: ProblemDocument) -> Problem:
    problem = Problem(
        document.code,
        document.data,
        version=document.version,
        status=found.status_code,
        title=document.title,
    )
    headers = found.headers
    problem.retry_after_s = retry_after_s(headers.get("Retry-After", ""), headers.get("Date", ""))
    return problem
