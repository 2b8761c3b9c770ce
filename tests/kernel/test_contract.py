"""Turns: rejections leave no trace, and money moves only with a transfer."""

import gc
from collections.abc import Callable
from datetime import timedelta

import msgspec
import pytest

from bench.free_spots import FreeSpots, FreeSpotsOptions, FreeSpotsState, TakeSpot
from railbird_engine import (
    BANK,
    Alarm,
    BetPlaced,
    BetSettled,
    CoinFault,
    Purse,
    Rules,
    RuleViolation,
    ScriptedChance,
    Seat,
    SeededChance,
    Transfer,
    Turn,
    seat_purse,
)
from railbird_engine.kernel.events import snake_case

RULES = FreeSpots()


def started(seats: int = 2) -> FreeSpotsState:
    return RULES.start(seats, FreeSpotsOptions(), ScriptedChance([])).state


def test_a_step_does_not_change_the_previous_state() -> None:
    state = started()
    before = msgspec.json.encode(state)
    step = RULES.apply(state, Seat(0), TakeSpot(3), ScriptedChance([]))
    assert step.state.taken == {3: (0, 1)}
    assert msgspec.json.encode(state) == before


def test_a_refusal_changes_nothing() -> None:
    state = RULES.apply(started(), Seat(0), TakeSpot(3), ScriptedChance([])).state
    before = msgspec.json.encode(state)
    with pytest.raises(RuleViolation) as refused:
        RULES.apply(state, Seat(1), TakeSpot(3), ScriptedChance([]))
    assert (refused.value.code, refused.value.data) == ("spot_taken", {"spot": 3})
    assert msgspec.json.encode(state) == before


def test_paying_changes_both_purses_and_yields_the_transfer() -> None:
    turn: Turn[FreeSpotsState, BetPlaced | BetSettled] = Turn(started(), ScriptedChance([]))
    held = turn.state.purses[seat_purse(0)]
    turn.pay(seat_purse(0), seat_purse(1), 5, "gift")
    assert turn.state.purses[seat_purse(0)] == held - 5
    assert turn.state.purses[seat_purse(1)] == held + 5
    assert turn.step().transfers == (Transfer(seat_purse(0), seat_purse(1), 5, "gift"),)


def test_the_garbage_collector_follows_no_event_draw_or_transfer() -> None:
    chance = SeededChance(b"key")
    chance.die()
    turn: Turn[FreeSpotsState, BetPlaced] = Turn(started(), chance)
    turn.pay(seat_purse(Seat(0)), BANK, 5, "stake")
    turn.emit(BetPlaced(bet=1, seat=Seat(0), spot="3", stake=5, odds="1x", only=(Seat(0), Seat(1))))
    step = turn.step()
    assert len(step.events) == len(step.draws) == len(step.transfers) == 1
    assert not any(map(gc.is_tracked, [*step.events, *step.draws, *step.transfers]))


def test_only_the_bank_can_overdraw() -> None:
    turn: Turn[FreeSpotsState, BetPlaced | BetSettled] = Turn(started(), ScriptedChance([]))
    with pytest.raises(RuleViolation, match="insufficient_funds"):
        turn.pay(seat_purse(0), BANK, 2_000_000_000, "too much")
    turn.pay(BANK, seat_purse(0), 5, "the bank may owe")


@pytest.mark.parametrize("amount", [0, -1, 2**53])
def test_amounts_are_above_zero_and_bounded(amount: int) -> None:
    with pytest.raises(AssertionError):
        Turn(started(), ScriptedChance([])).pay(BANK, seat_purse(0), amount, "none")


def test_the_largest_amount_is_paid() -> None:
    turn: Turn[FreeSpotsState, BetPlaced] = Turn(started(), ScriptedChance([]))
    turn.pay(BANK, seat_purse(0), 2**53 - 1, "all")
    assert turn.step().transfers == (Transfer(BANK, seat_purse(0), 2**53 - 1, "all"),)


def test_purses_are_opened_at_the_start_only() -> None:
    with pytest.raises(KeyError):
        Turn(started(), ScriptedChance([])).pay(BANK, Purse("nobody"), 1, "lost")


@pytest.mark.parametrize("seats", [0, 69])
def test_a_game_starts_only_with_an_allowed_number_of_seats(seats: int) -> None:
    with pytest.raises(RuleViolation) as refused:
        RULES.start(seats, FreeSpotsOptions(), ScriptedChance([]))
    assert refused.value.code == "wrong_number_of_seats"
    assert refused.value.data == {"seats": seats, "least": 1, "most": 68}


@pytest.mark.parametrize("seat", [-1, 2, 9])
def test_an_unknown_seat_has_no_view_and_no_commands(seat: int) -> None:
    state, stranger = started(seats=2), Seat(seat)
    asked: tuple[Callable[[], object], ...] = (
        lambda: RULES.view(state, stranger),
        lambda: RULES.legal(state, stranger),
        lambda: RULES.apply(state, stranger, TakeSpot(3), ScriptedChance([])),
    )
    for ask in asked:
        with pytest.raises(RuleViolation) as refused:
            ask()
        assert (refused.value.code, refused.value.data) == ("not_at_the_table", {"seat": seat})
    assert RULES.view(state, None).taken == {}, "a spectator has no seat and sees the public view"


def test_a_game_that_sets_no_alarm_refuses_a_tick() -> None:
    with pytest.raises(AssertionError, match="free_spots set no alarm"):
        RULES.advance(started(), ScriptedChance([]))


class Limited(FreeSpots):
    limits = ("boards", "spots")


class Clocked(FreeSpots):
    seats = range(2, 69)

    def setup(self, seats: int, options: FreeSpotsOptions) -> FreeSpotsState:
        if seats == 2:
            raise RuleViolation("wrong_number_of_seats")
        return super().setup(seats, options)

    def alarm(self, state: FreeSpotsState) -> Alarm:
        return Alarm(1, timedelta(seconds=1))


@pytest.mark.parametrize(
    ("rules", "boards", "fault"),
    [
        (FreeSpots(), 1, "no_deadline"),
        (Limited(), 0, "no_deadline"),
        (Limited(), 1, None),
        (Clocked(), 0, None),
    ],
)
def test_coins_demand_all_limits_or_a_clock_after_the_deal(
    rules: FreeSpots, boards: int, fault: CoinFault | None
) -> None:
    assert Rules.unfit_for_coins(rules, FreeSpotsOptions(boards=boards)) == fault


def test_the_tags_of_structs_are_in_snake_case() -> None:
    assert snake_case("BetPlaced") == "bet_placed"
    assert msgspec.json.encode(TakeSpot(4)) == b'{"type":"take_spot","spot":4}'
