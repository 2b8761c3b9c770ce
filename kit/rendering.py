"""Response rendering. Separate from the views, because REST framework imports it while it loads."""

from typing import Any

import msgspec
from rest_framework.renderers import BaseRenderer


class Renderer(BaseRenderer):
    """Render msgspec structs as JSON."""

    media_type = "application/json"
    format = "json"
    charset = None
    _encode = staticmethod(msgspec.json.Encoder().encode)

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Encode the data; None gives an empty body."""
        return b"" if data is None else self._encode(data)
