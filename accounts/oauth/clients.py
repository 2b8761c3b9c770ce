"""The programs of others: registered by a person, and from then on known by a `client_id`. They
have no secret to keep."""

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
"""HTTPS; or one's own machine, where no network listens. No fragment, no user, no wildcard."""

PUBLIC: Final = {
    "client_type": Application.CLIENT_PUBLIC,
    "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
    "client_secret": "",
    "hash_client_secret": False,
}
"""What all of them are: a program on somebody's machine keeps no secret, and PKCE needs none."""


def checked_redirect_uri(uri: str) -> str:
    """The address, if programs may be answered there. Raises ValueError."""
    if len(uri) > REDIRECT_URI_MAX or not re.fullmatch(REDIRECT_URI, uri):
        raise ValueError(f"not an address for answers: {uri[:REDIRECT_URI_MAX]}")
    _ = urlsplit(uri).port  # raises for one that is none
    return uri


def register(owner: User, name: str, redirect_uris: list[str]) -> Application:
    """A program that may ask people to act for them. Raises Problem `guests_register_no_apps`,
    `too_many_apps`."""
    if owner.is_guest:
        raise Problem("guests_register_no_apps")
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(id=owner.id)
        if registered_by(owner).count() >= APPS_MAX:
            raise Problem("too_many_apps", most=APPS_MAX)
        return Application.objects.create(
            user=owner, name=name, redirect_uris=" ".join(redirect_uris), **PUBLIC
        )


def takes_answers_at(client_id: str, redirect_uri: str) -> bool:
    """Whether there is such a program, which registered this address."""
    app = None if "\x00" in client_id else Application.objects.filter(client_id=client_id).first()
    try:
        return app is not None and bool(app.redirect_uri_allowed(redirect_uri))
    except ValueError:  # a port that is none
        return False


def registered_by(owner: User) -> QuerySet[Application]:
    """The programs that a person registered, newest first."""
    apps: QuerySet[Application] = Application.objects.filter(user=owner).order_by("-created", "-id")
    return apps


def remove(owner: User, client_id: str) -> None:
    """Forget a program of this person; every token that anybody lent it ends. Raises Problem
    `not_found`."""
    gone, _ = registered_by(owner).filter(client_id=client_id).delete()
    if not gone:
        raise Problem("not_found", what="app")
