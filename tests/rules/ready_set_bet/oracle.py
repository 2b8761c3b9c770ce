"""A second, slower implementation of the rulebook, which shares no code with the rules.

It computes a race from its totals, and the spots that win. Spots have their printed names; props
and exotic finishes are implemented from their printed sentences.
"""

from itertools import groupby

COLOURS = {
    "blue": ("2/3", "4", "10", "11/12"),
    "orange": ("5", "9"),
    "pink": ("6", "8"),
    "black": ("7",),
}
EXTRA = {"blue": 3, "orange": 2, "pink": 1, "black": 0}
NAMES = ("2/3", "4", "5", "6", "7", "8", "9", "10", "11/12")


def horse_of(total: int) -> str:
    return next(name for name in NAMES if str(total) in name.split("/"))


def colour_of(horse: str) -> str:
    return next(colour for colour, horses in COLOURS.items() if horse in horses)


def run(totals: list[int]) -> tuple[dict[str, int], int | None, int]:
    """Return the final positions, the roll that closes the bets (None: the finish), and the rolls
    used.

    A run of one horse is divided into pairs; the second roll of each pair earns the bonus.
    """
    stand = dict.fromkeys(NAMES, 0)
    closed_at, roll = None, 0
    for horse, group in groupby(totals, key=horse_of):
        for nth, _ in enumerate(group, start=1):
            roll += 1
            stand[horse] += 1 + (EXTRA[colour_of(horse)] if nth % 2 == 0 else 0)
            if stand[horse] >= 15:
                stand[horse] = 15
                return stand, closed_at, roll
            if closed_at is None and sum(space > 9 for space in stand.values()) >= 3:
                closed_at = roll
    raise AssertionError("nobody has finished")


def places(stand: dict[str, int]) -> dict[str, set[str]]:
    """Return the horses that win, place and show, as the rulebook describes it."""
    order = [
        set(group)
        for _, group in groupby(
            sorted(NAMES, key=lambda name: -stand[name]), key=lambda name: stand[name]
        )
    ]
    first, second, third = order[0], order[1], order[2]
    shows = first | second if len(second) > 1 else first | second | third
    return {"win": first, "place": first | second, "show": shows}


def wins(spot: str, stand: dict[str, int], props: dict[str, tuple[str, list[str]]]) -> bool:
    """Whether a token on this spot wins. `props` gives the order of horses by card."""
    kind, what, *_ = spot.split(":")
    (winner,) = places(stand)["win"]
    spaces = sorted(stand.values(), reverse=True)
    if kind in {"win", "place", "show"}:
        return what in places(stand)[kind]
    if spot == "colour:black":
        return len([name for name in NAMES if stand[name] > stand["7"]]) >= 4
    if kind == "colour":
        return winner in COLOURS[what]
    if kind == "prop":
        front, behind = props[what]
        return not [name for name in behind if stand[name] >= stand[front]]
    return {
        "E1": spaces[1] == 14,
        "E2": 15 - spaces[1] > 5,
        "E3": spaces[-1] >= 6,
        "E4": len([space for space in spaces if space <= 3]) >= 2,
        "E5": 15 - spaces[2] <= 3,
    }[what]
