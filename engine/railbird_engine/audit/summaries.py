"""Results of the command line in words: verified files and logs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from railbird_engine.audit.bundle import Receipt
from railbird_engine.audit.evidence import Began
from railbird_engine.audit.histories import Counted, Restored
from railbird_engine.audit.monitor import Watched
from railbird_engine.audit.receipts import Followed
from railbird_engine.audit.verify import Verified
from railbird_engine.kernel.chain import Kind

BUILDS_MAX: Final = 3
OWED_MAX: Final = 10
GROUPS_MAX: Final = 10


def counted(count: int, one: str, more: str = "") -> str:
    """Return a number with the noun for it: `more` is its plural if that is not with an s."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


def listed(words: Sequence[str]) -> str:
    """Return words as a list in English."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)


def verified_in_words(verified: Verified) -> str:
    """Describe a file that verifies."""
    log = f"log {verified.content.checkpoint.origin} at {verified.content.checkpoint.size}"
    if verified.receipt is None or verified.followed is None:
        games = list(verified.content.began)
        parts = (
            counted(verified.games, "game") + (f" ({games[0]})" if len(games) == 1 else ""),
            counted(verified.commits, "commit"),
            counted(verified.draws, "draw"),
            counted(verified.bets, "bet"),
            counted(verified.transfers, "transfer"),
        )
        return f"{', '.join(parts)}; {log}"
    return f"{_bet_in_words(verified.receipt, verified.followed)}; {log}"


def began_in_words(games: Iterable[Began], code: Callable[[Began], str | None]) -> str:
    """Describe how games began. `code` returns the hash of the code of this verifier's rules."""
    began = list(games)
    builds = {f"{it.build} ({_compared(it.build.rules, code(it))})" for it in began}
    return (
        f"{_dice_in_words(began)}{_abandoned_in_words(began)}"
        f"; played by {' and '.join(sorted(builds)[:BUILDS_MAX])}"
        + (" and others" if len(builds) > BUILDS_MAX else "")
    )


def _dice_in_words(began: Sequence[Began]) -> str:
    """Name everybody who added to the dice of games."""
    found = Counter(_adding(it) for it in began)
    if len(found) == 1:
        return f"; dice: {next(iter(found))}"
    words = [f"; dice of {counted(count, 'game')}: {who}" for who, count in found.items()]
    return "".join(words[:GROUPS_MAX]) + (
        "; other dice of other games" if len(words) > GROUPS_MAX else ""
    )


def _adding(began: Began) -> str:
    others = _others(began)
    return ", ".join(["the server", *others]) if others else "the server alone"


def _others(began: Began) -> list[str]:
    """Name the seats and witnesses that added to the dice; the bytes of a key have no use here."""
    witnesses = [f"witness {text.rpartition('+')[0]}" for text in began.witnesses]
    return [f"seat {seat}" for seat in began.seats] + witnesses


def suspects_in_words(games: Mapping[UUID, Began]) -> Iterator[str]:
    """Warn of games whose dice rest on strangers alone, by those who added to them."""
    by_others = defaultdict[tuple[str, ...], list[UUID]](list)
    for game, began in games.items():
        by_others[tuple(_others(began))].append(game)
    for others, same in by_others.items():
        yield _suspect_in_words(others, same)


def _suspect_in_words(others: Sequence[str], games: Sequence[UUID]) -> str:
    together = f"together with {listed(others)}" if others else "alone"
    which = f"game {games[0]}" if len(games) == 1 else counted(len(games), "game")
    return (
        f"warning: the dice of {which} could have been chosen by the server {together}: you "
        "gave neither the key of a witness who added to them (--witness) nor the receipt of a "
        "player's entropy in them (--acknowledgements)"
    )


def _abandoned_in_words(began: Sequence[Began]) -> str:
    """Count the starts that were abandoned before games, and name the seats that were silent."""
    attempts = [silent for it in began for silent in it.abandoned]
    if not attempts:
        return ""
    named = [listed([f"seat {seat}" for seat in silent]) or "no seat" for silent in attempts]
    more = " and others" if len(named) > OWED_MAX else ""
    return (
        f"; {counted(len(attempts), 'start')} abandoned before, in which the server says that it "
        f"waited in vain for {'; '.join(named[:OWED_MAX])}{more} of the lobby"
    )


def owed_in_words(games: Mapping[UUID, Began]) -> str:
    """Describe what the seats of games with a buy-in are owed by rank and terms."""
    found = [
        f"in game {game}: " + ", ".join(f"seat {seat} {coins}" for seat, coins in it.owed.items())
        for game, it in games.items()
        if it.owed
    ]
    return f"; owed {'; '.join(found[:OWED_MAX])}" if found else ""


def corrected_in_words(games: Iterable[Began]) -> str:
    """Describe the games and bets that were voided, and why."""
    found = [words for it in games for words in it.corrected]
    return f"; {'; '.join(found[:OWED_MAX])}" if found else ""


def signed_in_words(games: Iterable[Began]) -> str:
    """Describe how many commands players signed, if some of them sign."""
    found = [it.signatures for it in games if it.signatures is not None]
    if not found:
        return ""
    commands, signed, by_bots, paid = map(sum, zip(*found, strict=True))
    without_key = commands - signed - by_bots
    return (
        f"; {signed:,} of {counted(commands, 'command')} signed"
        + (f", {without_key:,} of seats without a key" if without_key else "")
        + (
            f", {by_bots:,} by bots in seats of players who sign, which paid {paid:,} for them: "
            "that these players were away is the word of the server"
            if by_bots
            else ""
        )
    )


def _compared(code: str, own: str | None) -> str:
    if own is None:
        return "rules that are unknown here"
    return "the same code as here" if code == own else "other code than here"


def _bet_in_words(receipt: Receipt, followed: Followed) -> str:
    """Describe the result of a bet."""
    where = f"commit {receipt.version} with the hash {followed.hashes[0].hex()}"
    if receipt.how is None:
        return (
            f"{where} of game {receipt.game} is in the log, in its place; the game "
            "is still running, and until it ends "
            f"nothing proves that this is bet {receipt.bet.bet}: compare the hash with "
            "the one that you received"
        )
    bet = receipt.bet
    which = f"bet {bet.bet} of game {receipt.game}: seat {bet.seat}, {bet.stake} on {bet.spot}"
    words = f"{which} at {bet.odds}; it is {where}"
    if followed.signed is not None:
        words += ", signed by its player" if followed.signed else ", not signed by its player"
    for number, outcome in enumerate(receipt.outcomes):
        words += f", {outcome.outcome} by commit {outcome.version}"
        words += (
            f" after {counted(followed.decided or 0, 'more draw')}"
            if number == 0
            else " as a correction"
        )
        words += f" ({followed.reason})" if outcome.outcome == "void" else ""
    return f"{words}; the game {'was voided' if receipt.how == 'voided' else 'is over'}"


def games_in_words(games: Counted | None) -> str:
    """Describe the entries of a log, if they were read."""
    if games is None:
        return ""
    ended = (
        f"{games.finished:,} finished, {games.voided:,} voided, {games.without_end:,} "
        "without an end yet"
    )
    return (
        f"; {counted(games.opened, 'lobby', 'lobbies')} opened, "
        f"{counted(games.abandoned, 'attempt')} abandoned, "
        f"{counted(games.started, 'game')} started, {ended}"
        + lost_in_words(games.restored.items())
        + "".join(
            f"; lost: {counted(was - left, 'action')} of operators" for was, left in games.cuts
        )
        + ("" if games.build is None else f"; sealed by {games.build}")
    )


def cosigned_in_words(times: Mapping[str, int]) -> str:
    """Describe cosignatures, if some were demanded."""
    if not times:
        return ""
    first, last = (
        datetime.fromtimestamp(time_s, UTC).isoformat()
        for time_s in (min(times.values()), max(times.values()))
    )
    return f"; cosigned by {counted(len(times), 'witness', 'witnesses')} from {first} to {last}"


def compared_in_words(watched: Watched) -> str:
    """Describe how a log and the files compared with it differ."""
    words = "".join(
        f"; the file of log name {name} is superseded at version {version}"
        for name, version in watched.superseded.items()
    )
    if watched.unnamed:
        words += (
            f"; the log does not name the build of {counted(watched.unnamed, 'game')} in the files"
        )
    return words + (
        f"; {counted(len(watched.diverged), 'game')} diverged" if watched.diverged else ""
    )


def lost_in_words(lost: Iterable[tuple[object, Restored]]) -> str:
    """Describe games that lost commits, by name, if there are any."""
    words = [
        f"{name} after version {restored.version or 0} (sealed: {restored.sealed})"
        for name, restored in lost
    ]
    return f"; {counted(len(words), 'game')} lost commits: {', '.join(words)}" if words else ""


def restored_in(verified: Verified) -> Iterator[tuple[UUID, Restored]]:
    """Yield the games of a file that lost commits."""
    games = {name: game for game, name in verified.content.names.items()}
    for _, entry in sorted(verified.content.entries.items()):
        if entry.kind is Kind.RESTORED:
            yield games[entry.name], Restored(entry.version, entry.sealed[0], started=True)
