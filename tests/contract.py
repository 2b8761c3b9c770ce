"""Check every response and frame that a test receives against the API documents."""

import fcntl
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
from django.urls import Resolver404, resolve
from drf_spectacular.generators import SchemaGenerator
from websockets.asyncio.client import ClientConnection
from websockets.typing import Data

from accounts.rest import operation_of
from games.api.sockets.frames import REFUSALS
from games.store.registry import catalogue
from gameserver.documents import asyncapi
from tests.run import FOLDER


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI document, with the load game."""
    return _of_this_run("openapi", lambda: SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


@cache
def sockets() -> dict[str, Any]:
    """The AsyncAPI document, with the load game."""
    return _of_this_run("asyncapi", asyncapi.document)


def _of_this_run(name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return a document that one test process makes, in seconds, for all of this run."""
    with (FOLDER / f"{name}.json").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if not (text := file.read()):
            text = json.dumps(make())
            file.write(text)
    document: dict[str, Any] = json.loads(text)
    return document


@cache
def _operations() -> Mapping[str, Any]:
    operations = (operation for path in openapi()["paths"].values() for operation in path.values())
    return {operation["operationId"]: operation for operation in operations}


@cache
def _components() -> jsonschema_rs.Registry:
    """The schemas of the OpenAPI document, which all validators share."""
    document = {"components": openapi()["components"]}
    return jsonschema_rs.Registry([("urn:openapi", document)], draft=jsonschema_rs.Draft202012)


@cache
def validator(schema: str) -> jsonschema_rs.Validator:
    """Build a validator of a schema given as JSON. Hundreds of responses share a few schemas."""
    absolute = json.loads(schema.replace('"#/', '"urn:openapi#/'))
    return jsonschema_rs.Draft202012Validator(
        absolute, validate_formats=True, registry=_components()
    )


@cache
def _frame_validator(reference: str) -> jsonschema_rs.Validator:
    document = {"allOf": [{"$ref": reference}], "components": sockets()["components"]}
    return jsonschema_rs.Draft7Validator(document, validate_formats=True)


@cache
def refusals() -> frozenset[str]:
    """The codes with which the rules of the games reject commands."""
    return frozenset[str]().union(*(rules.refusals for rules in catalogue().values()))


# REST


def check_answer(
    method: str, path: str, status: int, content_type: str | None, content: bytes
) -> None:
    """Check that the response of an operation matches its description."""
    try:
        view = getattr(resolve(urlsplit(path).path).func, "cls", None)
    except Resolver404:
        view = None
    declared = operation_of(view, method)
    if declared is None:
        return  # Responses for undeclared addresses and methods belong to no operation.
    said = f"{declared.name} answers {status} {content[:300]!r}"
    described = _operations()[declared.name]["responses"].get(str(status))
    assert described is not None, f"{said}, which is no status of its description"
    if "content" not in described:
        assert not content, f"{said}, and should say nothing"
        return
    assert content_type in described["content"], f"{said} as {content_type}"
    if content_type in declared.media:
        return  # A file, which the document does not describe further.
    answer = json.loads(content)
    schema = json.dumps(described["content"][content_type]["schema"])
    for error in validator(schema).iter_errors(answer):
        raise AssertionError(f"{said}: {error.message} at {error.instance_path}")
    codes = set(described.get("x-codes", ()))
    if codes:
        assert answer["code"] in codes | (refusals() if "rules_refused" in codes else set()), (
            f"{said}, and should say one of {codes}"
        )


# The sockets


class Connection(ClientConnection):
    """A connection that rejects frames that the AsyncAPI document does not describe."""

    async def recv(self, decode: bool | None = None) -> Data:  # type: ignore[override]  # one of its overloads does
        frame = await super().recv(decode)
        assert self.request is not None
        check_frame(self.request.path, frame)
        return frame


def check_frame(path: str, text: Data) -> None:
    """Check that a frame of the socket at this path matches its channel."""
    frame = json.loads(text)
    (channel,) = [
        found
        for found in sockets()["channels"].values()
        if _matches(found["address"], urlsplit(path).path)
    ]
    message = channel["messages"].get(frame["type"])
    assert message is not None, f"{channel['address']} has no message {frame['type']}"
    for error in _frame_validator(message["payload"]["$ref"]).iter_errors(frame):
        raise AssertionError(f"{text!r:.500}: {error.message} at {error.instance_path}")
    if frame["type"] == "refused":
        assert frame["code"] in refusals() | set(REFUSALS), f"undocumented code {frame['code']}"


def _matches(address: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"{\w+}", "[^/]+", address), path) is not None
