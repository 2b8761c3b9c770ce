"""Generate the Python client: types as msgspec Structs, and one method for each operation."""

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final

from datamodel_code_generator import InputFileType, LiteralType, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import Formatter, PythonVersion

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
)

PYTHON: Final = Path(__file__).parent / "python" / "railbird_client"

GAME: Final = '''

TYPES: GameTypes[Command, Event, View] = GameTypes(
    "{slug}", command=Command, event=Event, view=View
)
"""The types of this game, for `Client.table`."""
'''

DEFAULTS: Final = '''"""{header}"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

DEFAULTS: Final[Mapping[str, Mapping[str, Sequence[tuple[Sequence[str], Any]]]]] = {it}
"""The defaults of commands, by game and type, and the names that lead to each: `*` stands for each
item of a list."""
'''

OPERATIONS: Final = '''"""{header}"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar
from uuid import UUID

from railbird_client import models
from railbird_client.http import part

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


def _parameter(name: str) -> str:
    """Return the name of a parameter in Python: `from` is a keyword, so it is `from_`."""
    return f"{name}_" if iskeyword(name) else name


def python_files(documents: Documents) -> Iterator[tuple[Path, str]]:
    """Yield the generated modules of the Python client."""
    models = _structs(_tolerant(documents.models), "schema/openapi.yaml")
    yield PYTHON / "models.py", models
    frames = _structs(_tolerant(documents.frames), "schema/asyncapi.yaml")
    yield PYTHON / "frames.py", _borrowing(frames, models)
    header = OPERATIONS.format(header=HEADER.format(source="schema/openapi.yaml"))
    yield PYTHON / "operations.py", "\n".join([header, *map(_method, documents.operations)])
    source, defaults = "schema/openapi.yaml", defaults_of(documents.games)
    yield PYTHON / "defaults.py", DEFAULTS.format(header=HEADER.format(source=source), it=defaults)
    for slug, schemas in documents.games.items():
        yield PYTHON / "games" / f"{slug}.py", python_game(slug, schemas, "schema/openapi.yaml")


def python_game(slug: str, schemas: Mapping[str, Schema], source: str) -> str:
    """Generate the module of one game. Types of requests alone keep lists of values."""
    received = reached(schemas, set(schemas) - reached(schemas, {"Command"}))
    tolerant = {name: _any_value(schemas[name]) for name in schemas if name in received}
    module = _structs({**schemas, **tolerant}, source)
    module = module.replace(
        "\nclass ", "\nfrom railbird_client.types import GameTypes\n\nclass ", 1
    )
    return module + GAME.format(slug=slug)


def _tolerant(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """Accept values in responses that this client does not know: an enum becomes any text."""

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
        else _any_value(schema)
        for name, schema in schemas.items()
    }


def _any_value(schema: Any) -> Any:
    """Return a schema without its lists of values, at any depth. The one value of a tag stays."""
    if isinstance(schema, list):
        return [_any_value(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    loose = {key: _any_value(inner) for key, inner in schema.items() if key != "enum"}
    if "anyOf" in loose:
        texts = [inner for inner in loose["anyOf"] if "enum" not in inner]
        some = {"type": "string"} if len(texts) < len(loose["anyOf"]) else None
        loose["anyOf"] = texts if some is None or some in texts else [some, *texts]
    values = schema.get("enum", ())
    if len(values) > 1:
        return {"type": "string" if isinstance(values[0], str) else "integer", **loose}
    return {**loose, "enum": values} if values else loose


def _unions(schemas: Mapping[str, Schema]) -> dict[str, dict[str, Schema]]:
    """Return the fields of each type that hold one of several objects."""
    return {
        name: {
            field: inner
            for field, inner in schema.get("properties", {}).items()
            if sum("$ref" in member for member in inner.get("anyOf", ())) > 1
        }
        for name, schema in schemas.items()
    }


def _borrowing(module: str, models: str) -> str:
    """Import types that the models also have, so that each type exists once."""
    names = re.findall(r"(?m)^(?:class )?(\w+)(?:\(Struct|: TypeAlias)", models)
    types = {
        name: rf"\n\n(class {name}\(Struct|{name}: TypeAlias =).*?(?=\n\n\n)" for name in names
    }
    shared = [name for name, pattern in types.items() if re.search(pattern, module, re.DOTALL)]
    for name in shared:
        module = re.sub(types[name], "", module, flags=re.DOTALL)
    used = [name for name in shared if re.search(rf"\b{name}\b", module)]
    return module.replace(
        "\n\n\n", f"\n\nfrom railbird_client.models import {', '.join(sorted(used))}\n\n\n", 1
    )


def _structs(schemas: Mapping[str, Schema], source: str) -> str:
    """Generate a module of msgspec Structs. A field with a default has it in Python, too.

    A field with a union of objects also holds an object of a type that this client does not know.
    """
    unions = _unions(schemas)
    closed = {
        name: {
            **schema,
            "properties": {
                field: {} if field in unions[name] else inner
                for field, inner in schema.get("properties", {}).items()
            },
        }
        if unions[name]
        else schema
        for name, schema in schemas.items()
    }
    named = {
        name + field.capitalize(): inner
        for name, fields in unions.items()
        for field, inner in fields.items()
    }
    text = _module(closed | named, source)
    for name, fields in unions.items():
        for field in fields:
            text = _opened(text, name, field, name + field.capitalize())
    return text


def _opened(module: str, name: str, field: str, union: str) -> str:
    """Let a field read an object of a union, or of a type that this client does not know."""
    head, struct = re.split(rf"(?m)(?=^class {name}\(Struct)", module, maxsplit=1)
    body, rest = re.split(r"\n\n\n", struct, maxsplit=1)
    body = re.sub(rf"(?m)^    {field}: Any\b", f"    {field}: {union} | Unknown | Any", body)
    body += (
        "\n\n    def __post_init__(self) -> None:\n"
        f"        self.{field} = one_of(self.{field}, {union})"
    )
    module = f"{head}{body}\n\n\n{rest}"
    line = "from railbird_client.types import Unknown, one_of\n"
    return module if line in module else module.replace("\nclass ", f"\n{line}\n\nclass ", 1)


def _module(schemas: Mapping[str, Schema], source: str) -> str:
    """Generate a module of msgspec Structs."""
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


def _method(operation: Operation) -> str:
    given = [
        "self",
        *(f"{name}: {_type(schema)}" for name, schema in operation.places.items()),
    ]
    path = repr(operation.path)
    if operation.places:
        path = "f" + path.replace("{", "{part(").replace("}", ")}")
    asked = [repr(operation.verb), path]
    answer = "None" if operation.answer is None else _type(operation.answer)
    asked.append(answer)
    if operation.body is not None:
        given.append(
            f"body: {_type(operation.body)}" + ("" if operation.needs_body else " | None = None")
        )
        asked.append("body=body")
    if operation.filters:
        given += [
            "*",
            *(
                f"{_parameter(name)}: {_type(schema)} | None = None"
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


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": ref}:
            return "models." + name_of(ref.split("/")[-1])
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
    raise UnsupportedError(f"the generator does not support {schema}")
