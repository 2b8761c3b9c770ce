"""The documentation site: served under `/docs/` once it has been built."""

import base64
import hashlib
from pathlib import Path

import httpx
import pytest
from django.test import Client

from gameserver import urls
from gameserver.http import static


async def nothing(scope: static.Scope, receive: static.Receive, send: static.Send) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def test_the_built_site_is_served_with_its_index_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "concepts").mkdir()
    (tmp_path / "index.html").write_text("start")
    (tmp_path / "concepts" / "index.html").write_text("concepts<script>theme()</script>")
    monkeypatch.setattr(static, "SITE", tmp_path)
    application = static.StaticFiles(nothing)
    transport = httpx.ASGITransport(app=application)  # type: ignore[arg-type]  # dict for a scope
    async with httpx.AsyncClient(transport=transport, base_url="http://docs.test") as http:
        assert (await http.get("/docs/")).text == "start"
        page = await http.get("/docs/concepts/")
        assert page.text.startswith("concepts")
        allowed = base64.b64encode(hashlib.sha256(b"theme()").digest()).decode()
        policy = page.headers["content-security-policy"]
        assert f"script-src 'self' 'sha256-{allowed}';" in policy
        assert page.headers["content-type"].startswith("text/html")
        assert (await http.get("/docs/concepts")).headers["location"].endswith("concepts/")
        assert (await http.get("/docs/missing/")).status_code == 404


def test_a_server_without_the_site_explains_how_to_build_it() -> None:
    for address in ("/docs/", "/docs/concepts/", "/docs"):
        answer = Client().get(address)
        assert answer.status_code == 404
        assert ".ci/run docs" in answer.content.decode()


def test_an_installed_server_does_not_speak_of_the_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "IS_CLONE", False)
    answer = Client().get("/docs/missing/")
    assert answer.status_code == 404
    assert ".ci" not in answer.content.decode()
