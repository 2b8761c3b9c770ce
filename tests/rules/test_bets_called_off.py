"""What a bet that is called off leaves on the table of each game; that games go on and end is the
conformance suite's."""

from typing import Any
from uuid import UUID

import msgspec

from games.engine import BetPlaced, BetSettled, BetVoided, Event, Seat, SeededChance
from games.engine.contract import Step
from games.engine.playout import AnyRules
from games.engine.server import VoidedBet
from games.rules.ascot.commands import NoBet
from games.rules.ascot.commands import PlaceBet as BuyTicket
from games.rules.ascot.state import TOTALISATOR, cash
from games.rules.quitte_ou_double.table import QuitteOuDoubleOptions
from games.rules.quitte_ou_double.teams import scores
from games.rules.ready_set_bet.commands import PlaceBet, StartRace
from games.rules.ready_set_bet.data import ANNOUNCER_TOKENS
from tests.rules.ascot import desk
from tests.rules.ascot.desk import CASH, act, betting
from tests.rules.quitte_ou_double.tables import GREEN, PURPLE, YELLOW, Game
from tests.rules.ready_set_bet.scene import (
    RULES,
    SEVEN_WINS,
    Scene,
    place_all,
    plain,
    refusal,
    running,
)


def call_off(
    rules: AnyRules, state: Any, events: tuple[Event, ...], number: int
) -> Step[Any]:  # the state of any game
    """What follows when this bet, of which these events tell, is called off; the state it is called
    off in stays as it was."""
    placed = next(event for event in events if isinstance(event, BetPlaced) and event.bet == number)
    payout = next(
        (event.payout for event in events if isinstance(event, BetSettled) and event.bet == number),
        None,
    )
    before = msgspec.json.encode(state)
    void = VoidedBet(number, placed.seat, placed.stake, payout, "the die was cocked", UUID(int=1))
    step = rules.call_off(state, void, SeededChance(b"none"))
    assert msgspec.json.encode(state) == before
    assert step.draws == ()
    return step


def went_back(step: Step[Any]) -> int:
    (event,) = step.events
    assert isinstance(event, BetVoided)
    assert sum(transfer.amount for transfer in step.transfers) == abs(event.payout)
    return event.payout


def test_a_token_of_ready_set_bet_is_in_hand_again_and_its_spot_free() -> None:
    scene = running(2)
    events = scene.bet(0, "win:7:r", 3) + scene.bet(1, "win:7:m", 5)
    assert refusal(scene, 1, PlaceBet("win:7:r", 2))[0] == "spot_taken"
    step = call_off(RULES, scene.state, events, 1)
    assert went_back(step) == 0, "a token is no money"
    scene.state = step.state
    assert scene.state.tokens[0] == (2, 3, 3, 4, 5)
    assert [bet.bet for bet in RULES.view(scene.state, None).bets] == [2]
    scene.bet(1, "win:7:r", 2)
    settled = [event.bet for event in scene.roll(*SEVEN_WINS) if isinstance(event, BetSettled)]
    assert settled == [2, 3]


def test_what_a_settled_bet_of_ready_set_bet_moved_goes_back() -> None:
    scene = running(2)
    events = list(scene.bet(0, "win:7:r", 3) + scene.bet(0, "place:7:r", 2))
    events += scene.roll(*SEVEN_WINS)
    before = scene.money()
    step = call_off(RULES, scene.state, tuple(events), 1)
    gained = next(
        event.payout for event in events if isinstance(event, BetSettled) and event.bet == 1
    )
    assert went_back(step) == -gained < 0
    scene.state = step.state
    assert scene.money() == [before[0] - gained, before[1]]
    assert [bet.bet for bet in RULES.view(scene.state, None).bets] == [2]


def test_an_announcer_of_ready_set_bet_gets_the_time_to_place_the_token_anew() -> None:
    scene = Scene(4, plain(mode="betting_announcer"))
    place_all(scene, 0)
    alarm = RULES.alarm(scene.state)
    placed = (BetPlaced(bet=1, seat=Seat(0), spot="win:7:r", stake=ANNOUNCER_TOKENS[0], odds=""),)
    scene.state = call_off(RULES, scene.state, placed, 1).state
    again = RULES.alarm(scene.state)
    assert alarm is not None
    assert again is not None
    assert again.number > alarm.number
    assert refusal(scene, 0, StartRace())[0] == "tokens_left"
    scene.bet(0, "win:7:r", ANNOUNCER_TOKENS[0])
    scene.ask(0, StartRace())


def test_a_ticket_of_ascot_comes_back_out_of_the_totalisator() -> None:
    state = betting({1: 0, 2: 1})
    bought = act(state, 2, BuyTicket(1, 5_000))
    state = act(bought.state, 0, BuyTicket(1, 500)).state
    step = call_off(desk.RULES, state, bought.events, 1)
    assert went_back(step) == 5_000
    state = step.state
    assert (state.purses[TOTALISATOR], cash(state, Seat(2))) == (500, CASH)
    view = desk.RULES.view(state, Seat(0))
    assert [ticket.stake for ticket in view.tickets] == [0, 500]
    assert desk.refuse(state, 2, BuyTicket(1, 500)).code == "already_answered"
    state = act(state, 1, NoBet(1)).state
    assert state.queue == [2], "the game goes on"


def test_a_recorded_bet_of_quitte_ou_double_gives_back_what_it_won() -> None:
    game = Game("175").bet_on({GREEN: "125", YELLOW: "200"}, round_number=7, held={PURPLE: 4})
    game.place(PURPLE, 1, 1, 3).place(PURPLE, 2, 0, 1).tick()
    assert (game.scores[PURPLE], game.state.gains) == (7, [1, 3, 1, 0, 0, 0])
    won = call_off(game.rules, game.state, game.step.events, 1)
    assert went_back(won) == -4
    assert (scores(won.state)[PURPLE], won.state.gains) == (3, [1, -1, 1, 0, 0, 0]), (
        "the reveal shows it too"
    )
    lost = call_off(game.rules, won.state, game.step.events, 2)
    assert went_back(lost) == 1
    assert scores(lost.state)[PURPLE] == 4


def test_stakes_of_quitte_ou_double_that_are_not_covered_any_more_shrink() -> None:
    game = Game("175", options=QuitteOuDoubleOptions(permanent_double=True))
    game.bet_on({GREEN: "125", YELLOW: "200"}, held={PURPLE: 5}).place(PURPLE, 1, 0, 3).place(
        PURPLE, 2, 0, 2
    )
    earlier = (
        BetPlaced(bet=1, seat=Seat(PURPLE), spot="", stake=1, odds="1:1"),
        BetSettled(bet=1, seat=Seat(PURPLE), spot="", outcome="won", payout=3),
    )
    step = call_off(game.rules, game.state, earlier, 1)
    game.state = step.state
    assert [token.stake for token in game.state.tokens[PURPLE]] == [2, 0]
    game.tick()
    assert game.scores[PURPLE] == 0, "all that was covered is lost, and the clock was not refused"
