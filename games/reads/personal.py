"""All data about a user, in lines that are read in constant memory."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast
from uuid import UUID

import msgspec
from django.db.models import Q
from django.utils import timezone

from accounts import personal
from accounts.models import User
from accounts.personal import Section
from games.models import (
    Ban,
    Bet,
    Lobby,
    LobbyRequest,
    Mute,
    OperatorAction,
    PersonLink,
    Presence,
    Reminder,
    RoomEvent,
    Seat,
)
from games.reads.histories import names_of, with_results
from kit.paging import batches
from notices.models import Delivery, Inbox, Notice, PushSubscription, Webhook

BATCH: Final = 1_000
FORMAT: Final = 1
GAME: Final = "part of the game, not of the person"
CHAIN: Final = "part of the log of all operators' actions"
FAIRNESS: Final = "a secret that protects the game; `get_seat_proof` shows the salt"
OF_HOST: Final = ("id", "host_id", "title", "slug", "visibility", "status", "created_at")
NOT_OF_HOST: Final = (
    *("options", "invite_code", "capacity", "buy_in", "prizes", "spectators", "absence"),
    *("absence_s", "start_when_full", "admits_bot_users", "keys", "bots_after_s", "bots_due_at"),
    *("held_for", "rematch", "seed_hash", "seed_box", "seed", "log_name", "terms", "starts_by"),
    *("stage", "rows_salt", "committed", "revealed", "pace", "vacations", "fills_by"),
    *("postings", "version", "changed_in"),
)

SECTIONS: Final = (
    *personal.SECTIONS,
    Section(
        name="lobby",
        model=Lobby,
        whose="host",
        columns=OF_HOST,
        left_out=dict.fromkeys(NOT_OF_HOST, GAME),
    ),
    Section(
        name="reserved_seat",
        model=Lobby,
        whose="held_for__contains",
        value=lambda user: [user],
        within=Q(held_until__isnull=False),
        columns=("id", "held_until"),
    ),
    Section(
        name="lobby_request",
        model=LobbyRequest,
        whose="user",
        columns=("user_id", "request", "lobby_id", "at"),
        left_out={"digest": "a hash of the request"},
    ),
    Section(
        name="seat",
        model=Seat,
        whose="user",
        columns=(
            *("id", "user_id", "lobby_id", "lobby__game__id", "number", "colour", "ready"),
            *("commits", "taken_at"),
        ),
        left_out={
            "bot_name": "empty in seats of users",
            **dict.fromkeys(
                ("commitment", "entropy", "key", "salt", "signature", "link"), FAIRNESS
            ),
        },
    ),
    Section(
        name="person_link",
        model=PersonLink,
        whose="user",
        columns=("user_id", "count", "game"),
        left_out=dict.fromkeys(
            ("opened", "salt", "hash"), "a proof of completeness, which `list_links` shows"
        ),
    ),
    Section(
        name="presence",
        model=Presence,
        whose="user_id",
        columns=(*("lobby_id", "user_id", "process", "connected", "disconnect_reason", "seen_at"),),
    ),
    Section(
        name="notice",
        model=Notice,
        whose="user",
        columns=("user_id", "number", "kind", "subject", "version", "at", "data"),
    ),
    Section(
        name="inbox",
        model=Inbox,
        whose="user",
        columns=("user_id", "last", "read", "off", "refused"),
    ),
    Section(
        name="webhook",
        model=Webhook,
        whose="user",
        columns=(
            *("id", "user_id", "app_id", "url", "host", "kinds", "created_at", "disabled"),
            *("failing_since", "earlier_until"),
        ),
        left_out={"secret": personal.SECRET, "earlier": personal.SECRET},
    ),
    Section(
        name="push_subscription",
        model=PushSubscription,
        whose="user",
        columns=("id", "user_id", "url", "host", "key", "created_at"),
        left_out={"p256dh": "a key of the browser", "auth": personal.SECRET},
    ),
    Section(
        name="delivery",
        model=Delivery,
        whose="user",
        columns=(
            *("id", "user_id", "number", "kind", "at", "due_at", "attempts", "state", "status"),
            "error",
        ),
        left_out=dict.fromkeys(
            ("webhook", "subscription", "host", "leased"), "about the receiver, not the user"
        ),
    ),
    Section(
        name="reminder",
        model=Reminder,
        whose="user",
        columns=("id", "user_id", "game_id", "kind", "alarm", "at"),
    ),
    Section(name="ban", model=Ban, whose="user", columns=("id", "user_id", "lobby_id")),
    Section(
        name="mute", model=Mute, whose="user", columns=("id", "user_id", "lobby_id", "by_operator")
    ),
    Section(
        name="lobby_event",
        model=RoomEvent,
        whose="user",
        columns=("lobby_id", "version", "at", "kind", "user_id", "message", "body"),
        left_out={"readers": "about others in the team, not the user"},
        order=("kind", "lobby_id", "version"),
    ),
    Section(
        name="bet",
        model=Bet,
        whose="user",
        columns=(
            *("game_id", "number", "version", "seat", "user_id", "spot", "stake", "odds", "at"),
        ),
        left_out={"drawn": "part of the game, shown by `list_bets` once it has ended"},
        order=("at", "game_id", "number"),
        shape=with_results,
    ),
    Section(
        name="operator_action",
        model=OperatorAction,
        whose="operator",
        columns=("id", "operator_id", "at", "action", "subject", "reason"),
        left_out={"number": CHAIN, "hash": CHAIN},
    ),
    Section(
        name="operator_action_about_user",
        model=OperatorAction,
        whose="subject__contains",
        value=str,
        columns=("id", "at", "action", "subject", "reason"),
        left_out={"number": CHAIN, "hash": CHAIN},
    ),
)

NOT_INCLUDED: Final[Mapping[str, str]] = {
    **personal.ELSEWHERE,
    "games.Commit": (
        "What a seat did in its games is part of their history: download their bundles, or read "
        "`list_commits`. A history names seats, never users."
    ),
    "logs": "The server's log files are not in the database: ask its operator.",
    "rate limits": "Counters in Valkey, under hashes of names and addresses, for 30 days at most.",
}
"""Data that the file does not contain, by table, and why."""


Line = tuple[str, dict[str, object]]
"""The type of a line, and its columns."""


def lines(user: User, *, names: bool = False) -> Iterator[Sequence[Line]]:
    """Yield all data about a user and their bot users, in parts. With `names`, other columns have
    the names of the people, lobbies and games in the columns that end with `_id`.

    The first line says what is not included, and the last one how many lines there are.
    """
    count = 2
    about = {"user": user.id, "made_at": timezone.now(), "not_included": NOT_INCLUDED}
    yield [("about", {"format": FORMAT, **about})]
    bots = User.objects.filter(owner=user).order_by("id").values_list("id", flat=True)
    for person in (user.id, *bots):
        for section in SECTIONS:
            for rows in batches(section.rows(person), BATCH):
                count += len(rows)
                plain = [_plain(row) for row in rows]
                yield [(section.name, each) for each in (_named(plain) if names else plain)]
    yield [("end", {"lines": count})]


def as_json(parts: Iterator[Sequence[Line]]) -> Iterator[bytes]:
    """Return the parts of a file of JSON Lines."""
    for part in parts:
        objects = [{"type": kind, **values} for kind, values in part]
        yield msgspec.json.Encoder().encode_lines(objects)


def _named(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    columns = [name for name in rows[0] if name.endswith("_id")]
    ids = {key for row in rows for name in columns if isinstance(key := row[name], UUID)}
    names = names_of(ids)
    return [
        {**row, **{f"{name[:-3]}_name": names.get(cast("UUID", row[name])) for name in columns}}
        for row in rows
    ]


def _plain(row: Any) -> dict[str, object]:
    """Return the columns of a row by name. The bytes of a lobby's event are JSON."""
    return {
        name: msgspec.Raw(value) if isinstance(value, bytes) else value
        for name, value in row._asdict().items()
    }
