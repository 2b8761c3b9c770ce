"""`railbird deploy-files FOLDER`: write the files of a deployment into a folder."""

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

FILES: Final = Path(__file__).parents[2] / "deploy"


class Command(BaseCommand):
    help = (
        "Write the files of a deployment: compose, Kubernetes, systemd, Caddy and nginx, the roles "
        "of the database, backup and restore, alerts and dashboard."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="an empty folder, or one that does not exist")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        if folder.exists() and any(folder.iterdir()):
            raise CommandError(
                f"{folder} is not empty. To compare it with the files of this version, "
                "write those into another folder."
            )
        shutil.copytree(FILES, folder, dirs_exist_ok=True)
        for file in (path for path in folder.rglob("*") if path.is_file()):
            # An installer may have dropped the right to execute.
            file.chmod(0o755 if file.read_bytes().startswith(b"#!") else 0o644)
        self.stdout.write(f"Written: {folder}. Read {folder / 'README.md'} first.")
