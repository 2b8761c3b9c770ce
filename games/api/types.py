"""What the API answers: one type per thing, made from its rows as one person may see it."""

from collections.abc import Sequence
from typing import Annotated, Any, Generic, Self, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta

from accounts.models import Account, Transfer, User
from games import models
from games.engine import AnyRules, Seat
from games.live.hubs import CommitRecord, Ended, record_of, seen_by
from games.lobbies import teams_of
from games.play.service import Seen
from games.reads.selectors import Happened
from games.store.commits import Record
from games.store.loaded_games import LoadedGame
from games.store.registry import all_rules
from games.transparency.tiles import Sealed
from kit.validation import Count, Moment


def _of_any_game(part: str) -> Meta:
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/Game{part}"})


def _one_of(values: Sequence[str]) -> Meta:
    return Meta(extra_json_schema={"enum": list(values)})


AnyOptions = Annotated[dict[str, Any], _of_any_game("Options")]
AnyCommand = Annotated[Any, _of_any_game("Command")]
RawCommand = Annotated[msgspec.Raw, _of_any_game("Command")]
AnyEvent = Annotated[Any, _of_any_game("Event")]
AnyView = Annotated[Any, _of_any_game("View")]
AnyBook = Annotated[Any, _of_any_game("Book")]
LobbyStatus = Annotated[str, _one_of(models.Lobby.Status.values)]
LobbyVisibility = Annotated[str, _one_of(models.Lobby.Visibility.values)]
LobbyAbsence = Annotated[str, _one_of(models.Lobby.Absence.values)]
LobbySpectators = Annotated[str, _one_of(models.Lobby.Spectators.values)]
BetOutcome = Annotated[str, _one_of(["open", *models.Settlement.Outcome.values])]
Signed = Annotated[int, Meta(ge=-(2**53 - 1), le=2**53 - 1)]

T = TypeVar("T")


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What travels back."""


class Page(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """Some of a list, in its order. `next` is the cursor of the page that follows; without it, this
    is the last."""

    items: list[T]
    next: str | None


class Title(Answer, frozen=True, kw_only=True):
    """What a game is called."""

    en: str
    fr: str


class SeatRange(Answer, frozen=True, kw_only=True):
    """How many may play."""

    least: int
    most: int


class Rules(Answer, frozen=True, kw_only=True):
    """A game that can be played here. `unit` is what its purses count."""

    slug: str
    title: Title
    seats: SeatRange
    unit: str
    version: int

    @classmethod
    def of(cls, rules: AnyRules) -> Self:
        """What a host wants to know first."""
        return cls(
            slug=rules.slug,
            title=Title(en=rules.title["en"], fr=rules.title["fr"]),
            seats=SeatRange(least=rules.seats[0], most=rules.seats[-1]),
            unit=rules.unit,
            version=rules.version,
        )


class RulesInFull(Rules, frozen=True, kw_only=True):
    """A game with the JSON Schema of its options, commands, events, views and book."""

    json_schema: dict[str, Any]


class SeatTaken(Answer, frozen=True, kw_only=True):
    """Who sits where. A bot that the server runs is nobody's: it has no user. A bot account is
    somebody's program, and has."""

    number: int
    user: UUID | None
    name: str
    is_bot: bool
    is_ready: bool

    @classmethod
    def of(cls, seat: models.Seat) -> Self:
        """As everybody at the table sees it."""
        name, is_bot = (
            (seat.bot_name, True)
            if seat.user is None
            else (seat.user.display_name, seat.user.is_bot)
        )
        return cls(
            number=seat.number, user=seat.user_id, name=name, is_bot=is_bot, is_ready=seat.ready
        )


def seat_number(lobby: models.Lobby, user: UUID | None) -> int | None:
    """Where a person sits, if they do. Expects the seats prefetched."""
    return next(
        (seat.number for seat in lobby.seats.all() if seat.user_id == user and user is not None),
        None,
    )


def seed_if_over(lobby: models.Lobby, game: models.Game | None) -> str | None:
    """The seed in hex, once nothing hangs on it any more."""
    over = game.head.ended if game is not None else lobby.status == models.Lobby.Status.CLOSED
    return bytes(lobby.seed).hex() if over else None


class SeatHeld(Answer, frozen=True, kw_only=True):
    """A free seat that is kept for somebody."""

    number: int
    user: UUID


class Lobby(Answer, frozen=True, kw_only=True):
    """A room before a game. `your_seat` is where the caller sits; only who sits here, or hosts, is
    told the invite code. `version` counts what has happened in it; `teams` are the seats that would
    play together if the game began now. `held` are free seats that are kept for somebody until
    `held_until`; `rematch` is the lobby of the next game at this table.

    `seed_hash` commits the server to the luck of the game; `seed` is told when the game is over, or
    will never be."""

    id: UUID
    version: Count
    title: str
    slug: str
    options: AnyOptions
    host: UUID
    visibility: LobbyVisibility
    spectators: LobbySpectators
    absence: LobbyAbsence
    absence_s: int
    start_when_full: bool
    admits_bot_accounts: bool
    bots_due_at: Moment | None
    capacity: int
    buy_in: Count
    prizes: list[int]
    status: LobbyStatus
    seats: list[SeatTaken]
    held: list[SeatHeld]
    held_until: Moment | None
    teams: list[list[int]] | None
    your_seat: int | None
    invite_code: str | None
    game: UUID | None
    rematch: UUID | None
    seed_hash: str
    seed: str | None
    created_at: Moment

    @classmethod
    def of(cls, lobby: models.Lobby, user: UUID | None) -> Self:
        """As this person sees it, or anybody who does not belong here. Expects what
        `selectors.in_full` fetches."""
        game: models.Game | None = getattr(lobby, "game", None)
        your_seat = seat_number(lobby, user)
        belongs = your_seat is not None or lobby.host_id == user
        return cls(
            id=lobby.id,
            version=lobby.version,
            title=lobby.title,
            slug=lobby.slug,
            options=lobby.options,
            host=lobby.host_id,
            visibility=lobby.visibility,
            spectators=lobby.spectators,
            absence=lobby.absence,
            absence_s=lobby.absence_s,
            start_when_full=lobby.start_when_full,
            admits_bot_accounts=lobby.admits_bot_accounts,
            bots_due_at=lobby.bots_due_at,
            capacity=lobby.capacity,
            buy_in=lobby.buy_in,
            prizes=lobby.prizes,
            status=lobby.status,
            seats=[SeatTaken.of(seat) for seat in lobby.seats.all()],
            held=[SeatHeld(number=number, user=user_id) for number, user_id in lobby.held.items()],
            held_until=lobby.held_until,
            teams=teams_of(lobby),
            your_seat=your_seat,
            invite_code=lobby.invite_code if belongs else None,
            game=None if game is None else game.id,
            rematch=lobby.rematch_id,
            seed_hash=lobby.seed_hash,
            seed=seed_if_over(lobby, game),
            created_at=lobby.created_at,
        )


class BannedPerson(Answer, frozen=True, kw_only=True):
    """Somebody whom the host lets neither sit down nor talk."""

    user: UUID
    name: str

    @classmethod
    def of(cls, ban: models.Ban) -> Self:
        """As the host sees it."""
        return cls(user=ban.user_id, name=ban.user.display_name)


class MutedPerson(Answer, frozen=True, kw_only=True):
    """Somebody who may not talk; until an operator lifts it, where it was `by_operator`."""

    user: UUID
    name: str
    by_operator: bool

    @classmethod
    def of(cls, mute: models.Mute) -> Self:
        """As the host sees it."""
        return cls(user=mute.user_id, name=mute.user.display_name, by_operator=mute.by_operator)


class RoomEvents(Answer, frozen=True, kw_only=True):
    """What happened in a room, in order. Ask for what comes after `next_after`; an empty list means
    that this is all."""

    events: list[Happened]
    next_after: Count


class Game(Answer, frozen=True, kw_only=True):
    """One playthrough. `ended` is empty while it goes on; a stalled game waits to be called off.

    `version` counts its commits. `unit` is missing when this server has its rules no more.
    """

    id: UUID
    lobby: UUID
    slug: str
    rules_version: int
    unit: str | None
    seats: list[SeatTaken]
    your_seat: int | None
    version: Count
    ended: Ended
    is_stalled: bool
    started_at: Moment
    ended_at: Moment | None
    seed_hash: str
    seed: str | None

    @classmethod
    def of(cls, game: models.Game, user: User, **more: Any) -> Self:
        """As this person sees it. Expects what `selectors.games_for` fetches."""
        rules = all_rules().get((game.slug, game.rules_version))
        return cls(
            id=game.id,
            lobby=game.lobby_id,
            slug=game.slug,
            rules_version=game.rules_version,
            unit=None if rules is None else rules.unit,
            seats=[SeatTaken.of(seat) for seat in game.lobby.seats.all()],
            your_seat=seat_number(game.lobby, user.id),
            version=game.head.version,
            ended=game.head.ended,
            is_stalled=bool(game.head.stalled),
            started_at=game.started_at,
            ended_at=game.head.ended_at,
            seed_hash=game.lobby.seed_hash,
            seed=seed_if_over(game.lobby, game),
            **more,
        )


class Result(Answer, frozen=True, kw_only=True):
    """How a game ended: seats by rank, best first, ties together; and one score per seat."""

    ranking: list[list[int]]
    scores: list[Signed]

    @classmethod
    def of(cls, loaded: LoadedGame) -> Self:
        """What a finished game came to."""
        result = loaded.rules.result(loaded.state)
        assert result is not None, "a finished game has a result"
        return cls(ranking=[list(rank) for rank in result.ranking], scores=list(result.scores))


class GameInFull(Game, frozen=True, kw_only=True):
    """One playthrough, with its result once it is finished."""

    result: Result | None


class ViewAtHead(Answer, frozen=True, kw_only=True):
    """What one's seat, or a spectator (no seat), sees at a version."""

    game: UUID
    version: Count
    seat: int | None
    ended: Ended
    view: AnyView

    @classmethod
    def of(cls, game: UUID, seat: Seat | None, seen: Seen) -> Self:
        """What this seat, or a spectator, sees of a game."""
        return cls(game=game, version=seen.version, seat=seat, ended=seen.ended, view=seen.view)


class LegalCommands(Answer, frozen=True, kw_only=True):
    """What one's seat may do at a version; `is_complete` when there is nothing else."""

    version: Count
    commands: list[AnyCommand]
    is_complete: bool


class Commit(Answer, frozen=True, kw_only=True):
    """An accepted command, or a word of the server: its events as the caller may read them, its
    hash in hex."""

    version: Count
    at: Moment
    hash: str
    events: list[AnyEvent]

    @classmethod
    def of(cls, record: CommitRecord, viewer: Seat | None) -> Self:
        """As this seat, or a spectator, may read it."""
        seen = seen_by(record, viewer)
        return cls(version=seen.version, at=seen.at, hash=seen.hash, events=list(seen.events))

    @classmethod
    def stored(cls, row: models.Commit, rules: AnyRules, viewer: Seat | None) -> Self:
        """A row as this seat, or a spectator, may read it."""
        record = Record(
            row.game_id,
            row.version,
            row.seat,
            row.command_id,
            bytes(row.body),
            bytes(row.hash),
            row.at,
            "",
        )
        return cls.of(record_of(rules, record), viewer)


class Commits(Answer, frozen=True, kw_only=True):
    """Commits in order. Ask for what comes after `next_after`; an empty list means that one is at
    the head."""

    commits: list[Commit]
    next_after: Count

    @classmethod
    def of(cls, records: Sequence[CommitRecord], viewer: Seat | None, after: int) -> Self:
        """The commits that follow a version, as this seat, or a spectator, may read them."""
        commits = [Commit.of(record, viewer) for record in records]
        return cls(commits=commits, next_after=commits[-1].version if commits else after)


class Bet(Answer, frozen=True, kw_only=True):
    """A bet and its fate: who put which stake on which spot, at which odds as shown, in which
    commit (`version`), and how it was settled, in which. `payout` is what settling moved: above
    zero to the seat, below zero from it.

    The draws numbered from `drawn_before` up to, not including, `drawn_until` fell between the two;
    this is told when the game has ended. A bot that the server runs is nobody's: its bets have no
    `user`."""

    game: UUID
    slug: str
    number: int
    user: UUID | None
    is_bot: bool
    seat: int
    spot: str
    stake: Count
    odds: str
    version: int
    placed_at: Moment
    outcome: BetOutcome
    payout: Signed | None
    settled_version: int | None
    settled_at: Moment | None
    drawn_before: Count | None
    drawn_until: Count | None

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Self:
        """A row of `selectors.with_fates`, whose columns stand in the order of these fields."""
        return cls(**dict(zip(cls.__struct_fields__, row, strict=True)))


class Wallet(Answer, frozen=True, kw_only=True):
    """An account of one's own."""

    id: int
    key: str
    unit: str
    balance: Signed

    @classmethod
    def of(cls, account: Account) -> Self:
        """What is there now."""
        return cls(id=account.id, key=account.key, unit=account.unit, balance=account.balance)


class Balance(Answer, frozen=True, kw_only=True):
    """What was in an account, at the version or the moment that was asked for."""

    account: int
    key: str
    unit: str
    balance: Signed

    @classmethod
    def of(cls, account: Account, balance: int) -> Self:
        """An account with its balance then."""
        return cls(account=account.id, key=account.key, unit=account.unit, balance=balance)


class Side(Answer, frozen=True, kw_only=True):
    """One side of a transfer: an account by its book (a game, a lobby, a person) and its key
    there."""

    book: UUID
    key: str

    @classmethod
    def of(cls, account: Account) -> Self:
        """Which account, not what is in it."""
        return cls(book=account.book, key=account.key)


class Moved(Answer, frozen=True, kw_only=True):
    """A transfer: so much, from the debited to the credited account."""

    id: int
    cause: UUID
    number: int
    position: int
    debit: Side
    credit: Side
    amount: Count
    unit: str
    reason: str
    at: Moment

    @classmethod
    def of(cls, transfer: Transfer) -> Self:
        """A transfer with both accounts fetched."""
        return cls(
            id=transfer.id,
            cause=transfer.cause,
            number=transfer.number,
            position=transfer.position,
            debit=Side.of(transfer.debit),
            credit=Side.of(transfer.credit),
            amount=transfer.amount,
            unit=transfer.debit.unit,
            reason=transfer.reason,
            at=transfer.at,
        )


class MovedLine(Answer, frozen=True, kw_only=True):
    """A transfer in a file: what `Moved` says, with the accounts side by side."""

    id: int
    cause: UUID
    number: int
    position: int
    debit_book: UUID
    debit_key: str
    credit_book: UUID
    credit_key: str
    amount: Count
    unit: str
    reason: str
    at: Moment


class OperatorAct(Answer, frozen=True, kw_only=True):
    """Something that an operator asked for: about what, and why."""

    id: int
    at: Moment
    operator: UUID
    act: str
    subject: str
    reason: str

    @classmethod
    def of(cls, act: models.OperatorAct) -> Self:
        """As it was asked."""
        return cls(
            id=act.id,
            at=act.at,
            operator=act.operator_id,
            act=act.act,
            subject=act.subject,
            reason=act.reason,
        )


class Checkpoint(Answer, frozen=True, kw_only=True):
    """A signed head of the log: the note as it was signed, and what it says. `root` is hex, `keys`
    are public."""

    origin: str
    size: Count
    root: str
    note: str
    keys: list[str]

    @classmethod
    def of(cls, sealed: Sealed, keys: list[str]) -> Self:
        head = sealed.checkpoint
        return cls(
            origin=head.origin, size=head.size, root=head.root.hex(), note=sealed.note, keys=keys
        )
