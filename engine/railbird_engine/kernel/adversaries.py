"""Players who want no end: every game must end with any players.

`check_ends` plays whole games with them and counts the steps against the game's `steps_max`.
"""

from collections.abc import Iterator
from typing import Any, Final

from railbird_engine.kernel.chance import Chance
from railbird_engine.kernel.contract import AnyRules, Cue, Options, State, union_members
from railbird_engine.kernel.money import Seat
from railbird_engine.kernel.playout import Ask, Player, Playout, ask_bot

_OFTEN: Final = Cue(None, 2_000, 8_000)


def _looks_often(rules: AnyRules, state: State, seat: Seat) -> Cue:
    return _OFTEN


def _ask_bot_now(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Return what a bot does if it is legal now: bots may decide on what will be."""
    command = ask_bot(rules, state, seat, chance)
    is_known = not rules.legal_is_complete or command in list(rules.legal(state, seat))
    return command if is_known else None


def silent(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Say nothing: only the clock goes on."""
    return None


def spending(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Give the last command that is legal: `legal` lists bids and stakes from low to high."""
    legal = [command for command in rules.legal(state, seat) if not rules.is_form(command)]
    return legal[-1] if legal else None


def allied(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Let the first two seats spend and the others play."""
    return (spending if seat < 2 else _ask_bot_now)(rules, state, seat, chance)


def repeating(kind: type) -> Ask:
    """Give a command of this kind whenever one is legal; else play like a bot."""

    def ask(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
        legal = (command for command in rules.legal(state, seat) if isinstance(command, kind))
        same = [command for command in legal if not rules.is_form(command)]
        return chance.pick(same) if same else _ask_bot_now(rules, state, seat, chance)

    return ask


def adversaries(rules: AnyRules) -> Iterator[tuple[str, Ask]]:
    """Yield all players who want no end, by name: one repeats each kind of command."""
    yield from {"silent": silent, "spending": spending, "allied": allied}.items()
    for kind in union_members(rules.command_type):
        yield kind.__name__, repeating(kind)


def check_ends(
    rules: AnyRules, seats: int, options: Options, key: bytes, ask: Ask
) -> Playout | None:
    """Play one game to its end, within the steps that the game declares.

    A step is a commit that sets another alarm, or any commit while the clock is not set. Commands
    that leave the alarm are bounded by its time. Returns None for a game without a clock in which
    nobody acts: the host chose to wait.
    """
    playout = Playout(rules, seats, options, key)
    if ask is silent and rules.alarm(playout.state) is None:
        return None
    steps, number = 0, None
    for _ in playout.run(Player(ask, _looks_often)):
        alarm = rules.alarm(playout.state)
        steps += alarm is None or alarm.number != number
        number = None if alarm is None else alarm.number
        assert steps <= rules.steps_max, f"{rules.slug}: no end after {steps} steps"
    return playout
