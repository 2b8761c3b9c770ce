"""A server under a path, behind a proxy that removes the path: nothing it says leads outside."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from websockets.sync.client import connect

from tests.stripping_proxy import PATH, under_a_path

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.xdist_group("path")]

PAGES = ("/", "/api/docs/", "/api/sockets/", "/graphql/", "/open/", "/profile/", "/verify/")
ENTRIES = ("/", "/api/v1/", "/graphql/", "/.well-known/oauth-authorization-server")


@pytest.fixture(scope="module")
def server(database: None) -> Iterator[str]:
    with under_a_path() as address:
        yield address


def addresses(document: Any) -> Iterator[str]:
    """The addresses in a JSON document."""
    if isinstance(document, dict):
        for value in document.values():
            yield from addresses(value)
    elif isinstance(document, list):
        for value in document:
            yield from addresses(value)
    elif isinstance(document, str) and re.match(r"(https?:/)?/\S*$", document):
        yield document


def assert_within(server: str, page: str, links: Iterator[str]) -> None:
    """Each link that names this server leads to an answer below the path."""
    host = urlsplit(server).netloc
    found = {urljoin(server + page, link) for link in links}
    ours = {url for url in found if urlsplit(url).netloc == host}
    assert ours
    for url in ours:
        assert f"{urlsplit(url).path}/".startswith(f"{PATH}/"), f"{page} leads to {url}"
        if urlsplit(url).path == PATH:
            continue  # the name of the issuer
        answer = httpx.get(url, headers={"Accept": "text/html, */*"}, timeout=60)
        # Some want a form or a token, or a documentation that was not built.
        allowed = {302, 400, 401, 405} | ({404} if "/docs/" in url else set())
        assert answer.is_success or answer.status_code in allowed, (url, answer.status_code)
        if "Location" in answer.headers:
            assert urlsplit(answer.headers["Location"]).path.startswith(f"{PATH}/"), url


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_links_of_pages_stay_below_the_path(server: str, page: str) -> None:
    text = httpx.get(server + page, headers={"Accept": "text/html"}).raise_for_status().text
    links = map(unescape, re.findall(r'(?:href|src|action)="([^"#]+)"', text))
    assert_within(server, page, (link for link in links if not link.startswith("data:")))


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES)
def test_addresses_for_programs_stay_below_the_path(server: str, entry: str) -> None:
    document = httpx.get(server + entry).raise_for_status().json()
    if entry == "/graphql/":
        document = re.findall(r"/[a-z]+/[a-z/.0-9]+", json.dumps(document))
    assert_within(server, entry, addresses(document))


@pytest.mark.slow
def test_cookies_redirects_and_documents_name_the_path(server: str) -> None:
    answer = httpx.get(f"{server}/admin/")
    assert answer.headers["Location"].startswith(f"{PATH}/admin/login/")
    form = httpx.get(f"{server}/admin/login/")
    for cookie in form.headers.get_list("Set-Cookie"):
        assert f"Path={PATH}/" in cookie
    assert form.cookies
    openapi = httpx.get(
        f"{server}/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}, timeout=60
    )
    assert [each["url"] for each in openapi.json()["servers"]] == [server]
    sockets = httpx.get(f"{server}/asyncapi.json").json()["servers"]["here"]
    assert f"http://{sockets['host']}{sockets['pathname']}" == server


@pytest.mark.slow
def test_a_client_plays_below_the_path(server: str) -> None:
    with httpx.Client(base_url=server, timeout=30) as http:
        token = http.post("/api/v1/auth/guest/", json={"display_name": "Ann"}).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        lobby = http.post("/api/v1/lobbies", json={"slug": "set_dice"}).raise_for_status().json()
        for _ in range(3):
            page = http.get("/api/v1/lobbies/?limit=1").raise_for_status().json()
            assert page["items"]
    with connect(
        f"{server.replace('http', 'ws', 1)}/ws/v1/lobbies/{lobby['id']}",
        additional_headers={"Authorization": f"Bearer {token}"},
    ) as socket:
        assert json.loads(socket.recv())["type"]
