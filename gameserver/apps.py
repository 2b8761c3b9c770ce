"""The project as a Django app: its commands, and the Celery app for processes that queue tasks."""

from importlib import import_module

from django.apps import AppConfig


class GameserverConfig(AppConfig):
    name = "gameserver"
    verbose_name = "Railbird"

    def ready(self) -> None:
        import_module("gameserver.celery")
