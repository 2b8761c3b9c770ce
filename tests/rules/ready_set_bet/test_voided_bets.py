"""The effects of a voided bet: ruling 4.41."""

from railbird_engine import BANK, BetPlaced, BetSettled, Seat, seat_purse
from railbird_engine.rules.ready_set_bet.commands import PlaceBet, StartRace
from railbird_engine.rules.ready_set_bet.data import ANNOUNCER_TOKENS
from tests.rules.ready_set_bet.scene import (
    RULES,
    SEVEN_WINS,
    Scene,
    place_all,
    plain,
    refusal,
    running,
)
from tests.rules.voiding import void_bet, went_back


def test_the_token_of_a_voided_bet_is_in_hand_again_and_its_spot_free() -> None:
    scene = running(2)
    events = scene.bet(0, "win:7:r", 3) + scene.bet(1, "win:7:m", 5)
    assert refusal(scene, 1, PlaceBet("win:7:r", 2))[0] == "spot_taken"
    scene.state.purses |= {BANK: -10, seat_purse(0): 10}
    step = void_bet(RULES, scene.state, events, 1)
    assert went_back(step) == 0, "a token is no money"
    scene.state = step.state
    assert scene.state.tokens[0] == (2, 3, 3, 4, 5)
    assert [bet.bet for bet in RULES.view(scene.state, None).bets] == [2]
    scene.bet(1, "win:7:r", 2)
    settled = [event.bet for event in scene.roll(*SEVEN_WINS) if isinstance(event, BetSettled)]
    assert settled == [2, 3]


def test_the_payout_of_a_settled_bet_goes_back_when_it_is_voided() -> None:
    scene = running(2)
    events = list(scene.bet(0, "win:7:r", 3) + scene.bet(0, "place:7:r", 2))
    events += scene.roll(*SEVEN_WINS)
    before = scene.money()
    step = void_bet(RULES, scene.state, tuple(events), 1)
    gained = next(
        event.payout for event in events if isinstance(event, BetSettled) and event.bet == 1
    )
    assert went_back(step) == -gained < 0
    scene.state = step.state
    assert scene.money() == [before[0] - gained, before[1]]
    assert [bet.bet for bet in RULES.view(scene.state, None).bets] == [2]


def test_an_announcer_gets_the_time_to_place_a_voided_token_again() -> None:
    scene = Scene(4, plain(mode="betting_announcer"))
    place_all(scene, 0)
    alarm = RULES.alarm(scene.state)
    placed = (BetPlaced(bet=1, seat=Seat(0), spot="win:7:r", stake=ANNOUNCER_TOKENS[0], odds=""),)
    scene.state = void_bet(RULES, scene.state, placed, 1).state
    again = RULES.alarm(scene.state)
    assert alarm is not None
    assert again is not None
    assert again.number > alarm.number
    assert refusal(scene, 0, StartRace())[0] == "tokens_left"
    scene.bet(0, "win:7:r", ANNOUNCER_TOKENS[0])
    scene.ask(0, StartRace())
