"""Boards with bets on them that several tests start from; B1, B2 and B8 are vectors of
test_bets."""

from games.rules.carcassonne.messages import SkipMeeple
from games.rules.carcassonne.state import CarcassonneOptions
from tests.rules.carcassonne.table import A, B, Table


def board_b1(knight: str | None = "C1") -> Table:
    """You are A (b36), green is B (b4), blue is C (b45)."""
    table = Table(3)
    table.lay("BK3@0,-1r2", knight, A)
    table.bet(a="b36", b="b4", c="b45")
    table.lay("F@1,-1r0")
    return table


def board_b2() -> Table:
    table = Table(2)
    table.lay("U@1,0r0")
    table.lay("E@1,-1r3")
    return table


def board_b8() -> Table:
    table = Table(3)
    table.lay("BK5@1,0r2")
    table.bet(a="b28", b="b36", c="b4")
    table.lay("U@-1,0r0")
    table.put("F@2,0r0", A)
    table.empty_stack()
    table.play(A, SkipMeeple())
    return table


def two_choices(seats: int = 2, options: CarcassonneOptions | None = None) -> Table:
    """The tile L at 1, 1 will complete a city of 2 and a road of 6 at the office of 1, 0, and two
    roads of 3 at 2, 2."""
    table = Table(seats, options)
    table.lay("BK2@1,0r2")
    table.bet(a="b28", b="b56")
    for placement in ("V@-1,0r3", "V@-1,1r2", "U@0,1r0", "B@0,2r0", "V@1,2r2"):
        table.lay(placement)
    table.lay("BK4@2,2r1")
    table.bet(a="b37", b="b36")
    table.lay("V@2,1r0")
    table.put("L@1,1r0", B)
    table.play(B, SkipMeeple())
    return table
