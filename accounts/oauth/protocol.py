"""Settings of django-oauth-toolkit: token texts, scopes, and stricter validation."""

import re
import secrets
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac
from oauth2_provider.models import Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.scopes import BaseScopes
from oauthlib.common import Request
from oauthlib.oauth2.rfc6749 import errors

from accounts import tokens
from accounts.models import User
from kit import base64url

REFRESH_PREFIX: Final = "gsr_"
CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""A SHA-256 hash in base64url."""


def access_text(request: Request) -> str:
    """Create the text of a new access token."""
    return tokens.APP_PREFIX + _new_text("access", request)


def refresh_text(request: Request) -> str:
    """Create the text of a new refresh token."""
    return REFRESH_PREFIX + _new_text("refresh", request)


def _new_text(kind: str, request: Request) -> str:
    """Return 32 bytes as text: random, or for a refresh derived from the spent refresh token.

    A client that sends one refresh twice thus gets the same pair twice, although the server stores
    only hashes. Deriving needs both the spent token and the server's key.
    """
    if request.grant_type != "refresh_token":
        return secrets.token_urlsafe(32)
    derived = salted_hmac(f"accounts.oauth.{kind}", request.refresh_token, algorithm="sha256")
    return base64url.encode(derived.digest())


def family_of(code: str) -> UUID:
    """Return the id that all tokens of one code share, so that reuse of the code revokes them."""
    return UUID(tokens.digest_of(code)[:32], version=4)


class Scopes(BaseScopes):  # type: ignore[misc]  # the toolkit has no types
    """The scopes that an app can request. The default is `read`."""

    def get_all_scopes(self) -> dict[str, str]:
        """Return all scopes. The words of the consent page describe them."""
        return {scope.value: scope.value for scope in tokens.GRANTABLE}

    def get_available_scopes(self, *_: Any, **__: Any) -> list[str]:
        """Return the scopes that an app may request. Each user grants only scopes they have."""
        return list(self.get_all_scopes())

    def get_default_scopes(self, *_: Any, **__: Any) -> list[str]:
        """Return the scopes of a request that names none."""
        return [tokens.Scope.READ.value]


class Validator(OAuth2Validator):  # type: ignore[misc]  # the toolkit has no types
    """The toolkit's validator with stricter rules."""

    def is_pkce_required(self, client_id: str, request: Request) -> bool:
        """Require PKCE with S256. The toolkit's default, `plain`, protects nothing.

        Raises UnsupportedCodeChallengeMethodError, InvalidRequestError.
        """
        if request.code_challenge is not None:
            if request.code_challenge_method != "S256":
                raise errors.UnsupportedCodeChallengeMethodError(request=request)
            if not CHALLENGE.fullmatch(request.code_challenge):
                raise errors.InvalidRequestError(
                    description="Malformed code_challenge.", request=request
                )
        return True

    def validate_response_type(
        self,
        client_id: str,
        response_type: str,
        client: Any,
        request: Request,
        *args: Any,
        **kwargs: Any,
    ) -> bool:
        """Answer in the query alone: browsers carry a code in the fragment along when the app's
        page redirects. Raises InvalidRequestError."""
        if request.response_mode not in (None, "query"):
            raise errors.InvalidRequestError(
                description="response_mode must be query.", request=request
            )
        valid: bool = super().validate_response_type(
            client_id, response_type, client, request, *args, **kwargs
        )
        return valid

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Whether the code is valid and its user active.

        Revokes the tokens of a code that was used before (RFC 6749, 4.1.2).
        """
        if super().validate_code(client_id, code, client, request, *args, **kwargs):
            # Every end of consents locks the user first, and then deletes the code.
            user = User.lock(id=request.user.id, is_active=True)
            if user is not None and Grant.objects.filter(code=code):
                return True
        RefreshToken.revoke_family(family_of(code))
        return False

    @transaction.atomic
    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """Store a code, unless the session of the browser has ended meanwhile.

        Raises AccessDeniedError.
        """
        user = User.lock(id=request.user.id)
        if user is None or user.get_session_auth_hash() != request.user.get_session_auth_hash():
            raise errors.AccessDeniedError(request=request)
        super().save_authorization_code(client_id, code, request, *args, **kwargs)

    def _save_bearer_token(
        self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any
    ) -> Any:
        made = dict(token)
        saved = super()._save_bearer_token(token, request, *args, **kwargs)
        if request.grant_type == "refresh_token":
            # Within the grace period the toolkit returns what it stored, which are hashes.
            token.update(made)
        if request.grant_type == "authorization_code":
            new = RefreshToken.objects.filter(
                token_checksum=tokens.digest_of(token["refresh_token"])
            )
            new.update(token_family=family_of(request.code))
        return saved

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Whether the refresh token is valid and its user active."""
        return bool(
            super().validate_refresh_token(refresh_token, client, request, *args, **kwargs)
            and request.user.is_active
        )

    def confirm_redirect_uri(
        self,
        client_id: str,
        code: str,
        redirect_uri: str,
        client: Any,
        request: Request,
        *args: Any,
        **kwargs: Any,
    ) -> bool:
        """Whether the code was issued for this redirect URI, which the request must contain."""
        return not request.using_default_redirect_uri and bool(
            super().confirm_redirect_uri(client_id, code, redirect_uri, client, *args, **kwargs)
        )

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Whether the client registered this redirect URI."""
        try:
            return bool(
                super().validate_redirect_uri(client_id, redirect_uri, request, *args, **kwargs)
            )
        except ValueError:  # an invalid port
            return False
