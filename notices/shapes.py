"""A notice as the API and webhooks show it."""

from typing import Self
from uuid import UUID

import msgspec

from kit.validation import Count, Moment
from notices import models
from notices.kinds import Kind


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to you, at a table of the game `slug`. Your notices are numbered
    without gaps; those that are older than the operator keeps them are deleted, from the first on.

    `your_turn`: a slow game waits for your decision until `due_at`. `deadline_near`: a quarter of
    the time is left. `table_full`: all seats of the lobby are taken. `game_starts`: the game has
    started. `game_over`: the game has `ended`; `rank` is yours, from 1, and `payout` what you
    received of the buy-ins, null without any. `bet_corrected`: an operator voided your settled
    `bet`, whose payout is now `payout`. `seat_replaced`: a bot plays your `seat`. `seat_reserved`:
    a seat in the lobby of a rematch is reserved for you. `webhook_disabled`: the server sends no
    more to your `webhook`, which failed for five days or answered that it is gone.
    """

    number: Count
    kind: Kind
    at: Moment
    lobby: UUID | None = None
    game: UUID | None = None
    slug: str | None = None
    seat: int | None = None
    due_at: Moment | None = None
    ended: str | None = None
    rank: int | None = None
    bet: Count | None = None
    payout: Count | None = None
    webhook: UUID | None = None

    @classmethod
    def of(cls, row: models.Notice) -> Self:
        """Return a notice as its user reads it."""
        return msgspec.convert(
            {"number": row.number, "kind": row.kind, "at": row.at, **row.data}, cls
        )
