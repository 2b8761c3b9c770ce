"""The room before a game: who sits down, who hosts, what it costs, and how it becomes a game. And after it: the payout.

Functions here are synchronous and run in one transaction under the lobby's row.
"""

from games.lobbies.money import BUY_IN_MAX, settle_ended, share
from games.lobbies.opening import create
from games.lobbies.options import check_options, fitting_seats
from games.lobbies.seats import ENTROPY_MAX, add_bot, join, join_by_code, leave, remove_seat, set_ready
from games.lobbies.starting import start

__all__ = [
    "BUY_IN_MAX",
    "ENTROPY_MAX",
    "add_bot",
    "check_options",
    "create",
    "fitting_seats",
    "join",
    "join_by_code",
    "leave",
    "remove_seat",
    "set_ready",
    "settle_ended",
    "share",
    "start",
]
