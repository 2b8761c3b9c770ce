"""The socket documentation matches the sockets: AsyncAPI and the protocol pages."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from django.test import Client

from games.api.sockets.channels import CHANNELS
from games.api.sockets.frames import ERRORS, REFUSALS, CloseCode
from gameserver.errors import TABLE
from tests import contract

ROOT = Path(__file__).parent.parent.parent
PROTOCOL = "".join(page.read_text() for page in sorted((ROOT / "docs/protocol").glob("*.md")))
STANDARD = json.loads((ROOT / "tests/standards/asyncapi-3.0.0.json").read_text())


def test_the_asyncapi_document_is_valid() -> None:
    errors = jsonschema_rs.Draft7Validator(STANDARD).iter_errors(contract.sockets())
    assert [(error.message[:300], error.instance_path) for error in errors] == []


def test_the_document_is_served(client: Client) -> None:
    answer = client.get("/asyncapi.yaml")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/yaml")
    served, written = yaml.safe_load(answer.content), json.loads(json.dumps(contract.sockets()))
    assert served.pop("servers")["here"]["host"] == "testserver"
    assert written.pop("servers") and served == written
    again = client.get("/asyncapi.yaml", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_every_schema_of_the_document_is_valid_in_its_dialect() -> None:
    for name, schema in contract.sockets()["components"]["schemas"].items():
        assert jsonschema_rs.meta.is_valid(
            {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
        ), name
        assert "prefixItems" not in json.dumps(schema)


def test_every_reference_of_the_document_resolves() -> None:
    document = contract.sockets()
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document))):
        place: Any = document
        for step in reference.split("/"):
            place = place[step]


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_the_page_has_every_frame_and_every_close_code(channel: Any) -> None:
    for message in contract.sockets()["channels"][channel.name]["messages"].values():
        assert f'{{"type": "{message["name"]}"' in PROTOCOL
    for code, closing in channel.closings.items():
        assert f"| {code} | {closing.why} | {closing.then} |" in PROTOCOL


def test_every_code_of_the_sockets_has_a_meaning() -> None:
    closes = {value for name, value in vars(CloseCode).items() if name.isupper()}
    assert closes == {code for channel in CHANNELS for code in channel.closings}
    assert {*ERRORS, *REFUSALS} <= TABLE.keys()


def test_an_undocumented_frame_is_detected() -> None:
    game = "/ws/v1/games/01920000-0000-7000-8000-000000000000?after=3"
    times = '"next_at": null, "now": "2026-01-01T00:00:00Z"'
    contract.check_frame(game, f'{{"type": "heartbeat", "version": 3, "ended": "", {times}}}')
    for wrong in (
        f'{{"type": "heartbeat", "version": -1, "ended": "", {times}}}',
        f'{{"type": "heartbeat", "version": 3, {times}}}',
        f'{{"type": "heartbeat", "version": 3, "ended": "perhaps", {times}}}',
        '{"type": "greeting"}',
        '{"type": "error", "code": "no_such_code", "data": {}}',
        '{"type": "commits", "commits": [{"version": 1, "at": "now", "hash": "", "events": []}]}',
    ):
        with pytest.raises(AssertionError):
            contract.check_frame(game, wrong)
