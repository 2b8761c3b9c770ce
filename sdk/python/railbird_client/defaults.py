"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

DEFAULTS: Final[Mapping[str, Mapping[str, Sequence[tuple[Sequence[str], Any]]]]] = {
    "ascot": {"offer": [(["gives"], []), (["takes"], []), (["pays"], 0), (["asks"], 0)]},
    "carcassonne": {},
    "quitte_ou_double": {"place_token": [(["stake"], 0)]},
    "ready_set_bet": {"place_bet": [(["bonus"], None)]},
    "set_dice": {
        "call_set": [(["dice", "*", "wild_as"], None)],
        "place_dice": [(["dice", "*", "wild_as"], None)],
    },
}
"""The defaults of commands, by game and type, and the names that lead to each: `*` stands for each
item of a list."""
