"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from railbird_client.types import Unknown, one_of


class Account(Struct, kw_only=True):
    """One of your ledger accounts."""

    id: int
    key: str
    unit: str
    balance: int


class AddressCode(Struct, kw_only=True):
    """The code that was mailed to the new address, and what proves the change."""

    code: str
    password: str = ""
    factor: str = ""
    mailed: str = ""


class Alive(Struct, kw_only=True):
    """The process responds."""

    status: str = "ok"


class App(Struct, kw_only=True):
    """An app that you registered. It is identified by its `client_id` and has no secret."""

    client_id: str
    name: str
    redirect_uris: list[str]
    created_at: str


class ArchivedMonth(Struct, kw_only=True):
    """A month, such as `2026-04`, whose histories are archived: how many games, and since when."""

    month: str
    games: int
    archived_at: str


class AttemptAbandoned(Struct, kw_only=True, tag_field="type", tag="attempt_abandoned"):
    """
    A start was given up after the seats were frozen: players commit again. `missing` are the
    seats that did not reveal their entropy in time. The log knows the next attempt by this name.
    """

    log_name: str
    missing: list[int]


class Balance(Struct, kw_only=True):
    """The balance of an account at the requested version or moment."""

    account: int
    key: str
    unit: str
    balance: int


class Banned(Struct, kw_only=True, tag_field="type", tag="banned"):
    """A user was banned from the lobby."""

    user: str


class BannedUser(Struct, kw_only=True):
    """A user whom the host banned."""

    user: str
    name: str


class Bet(Struct, kw_only=True):
    """
    A bet and its outcome: the stake, the spot, the odds as shown, the commit that placed it
    (`version`) and the one that settled it. `payout` is what settling moved: positive to the seat,
    negative from it.

    The draws from `drawn_before` up to, not including, `drawn_until` fell between the two; they are
    published when the game has ended. Bets of the server's bots have no `user`.
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


class BotName(Struct, kw_only=True):
    """The display name of a bot user."""

    display_name: str


class BotToken(Struct, kw_only=True):
    """A token for a bot user: its name, scopes and lifetime."""

    name: str
    scopes: list[Literal["lobby", "play", "read"]]
    days: int = 90


class BotUser(Struct, kw_only=True):
    """A user that a program of yours plays under. It is marked as a bot everywhere."""

    id: str
    display_name: str
    created_at: str


class ChangedWebhook(Struct, kw_only=True):
    """
    A change of a webhook. One with another address, or that `is_enabled` after it was disabled,
    is `unproved`.
    """

    url: str
    kinds: list[
        Literal[
            "bet_corrected",
            "deadline_near",
            "game_over",
            "game_starts",
            "seat_replaced",
            "seat_reserved",
            "table_full",
            "webhook_disabled",
            "your_turn",
        ]
    ] = field(default_factory=list)
    is_enabled: bool = True


class ColourChanged(Struct, kw_only=True, tag_field="type", tag="colour_changed"):
    """A seat has another colour: a place in `seat_colours` of the game's book."""

    seat: int
    colour: int


class CommandSignature(Struct, kw_only=True):
    """
    The signature of a command with the key of your seat. `head` and `hash` are a commit of the
    game that you know, and `until` is the last version that the command may become. The page on
    formats says which text you sign.
    """

    head: int
    hash: str
    until: int
    signature: str


class CommittedSeat(Struct, kw_only=True):
    """
    A seat as a start fixes it: `place` is its number in the lobby, `person` a commitment to its
    user, `commitment` that to entropy. A player with a `key` signs; `signature` is that of the
    seat. `link` joins the start to the user's one before.
    """

    place: int
    person: str | None
    key: str | None
    commitment: str | None
    signature: str | None
    link: str | None


class Credentials(Struct, kw_only=True):
    """A username and password, and a code of the second factor for users who have one."""

    username: str
    password: str
    factor: str = ""


class CurrentUser(Struct, kw_only=True):
    """The current user. Guests and bot users have no username; a bot user names its owner."""

    id: str
    username: str | None
    display_name: str
    is_guest: bool
    is_bot: bool
    owner: str | None


class DatabaseIdentity(Struct, kw_only=True):
    """
    The PostgreSQL server that this process uses: its system identifier and its timeline. Each
    failover begins a timeline.
    """

    system: str
    timeline: int


class Delivery(Struct, kw_only=True):
    """
    A notice on its way to a webhook: the one with this `number` of this `user`, or a `test`
    without a number. `state`: `waiting` until `due_at`, `sent`, `failed` after all attempts, or
    `lapsed` if nobody wanted it any more. `status` is that of the last answer, and `error` says how
    the last attempt failed.
    """

    id: int
    user: str
    number: int | None
    kind: str
    state: str
    at: str
    due_at: str | None
    attempts: int
    status: int | None
    error: str | None


class DeliveryRange(Struct, kw_only=True):
    """The deliveries from one id to another, both included."""

    first: int
    last: int


class DeviceCode(Struct, kw_only=True):
    """A code with which a guest moves to another device."""

    code: str


class EntropyCommitted(Struct, kw_only=True, tag_field="type", tag="entropy_committed"):
    """A seat committed to entropy; the commitment is in hex."""

    seat: int
    commitment: str


class EntropyRevealed(Struct, kw_only=True, tag_field="type", tag="entropy_revealed"):
    """A seat revealed its entropy, which is secret until the start."""

    seat: int


class FactorCode(Struct, kw_only=True):
    """A code of the authenticator app, or a recovery code."""

    code: str


class FactorSecret(Struct, kw_only=True):
    """A secret to enter into an authenticator app, in Base32, and the same as an address."""

    secret: str
    uri: str


class GameStarted(Struct, kw_only=True, tag_field="type", tag="game_started"):
    """The game started. Seats are numbered as the game numbers them."""

    game: str


class Genesis(Struct, kw_only=True):
    """
    A game before its first commit: its terms, its seats, and the entropy that players added.

    `text` is JSON as stored, and `hash` the first of the game's history, which covers it.
    """

    text: str
    hash: str


class Health(Struct, kw_only=True):
    """
    The state of the server. `late` names work that no worker has done in time: `clock` steps
    games, `sealer` writes the public log, `months` are the partitions of the next month, no game
    starts without all `witnesses`, and no commit is acknowledged without the synchronous `standby`,
    while none is connected. Late games continue when a worker is back. `diverged`
    counts games whose stored history is not the one that was signed, and `damaged` those of which a
    stored commit is damaged: they stay stalled. The oldest commit or start that is not in the log
    has waited for `seal_lag_s`. Without `valkey` games continue, clients learn of
    commits later, and rate limits are off.
    """

    status: str
    late: list[str]
    diverged: int
    damaged: int
    seal_lag_s: float
    valkey: bool
    database: DatabaseIdentity


class HostChanged(Struct, kw_only=True, tag_field="type", tag="host_changed"):
    """Another user became the host."""

    user: str


class Invitation(Struct, kw_only=True):
    """A request for a seat by invite code. `commits` as in SitDown."""

    invite_code: str
    commits: bool = False


class LobbyClosed(Struct, kw_only=True, tag_field="type", tag="lobby_closed"):
    """The lobby closed without a game because its last player left."""


class LobbyEvent(Struct, kw_only=True):
    """A numbered event of a lobby. `name` is the current display name of its `user`, if any."""

    version: int
    at: str
    event: LobbyEventEvent | Unknown | Any
    name: str | None

    def __post_init__(self) -> None:
        self.event = one_of(self.event, LobbyEventEvent)


class LobbyEvents(Struct, kw_only=True):
    """
    Lobby events in order. Continue with `after` set to `next_after`; an empty list is the
    end.
    """

    events: list[LobbyEvent]
    next_after: int


class LobbyOpened(Struct, kw_only=True, tag_field="type", tag="lobby_opened"):
    """The lobby was created; `user` hosts it."""

    user: str


class LogSigner(Struct, kw_only=True):
    """An entry of the log, in hex, that names a key of acknowledgements or ends it; its proof."""

    entry: str
    index: int
    path: list[str]


class LogWitness(Struct, kw_only=True):
    """
    A witness of the public log, run by somebody else, and the last checkpoint that it cosigned:
    how many entries it has, when it was cosigned, and the note with the cosignature. All three are
    null before the first.

    Ask the witness itself for its `key` before you demand it of files.
    """

    name: str
    key: str
    size: int | None
    cosigned_at: str | None
    note: str | None


class MessageErased(Struct, kw_only=True, tag_field="type", tag="message_erased"):
    """A chat message whose text and author are no longer stored."""


class MessageHidden(Struct, kw_only=True, tag_field="type", tag="message_hidden"):
    """
    A chat message to a team to which the reader did not belong, or an event that this server
    cannot read.
    """


class MessageSent(Struct, kw_only=True, tag_field="type", tag="message_sent"):
    """A user sent a chat message, under an id of their choice, to everyone or to their team."""

    user: str
    id: str
    text: str
    audience: str = "everyone"


class Muted(Struct, kw_only=True, tag_field="type", tag="muted"):
    """A user was muted in this lobby."""

    user: str


class MutedUser(Struct, kw_only=True):
    """A muted user; `by_operator` if only an operator can lift it."""

    user: str
    name: str
    by_operator: bool


class NewAddress(Struct, kw_only=True):
    """The e-mail address that receives a code."""

    email: str


class NewApp(Struct, kw_only=True):
    """
    An app that will request access to users: its name, and the redirect URIs that receive their
    answers: https, or http on the app's own machine.
    """

    name: str
    redirect_uris: list[str]


class NewCommitment(Struct, kw_only=True):
    """
    Your commitment to 32 random bytes of entropy: SHA-256 over `entropy`, a zero byte, the hash
    of the lobby's opening (`opened`), the number of your seat in 2 bytes, and the entropy.

    With a `key` (Ed25519), you sign every command of the game, and the seat first: `signature` is
    that of the text on the page on formats.
    """

    opened: str
    commitment: str
    key: str | None = None
    signature: str | None = None


class NewFactor(Struct, kw_only=True):
    """A code of the authenticator app that has the secret, and what proves the change."""

    code: str
    password: str = ""
    factor: str = ""
    mailed: str = ""


class NewGuest(Struct, kw_only=True):
    """The display name of a guest; without one, the server makes one up."""

    display_name: str | None = None


class NewHost(Struct, kw_only=True):
    """The user who becomes the host."""

    user: str


class NewMessage(Struct, kw_only=True):
    """
    A chat message under an id chosen by the client. A message with the same id is sent once.
    With the audience `team`, only those who play in your team now receive it.
    """

    id: str
    text: str
    audience: Literal["everyone", "team"] = "everyone"


class NewPassword(Struct, kw_only=True):
    """
    The new password, and what proves the change: the current one, or a code of the second
    factor. `mailed` is a code from `ask_for_proof_code`.
    """

    new: str
    current: str = ""
    factor: str = ""
    mailed: str = ""


class NewPushSubscription(Struct, kw_only=True):
    """A subscription as a browser made it: its `endpoint`, and its keys `p256dh` and `auth`."""

    url: str
    p256dh: str
    auth: str


class NewReveal(Struct, kw_only=True):
    """
    The entropy to which you have committed. `committed` is the hash of the log entry with all
    commitments, which you have checked before.
    """

    committed: str
    entropy: str


class NewTitle(Struct, kw_only=True):
    """The new title of a lobby, and the reason."""

    reason: str
    title: str


class NewToken(Struct, kw_only=True):
    """The token of a new session, shown only once, and its user."""

    token: str
    expires_at: str
    user: CurrentUser


class NewVacation(Struct, kw_only=True):
    """A vacation, which starts a day from now at the earliest."""

    starts_at: str
    ends_at: str


class NewWebhook(Struct, kw_only=True):
    """
    A webhook: an `https` address, the kinds of notices that it receives (all, if there are
    none), and the `client_id` of your app, if it is for the people who use it.
    """

    url: str
    kinds: list[
        Literal[
            "bet_corrected",
            "deadline_near",
            "game_over",
            "game_starts",
            "seat_replaced",
            "seat_reserved",
            "table_full",
            "webhook_disabled",
            "your_turn",
        ]
    ] = field(default_factory=list)
    app: str | None = None


class Notice(Struct, kw_only=True):
    """
    Something that happened to you, at a table of the game `slug`. Your notices are numbered
    without gaps; those that are older than the operator keeps them are deleted, from the first on.

    `your_turn`: a slow game waits for your decision until `due_at`. `deadline_near`: a quarter of
    the time is left. `table_full`: all seats of the lobby are taken. `game_starts`: the game has
    started. `game_over`: the game has `ended`; `rank` is yours, from 1, and `payout` what you
    received of the buy-ins, null without any. `bet_corrected`: an operator voided your settled
    `bet`, whose payout is now `payout`. `seat_replaced`: a bot plays your `seat`. `seat_reserved`:
    a seat in the lobby of a rematch is reserved for you. `webhook_disabled`: the server sends no
    more to your `webhook`, which failed for five days or answered that it is gone.
    """

    number: int
    kind: str
    at: str
    lobby: str | None = None
    game: str | None = None
    slug: str | None = None
    seat: int | None = None
    due_at: str | None = None
    ended: str | None = None
    rank: int | None = None
    bet: int | None = None
    payout: int | None = None
    webhook: str | None = None


class NoticeChoice(Struct, kw_only=True):
    """The channels on which you want notices of a kind. Without `inbox` you get none at all."""

    kind: str
    channels: list[str]


class Notices(Struct, kw_only=True):
    """
    Notices after a number, oldest first. `first` is the first that the server keeps, `last` the
    newest, and `read` the last that you marked as read.
    """

    first: int
    last: int
    read: int
    notices: list[Notice]


class Opening(Struct, kw_only=True):
    """
    The entry of the public log that was made when the lobby opened, and that binds its game.

    The log knows the game by `name` only. `entry` is in hex, at `index` of the log, which is null
    for a second or two; `hash` is that of its leaf, which commitments cover. The entry covers the
    `salt`, the id of the `game` to come, the version and edition of its rules, its options as
    `options_text`, its other terms as `table_text`, and the seed hash. `abandoned` is the hash of
    the entry that ended the attempt before, if there was one.
    """

    name: str
    hash: str
    entry: str
    index: int | None
    salt: str
    game: str
    rules_version: int
    edition: str
    options_text: str
    table_text: str
    abandoned: str | None


class OperatorAction(Struct, kw_only=True):
    """An operator's request: its subject and its reason."""

    id: int
    at: str
    operator: str
    action: str
    subject: str
    reason: str


class PageAccount(Struct, kw_only=True):
    """
    One page of a list. `next` is the cursor of the following page; it is null on the last
    page. A page of bets may be short before the last. A page from a replica has everything that was
    committed before `as_of`, and perhaps more; without it the page is current.
    """

    items: list[Account]
    next: str | None
    as_of: str | None = None


class PageBet(Struct, kw_only=True):
    """
    One page of a list. `next` is the cursor of the following page; it is null on the last
    page. A page of bets may be short before the last. A page from a replica has everything that was
    committed before `as_of`, and perhaps more; without it the page is current.
    """

    items: list[Bet]
    next: str | None
    as_of: str | None = None


class PageOperatorAction(Struct, kw_only=True):
    """
    One page of a list. `next` is the cursor of the following page; it is null on the last
    page. A page of bets may be short before the last. A page from a replica has everything that was
    committed before `as_of`, and perhaps more; without it the page is current.
    """

    items: list[OperatorAction]
    next: str | None
    as_of: str | None = None


class PersonLink(Struct, kw_only=True):
    """
    A start of a user, the `count`th with abandoned ones: `opened` is the hash of the log entry
    that opened it. With `salt` and `previous`, the link of the start before, it opens the link in
    the user's row; all bytes are in hex.
    """

    game: str
    opened: str
    count: int
    previous: str
    salt: str


class PersonalToken(Struct, kw_only=True):
    """A token for a program: its name, scopes and lifetime."""

    name: str
    scopes: list[Literal["admin", "audit", "lobby", "play", "read"]]
    days: int = 90


class ProofOfUser(Struct, kw_only=True):
    """
    The user's password, or a code of the second factor; guests have neither. `mailed` is a code
    from `ask_for_proof_code`.
    """

    password: str = ""
    factor: str = ""
    mailed: str = ""


class PushKey(Struct, kw_only=True):
    """
    The `applicationServerKey` with which a browser subscribes; null on a server that sends no
    Web Push. Subscribe again when it changes.
    """

    key: str | None


class PushSubscription(Struct, kw_only=True):
    """A browser that receives your notices, and the server's key with which it subscribed."""

    id: str
    url: str
    key: str
    created_at: str


class ReadUpTo(Struct, kw_only=True):
    """The last notice that you have read."""

    number: int


class Readiness(Struct, kw_only=True):
    """Whether you are ready to start."""

    ready: bool


class ReadyChanged(Struct, kw_only=True, tag_field="type", tag="ready_changed"):
    """A seat became ready to start, or is no longer ready."""

    seat: int
    ready: bool


class RecoveryCodes(Struct, kw_only=True):
    """Codes that each replace a code of the app once. They are shown only once."""

    recovery_codes: list[str]


class Registration(Struct, kw_only=True):
    """The username, password and display name of a new user."""

    username: str
    password: str
    display_name: str


class RematchOpened(Struct, kw_only=True, tag_field="type", tag="rematch_opened"):
    """A player created a lobby for a rematch, with seats reserved for the other players."""

    user: str
    lobby: str


class ReservedSeat(Struct, kw_only=True):
    """A free seat that is reserved for a user."""

    number: int
    user: str


class ResetCode(Struct, kw_only=True):
    """The code from the e-mail, the new password, and perhaps a code of the second factor."""

    code: str
    password: str
    factor: str = ""


class Result(Struct, kw_only=True):
    """The result of a game: seats by rank, best first, ties together; and one score per seat."""

    ranking: list[list[int]]
    scores: list[int]


Scope: TypeAlias = Annotated[str, Meta(description="A permission of an access token.")]


class Seat(Struct, kw_only=True):
    """
    A seat and its player. A bot of the server has no user; a bot user has. A player who
    `commits` adds entropy, which stays secret until the start; `commitment` is that to it. `colour`
    is a place in `seat_colours` of the game's book.
    """

    number: int
    colour: int
    user: str | None
    name: str
    is_bot: bool
    is_ready: bool
    commits: bool
    commitment: str | None
    has_revealed: bool


class SeatLeft(Struct, kw_only=True, tag_field="type", tag="seat_left"):
    """A seat became free, for this reason. Its buy-in was returned."""

    seat: int
    user: str | None
    reason: str


class SeatProof(Struct, kw_only=True):
    """
    A proof that a user sat in a seat of a game: the salt (hex) that opens the commitment in the
    game's genesis.
    """

    game: str
    seat: int
    user: str
    salt: str


class SeatRange(Struct, kw_only=True):
    """The fewest and most seats of a game."""

    least: int
    most: int


class SeatReleased(Struct, kw_only=True, tag_field="type", tag="seat_released"):
    """A seat is no longer reserved for a user who did not return."""

    seat: int
    user: str


class SeatTaken(Struct, kw_only=True, tag_field="type", tag="seat_taken"):
    """A user took a seat; without a user, a bot did."""

    seat: int
    user: str | None


class SeatsSwapped(Struct, kw_only=True, tag_field="type", tag="seats_swapped"):
    """Two seats swapped places; one of them may have been empty."""

    seats: tuple[int, int]


class SentAgain(Struct, kw_only=True):
    """
    How many deliveries are sent again, 1000 at most. For the rest, call it again with the id
    after `last`, the last of them, as `first`, until there are none.
    """

    count: int
    last: int | None


class Side(Struct, kw_only=True):
    """One side of a transfer: an account by its book (a game, lobby or user) and its key there."""

    book: str
    key: str


class SitDown(Struct, kw_only=True):
    """
    A request for a seat. With `commits`, you will commit to entropy, and the start waits for
    it.
    """

    commits: bool = False


class Start(Struct, kw_only=True):
    """
    The start of a game with this `id`. Unless it `has_started`, players reveal their entropy
    first.
    """

    id: str
    has_started: bool


class StartDue(Struct, kw_only=True, tag_field="type", tag="start_due"):
    """
    The start waits, until this time at most: for commitments of players while the `stage` is
    empty; for the log, which fixes all seats and commitments (`committing`); for players who reveal
    their entropy (`revealing`); for the log and the game (`beginning`). Without a time, the lobby
    waits for players again.
    """

    by: str | None
    stage: str


class Suspension(Struct, kw_only=True):
    """When the suspension ends, and the reason. Without an end, it ends now."""

    reason: str
    until: str | None


class Swap(Struct, kw_only=True):
    """Two seats to swap."""

    seats: tuple[int, int]


class Title(Struct, kw_only=True):
    """The title of a game."""

    en: str
    fr: str


class TitleChanged(Struct, kw_only=True, tag_field="type", tag="title_changed"):
    """An operator changed the title of the lobby."""

    title: str


class Token(Struct, kw_only=True):
    """
    A valid token. Sessions have no name and hold every scope of their user.

    Access granted to an app has the kind `app` and the app's name; it ends at `expires_at` unless
    the app refreshes it.
    """

    id: str
    kind: str
    name: str
    scopes: list[Scope]
    created_at: str
    expires_at: str
    is_this_one: bool


class Transfer(Struct, kw_only=True):
    """An amount moved from the debited to the credited account."""

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


class Unbanned(Struct, kw_only=True, tag_field="type", tag="unbanned"):
    """A ban was lifted."""

    user: str


class Unmuted(Struct, kw_only=True, tag_field="type", tag="unmuted"):
    """A user was unmuted in this lobby."""

    user: str


class Vacation(Struct, kw_only=True):
    """A time in which slow tables that allow vacations do not go on without you."""

    id: str
    starts_at: str
    ends_at: str


class Wanted(Struct, kw_only=True):
    """A kind of notices, and the channels on which you want it. Without `inbox` you get none."""

    kind: Literal[
        "bet_corrected",
        "deadline_near",
        "game_over",
        "game_starts",
        "seat_replaced",
        "seat_reserved",
        "table_full",
        "webhook_disabled",
        "your_turn",
    ]
    channels: list[Literal["inbox", "mail", "push"]]


class WayBack(Struct, kw_only=True):
    """
    The code from the e-mail, and the password or a code of the second factor from before.
    Users who had neither send the token of a session that just signed in at the provider.
    """

    code: str
    password: str = ""
    factor: str = ""
    session: str = ""


class Webhook(Struct, kw_only=True):
    """
    An address to which the server posts notices of `kinds`, of all if there are none: yours and
    those of your bot users, or those of the people who granted your `app` the scope `notices`.

    `disabled` says why the server sends nothing: `unproved` until a test succeeds, `by_user`,
    `gone` after an answer with status 410, `failing` after five days without a success.
    `failing_since` is the first failure after the last success. Tests do not count.
    """

    id: str
    url: str
    kinds: list[str]
    app: str | None
    created_at: str
    disabled: str | None
    failing_since: str | None


class WebhookSecret(Struct, kw_only=True):
    """The secret that signs what a webhook receives. It is shown only once."""

    id: str
    secret: str


class Why(Struct, kw_only=True):
    """The reason. The players of a game read it."""

    reason: str


GameBook: TypeAlias = Any


GameCommand: TypeAlias = Any


GameEvent: TypeAlias = Any


GameOptions: TypeAlias = Any


GameView: TypeAlias = Any


class ProblemDocument(Struct, kw_only=True):
    """
    An error response. `code` is stable; `data` has the details that a client needs, and `detail`
    says them in a sentence.

    `version` is the version of the game that rejected a command. `request_id` is that of the header
    `X-Request-ID`, by which operators find the request in their logs.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str | None = None
    version: int | None = None
    request_id: str | None = None
    data: dict[str, Any] = field(default_factory=dict)


LobbyEventEvent: TypeAlias = (
    LobbyOpened
    | SeatTaken
    | SeatLeft
    | ReadyChanged
    | SeatsSwapped
    | ColourChanged
    | EntropyCommitted
    | EntropyRevealed
    | StartDue
    | AttemptAbandoned
    | HostChanged
    | GameStarted
    | LobbyClosed
    | TitleChanged
    | MessageSent
    | MessageHidden
    | MessageErased
    | Banned
    | Unbanned
    | Muted
    | Unmuted
    | RematchOpened
    | SeatReleased
)


class Checkpoint(Struct, kw_only=True):
    """
    A signed head of the public log: the note as signed, and its contents. `root` is hex; `keys`
    are public. `signers` name the keys of acknowledgements. `since_path` proves that the log
    continues that of `since` entries.
    """

    origin: str
    size: int
    root: str
    note: str
    keys: list[str]
    signers: list[LogSigner]
    since_path: list[str] | None


class Commit(Struct, kw_only=True):
    """
    An accepted command, or a commit by the server: its events as you may read them, and its hash
    in hex. `next_at` is when the clock acts next after it, null if it awaits nothing.
    """

    version: int
    at: str
    next_at: str | None
    hash: str
    events: list[GameEvent]


class Commitments(Struct, kw_only=True):
    """
    The log entry that fixes all seats and commitments of a start; all bytes are in hex.

    `entry` is at `index` of the log, and `hash` that of its leaf. It covers the `rows` with
    `rows_salt` and the `promises` of witnesses; `your_salt` opens the commitment to you, and
    `your_link` the link of your seat. `path`
    proves the entry under the `checkpoint`, which `keys` signed, and `since_path` that this
    continues the one you named.
    """

    hash: str
    entry: str
    index: int
    rows: list[CommittedSeat]
    rows_salt: str
    promises: list[str]
    your_salt: str
    your_link: PersonLink
    checkpoint: str
    keys: list[str]
    path: list[str]
    since_path: list[str] | None


class Commits(Struct, kw_only=True):
    """
    Commits in order. Continue with `after` set to `next_after`; an empty list means that you are
    at the head. `now` is the server's time.
    """

    commits: list[Commit]
    next_after: int
    now: str


class Committed(Struct, kw_only=True):
    """
    Your command, committed. `acknowledgement` is a signed note that says so, null unless you
    asked for it.
    """

    version: int
    at: str
    next_at: str | None
    hash: str
    events: list[GameEvent]
    acknowledgement: str | None


class Game(Struct, kw_only=True):
    """
    One playthrough. `ended` is empty while it runs; a stalled game waits for an operator to void
    it. Of a slow game, `awaits_you` says whether it waits for your decision, which it does until
    `due_at`, and `agreed` are the seats whose players agree to void it. `forfeited` are the
    seats that bots play to the end, because their players resigned or stayed away. `version` counts
    its commits. The public log knows the game by its `log_name`. `unit` is null if this server no
    longer has the rules.
    """

    id: str
    lobby: str
    log_name: str
    slug: str
    rules_version: int
    unit: str | None
    seats: list[Seat]
    your_seat: int | None
    version: int
    ended: str
    is_stalled: bool
    pace: str
    awaits_you: bool
    due_at: str | None
    agreed: list[int]
    forfeited: list[int]
    started_at: str
    ended_at: str | None
    seed_hash: str
    seed: str | None


class GameInFull(Struct, kw_only=True):
    """
    One playthrough, with its result once it has ended. `dice_of_server`: the server chose the
    dice alone, because neither players nor witnesses added to them.
    """

    id: str
    lobby: str
    log_name: str
    slug: str
    rules_version: int
    unit: str | None
    seats: list[Seat]
    your_seat: int | None
    version: int
    ended: str
    is_stalled: bool
    pace: str
    awaits_you: bool
    due_at: str | None
    agreed: list[int]
    forfeited: list[int]
    started_at: str
    ended_at: str | None
    seed_hash: str
    seed: str | None
    result: Result | None
    dice_of_server: bool


class LegalCommands(Struct, kw_only=True):
    """Commands that your seat may send at a version; `is_complete` if there are no others."""

    version: int
    commands: list[GameCommand]
    is_complete: bool


class Lobby(Struct, kw_only=True):
    """
    A lobby. `your_seat` is where you sit. Only players and the host receive the invite code.
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

    id: str
    version: int
    title: str
    slug: str
    options: GameOptions
    host: str
    visibility: str
    spectators: str
    pace: str
    vacations: bool
    fills_by: str | None
    absence: str
    absence_s: int
    start_when_full: bool
    admits_bot_users: bool
    keys: bool
    bots_due_at: str | None
    capacity: int
    buy_in: int
    prizes: list[int]
    status: str
    starts_by: str | None
    stage: str
    committed: str | None
    seats: list[Seat]
    held: list[ReservedSeat]
    held_until: str | None
    teams: list[list[int]] | None
    your_seat: int | None
    your_reveal: str | None
    invite_code: str | None
    game: str | None
    rematch: str | None
    opening: Opening
    seed_hash: str
    seed: str | None
    created_at: str


class NewCommand(Struct, kw_only=True):
    """
    A command under an id chosen by the client.

    The same id with the same command is carried out once and returns the same response, so send it
    again when a response was lost. It is not carried out after `not_after`, a time of the server's
    database clock: from then on the response is final. With `acknowledge` the response contains a
    signed acknowledgement, which proves what the server accepted. A player who committed with a
    `key` has `signed` every command.
    """

    id: str
    command: GameCommand
    signed: CommandSignature | None = None
    not_after: str | None = None
    acknowledge: bool = False


class NewLobby(Struct, kw_only=True):
    """
    The choices of a host. `prizes` weighs the ranks that share the buy-ins, best first; weights
    never rise. Without `capacity`, the lobby seats as many as the game allows.

    An unlisted lobby is open to all who know its id, an invite-only one to those who know its code.
    Spectators see nothing (`none`), may `watch`, or may also `chat`. Free seats are filled by bots
    after `bots_after_s`; bot users, which are programs of users, may join if `admits_bot_users`.
    With `start_when_full` the game starts by itself, and players are ready when they sit down. When
    the game awaits a player who was gone for `absence_s`, it will `wait`; or a `bot` plays until
    they return; or a bot plays to the end and the seat will `forfeit` its share of the buy-ins. The
    default, null, is `forfeit` with a buy-in, which allows nothing else, and `wait` without one.

    A game of the `slow` pace is played over days: the options limit each decision to between an
    hour and 14 days (`x-presets` in their schema), nobody needs to be present, seats last until
    they are left, and a player is absent whose own time has passed. With `vacations`, time does not
    pass while all whom the game awaits are on vacation.

    `id` is chosen by the client: requests with the same id create one lobby. `commits` as in
    SitDown.
    """

    slug: str
    options: GameOptions = field(default_factory=dict)
    capacity: int | None = None
    buy_in: int = 0
    pace: Literal["live", "slow"] = "live"
    vacations: bool = False
    prizes: list[int] = field(default_factory=lambda: [100])
    absence: Literal["bot", "forfeit", "wait"] | None = None
    absence_s: int = 60
    title: str = ""
    visibility: Literal["invite", "public", "unlisted"] = "public"
    spectators: Literal["chat", "none", "watch"] = "watch"
    start_when_full: bool = False
    admits_bot_users: bool = True
    keys: bool = False
    bots_after_s: int | None = None
    id: str | None = None
    commits: bool = False


class NewPersonalToken(Struct, kw_only=True):
    """The text of a personal token, shown only once, and its description."""

    token: str
    about: Token


class PageGame(Struct, kw_only=True):
    """
    One page of a list. `next` is the cursor of the following page; it is null on the last
    page. A page of bets may be short before the last. A page from a replica has everything that was
    committed before `as_of`, and perhaps more; without it the page is current.
    """

    items: list[Game]
    next: str | None
    as_of: str | None = None


class PageLobby(Struct, kw_only=True):
    """
    One page of a list. `next` is the cursor of the following page; it is null on the last
    page. A page of bets may be short before the last. A page from a replica has everything that was
    committed before `as_of`, and perhaps more; without it the page is current.
    """

    items: list[Lobby]
    next: str | None
    as_of: str | None = None


class PageTransfer(Struct, kw_only=True):
    """
    One page of a list. `next` is the cursor of the following page; it is null on the last
    page. A page of bets may be short before the last. A page from a replica has everything that was
    committed before `as_of`, and perhaps more; without it the page is current.
    """

    items: list[Transfer]
    next: str | None
    as_of: str | None = None


class Rules(Struct, kw_only=True):
    """
    A game that can be played here. `unit` is the currency of its purses. `paces` are those of
    its lobbies: a game that a clock drives is played live only. `summary`, `minutes` and `weight`
    are from the guide in its book, and null without one.
    """

    slug: str
    title: Title
    seats: SeatRange
    unit: str
    version: int
    paces: list[str]
    summary: Title | None
    minutes: int | None
    weight: int | None


class RulesInFull(Struct, kw_only=True):
    """A game with the JSON Schema of its options, commands, events, views and book."""

    slug: str
    title: Title
    seats: SeatRange
    unit: str
    version: int
    paces: list[str]
    summary: Title | None
    minutes: int | None
    weight: int | None
    json_schema: dict[str, Any]


class ViewAtVersion(Struct, kw_only=True):
    """
    The view of your seat, or of a spectator (no seat), at a version. `next_at` is when the clock
    acts next, null if it awaits nothing; `now` is the server's time, or for a past version the time
    of its commit. `hash` is that of the version's commit, in hex.
    """

    game: str
    version: int
    hash: str
    seat: int | None
    ended: str
    next_at: str | None
    now: str
    view: GameView


class Views(Struct, kw_only=True):
    """Views of one seat, or of a spectator, at versions in order."""

    views: list[ViewAtVersion]


class WantedTable(Struct, kw_only=True):
    """
    The game to find or create. Without `capacity`, any will do, and a new lobby has up to four
    seats, or as few as the game allows. With a buy-in, `prizes`, `absence` and `absence_s` are
    compared as well.

    `id` is chosen by the client: requests with the same id are carried out once. `commits` as in
    SitDown.
    """

    slug: str
    options: GameOptions = field(default_factory=dict)
    capacity: int | None = None
    buy_in: int = 0
    pace: Literal["live", "slow"] = "live"
    vacations: bool = False
    prizes: list[int] = field(default_factory=lambda: [100])
    absence: Literal["bot", "forfeit", "wait"] | None = None
    absence_s: int = 60
    id: str | None = None
    commits: bool = False
