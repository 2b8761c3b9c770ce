"""Settings of REST framework: authenticated unless a view says otherwise, and JSON only."""

from typing import Any, Final

HERE: Final = "http://127.0.0.1:8000"
"""The address of the server in the stored documents. A server writes its own instead."""

REST_FRAMEWORK: Final[dict[str, Any]] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["kit.rendering.Renderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "gameserver.documents.openapi.OperationSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "gameserver.errors.handle",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": None,
}

SPECTACULAR_SETTINGS: Final[dict[str, Any]] = {
    "TITLE": "Railbird",
    "DESCRIPTION": "A game server for betting board games: lobbies, games, bets, accounts and their"
    " histories. The [guides](/docs/) explain [requests](/docs/protocol/requests/),"
    " [errors](/docs/protocol/errors/), [game sockets](/docs/protocol/game-socket/) and"
    " [lobby sockets](/docs/protocol/lobby-sockets/).",
    "TAGS": [
        {
            "name": name,
            "description": description,
            "externalDocs": {"description": "Guide", "url": f"{HERE}/docs/{page}/"},
        }
        for name, description, page in (
            ("auth", "Users, tokens, bot users and OAuth apps.", "protocol/authentication"),
            ("lobbies", "Seats, bots, hosts, chat and the start of games.", "protocol/lobbies"),
            ("games", "Rules, views, commits and commands.", "protocol/requests"),
            ("notices", "What concerns you, and the channels that report it.", "protocol/notices"),
            ("histories", "Bets, accounts, transfers and exports.", "protocol/histories"),
            ("audit", "Bundles, receipts and checkpoints.", "audit"),
            ("admin", "Lists, corrections and moderation by operators.", "protocol/operators"),
            ("health", "Whether the server is alive and ready.", "operate/watch"),
        )
    ],
    "VERSION": "1",
    "LICENSE": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    "SERVERS": [{"url": HERE}],
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "POSTPROCESSING_HOOKS": ["gameserver.documents.openapi.add_shared_components"],
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "A token of `POST /api/v1/auth/token/` or `.../guest/`.",
            },
        }
    },
}
