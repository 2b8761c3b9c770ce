"""How answers are written. Apart from the views: REST framework loads this while it loads them."""

from typing import Any

import msgspec
from rest_framework.renderers import BaseRenderer


class Renderer(BaseRenderer):
    """Answers, which are structs, as JSON."""

    media_type = "application/json"
    format = "json"
    charset = None
    _encode = staticmethod(msgspec.json.Encoder().encode)

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Nothing to say is an empty body."""
        return b"" if data is None else self._encode(data)
