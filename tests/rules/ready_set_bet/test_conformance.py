"""The engine's conformance suite on Ready Set Bet: bots and random players, at tables of every
size."""

from collections.abc import Iterator

import msgspec
import pytest

from games.engine import Seat
from games.engine.conformance import check_game
from games.engine.contract import State
from games.engine.playout import ask_random
from games.rules import registry
from games.rules.ready_set_bet.data import SEATS_OF_MODE
from games.rules.ready_set_bet.messages import ReadySetBetOptions
from games.rules.ready_set_bet.rules import ReadySetBet
from games.rules.ready_set_bet.table import ReadySetBetState
from tests.rules.ready_set_bet.scene import plain

FAST = plain(roll_ms=250, pause_ms=0, races=2)


def secrets(state: State, viewer: Seat | None) -> Iterator[str]:
    """The VIP cards that this viewer must not know: dealt to others, still in the deck, or
    discarded."""
    assert isinstance(state, ReadySetBetState)
    if state.vip:
        hidden = [hand for seat, hand in enumerate(state.vip.hands) if seat != viewer]
        for card in (
            *state.vip.deck,
            *state.vip.discards,
            *(card for hand in hidden for card in hand),
        ):
            yield f'"{card}"'


def test_the_server_finds_the_game() -> None:
    assert isinstance(registry()["ready_set_bet", ReadySetBet.version], ReadySetBet)


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_a_full_game_of_bots_conforms(seats: int) -> None:
    check_game(ReadySetBet(), seats, plain(), b"bots %d" % seats)


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_fast_game_of_random_players_conforms(seats: int) -> None:
    check_game(ReadySetBet(), seats, FAST, b"random %d" % seats, ask=ask_random)


@pytest.mark.parametrize("seats", [2, 8])
def test_a_game_without_the_rulebooks_advice_conforms(seats: int) -> None:
    options = plain(races=1, few_close_columns=False, many_drop_a_token=False)
    check_game(ReadySetBet(), seats, options, b"advice", ask=ask_random)


@pytest.mark.parametrize(
    ("mode", "seats"),
    [
        (mode, seats)
        for mode, chairs in SEATS_OF_MODE.items()
        for seats in (chairs[0], 4, chairs[-1])
    ],
)
def test_a_game_of_the_whole_box_conforms_in_every_mode(mode: str, seats: int) -> None:
    options = plain(roll_ms=250, pause_ms=0, props=True, exotics=True, vip=True, mode=mode, races=2)
    check_game(
        ReadySetBet(),
        seats,
        options,
        b"%d in %s" % (seats, mode.encode()),
        ask=ask_random,
        secrets=secrets,
    )


@pytest.mark.parametrize("mode", SEATS_OF_MODE)
def test_a_full_game_of_bots_conforms_in_every_mode(mode: str) -> None:
    options = msgspec.structs.replace(ReadySetBetOptions(), mode=mode, races=3)
    check_game(ReadySetBet(), 4, options, b"bots in " + mode.encode(), secrets=secrets)


@pytest.mark.parametrize("mode", ["standard", "betting_announcer", "rotating_announcer"])
def test_a_game_whose_announcer_leaves_the_dice_to_the_server_conforms(mode: str) -> None:
    options = plain(
        roll_ms=250, pause_ms=0, vip=True, mode=mode, auto_roll=True, announcer_seat=2, races=1
    )
    check_game(ReadySetBet(), 3, options, b"auto " + mode.encode(), ask=ask_random, secrets=secrets)
