"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field


class AddressCode(Struct, kw_only=True):
    """What was mailed."""

    code: str


class Alive(Struct, kw_only=True):
    """All is well."""

    status: str = "ok"


class App(Struct, kw_only=True):
    """A program that one registered. It is known by its `client_id`, and has no secret."""

    client_id: str
    name: str
    redirect_uris: list[str]
    created_at: str


class Balance(Struct, kw_only=True):
    """What was in an account, at the version or the moment that was asked for."""

    account: int
    key: str
    unit: str
    balance: int


class Banned(Struct, kw_only=True, tag_field="type", tag="banned"):
    """Somebody may neither sit down nor talk here any more, whether or not they ever came."""

    user: str


class BannedPerson(Struct, kw_only=True):
    """Somebody whom the host lets neither sit down nor talk."""

    user: str
    name: str


class Bet(Struct, kw_only=True):
    """
    A bet and its fate: who put which stake on which spot, at which odds as shown, in which
    commit (`version`), and how it was settled, in which. `payout` is what settling moved: above
    zero to the seat, below zero from it.

    The draws numbered from `drawn_before` up to, not including, `drawn_until` fell between the two;
    this is told when the game has ended. A bot that the server runs is nobody's: its bets have no
    `user`.
    """

    game: str
    slug: str
    number: int
    user: str | None
    is_bot: bool
    seat: int
    spot: str
    stake: int
    odds: str
    version: int
    placed_at: str
    outcome: str
    payout: int | None
    settled_version: int | None
    settled_at: str | None
    drawn_before: int | None
    drawn_until: int | None


class BotAccount(Struct, kw_only=True):
    """
    A program of one's own that plays under a name of its own. Wherever it sits it is marked as a
    bot.
    """

    id: str
    display_name: str
    created_at: str


class BotName(Struct, kw_only=True):
    """How a bot account is called."""

    display_name: str


class BotToken(Struct, kw_only=True):
    """A token for a bot account: what it is called, what for it may be used, and for how long."""

    name: str
    scopes: list[Literal["lobby", "play", "read"]]
    days: int = 90


class Checkpoint(Struct, kw_only=True):
    """
    A signed head of the log: the note as it was signed, and what it says. `root` is hex, `keys`
    are public.
    """

    origin: str
    size: int
    root: str
    note: str
    keys: list[str]


class Credentials(Struct, kw_only=True):
    """Who asks for a token."""

    username: str
    password: str


class Farewell(Struct, kw_only=True):
    """The password of who goes; a guest has none."""

    password: str = ""


class Forgotten(Struct, kw_only=True, tag_field="type", tag="forgotten"):
    """Somebody said something here; what, and who, is not kept any more."""


class GameStarted(Struct, kw_only=True, tag_field="type", tag="game_started"):
    """The lobby became a game. Seats are numbered as the game numbers them."""

    game: str


class Happened(Struct, kw_only=True):
    """
    A numbered fact about a room. `name` is what its `user` is called now, if it has one: none is
    stored with it.
    """

    version: int
    at: str
    event: Any
    name: str | None


class Heir(Struct, kw_only=True):
    """Who is to host."""

    user: str


class HostChanged(Struct, kw_only=True, tag_field="type", tag="host_changed"):
    """Another person hosts the lobby."""

    user: str


class Invitation(Struct, kw_only=True):
    """How one takes a seat where one was invited."""

    invite_code: str
    entropy: str = ""


class LobbyClosed(Struct, kw_only=True, tag_field="type", tag="lobby_closed"):
    """Nobody is left: the lobby will not become a game."""


class LobbyOpened(Struct, kw_only=True, tag_field="type", tag="lobby_opened"):
    """Somebody opened the lobby and hosts it."""

    user: str


class Muted(Struct, kw_only=True, tag_field="type", tag="muted"):
    """Somebody may not talk here any more."""

    user: str


class MutedPerson(Struct, kw_only=True):
    """Somebody who may not talk; until an operator lifts it, where it was `by_operator`."""

    user: str
    name: str
    by_operator: bool


class NewAddress(Struct, kw_only=True):
    """The mail address to which a code goes."""

    email: str


class NewApp(Struct, kw_only=True):
    """
    A program that wants to ask people to let it act for them: its name, and the addresses where
    it takes their answers.

    They are https, or http on the machine where the program runs.
    """

    name: str
    redirect_uris: list[str]


class NewGuest(Struct, kw_only=True):
    """How a guest wants to be called; without a name, one is made up."""

    display_name: str | None = None


class NewLine(Struct, kw_only=True):
    """
    Something to say, under an id of the caller's choice. The same id is said once, however often
    it is sent.
    """

    id: str
    text: str


class NewLobby(Struct, kw_only=True):
    """
    What a host chooses. `prizes` weighs the ranks among which the buy-ins are shared; without
    `capacity`, the most that the game seats.

    An unlisted lobby is open to all who know its id, one by invitation to those who know its code.
    Without a seat one may do nothing at the game, `watch` it, or `talk` as well. Bots of the server
    take the seats that are free after `bots_after_s`; bot accounts, which are programs of people,
    sit down as people do where a lobby `admits_bot_accounts`. A game that is to `start_when_full`
    does so when nobody is awaited any more, and who sits down is ready. When the game awaits
    somebody who was gone for `absence_s`, it will `wait`; or a `bot` plays on until they return; or
    it plays on to the end, and the seat is to `forfeit` its share of the buy-ins.
    """

    slug: str
    options: Any = field(default_factory=dict)
    title: str = ""
    visibility: Literal["invite", "public", "unlisted"] = "public"
    spectators: Literal["none", "talk", "watch"] = "watch"
    absence: Literal["bot", "forfeit", "wait"] = "wait"
    absence_s: int = 60
    start_when_full: bool = False
    admits_bot_accounts: bool = True
    bots_after_s: int | None = None
    capacity: int | None = None
    buy_in: int = 0
    prizes: list[int] = field(default_factory=lambda: [100])
    entropy: str = ""


class NewPassword(Struct, kw_only=True):
    """Another password, by who knows the current one."""

    current: str
    new: str


class OperatorAct(Struct, kw_only=True):
    """Something that an operator asked for: about what, and why."""

    id: int
    at: str
    operator: str
    act: str
    subject: str
    reason: str


class PageBet(Struct, kw_only=True):
    """
    Some of a list, in its order. `next` is the cursor of the page that follows; without it, this
    is the last.
    """

    items: list[Bet]
    next: str | None


class PageOperatorAct(Struct, kw_only=True):
    """
    Some of a list, in its order. `next` is the cursor of the page that follows; without it, this
    is the last.
    """

    items: list[OperatorAct]
    next: str | None


class Person(Struct, kw_only=True):
    """Oneself. A guest has no username, nor has a bot account, which is told whose it is."""

    id: str
    username: str | None
    display_name: str
    is_guest: bool
    is_bot: bool
    owner: str | None


class PersonalToken(Struct, kw_only=True):
    """A token for a program: what it is called, what for it may be used, and for how long."""

    name: str
    scopes: list[Literal["admin", "audit", "lobby", "play", "read"]]
    days: int = 90


class Readiness(Struct, kw_only=True):
    """Whether one is ready to start."""

    ready: bool


class ReadinessSaid(Struct, kw_only=True, tag_field="type", tag="readiness_said"):
    """Somebody is ready to start, or is not any more."""

    seat: int
    ready: bool


class Registration(Struct, kw_only=True):
    """Who wants to be known here from now on."""

    username: str
    password: str
    display_name: str


class RematchOpened(Struct, kw_only=True, tag_field="type", tag="rematch_opened"):
    """
    Somebody who sat here opened another lobby for the same table, in which seats are kept for
    the others.
    """

    user: str
    lobby: str


class ResetCode(Struct, kw_only=True):
    """What was mailed, and the password from now on."""

    code: str
    password: str


class Result(Struct, kw_only=True):
    """How a game ended: seats by rank, best first, ties together; and one score per seat."""

    ranking: list[list[int]]
    scores: list[int]


class RoomEvents(Struct, kw_only=True):
    """
    What happened in a room, in order. Ask for what comes after `next_after`; an empty list means
    that this is all.
    """

    events: list[Happened]
    next_after: int


class Said(Struct, kw_only=True, tag_field="type", tag="said"):
    """Somebody said something, under an id of their choice."""

    user: str
    id: str
    text: str


class SatDown(Struct, kw_only=True, tag_field="type", tag="sat_down"):
    """A person took a seat, or a bot: then there is no user."""

    seat: int
    user: str | None


Scope: TypeAlias = Annotated[str, Meta(description="What a token may be used for.", title="Scope")]


class SeatHeld(Struct, kw_only=True):
    """A free seat that is kept for somebody."""

    number: int
    user: str


class SeatRange(Struct, kw_only=True):
    """How many may play."""

    least: int
    most: int


class SeatReleased(Struct, kw_only=True, tag_field="type", tag="seat_released"):
    """A seat is not kept for a person any more, who did not come."""

    seat: int
    user: str


class SeatTaken(Struct, kw_only=True):
    """
    Who sits where. A bot that the server runs is nobody's: it has no user. A bot account is
    somebody's program, and has.
    """

    number: int
    user: str | None
    name: str
    is_bot: bool
    is_ready: bool


class SeatsSwapped(Struct, kw_only=True, tag_field="type", tag="seats_swapped"):
    """Who sat in one of these seats sits in the other; one of them may have been empty."""

    seats: tuple[int, int]


class Side(Struct, kw_only=True):
    """
    One side of a transfer: an account by its book (a game, a lobby, a person) and its key
    there.
    """

    book: str
    key: str


class SitDown(Struct, kw_only=True):
    """How one takes a seat."""

    entropy: str = ""


class StoodUp(Struct, kw_only=True, tag_field="type", tag="stood_up"):
    """A seat is empty again, and why. A buy-in has gone back."""

    seat: int
    user: str | None
    reason: str


class Swap(Struct, kw_only=True):
    """Two seats that change places."""

    seats: tuple[int, int]


class Title(Struct, kw_only=True):
    """What a game is called."""

    en: str
    fr: str


class Token(Struct, kw_only=True):
    """
    A token that holds; `id` names it without giving it away. Sessions have no name, and every
    scope of their person.

    What was lent to an app is of the kind `app` and has its name; it ends at `expires_at` unless
    the app asks for more before.
    """

    id: str
    kind: str
    name: str
    scopes: list[Scope]
    created_at: str
    expires_at: str
    is_this_one: bool


class Unbanned(Struct, kw_only=True, tag_field="type", tag="unbanned"):
    """Somebody may come again."""

    user: str


class Unmuted(Struct, kw_only=True, tag_field="type", tag="unmuted"):
    """Somebody may talk here again."""

    user: str


class Wallet(Struct, kw_only=True):
    """An account of one's own."""

    id: int
    key: str
    unit: str
    balance: int


class WantedTable(Struct, kw_only=True):
    """What one would like to play. Without `capacity`, with as many as the game seats."""

    slug: str
    options: Any = field(default_factory=dict)
    capacity: int | None = None
    buy_in: int = 0
    entropy: str = ""


class Why(Struct, kw_only=True):
    """The reason. What is done to a game, its players read."""

    reason: str


GameBook: TypeAlias = Any


GameCommand: TypeAlias = Any


GameEvent: TypeAlias = Any


GameOptions: TypeAlias = Any


GameView: TypeAlias = Any


class ProblemDocument(Struct, kw_only=True):
    """
    Why a request was not carried out. `code` is stable, `data` is what a client needs to know
    about it.

    `version` is where the game stood when it refused.
    """

    type: str
    title: str
    status: int
    code: str
    version: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


HappenedEvent: TypeAlias = (
    LobbyOpened
    | SatDown
    | StoodUp
    | ReadinessSaid
    | SeatsSwapped
    | HostChanged
    | GameStarted
    | LobbyClosed
    | Said
    | Forgotten
    | Banned
    | Unbanned
    | Muted
    | Unmuted
    | RematchOpened
    | SeatReleased
)


class Commit(Struct, kw_only=True):
    """
    An accepted command, or a word of the server: its events as the caller may read them, its
    hash in hex.
    """

    version: int
    at: str
    hash: str
    events: list[GameEvent]


class Commits(Struct, kw_only=True):
    """
    Commits in order. Ask for what comes after `next_after`; an empty list means that one is at
    the head.
    """

    commits: list[Commit]
    next_after: int


class Game(Struct, kw_only=True):
    """
    One playthrough. `ended` is empty while it goes on; a stalled game waits to be called off.

    `version` counts its commits. `unit` is missing when this server has its rules no more.
    """

    id: str
    lobby: str
    slug: str
    rules_version: int
    unit: str | None
    seats: list[SeatTaken]
    your_seat: int | None
    version: int
    ended: str
    is_stalled: bool
    started_at: str
    ended_at: str | None
    seed_hash: str
    seed: str | None


class GameInFull(Struct, kw_only=True):
    """One playthrough, with its result once it is finished."""

    id: str
    lobby: str
    slug: str
    rules_version: int
    unit: str | None
    seats: list[SeatTaken]
    your_seat: int | None
    version: int
    ended: str
    is_stalled: bool
    started_at: str
    ended_at: str | None
    seed_hash: str
    seed: str | None
    result: Result | None


class LegalCommands(Struct, kw_only=True):
    """What one's seat may do at a version; `is_complete` when there is nothing else."""

    version: int
    commands: list[GameCommand]
    is_complete: bool


class Lobby(Struct, kw_only=True):
    """
    A room before a game. `your_seat` is where the caller sits; only who sits here, or hosts, is
    told the invite code. `version` counts what has happened in it; `teams` are the seats that would
    play together if the game began now. `held` are free seats that are kept for somebody until
    `held_until`; `rematch` is the lobby of the next game at this table.

    `seed_hash` commits the server to the luck of the game; `seed` is told when the game is over, or
    will never be.
    """

    id: str
    version: int
    title: str
    slug: str
    options: dict[str, Any]
    host: str
    visibility: str
    spectators: str
    absence: str
    absence_s: int
    start_when_full: bool
    admits_bot_accounts: bool
    bots_due_at: str | None
    capacity: int
    buy_in: int
    prizes: list[int]
    status: str
    seats: list[SeatTaken]
    held: list[SeatHeld]
    held_until: str | None
    teams: list[list[int]] | None
    your_seat: int | None
    invite_code: str | None
    game: str | None
    rematch: str | None
    seed_hash: str
    seed: str | None
    created_at: str


class Moved(Struct, kw_only=True):
    """A transfer: so much, from the debited to the credited account."""

    id: int
    cause: str
    number: int
    position: int
    debit: Side
    credit: Side
    amount: int
    unit: str
    reason: str
    at: str


class NewCommand(Struct, kw_only=True):
    """
    A command under an id of the caller's choice. The same id with the same command is carried
    out once and answered the same, however often it is sent; so send it again when an answer was
    lost.
    """

    id: str
    command: GameCommand


class NewPersonalToken(Struct, kw_only=True):
    """The text of a personal token, told this once, and what is known of it."""

    token: str
    about: Token


class NewToken(Struct, kw_only=True):
    """The token of a session, told this once, and whom it stands for."""

    token: str
    expires_at: str
    person: Person


class PageGame(Struct, kw_only=True):
    """
    Some of a list, in its order. `next` is the cursor of the page that follows; without it, this
    is the last.
    """

    items: list[Game]
    next: str | None


class PageLobby(Struct, kw_only=True):
    """
    Some of a list, in its order. `next` is the cursor of the page that follows; without it, this
    is the last.
    """

    items: list[Lobby]
    next: str | None


class PageMoved(Struct, kw_only=True):
    """
    Some of a list, in its order. `next` is the cursor of the page that follows; without it, this
    is the last.
    """

    items: list[Moved]
    next: str | None


class PageWallet(Struct, kw_only=True):
    """
    Some of a list, in its order. `next` is the cursor of the page that follows; without it, this
    is the last.
    """

    items: list[Wallet]
    next: str | None


class Rules(Struct, kw_only=True):
    """A game that can be played here. `unit` is what its purses count."""

    slug: str
    title: Title
    seats: SeatRange
    unit: str
    version: int


class RulesInFull(Struct, kw_only=True):
    """A game with the JSON Schema of its options, commands, events, views and book."""

    slug: str
    title: Title
    seats: SeatRange
    unit: str
    version: int
    json_schema: dict[str, Any]


class ViewAtHead(Struct, kw_only=True):
    """What one's seat, or a spectator (no seat), sees at a version."""

    game: str
    version: int
    seat: int | None
    ended: str
    view: GameView
