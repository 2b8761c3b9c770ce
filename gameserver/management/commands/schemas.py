"""Write or check the files under `schema/`, and check that no released client breaks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer

from games.api.schemas import document_of
from games.store.registry import catalogue
from gameserver.documents import asyncapi
from gameserver.documents.compatibility import breaks
from gameserver.http import graphql
from kit import installation


def documents() -> Mapping[str, bytes]:
    """Return the generated files by their path under `schema/`."""
    openapi = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    games = {
        f"games/{slug}.json": _pretty(document_of(rules)) for slug, rules in catalogue().items()
    }
    return {
        "openapi.yaml": _yaml(openapi),
        "asyncapi.yaml": asyncapi.text(asyncapi.document()),
        "schema.graphql": f"{graphql.schema().as_str()}\n".encode(),
        **games,
    }


def _yaml(document: object) -> bytes:
    text: bytes = OpenApiYamlRenderer().render(document, renderer_context={})  # type: ignore[no-untyped-call]
    return text


def _pretty(document: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=2) + b"\n"


class Command(BaseCommand):
    help = "Write the files under schema/, or compare them with the code."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; exit with 1 if a file is outdated",
        )
        parser.add_argument(
            "--breaking",
            type=Path,
            metavar="RELEASED",
            help="compare with the released schemas in this folder",
        )
        parser.add_argument(
            "--folder",
            type=Path,
            default=installation.FOLDER / "schema",
            help="where the files are",
        )

    def handle(
        self, *args: Any, check: bool, breaking: Path | None, folder: Path, **options: Any
    ) -> None:
        if breaking is not None:
            self._refuse_breaks(breaking, folder)
            return
        wanted = documents()
        found = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        ours = {
            path: content
            for path, content in found.items()
            if path in wanted or path.startswith("games/")
        }
        changed = sorted(
            path for path in wanted.keys() | ours.keys() if wanted.get(path) != ours.get(path)
        )
        if check and changed:
            raise CommandError(
                f"Outdated: {', '.join(changed)}. Run `{installation.NAME} schemas` and commit."
            )
        for path in changed:
            if path in wanted:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(wanted[path])
            else:
                (folder / path).unlink()
        self.stdout.write(f"{len(wanted)} files in {folder}, {len(changed)} changed.")

    def _refuse_breaks(self, released: Path, folder: Path) -> None:
        if not (released / "openapi.yaml").exists():
            raise CommandError(f"No schemas in {released}.")
        found = breaks(released, folder)
        if found:
            raise CommandError(
                "This breaks clients of the last release (docs/versioning.md):\n" + "\n".join(found)
            )
        self.stdout.write("No change breaks clients of the last release.")
