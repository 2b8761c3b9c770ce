"""Following a game: first the commits after a version, then those of the hub, without a gap."""

from collections.abc import AsyncGenerator, Sequence
from typing import Final
from uuid import UUID

from games.live import hubs
from games.live.presence import presence
from games.play import absence, service
from games.reads.players import DisconnectReason
from games.store.commits import DamagedError
from games.store.loaded_games import LoadedGame
from games.store.rows import StoredCommit
from kit.problems import Problem
from railbird_engine import Seat

COMMITS_AT_ONCE: Final = 200


class GameSubscription:
    """The subscription of a client to a game, from a version or from the head."""

    def __init__(
        self,
        game: UUID,
        viewer: Seat | None,
        after: int | None,
        outbox: hubs.Outbox,
        *,
        heads: bool = False,
    ) -> None:
        self._game = game
        self._viewer = viewer
        self._after = after
        self._outbox = outbox
        self._heads = heads
        self._subscription: hubs.Subscription | None = None
        self._attends: tuple[UUID, UUID] | None = None
        self.loaded: LoadedGame | None = None
        """The game at the newest version that is known; of the end of `missed`, that at which the
        subscription started."""

    async def missed(self) -> AsyncGenerator[Sequence[StoredCommit], None]:
        """Yield the missed commits in order, then subscribe.

        Raises Problem `version_ahead`, DamagedError after the commits before the damaged one.
        """
        known = self._after
        while self._subscription is None:
            try:
                loaded = await service.at_head(self._game)
            except DamagedError as damaged:
                while known is not None and known < damaged.version - 1:
                    records = await service.commits(self._game, known, COMMITS_AT_ONCE)
                    yield records
                    known = records[-1].version
                raise
            self.loaded = loaded
            if known is not None and known > loaded.version:
                raise Problem("version_ahead", version=loaded.version)
            while known is not None and known < loaded.version:
                records = await service.commits(self._game, known, COMMITS_AT_ONCE)
                yield records
                known = records[-1].version
            if known is None or known == loaded.version:
                # Nothing is awaited from here to the subscription, so no commit comes between.
                self._subscription = hubs.switchboard().subscribe(
                    loaded, self._viewer, self._outbox, heads=self._heads
                )

    async def attend(self, user: UUID) -> None:
        """Mark the user as present, and return their seat if a bot plays it. Call it after
        `missed`."""
        assert self.loaded is not None
        self._attends = (self.loaded.lobby, user)
        presence().connected(*self._attends)
        if self._viewer is not None and self._viewer not in self.loaded.forfeited:
            await absence.come_back(self._game, self._viewer)

    def leave(self, because: DisconnectReason) -> None:
        """Unsubscribe."""
        if self._attends is not None:
            presence().disconnected(*self._attends, because)
        if self._subscription is not None:
            hubs.switchboard().unsubscribe(self._subscription)
