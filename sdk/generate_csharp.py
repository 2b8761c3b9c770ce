"""Write the C# client into a folder: `python -m sdk.generate_csharp FOLDER`.

Its types are plain classes, with generated code that reads and writes them as JSON.
The code uses no reflection, so that compilers that know all code beforehand (Unity's IL2CPP) keep
it. It keeps to C# 7.2, which is all of 7.3 that Mono's compiler knows.
"""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from sdk.documents import (
    HEADER,
    Documents,
    Operation,
    Schema,
    UnsupportedError,
    defaults_of,
    name_of,
    reached,
    references,
)

CSHARP: Final = Path(__file__).parent / "csharp" / "Railbird"

KEYWORDS: Final = frozenset(
    """abstract as base bool break byte case catch char checked class const continue decimal default
    delegate do double else enum event explicit extern false finally fixed float for foreach goto if
    implicit in int interface internal is lock long namespace new null object operator out override
    params private protected public readonly ref return sbyte sealed short sizeof stackalloc static
    string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual
    void volatile while""".split()  # noqa: SIM905 -- as a list, one line each
)

FILE: Final = """using System;
using System.Collections.Generic;

namespace {namespace}
{{
{types}}}
"""

UNKNOWN: Final = """    /// <summary>A value of a kind that this client does not know.</summary>
    public sealed class Unknown : IUnknown{interfaces}
    {{
        public string Type;
        public Dictionary<string, object> Fields;
    }}

"""

GAME: Final = """    /// <summary>The types of this game, for <c>Client.Table</c>.</summary>
    public static class Game
    {{
        public static readonly GameTypes<{command}, {event}, {view}> Types =
            new GameTypes<{command}, {event}, {view}>(
                "{slug}", Read.Command, Read.Event, Read.View,
                {defaults});
    }}

"""

OPERATIONS: Final = """using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{{
    /// <summary>Every operation of the API.</summary>
    public abstract class Operations
    {{
        protected abstract Task<T> Call<T>(
            string method, string path, Func<object, T> read,
            Dictionary<string, object> query = null, Value body = null);

        /// <summary>Escape a part of a path, which cannot lead elsewhere. Throws Misused.</summary>
        internal static string Part(object value)
        {{
            string text = Convert.ToString(value);
            if (text == "" || text == "." || text == "..")
                throw new Misused("'" + text + "' is no id.");
            return Uri.EscapeDataString(text);
        }}
{methods}    }}
}}
"""


NULL: Final[Schema] = {"type": "null"}


class Type(NamedTuple):
    """A type in C#, the function that reads it from JSON, and whether it cannot be null."""

    name: str
    read: str
    is_value: bool = False


def _header(source: str) -> str:
    return f"// {HEADER.format(source=source)}\n"


def write_csharp(folder: Path) -> None:
    """Write the C# client into a folder: its files in the repository and the generated ones."""
    for path, text in csharp_files(Documents(), shutil.copytree(CSHARP, folder)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def csharp_files(documents: Documents, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the generated files of the C# client in this folder."""
    sources = "schema/openapi.yaml and schema/asyncapi.yaml"
    everything = {**documents.frames, **documents.models}
    yield folder / "Models.cs", _header(sources) + _file("Railbird.Models", everything)
    types = Types(everything)
    methods = "".join(_method(operation, types) for operation in documents.operations)
    header = _header("schema/openapi.yaml")
    yield folder / "Operations.cs", header + OPERATIONS.format(methods=methods)
    for slug, schemas in documents.games.items():
        yield (
            folder / "Games" / f"{pascal(slug)}.cs",
            csharp_game(slug, schemas, "schema/openapi.yaml"),
        )


def csharp_game(slug: str, schemas: Mapping[str, Schema], source: str) -> str:
    """Generate the file of one game."""
    return _header(source) + _file(f"Railbird.Games.{pascal(slug)}", schemas, slug)


def _file(namespace: str, schemas: Mapping[str, Schema], slug: str = "") -> str:
    types = Types(schemas)
    taken = {"Json", "Read", "Unknown", "Value"} | ({"Game"} if slug else set())
    if clashes := taken & types.classes.keys():
        raise UnsupportedError(
            f"{namespace} cannot have a type called {', '.join(sorted(clashes))}"
        )
    parts = [
        *(f"    public interface I{name}\n    {{\n    }}\n\n" for name in types.unions),
        UNKNOWN.format(interfaces="".join(f", I{name}" for name in types.unions)),
        *(types.declaration(name) for name in types.classes),
    ]
    if slug:
        command, event, view = (types.of({"$ref": part}) for part in ("Command", "Event", "View"))
        names = {"command": command.name, "event": event.name, "view": view.name}
        defaults = json.dumps(json.dumps(defaults_of({slug: schemas})[slug]))
        parts.append(GAME.format(slug=slug, defaults=defaults, **names))
    return FILE.format(namespace=namespace, types="".join([*parts, types.readers()]))


class Types:
    """The types of one namespace."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = dict(schemas)
        self.classes: dict[str, Schema] = {}
        self.unions: dict[str, Schema] = {}
        for name, schema in schemas.items():
            if "properties" in schema:
                self.classes[name] = schema
                for field, inner in schema["properties"].items():
                    if _is_union(inner):
                        self.unions[name + pascal(field)] = inner
            elif _is_union(schema):
                self.unions[name] = schema
        closed = (
            name for name, each in self.classes.items() if each.get("additionalProperties") is False
        )
        kept = ["Opening", "Commitments"]  # The client writes them into a file.
        self._written = reached(schemas, ["Command", "Options", *kept, *closed])

    def of(self, schema: Schema, field: str = "") -> Type:  # noqa: C901, PLR0912 -- a table
        """Return the C# type of a schema; `field` names a union that has no name of its own."""
        match schema:
            case {"$ref": ref}:
                return self._named(ref.split("/")[-1])
            case {"enum": [str(), *_]} | {"type": "string", "format": "uuid" | "binary"}:
                return Type("string", "Json.Text")
            case {"enum": [int(), *_]} | {"type": "integer"}:
                return Type("long", "Json.Long", is_value=True)
            case {"type": "string", "format": "date-time"}:
                return Type("DateTimeOffset", "Json.Moment", is_value=True)
            case {"type": "string"}:
                return Type("string", "Json.Text")
            case {"type": "number"}:
                return Type("double", "Json.Double", is_value=True)
            case {"type": "boolean"}:
                return Type("bool", "Json.Bool", is_value=True)
            case {"prefixItems": [first, *others]} if all(other == first for other in others):
                return self._list(first)
            case {"type": "array", "items": dict(items)} | {"items": dict(items)}:
                return self._list(items)
            case {"type": "array", "items": [first, *others]} if all(o == first for o in others):
                return self._list(first)
            case {"type": "object", "additionalProperties": dict(inner)}:
                item = self.of(inner)
                return Type(f"Dictionary<string, {item.name}>", f"Json.Map({item.read})")
            case {"type": "object"}:
                return Type("Dictionary<string, object>", "Json.Object")
            case {"anyOf": members} if field and _is_union(schema):
                union = Type(f"I{field}", f"Read.{field}")
                return _nullable(union) if NULL in members else union
            case {"anyOf": [member, null] | [null, member]} if null == NULL:
                return _nullable(self.of(member))
        return Type("object", "Json.Any")

    def _list(self, items: Schema) -> Type:
        item = self.of(items)
        return Type(f"List<{item.name}>", f"Json.List({item.read})")

    def _named(self, name: str) -> Type:
        name = name_of(name)
        if name in self.unions:
            return Type(f"I{name}", f"Read.{name}")
        if name in self.classes:
            return Type(name, f"Read.{name}")
        return self.of(self._schemas.get(name, {}))

    def fields(self, name: str) -> Iterator[tuple[str, str, Schema, Type]]:
        """Yield the name in JSON, the name in C#, the schema and the type of each field.

        An optional field of a request is null when it is left out.
        """
        for field, schema in self.classes[name]["properties"].items():
            called = pascal(field)
            if called == name:
                called += "Value"
            kind = self.of(schema, name + pascal(field))
            yield field, called, schema, _nullable(kind) if self._may_omit(name, field) else kind

    def _may_omit(self, name: str, field: str) -> bool:
        schema = self.classes[name]
        return schema.get("additionalProperties") is False and field not in schema.get(
            "required", ()
        )

    def declaration(self, name: str) -> str:
        """Declare a class."""
        schema = self.classes[name]
        is_written = name in self._written
        parents = ["Value"] if is_written else []
        parents += [f"I{union}" for union, each in self.unions.items() if name in references(each)]
        lines = [*_summary(schema.get("description", ""), "    ")]
        lines += [f"    public sealed class {name}{_implements(parents)}", "    {"]
        written = []
        for field, called, inner, kind in self.fields(name):
            if _is_tag(inner):
                tag = json.dumps(inner["enum"][0])
                lines.append(f"        public const string {called} = {tag};")
                written.append(f'json["{field}"] = {called};')
                continue
            lines += _summary(_explained(inner), "        ")
            lines.append(f"        public {kind.name} {called};")
            check = f"if ({called} != null) " if self._may_omit(name, field) else ""
            written.append(f'{check}json["{field}"] = {called};')
        if is_written:
            lines += [
                "",
                "        public override Dictionary<string, object> ToJson()",
                "        {",
                "            var json = new Dictionary<string, object>();",
                *(f"            {line}" for line in written),
                "            return json;",
                "        }",
            ]
        return "\n".join([*lines, "    }", "", ""])

    def readers(self) -> str:
        """Declare the class that reads all types from JSON."""
        lines = [
            "    /// <summary>Reads the types of this namespace from JSON values.</summary>",
            "    public static class Read",
            "    {",
        ]
        aliases = self._schemas.keys() - self.classes.keys() - self.unions.keys()
        for name in [*self.classes, *self.unions, *sorted(aliases)]:
            kind = self._named(name)
            lines.append(f"        public static {kind.name} {name}(object json)")
            lines += ["        {"]
            if name in self.classes:
                lines += self._class_reader(name)
            elif name in self.unions:
                lines += self._union_reader(self.unions[name])
            else:
                lines.append(f"            return {kind.read}(json);")
            lines += ["        }", ""]
        return "\n".join([*lines[:-1], "    }", ""])

    def _class_reader(self, name: str) -> Iterator[str]:
        fields = [each for each in self.fields(name) if not _is_tag(each[2])]
        if not fields:
            yield f"            return new {name}();"
            return
        yield "            var fields = Json.Object(json);"
        yield f"            return new {name}"
        yield "            {"
        for field, called, _, kind in fields:
            yield f'                {called} = {kind.read}(Json.Field(fields, "{field}")),'
        yield "            };"

    def _union_reader(self, union: Schema) -> Iterator[str]:
        yield "            switch (Json.Tag(json))"
        yield "            {"
        for name in references(union):
            (tag,) = (
                inner["enum"][0]
                for inner in self.classes[name]["properties"].values()
                if _is_tag(inner)
            )
            yield f"                case {json.dumps(tag)}:"
            yield f"                    return {name}(json);"
        yield "                default:"
        yield "                    return new Unknown"
        yield "                    {"
        yield "                        Type = Json.Tag(json),"
        yield "                        Fields = Json.Object(json),"
        yield "                    };"
        yield "            }"


def _nullable(kind: Type) -> Type:
    if kind.is_value:
        return Type(f"{kind.name}?", f"Json.Nullable({kind.read})")
    if kind.read.startswith(("Json.Nullable(", "Json.Maybe(")) or kind.name == "object":
        return kind
    return Type(kind.name, f"Json.Maybe({kind.read})")


def _is_tag(schema: Schema) -> bool:
    return len(schema.get("enum", ())) == 1 and isinstance(schema["enum"][0], str)


def _is_union(schema: Schema) -> bool:
    """Whether a schema is one of several objects, which a tag distinguishes."""
    return sum("$ref" in member for member in schema.get("anyOf", ())) > 1


def _implements(parents: Iterable[str]) -> str:
    listed = ", ".join(parents)
    return f" : {listed}" if listed else ""


def pascal(name: str) -> str:
    """Return a name in C#: `place_bet` becomes PlaceBet."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _camel(name: str) -> str:
    found = pascal(name)
    found = found[:1].lower() + found[1:]
    return f"@{found}" if found in KEYWORDS else found


def _explained(schema: Schema) -> str:
    """Return the description of a field, and its values if they are listed."""
    members = [schema, *schema.get("anyOf", ())]
    values = [repr(value) for member in members for value in member.get("enum", ())]
    listed = f"One of {', '.join(values)}.".replace("'", '"') if values else ""
    return " ".join(filter(None, [schema.get("description", ""), listed]))


def _summary(text: str, indent: str) -> list[str]:
    """Return a comment of C# documentation, or nothing."""
    lines = escape(text).splitlines()
    if len(lines) < 2:
        return [f"{indent}/// <summary>{line}</summary>" for line in lines]
    marked = ["<summary>", *lines, "</summary>"]
    return [f"{indent}/// {line}".rstrip() for line in marked]


def _method(operation: Operation, models: Types) -> str:
    given = [f"{models.of(kind).name} {_camel(name)}" for name, kind in operation.places.items()]
    place = operation.path
    for name in operation.places:
        place = place.replace(f"{{{name}}}", f'" + Part({_camel(name)}) + "')
    read = "null" if operation.answer is None else models.of(operation.answer).read
    asked = [f'"{operation.verb}"', f'"{place}"'.removesuffix(' + ""'), read]
    if operation.body is not None:
        default = "" if operation.needs_body else " = null"
        given.append(f"{models.of(operation.body).name} body{default}")
    if operation.filters:
        for name, kind in operation.filters.items():
            found = models.of(kind)
            given.append(f"{found.name}{'?' if found.is_value else ''} {_camel(name)} = null")
        listed = ", ".join(f'{{ "{name}", {_camel(name)} }}' for name in operation.filters)
        asked.append(f"query: new Dictionary<string, object> {{ {listed} }}")
    if operation.body is not None:
        asked.append("body: body")
    generic = "<object>" if operation.answer is None else ""
    answer = "Task" if operation.answer is None else f"Task<{models.of(operation.answer).name}>"
    return "\n".join(
        [
            "",
            *_summary(operation.summary, "        "),
            f"        public virtual {answer} {pascal(operation.name)}({', '.join(given)})",
            "        {",
            f"            return Call{generic}({', '.join(asked)});",
            "        }",
            "",
        ]
    )


if __name__ == "__main__":
    write_csharp(Path(sys.argv[1]))
