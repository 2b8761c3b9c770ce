"""Commands that players sign: the text is the command as the server writes it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from railbird_client.defaults import DEFAULTS
from railbird_client.http import written
from railbird_client.models import CommandSignature

TRIES_MAX: Final = 4
"""How often a command is signed again."""


class Signing:
    """The signatures of a command: the server may write it in another way, and may have gone on.

    `sign` signs a text after a commit, given by version and hash.
    """

    def __init__(
        self, slug: str, command: object, sign: Callable[[str, int, str], CommandSignature]
    ) -> None:
        self._defaults = DEFAULTS.get(slug, {})
        self._sign = sign
        self._left = TRIES_MAX
        self.text = written(command).decode()
        """The command as it is signed."""

    def after(self, version: int, hash_: str) -> CommandSignature:
        """Return a signature after a commit."""
        return self._sign(self.text, version, hash_)

    def goes_on(self, code: str, data: Mapping[str, Any]) -> bool:
        """Whether another signature may be accepted after this refusal."""
        if code != "signature_refused" or self._left == 0:
            return False
        self._left -= 1
        if data.get("reason") == "late":
            return True
        text = data.get("command")
        if data.get("reason") != "wrong" or not isinstance(text, str) or text == self.text:
            return False
        if not self._is_same(text):
            return False
        self.text = text
        return True

    def _is_same(self, text: str) -> bool:
        """Whether a text is this command, apart from the order of its members, with the defaults of
        the game for those that were left out."""
        try:
            said = msgspec.json.decode(text)
            if not isinstance(said, dict) or written(said).decode() != text:
                return False  # such as a member that is there twice
            own = msgspec.json.decode(self.text)
            for path, default in self._defaults.get(own["type"], ()):
                _fill(own, path, default)
            return _sorted(said) == _sorted(own)
        except (msgspec.MsgspecError, LookupError, TypeError, ValueError, RecursionError):
            return False


def _fill(value: Any, path: Sequence[str], default: object) -> None:
    """Set what a path leads to, unless it is set."""
    name, *more = path
    if name == "*":
        for item in value:
            _fill(item, more, default)
    elif not more and name not in value:
        value[name] = default
    elif more and name in value:
        _fill(value[name], more, default)


def _sorted(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")
