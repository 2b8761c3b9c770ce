"""Lobbies with their seats, as one user may see them."""

from collections.abc import Sequence
from typing import Annotated, Final, Self
from uuid import UUID

import msgspec
from msgspec import Meta

from games import models
from games.api.types.audit import PersonLink
from games.api.types.parts import Answer
from games.lobbies import LobbyChoices, teams_of
from games.lobbies.attempts import reveal_receipt, terms_of
from games.lobbies.choices import AnyOptions
from games.proofs.commitments import SealedCommitments
from games.reads.changes import LobbyEvent
from games.reads.lobbies import opened_index
from kit.validation import Count, Moment
from railbird_engine.kernel import chain


def _one_of(values: Sequence[str]) -> Meta:
    return Meta(extra_json_schema={"enum": list(values)})


LobbyStatus = Annotated[str, _one_of(models.Lobby.Status.values)]
LobbyStage = Annotated[str, _one_of(models.Lobby.Stage.values)]
LobbyVisibility = Annotated[str, _one_of(models.Lobby.Visibility.values)]
LobbyAbsence = Annotated[str, _one_of(models.Lobby.Absence.values)]
LobbyPace = Annotated[str, _one_of(models.Lobby.Pace.values)]
LobbySpectators = Annotated[str, _one_of(models.Lobby.Spectators.values)]


class Seat(Answer, frozen=True, kw_only=True):
    """A seat and its player. A bot of the server has no user; a bot user has. A player who
    `commits` adds entropy, which stays secret until the start; `commitment` is that to it. `colour`
    is a place in `seat_colours` of the game's book."""

    number: int
    colour: int
    user: UUID | None
    name: str
    is_bot: bool
    is_ready: bool
    commits: bool
    commitment: str | None
    has_revealed: bool

    @classmethod
    def of(cls, seat: models.Seat) -> Self:
        """Return a seat as everybody at the table sees it."""
        return cls(
            number=seat.number,
            colour=seat.colour,
            user=seat.user_id,
            name=seat.name,
            is_bot=seat.user is None or seat.user.is_bot,
            is_ready=seat.ready,
            commits=seat.commits,
            commitment=None if seat.commitment is None else bytes(seat.commitment).hex(),
            has_revealed=seat.entropy is not None,
        )


def seat_number(lobby: models.Lobby, user: UUID | None) -> int | None:
    """Return the seat of a user, if any. Expects the seats prefetched."""
    return next(
        (seat.number for seat in lobby.seats.all() if seat.user_id == user and user is not None),
        None,
    )


def disclosed_seed(lobby: models.Lobby) -> str | None:
    """Return the seed in hex once the log discloses it: a second or two after the end of the game,
    or when the lobby closes. Changed rows of the database make this show no seed."""
    return None if lobby.seed is None else bytes(lobby.seed).hex()


class ReservedSeat(Answer, frozen=True, kw_only=True):
    """A free seat that is reserved for a user."""

    number: int
    user: UUID


class CommittedSeat(Answer, frozen=True, kw_only=True):
    """A seat as a start fixes it: `place` is its number in the lobby, `person` a commitment to its
    user, `commitment` that to entropy. A player with a `key` signs; `signature` is that of the
    seat. `link` joins the start to the user's one before."""

    place: int
    person: str | None
    key: str | None
    commitment: str | None
    signature: str | None
    link: str | None


class Commitments(Answer, frozen=True, kw_only=True):
    """The log entry that fixes all seats and commitments of a start; all bytes are in hex.

    `entry` is at `index` of the log, and `hash` that of its leaf. It covers the `rows` with
    `rows_salt` and the `promises` of witnesses; `your_salt` opens the commitment to you, and
    `your_link` the link of your seat. `path`
    proves the entry under the `checkpoint`, which `keys` signed, and `since_path` that this
    continues the one you named.
    """

    hash: str
    entry: str
    index: Count
    rows: list[CommittedSeat]
    rows_salt: str
    promises: list[str]
    your_salt: str
    your_link: PersonLink
    checkpoint: str
    keys: list[str]
    path: list[str]
    since_path: list[str] | None

    @classmethod
    def of(cls, found: SealedCommitments) -> Self:
        """Return the entry as the players of a start see it."""
        return cls(
            hash=chain.entry_hash(found.entry).hex(),
            entry=found.entry.hex(),
            index=found.place,
            rows=[CommittedSeat(**msgspec.structs.asdict(row)) for row in found.rows],
            rows_salt=found.rows_salt.hex(),
            promises=list(found.promises),
            your_salt=found.salt.hex(),
            your_link=PersonLink.of(found.link),
            checkpoint=found.checkpoint,
            keys=list(found.keys),
            path=[each.hex() for each in found.path],
            since_path=None if found.since is None else [each.hex() for each in found.since],
        )


class Start(Answer, frozen=True, kw_only=True):
    """The start of a game with this `id`. Unless it `has_started`, players reveal their entropy
    first."""

    id: UUID
    has_started: bool

    @classmethod
    def of(cls, lobby: models.Lobby) -> Self:
        """Return how far the start of a lobby is."""
        has_started = lobby.status == models.Lobby.Status.STARTED
        return cls(id=terms_of(lobby).game, has_started=has_started)


class Opening(Answer, frozen=True, kw_only=True):
    """The entry of the public log that was made when the lobby opened, and that binds its game.

    The log knows the game by `name` only. `entry` is in hex, at `index` of the log, which is null
    for a second or two; `hash` is that of its leaf, which commitments cover. The entry covers the
    `salt`, the id of the `game` to come, the version and edition of its rules, its options as
    `options_text`, its other terms as `table_text`, and the seed hash. `abandoned` is the hash of
    the entry that ended the attempt before, if there was one.
    """

    name: UUID
    hash: str
    entry: str
    index: Count | None
    salt: str
    game: UUID
    rules_version: int
    edition: str
    options_text: str
    table_text: str
    abandoned: str | None

    @classmethod
    def of(cls, lobby: models.Lobby) -> Self:
        """Return the entry as all who may see the lobby know it."""
        terms = terms_of(lobby)
        entry = chain.opened_entry(terms)
        return cls(
            name=terms.name,
            hash=chain.entry_hash(entry).hex(),
            entry=entry.hex(),
            index=opened_index(lobby),
            salt=terms.salt,
            game=terms.game,
            rules_version=terms.rules_version,
            edition=terms.edition,
            options_text=bytes(terms.options).decode(),
            table_text=bytes(terms.table).decode(),
            abandoned=terms.abandoned,
        )


class Lobby(Answer, frozen=True, kw_only=True):
    """A lobby. `your_seat` is where you sit. Only players and the host receive the invite code.
    `version` counts the lobby's events. `teams` lists the seats that would play together if the
    game started now. `held` lists the seats reserved until `held_until`. `rematch` is the lobby of
    the next game at this table.

    `seed_hash` commits the server to the luck of the game; `seed` is published a second or two
    after the end of the game, or when it can no longer start. `opening` is what the public log says
    of the game to come. In a lobby that is `starting` the seats are frozen. `stage` says for what
    it waits until `starts_by`: for the log, which fixes all commitments (`committing`); for players
    to reveal their entropy (`revealing`); for the log and the game (`beginning`). `committed` is
    the hash of the log entry with the commitments; `your_reveal` is a signed receipt of your
    entropy. A full lobby that is open has `starts_by` if it waits for commitments. A `slow` lobby
    is closed if its game has not started by `fills_by`.
    """

    id: UUID
    version: Count
    title: str
    slug: str
    options: AnyOptions
    host: UUID
    visibility: LobbyVisibility
    spectators: LobbySpectators
    pace: LobbyPace
    vacations: bool
    fills_by: Moment | None
    absence: LobbyAbsence
    absence_s: int
    start_when_full: bool
    admits_bot_users: bool
    keys: bool
    bots_due_at: Moment | None
    capacity: int
    buy_in: Count
    prizes: list[int]
    status: LobbyStatus
    starts_by: Moment | None
    stage: LobbyStage
    committed: str | None
    seats: list[Seat]
    held: list[ReservedSeat]
    held_until: Moment | None
    teams: list[list[int]] | None
    your_seat: int | None
    your_reveal: str | None
    invite_code: str | None
    game: UUID | None
    rematch: UUID | None
    opening: Opening
    seed_hash: str
    seed: str | None
    created_at: Moment

    @classmethod
    def of(cls, lobby: models.Lobby, user: UUID | None) -> Self:
        """Return a lobby as this user, or an outsider, may see it. Expects what `in_full`
        fetches."""
        game: models.Game | None = getattr(lobby, "game", None)
        your_seat = seat_number(lobby, user)
        belongs = your_seat is not None or lobby.host_id == user
        return cls(
            **{name: getattr(lobby, name) for name in CHOSEN},
            id=lobby.id,
            version=lobby.version,
            host=lobby.host_id,
            fills_by=lobby.fills_by,
            bots_due_at=lobby.bots_due_at,
            status=lobby.status,
            starts_by=lobby.starts_by,
            stage=lobby.stage,
            committed=chain.entry_hash(bytes(lobby.committed)).hex() if lobby.committed else None,
            your_reveal=reveal_receipt(lobby, user),
            seats=[Seat.of(seat) for seat in lobby.seats.all()],
            held=[
                ReservedSeat(number=number, user=user_id) for number, user_id in lobby.held.items()
            ],
            held_until=lobby.held_until,
            teams=teams_of(lobby),
            your_seat=your_seat,
            invite_code=lobby.invite_code if belongs else None,
            game=None if game is None else game.id,
            rematch=lobby.rematch_id,
            opening=Opening.of(lobby),
            seed_hash=lobby.seed_hash,
            seed=disclosed_seed(lobby),
            created_at=lobby.created_at,
        )


CHOSEN: Final = frozenset(LobbyChoices.__struct_fields__) & frozenset(Lobby.__struct_fields__)
"""The choices of its host that a lobby shows."""


class BannedUser(Answer, frozen=True, kw_only=True):
    """A user whom the host banned."""

    user: UUID
    name: str

    @classmethod
    def of(cls, ban: models.Ban) -> Self:
        """Return a row as the host may see it."""
        return cls(user=ban.user_id, name=ban.user.display_name)


class MutedUser(Answer, frozen=True, kw_only=True):
    """A muted user; `by_operator` if only an operator can lift it."""

    user: UUID
    name: str
    by_operator: bool

    @classmethod
    def of(cls, mute: models.Mute) -> Self:
        """Return a row as the host may see it."""
        return cls(user=mute.user_id, name=mute.user.display_name, by_operator=mute.by_operator)


class LobbyEvents(Answer, frozen=True, kw_only=True):
    """Lobby events in order. Continue with `after` set to `next_after`; an empty list is the
    end."""

    events: list[LobbyEvent]
    next_after: Count
