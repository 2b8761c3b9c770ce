"""Settings of OAuth 2.0 for apps: only the code grant with PKCE, as RFC 9700 recommends."""

from typing import Any, Final

from gameserver.settings import environment

OAUTH2_PROVIDER: Final[dict[str, Any]] = {
    # Two grants, limited scopes, PKCE with S256.
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "accounts.oauth.protocol.Validator",
    "SCOPES_BACKEND_CLASS": "accounts.oauth.protocol.Scopes",
    "ACCESS_TOKEN_GENERATOR": "accounts.oauth.protocol.access_text",
    "REFRESH_TOKEN_GENERATOR": "accounts.oauth.protocol.refresh_text",
    "PKCE_REQUIRED": True,
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    # From the expiry of the access token issued with it.
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 86_400,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    # A client that loses a response, or refreshes in two threads, can repeat a refresh for this
    # many seconds and gets the same tokens. A deliberate deviation from RFC 9700, 4.14.2.
    "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 10,
    **{
        f"COMPLIANT_BCP_RFC9700_{rule}": True
        for rule in (
            "IMPLICIT_GRANT",
            "PASSWORD_GRANT",
            "PKCE_METHOD",
            "ACCESS_TOKEN_TRANSPORT",
            "AUTHZ_RESPONSE_ISS",
            "TOKEN_STORAGE",
            "REFRESH_TOKEN",
            "REDIRECT_URI_MATCHING",
            "PKCE_REQUIRED",
        )
    },
    # Metadata.
    "OIDC_ISS_ENDPOINT": environment.public_url(),
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none"],
}
