"""Generate the OpenAPI document from declared operations.

drf-spectacular finds the views, msgspec describes the types.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent

from accounts.keyed_requests import HEADER, SHAPE
from accounts.oauth.words import ENGLISH
from accounts.rest import operation_of
from accounts.tokens import GRANTABLE
from games.api.schemas import components_of_all_games, described
from gameserver.documents import inputs
from gameserver.documents.examples import example_of
from gameserver.errors import MEDIA_TYPE, ProblemDocument, document, meaning_of
from gameserver.settings.rest import HERE
from kit.operations import Operation
from kit.problems import Problem

Schema = dict[str, Any]

REFERENCE: Final = "#/components/schemas/{name}"
JSON: Final = "application/json"

OF_HISTORIES: Final = ("bets", "transfers", "purses")
TAG_OF: Final = {
    "rules": "games",
    **dict.fromkeys(("bets", "accounts", "transfers"), "histories"),
}

IF_NONE_MATCH: Final = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of the cached response.",
    "schema": {"type": "string"},
}


IDEMPOTENCY_KEY: Final = {
    "name": HEADER,
    "in": "header",
    "description": "A random id of the client: requests with the same key and content are carried "
    "out once, and get the same response.",
    "schema": {"type": "string", "pattern": f"^{SHAPE.pattern}$"},
}


class OperationSchema(AutoSchema):
    """Describes one operation from its declaration and its docstring."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> Schema | None:
        """Return the OpenAPI operation object; None for a view outside the API."""
        self.registry, self.path, self.path_regex = registry, path, path_regex
        declared = operation_of(self.view, method)
        if declared is None:
            return None
        summary, _, description = declared.text.partition("\n\n")
        is_open = declared.is_open
        operation: Schema = {
            "operationId": declared.name,
            "summary": " ".join(summary.split()),
            "tags": [_tag(path)],
            "parameters": [*self._path_parameters(declared), *self._query(declared)],
            "security": [] if is_open else _security(declared),
            "responses": {
                str(declared.status): self._answer(declared),
                **_problems(self._codes(declared, is_open=is_open)),
            },
        }
        if declared.deprecated is not None:
            operation["deprecated"] = True
            operation["x-sunset"] = declared.deprecated.sunset.isoformat()
            description = f"{declared.deprecated.reason}\n\n{description}".strip()
        if description:
            operation["description"] = description
        if declared.is_keyed:
            operation["parameters"].append(IDEMPOTENCY_KEY)
        if declared.is_cached:
            operation["parameters"].append(IF_NONE_MATCH)
            operation["responses"]["304"] = {"description": HTTPStatus.NOT_MODIFIED.phrase}
        if declared.body is not None:
            required = bool(self._described(declared.body)["required"])
            operation["requestBody"] = {
                "content": {JSON: {"schema": self._schema(declared.body)}},
                "required": required,
            }
        return operation

    def _path_parameters(self, declared: Operation) -> Iterator[Schema]:
        for name in re.findall(r"{(\w+)}", self.path):
            schema = self._schema(declared.arguments[name])
            yield {"in": "path", "name": name, "schema": schema, "required": True}

    def _schema(self, kind: Any) -> Schema:
        """Return the schema of a type and register its parts as components."""
        (schema,), components = described([kind], REFERENCE)
        for name, component in components.items():
            schemas = ResolvedComponent.SCHEMA
            known = ResolvedComponent(name, schemas, component, object=name)  # type: ignore[no-untyped-call]
            self.registry.register_on_missing(known)
            assert self.registry[known].schema == known.schema, f"two types are called {name}"
        return schema

    @staticmethod
    def _described(struct: type) -> Schema:
        _, components = described([struct], REFERENCE)
        return components[struct.__name__]

    def _query(self, declared: Operation) -> Iterator[Schema]:
        if declared.query is None:
            return
        query = self._described(declared.query)
        for name, schema in query["properties"].items():
            # A missing parameter is null for the server, but a query string cannot contain null.
            kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
            only = (
                {**kinds[0]}
                if len(kinds) == 1
                else {key: value for key, value in schema.items() if value is not None}
            )
            yield {
                "name": name,
                "in": "query",
                "required": name in query["required"],
                "schema": only,
            }

    def _answer(self, declared: Operation) -> Schema:
        answer: Schema = {"description": HTTPStatus(declared.status).phrase}
        if declared.media:
            answer["content"] = {
                kind: {"schema": {"type": "string", "format": "binary"}} for kind in declared.media
            }
        elif declared.answer is not type(None):
            answer["content"] = {JSON: {"schema": self._schema(declared.answer)}}
        return answer

    def _codes(self, declared: Operation, *, is_open: bool) -> list[str]:
        """Return all codes of an operation: its own and those of tokens, paths, bodies, limits."""
        codes = [*declared.problems, "malformed", "not_acceptable", "unavailable", "internal_error"]
        if not is_open:
            codes += ["unauthenticated", *(["scope_missing"] if declared.scope else [])]
        if "<uuid:" in self.path_regex:
            codes.append("not_found")
        if "game" in declared.arguments:
            codes.append("archive_damaged")
        if declared.body is not None:
            codes += ["too_large", "unsupported_media_type"]
        if not declared.is_unlimited:
            codes.append("too_many_requests")
        return codes


def _security(declared: Operation) -> list[Schema]:
    """Return what authenticates: any token, or one of an app if users can grant its scope."""
    scopes = [] if declared.scope is None else [str(declared.scope)]
    can_be_granted = declared.scope is None or declared.scope in GRANTABLE
    schemes = ["token", *(["oauth"] if can_be_granted else [])]
    return [{scheme: scopes} for scheme in schemes]


def _tag(path: str) -> str:
    """Return the tag of a path, one of TAGS in the settings."""
    parts = path.removeprefix("/api/v1/").strip("/").split("/")
    if parts[-1] in OF_HISTORIES and parts[0] == "games":
        return "histories"
    return TAG_OF.get(parts[0], parts[0])


def _problems(codes: Iterable[str]) -> dict[str, Schema]:
    """Return one response per status. It lists the codes as text, and as `x-codes` for programs."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(set(codes)):
        by_status.setdefault(meaning_of(code).status, []).append(code)
    content = {MEDIA_TYPE: {"schema": {"$ref": REFERENCE.format(name=ProblemDocument.__name__)}}}
    return {
        str(status): {
            "description": "\n".join(f"- `{code}`: {meaning_of(code).explained}" for code in found),
            "content": content,
            "x-codes": found,
        }
        for status, found in sorted(by_status.items())
    }


def _oauth() -> Schema:
    """Return how an app authenticates, in the words of the consent page."""
    flow = {
        "authorizationUrl": f"{HERE}/oauth/authorize/",
        "tokenUrl": f"{HERE}/oauth/token/",
        "refreshUrl": f"{HERE}/oauth/token/",
        "scopes": {scope.value: f"{ENGLISH[f'scope_{scope.value}']}." for scope in GRANTABLE},
    }
    return {
        "type": "oauth2",
        "description": "The access token of an app. PKCE with S256 is required.",
        "flows": {"authorizationCode": flow},
    }


def add_shared_components(result: Schema, **context: object) -> Schema:
    """Add the types of the games, the problem document and the sign-in of apps to the
    components."""
    schemes = result["components"]["securitySchemes"]
    result["components"]["securitySchemes"] = {**schemes, "oauth": _oauth()}
    _, problem = described([ProblemDocument], REFERENCE)
    shared: Mapping[str, Schema] = {**components_of_all_games(), **problem}
    schemas = result["components"]["schemas"]
    assert not shared.keys() & schemas.keys(), "two types share a name"
    schemas |= dict(sorted(shared.items()))
    inputs.split(result)
    for path in result["paths"].values():
        for operation in path.values():
            for message in (operation.get("requestBody", {}), *operation["responses"].values()):
                _add_example(message, schemas)
    return result


def _add_example(message: Schema, schemas: Mapping[str, Schema]) -> None:
    """Add an example to JSON content; for a problem, the first code of its status."""
    content = message.get("content", {})
    if JSON in content:
        content[JSON]["example"] = example_of(content[JSON]["schema"], schemas)
    if MEDIA_TYPE in content:
        example = msgspec.to_builtins(document(Problem(message["x-codes"][0])))
        message["content"] = {MEDIA_TYPE: {**content[MEDIA_TYPE], "example": example}}
