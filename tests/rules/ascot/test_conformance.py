"""The engine's conformance suite over whole games. Many more by `python -m
tests.rules.ascot.check_conformance --games 50`."""

import msgspec
import pytest

from games.engine import Seat, SeededChance
from games.engine.playout import ask_bot, ask_random
from games.rules.ascot.options import AscotOptions
from games.rules.ascot.state import reserved
from tests.rules.ascot.check_conformance import VARIANTS, check
from tests.rules.ascot.desk import RULES, dealt
from tests.rules.ascot.secrets import secrets


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("seats", range(2, 7))
def test_games_of_bots_conform(seats: int, seed: int) -> None:
    check(seats, VARIANTS[(seats + seed) % len(VARIANTS)], b"bots %d" % seed, ask_bot)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("seats", range(2, 7))
def test_games_of_random_players_conform(seats: int, seed: int) -> None:
    check(seats, VARIANTS[(seats + seed + 1) % len(VARIANTS)], b"random %d" % seed, ask_random)


def test_the_secrets_of_a_table_are_the_hidden_cards() -> None:
    state = dealt([["horse:1"], ["horse:2"]], ["horse:3"])
    state.under = ["horse:4"]
    assert list(secrets(state, Seat(0))) == [
        '"horse:2"',
        '"horse:3"',
        '"horse:4"',
        '"reserved":28000,',
    ]
    assert set(secrets(state, None)) >= {'"horse:1"', '"horse:2"', '"horse:3"', '"horse:4"'}
    view = msgspec.json.encode(RULES.view(state, Seat(0))).decode()
    assert f'"reserved":{reserved(RULES.printed, state, Seat(0))},' in view, (
        "the probe finds what the owner may see"
    )
    assert '"horse:1"' in view


def test_the_deal_tells_each_player_his_own_hand_only() -> None:
    for seats in range(2, 7):
        step = RULES.start(seats, AscotOptions(), SeededChance(b"deal"))
        for viewer in [None, *map(Seat, range(seats))]:
            read = [event for event in step.events if event.only is None or viewer in event.only]
            shown = msgspec.json.encode(read).decode()
            assert not any(secret in shown for secret in secrets(step.state, viewer))


def test_cash_is_public_unless_the_host_hides_it() -> None:
    state = dealt([["horse:1"], ["horse:2"]], ["horse:3"])
    assert [player.cash for player in RULES.view(state, None).players] == [281_000, 281_000]
    state = dealt([["horse:1"], ["horse:2"]], ["horse:3"], private_cash=True)
    assert [player.cash for player in RULES.view(state, Seat(1)).players] == [None, 281_000]
    assert [player.cash for player in RULES.view(state, None).players] == [None, None]
