"""Games, their commits and their views, as one viewer may see them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Self
from uuid import UUID

from msgspec import Meta

import railbird_engine
from accounts.models import User
from games import models
from games.api.types.lobbies import LobbyPace, Seat, disclosed_seed, seat_number
from games.api.types.parts import Answer, AnyCommand, AnyView, Signed
from games.live.hubs import Commit, Ended, seen_by, with_events
from games.play.service import Seen
from games.store.commits import DamagedError
from games.store.loaded_games import LoadedGame
from games.store.registry import all_rules
from games.store.rows import StoredCommit
from kit.validation import Body, Count, Moment
from railbird_engine import AnyRules
from railbird_engine.kernel import chain


class Game(Answer, frozen=True, kw_only=True):
    """One playthrough. `ended` is empty while it runs; a stalled game waits for an operator to void
    it. Of a slow game, `awaits_you` says whether it waits for your decision, which it does until
    `due_at`, and `agreed` are the seats whose players agree to void it. `forfeited` are the
    seats that bots play to the end, because their players resigned or stayed away. `version` counts
    its commits. The public log knows the game by its `log_name`. `unit` is null if this server no
    longer has the rules."""

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
    pace: LobbyPace
    awaits_you: bool
    due_at: Moment | None
    agreed: list[int]
    forfeited: list[int]
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
            pace=game.lobby.pace,
            awaits_you=user.id in (game.head.awaits or ()),
            due_at=game.head.due_at if game.head.is_slow else None,
            agreed=game.head.agreed,
            forfeited=game.head.forfeited,
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
    """One playthrough, with its result once it has ended. `dice_of_server`: the server chose the
    dice alone, because neither players nor witnesses added to them."""

    result: Result | None
    dice_of_server: bool


class ViewAtVersion(Answer, frozen=True, kw_only=True):
    """The view of your seat, or of a spectator (no seat), at a version. `next_at` is when the clock
    acts next, null if it awaits nothing; `now` is the server's time, or for a past version the time
    of its commit. `hash` is that of the version's commit, in hex."""

    game: UUID
    version: Count
    hash: str
    seat: int | None
    ended: Ended
    next_at: Moment | None
    now: Moment
    view: AnyView

    @classmethod
    def of(cls, game: UUID, seat: railbird_engine.Seat | None, seen: Seen) -> Self:
        """Return the view of a seat, or of a spectator."""
        return cls(game=game, seat=seat, **seen._asdict())


class Views(Answer, frozen=True, kw_only=True):
    """Views of one seat, or of a spectator, at versions in order."""

    views: list[ViewAtVersion]


class CommandSignature(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signature of a command with the key of your seat. `head` and `hash` are a commit of the
    game that you know, and `until` is the last version that the command may become. The page on
    formats says which text you sign."""

    head: Annotated[int, Meta(ge=0, lt=2**31)]
    hash: chain.Bytes32
    until: Annotated[int, Meta(ge=0, lt=2**31)]
    signature: chain.Bytes64

    def of(self, command_id: UUID) -> chain.Signed:
        """Return what a commit has of it."""
        return chain.Signed(command_id, self.head, self.hash, self.until, self.signature)


class LegalCommands(Answer, frozen=True, kw_only=True):
    """Commands that your seat may send at a version; `is_complete` if there are no others."""

    version: Count
    commands: list[AnyCommand]
    is_complete: bool


def commit_of_row(
    row: models.Commit, rules: AnyRules, viewer: railbird_engine.Seat | None
) -> Commit:
    """Return a row of `with_previous` as a seat, or a spectator, may read it.

    Raises DamagedError with the game for a row that does not fit its hash.
    """
    genesis, hash_before = row.genesis, row.previous  # type: ignore[attr-defined]  # annotations
    previous = hash_before if genesis is None else chain.genesis_hash(bytes(genesis))
    digest = chain.body_digest(bytes(row.body))
    if previous is None or row.hash != chain.commit_hash(bytes(previous), row.version, digest):
        raise DamagedError(row.version, row.game_id)
    stored = StoredCommit(
        row.game_id,
        row.version,
        row.seat,
        row.command_id,
        bytes(row.body),
        bytes(row.hash),
        bytes(previous),
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
    def of(
        cls, stored: Sequence[StoredCommit], viewer: railbird_engine.Seat | None, after: int
    ) -> Self:
        """Return commits after a version as a seat, or a spectator, may read them."""
        commits = [seen_by(commit, viewer) for commit in stored]
        next_after = commits[-1].version if commits else after
        return cls(commits=commits, next_after=next_after, now=datetime.now(UTC))
