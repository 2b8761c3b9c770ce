"""Headers that every answer carries: what a browser may do with it, and that tokens are not kept."""

from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

DATA: Final = "default-src 'none'; frame-ancestors 'none'"
"""For what is not a page."""

PAGE: Final = "; ".join(
    (
        "default-src 'none'",
        *("script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"),
        *("font-src 'self' data:", "connect-src 'self'", "worker-src 'self'", "form-action 'self'"),
        *("base-uri 'none'", "frame-ancestors 'none'"),
    )
)
"""For pages. Swagger and GraphiQL set styles inline, and GraphiQL has fonts in its styles; no page
has inline scripts."""

WITH_TOKENS: Final = ("/api/v1/auth/", "/oauth/", "/graphql/")
"""Where an answer may hold a token."""


class Headers(MiddlewareMixin):
    """Adds a Content-Security-Policy where a view has none of its own, and `no-store` where an
    answer may hold a token."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Set the headers that are missing."""
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        response.headers.setdefault("Content-Security-Policy", PAGE if is_page else DATA)
        if request.path.startswith(WITH_TOKENS):
            response.headers.setdefault("Cache-Control", "no-store")
        return response
