"""Seats and spectators see no hidden card, no reserve and no hidden cash."""

import msgspec

from railbird_engine import Seat, SeededChance
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.state import reserved
from tests.rules.ascot.scene import RULES, dealt
from tests.rules.ascot.secrets import secrets


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


def test_the_deal_shows_each_player_only_their_own_hand() -> None:
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
