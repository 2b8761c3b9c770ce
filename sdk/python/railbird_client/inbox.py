"""The notices of a user, as they come."""

from collections.abc import Mapping

from railbird_client import frames
from railbird_client.models import Notices
from railbird_client.stream import Lost, Reader, Stream

_reader: Reader[frames.FromMe] = Reader(frames.FromMe)


class Inbox(Stream[frames.FromMe, Notices]):
    """A user's notices in order, without gaps, except those that the server has deleted. The first
    news come at once, perhaps without notices."""

    def __init__(self, address: str, token: str, *, after: int | None = None) -> None:
        super().__init__(address, token, _reader)
        self.number = after
        """The number of the latest notice; None before the first news."""
        self._has_told = False

    def _from(self) -> Mapping[str, object]:
        return {"after": self.number}

    def _take(self, frame: frames.FromMe) -> None:
        match frame:
            case frames.NoticesFrame():
                self._take_notices(frame)
            case frames.InboxHeartbeat(last=last) if self.number is not None and last > self.number:
                raise Lost

    def _take_notices(self, frame: frames.NoticesFrame) -> None:
        known = self.number
        if known is None:
            known = frame.notices[0].number - 1 if frame.notices else frame.last
        known = max(known, min(frame.first - 1, frame.last))  # the server has deleted those before
        fresh = [notice for notice in frame.notices if notice.number > known]
        if [notice.number for notice in fresh] != list(range(known + 1, known + 1 + len(fresh))):
            raise Lost
        self.number = known + len(fresh)
        if fresh or not self._has_told:
            self._has_told = True
            self._tell(Notices(first=frame.first, last=frame.last, read=frame.read, notices=fresh))
