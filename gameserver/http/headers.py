"""Headers of every response: the Content-Security-Policy, and `no-store` for what is personal."""

from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

DATA: Final = "default-src 'none'; frame-ancestors 'none'"
"""The policy of responses that are not pages."""

PAGE: Final = "; ".join(
    (
        "default-src 'none'",
        *("script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"),
        *("font-src 'self' data:", "connect-src 'self'", "worker-src 'self'", "form-action 'self'"),
        *("base-uri 'none'", "frame-ancestors 'none'"),
    )
)
"""The policy of pages. Swagger and GraphiQL use inline styles, GraphiQL also fonts in its styles.

No page has inline scripts.
"""

NOT_STORED: Final = "private, no-store"
WITH_TOKENS: Final = ("/api/v1/auth/", "/oauth/", "/graphql/")
"""Paths whose responses may contain a token."""


class Headers(MiddlewareMixin):
    """Add a Content-Security-Policy unless the view set one, and `no-store` to responses that
    contain a token or that a token opened. Documents for everybody have an ETag."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Set the headers that are missing."""
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        response.headers.setdefault("Content-Security-Policy", PAGE if is_page else DATA)
        is_personal = "Authorization" in request.headers and "ETag" not in response.headers
        if is_personal or request.path_info.startswith(WITH_TOKENS):
            response.headers.setdefault("Cache-Control", NOT_STORED)
        return response
