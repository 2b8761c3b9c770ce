"""The effects of a voided bet (ruling Q22)."""

from railbird_engine import BetPlaced, BetSettled, Seat
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.teams import scores
from tests.rules.quitte_ou_double.scene import GREEN, PURPLE, YELLOW, Game
from tests.rules.voiding import void_bet, went_back


def test_a_voided_bet_returns_its_winnings() -> None:
    game = Game("175").bet_on({GREEN: "125", YELLOW: "200"}, round_number=7, held={PURPLE: 4})
    game.place(PURPLE, 1, 1, 3).place(PURPLE, 2, 0, 1).tick()
    assert (game.scores[PURPLE], game.state.gains) == (7, [1, 3, 1, 0, 0, 0])
    won = void_bet(game.rules, game.state, game.step.events, 1)
    assert went_back(won) == -4
    assert (scores(won.state)[PURPLE], won.state.gains) == (3, [1, -1, 1, 0, 0, 0]), (
        "the reveal shows it too"
    )
    lost = void_bet(game.rules, won.state, game.step.events, 2)
    assert went_back(lost) == 1
    assert scores(lost.state)[PURPLE] == 4


def test_stakes_shrink_when_a_voided_bet_takes_their_cover() -> None:
    game = Game("175", options=QuitteOuDoubleOptions(permanent_double=True))
    game.bet_on({GREEN: "125", YELLOW: "200"}, held={PURPLE: 5}).place(PURPLE, 1, 0, 3).place(
        PURPLE, 2, 0, 2
    )
    earlier = (
        BetPlaced(bet=1, seat=Seat(PURPLE), spot="", stake=1, odds="1:1"),
        BetSettled(bet=1, seat=Seat(PURPLE), spot="", outcome="won", payout=3),
    )
    step = void_bet(game.rules, game.state, earlier, 1)
    game.state = step.state
    assert [token.stake for token in game.state.tokens[PURPLE]] == [2, 0]
    game.tick()
    assert game.scores[PURPLE] == 0, "all that was covered is lost, and the clock was not refused"
