"""Verify a receipt: one bet, its hashes up to the log, its draws, and its result."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from railbird_engine import BetPlaced, BetSettled, BetVoided, Event, VoidedBet
from railbird_engine.audit import bundle, strict_json
from railbird_engine.audit.bundle import Outcome
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import SignedLog, naming, opening_in
from railbird_engine.audit.interventions import check_command
from railbird_engine.audit.log import ENDED, Entry
from railbird_engine.audit.replay import as_json, as_text
from railbird_engine.audit.signed_commands import SignedCommands
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import rows_of
from railbird_engine.kernel.chain import Kind
from railbird_engine.kernel.chance import draw_value
from railbird_engine.kernel.server_commands import AnyServerCommand, Started, Voided

_BETS: Final[dict[str, type[Event]]] = {
    "bet_placed": BetPlaced,
    "bet_settled": BetSettled,
    "bet_voided": BetVoided,
}
_sorted: Final = msgspec.json.Encoder(order="sorted").encode
_decode_events: Final = msgspec.json.Decoder(tuple[dict[str, Any], ...]).decode


class Followed(NamedTuple):
    """The verified content: hashes of the commits, the bet's first, and numbers of draws.

    `reason` says why the bet was voided, if it was. `signed` says whether its player signed it; it
    is None for a player who signs nothing.
    """

    hashes: Sequence[bytes]
    draws: int
    decided: int | None
    reason: str | None
    signed: bool | None = None


def verify_receipt(receipt: bundle.Receipt, log: SignedLog) -> Followed:
    """Verify a receipt against a log. Raises DivergenceError."""
    opening = opening_in(log, receipt)
    with naming(opening.game):
        if receipt.game != opening.game:
            raise DivergenceError(0, "game", opening.game, receipt.game)
        _check_shape(receipt)
        previous, version = receipt.previous, receipt.version - 1
        if version == 0 and previous != chain.genesis_hash(receipt.genesis):
            raise DivergenceError(
                0, "previous", chain.genesis_hash(receipt.genesis).hex(), previous.hex()
            )
        hashes: list[bytes] = []
        if receipt.seed is None:
            for version, digest in enumerate(receipt.digests, start=receipt.version):
                hashes.append(previous := chain.commit_hash(previous, version, digest))
            entry = Entry(Kind.ADVANCED, opening.name, version, previous)
            log.check(entry, receipt.entry, "hash", after=receipt.started.index)
            return Followed(hashes, 0, None, None)
        history = _BetHistory(receipt, _key(receipt.seed, opening), opening.seats)
        signed = SignedCommands(opening, log.checkpoint.origin, previous, receipt.version)
        signatures = []
        for version, body in enumerate(receipt.bodies, start=receipt.version):
            hashes.append(previous := chain.commit_hash(previous, version, chain.body_digest(body)))
            # A bot may have played for a player since before the bet.
            signatures.append(signed.take(history.take(body, version), previous, by_bot=True))
        history.check_end(version)
        assert receipt.how is not None
        log.check(
            Entry(ENDED[receipt.how], opening.name, version, previous, receipt.seed),
            receipt.entry,
            "hash",
            after=receipt.started.index,
        )
    return Followed(hashes, history.draws, history.decided, history.reason, signatures[0])


def _check_shape(receipt: bundle.Receipt) -> None:
    """Check that a receipt has seed and commits after the game's end, and only digests before.

    Raises DivergenceError.
    """
    there = {
        name for name in ("how", "seed", "bodies", "digests", "outcomes") if getattr(receipt, name)
    }
    if there - {"outcomes"} != {"how", "seed", "bodies"} and there != {"digests"}:
        expected = "how, seed and bodies, or digests alone"
        raise DivergenceError(
            receipt.version, "receipt", expected, ", ".join(sorted(there)) or "none of them"
        )


def _key(seed: bytes, opening: chain.Genesis) -> bytes:
    if (opened := chain.seed_hash(seed)) != opening.seed_hash:
        raise DivergenceError(0, "seed", opening.seed_hash, opened)
    return chain.key_of(seed, opening)


class _BetHistory:
    """The commits from the bet on, with their draws repeated and compared with the receipt."""

    def __init__(self, receipt: bundle.Receipt, key: bytes, seats: int) -> None:
        self._receipt = receipt
        self._key = key
        self._seats = seats
        self._last: AnyServerCommand | None = None
        self._outcomes: list[Outcome] = []
        self._next_draw: int | None = None
        self._drawn_before = 0
        self.draws = 0
        self.decided: int | None = None
        self.reason: str | None = None

    def take(self, stored: bytes, version: int) -> chain.Body:
        """Check the next commit, and return it. Raises DivergenceError."""
        body = _body(stored, version, self._key)
        self._take_draws(body, version)
        if body.seat is not None and body.seat >= self._seats:
            raise DivergenceError(version, "seat", f"one of {self._seats}", body.seat)
        self._take_command(body, version)
        is_voided = self._is_voided_at(version)
        events = self._events(body, version)
        bets, settlements = rows_of(events)
        placed = (self._receipt.bet,) if version == self._receipt.version else ()
        if bets != placed:
            raise DivergenceError(version, "bet", as_json(bets), as_json(placed))
        if bets:
            self._drawn_before = self.draws
        outcomes = [Outcome(version, row.outcome, row.payout) for row in settlements]
        received = [outcome for outcome in self._receipt.outcomes if outcome.version == version]
        if outcomes != received:
            raise DivergenceError(version, "outcomes", as_json(outcomes), as_json(received))
        if len(outcomes) > 1 or (outcomes and self._outcomes and not is_voided):
            raise DivergenceError(
                version,
                "outcomes",
                "one settlement, and a correction if there is one",
                as_json(self._outcomes + outcomes),
            )
        if outcomes and not self._outcomes:
            self.decided = self.draws - self._drawn_before
        self._outcomes += outcomes
        self.reason = next(
            (event.reason for event in events if isinstance(event, BetVoided)), self.reason
        )
        return body

    def check_end(self, version: int) -> None:
        """Check that all outcomes were found, the bet is not open, and the game ended as stated.

        Raises DivergenceError.
        """
        if tuple(self._outcomes) != self._receipt.outcomes:
            raise DivergenceError(
                version, "outcomes", as_json(self._outcomes), as_json(self._receipt.outcomes)
            )
        how = "voided" if isinstance(self._last, Voided) else "finished"
        if self._receipt.how != how:
            raise DivergenceError(version, "end", how, self._receipt.how)
        if not self._outcomes:
            raise DivergenceError(
                version, "outcomes", "the outcome of the bet", "a bet that is still open"
            )

    def _take_draws(self, body: chain.Body, version: int) -> None:
        for draw in body.draws:
            awaited = self._next_draw
            if awaited not in {None, draw.number}:
                raise DivergenceError(version, "draws", f"draw {awaited}", as_json(draw))
            if (value := draw_value(self._key, draw.number, draw.bound)) != draw.value:
                raise DivergenceError(
                    version, "draws", f"{value} as draw {draw.number}", draw.value
                )
            self._next_draw = draw.number + 1
            self.draws += 1

    def _events(self, body: chain.Body, version: int) -> list[Event]:
        """Return the public events of this bet. Raises DivergenceError."""
        try:
            decoded = _decode_events(body.events)
        except chain.MALFORMED as error:
            raise DivergenceError(version, "body", "a commit", error) from error
        try:
            if not all(isinstance(event.get("type"), str) for event in decoded):
                raise DivergenceError(
                    version, "events", "a type in each event", as_text(body.events)
                )
            of_bets = [event for event in decoded if event["type"] in _BETS]
            events = [msgspec.convert(event, _BETS[event["type"]]) for event in of_bets]
        except chain.MALFORMED as error:
            raise DivergenceError(version, "events", "events", error) from error
        if (again := _sorted(events)) != (found := _sorted(of_bets)):
            raise DivergenceError(version, "events", again.decode(), found.decode())
        for event in events:
            least = min(getattr(event, "bet", 0), getattr(event, "seat", 0), *(event.only or (0,)))
            if least < 0:
                raise DivergenceError(version, "events", "bets and seats of at least 0", least)
        return [
            event
            for event in events
            if getattr(event, "bet", None) == self._receipt.bet.bet and event.only is None
        ]

    def _take_command(self, body: chain.Body, version: int) -> None:
        """Check that the deal is first and unique, and that no command follows a voided game.

        Raises DivergenceError.
        """
        if isinstance(self._last, Voided):
            expected = "nothing after the game was voided"
            raise DivergenceError(version, "commit", expected, "a commit")
        try:
            self._last = chain.decode_server_command(body.command) if body.seat is None else None
        except chain.MALFORMED as error:
            raise DivergenceError(version, "command", "a command of the server", error) from error
        if isinstance(self._last, Started) != (version == 1):
            expected = "the deal" if version == 1 else "a command after the deal"
            raise DivergenceError(version, "command", expected, as_text(body.command))
        check_command(self._last, version, self._seats)

    def _is_voided_at(self, version: int) -> bool:
        """Whether the operator voids the bet in this commit, which may happen once.

        The command must match earlier events. Raises DivergenceError.
        """
        command, bet = self._last, self._receipt.bet
        if not isinstance(command, VoidedBet) or command.bet != bet.bet:
            return False
        before = self._outcomes[-1] if self._outcomes else None
        voided = (command.seat, command.stake, command.payout)
        if voided != (bet.seat, bet.stake, before and before.payout) or (
            before is not None and before.outcome == "void"
        ):
            raise DivergenceError(version, "command", "the bet as in the log", as_json(command))
        return True


def _body(stored: bytes, version: int, key: bytes) -> chain.Body:
    blind = chain.blind_of(key, version)
    if stored[: chain.BLIND_LENGTH] != blind:
        raise DivergenceError(version, "blind", blind.hex(), stored[: chain.BLIND_LENGTH].hex())
    try:
        strict_json.check(stored[chain.BLIND_LENGTH :])
        body = chain.decode_body(stored)
    except chain.MALFORMED as error:
        raise DivergenceError(version, "body", "a commit", error) from error
    if body.version != version:
        raise DivergenceError(version, "body.version", version, body.version)
    return body
