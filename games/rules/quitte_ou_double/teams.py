"""Who plays with whom, who presents, and what a team owns."""

from collections import Counter

from games.engine import Purse, RuleViolation, Seat
from games.rules.quitte_ou_double.data import TEAMS_MAX, TEAMS_MIN
from games.rules.quitte_ou_double.table import QuitteOuDoubleOptions, QuitteOuDoubleState


def team_purse(team: int) -> Purse:
    """The gain tokens of a team."""
    return Purse(f"team:{team}")


def assign_teams(seats: int, options: QuitteOuDoubleOptions) -> list[int]:
    """The team of each seat. Rulebook, "Mise en place": three to six teams, as balanced as
    possible.

    Raises RuleViolation when the host's teams or roles do not fit the seats.
    """
    teams = list(options.teams) or _balanced(seats, options.team_count)
    if len(teams) != seats:
        raise RuleViolation("teams_do_not_fit_seats", teams=teams, seats=seats)
    sizes = Counter(teams)
    if not TEAMS_MIN <= len(sizes) <= TEAMS_MAX or options.team_count not in (None, len(sizes)):
        raise RuleViolation(
            "wrong_number_of_teams",
            teams=len(sizes),
            wanted=options.team_count,
            least=TEAMS_MIN,
            most=TEAMS_MAX,
        )
    if sorted(sizes) != list(range(len(sizes))):
        raise RuleViolation("team_left_out", teams=sorted(sizes))
    if max(sizes.values()) - min(sizes.values()) > 1:
        raise RuleViolation("teams_not_balanced", sizes=[sizes[team] for team in sorted(sizes)])
    for role, seat in (("presenter", options.presenter), ("banker", options.banker)):
        if seat >= seats:
            raise RuleViolation("no_such_seat", role=role, seat=seat, seats=seats)
    if options.presenter == options.banker:
        raise RuleViolation("presenter_is_banker", seat=options.banker)
    return teams


def _balanced(seats: int, team_count: int | None) -> list[int]:
    count = team_count or min(seats, TEAMS_MAX)
    return [seat % count for seat in range(seats)]


def team_count(state: QuitteOuDoubleState) -> int:
    """How many teams play."""
    return max(state.teams) + 1


def members(state: QuitteOuDoubleState, team: int) -> tuple[Seat, ...]:
    """The seats of a team; the first is its captain."""
    return tuple(Seat(seat) for seat, own in enumerate(state.teams) if own == team)


def active_teams(state: QuitteOuDoubleState) -> list[int]:
    """Who answers this question: all teams, or those of the tie-break."""
    return state.tiebreak or list(range(team_count(state)))


def scores(state: QuitteOuDoubleState) -> list[int]:
    """Gain tokens by team."""
    return [state.purses[team_purse(team)] for team in range(team_count(state))]
