"""OAuth clients: programs of other people, registered by a user and known by a `client_id`.

They are public clients without a secret.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import QuerySet
from oauth2_provider.models import Application

from accounts.models import User
from kit.problems import Problem

APPS_MAX: Final = 20
NAME_MAX: Final = 60
REDIRECT_URIS_MAX: Final = 10
REDIRECT_URI_MAX: Final = 300
REDIRECT_URI: Final = r"^(https://[A-Za-z0-9.-]+|http://(localhost|127\.0\.0\.1|\[::1\]))(:[0-9]{1,5})?(/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$(?!\n)"
"""HTTPS, or HTTP on the loopback interface, which no network can reach.

No fragment, no user name, no wildcard.
"""

PUBLIC: Final = {
    "client_type": Application.CLIENT_PUBLIC,
    "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
    "client_secret": "",
    "hash_client_secret": False,
}
"""The fields that are the same for all clients.

A program on a user's machine cannot keep a secret, and PKCE needs none.
"""


def checked_redirect_uri(uri: str) -> str:
    """Return the redirect URI if it is allowed. Raises ValueError."""
    if len(uri) > REDIRECT_URI_MAX or not re.fullmatch(REDIRECT_URI, uri):
        raise ValueError(f"redirect URI not allowed: {uri[:REDIRECT_URI_MAX]}")
    _ = urlsplit(uri).port  # raises ValueError for an invalid port
    return uri


def register(owner: User, name: str, redirect_uris: list[str]) -> Application:
    """Register a client. Raises Problem `guests_register_no_apps`, `too_many_apps`."""
    if owner.is_guest:
        raise Problem("guests_register_no_apps")
    with transaction.atomic():
        owner.locked()
        if registered_by(owner).count() >= APPS_MAX:
            raise Problem("too_many_apps", most=APPS_MAX)
        return Application.objects.create(
            user=owner, name=name, redirect_uris=" ".join(redirect_uris), **PUBLIC
        )


def has_redirect_uri(client_id: str, redirect_uri: str) -> bool:
    """Whether this client exists and registered this redirect URI."""
    app = None if "\x00" in client_id else Application.objects.filter(client_id=client_id).first()
    try:
        return app is not None and bool(app.redirect_uri_allowed(redirect_uri))
    except ValueError:  # an invalid port
        return False


def registered_by(owner: User) -> QuerySet[Application]:
    """Return the clients that a user registered, newest first."""
    apps: QuerySet[Application] = Application.objects.filter(user=owner).order_by("-created", "-id")
    return apps


def remove(owner: User, client_id: str) -> None:
    """Delete a client of this user and end all its tokens. Raises Problem `not_found`."""
    gone, _ = registered_by(owner).filter(client_id=client_id).delete()
    if not gone:
        raise Problem("not_found", what="app")
