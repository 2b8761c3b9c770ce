"""Lobbies: seats, hosts, buy-ins, chat, the start of a game and the payout after it.

These functions are synchronous. Each runs in one transaction that locks the lobby's row.
"""

from games.lobbies.attempts import forget_salts_of
from games.lobbies.chat import (
    TEXT_MAX,
    erase_messages_of,
    mute,
    mute_by_operator,
    send_message,
    unmute,
    unmute_by_operator,
)
from games.lobbies.choices import LobbyChoices, LobbyTitle, TableChoices
from games.lobbies.creation import create, quick_match, rematch
from games.lobbies.money import received_from, settle_ended
from games.lobbies.operating import close_by_operator, retitle_by_operator
from games.lobbies.options import teams_of
from games.lobbies.periodic import (
    advance_starts,
    close_unfilled,
    give_up_late,
    release_due_seats,
    replace_absent,
    seat_due_bots,
    time_out_absent,
    void_abandoned,
    void_endless,
)
from games.lobbies.retention import forget_old
from games.lobbies.seats import (
    Commitment,
    add_bot,
    ban,
    commit,
    hand_over,
    join,
    join_by_code,
    leave,
    leave_all,
    remove_seat,
    set_ready,
    swap_seats,
    take_colour,
    take_seat,
    unban,
)
from games.lobbies.starting import reveal, start

__all__ = [
    "TEXT_MAX",
    "Commitment",
    "LobbyChoices",
    "LobbyTitle",
    "TableChoices",
    "add_bot",
    "advance_starts",
    "ban",
    "close_by_operator",
    "close_unfilled",
    "commit",
    "create",
    "erase_messages_of",
    "forget_old",
    "forget_salts_of",
    "give_up_late",
    "hand_over",
    "join",
    "join_by_code",
    "leave",
    "leave_all",
    "mute",
    "mute_by_operator",
    "quick_match",
    "received_from",
    "release_due_seats",
    "rematch",
    "remove_seat",
    "replace_absent",
    "retitle_by_operator",
    "reveal",
    "seat_due_bots",
    "send_message",
    "set_ready",
    "settle_ended",
    "start",
    "swap_seats",
    "take_colour",
    "take_seat",
    "teams_of",
    "time_out_absent",
    "unban",
    "unmute",
    "unmute_by_operator",
    "void_abandoned",
    "void_endless",
]
