"""Sign-in with an OpenID Connect provider: the way there, the way back, and a token for the
server's own pages.

The code flow with PKCE, state and nonce, of which Authlib keeps track in the session.
"""

import re
import time
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import structlog
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.views import RedirectURLMixin
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.views import View
from joserfc.errors import JoseError
from requests import RequestException

from accounts import identities, tokens
from accounts.models import User
from accounts.oauth.pages import SIGNED_IN_S, Page
from accounts.oauth.words import words_for
from kit import rate_limits
from kit.problems import Problem

log = structlog.get_logger(__name__)

TIMEOUT_S: Final = 5
NEXT: Final = "openid_next"
"""The addresses to which the sign-ins that a browser has begun lead, by state."""
BEGUN_MAX: Final = 5
HAS_RETURNED: Final = "openid_has_returned"
"""When the browser returned, in seconds since 1970."""
SUBJECT: Final = r"[\x20-\x7e]{1,255}"
"""A subject, by OpenID Connect Core, section 2."""
BACKEND: Final = "django.contrib.auth.backends.ModelBackend"
UNUSABLE: Final = (
    *(AuthlibBaseError, JoseError, RequestException),
    *(ValueError, KeyError, TypeError, RuntimeError),
)
"""Exceptions for an answer of the provider that is refused, late, or of another form."""


class OpenID(Page):
    """Base of these addresses. They exist if a provider is configured."""

    throttle_scope = "oauth"
    throttled_methods = frozenset({"GET"})

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.OIDC_ISSUER:
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    def failed(
        self, request: HttpRequest, error: Exception, status: int, *, target: str
    ) -> HttpResponse:
        """Render the page that says that the sign-in failed."""
        log.warning("openid_failed", error=f"{type(error).__name__}: {error}"[:300])
        sentence = words_for(request)["with_failed"].format(provider=settings.OIDC_NAME)
        context = {"sentence": sentence, "next": target}
        return render(request, "oauth/openid_failed.html", context, status=status)


class ToProvider(OpenID, RedirectURLMixin, View):
    """Send the browser to the provider."""

    next_page = settings.LOGIN_REDIRECT_URL

    def get(self, request: HttpRequest) -> HttpResponseBase:
        target, back = (
            self.get_success_url(),
            request.build_absolute_uri(reverse("oauth2_provider:openid-return")),
        )
        try:
            answer: HttpResponseRedirect = provider().authorize_redirect(request, back)
        except UNUSABLE as error:
            return self.failed(request, error, 502, target=target)
        (state,) = parse_qs(urlsplit(answer.url).query)["state"]
        begun = [*request.session.get(NEXT, {}).items(), (state, target)]
        request.session[NEXT] = dict(begun[-BEGUN_MAX:])
        return answer


class FromProvider(OpenID, View):
    """Receive the browser back, exchange the code, check the ID token, and sign in."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        begun = request.session.get(NEXT, {})
        target = begun.pop(request.GET.get("state"), "")
        try:
            claims = _claims(request)
            subject, name = claims["sub"], claims.get("preferred_username") or claims.get("name")
            if not isinstance(subject, str) or not re.fullmatch(SUBJECT, subject):
                raise ValueError("no subject")
            name, address = name if isinstance(name, str) else "", rate_limits.address_of(request)
            user = identities.sign_in(settings.OIDC_ISSUER, subject, name, address=address)
        except Problem as problem:
            return self.failed(request, problem, 403, target=target)
        except UNUSABLE as error:
            return self.failed(request, error, 400, target=target)
        login(request, user, backend=BACKEND)
        request.session.set_expiry(SIGNED_IN_S)
        request.session[HAS_RETURNED], request.session[NEXT] = time.time(), begun
        is_address = target.startswith(("/", "https://", "http://"))
        return HttpResponseRedirect(
            target if is_address else resolve_url(settings.LOGIN_REDIRECT_URL)
        )


class Exchange(OpenID, View):
    """Exchange the session of a user who has just returned for a session token of the API.

    The server's own pages do this. The session ends, so it works once for each sign-in.
    """

    throttled_methods = frozenset({"POST"})

    def post(self, request: HttpRequest) -> HttpResponse:
        user, returned_at = request.user, request.session.get(HAS_RETURNED, 0)
        is_recent = time.time() - returned_at < tokens.NEW.total_seconds()
        if not (is_recent and isinstance(user, User)):
            return JsonResponse({"error": "access_denied"}, status=403)
        logout(request)
        return JsonResponse({"token": tokens.begin_session(user).text}, status=201)


def _claims(request: HttpRequest) -> dict[str, Any]:
    """Return the verified claims of the ID token. Raises what `UNUSABLE` lists."""
    if request.GET.get("iss", settings.OIDC_ISSUER) != settings.OIDC_ISSUER:
        raise ValueError("another issuer answered")
    expected = {
        "iss": {"essential": True, "value": settings.OIDC_ISSUER},
        "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
        "sub": {"essential": True},
        "exp": {"essential": True},
    }
    token = provider().authorize_access_token(request, claims_options=expected)
    claims: dict[str, Any] = token["userinfo"]
    return claims


def provider() -> Any:
    """Return the client of the configured provider. Raises what `UNUSABLE` lists."""
    found = _provider(settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)
    if found.load_server_metadata().get("issuer") != settings.OIDC_ISSUER:
        raise ValueError("the provider has another issuer than OIDC_ISSUER")
    return found


@lru_cache(maxsize=1)
def _provider(issuer: str, client_id: str, secret: str) -> Any:
    return OAuth().register(
        "openid",
        client_id=client_id,
        client_secret=secret or None,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid profile",
            "code_challenge_method": "S256",
            "token_endpoint_auth_method": "client_secret_basic" if secret else "none",
            "default_timeout": TIMEOUT_S,
        },
    )
