"""The responses of the API, made from rows as one user may see them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Generic, Self, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta

from accounts import models as ledger
from accounts.models import User
from games import engine, models
from games.engine import AnyRules, chain
from games.live.hubs import Commit, Ended, seen_by, with_events
from games.lobbies import LobbyChoices, teams_of
from games.lobbies.attempts import reveal_receipt, terms_of
from games.lobbies.choices import AnyOptions
from games.play.service import Seen
from games.reads.changes import LobbyEvent
from games.reads.filters import BetOutcome
from games.reads.lobbies import opened_index
from games.store.loaded_games import LoadedGame
from games.store.registry import all_rules
from games.store.rows import StoredCommit
from games.transparency.tiles import Sealed, Witnessed
from kit.validation import Count, Moment


def _of_any_game(part: str) -> Meta:
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/Game{part}"})


def _one_of(values: Sequence[str]) -> Meta:
    return Meta(extra_json_schema={"enum": list(values)})


AnyCommand = Annotated[Any, _of_any_game("Command")]
RawCommand = Annotated[msgspec.Raw, _of_any_game("Command")]
AnyView = Annotated[Any, _of_any_game("View")]
AnyBook = Annotated[Any, _of_any_game("Book")]
LobbyStatus = Annotated[str, _one_of(models.Lobby.Status.values)]
LobbyVisibility = Annotated[str, _one_of(models.Lobby.Visibility.values)]
LobbyAbsence = Annotated[str, _one_of(models.Lobby.Absence.values)]
LobbySpectators = Annotated[str, _one_of(models.Lobby.Spectators.values)]
Signed = Annotated[int, Meta(ge=-(2**53 - 1), le=2**53 - 1)]

T = TypeVar("T")


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A response."""


class Page(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """One page of a list. `next` is the cursor of the following page; it is null on the last
    page."""

    items: list[T]
    next: str | None


class Title(Answer, frozen=True, kw_only=True):
    """The title of a game."""

    en: str
    fr: str


class SeatRange(Answer, frozen=True, kw_only=True):
    """The fewest and most seats of a game."""

    least: int
    most: int


class Rules(Answer, frozen=True, kw_only=True):
    """A game that can be played here. `unit` is the currency of its purses."""

    slug: str
    title: Title
    seats: SeatRange
    unit: str
    version: int

    @classmethod
    def of(cls, rules: AnyRules) -> Self:
        """Summarize the rules."""
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


class Seat(Answer, frozen=True, kw_only=True):
    """A seat and its player. A bot of the server has no user; a bot user has. A player who
    `commits` adds entropy, which stays secret until the start; `commitment` is that to it."""

    number: int
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
        name, is_bot = (
            (seat.bot_name, True)
            if seat.user is None
            else (seat.user.display_name, seat.user.is_bot)
        )
        return cls(
            number=seat.number,
            user=seat.user_id,
            name=name,
            is_bot=is_bot,
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


class Opening(Answer, frozen=True, kw_only=True):
    """The entry of the public log that was made when the lobby opened, and that binds its game.

    The log knows the game by `name` only. `entry` is in hex, at `index` of the log, which is null
    for a second or two; `hash` is that of its leaf, which commitments cover. The entry covers the
    `salt`, the id of the `game` to come, the version and edition of its rules, its options as
    `options_text`, and the seed hash. `abandoned` is the hash of the entry that ended the attempt
    before, if there was one.
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
            abandoned=terms.abandoned,
        )


class Lobby(Answer, frozen=True, kw_only=True):
    """A lobby. `your_seat` is where you sit. Only players and the host receive the invite code.
    `version` counts the lobby's events. `teams` lists the seats that would play together if the
    game started now. `held` lists the seats reserved until `held_until`. `rematch` is the lobby of
    the next game at this table.

    `seed_hash` commits the server to the luck of the game; `seed` is published a second or two
    after the end of the game, or when it can no longer start. `opening` is what the public log says
    of the game to come. A lobby that is `starting` waits until `starts_by` for players to reveal
    their entropy; `your_reveal` is a signed receipt of yours.
    """

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
    admits_bot_users: bool
    bots_due_at: Moment | None
    capacity: int
    buy_in: Count
    prizes: list[int]
    status: LobbyStatus
    starts_by: Moment | None
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
            bots_due_at=lobby.bots_due_at,
            status=lobby.status,
            starts_by=lobby.starts_by,
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


class Game(Answer, frozen=True, kw_only=True):
    """One playthrough. `ended` is empty while it runs; a stalled game waits for an operator to void
    it. `version` counts its commits. The public log knows the game
    by its `log_name`. `unit` is null if this server no longer has the rules."""

    id: UUID
    lobby: UUID
    log_name: UUID
    slug: str
    rules_version: int
    unit: str | None
    seats: list[Seat]
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
        """Return a game as this user may see it. Expects what `games_for` fetches."""
        rules = all_rules().get((game.slug, game.rules_version))
        return cls(
            id=game.id,
            lobby=game.lobby_id,
            log_name=game.log_name,
            slug=game.slug,
            rules_version=game.rules_version,
            unit=None if rules is None else rules.unit,
            seats=[Seat.of(seat) for seat in game.lobby.seats.all()],
            your_seat=seat_number(game.lobby, user.id),
            version=game.head.version,
            ended=game.head.ended,
            is_stalled=bool(game.head.stalled),
            started_at=game.started_at,
            ended_at=game.head.ended_at,
            seed_hash=game.lobby.seed_hash,
            seed=disclosed_seed(game.lobby),
            **more,
        )


class Result(Answer, frozen=True, kw_only=True):
    """The result of a game: seats by rank, best first, ties together; and one score per seat."""

    ranking: list[list[int]]
    scores: list[Signed]

    @classmethod
    def of(cls, loaded: LoadedGame) -> Self:
        """Return the result of a finished game."""
        result = loaded.rules.result(loaded.state)
        assert result is not None, "a finished game has a result"
        return cls(ranking=[list(rank) for rank in result.ranking], scores=list(result.scores))


class Genesis(Answer, frozen=True, kw_only=True):
    """A game before its first commit: its terms, its seats, and the entropy that players added.

    `text` is JSON as stored, and `hash` the first of the game's history, which covers it.
    """

    text: str
    hash: str

    @classmethod
    def of(cls, game: models.Game) -> Self:
        """Return what a game began with."""
        genesis = bytes(game.genesis)
        return cls(text=genesis.decode(), hash=chain.genesis_hash(genesis).hex())


class GameInFull(Game, frozen=True, kw_only=True):
    """One playthrough, with its result once it has ended."""

    result: Result | None


class ViewAtVersion(Answer, frozen=True, kw_only=True):
    """The view of your seat, or of a spectator (no seat), at a version. `next_at` is when the clock
    acts next, null if it awaits nothing; `now` is the server's time, or for a past version the time
    of its commit."""

    game: UUID
    version: Count
    seat: int | None
    ended: Ended
    next_at: Moment | None
    now: Moment
    view: AnyView

    @classmethod
    def of(cls, game: UUID, seat: engine.Seat | None, seen: Seen) -> Self:
        """Return the view of a seat, or of a spectator."""
        return cls(game=game, seat=seat, **seen._asdict())


class Views(Answer, frozen=True, kw_only=True):
    """Views of one seat, or of a spectator, at versions in order."""

    views: list[ViewAtVersion]


class LegalCommands(Answer, frozen=True, kw_only=True):
    """Commands that your seat may send at a version; `is_complete` if there are no others."""

    version: Count
    commands: list[AnyCommand]
    is_complete: bool


def commit_of_row(row: models.Commit, rules: AnyRules, viewer: engine.Seat | None) -> Commit:
    """Return a row as a seat, or a spectator, may read it."""
    stored = StoredCommit(
        row.game_id,
        row.version,
        row.seat,
        row.command_id,
        bytes(row.body),
        bytes(row.hash),
        row.at,
        row.next_at,
        "",
    )
    return seen_by(with_events(rules, stored), viewer)


class Committed(Commit, frozen=True, kw_only=True):
    """Your command, committed. `acknowledgement` is a signed note that says so, null unless you
    asked for it."""

    acknowledgement: str | None


class Commits(Answer, frozen=True, kw_only=True):
    """Commits in order. Continue with `after` set to `next_after`; an empty list means that you are
    at the head. `now` is the server's time."""

    commits: list[Commit]
    next_after: Count
    now: Moment

    @classmethod
    def of(cls, stored: Sequence[StoredCommit], viewer: engine.Seat | None, after: int) -> Self:
        """Return commits after a version as a seat, or a spectator, may read them."""
        commits = [seen_by(commit, viewer) for commit in stored]
        next_after = commits[-1].version if commits else after
        return cls(commits=commits, next_after=next_after, now=datetime.now(UTC))


class Bet(Answer, frozen=True, kw_only=True):
    """A bet and its outcome: the stake, the spot, the odds as shown, the commit that placed it
    (`version`) and the one that settled it. `payout` is what settling moved: positive to the seat,
    negative from it.

    The draws from `drawn_before` up to, not including, `drawn_until` fell between the two; they are
    published when the game has ended. Bets of the server's bots have no `user`.
    """

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
        """A row of `with_results`, whose columns stand in the order of these fields."""
        return cls(**dict(zip(cls.__struct_fields__, row, strict=True)))


class Account(Answer, frozen=True, kw_only=True):
    """One of your ledger accounts."""

    id: int
    key: str
    unit: str
    balance: Signed

    @classmethod
    def of(cls, account: ledger.Account) -> Self:
        """Return an account with its current balance."""
        return cls(id=account.id, key=account.key, unit=account.unit, balance=account.balance)


class Balance(Answer, frozen=True, kw_only=True):
    """The balance of an account at the requested version or moment."""

    account: int
    key: str
    unit: str
    balance: Signed

    @classmethod
    def of(cls, account: ledger.Account, balance: int) -> Self:
        """Return an account with an earlier balance."""
        return cls(account=account.id, key=account.key, unit=account.unit, balance=balance)


class Side(Answer, frozen=True, kw_only=True):
    """One side of a transfer: an account by its book (a game, lobby or user) and its key there."""

    book: UUID
    key: str

    @classmethod
    def of(cls, account: ledger.Account) -> Self:
        """Return an account without its balance."""
        return cls(book=account.book, key=account.key)


class Transfer(Answer, frozen=True, kw_only=True):
    """An amount moved from the debited to the credited account."""

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
    def of(cls, transfer: ledger.Transfer) -> Self:
        """Return a transfer. Expects both accounts fetched."""
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
    """A line of a file of transfers: a `Transfer` with the columns of both accounts."""

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


class OperatorAction(Answer, frozen=True, kw_only=True):
    """An operator's request: its subject and its reason."""

    id: int
    at: Moment
    operator: UUID
    action: str
    subject: str
    reason: str

    @classmethod
    def of(cls, action: models.OperatorAction) -> Self:
        """Return an action as it was requested."""
        return cls(
            id=action.id,
            at=action.at,
            operator=action.operator_id,
            action=action.action,
            subject=action.subject,
            reason=action.reason,
        )


class ArchivedMonth(Answer, frozen=True, kw_only=True):
    """A month, such as `2026-04`, whose histories are archived: how many games, and since when."""

    month: str
    games: Count
    archived_at: Moment

    @classmethod
    def of(cls, row: Any) -> Self:
        """Return a row of `archived_months`."""
        return cls(month=f"{row.month:%Y-%m}", games=row.count, archived_at=row.at)


class SeatProof(Answer, frozen=True, kw_only=True):
    """A proof that a user sat in a seat of a game: the salt (hex) that opens the commitment in the
    game's genesis."""

    game: UUID
    seat: int
    user: UUID
    salt: str


class LogWitness(Answer, frozen=True, kw_only=True):
    """A witness of the public log, run by somebody else, and the last checkpoint that it cosigned:
    how many entries it has, when it was cosigned, and the note with the cosignature. All three are
    null before the first.

    Ask the witness itself for its `key` before you demand it of files.
    """

    name: str
    key: str
    size: Count | None
    cosigned_at: Moment | None
    note: str | None

    @classmethod
    def of(cls, found: Witnessed) -> Self:
        """Return a configured witness."""
        return cls(
            name=found.witness.name,
            key=found.witness.text,
            size=None if found.last is None else found.last.checkpoint.size,
            cosigned_at=found.cosigned_at,
            note=None if found.last is None else found.last.note,
        )


class Checkpoint(Answer, frozen=True, kw_only=True):
    """A signed head of the public log: the note as signed, and its contents. `root` is hex; `keys`
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
