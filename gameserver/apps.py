"""The wiring as a Django app: it brings its commands, and Celery's app into every process that may
send a task."""

from importlib import import_module

from django.apps import AppConfig


class GameserverConfig(AppConfig):
    name = "gameserver"
    verbose_name = "Railbird"

    def ready(self) -> None:
        import_module("gameserver.celery")
