"""Build the pages, or compare the built files with their sources."""

import gzip
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sdk.node import NodeError
from web.build import BUILT, build

GZIPPED_MAX: Final = 300_000
"""How many bytes all pages together may have, compressed."""


class Command(BaseCommand):
    help = "Builds web/static/web/ from web/client/, or compares the two."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; exit 1 when a built file differs from its sources",
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        try:
            wanted = build()
        except NodeError as error:
            raise CommandError(str(error)) from error
        size = sum(len(gzip.compress(content)) for content in wanted.values())
        if size > GZIPPED_MAX:
            raise CommandError(f"The pages have {size} bytes gzipped; at most {GZIPPED_MAX} fit.")
        found = {path.name: path.read_bytes() for path in BUILT.iterdir()} if BUILT.exists() else {}
        changed = sorted(
            name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)
        )
        if check:
            if changed:
                raise CommandError(
                    f"Not as built: {', '.join(changed)}. Run `manage.py pages` and commit."
                )
        else:
            BUILT.mkdir(parents=True, exist_ok=True)
            for name in found.keys() - wanted.keys():
                (BUILT / name).unlink()
            for name, content in wanted.items():
                (BUILT / name).write_bytes(content)
        self.stdout.write(f"{len(wanted)} files, {size} bytes gzipped, {len(changed)} changed")
