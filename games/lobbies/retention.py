"""Retention: what is no history is deleted after a while, kind by kind.

Nothing here touches games, commits, bets, transfers, lobbies, seats or the log: they are kept
forever. Each statement changes a bounded number of rows.
"""

from typing import Final, NamedTuple

import structlog
from django.conf import settings

from games.lobbies.chat import ERASED
from games.reads.lobbies import IS_OVER
from kit import row_batches
from kit.partitions import first_id_before

log = structlog.get_logger(__name__)


class Kind(NamedTuple):
    """A kind of data: the setting that says for how many days it is kept, and its statement."""

    name: str
    setting: str
    statement: str


KINDS: Final = (
    # The row stays, so that versions of a lobby have no gaps while anybody follows it.
    Kind(
        "messages",
        "CHAT_KEPT_DAYS",
        """
UPDATE games_roomevent
SET kind = 'message_erased', user_id = NULL, message = NULL, readers = NULL,
    body = %(erased)s
WHERE (lobby_id, version) IN (
    SELECT lobby_id, version FROM games_roomevent
    WHERE message IS NOT NULL AND at < now() - %(days)s * interval '1 day'
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
""",
    ),
    Kind(
        "presence",
        "PRESENCE_KEPT_DAYS",
        """
DELETE FROM games_presence WHERE (lobby_id, user_id, process) IN (
    SELECT lobby_id, user_id, process FROM games_presence
    WHERE seen_at < now() - %(days)s * interval '1 day'
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
""",
    ),
    # No client retries a request after that.
    Kind(
        "requests",
        "REQUESTS_KEPT_DAYS",
        """
DELETE FROM games_lobbyrequest WHERE (user_id, request) IN (
    SELECT user_id, request FROM games_lobbyrequest
    WHERE at < now() - %(days)s * interval '1 day'
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
""",
    ),
    Kind(
        "keyed_requests",
        "REQUESTS_KEPT_DAYS",
        """
DELETE FROM accounts_keyedrequest WHERE id IN (
    SELECT id FROM accounts_keyedrequest WHERE at < now() - %(days)s * interval '1 day'
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
""",
    ),
    # Nobody can chat or sit down in a closed lobby. In others, bans and mutes stay in force.
    *(
        Kind(
            table,
            "LOBBY_EVENTS_KEPT_DAYS",
            f"""
DELETE FROM games_{table} WHERE id IN (
    SELECT b.id FROM games_{table} b JOIN games_lobby l ON l.id = b.lobby_id
    WHERE b.lobby_id < %(opened)s AND l.status = 'closed' AND NOT EXISTS (
        SELECT 1 FROM games_roomevent late
        WHERE late.lobby_id = l.id AND late.at >= now() - %(days)s * interval '1 day'
    )
    LIMIT %(most)s FOR UPDATE OF b SKIP LOCKED
)
""",  # noqa: S608  (constants)
        )
        for table in ("ban", "mute")
    ),
    Kind(
        "lobby_events",
        "LOBBY_EVENTS_KEPT_DAYS",
        f"""
DELETE FROM games_roomevent WHERE (lobby_id, version) IN (
    SELECT e.lobby_id, e.version FROM games_roomevent e JOIN games_lobby l ON l.id = e.lobby_id
    WHERE e.lobby_id < %(opened)s AND e.at < now() - %(days)s * interval '1 day' AND {IS_OVER}
    LIMIT %(most)s FOR UPDATE OF e SKIP LOCKED
)
""",  # noqa: S608  (a constant)
    ),
)


def forget_old() -> None:
    """Delete what is older than its setting says. It may run in several processes at once."""
    for kind in KINDS:
        days = getattr(settings, kind.setting)
        asked = {"days": days, "opened": first_id_before(days), "erased": ERASED}
        found = row_batches.repeat(kind.statement, **asked)
        if found:
            log.info("forgotten", kind=kind.name, rows=found)
