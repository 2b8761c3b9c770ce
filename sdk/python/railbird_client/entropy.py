"""Entropy that a player adds to the draws of a game, so that nobody else chooses them.

The client commits to it when it takes a seat. At the start, it checks and keeps what the public log
has fixed of all seats; only then it reveals the entropy. It keeps the signed receipt, and finds all
that in what the game began with. When a start is abandoned, it does so again, twice at most.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from railbird_client.ed25519 import public_key, sign
from railbird_client.files import append_line, values_in
from railbird_client.links import Links
from railbird_client.links import hash_of as link_hash
from railbird_client.lobbies import WAITING, Room, RoomNews
from railbird_client.log import Log
from railbird_client.models import (
    CommandSignature,
    Commitments,
    GameInFull,
    Genesis,
    Lobby,
    NewCommitment,
    NewReveal,
    Opening,
    Seat,
    Start,
)
from railbird_client.operations import Operations
from railbird_client.patience import pause_s, persist
from railbird_client.problems import (
    Contradicted,
    NoEvidence,
    Problem,
    RevealedInVain,
    ServerError,
    StartAbandoned,
    StartOverdue,
    Unreachable,
)
from railbird_client.sealed import (
    Sealed,
    check_answers,
    check_commitments,
    check_reveals,
    decided_within_s,
    framed,
    refused,
    witnesses_in,
)
from railbird_client.signing import Signing

TITLE: Final = "Railbird reveal 2"
SEAT_TITLE: Final = "Railbird seat 1"
COMMAND_TITLE: Final = "Railbird command 1"
VERSIONS_MAX: Final = 100
"""How many versions after the newest one that was seen a signed command may be carried out."""
FIELDS: Final = ("origin", "name", "game", "opened", "committed", "seat", "commitment", "entropy")
OPENED: Final = b"\x06"
TRIES_MAX: Final = 8
SEED_TRIES: Final = 6
CHANGED: Final = frozenset({"attempt_over", "lobby_not_open", "commitment_required"})
"""Codes that say that the table has changed meanwhile: the client reads it again."""
AWAITED: Final = frozenset({"commitments_awaited", "not_sealed"})
"""Codes that say that the client has to wait for others."""
GRACE_S: Final = 10
"""How much longer than its terms allow a start may take before the client stops waiting."""
IN_VAIN_MAX: Final = 2
"""Reveals without a game in a row after which the client adds no more entropy by itself."""


class Kept(msgspec.Struct, kw_only=True):
    """Entropy for one attempt to start a game. `sealed` is what the client checked before the
    reveal; `receipt` is the server's, after it. With a private `key`, new for each attempt, the
    client signs the seat and its commands. `in_vain` is set once its start has ended: how many
    reveals in a row have led to no game since; `before` once its game has started, until that is
    voided: how many there were before."""

    lobby: str
    slug: str
    seed_hash: str
    opening: Opening
    seat: int
    entropy: str
    key: str | None = None
    sealed: Sealed | None = None
    receipt: str | None = None
    in_vain: int | None = None
    before: int | None = None

    @property
    def commitment(self) -> str:
        """The hash that the server receives before the start."""
        opened, entropy = bytes.fromhex(self.opening.hash), bytes.fromhex(self.entropy)
        place = self.seat.to_bytes(2, "big")
        return sha256(b"entropy\x00" + opened + place + entropy).hexdigest()

    @property
    def mark(self) -> tuple[str, str] | tuple[None, None]:
        """The public key, and the signature for the seat."""
        if self.key is None:
            return None, None
        secret = bytes.fromhex(self.key)
        key = public_key(secret).hex()
        text = (
            f"{SEAT_TITLE}\nopened {self.opening.hash}\nplace {self.seat}\nkey {key}\n"
            f"commitment {self.commitment}\n"
        )
        return key, sign(secret, text.encode()).hex()

    def signs(self, game: str) -> bool:
        """Whether this has a key for a seat of the game, which has started."""
        is_marked = self.key is not None and self.sealed is not None
        return is_marked and self.opening.game == game

    def signed(self, command_id: object, command: str, head: int, hash_: str) -> CommandSignature:
        """Return the signature of a command after a commit. Expects that this signs."""
        assert self.key is not None
        assert self.sealed is not None
        places = [row.place for row in self.sealed.commitments.rows]
        until = head + VERSIONS_MAX
        text = (
            f"{COMMAND_TITLE}\norigin {self.sealed.checkpoint.origin}\nname {self.opening.name}\n"
            f"seat {places.index(self.seat)}\nid {command_id}\nhead {head} {hash_}\n"
            f"until {until}\ncommand {command}\n"
        )
        signature = sign(bytes.fromhex(self.key), text.encode()).hex()
        return CommandSignature(head=head, hash=hash_, until=until, signature=signature)

    @property
    def witnesses(self) -> frozenset[str]:
        """The witnesses of the attempt: the next one has them as well."""
        return frozenset(witnesses_in(self.opening))

    def fits(self, lobby: Lobby) -> bool:
        """Whether this is for the current attempt and for the seat that the client has."""
        return (self.opening.hash, self.seat) == (lobby.opening.hash, lobby.your_seat)

    def contradicted(self, field: str, expected: object, found: object) -> Contradicted:
        """Return the error for a server that contradicts this."""
        return Contradicted(self.receipt or "", field, str(expected), str(found))

    def check_receipt(self, note: str | None) -> None:
        """Check the receipt of the reveal. Raises Contradicted."""
        if note is None:
            raise self.contradicted("receipt", "a signed note", "none")
        title, *lines = note.rpartition("\n\n")[0].split("\n")
        said = [tuple(line.split(" ", 1)) for line in lines]
        if title != TITLE or [name for name, *_ in said] != [*FIELDS]:
            raise Contradicted(note, "receipt", TITLE, title)
        expected = {
            "name": self.opening.name,
            "game": self.opening.game,
            "opened": self.opening.hash,
            "committed": self.sealed.commitments.hash if self.sealed is not None else "",
            "seat": str(self.seat),
            "commitment": self.commitment,
            "entropy": self.entropy,
        }
        for name, found in said[1:]:
            if found != expected[name]:
                raise Contradicted(note, name, expected[name], found)

    def check_genesis(self, seat: int, genesis: Genesis) -> None:
        """Check that a game began with this entropy of the seat. Raises Contradicted."""
        hash_ = sha256(b"game\x00" + genesis.text.encode()).hexdigest()
        if genesis.hash != hash_:
            raise self.contradicted("hash", hash_, genesis.hash)
        try:
            found = msgspec.json.decode(genesis.text, type=dict[str, Any])
            options = msgspec.json.decode(self.opening.options_text)
            table = msgspec.json.decode(self.opening.table_text)
        except msgspec.MsgspecError as error:
            raise self.contradicted("genesis", "JSON", error) from error
        expected = {
            **{name: getattr(self.opening, name) for name in ("name", "salt", "game")},
            **{name: getattr(self.opening, name) for name in ("rules_version", "edition")},
            "rules": self.slug,
            "seed_hash": self.seed_hash,
            "abandoned": self.opening.abandoned,
            "options": options,
            "table": table,
        }
        for name, known in expected.items():
            if found.get(name) != known:
                raise self.contradicted(name, known, found.get(name))
        for name in ("options", "table"):
            text = getattr(self.opening, f"{name}_text")
            if f'"{name}":{text},' not in genesis.text:
                raise self.contradicted(name, text, "other bytes")
        self._check_seats(seat, found)

    def _check_seats(self, seat: int, found: Mapping[str, Any]) -> None:
        """Check that a genesis has the seats and the entropy that were fixed before. Raises
        Contradicted."""
        if self.sealed is None:
            raise self.contradicted("reveals", "a game that waits for the entropy", "one without")
        sealed = self.sealed.commitments
        fixed = {
            "rows": [[*msgspec.structs.astuple(row)] for row in sealed.rows],
            "rows_salt": sealed.rows_salt,
            "promises": sealed.promises,
        }
        for name, known in fixed.items():
            if found.get(name) != known:
                raise self.contradicted(name, known, found.get(name))
        revealed = [seat, self.entropy, None]
        if revealed not in found.get("reveals", ()) or sealed.rows[seat].place != self.seat:
            raise self.contradicted("reveals", revealed, found.get("reveals"))
        check_reveals(sealed, self.opening, found)
        check_answers(sealed, self.opening, found)


OF_TABLE: Final = ("buy_in", "prizes", "capacity", "absence", "absence_s", "keys")
"""The terms that a lobby shows beside its options."""


def check_opening(lobby: Lobby) -> None:
    """Check that the opening of a lobby covers what the lobby shows. Raises Contradicted."""
    said = lobby.opening
    try:
        entry = _entry(lobby)
        options = msgspec.json.decode(said.options_text)
        table = msgspec.json.decode(said.table_text, type=dict[str, Any])
        witnesses_in(said)
    except (ValueError, OverflowError, msgspec.MsgspecError) as error:
        raise Contradicted("", "opening", "hex and numbers", str(error)) from error
    expected = {
        "entry": (entry.hex(), said.entry),
        "hash": (sha256(b"\x00" + entry).hexdigest(), said.hash),
        "options": (lobby.options, options),
        **{name: (getattr(lobby, name), table.get(name)) for name in OF_TABLE},
    }
    for name, (known, found) in expected.items():
        if found != known:
            raise Contradicted("", name, str(known), str(found))
    decided_within_s(said)


def _entry(lobby: Lobby) -> bytes:
    """Return the log entry that opens what a lobby shows."""
    said = lobby.opening
    parts = (
        bytes.fromhex(said.salt),
        UUID(said.game).bytes,
        lobby.slug.encode(),
        said.rules_version.to_bytes(4, "big"),
        said.edition.encode(),
        said.options_text.encode(),
        said.table_text.encode(),
        bytes.fromhex(lobby.seed_hash),
    )
    terms = sha256(b"terms\x00" + framed(parts)).digest()
    ended = bytes(32) if said.abandoned is None else bytes.fromhex(said.abandoned)
    return OPENED + UUID(said.name).bytes + bytes(8) + terms + parts[-1] + ended


class Place:
    """The seat of this client in a lobby, until its game starts."""

    def __init__(self, lobby: str, kept: Kept | None) -> None:
        self.lobby = lobby
        self.kept = kept
        self.is_checked = False
        self.version = -1
        self.lock = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None
        self.failure: ServerError | None = None


class Entropies:
    """The entropy of a client for all lobbies in which it sits, in memory or in a file.

    `api` is the plain API, `room` opens the socket of a lobby, and `log` is the server's log.
    """

    def __init__(
        self,
        api: Operations,
        room: Callable[[str], Room],
        log: Log,
        path: Path | None = None,
    ) -> None:
        self._api = api
        self._room = room
        self._log = log
        self._path = path
        self._places: dict[str, Place] = {}
        self._last_ended: Kept | None = None
        self._links = Links()
        for kept in [] if path is None else values_in(path, Kept):
            self._remember(kept)
            if kept.sealed is not None:
                log.know(kept.sealed.commitments.keys, kept.sealed.checkpoint)
                with suppress(Contradicted):  # it was raised when that was sealed
                    self._links.know([*kept.sealed.links, kept.sealed.commitments.your_link])

    def _remember(self, kept: Kept) -> None:
        """Take in a line of the file. That a start has ended may stand behind the next one."""
        place = self._places.get(kept.lobby)
        if kept.in_vain is not None:
            self._last_ended = kept
            if place is not None and place.kept is not None and place.kept.opening != kept.opening:
                return
        self._places[kept.lobby] = Place(kept.lobby, kept)

    async def add(self, lobby: Lobby) -> Lobby:
        """Commit the seat that this client has in a lobby, and follow the lobby until its game
        starts. Raises Contradicted, RevealedInVain.

        The seat is taken even if the commitment does not reach the server: the news ask again."""
        if lobby.your_seat is None or lobby.status not in WAITING:
            return lobby
        place = self._places.setdefault(lobby.id, Place(lobby.id, None))
        with suppress(Problem, Unreachable):
            async with place.lock:
                lobby = await self._settle(place, lobby)
        if place.task is None or place.task.done():
            place.task = asyncio.create_task(self._follow(place))
        return lobby

    async def start_game(self, lobby: str) -> Start:
        """Start the game, and return when it has started. Raises as the API does, Contradicted,
        StartAbandoned, and StartOverdue."""
        place = await self._place(lobby)
        await self._take(place, seen := await self._api.get_lobby(lobby))
        if place.failure is not None:
            raise place.failure
        for failures in range(TRIES_MAX):
            try:
                start = await self._api.start_game(lobby)
                break
            except Problem as problem:
                if problem.code not in AWAITED or failures + 1 == TRIES_MAX:
                    raise
            await asyncio.sleep(pause_s(failures))
        if not start.has_started:
            # The opening that this client checked and kept counts, not the one shown now.
            await self._decided(place, seen.opening if place.kept is None else place.kept.opening)
        await self.check_start(start.id)
        return Start(id=start.id, has_started=True)

    async def _decided(self, place: Place, opening: Opening) -> None:
        """Wait until the game of a lobby has started, but no longer than its terms allow. Raises
        StartAbandoned, StartOverdue."""
        within_s = decided_within_s(opening)
        try:
            async with asyncio.timeout(within_s + GRACE_S) as patience:
                await self._started(place)
        except TimeoutError:
            if not patience.expired():
                raise
            lobby = await self._api.get_lobby(place.lobby)  # An event may have been lost.
            if lobby.status == "starting" and lobby.opening.hash == opening.hash:
                raise StartOverdue(place.lobby, within_s) from None
            if lobby.status != "started":
                raise StartAbandoned(place.lobby) from None

    async def _started(self, place: Place) -> None:
        """Wait until the game of a lobby has started. Raises StartAbandoned."""
        async with self._room(place.lobby) as room:
            async for news in room:
                if not isinstance(news, RoomNews):
                    continue
                await self._take(place, news.lobby)
                if place.failure is not None:
                    raise place.failure
                if news.lobby.status == "started":
                    return
                if news.lobby.status != "starting":
                    raise StartAbandoned(place.lobby)
        raise StartAbandoned(place.lobby)

    def signing(self, game: str, command: object, command_id: object) -> Signing | None:
        """Return how to sign a command, if this client has a key for a seat of the game."""
        for place in self._places.values():
            kept = place.kept
            if kept is not None and kept.signs(game):
                return Signing(kept.slug, command, partial(kept.signed, command_id))
        return None

    async def check_start(self, game: str) -> None:
        """Check once that a game of this player began with the entropy that they added. Raises
        Contradicted."""
        for place in [*self._places.values()]:
            kept = place.kept
            if kept is None or kept.opening.game != game or place.is_checked:
                continue
            if place.failure is not None:
                raise place.failure
            seat = (await self._api.get_game(game)).your_seat
            if seat is not None:
                kept.check_genesis(seat, await self._api.get_genesis(game))
            place.is_checked = True
            if kept.in_vain is None:
                kept.before = self._in_vain
                self._count(kept, 0)

    async def check_end(self, game: str) -> None:
        """Check that the seed of a game that has ended is the one that was opened, and that the log
        still continues what this client saw of it. Raises Contradicted.

        The server discloses the seed a second or two after the end. A server that does not within
        some seconds has nothing to compare."""
        for place in [*self._places.values()]:
            kept = place.kept
            if kept is not None and kept.opening.game == game:
                ended = await self._disclosed(game)
                if ended.seed is not None and hash_of(ended.seed) != kept.seed_hash:
                    raise kept.contradicted("seed", kept.seed_hash, ended.seed)
                if ended.ended == "voided" and kept.before is not None:
                    in_vain, kept.before = self._in_vain + kept.before + 1, None
                    self._count(kept, in_vain)
                await self._log.check()

    async def _disclosed(self, game: str) -> GameInFull:
        """Return a game that has ended, with its seed if the server discloses it soon."""
        for failures in range(SEED_TRIES - 1):
            if (found := await self._api.get_game(game)).seed is not None:
                return found
            await asyncio.sleep(pause_s(failures))
        return await self._api.get_game(game)

    def leave(self, lobby: str) -> None:
        """Forget a lobby that the player has left before the start."""
        place = self._places.pop(lobby, None)
        if place is not None:
            self._count_in_vain(place)
            if place.task is not None:
                place.task.cancel()

    def _count_in_vain(self, place: Place) -> None:
        """Count once that a start ended without a game after the client had revealed."""
        kept = place.kept
        if kept is not None and kept.sealed is not None and kept.in_vain is None:
            self._count(kept, self._in_vain + 1)

    @property
    def _in_vain(self) -> int:
        """How many reveals in a row have led to no game."""
        return 0 if self._last_ended is None else self._last_ended.in_vain or 0

    def _count(self, kept: Kept, in_vain: int) -> None:
        """Keep how many reveals in a row led to no game, now that this start has ended."""
        kept.in_vain = in_vain
        self._last_ended = kept
        if self._path is not None:
            append_line(self._path, msgspec.json.encode(kept))

    def check_in_vain(self) -> None:
        """Raises RevealedInVain, before a seat is taken in vain as well."""
        if self._in_vain >= IN_VAIN_MAX:
            raise RevealedInVain(self._in_vain)

    async def check_place(self, lobby: str) -> None:
        """Check that this client still adds entropy in a lobby where it does. Raises Contradicted,
        RevealedInVain."""
        if lobby in self._places:
            await self._place(lobby)

    def go_on(self) -> None:
        """Add entropy again after starts that were abandoned."""
        if self._last_ended is not None and self._in_vain:
            self._count(self._last_ended, 0)
        for place in self._places.values():
            if isinstance(place.failure, RevealedInVain):
                place.failure = None

    async def close(self) -> None:
        """Stop following lobbies."""
        tasks = [place.task for place in self._places.values() if place.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _place(self, lobby: str) -> Place:
        task = self._places[lobby].task if lobby in self._places else None
        if task is None or task.done():
            await self.add(await self._api.get_lobby(lobby))
        place = self._places.setdefault(lobby, Place(lobby, None))
        if place.failure is not None:
            raise place.failure
        return place

    async def _follow(self, place: Place) -> None:
        """Follow a lobby, and do what its changes ask for."""
        try:
            async with self._room(place.lobby) as room:
                async for news in room:
                    if not isinstance(news, RoomNews):
                        continue
                    if news.lobby.your_seat is None or news.lobby.status not in WAITING:
                        if news.lobby.game is None:
                            self._count_in_vain(place)
                        return
                    await self._take(place, news.lobby)
                    if place.failure is not None:
                        return
        except ServerError:
            return  # For instance, the player may not look into this lobby any more.

    async def _take(self, place: Place, lobby: Lobby) -> None:
        """Do what the news of a lobby ask for; keep why that failed permanently."""
        told: Lobby | None = lobby

        async def settle() -> None:
            """Settle the lobby, which may have changed when this is done again."""
            nonlocal told
            found, told = told or await self._api.get_lobby(place.lobby), None
            async with place.lock:
                await self._settle(place, found)

        try:
            # The next news ask again.
            with suppress(Problem, Unreachable):
                await persist(settle)
        except (Contradicted, NoEvidence, RevealedInVain) as error:
            place.failure = error

    async def _settle(self, place: Place, lobby: Lobby) -> Lobby:
        """Commit or reveal, as the lobby allows now; return the lobby after that."""
        for failures in range(TRIES_MAX):
            if lobby.your_seat is None or lobby.status not in WAITING:
                return lobby
            if lobby.version < place.version:
                return lobby  # Older than what was settled before.
            place.version = lobby.version
            try:
                if lobby.status == "open":
                    lobby = await self._commit(place, lobby)
                else:
                    lobby = await self._reveal(place, lobby)
            except Problem as problem:
                if problem.code in AWAITED:
                    return lobby  # The news will say when.
                if problem.code not in CHANGED or failures + 1 == TRIES_MAX:
                    raise
                lobby = await self._api.get_lobby(place.lobby)
            else:
                place.version = lobby.version
                return lobby
        return lobby

    async def _commit(self, place: Place, lobby: Lobby) -> Lobby:
        seat, kept = seat_in(lobby), place.kept
        check_opening(lobby)
        opened = lobby.opening.hash
        if kept is not None and kept.opening.hash != opened and lobby.opening.abandoned is None:
            raise kept.contradicted("opened", kept.opening.hash, opened)
        if kept is not None and kept.opening.game != lobby.opening.game:
            raise kept.contradicted("game", kept.opening.game, lobby.opening.game)
        if kept is not None and (gone := kept.witnesses - {*witnesses_in(lobby.opening)}):
            raise kept.contradicted("witnesses", sorted(kept.witnesses), f"none of {gone}")
        if kept is not None and kept.fits(lobby):
            if seat.commitment == kept.commitment:
                return lobby
            if seat.commitment is not None:
                raise kept.contradicted("commitment", kept.commitment, seat.commitment)
        else:
            self._count_in_vain(place)
            self.check_in_vain()
            kept = Kept(
                lobby=lobby.id,
                slug=lobby.slug,
                seed_hash=lobby.seed_hash,
                opening=lobby.opening,
                seat=seat.number,
                entropy=secrets.token_hex(32),
                # A key in memory would be lost with the program, and the seat with it.
                key=None if self._path is None else secrets.token_hex(32),
            )
            await self._keep(place, kept)
        key, signature = kept.mark
        given = NewCommitment(
            opened=kept.opening.hash, commitment=kept.commitment, key=key, signature=signature
        )
        lobby = await self._api.commit(lobby.id, given)
        if kept.fits(lobby) and seat_in(lobby).commitment != kept.commitment:
            raise kept.contradicted("commitment", kept.commitment, seat_in(lobby).commitment)
        return lobby

    async def _reveal(self, place: Place, lobby: Lobby) -> Lobby:
        """Reveal the entropy if the log has fixed all seats, and the client has checked that."""
        seat, kept = seat_in(lobby), place.kept
        if kept is None or not kept.fits(lobby) or lobby.stage not in REVEALING:
            return lobby
        if seat.commitment != kept.commitment:
            raise kept.contradicted("commitment", kept.commitment, seat.commitment)
        if not seat.has_revealed:
            if kept.sealed is None:
                await self._check_sealed(place, kept, lobby)
            assert kept.sealed is not None
            body = NewReveal(committed=kept.sealed.commitments.hash, entropy=kept.entropy)
            lobby = await self._api.reveal(lobby.id, body)
        await self._keep_receipt(place, kept, lobby)
        return lobby

    async def _check_sealed(self, place: Place, kept: Kept, lobby: Lobby) -> None:
        """Check what the log has fixed of all seats, and keep it durably. Raises Contradicted."""
        before = self._log.newest
        since = None if before is None else before.size
        try:
            found = await self._api.get_commitments(lobby.id, since=since)
        except Problem as problem:
            if problem.code == "malformed":
                raise kept.contradicted("checkpoint", f"{since} entries", problem) from problem
            raise
        try:
            now = self._log.checked(before, found.checkpoint, found.keys, found.since_path)
            check_commitments(found, lobby, (kept.commitment, *kept.mark), now)
            _check_link(found, lobby)
            between = await self._links.check(self._api, found.your_link)
        except (ValueError, OverflowError) as error:
            raise kept.contradicted("committed", "hex and numbers", error) from error
        found.keys = self._log.keys or found.keys
        kept.sealed = Sealed(commitments=found, links=between)
        await self._keep(place, kept)
        self._log.know(found.keys, now)

    async def _keep_receipt(self, place: Place, kept: Kept, lobby: Lobby) -> None:
        """Check and keep the receipt of a reveal, whose first answer may have been lost."""
        if lobby.status in WAITING and kept.receipt is None and kept.fits(lobby):
            kept.check_receipt(lobby.your_reveal)
            await self._log.check_author(lobby.your_reveal or "")
            kept.receipt = lobby.your_reveal
            await self._keep(place, kept)

    async def _keep(self, place: Place, kept: Kept) -> None:
        place.kept = kept
        if self._path is not None:
            await asyncio.to_thread(append_line, self._path, msgspec.json.encode(kept))


def _check_link(found: Commitments, lobby: Lobby) -> None:
    """Check that the row of this client's seat has the link that the server opened to it. Raises
    Contradicted, ValueError, OverflowError."""
    (row,) = [row for row in found.rows if row.place == lobby.your_seat]
    expected = lobby.opening.hash, row.link
    if (shown := (found.your_link.opened, link_hash(found.your_link))) != expected:
        raise refused("link", expected, shown)


REVEALING: Final = frozenset({"revealing", "beginning"})
"""The stages of a start after the log has fixed all seats."""


def hash_of(seed: str) -> str:
    """Return the hash of a disclosed seed in hex, or a text without hash if it is not hex."""
    try:
        return sha256(bytes.fromhex(seed)).hexdigest()
    except ValueError:
        return "no seed"


def seat_in(lobby: Lobby) -> Seat:
    """Return the seat of this client in a lobby. Raises Contradicted."""
    for seat in lobby.seats:
        if seat.number == lobby.your_seat:
            return seat
    raise Contradicted("", "your_seat", "a seat of the lobby", str(lobby.your_seat))
