"""Write, or compare, what the clients take from `schema/`: `python -m sdk.generate [--check]`."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from datamodel_code_generator import InputFileType, LiteralType, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import Formatter, PythonVersion

ROOT: Final = Path(__file__).parent.parent
SCHEMA: Final = ROOT / "schema"
PYTHON: Final = ROOT / "sdk" / "python" / "gameserver_client"
HEADER: Final = '"""Generated from {source} by `python -m sdk.generate`: do not edit."""'

OPERATIONS_START: Final = '''{header}

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar
from uuid import UUID

from gameserver_client import models

T = TypeVar("T")


class Operations(ABC):
    """Every operation of the API."""

    @abstractmethod
    async def _call(
        self, method: str, path: str, answer: type[T] | None, *, query: Mapping[str, Any] | None = None, body: object = None
    ) -> T: ...
'''

Schema = dict[str, Any]

BOUNDS: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern", "minLength", "maxLength", "minItems", "maxItems"}
)
"""What the server checks. A client that checked it too would refuse what a newer server allows."""

GAMES_END: Final = '''

TYPES: GameTypes[Command, Event, View] = GameTypes("{slug}", command=Command, event=Event, view=View)
"""What `Client.table` wants to know of this game."""
'''


def python_files() -> Iterator[tuple[Path, str]]:
    """The generated modules of the Python client."""
    openapi = yaml.safe_load((SCHEMA / "openapi.yaml").read_text())
    models = _without_games(openapi["components"]["schemas"])
    yield PYTHON / "models.py", _structs(models, "schema/openapi.yaml")
    yield PYTHON / "operations.py", _operations(openapi, "schema/openapi.yaml")
    for path in sorted((SCHEMA / "games").glob("*.json")):
        document = json.loads(path.read_text())
        parts = {part.capitalize(): schema for part, schema in document["properties"].items()}
        # A game without a book of its own has the common one, which bears the name of the part.
        module = _structs({**parts, **document["$defs"]}, f"schema/games/{path.name}")
        module = module.replace("\nclass ", "\nfrom gameserver_client.types import GameTypes\n\nclass ", 1)
        yield PYTHON / "games" / f"{path.stem}.py", module + GAMES_END.format(slug=path.stem)


def _without_games(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """The types of the API alone. Those of a game are in a module of their own, and anything at all in the answers here."""
    games: dict[str, Schema] = {f"Game{part}": {} for part in ("Book", "Command", "Event", "Options", "View")}
    return {_name(name): schema for name, schema in {**schemas, **games}.items() if "." not in name}


def _name(name: str) -> str:
    """What the class for a schema is called: `Page_Bet_` is PageBet."""
    return name.replace("_", "")


def _structs(schemas: Mapping[str, Schema], source: str) -> str:
    """A module of msgspec Structs."""
    text = generate(
        json.dumps({"$defs": {name: _loose(schema) for name, schema in schemas.items()}}),
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.MsgspecStruct,
        target_python_version=PythonVersion.PY_311,
        enum_field_as_literal=LiteralType.All,
        formatters=[Formatter.BUILTIN],
        custom_file_header=HEADER.format(source=source),
        keyword_only=True,
        skip_root_model=True,
        apply_default_values_for_required_fields=True,
        use_msgspec_tagged_unions=True,
        use_schema_description=True,
        use_single_line_docstring=True,
        use_standard_collections=True,
        use_union_operator=True,
    )
    assert isinstance(text, str)
    return text


def _loose(schema: Schema) -> Schema:
    """Without bounds, and with every field given: the server leaves none out, and what has a default keeps it."""
    loose = {key: value for key, value in schema.items() if key not in BOUNDS or "prefixItems" in schema}
    for key, value in loose.items():
        if key == "properties":
            loose[key] = {name: _loose(inner) for name, inner in value.items()}
        elif isinstance(value, dict) and key not in {"default", "discriminator"}:
            loose[key] = _loose(value)
        elif key in {"anyOf", "oneOf", "allOf", "prefixItems"}:
            loose[key] = [_loose(inner) for inner in value]
        elif key == "$ref":
            *folder, name = value.split("/")
            loose[key] = f"#/$defs/{_name(name) if folder[-1] == 'schemas' else name}"
    if "properties" in loose:
        loose["required"] = list(loose["properties"])
    return loose


def _operations(openapi: Mapping[str, Any], source: str) -> str:
    methods = [
        _method(verb.upper(), path, operation)
        for path, operations in openapi["paths"].items()
        for verb, operation in operations.items()
        if not _answers_a_file(operation["responses"])
    ]
    return "\n".join([OPERATIONS_START.format(header=HEADER.format(source=source)), *methods])


def _method(verb: str, path: str, operation: Mapping[str, Any]) -> str:
    """One operation as a method: its place in the path, then its body, then its filters by name."""
    parameters = operation.get("parameters", [])
    placed = [f"{found['name']}: {_type(found['schema'])}" for found in parameters if found["in"] == "path"]
    places = {found["name"] for found in parameters if found["in"] == "path"}
    query = [found for found in parameters if found["in"] == "query" and found["name"] not in places]
    filters = [f"{found['name']}: {_type(found['schema'])} | None = None" for found in query]
    body = operation.get("requestBody")
    if body is not None:
        kind = _type(body["content"]["application/json"]["schema"])
        placed.append(f"body: {kind}" if body.get("required") else f"body: {kind} | None = None")
    answer = _answer(operation["responses"])
    given = ["self", *placed, *(["*", *filters] if filters else [])]
    asked = [repr(verb), ("f" if "{" in path else "") + repr(path), answer]
    if query:
        asked.append("query={" + ", ".join(f"{found['name']!r}: {found['name']}" for found in query) + "}")
    if body is not None:
        asked.append("body=body")
    return (
        f"    async def {operation['operationId']}({', '.join(given)}) -> {answer}:\n"
        f'        """{operation["summary"]}"""\n'
        f"        {'' if answer == 'None' else 'return '}await self._call({', '.join(asked)})\n"
    )


def _good(responses: Mapping[str, Any]) -> Mapping[str, Any]:
    (good,) = (response for status, response in responses.items() if status.startswith("2"))
    content: Mapping[str, Any] = good.get("content", {})
    return content


def _answers_a_file(responses: Mapping[str, Any]) -> bool:
    """A download, which may be larger than memory: for whatever the caller streams files with."""
    content = _good(responses)
    return bool(content) and "application/json" not in content


def _answer(responses: Mapping[str, Any]) -> str:
    content = _good(responses)
    return _type(content["application/json"]["schema"]) if content else "None"


def _type(schema: Schema) -> str:
    """A type of the operations as Python writes it."""
    match schema:
        case {"$ref": ref}:
            return "models." + _name(ref.split("/")[-1])
        case {"enum": values}:
            return f"Literal[{', '.join(map(repr, values))}]"
        case {"type": "array", "items": items}:
            return f"list[{_type(items)}]"
        case {"type": "string", "format": "uuid"}:
            return "UUID | str"
        case {"type": "string", "format": "date-time"}:
            return "datetime"
        case {"type": kind}:
            return {"string": "str", "integer": "int", "boolean": "bool"}[kind]
    raise NotImplementedError(f"the generator does not know {schema}")


def _formatted(path: Path, text: str) -> str:
    """As ruff would have it, so that it says the same as any other file here."""
    for arguments in (["check", "--fix", "--quiet", "--exit-zero"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", str(path), "-"]
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout  # noqa: S603
    return text


def main() -> int:
    """Write what is not as it should be; with --check only say so, and answer 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is not what it should be")
    check = parser.parse_args().check
    wanted = {path: _formatted(path, text) for path, text in python_files()}
    stale = sorted(set((PYTHON / "games").glob("[a-z]*.py")) - wanted.keys())
    changed = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    names = ", ".join(str(path.relative_to(ROOT)) for path in [*changed, *stale])
    if check and names:
        print(f"Not what schema/ says: {names}. Run `python -m sdk.generate` and commit.", file=sys.stderr)  # noqa: T201
        return 1
    for path in changed:
        path.write_text(wanted[path])
    for path in stale:
        path.unlink()
    print(f"{len(wanted)} files, {len(changed) + len(stale)} changed.")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
