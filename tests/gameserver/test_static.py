"""Static files are served before Django."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from typing import Any

from gameserver.http.static import Receive, Scope, Send, StaticFiles
from tests.run import ROOT


async def django(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 418, "headers": []})


async def ask(path: str, **headers: str) -> list[Mapping[str, Any]]:
    sent: list[Mapping[str, Any]] = []

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> Mapping[str, Any]:
        return {"type": "http.request"}

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }
    await StaticFiles(django)(scope, receive, send)
    return sent


async def test_a_file_of_the_admin_is_served_with_caching() -> None:
    first, *body = await ask("/static/admin/css/base.css")
    headers = dict(first["headers"])
    assert first["status"] == 200
    assert headers[b"content-type"] == b'text/css; charset="utf-8"'
    assert len(b"".join(part.get("body", b"") for part in body)) == int(headers[b"content-length"])
    [again, _end] = await ask(
        "/static/admin/css/base.css", if_modified_since=headers[b"last-modified"].decode()
    )
    assert again["status"] == 304


async def test_browsers_ask_each_time_whether_a_script_has_changed() -> None:
    first, *body = await ask("/static/web/table.js")
    headers = dict(first["headers"])
    assert headers[b"cache-control"] == b"no-cache"
    content = b"".join(part.get("body", b"") for part in body)
    assert headers[b"etag"].decode()[3:-1] in hashlib.sha256(content).hexdigest()
    [again, _end] = await ask("/static/web/table.js", if_none_match=headers[b"etag"].decode())
    assert again["status"] == 304
    [changed, *_rest] = await ask("/static/web/table.js", if_none_match='"of another version"')
    assert changed["status"] == 200


async def test_texts_are_compressed_for_clients_that_accept_it() -> None:
    plain = await ask("/static/web/table.js")
    packed = await ask("/static/web/table.js", accept_encoding="gzip, br", range="")
    contents = [b"".join(part.get("body", b"") for part in each[1:]) for each in (plain, packed)]
    assert gzip.decompress(contents[1]) == contents[0]
    headers = dict(packed[0]["headers"])
    assert (headers[b"content-encoding"], headers[b"vary"]) == (b"gzip", b"Accept-Encoding")
    assert int(headers[b"content-length"]) == len(contents[1]) < len(contents[0])
    part = await ask("/static/web/table.js", accept_encoding="gzip", range="bytes=0-9")
    assert b"content-encoding" not in dict(part[0]["headers"])


async def test_other_requests_are_passed_to_django() -> None:
    assert (await ask("/static/../settings.py"))[0]["status"] == 418
    assert (await ask("/api/v1/"))[0]["status"] == 418


def test_files_of_others_are_those_that_were_copied() -> None:
    folder = ROOT / "gameserver" / "static" / "graphiql"
    listed = dict(
        re.findall(
            r"^\| `(\S+)` .* `(\w{64})` \|$", (folder / "README.md").read_text(), re.MULTILINE
        )
    )
    copied = {path.name for path in folder.glob("*.min.*")}
    assert copied == listed.keys()
    for name, digest in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
