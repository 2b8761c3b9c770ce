"""Teams: their members, their captains, their gain tokens and their stakes."""

from collections import Counter

from railbird_engine import Purse, RuleViolation, Seat
from railbird_engine.rules.quitte_ou_double.data import ROUNDS, TEAMS_MAX, TEAMS_MIN
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.state import CHANGES_MAX, QuitteOuDoubleState


def team_purse(team: int) -> Purse:
    """The purse that holds a team's gain tokens."""
    return Purse(f"team:{team}")


def assign_teams(seats: int, options: QuitteOuDoubleOptions) -> list[int]:
    """Return the team of each seat.

    Rulebook, "Mise en place": three to six teams, as equal as possible. Raises RuleViolation when
    the host's teams or roles do not fit the seats.
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
    """Return the number of teams."""
    return max(state.teams) + 1


def members(state: QuitteOuDoubleState, team: int) -> tuple[Seat, ...]:
    """The seats of a team; the first is its captain."""
    return tuple(Seat(seat) for seat, own in enumerate(state.teams) if own == team)


def may_lock_for_team(state: QuitteOuDoubleState, seat: Seat) -> bool:
    """Whether a seat may lock for its team (ruling Q15)."""
    return not state.options.captain_locks or members(state, state.teams[seat])[0] == seat


def may_change(state: QuitteOuDoubleState, team: int) -> bool:
    """Whether a team may still change its answer, or its bets (ruling Q23)."""
    return state.changes.get(team, 0) < CHANGES_MAX


def active_teams(state: QuitteOuDoubleState) -> list[int]:
    """The teams that answer this question: all of them, or those in the tie-break."""
    return state.tiebreak or list(range(team_count(state)))


def scores(state: QuitteOuDoubleState) -> list[int]:
    """Gain tokens by team."""
    return [state.purses[team_purse(team)] for team in range(team_count(state))]


def stakes_allowed(state: QuitteOuDoubleState) -> bool:
    """Whether gain tokens may be staked in this round.

    Rulebook 6: in round seven. Variant "Quitte ou double permanent": in all rounds but the first.
    Nobody bets in a tie-break.
    """
    first = 2 if state.options.permanent_double else ROUNDS
    return first <= state.round <= ROUNDS


def free_stake(state: QuitteOuDoubleState, team: int, token: int) -> int:
    """Return the gain tokens that a team may put under one bet token, given the other one (Q12)."""
    if not stakes_allowed(state):
        return 0
    under_other = sum(other.stake for other in state.tokens.get(team, []) if other.number != token)
    return state.purses[team_purse(team)] - under_other
