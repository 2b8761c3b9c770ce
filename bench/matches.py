"""Whether people have a chance against bots: whole games in virtual time, on the rules alone.

A person looks, decides, and acts five to ten seconds later, when the decision may be too late. A
share is the part of the games that a seat wins, a tie divided; it is fair at 1.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from math import sqrt
from statistics import fmean, pstdev
from typing import Any, Final, NamedTuple, get_args

import msgspec

from railbird_engine import AnyRules, BotLevel, Chance, Cue, Options, Seat, State
from railbird_engine.kernel.playout import Ask, Player, Playout, ask_bot, ask_random

LEVELS: Final[tuple[BotLevel, ...]] = get_args(BotLevel)
SIZES: Final = (2, 4, 8)
HAND_MS: Final = (5_000, 10_000)

Ready = Callable[[AnyRules, State, Seat], bool]
"""Whether a person has something to decide."""


class Match(NamedTuple):
    """One seat against bots, over many games. `share` is in fair shares, and so is its `error`."""

    slug: str
    seats: int
    one: str
    bots: BotLevel
    games: int
    share: float
    error: float
    refused: float
    """Commands of the seat's game that came too late, on average."""


def may_act(rules: AnyRules, state: State, seat: Seat) -> bool:
    """Whether a seat has any legal command."""
    return next(iter(rules.legal(state, seat)), None) is not None


def person(ask: Ask, is_ready: Ready = may_act) -> Player:
    """Return a player with a person's hands."""
    cue = Cue("person", *HAND_MS)
    return Player(ask, lambda rules, state, seat: cue if is_ready(rules, state, seat) else None)


def bot_of(level: BotLevel) -> Player:
    """Return a bot of a level, whatever the level of the game."""

    def ask(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
        return ask_bot(rules, at(level, state), seat, chance)

    return Player(ask, lambda rules, state, seat: rules.bot_cue(at(level, state), seat))


def at(level: BotLevel, state: Any) -> Any:
    """Return a state of any game as if its bots had this level."""
    options = msgspec.structs.replace(state.options, bots=level)
    return msgspec.structs.replace(state, options=options)


def bot_with_human_hands(rules: AnyRules, state: State, seat: Seat) -> bool:
    """Whether a bot would react."""
    return rules.bot_cue(state, seat) is not None


def has_people(rules: AnyRules) -> bool:
    """Whether `bench.challengers` has a module of a game."""
    return find_spec(f"bench.challengers.{rules.slug}") is not None


def people_of(rules: AnyRules) -> dict[str, Player]:
    """Return the persons of a game by name: its own ones are `PEOPLE` in its module."""
    own: dict[str, Player] = import_module(f"bench.challengers.{rules.slug}").PEOPLE
    return {
        "random": person(ask_random),
        **own,
        "bot's choice": person(ask_bot, bot_with_human_hands),
    }


def sizes_of(rules: AnyRules) -> list[int]:
    """Return the sizes of tables that are measured."""
    return sorted({min(max(size, rules.seats[0]), rules.seats[-1]) for size in SIZES})


def measure(
    rules: AnyRules, seats: int, one: str, player: Player, level: BotLevel, games: int
) -> Match:
    """Let one player sit at tables of bots, in each seat as often."""
    options: Options = msgspec.convert({"bots": level}, type=rules.options_type)
    shares, refused = [], 0
    for number in range(games):
        seat = Seat(number % seats)
        playout = Playout(rules, seats, options, b"opponents %d" % number)
        for _ in playout.run(players={seat: player}):
            pass
        result = playout.result
        assert result is not None
        best = result.ranking[0]
        shares.append(seats / len(best) if seat in best else 0.0)
        refused += playout.refused
    error = pstdev(shares) / sqrt(games)
    return Match(rules.slug, seats, one, level, games, fmean(shares), error, refused / games)


def matches(rules: AnyRules, games: int) -> Iterator[Match]:
    """Measure every person against casual and regular bots, and each level against the next."""
    for level in LEVELS[:2]:
        for seats in sizes_of(rules):
            for name, player in people_of(rules).items():
                yield measure(rules, seats, name, player, level, games)
    four = max(4, rules.seats[0])
    for below, level in pairwise(LEVELS):
        yield measure(rules, four, f"{level} bot", bot_of(level), below, games)
