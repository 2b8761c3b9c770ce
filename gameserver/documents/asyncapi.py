"""Generate the AsyncAPI 3.0 document from the channels and their frame types.

Its schemas use JSON Schema draft 07, AsyncAPI's dialect, which spells tuples differently from
OpenAPI's.
"""

import inspect
import re
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from drf_spectacular.renderers import OpenApiYamlRenderer

from games.api.schemas import components_of_all_games, described
from games.api.sockets.channels import CHANNELS, Channel, Frames
from gameserver.documents.openapi import REFERENCE, Schema

VERSION: Final = "1"


def document(address: str = "") -> Schema:
    """Return the document of all WebSockets of the server at this address, or of any."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Railbird",
            "version": VERSION,
            "description": "The WebSockets of the server: live games, lobbies and commands. The "
            "action `receive` marks frames that clients send. The server's documentation is under "
            "`/docs/`, its REST operations are in openapi.yaml.",
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {"here": _server(address)},
        "channels": {channel.name: _channel(channel) for channel in CHANNELS},
        "operations": {
            name: operation
            for channel in CHANNELS
            for name, operation in _operations(channel).items()
        },
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token of REST, in the `Authorization` header; a client "
                    "that cannot set headers sends it in an `authenticate` frame instead, first of "
                    "all and within five seconds.",
                }
            },
        },
    }


def text(document: Schema) -> bytes:
    """Return a document as YAML."""
    rendered: bytes = OpenApiYamlRenderer().render(document, renderer_context={})  # type: ignore[no-untyped-call]
    return rendered


def _server(address: str) -> Schema:
    parts = urlsplit(address)
    security = [{"$ref": "#/components/securitySchemes/token"}]
    if address:
        return {
            "host": parts.netloc,
            "protocol": "wss" if parts.scheme == "https" else "ws",
            "pathname": parts.path or "/",
            "security": security,
        }
    return {
        "host": "{host}",
        "protocol": "ws",
        "description": "`wss` where the server is reached over TLS.",
        "variables": {"host": {"default": "127.0.0.1:8000"}},
        "security": security,
    }


def tag_of(frame: type) -> str:
    """Return the `type` that identifies a frame."""
    tag = msgspec.inspect.type_info(frame).tag  # type: ignore[attr-defined]  # frames are structs
    return str(tag)


def _frames(channel: Channel) -> list[type]:
    answers = [frame for frames in channel.requests.values() for frame in frames]
    return list(dict.fromkeys([*channel.requests, *answers, *channel.sent]))


def _channel(channel: Channel) -> Schema:
    parameters = {
        name: {"description": f"The id of the {name}, a UUID."}
        for name in re.findall(r"{(\w+)}", channel.address)
    }
    return {
        "address": channel.address,
        "summary": channel.summary,
        "description": "\n".join(
            ["The server closes a connection with one of these codes:", ""]
            + [
                f"- {code}: {closing.why}; {closing.then}"
                for code, closing in channel.closings.items()
            ]
        ),
        "messages": {tag_of(frame): _message(frame) for frame in _frames(channel)},
        "servers": [{"$ref": "#/servers/here"}],
        **({"parameters": parameters} if parameters else {}),
        "bindings": {
            "ws": {
                "method": "GET",
                "query": _query(channel),
                "headers": {
                    "type": "object",
                    "properties": {"Authorization": {"type": "string", "pattern": "^Bearer "}},
                },
                "bindingVersion": "0.1.0",
            }
        },
        "x-close-codes": {
            str(code): closing._asdict() for code, closing in channel.closings.items()
        },
    }


def _query(channel: Channel) -> Schema:
    _, components = described([channel.query], "{name}")
    query = components[channel.query.__name__]
    properties = {
        # A missing parameter is null for the server, but a query string cannot contain null.
        name: next((kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}), schema)
        for name, schema in query["properties"].items()
    }
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _message(frame: type) -> Schema:
    summary, _, _ = inspect.cleandoc(frame.__doc__ or "").partition("\n\n")
    return {
        "name": tag_of(frame),
        "summary": " ".join(summary.split()),
        "payload": {"$ref": REFERENCE.format(name=frame.__name__)},
    }


def _operations(channel: Channel) -> dict[str, Schema]:
    here = {"$ref": f"#/channels/{channel.name}"}

    def messages(frames: Frames) -> list[Schema]:
        return [{"$ref": f"#/channels/{channel.name}/messages/{tag_of(frame)}"} for frame in frames]

    requests = {
        f"{channel.name}.{tag_of(frame)}": {
            "action": "receive",
            "channel": here,
            "messages": messages((frame,)),
            "reply": {"channel": here, "messages": messages(answers)},
        }
        for frame, answers in channel.requests.items()
    }
    return {
        **requests,
        f"{channel.name}.send": {
            "action": "send",
            "channel": here,
            "messages": messages(channel.sent),
        },
    }


def _schemas() -> dict[str, Schema]:
    frames = [frame for channel in CHANNELS for frame in _frames(channel)]
    _, components = described(frames, REFERENCE)
    games = components_of_all_games()
    # An event in a frame can be an event of any game.
    schemas = {**components, **games, "Event": {"$ref": REFERENCE.format(name="GameEvent")}}
    return {name: _in_draft_07(schema) for name, schema in sorted(schemas.items())}


def _in_draft_07(schema: Any) -> Any:
    match schema:
        case {"prefixItems": [*items]}:
            rest = {key: value for key, value in schema.items() if key != "prefixItems"}
            return {
                **_in_draft_07(rest),
                "items": [_in_draft_07(item) for item in items],
                "additionalItems": False,
            }
        case {"discriminator": {"propertyName": _}}:
            # AsyncAPI's discriminator contains schema names; these schemas differ by a constant
            # field.
            return _in_draft_07(
                {key: value for key, value in schema.items() if key != "discriminator"}
            )
        case dict():
            return {key: _in_draft_07(value) for key, value in schema.items()}
        case list():
            return [_in_draft_07(item) for item in schema]
    return schema
