"""Replay a stored game from its bytes and its seed, and report the first divergence. Pure."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from railbird_engine import AnyRules, RuleViolation, SeededChance, State, Step, VoidedBet
from railbird_engine.audit import strict_json
from railbird_engine.audit.bets import PublicBets
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.interventions import Substitutes, check_command
from railbird_engine.audit.signed_commands import Signatures, SignedCommands
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import (
    Paused,
    Started,
    Ticked,
    Voided,
)
from railbird_engine.kernel.stepping import options_of, step_from


class Stored(NamedTuple):
    """A commit as stored in the log."""

    version: int
    seat: int | None
    body: bytes
    hash: bytes


class Replayed(NamedTuple):
    """A correct commit, and the state after it. `signatures` counts those until then."""

    version: int
    body: chain.Body
    command: Any
    state: State
    step: Step[Any]
    signatures: Signatures | None


def as_json(value: Any) -> str:
    """Return the JSON of a value, as in a file."""
    return msgspec.json.encode(value).decode()


def as_text(raw: msgspec.Raw) -> str:
    """Return a part of a body as written."""
    return bytes(raw).decode()


def check_seed(genesis: bytes, seed: bytes) -> None:
    """Check that the seed matches its published hash. Raises DivergenceError."""
    promised = chain.decode_genesis(genesis).seed_hash
    opened = chain.seed_hash(seed)
    if opened != promised:
        raise DivergenceError(0, "seed", promised, opened)


def replay(
    rules: AnyRules, genesis: bytes, seed: bytes, commits: Iterable[Stored], origin: str
) -> Iterator[Replayed]:
    """Replay a game's commits in order, and yield each. `origin` is the name of the log.

    Checks the hashes over the stored bytes, the blind, the repeated draws, the signatures of
    players, and the result of the rules, byte for byte. Raises DivergenceError at the first wrong
    commit, OtherEditionError before all.
    """
    check_seed(genesis, seed)
    opening = chain.decode_genesis(genesis)
    try:
        options = options_of(rules, opening)
    except chain.MALFORMED as error:
        raise DivergenceError(0, "options", "options of the game", error) from error
    key = chain.key_of(seed, opening)
    command_decoder = msgspec.json.Decoder(rules.command_type)
    previous, drawn, state, ended = chain.genesis_hash(genesis), 0, None, False
    bets, substitutes = PublicBets(), Substitutes()
    signed = SignedCommands(opening, origin, previous)
    for version, stored in enumerate(commits, start=1):
        body = _check_bytes(stored, version, previous, key)
        if body.seat is not None and body.seat >= opening.seats:
            raise DivergenceError(version, "seat", f"one of {opening.seats}", body.seat)
        if ended:
            raise DivergenceError(
                version, "commit", "nothing after the end of the game", "a commit"
            )
        command = _decode_command(stored, body, command_decoder)
        _check_turn(rules, state, version, command)
        check_command(command, version, opening.seats)
        substitutes.take(command, version)
        try:
            signed.take(body, stored.hash, by_bot=substitutes.has(body.seat))
        except DivergenceError:
            _check_form(stored)
            raise
        chance = SeededChance(key, drawn)
        try:
            step = step_from(rules, opening.seats, options, state, stored.seat, command, chance)
        except RuleViolation as violation:
            _check_form(stored)
            raise DivergenceError(
                version, "command", "a legal command", f"one refused as {violation.code}"
            ) from violation
        if stored.seat is None:
            match command:
                case Voided():
                    step = Step(step.state, bets.void_events(command), (), ())
                    ended = True
                case VoidedBet() if not bets.matches(command):
                    raise DivergenceError(
                        version, "command", "the bet as in the log", as_text(body.command)
                    )
        result = None if ended else rules.result(step.state)
        ranking = None if result is None else result.ranking
        _check_content(stored, body, version, step, command, ranking)
        bets.enter(step.events)
        previous, state, drawn = stored.hash, step.state, drawn + len(step.draws)
        yield Replayed(version, body, command, state, step, signed.counted)


def check_chain(genesis: bytes, seed: bytes, commits: Iterable[Stored]) -> None:
    """Check what needs no rules: the seed, and the hashes and blinds of the commits.

    Raises DivergenceError at the first wrong commit.
    """
    check_seed(genesis, seed)
    key = chain.key_of(seed, chain.decode_genesis(genesis))
    previous = chain.genesis_hash(genesis)
    for version, stored in enumerate(commits, start=1):
        _check_bytes(stored, version, previous, key)
        previous = stored.hash


def _check_bytes(stored: Stored, version: int, previous: bytes, key: bytes) -> chain.Body:
    if stored.version != version:
        raise DivergenceError(version, "version", version, stored.version)
    expected = chain.commit_hash(previous, version, chain.body_digest(stored.body))
    if stored.hash != expected:
        raise DivergenceError(version, "hash", expected.hex(), stored.hash.hex())
    blind = chain.blind_of(key, version)
    if stored.body[: chain.BLIND_LENGTH] != blind:
        raise DivergenceError(
            version, "blind", blind.hex(), stored.body[: chain.BLIND_LENGTH].hex()
        )
    try:
        body = chain.decode_body(stored.body)
    except chain.MALFORMED as error:
        raise DivergenceError(version, "body", "a commit", error) from error
    if body.version != version or body.seat != stored.seat:
        _check_form(stored)
    if body.version != version:
        raise DivergenceError(version, "body.version", version, body.version)
    if body.seat != stored.seat:
        raise DivergenceError(version, "seat", body.seat, stored.seat)
    return body


def _check_form(stored: Stored) -> None:
    """Report a malformed body if that is the cause of a divergence. Raises DivergenceError."""
    try:
        strict_json.check(stored.body[chain.BLIND_LENGTH :])
    except chain.MALFORMED as error:
        raise DivergenceError(stored.version, "body", "a commit", error) from error


def _decode_command(
    stored: Stored, body: chain.Body, decoder: msgspec.json.Decoder[Any]
) -> Any:  # a command of any game
    try:
        return (
            chain.decode_server_command(body.command)
            if stored.seat is None
            else decoder.decode(body.command)
        )
    except chain.MALFORMED as error:
        _check_form(stored)
        raise DivergenceError(stored.version, "command", "a command of the game", error) from error


def _check_turn(rules: AnyRules, state: State | None, version: int, command: Any) -> None:
    """Check that the deal is first and unique, and that a tick answers the current alarm."""
    if (type(command) is Started) != (version == 1):
        raise DivergenceError(
            version,
            "command",
            "the deal" if version == 1 else "a command after the deal",
            type(command).__name__,
        )
    if isinstance(command, (Ticked, Paused)):
        assert state is not None
        awaited = rules.alarm(state)
        if awaited is None or awaited.number != command.alarm:
            expected = "none" if awaited is None else awaited.number
            raise DivergenceError(version, "alarm", expected, command.alarm)


def _check_content(
    stored: Stored,
    body: chain.Body,
    version: int,
    step: Step[Any],
    command: Any,
    ranking: chain.Ranking | None,
) -> None:
    again = chain.encode_content(
        version, stored.seat, command, step.draws, step.events, step.transfers, ranking, body.signed
    )
    if again == stored.body[chain.BLIND_LENGTH :]:
        return
    _check_form(stored)
    if body.draws != step.draws:
        raise DivergenceError(version, "draws", as_json(step.draws), as_json(body.draws))
    if body.transfers != step.transfers:
        raise DivergenceError(
            version, "transfers", as_json(step.transfers), as_json(body.transfers)
        )
    events = msgspec.json.encode(step.events)
    if bytes(body.events) != events:
        raise DivergenceError(version, "events", events.decode(), as_text(body.events))
    if body.ranking != ranking:
        raise DivergenceError(version, "ranking", as_json(ranking), as_json(body.ranking))
    raise DivergenceError(
        version,
        "body",
        hashlib.sha256(again).hexdigest(),
        hashlib.sha256(stored.body[chain.BLIND_LENGTH :]).hexdigest(),
    )
