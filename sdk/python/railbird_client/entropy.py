"""Entropy that a player adds to the draws of a game, so that nobody else chooses them.

The client commits to it when it takes a seat, reveals it at the start, keeps the signed receipt,
and finds it in what the game began with. When an attempt to start is abandoned, it does so again.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from railbird_client.files import append_line, values_in
from railbird_client.lobbies import WAITING, Room, RoomNews
from railbird_client.models import (
    Game,
    GameStart,
    Genesis,
    Lobby,
    NewCommitment,
    Opening,
    Readiness,
    Seat,
)
from railbird_client.operations import Operations
from railbird_client.patience import pause_s, persist
from railbird_client.problems import Contradicted, Problem, ServerError, Unreachable

TITLE: Final = "Railbird reveal 1"
FIELDS: Final = ("origin", "name", "game", "opened", "seat", "commitment", "entropy")
OPENED: Final = b"\x06"
TRIES_MAX: Final = 8
SEED_TRIES: Final = 6
CHANGED: Final = frozenset(
    {"attempt_over", "commitment_required", "entropy_required", "wrong_entropy"}
)
"""Codes that say that the table has changed meanwhile: the client reads it again."""
AWAITED: Final = "commitments_awaited"


class Kept(msgspec.Struct, kw_only=True):
    """Entropy for one attempt to start a game; `receipt` is the server's, after the reveal."""

    lobby: str
    slug: str
    seed_hash: str
    opening: Opening
    seat: int
    entropy: str
    receipt: str | None = None

    @property
    def commitment(self) -> str:
        """The hash that the server receives before the start."""
        opened, entropy = bytes.fromhex(self.opening.hash), bytes.fromhex(self.entropy)
        place = self.seat.to_bytes(2, "big")
        return sha256(b"entropy\x00" + opened + place + entropy).hexdigest()

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
        except msgspec.MsgspecError as error:
            raise self.contradicted("genesis", "JSON", error) from error
        expected = {
            **{name: getattr(self.opening, name) for name in ("name", "salt", "game")},
            **{name: getattr(self.opening, name) for name in ("rules_version", "edition")},
            "rules": self.slug,
            "seed_hash": self.seed_hash,
            "abandoned": self.opening.abandoned,
            "options": options,
        }
        for name, known in expected.items():
            if found.get(name) != known:
                raise self.contradicted(name, known, found.get(name))
        if f'"options":{self.opening.options_text},' not in genesis.text:
            raise self.contradicted("options", self.opening.options_text, "other bytes")
        revealed = [seat, self.seat, self.commitment, self.entropy]
        if revealed not in found.get("reveals", ()):
            raise self.contradicted("reveals", revealed, found.get("reveals"))


def check_opening(lobby: Lobby) -> None:
    """Check that the opening of a lobby covers what the lobby shows. Raises Contradicted."""
    said = lobby.opening
    try:
        entry = _entry(lobby)
        options = msgspec.json.decode(said.options_text)
    except (ValueError, OverflowError) as error:
        raise Contradicted("", "opening", "hex and numbers", str(error)) from error
    expected = {
        "entry": (entry.hex(), said.entry),
        "hash": (sha256(b"\x00" + entry).hexdigest(), said.hash),
        "options": (lobby.options, options),
    }
    for name, (known, found) in expected.items():
        if found != known:
            raise Contradicted("", name, str(known), str(found))


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
        bytes.fromhex(lobby.seed_hash),
    )
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    terms = sha256(b"terms\x00" + framed).digest()
    ended = bytes(32) if said.abandoned is None else bytes.fromhex(said.abandoned)
    return OPENED + UUID(said.name).bytes + bytes(8) + terms + parts[-1] + ended


class Place:
    """The seat of this client in a lobby, until its game starts."""

    def __init__(self, lobby: str, kept: Kept | None) -> None:
        self.lobby = lobby
        self.kept = kept
        self.wants_to_start = False
        self.is_checked = False
        self.version = -1
        self.lock = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None
        self.failure: Contradicted | None = None


class Entropies:
    """The entropy of a client for all lobbies in which it sits, in memory or in a file.

    `api` is the plain API, and `room` opens the socket of a lobby.
    """

    def __init__(
        self, api: Operations, room: Callable[[str], Room], path: Path | None = None
    ) -> None:
        self._api = api
        self._room = room
        self._path = path
        self._places: dict[str, Place] = {}
        for kept in [] if path is None else values_in(path, Kept):
            self._places[kept.lobby] = Place(kept.lobby, kept)

    async def add(self, lobby: Lobby) -> Lobby:
        """Commit the seat that this client has in a lobby, and follow the lobby until its game
        starts. Raises Contradicted."""
        if lobby.your_seat is None or lobby.status not in WAITING:
            return lobby
        place = self._places.setdefault(lobby.id, Place(lobby.id, None))
        async with place.lock:
            lobby = await self._settle(place, lobby)
        if place.task is None or place.task.done():
            place.task = asyncio.create_task(self._follow(place))
        return lobby

    async def set_ready(self, lobby: str, body: Readiness) -> Lobby:
        """Set whether the player is ready; the client reveals the entropy once all others have
        committed. Raises as the API does, and Contradicted."""
        place = await self._place(lobby)
        async with place.lock:
            place.wants_to_start = body.ready
            if not body.ready or place.kept is None:
                return await self._api.set_ready(lobby, body)
            return await self._settle(place, await self._api.get_lobby(lobby))

    async def start_game(self, lobby: str, body: GameStart) -> Game:
        """Start the game, and reveal the entropy of the host. Raises as the API does, and
        Contradicted."""
        place = await self._place(lobby)
        async with place.lock:
            for failures in range(TRIES_MAX):
                kept = place.kept
                try:
                    game = await self._api.start_game(
                        lobby, body if kept is None else GameStart(entropy=kept.entropy)
                    )
                    break
                except Problem as problem:
                    if problem.code not in {*CHANGED, AWAITED} or failures + 1 == TRIES_MAX:
                        raise
                await asyncio.sleep(pause_s(failures))
                await self._settle(place, await self._api.get_lobby(lobby))
        await self.check_start(game.id)
        return game

    async def check_start(self, game: str) -> None:
        """Check once that a game of this player began with the entropy that they added. Raises
        Contradicted."""
        for place in self._places.values():
            kept = place.kept
            if kept is None or kept.opening.game != game or place.is_checked:
                continue
            if place.failure is not None:
                raise place.failure
            seat = (await self._api.get_game(game)).your_seat
            if seat is not None:
                kept.check_genesis(seat, await self._api.get_genesis(game))
            place.is_checked = True

    async def check_end(self, game: str) -> None:
        """Check that the seed of a game that has ended is the one that was opened. Raises
        Contradicted.

        The server discloses the seed a second or two after the end. A server that does not within
        some seconds has nothing to compare."""
        for place in self._places.values():
            kept = place.kept
            if kept is not None and kept.opening.game == game:
                seed = await self._disclosed(game)
                if seed is not None and hash_of(seed) != kept.seed_hash:
                    raise kept.contradicted("seed", kept.seed_hash, seed)

    async def _disclosed(self, game: str) -> str | None:
        for failures in range(SEED_TRIES):
            if (seed := (await self._api.get_game(game)).seed) is not None:
                return seed
            await asyncio.sleep(pause_s(failures))
        return None

    def leave(self, lobby: str) -> None:
        """Forget a lobby that the player has left before the start."""
        place = self._places.pop(lobby, None)
        if place is not None and place.task is not None:
            place.task.cancel()

    async def close(self) -> None:
        """Stop following lobbies."""
        tasks = [place.task for place in self._places.values() if place.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _place(self, lobby: str) -> Place:
        if lobby not in self._places or self._places[lobby].task is None:
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
                        return
                    # The next news ask again.
                    with suppress(Problem, Unreachable):
                        await persist(partial(self._settle_alone, place, news.lobby))
        except Contradicted as contradicted:
            place.failure = contradicted
        except ServerError:
            return  # For instance, the player may not look into this lobby any more.

    async def _settle_alone(self, place: Place, lobby: Lobby) -> None:
        async with place.lock:
            await self._settle(place, lobby)

    async def _settle(self, place: Place, lobby: Lobby) -> Lobby:
        """Commit and reveal as far as the lobby allows now; return the lobby after that."""
        for failures in range(TRIES_MAX):
            if lobby.your_seat is None or lobby.status not in WAITING:
                return lobby
            if lobby.version < place.version:
                return lobby  # Older than what was settled before.
            place.version = lobby.version
            try:
                lobby = await self._commit(place, lobby)
                if place.kept is None or not place.kept.fits(lobby):
                    continue  # The table has changed meanwhile.
                lobby = await self._reveal(place, lobby)
            except Problem as problem:
                if problem.code == AWAITED:
                    return lobby  # The news will say when the others have committed.
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
        if kept is not None and kept.fits(lobby):
            if seat.commitment == kept.commitment:
                return lobby
            if seat.commitment is not None:
                raise kept.contradicted("commitment", kept.commitment, seat.commitment)
        else:
            kept = Kept(
                lobby=lobby.id,
                slug=lobby.slug,
                seed_hash=lobby.seed_hash,
                opening=lobby.opening,
                seat=seat.number,
                entropy=secrets.token_hex(32),
            )
            await self._keep(place, kept)
        given = NewCommitment(opened=kept.opening.hash, commitment=kept.commitment)
        lobby = await self._api.commit(lobby.id, given)
        if kept.fits(lobby) and seat_in(lobby).commitment != kept.commitment:
            raise kept.contradicted("commitment", kept.commitment, seat_in(lobby).commitment)
        return lobby

    async def _reveal(self, place: Place, lobby: Lobby) -> Lobby:
        seat, kept = seat_in(lobby), place.kept
        assert kept is not None, "the client has committed"
        wants = place.wants_to_start or lobby.status == "starting"
        if seat.is_ready and seat.has_revealed:
            await self._keep_receipt(place, kept, lobby)
            return lobby
        if not wants or any(one.commits and not one.commitment for one in lobby.seats):
            return lobby
        lobby = await self._api.set_ready(lobby.id, Readiness(ready=True, entropy=kept.entropy))
        await self._keep_receipt(place, kept, lobby)
        return lobby

    async def _keep_receipt(self, place: Place, kept: Kept, lobby: Lobby) -> None:
        """Check and keep the receipt of a reveal, whose first answer may have been lost."""
        if lobby.status in WAITING and kept.receipt is None:
            kept.check_receipt(lobby.your_reveal)
            kept.receipt = lobby.your_reveal
            await self._keep(place, kept)

    async def _keep(self, place: Place, kept: Kept) -> None:
        place.kept = kept
        if self._path is not None:
            await asyncio.to_thread(append_line, self._path, msgspec.json.encode(kept))


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
