"""The codes with which this game refuses a command or options."""

from typing import Final

REFUSALS: Final = frozenset(
    {
        "captain_locks_without_hourglass",
        "game_over",
        "no_such_level",
        "no_such_seat",
        "no_such_token",
        "no_such_zone",
        "not_a_number",
        "not_in_the_tiebreak",
        "not_the_captain",
        "not_the_presenter",
        "nothing_written",
        "presenter_is_banker",
        "stake_not_owned",
        "stakes_not_allowed",
        "team_left_out",
        "team_locked",
        "teams_do_not_fit_seats",
        "teams_not_balanced",
        "token_not_placed",
        "unknown_bank",
        "wrong_number_of_teams",
        "wrong_phase",
    }
)
