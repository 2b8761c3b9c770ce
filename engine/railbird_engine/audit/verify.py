"""Verify bundles and receipts offline: signatures, proofs, hashes, draws, rules, bets and money.

The first divergence ends it. The file is not trusted: its limits are checked before its content,
and it is read as a stream.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Final, NamedTuple, Self
from uuid import UUID

from railbird_engine import AnyRules, VoidedBet
from railbird_engine.audit import bundle
from railbird_engine.audit.bundle import Part
from railbird_engine.audit.cosignatures import NO_DEMAND, Demand
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import (
    NeedsError,
    SignedLog,
    abandoned_in,
    naming,
    opened_by,
    opening_in,
)
from railbird_engine.audit.histories import Content
from railbird_engine.audit.log import ENDED, PAYLOAD_LENGTHS, Entry, may_follow
from railbird_engine.audit.notes import Verifier
from railbird_engine.audit.receipts import Followed, verify_receipt
from railbird_engine.audit.replay import Replayed, Stored, as_json, check_chain, replay
from railbird_engine.audit.signed_commands import Signatures
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import rows_of
from railbird_engine.kernel.chain import Kind
from railbird_engine.kernel.payouts import owed
from railbird_engine.kernel.server_commands import SeatReplaced, Voided
from railbird_engine.kernel.stepping import OtherEditionError

GZIP: Final = b"\x1f\x8b"
Rules = Callable[[str, int], AnyRules | None]


class UnreadableError(Exception):
    """The file is neither a bundle nor a receipt."""


class Counted(NamedTuple):
    """Counts of verified items of one game."""

    commits: int
    draws: int
    bets: int
    transfers: int


class Verified(NamedTuple):
    """The verified content and its log. `followed` is present for a receipt.

    `cosigned` are the times of the cosignatures that were demanded.
    """

    content: Content
    signed_by: tuple[Verifier, ...]
    games: int = 0
    commits: int = 0
    draws: int = 0
    bets: int = 0
    transfers: int = 0
    receipt: bundle.Receipt | None = None
    followed: Followed | None = None
    cosigned: Mapping[str, int] = {}

    def adding(self, game: Counted) -> Self:
        """Return this with one more game."""
        return self._replace(
            games=self.games + 1,
            commits=self.commits + game.commits,
            draws=self.draws + game.draws,
            bets=self.bets + game.bets,
            transfers=self.transfers + game.transfers,
        )


def verify(  # noqa: PLR0913  (each after the rules has a default)
    file: BinaryIO,
    rules: Rules,
    *,
    trusted: Sequence[Verifier] = (),
    since: str | None = None,
    demand: Demand = NO_DEMAND,
    on_line: Callable[[int], None] | None = None,
    keeps_hashes: bool = False,
) -> Verified:
    """Verify a bundle or a receipt.

    `trusted` are the log's known keys; without any, those that the file names. `since` is a stored
    earlier checkpoint; `demand` is what the file's checkpoint needs beyond a signature. `on_line`
    receives the number of bytes read. For the comparison of files, `keeps_hashes` keeps all hashes
    in the result. Raises DivergenceError, NeedsError, UnreadableError.
    """
    reader = _Reader(file, on_line)
    first = reader.first()
    log = SignedLog(first.log, trusted, since, demand)
    hashes: dict[UUID, dict[int, bytes]] = {}
    content = Content(log.checkpoint, log.entries, hashes, log.names, log.people, log.began)
    verified = Verified(content, log.keys, cosigned=log.cosigned)
    if isinstance(first, bundle.Receipt):
        followed = verify_receipt(first, log)
        hashes[log.names[first.game]] = dict(
            enumerate([first.previous, *followed.hashes], start=first.version - 1)
        )
        commits = len(followed.hashes)
        verified = verified._replace(
            commits=commits, draws=followed.draws, bets=1, receipt=first, followed=followed
        )
    else:
        log.check_signers(first.signers)
        for _ in range(first.games):
            game = _Game(reader, log, rules, hashes, keeps_hashes=keeps_hashes).verify()
            verified = verified.adding(game)
    reader.expect_end()
    return verified


class _Reader:
    """The lines of a file, each limited. A divergence names `version`, that of the last commit."""

    def __init__(self, file: BinaryIO, on_line: Callable[[int], None] | None) -> None:
        self._file = file
        self._on_line = on_line
        self.number = 0
        self.version: int | None = None

    def _line(self) -> bytes:
        """Return the next line up to the limit; empty at the end of the file."""
        line = self._file.readline(bundle.LINE_MAX + 1)
        self.number += 1
        if self._on_line is not None:
            self._on_line(len(line))
        return line

    def first(self) -> bundle.Bundle | bundle.Receipt:
        """Return the first line, which determines the kind of file.

        Raises UnreadableError, NeedsError.
        """
        line = self._line()
        if _is_longer(line):
            raise UnreadableError(
                "neither a bundle nor a receipt: its first line has more than "
                f"{bundle.LINE_MAX} bytes"
            )
        try:
            if (number := bundle.format_of(line)) in bundle.EARLIER:
                raise NeedsError(f"{bundle.EARLIER[number]}, whose files have the format {number}")
            part = bundle.decode_part(line)
        except chain.MALFORMED as error:
            packed = " (unpack it first: gunzip)" if line.startswith(GZIP) else ""
            raise UnreadableError(f"neither a bundle nor a receipt{packed}: {error}") from error
        if not isinstance(part, bundle.Bundle | bundle.Receipt):
            raise UnreadableError("neither a bundle nor a receipt: it does not begin as one")
        return part

    def part(self, *kinds: type[Part]) -> Part:
        """Return the next line, which must be one of these kinds. Raises DivergenceError."""
        line = self._line()
        if not line:
            raise self._other_than(kinds, "the end of the file")
        if _is_longer(line):
            raise self._other_than(kinds, "a longer line")
        try:
            part = bundle.decode_part(line)
        except chain.MALFORMED as error:
            if self.version and bundle.is_end(line):
                self.version -= 1
            raise self._other_than(kinds, str(error)) from error
        if not isinstance(part, kinds):
            raise self._other_than(kinds, _tag_of(type(part)))
        return part

    def _other_than(self, kinds: Iterable[type[Part]], found: str) -> DivergenceError:
        expected = " or ".join(_tag_of(kind) for kind in kinds)
        return DivergenceError(self.version, f"line {self.number}", expected, found)

    def expect_end(self) -> None:
        """Check that the file ends here. Raises DivergenceError."""
        if self._line():
            raise DivergenceError(
                None, f"line {self.number}", "the end of the file", "more", where="file"
            )


def _tag_of(kind: type[Part]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def _is_longer(line: bytes) -> bool:
    return len(line) > bundle.LINE_MAX and not line.endswith(b"\n")


class _Logged(NamedTuple):
    """The entry of a game that was checked last."""

    kind: Kind
    version: int
    hash: bytes
    place: int


class _Game:
    """One game of a bundle."""

    def __init__(
        self,
        reader: _Reader,
        log: SignedLog,
        rules: Rules,
        hashes: dict[UUID, dict[int, bytes]],
        *,
        keeps_hashes: bool,
    ) -> None:
        self._reader = reader
        self._hashes = hashes
        self._keeps_hashes = keeps_hashes
        self._log = log
        self._rules = rules
        self._own_hashes: dict[int, bytes] = {}
        self._name, self._seed = UUID(int=0), b""
        self._logged = _Logged(Kind.STARTED, 0, b"", 0)
        self._without_commit: DivergenceError | None = None
        self._line: bundle.Commit | None = None
        self._chain: list[bytes] = []
        self._end: bundle.End | None = None
        self._placed: set[int] = set()
        self._settled: set[int] = set()
        self._settlements = 0
        self._transfers = 0
        self._purses: defaultdict[str, int] = defaultdict(int)
        self._corrected: list[str] = []

    def verify(self) -> Counted:
        """Verify the game. Raises DivergenceError, NeedsError."""
        self._reader.version = 0
        opening = self._reader.part(bundle.Game)
        assert isinstance(opening, bundle.Game)
        genesis = opening_in(self._log, opening)
        self._name, self._seed = genesis.name, opening.seed
        start = chain.genesis_hash(opening.genesis)
        self._logged = _Logged(Kind.STARTED, 0, start, opening.started.index)
        self._chain.append(start)
        with naming(genesis.game):
            if genesis.name in self._hashes:
                raise DivergenceError(0, "game", "a game that is new in this file", genesis.game)
            self._own_hashes = self._hashes[genesis.name] = {}
            abandoned = self._check_abandoned(genesis, opening)
            began = self._log.began[genesis.game]
            try:
                counted, due, signatures = self._verify(opening, genesis)
                self._log.began[genesis.game] = began._replace(
                    abandoned=abandoned,
                    owed=due,
                    signatures=signatures,
                    corrected=self._corrected,
                )
                return counted  # noqa: TRY300
            except OtherEditionError as other:
                check_chain(opening.genesis, opening.seed, self._stored())
                raise NeedsError(str(other).removeprefix("needs ")) from other

    def _check_abandoned(
        self, genesis: chain.Genesis, opening: bundle.Game
    ) -> Sequence[Sequence[int]]:
        """Check the attempts that were given up before the game, the latest first. Each disclosed
        its seed, so none shares it. Return the seats of the lobby that were silent in each."""
        before, seeds, started = opening.opened.index, {opening.seed}, set[str]()
        silent = []
        expected = genesis.abandoned
        while expected is not None:
            attempt = self._reader.part(bundle.Abandoned)
            assert isinstance(attempt, bundle.Abandoned)
            expected = abandoned_in(self._log, attempt, expected, before)
            if attempt.seed in seeds:
                raise DivergenceError(
                    0, "seed", "one that no later attempt has", attempt.seed.hex()
                )
            seeds.add(attempt.seed)
            silent.append(attempt.missing)
            before = attempt.opened.index
            if attempt.committed is not None:  # or no row has a link
                started.add(chain.entry_hash(opened_by(attempt)).hex())
        people = self._log.people[genesis.game]
        self._log.people[genesis.game] = people._replace(abandoned=frozenset(started))
        return silent

    def _verify(
        self, opening: bundle.Game, genesis: chain.Genesis
    ) -> tuple[Counted, Mapping[int, int], Signatures | None]:
        """Verify a game, and return what its seats are owed and how much is signed as well."""
        rules = self._rules(genesis.rules, genesis.rules_version)
        if rules is None:
            check_chain(opening.genesis, opening.seed, self._stored())
            raise NeedsError(f"rules {genesis.rules} {genesis.rules_version}")
        commits = draws = 0
        last: Replayed | None = None
        forfeited = set[int]()
        try:
            for last in replay(
                rules, opening.genesis, opening.seed, self._stored(), self._log.checkpoint.origin
            ):
                commits, draws = commits + 1, draws + len(last.body.draws)
                self._check_rows(last)
                self._note_correction(genesis.game, last)
                if isinstance(last.command, SeatReplaced) and last.command.forfeits:
                    forfeited.add(last.command.seat)
        except (DivergenceError, OtherEditionError):
            raise
        except Exception as error:
            expected = "a command that the rules can handle"
            raise DivergenceError(
                commits + 1, "command", expected, f"{type(error).__name__} {error}"
            ) from error
        if last is None or self._end is None:
            raise DivergenceError(1, "commit", "the first commit", "none")
        self._check_end(
            self._end,
            last,
            Entry(ENDED[self._end.how], genesis.name, commits, self._hash(), opening.seed),
        )
        table = chain.decode_table(genesis.table)
        people = [seat for seat, row in enumerate(genesis.rows) if row.person is not None]
        due = owed(table.buy_in, table.prizes, people, last.body.ranking, forfeited)
        counted = Counted(commits, draws, len(self._placed), self._transfers)
        return counted, due, last.signatures

    def _note_correction(self, game: UUID, after: Replayed) -> None:
        match after.command:
            case Voided(reason=reason):
                what = f"game {game}"
            case VoidedBet(bet=bet, reason=reason):
                what = f"bet {bet} of game {game}"
            case _:
                return
        self._corrected.append(f"{what} voided at version {after.body.version} ({reason})")

    def _hash(self) -> bytes:
        assert self._line is not None
        return self._line.hash

    def _stored(self) -> Iterator[Stored]:
        version = 0
        while True:
            version += 1
            self._reader.version = version
            part = self._reader.part(bundle.Commit, bundle.Logged, bundle.End)
            while isinstance(part, bundle.Logged):
                self._check_entry(part)
                part = self._reader.part(bundle.Logged, bundle.End)
            if isinstance(part, bundle.End):
                if self._without_commit is not None:
                    raise self._without_commit
                self._end = part
                return
            assert isinstance(part, bundle.Commit)
            self._line = part
            self._chain.append(part.hash)
            if self._keeps_hashes:
                self._own_hashes[version] = part.hash
            yield Stored(part.version, part.seat, part.body, part.hash)

    def _check_entry(self, part: bundle.Logged) -> None:
        """Compare a signed entry with the commit of its version. Raises DivergenceError.

        The commits of entries that are lost are missed at the end, unless an entry says so.
        """
        version, kind, last = part.version, Kind[part.kind.upper()], self._logged
        payload = part.payload or b""
        if (part.payload is None) != (kind is Kind.ADVANCED) or (
            len(payload) != PAYLOAD_LENGTHS[kind] or (version == 0 and kind is not Kind.RESTORED)
        ):
            raise DivergenceError(version, "entry", f"the form of {part.kind}", "another")
        entry = Entry(kind, self._name, version, part.hash, payload)
        self._log.check(entry, part.proof, "entry", after=last.place)
        if kind is Kind.DIVERGED:
            raise DivergenceError(version, "entry", part.hash.hex(), payload.hex())
        lost = self._without_commit
        if kind is Kind.RESTORED:
            if entry.sealed != (last.version, last.hash):
                raise DivergenceError(
                    version, "entry", "the version and hash of the entry before", "others"
                )
            if lost is None:
                raise DivergenceError(
                    version, "entry", "an entry of a commit that was lost before", "none"
                )
            assert lost.version is not None
            if lost.version > version:
                self._without_commit = None
        elif version <= last.version or not may_follow(last.kind, kind):
            raise DivergenceError(version, "entry", "a later entry", "one that cannot follow")
        elif payload not in {b"", self._seed}:
            raise DivergenceError(version, "entry", "the seed of the game", "another")
        if self._without_commit is None:
            self._without_commit = self._difference(version, part.hash)
        self._logged = _Logged(kind, version, part.hash, part.proof.index)

    def _difference(self, version: int, hash_: bytes) -> DivergenceError | None:
        """Return the difference between the commit of this version and its entry, or None."""
        if version >= len(self._chain):
            return DivergenceError(version, "entry", "a commit of this version", "none")
        if (found := self._chain[version]) != hash_:
            return DivergenceError(version, "entry", hash_.hex(), found.hex())
        return None

    def _check_rows(self, replayed: Replayed) -> None:
        """Compare the rows with the commit. A bet is placed once and then settled once.

        Raises DivergenceError.
        """
        line = self._line
        assert line is not None
        version = replayed.version
        bets, settlements = rows_of(replayed.step.events)
        transfers = replayed.body.transfers
        if (bets, settlements, transfers) != (line.bets, line.settlements, line.transfers):
            for name, expected in (
                ("bets", bets),
                ("settlements", settlements),
                ("transfers", transfers),
            ):
                if expected != (found := getattr(line, name)):
                    raise DivergenceError(
                        version, f"rows of {name}", as_json(expected), as_json(found)
                    )
        for bet in bets:
            if bet.bet in self._placed:
                raise DivergenceError(version, f"bet {bet.bet}", "a new bet", "one placed again")
            self._placed.add(bet.bet)
        self._settlements += len(settlements)
        for settlement in settlements:
            again = isinstance(replayed.command, VoidedBet) and replayed.command.payout is not None
            # A correction, which the replay has checked against the log, follows a settlement.
            if settlement.bet not in self._placed or (settlement.bet in self._settled) != again:
                raise DivergenceError(
                    version,
                    f"bet {settlement.bet}",
                    "a bet that is open",
                    "a settlement of another bet",
                )
            self._settled.add(settlement.bet)
        self._transfers += len(transfers)
        purses = self._purses
        for each in transfers:
            purses[each.source] -= each.amount
            purses[each.target] += each.amount

    def _check_end(self, end: bundle.End, last: Replayed, entry: Entry) -> None:
        version = last.version
        for name, expected, found in (
            ("commits", version, end.commits),
            ("rows of bets", len(self._placed), end.bets),
            ("rows of settlements", self._settlements, end.settlements),
            ("rows of transfers", self._transfers, end.transfers),
        ):
            if expected != found:
                raise DivergenceError(version, name, expected, found)
        how = "voided" if isinstance(last.command, Voided) else "finished"
        if how == "finished" and last.body.ranking is None:
            raise DivergenceError(
                version, "end", "commits to the end of the game", "none after this one"
            )
        if end.how != how:
            raise DivergenceError(version, "end", how, end.how)
        if still_open := self._placed - self._settled:
            bet = min(still_open)
            raise DivergenceError(version, f"bet {bet}", "a bet that was settled or voided", "open")
        purses = {str(purse): held for purse, held in last.state.purses.items()}
        added = {**dict.fromkeys(purses, 0), **self._purses}
        for expected_purses in (purses, added):
            if expected_purses != end.purses:
                raise DivergenceError(
                    version, "purses", as_json(expected_purses), as_json(end.purses)
                )
        self._log.check(entry, end.ended, "end", after=self._logged.place)
        if not may_follow(self._logged.kind, entry.kind):
            raise DivergenceError(version, "end", "an end of the game", "one that cannot follow")
        if version <= self._logged.version:
            raise DivergenceError(version, "end", "a later entry", "one of the same version")
