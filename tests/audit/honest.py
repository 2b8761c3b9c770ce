"""Honest games and files made from them without a server: the pure rules and a log in a list.

`python -m tests.audit.honest --games 10000` verifies that many; a false alarm exits with 1.
"""

import argparse
import hashlib
import io
import random
import sys
import time
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.progress import track

from railbird_engine import AnyRules, BetPlaced, BetSettled, Intervened, RuleViolation, VoidedBet
from railbird_engine.audit import bundle, merkle
from railbird_engine.audit.bundle import Part, Proof, Receipt
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.log import ENDED, Entry
from railbird_engine.audit.notes import Checkpoint, Signer, signed
from railbird_engine.audit.seat_proofs import SeatProof
from railbird_engine.audit.verify import Verified, verify
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import rows_of, void_events
from railbird_engine.kernel.chain import Kind
from railbird_engine.kernel.playout import Playout, ask_bot, ask_random
from railbird_engine.kernel.server_commands import Started, Ticked, Voided
from railbird_engine.rules import load_rules, registry

SIGNER = Signer("games.example.org/log", bytes(range(32)))
WITNESS = Cosigner("witness.example.net", bytes(range(64, 96)))
OPERATOR = UUID(int=7)
PLAYER = Ed25519PrivateKey.from_private_bytes(bytes(range(96, 128)))
TABLE = chain.Table(
    buy_in=0,
    prizes=(100,),
    capacity=8,
    absence="wait",
    absence_s=60,
    rated=False,
    keys=False,
    deadlines=chain.Deadlines(30, 30, 30),
    witnesses=(WITNESS.verifier.text,),
)
FREE_SPOTS = "bench.free_spots"


def rules_of(slug: str, version: int) -> AnyRules | None:
    """The catalogue and the load game."""
    more = {(rules.slug, rules.version): rules for rules in load_rules(FREE_SPOTS)}
    return more.get((slug, version)) or registry().get((slug, version))


class Recorded(Playout):
    """A playout that records which alarm each tick answered, and rankings once it is over."""

    def __init__(self, *arguments: Any) -> None:
        self.alarms: list[int] = []
        self.rankings: list[chain.Ranking | None] = []
        super().__init__(*arguments)

    def _commit(self, *commit: Any, ticked: bool) -> None:
        super()._commit(*commit, ticked=ticked)
        self.rankings.append(None if self.result is None else self.result.ranking)

    def tick(self) -> Any:
        assert self._alarm is not None
        self.alarms.append(self._alarm)
        return super().tick()


class Attempt(NamedTuple):
    """An attempt to start a game that was given up."""

    terms: chain.Terms
    seed: bytes
    reveals: tuple[tuple[int, bytes], ...]

    def entries(self) -> list[Entry]:
        entry = chain.abandoned_entry(self.terms, self.seed, self.given_up())
        opened = Entry.decode(chain.opened_entry(self.terms))
        return [opened, Entry.decode(self.committed()), Entry.decode(entry)]

    def committed(self) -> bytes:
        opened = chain.entry_hash(chain.opened_entry(self.terms))
        rows = [
            chain.Row(place, None, None, chain.commitment(opened, place, entropy).hex(), None, None)
            for place, entropy in self.reveals
        ]
        return chain.committed_entry(self.terms, self.seed, rows, ())

    def given_up(self) -> chain.GivenUp:
        return chain.GivenUp(chain.entry_hash(self.committed()), (7,), self.reveals)


class Honest(NamedTuple):
    """A game as a server would have stored it."""

    genesis: bytes
    seed: bytes
    commits: list[bundle.Commit]
    purses: dict[str, int]
    how: bundle.Ended
    attempts: tuple[Attempt, ...] = ()
    forged_from: chain.Genesis | None = None
    """The genesis before it was forged; the forged one may be none."""

    @property
    def opening(self) -> chain.Genesis:
        try:
            return chain.decode_genesis(self.genesis)
        except chain.MALFORMED:
            assert self.forged_from is not None
            return self.forged_from

    @property
    def id(self) -> UUID:
        return self.opening.game

    @property
    def name(self) -> UUID:
        return self.opening.name

    def key(self) -> bytes:
        return chain.key_of(self.seed, self.opening)

    def entries(self) -> list[Entry]:
        """The entries of a sealer that ran often enough."""
        middle, last = self.commits[len(self.commits) // 2], self.commits[-1]
        return [
            *(entry for attempt in self.attempts for entry in attempt.entries()),
            *(Entry.decode(entry) for entry in chain.start_entries(self.opening) if entry),
            Entry(Kind.STARTED, self.name, 0, chain.genesis_hash(self.genesis)),
            *(
                [Entry(Kind.ADVANCED, self.name, middle.version, middle.hash)]
                if middle is not last
                else []
            ),
            Entry(ENDED[self.how], self.name, last.version, last.hash, self.seed),
        ]


def honest_game(
    slug: str,
    number: int,
    *,
    voided_after: int | None = None,
    options: Any = None,
    void: int | None = None,
    corrected: int | None = None,
    attempts: int = 0,
    repeats_seed: bool = False,
    game: UUID | None = None,
    signs: bool = False,
) -> Honest:
    """Create the game of this number, the same each time except for its id. If it `signs`, players
    sign who add entropy.

    So many `attempts` to start were given up before, with the same seed if it `repeats_seed`.
    Bet `void` is voided while it is open, bet `corrected` after the end of the game.
    """
    rules = next(
        rules for (found, _), rules in {**registry(), **_load_game()}.items() if found == slug
    )
    whims = random.Random(f"{slug} {number}")
    seed = whims.randbytes(32)
    options = rules.options_type() if options is None else options
    seats = whims.choice([seats for seats in rules.seats[:8] if _fits(rules, seats, options)])
    given_up: list[Attempt] = []
    for _ in range(attempts):
        old = seed if repeats_seed else whims.randbytes(32)
        reveals = tuple((place, whims.randbytes(32)) for place in range(seats - 1))
        given_up.append(Attempt(terms_of(rules, options, old, whims, given_up, game), old, reveals))
    terms = terms_of(rules, options, seed, whims, given_up, game)
    opening = genesis_of(terms, seats, whims, PLAYER if signs else None)
    genesis, key = msgspec.json.encode(opening), chain.key_of(seed, opening)
    playout = Recorded(rules, seats, options, key)
    for _ in playout.run(
        ask_random if whims.random() < 0.2 and rules.legal_is_complete else ask_bot
    ):
        if len(playout.commits) == voided_after:
            break
        if void is not None and (found := _void_of(playout, void)) is not None:
            playout.void(found)
            void = None
    if corrected is not None and (found := _void_of(playout, corrected)) is not None:
        playout.void(found)
    how: bundle.Ended = "finished" if playout.result is not None else "voided"
    return stored(playout, genesis, seed, how)._replace(attempts=tuple(given_up))


def terms_of(
    rules: AnyRules,
    options: Any,
    seed: bytes,
    whims: random.Random,
    before: Sequence[Attempt],
    game: UUID | None,
) -> chain.Terms:
    """Return the terms of a game, after these attempts."""
    return chain.Terms(
        name=UUID(bytes=whims.randbytes(16)),
        salt=whims.randbytes(32).hex(),
        game=game or UUID(bytes=whims.randbytes(16), version=4),
        rules=rules.slug,
        rules_version=rules.version,
        edition=rules.edition(options),
        options=msgspec.Raw(msgspec.json.encode(options)),
        table=msgspec.Raw(msgspec.json.encode(TABLE)),
        seed_hash=chain.seed_hash(seed),
        abandoned=chain.entry_hash(before[-1].entries()[-1].encode()).hex() if before else None,
    )


def genesis_of(
    terms: chain.Terms, seats: int, whims: random.Random, player: Ed25519PrivateKey | None
) -> chain.Genesis:
    """Return the genesis of a game in whose lobby seat 1 was empty, and seat 0 did not commit."""
    opened = chain.entry_hash(chain.opened_entry(terms))
    rows, reveals = [chain.Row(0, None, None, None, None, None)], []
    for seat in range(1, seats):
        entropy = whims.randbytes(32)
        committed = chain.commitment(opened, seat + 1, entropy).hex()
        key, signature = signed_seat(player, opened, seat + 1, committed)
        sits = person(opened, seat), key, committed, signature, link(opened, seat)
        rows.append(chain.Row(seat + 1, *sits))
        reveals.append(chain.Reveal(seat, entropy.hex(), None))
    opening = chain.Genesis(
        **msgspec.structs.asdict(terms),
        seats=seats,
        rows=tuple(rows),
        rows_salt=whims.randbytes(32).hex(),
        promises=(),
        reveals=tuple(reveals),
        answers=(),
        build=chain.Build("0.1.0", "c0" * 20, "ab" * 32),
    )
    return answered(opening, whims.randbytes(32))


def signed_seat(
    player: Ed25519PrivateKey | None, opened: bytes, place: int, commitment: str
) -> tuple[str, str] | tuple[None, None]:
    """Return the key of a player and the signature for a seat."""
    if player is None:
        return None, None
    key = player.public_key().public_bytes_raw().hex()
    text = chain.seat_text(opened.hex(), place, key, commitment)
    return key, player.sign(text).hex()


def signed_command(
    opening: chain.Genesis, seat: int, command: bytes, head: int, hash_: bytes, until: int
) -> chain.Signed:
    """Return the signature of a command that was made after a commit."""
    id_ = UUID(int=head)
    mark = chain.Signed(id_, head, hash_.hex(), until, "")
    text = mark.text(SIGNER.name, opening.name, seat, command)
    return msgspec.structs.replace(mark, signature=PLAYER.sign(text).hex())


def answered(opening: chain.Genesis, entropy: bytes) -> chain.Genesis:
    """Return a genesis with the answer of the witness that its terms name."""
    promise = hashlib.sha256(entropy).hexdigest()
    unsigned = chain.WitnessAnswer(entropy.hex(), "")
    opening = msgspec.structs.replace(opening, promises=(promise,), answers=(unsigned,))
    opened, _, revealed = chain.start_entries(opening)
    assert revealed is not None
    leaf = chain.entry_hash
    signature = WITNESS.answer(SIGNER.name, leaf(opened), leaf(revealed), entropy.hex())
    answer = chain.WitnessAnswer(entropy.hex(), signature)
    return msgspec.structs.replace(opening, answers=(answer,))


def person(opened: bytes, seat: int) -> str:
    """Return the commitment to the user of a seat, which `seat_proof` opens."""
    return chain.person_commitment(opened, seat, bytes([seat]) * 32, UUID(int=seat)).hex()


def link(opened: bytes, seat: int) -> str:
    """Return what joins the first start of the user of a seat to those before."""
    return chain.person_link(opened, bytes([seat]) * 32, 1, chain.NO_LINK).hex()


def seat_proof(game: "Honest", seat: int) -> SeatProof:
    return SeatProof(game.id, seat, UUID(int=seat), (bytes([seat]) * 32).hex())


def recommitted(genesis: bytes) -> bytes:
    """Make the commitments and the answer of a forged genesis fit its terms, which takes the
    entropy and the key of the witness."""
    try:
        forged = chain.decode_genesis(genesis)
    except chain.MALFORMED:
        return genesis
    opened, rows = chain.entry_hash(chain.opened_entry(forged)), list(forged.rows)
    for reveal in forged.reveals:
        row = rows[reveal.seat]
        fit = chain.commitment(opened, row.place, bytes.fromhex(reveal.entropy)).hex()
        assert row.commitment is not None
        genesis = genesis.replace(row.commitment.encode(), fit.encode())
        rows[reveal.seat] = msgspec.structs.replace(row, commitment=fit)
    if len(forged.answers) == 1 and forged.rows_salt is not None:
        again = msgspec.structs.replace(forged, rows=tuple(rows))
        again = answered(again, bytes.fromhex(forged.answers[0].entropy))
        genesis = genesis.replace(
            forged.answers[0].signature.encode(), again.answers[0].signature.encode()
        ).replace(forged.promises[0].encode(), again.promises[0].encode())
    return genesis


def _void_of(playout: Playout, number: int) -> VoidedBet | None:
    """Return the operator's command to void this bet, if there is such a bet."""
    events = [
        event
        for commit in playout.commits
        for event in commit.events
        if getattr(event, "bet", None) == number
    ]
    placed = next((event for event in events if isinstance(event, BetPlaced)), None)
    payout = next((event.payout for event in events if isinstance(event, BetSettled)), None)
    return (
        None
        if placed is None
        else VoidedBet(number, placed.seat, placed.stake, payout, "the die was cocked", OPERATOR)
    )


def _fits(rules: AnyRules, seats: int, options: Any) -> bool:
    try:
        rules.setup(seats, options)
    except RuleViolation:
        return False
    return True


def _load_game() -> dict[tuple[str, int], AnyRules]:
    return {(rules.slug, rules.version): rules for rules in load_rules(FREE_SPOTS)}


def stored(playout: Recorded, genesis: bytes, seed: bytes, how: bundle.Ended) -> Honest:
    """Return the rows that a server would have of this playout."""
    key = chain.key_of(seed, chain.decode_genesis(genesis))
    alarms = iter(playout.alarms)
    steps: list[tuple[int | None, Any, Any, Any, Any, chain.Ranking | None]] = []
    open_bets: set[int] = set()
    for number, commit in enumerate(playout.commits):
        command = commit.command
        events = commit.events
        if isinstance(command, VoidedBet):
            events = (Intervened(by=command.by, reason=command.reason), *events)
        elif commit.seat is None:
            command = Ticked(next(alarms)) if number else Started()
        ranking = playout.rankings[number]
        steps.append((commit.seat, command, commit.draws, events, commit.transfers, ranking))
        bets, settlements = rows_of(events)
        open_bets |= {bet.bet for bet in bets}
        open_bets -= {settlement.bet for settlement in settlements}
    if how == "voided":
        command = Voided("power cut")
        steps.append((None, command, (), void_events(command, sorted(open_bets)), (), None))
    previous, commits = chain.genesis_hash(genesis), []
    opening = chain.decode_genesis(genesis)
    for version, (seat, command, draws, events, transfers, ranking) in enumerate(steps, start=1):
        mark = None
        if seat is not None and opening.rows[seat].key is not None:
            text = msgspec.json.encode(command)
            mark = signed_command(opening, seat, text, version - 1, previous, version + 9)
        body = chain.encode_body(
            key, version, seat, command, draws, events, transfers, ranking, mark
        )
        previous = chain.commit_hash(previous, version, chain.body_digest(body))
        bets, settlements = rows_of(events)
        commits.append(
            bundle.Commit(
                version=version,
                seat=seat,
                body=body,
                hash=previous,
                bets=bets,
                settlements=settlements,
                transfers=transfers,
            )
        )
    return Honest(
        genesis,
        seed,
        commits,
        {str(purse): held for purse, held in playout.state.purses.items()},
        how,
    )


class Log:
    """A log in a list, and files proved against it. `entries` are those of a dishonest log."""

    def __init__(
        self,
        games: Sequence[Honest],
        signer: Signer = SIGNER,
        entries: Sequence[Entry] | None = None,
    ) -> None:
        self.signer = signer
        per_game = [game.entries() for game in games]
        # In the order of a sealer, with the games running in parallel.
        rounds = range(max(map(len, per_game), default=0))
        honest = [each[round_] for round_ in rounds for each in per_game if round_ < len(each)]
        self.entries = honest if entries is None else list(entries)
        self._hashes = [merkle.leaf_hash(entry.encode()) for entry in self.entries]
        self._places = {entry.encode(): index for index, entry in enumerate(self.entries)}

    def node(self, level: int, index: int) -> bytes:
        return merkle.root_of(self._hashes[index << level : (index + 1) << level])

    def note(self, size: int | None = None) -> str:
        size = len(self.entries) if size is None else size
        return signed(
            Checkpoint(self.signer.name, size, merkle.root_of(self._hashes[:size])).text,
            [self.signer],
        )

    def signed(self, since: int | None = None) -> bundle.Signed:
        size = len(self.entries)
        path = (
            None
            if since is None
            else bundle.Since(since, tuple(merkle.consistency_proof(self.node, since, size)))
        )
        return bundle.Signed(checkpoint=self.note(), keys=(self.signer.verifier.text,), since=path)

    def proof(self, game: Honest, version: int) -> Proof:
        """Return the proof of the entry of a version of a game; 0 is its start."""
        hash_ = game.commits[version - 1].hash if version else chain.genesis_hash(game.genesis)
        return next(
            self.proof_of(entry)
            for entry in self.entries
            if (entry.name, entry.version, entry.hash) == (game.name, version, hash_)
        )

    def proof_of(self, entry: Entry) -> Proof:
        index = self._places[entry.encode()]
        return Proof(index, tuple(merkle.inclusion_proof(self.node, index, len(self.entries))))

    def start(self, game: Honest) -> dict[str, Any]:
        """Return the proofs of the entries that a game begins with, by their fields."""
        entries = chain.start_entries(game.opening)._asdict()
        proofs = {
            field: None if entry is None else self.proof_of(Entry.decode(entry))
            for field, entry in entries.items()
        }
        return {**proofs, "started": self.proof(game, 0)}

    def bundle(self, games: Sequence[Honest], since: int | None = None) -> list[Part]:
        """Return the parts of a bundle of these games."""
        parts: list[Part] = [bundle.Bundle(log=self.signed(since), games=len(games))]
        for game in games:
            parts.append(
                bundle.Game(
                    genesis=game.genesis,
                    seed=game.seed,
                    **self.start(game),
                )
            )
            parts += [self.abandoned(attempt) for attempt in reversed(game.attempts)]
            parts += game.commits
            parts += [
                bundle.Logged(
                    kind="advanced",
                    version=entry.version,
                    hash=entry.hash,
                    proof=self.proof(game, entry.version),
                )
                for entry in game.entries()
                if entry.kind is Kind.ADVANCED and entry.encode() in self._places
            ]
            end = bundle.End(
                how=game.how,
                ended=self.proof(game, len(game.commits)),
                commits=len(game.commits),
                bets=sum(len(commit.bets) for commit in game.commits),
                settlements=sum(len(commit.settlements) for commit in game.commits),
                transfers=sum(len(commit.transfers) for commit in game.commits),
                purses=game.purses,
            )
            parts.append(end)
        return parts

    def abandoned(self, attempt: Attempt) -> Part:
        opened, _, ended = attempt.entries()
        before, said = attempt.terms.abandoned, attempt.given_up()
        return bundle.Abandoned(
            name=opened.name,
            terms=opened.hash,
            seed=attempt.seed,
            committed=said.committed,
            missing=tuple(said.missing),
            reveals=attempt.reveals,
            abandoned=None if before is None else bytes.fromhex(before),
            opened=self.proof_of(opened),
            ended=self.proof_of(ended),
        )

    def receipt(self, game: Honest, number: int, *, ended: bool = True) -> Receipt:
        """Return the receipt of a bet after the end of the game.

        Before the end, it is the receipt at an entry in the middle of the game.
        """
        placed = next(commit for commit in game.commits for bet in commit.bets if bet.bet == number)
        known = [entry.version for entry in game.entries() if entry.version]
        until = (
            known[-1] if ended else next(version for version in known if version >= placed.version)
        )
        bodies = [commit.body for commit in game.commits[placed.version - 1 : until]]
        receipt = Receipt(
            log=self.signed(),
            game=game.id,
            genesis=game.genesis,
            **self.start(game),
            version=placed.version,
            bet=next(bet for bet in placed.bets if bet.bet == number),
            previous=game.commits[placed.version - 2].hash,
            entry=self.proof(game, until),
        )
        if not ended:
            return msgspec.structs.replace(receipt, digests=tuple(map(chain.body_digest, bodies)))
        outcomes = [
            bundle.Outcome(commit.version, row.outcome, row.payout)
            for commit in game.commits
            for row in commit.settlements
            if row.bet == number
        ]
        return msgspec.structs.replace(
            receipt, how=game.how, seed=game.seed, bodies=tuple(bodies), outcomes=tuple(outcomes)
        )


def written(parts: Sequence[Part]) -> bytes:
    """Return a file of these parts."""
    return b"".join(bundle.line(part) for part in parts)


def check(parts: Sequence[Part], since: str | None = None) -> Verified:
    """Verify parts as a file, with a known key."""
    return verify(io.BytesIO(written(parts)), rules_of, trusted=[SIGNER.verifier], since=since)


def main() -> int:
    parser = argparse.ArgumentParser(description="Verify honest games, and time it.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--slug", action="append", help="of these games in turn; default: of all")
    options = parser.parse_args()
    slugs = options.slug or sorted({slug for slug, _ in registry()} | {"free_spots"})
    spent, commits = dict.fromkeys(slugs, 0.0), dict.fromkeys(slugs, 0)
    for number in track(range(options.games), "games"):
        slug = slugs[number % len(slugs)]
        game = honest_game(
            slug, number, voided_after=5 if number % 17 == 0 else None, options=_options(slug)
        )
        parts = Log([game]).bundle([game])
        started = time.process_time()
        try:
            verified = check(parts)
        except DivergenceError as diverged:
            print(f"FALSE ALARM {slug} {number}: {diverged}")
            return 1
        spent[slug] += time.process_time() - started
        commits[slug] += verified.commits
    for slug in slugs:
        print(
            f"{slug}: {commits[slug]:,} commits, "
            f"{commits[slug] / (spent[slug] or 1):,.0f} a second on one core"
        )
    print(f"{options.games:,} honest games, no false alarm")
    return 0


def _options(slug: str) -> Any:
    """The load game ends after this many boards."""
    return (
        next(iter(load_rules(FREE_SPOTS))).options_type(boards=3) if slug == "free_spots" else None
    )


if __name__ == "__main__":
    sys.exit(main())
