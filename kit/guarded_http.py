"""An HTTP client for addresses that strangers chose: it never reaches the operator's networks.

A host name is resolved again for every request, each address is checked, and the connection goes to
a checked address. Redirects are not followed. The whole request has one deadline.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping, Sequence
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

import httptools

WITHIN_S: Final = 10.0
ANSWER_MAX: Final = 65_536
HOST_MAX: Final = 253
ADDRESSES_MAX: Final = 2
"""So many addresses of a host are tried."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Addresses that `ipaddress` of some Python calls global, but that are private or may lead to a
# private one: of a cloud's agent, of protocols (a cloud's metadata are at 192.0.0.192), translated
# ones, dummies, examples, segments, sites.
FORBIDDEN: Final[Sequence[Network]] = [
    *map(ip_network, ("168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24")),
    *map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "100:0:0:1::/64")),
    *map(ip_network, ("2001::/23", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10")),
]


class UnreachableError(Exception):
    """The request was not answered; the argument is a short code."""


class Place(NamedTuple):
    """Where a URL points."""

    is_secure: bool
    host: str
    port: int
    path: str


def place_of(url: str, own: Sequence[Network] = ()) -> Place:
    """Return where a URL points. Without TLS it is for `own` networks only. Raises ValueError."""
    parts: SplitResult = urlsplit(url)
    if parts.scheme not in {"http", "https"} or parts.username is not None:
        raise ValueError("a URL begins with https:// and names no user")
    if parts.fragment or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError("a URL has ASCII characters only, and no fragment")
    host = (parts.hostname or "").rstrip(".").encode("idna").decode()
    if not 0 < len(host) <= HOST_MAX:
        raise ValueError(f"a URL names a host of at most {HOST_MAX} characters")
    is_secure = parts.scheme == "https"
    if not (is_secure or own):
        raise ValueError("a URL begins with https://")
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    return Place(is_secure, host, parts.port or (443 if is_secure else 80), target)


def is_admitted(address: Address, own: Sequence[Network]) -> bool:
    """Whether requests may go to this address: a global one, or one of the `own` networks."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return is_admitted(address.ipv4_mapped, own)
    return is_own(address, own) or (
        address.is_global
        and not (address.is_multicast or address.is_reserved)
        and not is_own(address, FORBIDDEN)
    )


def is_own(address: Address, networks: Sequence[Network]) -> bool:
    """Whether one of these networks contains the address."""
    return any(address in network for network in networks)


@cache
def tls_context() -> ssl.SSLContext:
    """Return the one context of a process: reading the certificates takes 0.1 s, on the loop of all
    requests."""
    return ssl.create_default_context()


async def post(
    url: str, headers: Mapping[str, str], body: bytes, own: Sequence[Network] = ()
) -> int:
    """Send a request and return the status of its complete response.

    Without TLS it goes to `own` networks only. Raises UnreachableError.
    """
    try:
        async with asyncio.timeout(WITHIN_S):
            place = place_of(url, own)
            reader, writer = await _connect(place, own)
            try:
                writer.write(_request(place, headers, body))
                await writer.drain()
                return await _status(reader)
            finally:
                writer.transport.abort()
    except TimeoutError:
        raise UnreachableError("timed_out") from None
    except ssl.SSLError:  # one of a certificate is also a ValueError
        raise UnreachableError("tls_failed") from None
    except ValueError:
        raise UnreachableError("malformed_url") from None
    except OSError:
        raise UnreachableError("not_connected") from None
    except httptools.HttpParserError:
        raise UnreachableError("no_http") from None


async def _connect(
    place: Place, own: Sequence[Network]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address that answers, of those that were just checked."""
    addresses = await _resolve(place)
    admitted = [each for each in addresses if is_admitted(each, own)]
    if not place.is_secure:
        admitted = [each for each in admitted if is_own(each, own)]
    if not admitted:
        raise UnreachableError("address_refused")
    context = tls_context() if place.is_secure else None
    name = place.host if place.is_secure else None
    tried = admitted[:ADDRESSES_MAX]
    for address in tried:
        try:
            async with asyncio.timeout(WITHIN_S / len(tried)):
                return await asyncio.open_connection(
                    str(address), place.port, ssl=context, server_hostname=name
                )
        except OSError as error:  # also a timeout
            failed = error
    raise failed


async def _resolve(place: Place) -> list[Address]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM
        )
    except (OSError, UnicodeError):
        raise UnreachableError("not_resolved") from None
    return [ip_address(str(where[0]).partition("%")[0]) for *_, where in found]


def _request(place: Place, headers: Mapping[str, str], body: bytes) -> bytes:
    host = f"[{place.host}]" if ":" in place.host else place.host
    default = 443 if place.is_secure else 80
    named = {
        "Host": host if place.port == default else f"{host}:{place.port}",
        "Connection": "close",
        "Content-Length": str(len(body)),
        **headers,
    }
    lines = [f"POST {place.path} HTTP/1.1", *(f"{key}: {text}" for key, text in named.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


class _Response:
    """The callbacks of the parser of one response."""

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.has_headers = self.has_length = self.is_complete = False

    @property
    def status(self) -> int:
        """The status, as soon as there are headers."""
        return int(self.parser.get_status_code())

    def on_header(self, name: bytes, _value: bytes) -> None:
        """Note whether the response says where it ends."""
        self.has_length |= name.lower() in {b"content-length", b"transfer-encoding"}

    def on_headers_complete(self) -> None:
        """Note that there is a status."""
        self.has_headers = True

    def on_message_complete(self) -> None:
        """Note the end, unless it is that of an interim response."""
        self.is_complete = self.status >= 200


async def _status(reader: asyncio.StreamReader) -> int:
    """Return the status of a response once it is complete. Raises UnreachableError."""
    response, size = _Response(), 0
    while not response.is_complete:
        data = await reader.read(ANSWER_MAX)
        size += len(data)
        if size > ANSWER_MAX:
            raise UnreachableError("answer_too_large")
        if not data:
            # A response that does not say where it ends, ends with the connection.
            if response.has_headers and not response.has_length:
                break
            raise UnreachableError("closed_early")
        response.parser.feed_data(data)
    return response.status
