"""The entry pages for browsers and programs: `/`, `/api/v1/` and `/graphql/`."""

import re
from uuid import UUID

import pytest
from django.test import Client

from gameserver.http.static import SITE
from gameserver.settings.rest import HERE, SPECTACULAR_SETTINGS
from kit.installation import FOLDER as ROOT

pytestmark = pytest.mark.usefixtures("database")

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
LOADED = re.compile(r"<(?:script|link|img)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")


@pytest.mark.parametrize("path", ["/", "/api/v1/"])
def test_every_link_for_programs_works(client: Client, path: str) -> None:
    links = client.get(path, headers={"Accept": "*/*"}).json()["links"]
    assert links
    for link in links.values():
        path = link.removeprefix("http://testserver")
        if path.startswith("/docs/"):  # served before Django, and listed once it is built
            assert (SITE / path.removeprefix("/docs/") / "index.html").is_file()
            continue
        answer = client.get(path, follow=True)
        assert answer.status_code in {200, 401}, link


def test_a_browser_gets_the_start_page(client: Client) -> None:
    page = client.get("/", headers=BROWSER)
    assert page["Content-Type"].startswith("text/html")
    assert "Accept" in page["Vary"]
    assert "/static/web/start.js" in page.content.decode()


@pytest.mark.parametrize("path", ["/", f"/games/{UUID(int=0)}/"])
def test_no_page_has_an_inline_script_or_style(client: Client, path: str) -> None:
    text = client.get(path, headers=BROWSER).content.decode()
    assert "<script" in text
    assert not re.search(r"<style|style=|<script(?![^>]*src=)| on\w+=", text)


def test_graphql_returns_a_guide_for_programs(client: Client) -> None:
    answer = client.get("/graphql/")
    assert answer.status_code == 200
    assert "POST" in answer.json()["usage"]["queries"]


@pytest.mark.parametrize("path", ["/", "/graphql/", "/api/docs/", "/admin/login/"])
def test_a_page_loads_nothing_from_elsewhere(client: Client, path: str) -> None:
    page = client.get(path, headers=BROWSER, follow=True)
    assert page["Content-Type"].startswith("text/html")
    assert "http" not in page["Content-Security-Policy"]
    loaded = LOADED.findall(page.content.decode())
    assert loaded
    assert [link for link in loaded if not re.match(r"/(?!/)|data:", link)] == []


def test_the_reference_has_its_tags_in_order_and_links_to_guides_that_exist() -> None:
    tags = SPECTACULAR_SETTINGS["TAGS"]
    assert [tag["name"] for tag in tags] == [
        *("auth", "lobbies", "games", "notices", "histories", "audit", "admin", "health")
    ]
    guides = [tag["externalDocs"]["url"].removeprefix(HERE) for tag in tags]
    guides += re.findall(r"\]\((/[^)]*)\)", SPECTACULAR_SETTINGS["DESCRIPTION"])
    for guide in guides:
        name = guide.removeprefix("/docs/").rstrip("/") or "index"
        assert (ROOT / "docs" / f"{name}.md").exists(), guide


def test_every_operation_has_one_of_the_tags() -> None:
    document = (ROOT / "schema" / "openapi.yaml").read_text()
    used = set(re.findall(r"^      tags:\n      - (\w+)$", document, re.MULTILINE))
    assert used == {tag["name"] for tag in SPECTACULAR_SETTINGS["TAGS"]}
