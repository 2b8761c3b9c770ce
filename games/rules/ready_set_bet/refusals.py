"""Every code with which the rules refuse a command or options of this game."""

from typing import Final

REFUSALS: Final = frozenset(
    {
        "already_chosen",
        "announcer_bets_before_the_race",
        "announcer_cannot_bet",
        "betting_closed",
        "card_not_face_up",
        "column_closed",
        "dice_not_ready",
        "game_over",
        "no_draft",
        "no_offer",
        "no_such_announcer",
        "no_such_bonus_token",
        "no_such_token",
        "no_tokens_left",
        "not_in_your_hand",
        "not_the_announcer",
        "not_your_offer",
        "one_token_per_exotic",
        "race_has_started",
        "race_not_running",
        "server_rolls",
        "spot_taken",
        "tokens_left",
        "unknown_spot",
    }
)
