"""Links between the starts of a user's games: a server that leaves one out is found."""

from collections.abc import Sequence
from hashlib import sha256

from railbird_client.models import PersonLink
from railbird_client.operations import Operations
from railbird_client.sealed import framed, refused


def hash_of(link: PersonLink) -> str:
    """Return the link in the row of the start. Raises ValueError, OverflowError."""
    opened, salt, previous = map(bytes.fromhex, (link.opened, link.salt, link.previous))
    parts = framed([opened, salt, link.count.to_bytes(8, "big"), previous])
    return sha256(b"link\x00" + parts).hexdigest()


class Links:
    """The links of a user, by count, from the first that this client has seen."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    async def check(self, api: Operations, link: PersonLink) -> list[PersonLink]:
        """Check that a start follows those that this client knows; return the ones between, which
        it asks for. Raises Contradicted."""
        between = list[PersonLink]()
        while self._known and (last := max(self._known)) + 1 < link.count:
            found = await api.list_links(after=last)
            new = [each for each in found if each.count < link.count]
            self.know(new)
            if last == max(self._known):
                raise refused("links", f"start {last + 1}", [each.count for each in found])
            between += new
        self.know([link])
        return between

    def know(self, links: Sequence[PersonLink]) -> None:
        """Take in links in their order. Raises Contradicted, once for each server that goes back,
        perhaps because it lost what it had stored: then this begins again with the link."""
        for link in links:
            known, hash_ = self._known, hash_of(link)
            expected = known.get(link.count - 1, link.previous), known.get(link.count, hash_)
            is_next = not known or link.count in known or link.count - 1 in known
            if not is_next or (link.previous, hash_) != expected:
                self._known = {link.count: hash_}
                raise refused("link", expected, (link.count, link.previous, hash_))
            known[link.count] = hash_
