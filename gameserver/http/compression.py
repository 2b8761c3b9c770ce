"""Compression of answers that contain no secret."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class PublicAnswers(GZipMiddleware):
    """Compresses answers to requests without a token or a cookie.

    Where a secret and a text of somebody else are in one answer, its compressed length reveals how
    much of the secret the text repeats (BREACH).
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress the answer if that reveals nothing."""
        is_public = not (
            "Authorization" in request.headers or "Cookie" in request.headers or response.cookies
        )
        if request.method != "GET" or not is_public:
            return response
        return super().process_response(request, response)
