"""The codes with which SET Dice refuses a command."""

from typing import Final

REFUSALS: Final = frozenset(
    {
        "already_decided",
        "already_declared",
        "die_is_not_wild",
        "die_makes_no_set",
        "die_named_twice",
        "die_not_in_hand",
        "game_over",
        "no_dice_named",
        "no_set_with_the_board",
        "not_a_set",
        "not_a_wild",
        "not_your_turn",
        "set_needs_three_dice",
        "square_empty",
        "square_named_twice",
        "square_off_board",
        "square_taken",
        "too_many_dice",
        "wild_already_replaced",
        "wild_needs_a_face",
        "wrong_features",
        "wrong_phase",
    }
)
