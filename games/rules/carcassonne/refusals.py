"""Every code with which the rules refuse a command or options of this game."""

from typing import Final

REFUSALS: Final = frozenset(
    {
        "bet_already_decided",
        "cell_not_adjacent",
        "cell_taken",
        "chip_not_in_supply",
        "feature_not_eligible",
        "feature_occupied",
        "no_chips_to_decide",
        "not_in_this_game",
        "not_now",
        "not_your_turn",
        "played_without_fields",
        "sides_do_not_match",
        "unknown_chip",
        "unknown_rotation",
        "unknown_segment",
    }
)
