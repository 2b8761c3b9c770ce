"""The content of the wheel.

The sources stand in the server's tree, because both packages share the folder `games`. This package
owns the paths below, and no other package contains them.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OWNED = ("__init__.py", "audit", "engine", "rules")


class Content(BuildHookInterface):
    """Add the owned paths to a wheel; an editable install finds them in the tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            games = Path(self.root).parent.parent / "games"
            build_data["force_include"] = {str(games / path): f"games/{path}" for path in OWNED}
