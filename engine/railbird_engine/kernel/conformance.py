"""The test that every game must pass: call `check_game` with many keys.

A failure raises AssertionError, or the RuleViolation of a command that was listed as legal.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

import msgspec

from railbird_engine.kernel.book import Call, fits
from railbird_engine.kernel.chance import SeededChance
from railbird_engine.kernel.contract import (
    ENGINE_REFUSALS,
    AnyRules,
    Options,
    RuleViolation,
    State,
    union_members,
)
from railbird_engine.kernel.events import BetPlaced, BetSettled, BetVoided, Event
from railbird_engine.kernel.money import BANK, Seat
from railbird_engine.kernel.playout import Ask, Commit, Playout, ask_bot
from railbird_engine.kernel.server_commands import VoidedBet

Secrets = Callable[[State, Seat | None], Iterable[str]]
"""Texts of a state that a viewer must never read: hidden cards, sealed amounts, answers."""

_encode = msgspec.json.Encoder().encode
_REFUSALS_PER_STATE = 4
_VOIDS_ONE_IN = 8


def no_secrets(state: State, viewer: Seat | None) -> Iterable[str]:
    """The secrets of a game without secrets: none."""
    return ()


def check_game(  # noqa: PLR0913  (one call names the whole experiment)
    rules: AnyRules,
    seats: int,
    options: Options,
    key: bytes,
    *,
    ask: Ask = ask_bot,
    secrets: Secrets = no_secrets,
    commits_max: int = 20_000,
) -> Playout:
    """Play one game to its end, check every commit on the way, and return the finished playout.

    Checked for each commit:

    - purses balance, only the bank goes below zero, and transfers explain every change of a purse;
    - the state survives its codec and is stored in canonical bytes;
    - commands keep an alarm whose number stays, and a tick sets another number;
    - legal commands are accepted; all others are refused without a trace, by a declared code;
    - a seat that the game awaits has a choice, or its only command is declared as such;
    - a seat that the game does not have is refused;
    - a bot that waits at a glance waits when it is asked;
    - each event has a sentence in the book, if the book has any;
    - views and events leak no secret, and a spectator sees nothing that a seat does not;
    - commands and events are members of the declared unions.

    Now and then an open or settled bet is voided, also after the end. All of the above must
    still hold, the transfers must move what the event reports, and the bet must not be settled
    again. At the end the same key and commands must give the same bytes.
    """
    for declared in (rules.options_type, rules.state_type, rules.command_type, rules.event_type):
        _check_ordered(msgspec.inspect.type_info(declared), set())
    playout = Playout(rules, seats, options, key)
    whims = SeededChance(b"conformance" + key)
    pool: list[Any] = []
    bets = _Bets()
    calls = rules.book().calls
    assert rules.edition(options) in rules.editions
    _check_state(playout, {})
    _check_commit(rules, calls, playout.commits[0])
    bets.enter(playout.commits[0])
    running = playout.run(ask)
    while True:
        before = playout.state
        frozen = _encode(before)
        alarm = rules.alarm(before)
        _check_commands(rules, before, frozen, whims, pool, seats)
        commit = bets.void_one(playout, whims) or next(running, None)
        if commit is None:
            break
        bets.enter(commit)
        assert len(playout.commits) <= commits_max, f"no end after {commits_max} commits"
        assert _encode(before) == frozen, "a step changed the state it was given"
        after = rules.alarm(playout.state)
        if commit.command is not None:
            if commit.seat is not None:
                pool.append(commit.command)
                _check_listed(rules, before, commit.seat, commit.command)
            if alarm and after and alarm.number == after.number:
                assert alarm == after, f"{commit.command} moved alarm {alarm.number}"
        elif alarm and after:
            assert alarm.number != after.number, (
                f"the tick for alarm {alarm.number} awaits the same number again"
            )
        _check_state(playout, before.purses)
        _check_commit(rules, calls, commit)
        _check_sight(playout, commit, before, secrets)
    _check_end(playout)
    check_replay(playout, key)
    return playout


class _Bets:
    """The bets of a game, as its events report them."""

    def __init__(self) -> None:
        self._spots: dict[int, tuple[Seat, str]] = {}
        self._standing: dict[int, VoidedBet] = {}
        """The command that voids each bet now."""

    def void_one(self, playout: Playout, whims: SeededChance) -> Commit | None:
        """Now and then void a bet, an open one if there is any."""
        open_ = [bet for bet in self._standing.values() if bet.payout is None]
        pool = open_ or list(self._standing.values())
        if not pool or whims.below(_VOIDS_ONE_IN):
            return None
        playout.void(whims.pick(pool))
        return playout.commits[-1]

    def enter(self, commit: Commit) -> None:
        """Record the bets of a commit."""
        for event in commit.events:
            match event:
                case BetPlaced():
                    self._spots[event.bet] = event.seat, event.spot
                    self._standing[event.bet] = VoidedBet(
                        event.bet, event.seat, event.stake, None, "conformance", UUID(int=0)
                    )
                case BetSettled():
                    assert event.bet in self._standing, (
                        f"bet {event.bet} is settled after it was voided"
                    )
                    assert self._spots[event.bet] == (event.seat, event.spot), (
                        f"bet {event.bet} was placed elsewhere"
                    )
                    self._standing[event.bet] = msgspec.structs.replace(
                        self._standing[event.bet], payout=event.payout
                    )
                case BetVoided():
                    del self._standing[event.bet]
                    moved = sum(
                        transfer.amount
                        for transfer in commit.transfers
                        if transfer.reason == "bet_void"
                    )
                    assert moved == abs(event.payout), (
                        f"bet {event.bet}: {event.payout} went back, {moved} moved"
                    )
                case _:
                    pass


def check_replay(playout: Playout, key: bytes) -> None:
    """Check that the same key and commands give the same bytes."""
    again = Playout(playout.rules, playout.seats, playout.options, key)
    for commit in playout.commits[1:]:
        if commit.command is None:
            again.tick()
        elif isinstance(commit.command, VoidedBet):
            again.void(commit.command)
        else:
            assert commit.seat is not None
            command = _through_codec(commit.command, playout.rules.command_type)
            again.act(commit.seat, command)
    assert _encode(again.commits) == _encode(playout.commits), "a replay differs"
    assert _encode(again.state) == _encode(playout.state), "a replay ends in another state"


def _through_codec(value: Any, declared: Any) -> Any:  # any declared type
    return msgspec.json.decode(msgspec.json.encode(value), type=declared)


def _check_ordered(info: Any, seen: set[type]) -> None:  # msgspec's description of any type
    """Reject sets: their order differs between processes, and stored bytes must not."""
    assert not isinstance(info, msgspec.inspect.SetType | msgspec.inspect.FrozenSetType), (
        f"a set in {seen}"
    )
    if isinstance(info, msgspec.inspect.StructType):
        if info.cls in seen:
            return
        seen = seen | {info.cls}
        for field in info.fields:
            _check_ordered(field.type, seen)
    for name in ("types", "item_types"):
        for part in getattr(info, name, ()):
            _check_ordered(part, seen)
    for name in ("item_type", "key_type", "value_type"):
        if (part := getattr(info, name, None)) is not None:
            _check_ordered(part, seen)


def _check_state(playout: Playout, before: dict[Any, int]) -> None:
    state, rules = playout.state, playout.rules
    assert sum(state.purses.values()) == 0, f"purses sum to {sum(state.purses.values())}"
    for purse, held in state.purses.items():
        assert purse == BANK or held >= 0, f"{purse} holds {held}"
    expected = dict.fromkeys(state.purses, 0) | before
    for transfer in playout.commits[-1].transfers:
        assert transfer.amount > 0
        expected[transfer.source] -= transfer.amount
        expected[transfer.target] += transfer.amount
    assert expected == state.purses, "the transfers do not explain the purses"
    data = _encode(state)
    decoded = msgspec.json.decode(data, type=rules.state_type)
    assert _encode(decoded) == data, "the state does not survive its codec"
    assert decoded == state, "the state holds other types than it declares"
    assert (
        _encode(msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=rules.state_type))
        == data
    )


def _check_commit(rules: AnyRules, calls: Sequence[Call], commit: Commit) -> None:
    if isinstance(commit.command, VoidedBet):
        return  # The server's own: `_Bets` looks at it.
    for event in commit.events:
        told = not calls or any(fits(call, event) for call in calls)
        assert told, f"no call tells {event}"
        assert type(event) in union_members(rules.event_type), (
            f"{type(event).__name__} is not a declared event"
        )
        assert _through_codec(event, rules.event_type) == event
    if commit.command is not None:
        assert type(commit.command) in union_members(rules.command_type)


def _check_commands(
    rules: AnyRules, state: State, frozen: bytes, whims: SeededChance, pool: list[Any], seats: int
) -> None:
    _check_strangers(rules, state, seats)
    _check_awaited(rules, state, seats)
    if rules.result(state) is not None:
        for seat in range(seats):
            assert not list(rules.legal(state, Seat(seat))), "a finished game has legal commands"
    seat = Seat(whims.below(seats))
    listed = list(rules.legal(state, seat))
    cue = rules.bot_cue(state, seat)
    assert cue is None or 0 <= cue.least_ms <= cue.most_ms
    if cue is None:
        command = rules.bot(rules.view(state, seat), listed, SeededChance(b"trial"))
        assert command is None, f"a bot without a cue answers {command}"
    legal = [command for command in listed if not rules.is_form(command)]
    for form in (command for command in listed if rules.is_form(command)):
        code = _refusal_code(partial(rules.apply, state, seat, form, SeededChance(b"trial")))
        assert code != "answered", f"{form} is a form, and was accepted"
    if legal:
        rules.apply(
            state, seat, whims.pick(legal), SeededChance(b"trial")
        )  # a refusal here fails the check
    for _ in range(min(_REFUSALS_PER_STATE, len(pool))):
        command = whims.pick(pool)
        stranger = Seat(whims.below(seats + 1))
        try:
            rules.apply(state, stranger, command, SeededChance(b"trial"))
        except RuleViolation as violation:
            _check_refusal(rules, violation)
        else:
            assert stranger < seats, "a command of a seat that the game does not have was accepted"
            _check_listed(rules, state, stranger, command)
    whims.draws.clear()
    assert _encode(state) == frozen, "a trial changed the state"


def _check_strangers(rules: AnyRules, state: State, seats: int) -> None:
    """A seat that the game does not have is refused by the engine."""
    for stranger in (Seat(-1), Seat(seats), Seat(seats + 3)):
        for ask in (rules.view, rules.legal):
            code = _refusal_code(partial(ask, state, stranger))
            assert code == "not_at_the_table", f"seat {stranger} is not at the table: {code}"


def _check_awaited(rules: AnyRules, state: State, seats: int) -> None:
    """The game waits for seats that have a choice, and for at least one unless a clock is set."""
    awaited = rules.awaited(state)
    assert awaited <= set(range(seats)), f"the game awaits {sorted(awaited)} of {seats} seats"
    if rules.result(state) is not None:
        assert not awaited, f"a finished game awaits {sorted(awaited)}"
        return
    assert awaited or rules.alarm(state), "no clock is set, and the game awaits nobody"
    for seat in awaited:
        choices = list(islice(rules.legal(state, seat), 2))
        assert choices, f"the game awaits seat {seat}, which has no command"
        sole = choices[0]
        assert len(choices) > 1 or rules.is_form(sole) or type(sole) in rules.sole_commands, (
            f"the game awaits seat {seat}, whose only command is {sole}"
        )


def _refusal_code(ask: Callable[[], object]) -> str:
    """The code with which a request is refused, or `answered`."""
    try:
        ask()
    except RuleViolation as violation:
        return violation.code
    return "answered"


def _check_refusal(rules: AnyRules, violation: RuleViolation) -> None:
    named = rules.refusals | ENGINE_REFUSALS
    assert violation.code in named, (
        f"{violation.code} is not among the refusals that the game names"
    )
    _encode(violation.data)


def _check_listed(
    rules: AnyRules, state: State, seat: Seat, command: Any
) -> None:  # a command of any game
    if rules.legal_is_complete:
        assert command in list(rules.legal(state, seat)), (
            f"{command} was accepted but is not listed as legal"
        )


def _check_sight(playout: Playout, commit: Commit, before: State, secrets: Secrets) -> None:
    rules, state = playout.rules, playout.state
    public = msgspec.to_builtins(rules.view(state, None))
    for viewer in [None, *(Seat(seat) for seat in range(playout.seats))]:
        view = msgspec.to_builtins(rules.view(state, viewer))
        read: list[Event] = [
            event for event in commit.events if event.only is None or viewer in event.only
        ]
        shown = _encode([view, read]).decode()
        for secret in secrets(state, viewer):
            assert secret not in shown, f"viewer {viewer} can read {secret!r}"
        difference = _hidden_from_seat(public, view, "view")
        assert difference is None, f"a spectator sees more than seat {viewer}: {difference}"


def _hidden_from_seat(public: Any, seen: Any, path: str) -> str | None:  # plain JSON values
    """Return the first place where a spectator's view shows more than a seat's.

    None stands for what is hidden.
    """
    if public is None or public == seen:
        return None
    if isinstance(public, dict) and isinstance(seen, dict):
        pairs = [(value, seen.get(name), f"{path}.{name}") for name, value in public.items()]
    elif isinstance(public, list) and isinstance(seen, list) and len(public) == len(seen):
        pairs = [
            (value, other, f"{path}[{index}]")
            for index, (value, other) in enumerate(zip(public, seen, strict=True))
        ]
    else:
        return f"{path}: {public!r} against {seen!r}"
    return next((found for pair in pairs if (found := _hidden_from_seat(*pair)) is not None), None)


def _check_end(playout: Playout) -> None:
    result = playout.result
    assert result is not None
    ranked = sorted(seat for group in result.ranking for seat in group)
    assert ranked == list(range(playout.seats)), "the ranking does not name each seat once"
    assert len(result.scores) == playout.seats
    assert playout.rules.alarm(playout.state) is None, "a finished game still awaits the clock"
