"""The race: moves, leads and ranks. No bets, no money."""

from collections.abc import Sequence

import msgspec

from railbird_engine.rules.ready_set_bet.data import BONUS, FINISH, HORSES, LANES, RED_LINE


class Course(msgspec.Struct, array_like=True):
    """The track during one race. `lane` moved last, the `run`-th time in a row; `crossed` horses
    are over the red line."""

    positions: list[int]
    lane: int | None = None
    run: int = 0
    rolls: int = 0
    crossed: int = 0


def starting_course() -> Course:
    """All horses on their starting spaces."""
    return Course([0] * len(LANES))


def move(course: Course, lane: int) -> int:
    """Move a lane's horse for one roll and return its bonus.

    Rulebook, "Bonus de déplacement" and ruling 4.4: the bonus comes with every second roll of a run
    of the same lane. Ruling 4.2: a horse never passes the finish. Crossing the red line by a jump
    counts."""
    course.rolls += 1
    if lane == course.lane:
        course.run += 1
    else:
        course.lane = lane
        course.run = 1
    bonus = 0 if course.run % 2 else BONUS[lane]
    before = course.positions[lane]
    after = before + 1 + bonus
    # Simulations roll some hundred million times, and min() would cost a fifth.
    if after > FINISH:  # noqa: PLR1730
        after = FINISH
    course.positions[lane] = after
    if before < RED_LINE <= after:
        course.crossed += 1
    return bonus


def takes_lead(positions: Sequence[int], lane: int, before: int) -> bool:
    """Whether the horse that moved from `before` has just taken the sole lead."""
    after = positions[lane]
    if after < max(positions):
        return False
    return before <= max([*positions[:lane], *positions[lane + 1 :]]) < after


def rank(positions: Sequence[int], lane: int) -> int:
    """Return the rank of a horse: 1 plus the number of horses strictly ahead (1, 2, 2, 4)."""
    mine = positions[lane]
    return 1 + sum(position > mine for position in positions)


class Podium(msgspec.Struct, frozen=True):
    """The horses that won, placed and showed. The winner also places, and a horse that places also
    shows."""

    win: tuple[str, ...]
    place: tuple[str, ...]
    show: tuple[str, ...]


def podium(positions: Sequence[int]) -> Podium:
    """The horses that rank first, second or better, third or better.

    Rulebook, "Paris Gagnant, Couplé et Trio": horses that tie for second hold second and third
    place, so nobody behind them shows; all horses that tie for third show. Ruling 4.8: three and
    more that tie for second do the same. All of it follows from the ranking 1, 2, 2, 4: a horse
    ranks k or better when it is no farther back than the k-th best position."""
    first, second, third = sorted(positions, reverse=True)[:3]
    return Podium(
        _not_behind(first, positions), _not_behind(second, positions), _not_behind(third, positions)
    )


def _not_behind(mark: int, positions: Sequence[int]) -> tuple[str, ...]:
    return tuple([HORSES[lane].horse for lane in LANES if positions[lane] >= mark])
