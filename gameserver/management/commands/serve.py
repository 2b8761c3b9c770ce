"""`manage.py serve`: run the whole server."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console

from gameserver.processes.supervisor import Plan, Supervisor


class Command(BaseCommand):
    help = (
        "Run the whole server: embedded PostgreSQL and Valkey by default, migrations, "
        "web and Celery workers."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: this machine only)"
        )
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--web", type=int, default=1, help="web processes (default: 1)")
        parser.add_argument(
            "--separate-ports",
            action="store_true",
            help="web processes listen on ports of their own, from --port on, "
            "for a proxy that sends each game to one of them; its configuration is printed",
        )
        parser.add_argument(
            "--workers",
            type=int,
            default=2,
            help="Celery worker processes (default: 2, so that one can die)",
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        console = Console(highlight=False, soft_wrap=True)
        plan = Plan(
            host=options["host"],
            port=options["port"],
            web=options["web"],
            workers=options["workers"],
            separate_ports=options["separate_ports"],
        )
        Supervisor(plan, say=console.print).run()
