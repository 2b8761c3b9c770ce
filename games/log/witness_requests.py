"""Requests to witnesses, with a limit of time and size."""

from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TIMEOUT_S: Final = 5.0
ANSWER_MAX: Final = 65_536


class NotCosignedError(Exception):
    """A witness gave no valid answer; the message is one line."""


def ask(address: str, body: bytes | None = None) -> tuple[int, str, str]:
    """Return status, content type and text of an answer; a request with a body is a POST.

    Raises NotCosignedError.
    """
    request = Request(address, data=body)  # noqa: S310 -- http, by the settings
    try:
        try:
            with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 -- likewise
                return answer.status, answer.headers.get_content_type(), _text(answer)
        except HTTPError as error:
            with error:
                return error.code, error.headers.get_content_type(), _text(error)
    except (OSError, HTTPException, ValueError) as error:
        raise NotCosignedError(f"no answer: {error}") from error


def _text(answer: Any) -> str:
    content: bytes = answer.read(ANSWER_MAX)
    return content.decode(errors="replace")
