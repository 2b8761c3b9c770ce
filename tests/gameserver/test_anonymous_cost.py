"""The cost of requests without a token: little CPU, and no memory that stays."""

from collections.abc import Iterator
from typing import NamedTuple

import httpx
import psutil
import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.processes import web_process

pytestmark = pytest.mark.usefixtures("database")

TIMES = 200
CPU_MOST = 3
"""How many times the CPU of the list of rules a request may cost."""
GROWTH_MOST = 50 * 2**20
"""How much memory all requests together may leave behind, in bytes."""
SAMPLES = {"<slug:slug>": "free_spots", "<str:slug>": "free_spots"}


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[str]:
    """All addresses without arguments, and those of a game's rules."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        for argument, sample in SAMPLES.items():
            route = route.replace(argument, sample)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif not set("<>()^$[") & set(route):
            yield route


ADDRESSES = sorted(set(routes(get_resolver().url_patterns)))


class Server(NamedTuple):
    """A web process and a client of it."""

    process: psutil.Process
    client: httpx.Client

    def cpu_s(self, path: str) -> float:
        """The CPU of many requests of this address, after a first one."""
        self.client.get(path)
        before = self.process.cpu_times()
        for _ in range(TIMES):
            self.client.get(path)
        after = self.process.cpu_times()
        return (after.user + after.system) - (before.user + before.system)

    @property
    def memory(self) -> int:
        return int(self.process.memory_info().rss)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A web process without limits."""
    with (
        web_process({"RATE_LIMITS": "address=0/60"}) as (child, address),
        httpx.Client(base_url=f"http://{address}", timeout=60) as client,  # documents are made once
    ):
        yield Server(psutil.Process(child.pid), client)


def test_the_documents_and_pages_are_among_the_addresses() -> None:
    assert {
        *("/", "/api/v1/rules/", "/api/v1/rules/free_spots/", "/api/schema/", "/api/docs/"),
        *("/asyncapi.yaml", "/asyncapi.json", "/openapi.json"),
        *("/graphql/schema.graphql", "/oauth/sign_in/"),
    } <= set(ADDRESSES)


@pytest.mark.slow
def test_no_anonymous_request_is_dear(server: Server) -> None:
    for path in ADDRESSES:
        server.client.get(path)  # what is made once is made now
    usual, memory = server.cpu_s("/api/v1/rules/"), server.memory
    dear = {path: spent for path in ADDRESSES if (spent := server.cpu_s(path)) > CPU_MOST * usual}
    assert dear == {}, f"the list of rules costs {usual}"
    assert server.memory - memory < GROWTH_MOST


def test_an_answer_is_compressed_only_if_no_secret_opened_it(server: Server) -> None:
    path, asked = "/api/v1/rules/ready_set_bet/book/", {"Accept-Encoding": "gzip"}
    public = server.client.get(path, headers=asked)
    assert public.headers["Content-Encoding"] == "gzip"
    for secret in ({"Authorization": "Bearer none"}, {"Cookie": "sessionid=none"}):
        answer = server.client.get(path, headers={**asked, **secret})
        assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/graphql/schema.graphql",
        *(
            pytest.param(path, marks=pytest.mark.slow)
            for path in ("/api/schema/", "/asyncapi.yaml", "/asyncapi.json")
        ),
    ],
)
def test_a_document_is_compressed_and_has_an_etag(server: Server, path: str) -> None:
    plain = server.client.get(path, headers={"Accept-Encoding": "identity"})
    packed = server.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert packed.content == plain.content
    assert 3 * int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"])
    for answer, encoding in ((plain, "identity"), (packed, "gzip")):
        known = {"If-None-Match": answer.headers["ETag"], "Accept-Encoding": encoding}
        assert server.client.get(path, headers=known).status_code == 304
