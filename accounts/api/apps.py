"""Operations on the apps that a user registered."""

from typing import Annotated, Self

import msgspec
from msgspec import Meta
from oauth2_provider.models import Application

from accounts.oauth import clients
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Moment, OneLine

RedirectUri = Annotated[
    str, Meta(max_length=clients.REDIRECT_URI_MAX, pattern=clients.REDIRECT_URI)
]


class NewApp(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An app that will request access to users: its name, and the redirect URIs that receive their
    answers: https, or http on the app's own machine."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=clients.NAME_MAX)]
    redirect_uris: Annotated[
        list[RedirectUri], Meta(min_length=1, max_length=clients.REDIRECT_URIS_MAX)
    ]

    def __post_init__(self) -> None:
        for uri in self.redirect_uris:
            clients.checked_redirect_uri(uri)


class App(msgspec.Struct, frozen=True, kw_only=True):
    """An app that you registered. It is identified by its `client_id` and has no secret."""

    client_id: str
    name: str
    redirect_uris: list[str]
    created_at: Moment

    @classmethod
    def of(cls, row: Application) -> Self:
        """Return an app as its owner sees it."""
        return cls(
            client_id=row.client_id,
            name=row.name,
            redirect_uris=row.redirect_uris.split(),
            created_at=row.created,
        )


@operation("list_apps", scope=Scope.USER)
def list_apps(caller: Caller) -> list[App]:
    """List the apps that you registered, newest first."""
    return [App.of(row) for row in clients.registered_by(caller.user)]


@operation(
    "register_app",
    "guests_register_no_apps",
    "too_many_apps",
    scope=Scope.USER,
    status=201,
    is_keyed=True,
)
def register_app(caller: Caller, body: NewApp) -> App:
    """Register an app, which may then request access to users by OAuth 2.0."""
    return App.of(clients.register(caller.user, body.name, body.redirect_uris))


@operation("remove_app", "not_found", scope=Scope.USER, status=204)
def remove_app(caller: Caller, client_id: str) -> None:
    """Remove an app that you registered. All access granted to it ends, and its open sockets
    close at once."""
    clients.remove(caller.user, client_id)
