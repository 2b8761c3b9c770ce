"""The settings of the REST face: closed unless a view says otherwise, JSON and nothing else."""

from typing import Any, Final

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
    "DESCRIPTION": "A game server for betting board games: lobbies, games, bets, accounts and their histories. "
    "The server's documentation is under `/docs/`, its WebSockets are in asyncapi.yaml.",
    "VERSION": "1",
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
            }
        }
    },
}
