"""The WebSocket of a user: their notices."""

from uuid import UUID

import msgspec

from games.api.sockets import frames
from games.api.sockets.frame_socket import FrameSocket
from games.api.sockets.websocket_connection import Receive, Scope, Send, encode
from games.live import hubs
from games.live.inboxes import NOTICES_PER_FRAME, inboxes
from games.live.room_followers import in_thread
from kit.problems import Problem
from kit.validation import Count, Query
from notices import inbox
from notices.api import Notices


class FromNumber(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number to resume from: notices after it come first. Without it: only new notices."""

    after: Count | None = None


class InboxSubscription:
    """The subscription of a user to their notices, from a number on."""

    def __init__(self, user: UUID, after: int | None, outbox: hubs.Outbox) -> None:
        self.user = user
        self.number = -1
        self._after = after
        self._outbox = outbox

    async def join(self) -> None:
        """Send the notices after the number, at least one frame; then follow them without a gap.

        Raises Problem `version_ahead`.
        """
        after = self._after
        if after is None:
            after = (await in_thread(inbox.last_of, [self.user])).get(self.user, 0)
        self.number = after
        self.receive(await in_thread(inbox.read_after, self.user, after, NOTICES_PER_FRAME))
        inboxes().follow(self)

    def leave(self) -> None:
        """Unsubscribe."""
        inboxes().leave(self)

    def receive(self, page: inbox.Page) -> None:
        """Send notices."""
        # Without notices, those up to the last one were deleted after their time.
        self.number = page.notices[-1].number if page.notices else page.last
        seen = msgspec.structs.asdict(Notices.of(page))
        self._outbox.put(encode(frames.NoticesFrame(**seen)))

    def lose(self, last: int) -> None:
        """End the connection, because the database lost the notices after `last`."""
        self._outbox.end(Problem("history_lost", version=last, seen=self.number))

    def heartbeat(self) -> None:
        """Send a heartbeat with the number of the last notice."""
        self._outbox.put(encode(frames.InboxHeartbeat(last=self.number)))

    def disconnect(self) -> None:
        """End the connection, because notices cannot be read."""
        self._outbox.end(Problem("unavailable"))


class InboxSocket(FrameSocket):
    """One connection of a user to their notices."""

    reads = msgspec.json.Decoder(frames.Authenticate)

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._subscription: InboxSubscription | None = None

    async def join(self) -> None:
        """Send the notices after the number in the query, then new ones."""
        query = self.query(FromNumber)
        self._subscription = InboxSubscription(self.user, query.after, self.outbox)
        await self._subscription.join()

    async def take(self, frame: frames.ClientFrame) -> None:
        """Clients send no other frame than the first."""
        raise AssertionError(f"{frame} is no frame of this socket")

    def leave(self) -> None:
        """Unsubscribe."""
        if self._subscription is not None:
            self._subscription.leave()


async def inbox_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve `/ws/v1/me`."""
    await InboxSocket(scope, receive, send).run()
