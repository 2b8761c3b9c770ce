"""Round robin: periodic work for each member of a collection, spread evenly over the period."""

from collections import OrderedDict
from itertools import islice
from typing import Generic, TypeVar

Member = TypeVar("Member")


class RoundRobin(Generic[Member]):
    """Members that each have a turn every `every_s` seconds.

    Work for all of them at once would keep the rest of the process waiting.
    """

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._members: OrderedDict[Member, None] = OrderedDict()
        self._owed = 0.0
        self._counted_at: float | None = None

    def add(self, member: Member) -> None:
        """Add a member; its first turn is after all others have had one."""
        self._members[member] = None

    def discard(self, member: Member) -> None:
        """Remove a member if it is there."""
        self._members.pop(member, None)

    def due(self, now: float) -> list[Member]:
        """Return the members whose turns have come since the last call, in their order.

        `now` is in seconds, by any clock.
        """
        elapsed_s = now - (now if self._counted_at is None else self._counted_at)
        self._counted_at = now
        owed = self._owed + len(self._members) * elapsed_s / self._every_s
        due = list(islice(self._members, int(owed)))
        self._owed = owed - int(owed)
        for member in due:
            self._members.move_to_end(member)
        return due
