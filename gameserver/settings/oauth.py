"""The settings of OAuth 2.0 for the programs of others: the code grant with PKCE and nothing else,
as RFC 9700 wants it."""

from typing import Any, Final

from gameserver.settings import environment

OAUTH2_PROVIDER: Final[dict[str, Any]] = {
    # What decides: two grants, the scopes that can be lent, PKCE by S256.
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "OAUTH2_VALIDATOR_CLASS": "accounts.oauth.protocol.Validator",
    "SCOPES_BACKEND_CLASS": "accounts.oauth.protocol.Scopes",
    "ACCESS_TOKEN_GENERATOR": "accounts.oauth.protocol.access_text",
    "REFRESH_TOKEN_GENERATOR": "accounts.oauth.protocol.refresh_text",
    "PKCE_REQUIRED": True,
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 30
    * 86_400,  # counted from the end of the access token that came with it
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    # A client that loses the answer, or refreshes in two threads, may repeat a refresh for so many
    # seconds and gets the same tokens. Our choice beside RFC 9700, 4.14.2.
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
    # What the metadata tell.
    "OIDC_ISS_ENDPOINT": environment.public_url(),
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none"],
}
