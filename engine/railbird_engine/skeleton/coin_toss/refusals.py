"""The codes with which this game refuses commands."""

REFUSALS = frozenset({"already_chosen", "game_over"})
