"""Addresses without their last slash: the API answers them as if it were there.

A redirect would lose the body of a POST, or turn it into a GET."""

from typing import Final

from django.http import HttpRequest
from django.urls import is_valid_path
from django.utils.deprecation import MiddlewareMixin

SERVED: Final = ("/api/", "/graphql", "/oauth/")


class Slashes(MiddlewareMixin):
    """Adds the slash where the address has a view with it and none without."""

    def process_request(self, request: HttpRequest) -> None:
        """Change the path before anything looks at it."""
        path = request.path_info
        if path.endswith("/") or not path.startswith(SERVED) or is_valid_path(path):
            return
        if is_valid_path(f"{path}/"):
            request.path_info += "/"
            request.path += "/"
