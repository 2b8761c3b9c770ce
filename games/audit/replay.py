"""Play a stored game again from its bytes and its seed, and name the first place where the two differ. Pure."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from games.audit import chain
from games.engine import Rules, RuleViolation, Seat, SeededChance, State, Step
from games.engine.server import Paused, Started, Ticked, Voided

AnyRules = Rules[Any, Any, Any, Any]  # any game is audited


class Stored(NamedTuple):
    """A commit as it lies in the log."""

    version: int
    seat: int | None
    body: bytes
    hash: bytes


class Replayed(NamedTuple):
    """A commit that is what it should be, and the state after it."""

    version: int
    body: chain.Body
    command: Any
    state: State
    step: Step[Any]


class Diverged(Exception):
    """The first divergence: at which version, in which field, what was expected and what was found."""

    def __init__(self, version: int, field: str, expected: object, found: object) -> None:
        super().__init__(f"version {version}: {field}: expected {expected}, found {found}")
        self.version = version
        self.field = field
        self.expected = expected
        self.found = found


class OtherEdition(Exception):
    """These rules have other cards, boards or questions than the game was played with, so they cannot tell what is right."""

    def __init__(self, rules: AnyRules, needed: str, found: str) -> None:
        super().__init__(f"needs rules {rules.slug} {rules.version} of edition {needed}, found {found or 'none'}")
        self.needed = needed
        self.found = found


def options_of(rules: AnyRules, opening: chain.Genesis) -> Any:  # the options of any game
    """The options of a game that these rules can carry on. Raises OtherEdition."""
    options = msgspec.json.decode(opening.options, type=rules.options_type)
    if (edition := rules.edition(options)) != opening.edition:
        raise OtherEdition(rules, opening.edition, edition)
    return options


def check_seed(genesis: bytes, seed: bytes) -> None:
    """The seed is the one that was promised. Raises Diverged."""
    promised = chain.decode_genesis(genesis).seed_hash
    opened = chain.seed_hash(seed)
    if opened != promised:
        raise Diverged(0, "seed", promised, opened)


def replay(rules: AnyRules, genesis: bytes, seed: bytes, commits: Iterable[Stored]) -> Iterator[Replayed]:
    """Walk through a game's commits in order: hashes over the stored bytes, the blind, the dice drawn again, the rules
    applied again, byte for byte. Raises Diverged at the first commit that is not what it should be, OtherEdition before all.
    """
    check_seed(genesis, seed)
    opening = chain.decode_genesis(genesis)
    options = options_of(rules, opening)
    key = chain.game_key(seed, genesis)
    command_decoder = msgspec.json.Decoder(rules.command_type)
    previous, drawn, state, ended = chain.genesis_hash(genesis), 0, None, False
    for version, stored in enumerate(commits, start=1):
        body = _check_bytes(stored, version, previous, key)
        if ended:
            raise Diverged(version, "commit", "nothing after the end of the game", "a commit")
        command = _decode_command(stored, body, command_decoder)
        chance = SeededChance(key, drawn)
        try:
            step = step_from(rules, opening.seats, options, state, stored.seat, command, chance)
        except RuleViolation as violation:
            raise Diverged(version, "command", "a legal command", f"one refused as {violation.code}") from violation
        _check_content(stored, body, version, step, key, command)
        previous, state, drawn = stored.hash, step.state, drawn + len(step.draws)
        ended = isinstance(command, Voided)
        yield Replayed(version, body, command, state, step)


def _check_bytes(stored: Stored, version: int, previous: bytes, key: bytes) -> chain.Body:
    if stored.version != version:
        raise Diverged(version, "version", version, stored.version)
    expected = chain.commit_hash(previous, version, chain.body_digest(stored.body))
    if stored.hash != expected:
        raise Diverged(version, "hash", expected.hex(), stored.hash.hex())
    blind = chain.blind_of(key, version)
    if stored.body[: chain.BLIND_LENGTH] != blind:
        raise Diverged(version, "blind", blind.hex(), stored.body[: chain.BLIND_LENGTH].hex())
    try:
        body = chain.decode_body(stored.body)
    except msgspec.MsgspecError as error:
        raise Diverged(version, "body", "a commit", str(error)) from error
    if body.version != version:
        raise Diverged(version, "body.version", version, body.version)
    if body.seat != stored.seat:
        raise Diverged(version, "seat", body.seat, stored.seat)
    return body


def _decode_command(stored: Stored, body: chain.Body, decoder: msgspec.json.Decoder[Any]) -> Any:  # a command of any game
    try:
        return chain.decode_server_command(body.command) if stored.seat is None else decoder.decode(body.command)
    except msgspec.MsgspecError as error:
        raise Diverged(stored.version, "command", "a command of the game", str(error)) from error


def step_from(  # noqa: PLR0913, PLR0917  (all that a step follows from)
    rules: AnyRules, seats: int, options: Any, state: Any, seat: int | None, command: Any, chance: SeededChance
) -> Step[Any]:
    """What follows from a seat's command, or from one of the server's own: one reading for who plays and who checks.

    Raises RuleViolation.
    """
    match command:
        case Started():
            return rules.start(seats, options, chance)
        case Ticked():
            return rules.advance(state, chance)
        case Paused() | Voided():
            return Step(state, (), (), ())
        case _:
            assert seat is not None
            return rules.apply(state, Seat(seat), command, chance)


def _check_content(stored: Stored, body: chain.Body, version: int, step: Step[Any], key: bytes, command: Any) -> None:
    if isinstance(command, Voided):
        return
    again = chain.encode_body(key, version, stored.seat, command, step.draws, step.events, step.transfers)
    if again == stored.body:
        return
    if body.draws != step.draws:
        raise Diverged(version, "draws", msgspec.json.encode(step.draws).decode(), msgspec.json.encode(body.draws).decode())
    if body.transfers != step.transfers:
        expected = msgspec.json.encode(step.transfers).decode()
        raise Diverged(version, "transfers", expected, msgspec.json.encode(body.transfers).decode())
    events = msgspec.json.encode(step.events)
    if bytes(body.events) != events:
        raise Diverged(version, "events", events.decode(), bytes(body.events).decode())
    raise Diverged(version, "body", hashlib.sha256(again).hexdigest(), hashlib.sha256(stored.body).hexdigest())
