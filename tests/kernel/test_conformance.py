"""The conformance suite, run on the load game and on rules that break one promise each."""

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from bench.free_spots import FreeSpots, FreeSpotsOptions, FreeSpotsState, FreeSpotsView, TakeSpot
from railbird_engine import (
    BANK,
    BetPlaced,
    BetSettled,
    Chance,
    Cue,
    Event,
    Result,
    RuleViolation,
    Seat,
    State,
    Turn,
    VoidedBet,
    opening_purses,
    seat_purse,
)
from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import ask_random


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_the_load_game_conforms(seed: int, seats: int) -> None:
    check_game(FreeSpots(), seats, FreeSpotsOptions(boards=1), b"%d" % seed)
    check_game(FreeSpots(), seats, FreeSpotsOptions(boards=1), b"%d" % seed, ask=ask_random)


class Leaky(FreeSpots):
    """Changes the sum of all purses."""

    def play(
        self, turn: Turn[FreeSpotsState, BetPlaced | BetSettled], seat: Seat, command: TakeSpot
    ) -> None:
        super().play(turn, seat, command)
        turn.state.purses[BANK] += 1


class Unexplained(FreeSpots):
    """Moves money without a transfer."""

    def play(
        self, turn: Turn[FreeSpotsState, BetPlaced | BetSettled], seat: Seat, command: TakeSpot
    ) -> None:
        super().play(turn, seat, command)
        turn.state.purses[BANK] += 1
        turn.state.purses[seat_purse(0)] -= 1


class Forgetful(FreeSpots):
    """Does not list commands that it accepts."""

    def legal(self, state: FreeSpotsState, seat: Seat) -> Iterable[TakeSpot]:
        return [command for command in super().legal(state, seat) if command.spot < 40]

    def bot(
        self, view: FreeSpotsView, legal: Iterable[TakeSpot], chance: Chance
    ) -> TakeSpot | None:
        return TakeSpot(max(spot for spot in range(68) if spot not in view.taken))


class Boastful(FreeSpots):
    """Lists commands that it rejects."""

    def legal(self, state: FreeSpotsState, seat: Seat) -> Iterable[TakeSpot]:
        return [TakeSpot(99)] if self.result(state) is None else []


class Dozing(FreeSpots):
    """Names nothing that its bots react to, who would act if they were asked."""

    def bot_cue(self, state: FreeSpotsState, seat: Seat) -> Cue | None:
        return None


class Misplaced(FreeSpots):
    """Settles bets on another spot than they were placed on."""

    def play(
        self, turn: Turn[FreeSpotsState, BetPlaced | BetSettled], seat: Seat, command: TakeSpot
    ) -> None:
        super().play(turn, seat, command)
        turn.events = [
            msgspec.structs.replace(event, spot="elsewhere")
            if isinstance(event, BetSettled)
            else event
            for event in turn.events
        ]


class Proud(FreeSpots):
    """Does not void bets that it has settled."""

    def void_bet(self, turn: Turn[FreeSpotsState, BetPlaced | BetSettled], bet: VoidedBet) -> int:
        assert bet.payout is None, "a settled bet is voided"
        return super().void_bet(turn, bet)


class Endless(FreeSpots):
    """Never ends."""

    def result(self, state: FreeSpotsState) -> Result | None:
        return None


class Talkative(FreeSpots):
    """Shows a spectator what it hides from the seats."""

    def view(self, state: FreeSpotsState, viewer: Seat | None) -> FreeSpotsView:
        seen = super().view(state, viewer)
        return seen if viewer is None else msgspec.structs.replace(seen, taken={})


class Hospitable(FreeSpots):
    """Has a purse for a seat that does not exist."""

    def setup(self, seats: int, options: FreeSpotsOptions) -> FreeSpotsState:
        state = super().setup(seats, options)
        state.purses |= opening_purses(seats + 1)
        return state


class Applause(Event, frozen=True):
    """An event of no game."""


class Undeclared(FreeSpots):
    """Emits an event that its type of events lacks."""

    def play(self, turn: Turn[FreeSpotsState, Any], seat: Seat, command: TakeSpot) -> None:
        super().play(turn, seat, command)
        turn.emit(Applause())


class Scattered(Event, frozen=True):
    spots: tuple[int, frozenset[int]]


class Unordered(FreeSpots):
    """Has a set in an event."""


Unordered.event_type = BetPlaced | BetSettled | Scattered


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        (Hospitable(), "seat 2 is not at the table: answered"),
        (Dozing(), "a bot without a cue answers TakeSpot"),
        (Leaky(), "purses sum to 1"),
        (Unexplained(), "transfers do not explain"),
        (Forgetful(), "not listed as legal"),
        (Misplaced(), "was placed elsewhere"),
        (Talkative(), "a spectator sees more"),
        (Endless(), "no end after"),
        (Undeclared(), "Applause is not a declared event"),
        (Unordered(), "a set in"),
    ],
)
def test_a_broken_promise_is_found(rules: FreeSpots, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_game(rules, 2, FreeSpotsOptions(boards=1), b"key", commits_max=200)


def test_settled_bets_are_voided_when_no_bet_is_open() -> None:
    with pytest.raises(AssertionError, match="a settled bet is voided"):
        check_game(Proud(), 1, FreeSpotsOptions(boards=6), b"1")


def test_a_legal_command_that_is_refused_is_found() -> None:
    with pytest.raises(RuleViolation, match="unknown_spot"):
        check_game(Boastful(), 2, FreeSpotsOptions(boards=1), b"key")


def test_a_secret_that_a_viewer_can_read_is_found() -> None:
    def planted(state: State, viewer: Seat | None) -> Iterable[str]:
        return ['"bank":'] if viewer is None else []

    with pytest.raises(AssertionError, match="can read"):
        check_game(FreeSpots(), 2, FreeSpotsOptions(boards=1), b"key", secrets=planted)
