"""The engine's conformance suite on Ready Set Bet, in every mode."""

from collections.abc import Iterator

import msgspec
import pytest

from railbird_engine import Seat
from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.contract import State
from railbird_engine.kernel.playout import ask_bot, ask_random
from railbird_engine.rules.ready_set_bet.options import SEATS_OF_MODE, Mode
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from railbird_engine.rules.ready_set_bet.state import ReadySetBetState
from tests.rules.ready_set_bet.scene import plain

FAST = plain(roll_ms=250, pause_ms=0, races=1)


def secrets(state: State, viewer: Seat | None) -> Iterator[str]:
    """Yield VIP cards that are hidden from this viewer: dealt to others, and four each of
    the deck and of the discards."""
    assert isinstance(state, ReadySetBetState)
    if state.vip:
        hidden = [hand for seat, hand in enumerate(state.vip.hands) if seat != viewer]
        piles = [pile[:2] + pile[-2:] for pile in (state.vip.deck, state.vip.discards)]
        yield from {f'"{card}"' for cards in (*piles, *hidden) for card in cards}


WHOLE_BOX = plain(roll_ms=250, pause_ms=0, props=True, exotics=True, vip=True, races=1)


def test_a_game_of_bots_conforms() -> None:
    check_game(ReadySetBet(), 2, plain(races=2), b"bots")


def test_a_fast_game_of_random_players_conforms() -> None:
    check_game(ReadySetBet(), 7, FAST, b"random", ask=ask_random)


def test_a_game_without_the_rulebooks_advice_conforms() -> None:
    options = plain(races=1, few_close_columns=False, many_drop_a_token=False)
    check_game(ReadySetBet(), 8, options, b"advice", ask=ask_random)


@pytest.mark.parametrize("mode", SEATS_OF_MODE)
def test_a_game_with_all_cards_conforms_in_every_mode(mode: Mode) -> None:
    options = msgspec.structs.replace(WHOLE_BOX, mode=mode)
    check_game(ReadySetBet(), 3, options, mode.encode(), ask=ask_random, secrets=secrets)


def test_a_game_whose_announcer_leaves_the_dice_to_the_server_conforms() -> None:
    options = msgspec.structs.replace(
        WHOLE_BOX, mode="rotating_announcer", auto_roll=True, announcer_seat=2
    )
    check_game(ReadySetBet(), 3, options, b"auto roll", ask=ask_random, secrets=secrets)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
def test_many_games_conform(number: int) -> None:
    """Each game has another key and table and, in turn, bots or players who do anything legal."""
    for mode, numbers_of_seats in SEATS_OF_MODE.items():
        seats = numbers_of_seats[number % len(numbers_of_seats)]
        options = msgspec.structs.replace(
            WHOLE_BOX, mode=mode, roll_ms=400, auto_roll=number % 3 == 0
        )
        ask = ask_random if number % 2 else ask_bot
        key = b"%s %d" % (mode.encode(), number)
        check_game(ReadySetBet(), seats, options, key, ask=ask, secrets=secrets)
