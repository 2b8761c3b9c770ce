"""Generate the client code from `schema/`: `python -m sdk.generate [--check]`.

Established generators write the types. The operations are generated here from the OpenAPI document:
each needs one line per language, where client generators write thousands.
"""

import argparse
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Final

from datamodel_code_generator import InputFileType, LiteralType, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import Formatter, PythonVersion

from sdk import node
from sdk.documents import (
    Documents,
    Operation,
    Schema,
    Unsupported,
    complete,
    document,
    games_of,
    name_of,
)
from sdk.generate_csharp import CSHARP, csharp_files, csharp_game, pascal

ROOT: Final = Path(__file__).parent.parent
PYTHON: Final = ROOT / "sdk" / "python" / "railbird_client"
TYPESCRIPT: Final = ROOT / "sdk" / "typescript" / "src"
HEADER: Final = "Generated from {source} by `python -m sdk.generate`: do not edit."

PYTHON_GAME: Final = '''

TYPES: GameTypes[Command, Event, View] = GameTypes(
    "{slug}", command=Command, event=Event, view=View
)
"""The types of this game, for `Client.table`."""
'''

PYTHON_OPERATIONS: Final = '''"""{header}"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar
from uuid import UUID

from railbird_client import models

T = TypeVar("T")


class Operations(ABC):
    """Every operation of the API."""

    @abstractmethod
    async def _call(
        self,
        method: str,
        path: str,
        answer: type[T] | None,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
    ) -> T: ...
'''

TYPESCRIPT_GAME: Final = """
/** The types of this game, for `Client.table`. */
export interface Game {{
  slug: "{slug}";
  options: Options;
  command: Command;
  event: Event;
  view: View;
}}
"""

TYPESCRIPT_OPERATIONS: Final = """// {header}

import type * as models from "./models.ts";

/** The query and the body of a request. */
export interface Asked {{
  query?: object;
  body?: unknown;
}}

/** Every operation of the API. */
export abstract class Operations {{
  protected abstract call<T>(method: string, path: string, asked?: Asked): Promise<T>;
"""


# Python


def _parameter(name: str) -> str:
    """Return the name of a parameter in Python: `from` is a keyword, so it is `from_`."""
    return f"{name}_" if iskeyword(name) else name


def python_files(documents: Documents) -> Iterator[tuple[Path, str]]:
    """Yield the generated modules of the Python client."""
    models = _opened(documents.models)
    yield PYTHON / "models.py", _structs(_tolerant(models), "schema/openapi.yaml")
    frames = _structs(_tolerant(_opened(documents.frames)), "schema/asyncapi.yaml")
    yield PYTHON / "frames.py", _borrowing(frames, models)
    header = PYTHON_OPERATIONS.format(header=HEADER.format(source="schema/openapi.yaml"))
    yield PYTHON / "operations.py", "\n".join([header, *map(_python_method, documents.operations)])
    for slug, schemas in documents.games.items():
        yield PYTHON / "games" / f"{slug}.py", python_game(slug, schemas, "schema/openapi.yaml")


def python_game(slug: str, schemas: Mapping[str, Schema], source: str) -> str:
    """Generate the module of one game."""
    module = _structs(schemas, source)
    module = module.replace(
        "\nclass ", "\nfrom railbird_client.types import GameTypes\n\nclass ", 1
    )
    return module + PYTHON_GAME.format(slug=slug)


def _tolerant(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """Accept values in responses that this client does not know: an enum becomes any text."""

    def any_word(schema: Schema) -> Schema:
        if len(schema.get("enum", ())) > 1:
            return {
                "type": "string",
                **{key: value for key, value in schema.items() if key not in {"enum", "type"}},
            }
        if "properties" in schema:
            return {
                **schema,
                "properties": {
                    name: any_word(inner) for name, inner in schema["properties"].items()
                },
            }
        return schema

    def any_object(schema: Schema) -> Schema:
        fields = schema["properties"].items()
        free: Schema = {
            name: {"default": {}} for name, inner in fields if inner.get("type") == "object"
        }
        return {**schema, "properties": {**schema["properties"], **free}}

    # Requests may contain any object where the API leaves it open, such as options of a game.
    return {
        name: any_object(schema)
        if schema.get("additionalProperties") is False
        else any_word(schema)
        for name, schema in schemas.items()
    }


def _opened(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """Let a field with a union of objects hold unknown objects too, and name the union."""
    unions: dict[str, Schema] = {}
    opened: dict[str, Schema] = {}
    for name, schema in schemas.items():
        fields = dict(schema.get("properties", {}))
        for field, inner in fields.items():
            if sum("$ref" in member for member in inner.get("anyOf", ())) > 1:
                unions[name + field.capitalize()] = inner
                fields[field] = {}
        opened[name] = {**schema, "properties": fields} if fields else schema
    return opened | unions


def _borrowing(module: str, models: Mapping[str, Schema]) -> str:
    """Import types that the models also have, so that each type exists once."""
    types = {
        name: rf"\n\n(class {name}\(Struct|{name}: TypeAlias =).*?(?=\n\n\n)" for name in models
    }
    shared = [name for name, pattern in types.items() if re.search(pattern, module, re.DOTALL)]
    for name in shared:
        module = re.sub(types[name], "", module, flags=re.DOTALL)
    used = [name for name in shared if re.search(rf"\b{name}\b", module)]
    return module.replace(
        "\n\n\n", f"\n\nfrom railbird_client.models import {', '.join(sorted(used))}\n\n\n", 1
    )


def _structs(schemas: Mapping[str, Schema], source: str) -> str:
    """Generate a module of msgspec Structs. A field with a default has it in Python, too."""
    with warnings.catch_warnings():
        # The length of a tuple is part of its type.
        warnings.filterwarnings(
            "ignore", "msgspec.Meta does not take max_length, min_length on tuple", UserWarning
        )
        text = generate(
            json.dumps({"$defs": {name: complete(schema) for name, schema in schemas.items()}}),
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.MsgspecStruct,
            target_python_version=PythonVersion.PY_311,
            apply_default_values_for_required_fields=True,
            custom_file_header=f'"""{HEADER.format(source=source)}"""',
            enum_field_as_literal=LiteralType.All,
            formatters=[Formatter.BUILTIN],
            keyword_only=True,
            skip_root_model=True,
            use_msgspec_tagged_unions=True,
            use_schema_description=True,
            use_single_line_docstring=True,
            use_standard_collections=True,
            use_union_operator=True,
        )
    assert isinstance(text, str)
    return text


def _python_method(operation: Operation) -> str:
    given = [
        "self",
        *(f"{name}: {_python_type(schema)}" for name, schema in operation.places.items()),
    ]
    asked = [repr(operation.verb), ("f" if operation.places else "") + repr(operation.path)]
    answer = "None" if operation.answer is None else _python_type(operation.answer)
    asked.append(answer)
    if operation.body is not None:
        given.append(
            f"body: {_python_type(operation.body)}"
            + ("" if operation.needs_body else " | None = None")
        )
        asked.append("body=body")
    if operation.filters:
        given += [
            "*",
            *(
                f"{_parameter(name)}: {_python_type(schema)} | None = None"
                for name, schema in operation.filters.items()
            ),
        ]
        sent = (f"{name!r}: {_parameter(name)}" for name in operation.filters)
        asked.append("query={" + ", ".join(sent) + "}")
    return (
        f"    async def {operation.name}({', '.join(given)}) -> {answer}:\n"
        f'        """{operation.summary}"""\n'
        f"        {'' if operation.answer is None else 'return '}await "
        f"self._call({', '.join(asked)})\n"
    )


def _python_type(schema: Schema) -> str:
    match schema:
        case {"$ref": ref}:
            return "models." + name_of(ref.split("/")[-1])
        case {"enum": values}:
            return f"Literal[{', '.join(map(repr, values))}]"
        case {"type": "array", "items": items}:
            return f"list[{_python_type(items)}]"
        case {"type": "string", "format": "uuid"}:
            return "UUID | str"
        case {"type": "string", "format": "date-time"}:
            return "datetime"
        case {"type": kind}:
            return {"string": "str", "integer": "int", "boolean": "bool"}[kind]
    raise Unsupported(f"the generator does not support {schema}")


def _formatted(path: Path, text: str) -> str:
    """Format code with ruff, like all other files."""
    for arguments in (["check", "--fix", "--quiet", "--exit-zero"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", str(path), "-"]
        text = subprocess.run(  # noqa: S603
            command, input=text, capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
    return text


# TypeScript


def typescript_files(documents: Documents) -> Iterator[tuple[Path, str]]:
    """Yield the generated modules of the TypeScript client."""
    yield TYPESCRIPT / "models.ts", _interfaces(documents.models, "schema/openapi.yaml")
    yield TYPESCRIPT / "frames.ts", _interfaces(documents.frames, "schema/asyncapi.yaml")
    header = TYPESCRIPT_OPERATIONS.format(header=HEADER.format(source="schema/openapi.yaml"))
    yield (
        TYPESCRIPT / "operations.ts",
        "\n".join([header, *map(_typescript_method, documents.operations)]) + "}\n",
    )
    for slug, schemas in documents.games.items():
        text = typescript_game(slug, schemas, "schema/openapi.yaml")
        yield TYPESCRIPT / "games" / f"{slug}.ts", text


def typescript_game(slug: str, schemas: Mapping[str, Schema], source: str) -> str:
    """Generate the module of one game."""
    return _interfaces(schemas, source) + TYPESCRIPT_GAME.format(slug=slug)


def _interfaces(schemas: Mapping[str, Schema], source: str) -> str:
    """Generate a module of types. Fields with a default are optional in requests."""
    strict = {
        name: schema if schema.get("additionalProperties") is False else complete(schema)
        for name, schema in schemas.items()
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": source, "version": "1"},
        "paths": {},
        "components": {"schemas": {name: _open(schema) for name, schema in strict.items()}},
    }
    text = node.TYPESCRIPT.run(
        "openapi-typescript/bin/cli.js",
        *("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false"),
        text=json.dumps(document).replace("#/$defs/", "#/components/schemas/"),
    )
    return f"// {HEADER.format(source=source)}\n\n{text}"


def _open(schema: Schema) -> Schema:
    """Allow any fields in objects without named fields."""
    if "properties" in schema:
        return {
            **schema,
            "properties": {name: _open(inner) for name, inner in schema["properties"].items()},
        }
    return {"additionalProperties": True, **schema} if schema.get("type") == "object" else schema


def _typescript_method(operation: Operation) -> str:
    given = [f"{name}: {_typescript_type(schema)}" for name, schema in operation.places.items()]
    asked = []
    if operation.body is not None:
        given.append(
            f"body{'' if operation.needs_body else '?'}: {_typescript_type(operation.body)}"
        )
        asked.append("body")
    if operation.filters:
        filters = "; ".join(
            f"{name}?: {_typescript_type(schema)}" for name, schema in operation.filters.items()
        )
        given.append(f"query: {{ {filters} }} = {{}}")
        asked.append("query")
    first, *others = operation.name.split("_")
    name = first + "".join(other.capitalize() for other in others)
    answer = "void" if operation.answer is None else _typescript_type(operation.answer)
    call = [
        f'"{operation.verb}"',
        "`" + operation.path.replace("{", "${") + "`",
        *([f"{{ {', '.join(asked)} }}"] if asked else []),
    ]
    return (
        f"  /** {operation.summary} */\n"
        f"  {name}({', '.join(given)}): Promise<{answer}> {{\n"
        f"    return this.call({', '.join(call)});\n"
        "  }\n"
    )


def _typescript_type(schema: Schema) -> str:
    match schema:
        case {"$ref": ref}:
            return "models." + name_of(ref.split("/")[-1])
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"type": "array", "items": items}:
            return f"{_typescript_type(items)}[]"
        case {"type": kind}:
            return {"string": "string", "integer": "number", "boolean": "boolean"}[kind]
    raise Unsupported(f"the generator does not support {schema}")


def wanted_files() -> dict[Path, str]:
    """Return the expected content of all generated files."""
    documents = Documents()
    python = {path: _formatted(path, text) for path, text in python_files(documents)}
    return python | dict(typescript_files(documents)) | dict(csharp_files(documents))


def game_files(where: str, folder: Path) -> dict[Path, str]:
    """Return the types of all games in an OpenAPI document, for a folder per language."""
    files: dict[Path, str] = {}
    for slug, schemas in games_of(document(where)).items():
        python = folder / "python" / f"{slug}.py"
        files[python] = _formatted(python, python_game(slug, schemas, where))
        files[folder / "typescript" / f"{slug}.ts"] = typescript_game(slug, schemas, where)
        files[folder / "csharp" / f"{pascal(slug)}.cs"] = csharp_game(slug, schemas, where)
    if not files:
        raise Unsupported(f"{where} describes no games")
    return files


def main() -> int:
    """Write outdated files; with --check only report them and return 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 if a file is outdated",
    )
    parser.add_argument(
        "--schema",
        metavar="FILE_OR_URL",
        help="write the types of the games in this OpenAPI document: a file, or /api/schema/ of a "
        "server",
    )
    parser.add_argument("--output", type=Path, help="the folder for --schema")
    asked = parser.parse_args()
    if bool(asked.schema) != bool(asked.output) or (asked.schema and asked.check):
        parser.error("--schema and --output belong together, without --check")
    try:
        return write_games(asked.schema, asked.output) if asked.schema else write(asked.check)
    except Unsupported as unsupported:
        print(f"sdk.generate: {unsupported}", file=sys.stderr)  # noqa: T201
        return 1


def write_games(where: str, folder: Path) -> int:
    """Write the types of the games of a server, and print the names of the files."""
    for path, text in game_files(where, folder).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(path)  # noqa: T201
    return 0


def write(check: bool) -> int:
    """Write the files of this clone."""
    wanted = wanted_files()
    found = {
        *(PYTHON / "games").glob("[a-z]*.py"),
        *(TYPESCRIPT / "games").glob("*.ts"),
        *(CSHARP / "Games").glob("*.cs"),
    }
    stale = sorted(found - wanted.keys())
    changed = [
        path for path, text in wanted.items() if not path.exists() or path.read_text() != text
    ]
    names = ", ".join(str(path.relative_to(ROOT)) for path in [*changed, *stale])
    if check and names:
        print(  # noqa: T201
            f"Outdated: {names}. Run `python -m sdk.generate` and commit.",
            file=sys.stderr,
        )
        return 1
    for path in changed:
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted[path])
    for path in stale:
        path.unlink()
    print(f"{len(wanted)} files, {len(changed) + len(stale)} changed.")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
