"""Generate the TypeScript client: types as interfaces, and one method for each operation."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from sdk import node
from sdk.documents import (
    HEADER,
    Documents,
    Operation,
    Schema,
    UnsupportedError,
    complete,
    defaults_of,
    name_of,
    reached,
    references,
)

Shape = str | list[Any] | dict[str, Any]

TYPESCRIPT: Final = Path(__file__).parent / "typescript" / "src"

GAME: Final = """
/** The types of this game, for `Client.table`. */
export interface Game {{
  slug: "{slug}";
  options: Options;
  command: Command;
  event: Event;
  view: View;
}}
"""

OPERATIONS: Final = """// {header}

import {{ part }} from "./http.ts";
import type * as models from "./models.ts";
import type {{ Shape }} from "./shapes.ts";

/** The query and the body of a request. */
export interface Asked {{
  query?: object;
  body?: unknown;
}}

/** Every operation of the API. */
export abstract class Operations {{
  protected abstract call<T>(
    method: string,
    path: string,
    shape: Shape | undefined,
    asked?: Asked,
  ): Promise<T>;
"""

DEFAULTS: Final = """// {header}

/** The defaults of commands, by game and type, and the names that lead to each: `*` stands for each
 * item of a list. */
export const DEFAULTS: Record<string, Record<string, [path: string[], value: unknown][]>> = {{
{lines}}};
"""

SHAPES: Final = """// {header}

import type {{ Shape }} from "./shapes.ts";

{constants}"""


def typescript_files(documents: Documents) -> Iterator[tuple[Path, str]]:
    """Yield the generated modules of the TypeScript client."""
    yield TYPESCRIPT / "models.ts", _interfaces(documents.models, "schema/openapi.yaml")
    yield TYPESCRIPT / "frames.ts", _interfaces(documents.frames, "schema/asyncapi.yaml")
    header = OPERATIONS.format(header=HEADER.format(source="schema/openapi.yaml"))
    yield (
        TYPESCRIPT / "operations.ts",
        "\n".join([header, *map(_method, documents.operations)]) + "}\n",
    )
    yield TYPESCRIPT / "shapes_of_types.ts", _shapes(documents)
    header = HEADER.format(source="schema/openapi.yaml")
    found = defaults_of(documents.games).items()
    lines = "".join(f"  {slug}: {json.dumps(defaults)},\n" for slug, defaults in found)
    yield TYPESCRIPT / "defaults.ts", DEFAULTS.format(header=header, lines=lines)
    for slug, schemas in documents.games.items():
        text = typescript_game(slug, schemas, "schema/openapi.yaml")
        yield TYPESCRIPT / "games" / f"{slug}.ts", text


def typescript_game(slug: str, schemas: Mapping[str, Schema], source: str) -> str:
    """Generate the module of one game."""
    return _interfaces(schemas, source) + GAME.format(slug=slug)


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


OF_ANY_GAME: Final[Mapping[str, Shape]] = {
    "GameEvent": "e",
    "GameCommand": "e",
    "GameView": {"": "*"},
}


def _shapes(documents: Documents) -> str:
    """Generate the shapes of everything that the server sends, for a check at run time."""
    schemas = {**documents.models, **documents.frames}
    answers = (operation.answer for operation in documents.operations)
    sockets = {name: schemas[name] for name in documents.frames if name.startswith("From")}
    named = {*references([*answers, *sockets.values()]), "ProblemDocument"}
    shapes = {
        name: OF_ANY_GAME.get(name) or _shape_of(schemas[name])
        for name in sorted(reached(schemas, map(name_of, named)))
        if name in schemas
    }
    constants = {"SHAPES: Record<string, Shape>": shapes} | {
        f"{re.sub('(?<=[a-z])(?=[A-Z])', '_', name).upper()}: Record<string, Shape>": {
            tag: name_of(ref.split("/")[-1])
            for tag, ref in schema["discriminator"]["mapping"].items()
        }
        for name, schema in sockets.items()
    }
    return SHAPES.format(
        header=HEADER.format(source="schema/openapi.yaml and schema/asyncapi.yaml"),
        constants="\n".join(
            f"export const {name} = {{\n"
            + "".join(f"  {key}: {json.dumps(shape)},\n" for key, shape in value.items())
            + "};\n"
            for name, value in constants.items()
        ),
    )


def _shape_of(schema: Schema) -> Shape:
    """Return the shape of a type. A field that has a default may be missing."""
    if "properties" not in schema:
        return _shape(schema)
    return {
        field: _optional(_shape(inner)) if "default" in inner else _shape(inner)
        for field, inner in schema["properties"].items()
    }


def _shape(schema: Schema) -> Shape:
    match schema:
        case {"$ref": ref}:
            return name_of(ref.split("/")[-1])
        case {"anyOf": [inner, {"type": "null"}] | [{"type": "null"}, inner]}:
            shape = _shape(inner)
            return f"{shape}?" if isinstance(shape, str) else {"?": shape}
        case {"anyOf": members} if sum("$ref" in member for member in members) > 1:
            return "e"
        case {"enum": [str(), *_]} | {"type": "string"}:
            return "s"
        case {"type": "array", "items": dict(items)}:
            return [_shape(items)]
        case {"type": "array", "prefixItems": [first, *others]} if all(o == first for o in others):
            return [_shape(first)]
        case {"type": "object", "additionalProperties": dict(inner)}:
            return {"": _shape(inner)}
        case {"type": "object"}:
            return {}
        case {"type": "integer" | "number" | "boolean" as kind}:
            return str(kind)[0]
    return "*"


def _optional(shape: Shape) -> Shape:
    return f"{shape.removesuffix('?')}!" if isinstance(shape, str) else {"!": shape}


def _open(schema: Schema) -> Schema:
    """Allow any fields in objects without named fields."""
    if "properties" in schema:
        return {
            **schema,
            "properties": {name: _open(inner) for name, inner in schema["properties"].items()},
        }
    return {"additionalProperties": True, **schema} if schema.get("type") == "object" else schema


def _method(operation: Operation) -> str:
    given = [f"{name}: {_type(schema)}" for name, schema in operation.places.items()]
    asked = []
    if operation.body is not None:
        given.append(f"body{'' if operation.needs_body else '?'}: {_type(operation.body)}")
        asked.append("body")
    if operation.filters:
        filters = "; ".join(
            f"{name}?: {_type(schema)}" for name, schema in operation.filters.items()
        )
        given.append(f"query: {{ {filters} }} = {{}}")
        asked.append("query")
    first, *others = operation.name.split("_")
    name = first + "".join(other.capitalize() for other in others)
    answer = "void" if operation.answer is None else _type(operation.answer)
    shape = "undefined" if operation.answer is None else json.dumps(_shape(operation.answer))
    call = [
        f'"{operation.verb}"',
        "`" + operation.path.replace("{", "${part(").replace("}", ")}") + "`",
        shape,
        *([f"{{ {', '.join(asked)} }}"] if asked else []),
    ]
    return (
        f"  /** {operation.summary} */\n"
        f"  async {name}({', '.join(given)}): Promise<{answer}> {{\n"
        f"    return this.call({', '.join(call)});\n"
        "  }\n"
    )


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": ref}:
            return "models." + name_of(ref.split("/")[-1])
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"type": "array", "items": items}:
            return f"{_type(items)}[]"
        case {"type": kind}:
            return {"string": "string", "integer": "number", "boolean": "boolean"}[kind]
    raise UnsupportedError(f"the generator does not support {schema}")
