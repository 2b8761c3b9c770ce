"""Verify a receipt: one bet, the chain of hashes from its commit to the log, and the draws that decided it."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from games.audit import bundle, chain
from games.audit.bundle import BetRow, SettlementRow
from games.audit.evidence import SignedLog, as_json, naming, one_line, opening_in
from games.audit.log import ENDED, Entry, Kind
from games.audit.replay import Diverged
from games.engine.chance import BOUND_MAX, draw_value

_decode_events: Final = msgspec.json.Decoder(tuple[dict[str, Any], ...]).decode


def verify_receipt(receipt: bundle.Receipt, log: SignedLog) -> tuple[int, int | None]:
    """Answers the draws that were drawn again, and how many came between the bet and its settlement. Raises Diverged."""
    opening = opening_in(log, receipt.genesis, receipt.started)
    with naming(opening.game):
        if receipt.game != opening.game:
            raise Diverged(0, "game", opening.game, receipt.game)
        key = _key(receipt, opening)
        draws, decided = _Draws(key), None
        version, hash_ = receipt.version - 1, receipt.previous
        if version == 0 and hash_ != chain.genesis_hash(receipt.genesis):
            raise Diverged(0, "previous", chain.genesis_hash(receipt.genesis).hex(), hash_.hex())
        for version, link in enumerate(receipt.links, start=receipt.version):
            hash_ = chain.commit_hash(hash_, version, _digest(link, version))
            if link.body is None:
                continue
            body = _body(link.body, version, key)
            draws.take(body, version)
            if version == receipt.version:
                _check_row(body, version, "bet", receipt.bet)
                draws.when_placed = draws.count
            if version == receipt.settled:
                _check_row(body, version, "settlement", receipt.settlement)
                decided = draws.count - draws.when_placed
        _check_settled(receipt, version, decided)
        kind = Kind.STANDS if receipt.how is None else ENDED[receipt.how]
        luck = b"" if receipt.how is None else receipt.seed or b""
        log.check(Entry(kind, opening.game, version, hash_, luck), receipt.entry, "hash")
    return draws.count, decided


def _key(receipt: bundle.Receipt, opening: chain.Genesis) -> bytes | None:
    if receipt.seed is None:
        return None
    if (opened := chain.seed_hash(receipt.seed)) != opening.seed_hash:
        raise Diverged(0, "seed", opening.seed_hash, opened)
    return chain.game_key(receipt.seed, receipt.genesis)


def _digest(link: bundle.Link, version: int) -> bytes:
    if link.body is not None and link.digest is None:
        return chain.body_digest(link.body)
    if link.digest is None or link.body is not None:
        raise Diverged(version, "link", "either a digest or a body", "both" if link.digest else "neither")
    return link.digest


def _check_settled(receipt: bundle.Receipt, version: int, decided: int | None) -> None:
    settlement = receipt.settlement
    if (receipt.settled is None) != (settlement is None) or (settlement is not None and decided is None):
        raise Diverged(version, "settlement", "a row and the commit that wrote it", "one without the other")
    if settlement is not None and settlement.bet != receipt.bet.bet:
        raise Diverged(version, "settlement", f"that of bet {receipt.bet.bet}", f"that of bet {settlement.bet}")


def _body(stored: bytes, version: int, key: bytes | None) -> chain.Body:
    try:
        body = chain.decode_body(stored)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Diverged(version, "body", "a commit", one_line(error)) from error
    if body.version != version:
        raise Diverged(version, "body.version", version, body.version)
    if key is not None and stored[: chain.BLIND_LENGTH] != chain.blind_of(key, version):
        raise Diverged(version, "blind", chain.blind_of(key, version).hex(), stored[: chain.BLIND_LENGTH].hex())
    return body


class _Draws:
    """Draws one after the other, each drawn again."""

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self._next: int | None = None
        self.count = 0
        self.when_placed = 0

    def take(self, body: chain.Body, version: int) -> None:
        """Raises Diverged."""
        for draw in body.draws:
            if not (0 <= draw.number < 2**63 and 1 <= draw.bound <= BOUND_MAX) or self._next not in {None, draw.number}:
                raise Diverged(
                    version, "draws", f"draw {self._next if self._next is not None else 'of a number'}", as_json(draw)
                )
            if self._key is not None and (value := draw_value(self._key, draw.number, draw.bound)) != draw.value:
                raise Diverged(version, f"draw {draw.number}", value, draw.value)
            self._next = draw.number + 1
            self.count += 1


def _check_row(body: chain.Body, version: int, what: str, row: BetRow | SettlementRow | None) -> None:
    """One of the events of this commit is what the row says."""
    try:
        events = _decode_events(body.events)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Diverged(version, "events", "events", one_line(error)) from error
    rows = [_row_in(event) for event in events if event.get("only") is None]
    if row is None or row not in rows:
        same = [each for each in rows if row is not None and isinstance(each, type(row)) and each.bet == row.bet]
        raise Diverged(version, what, as_json(same or "an event of this commit"), as_json(row))


def _row_in(event: Mapping[str, Any]) -> BetRow | SettlementRow | None:
    match event:
        case {"type": "bet_placed", "bet": bet, "seat": seat, "spot": spot, "stake": stake, "odds": odds}:
            return BetRow(bet, seat, spot, stake, odds)
        case {"type": "bet_settled", "bet": bet, "outcome": outcome, "payout": payout}:
            return SettlementRow(bet, outcome, payout)
        case {"type": "bet_voided", "bet": bet, "payout": payout}:
            return SettlementRow(bet, "void", payout)
        case _:
            return None
