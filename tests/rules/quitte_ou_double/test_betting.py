"""Bets between the tiles: the rulebook's examples, the stakes of round seven, the variants."""

import pytest

from railbird_engine import BetPlaced, BetSettled, Seat
from railbird_engine.rules.quitte_ou_double.commands import LockBets, PlaceToken
from railbird_engine.rules.quitte_ou_double.events import (
    AnswerRevealed,
    TeamLocked,
    TilePaid,
    TokenPlaced,
)
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from tests.rules.quitte_ou_double.scene import BLACK, BLUE, GREEN, PURPLE, RED, YELLOW, Game


def test_first_example_of_the_rulebook() -> None:
    """Rulebook 4: the answer is 175, between the tiles 125 (green) and 187 (black)."""
    game = Game("175").bet_on(
        {GREEN: "125", BLACK: "187", YELLOW: "50", PURPLE: "300", BLUE: "60", RED: "400"}
    )
    game.place(YELLOW, 1, 3).place(YELLOW, 2, 3).place(PURPLE, 1, 3).place(PURPLE, 2, 4)
    game.tick()
    assert game.scores == [2, 1, 1, 1, 0, 0]
    assert game.state.gains == [2, 1, 1, 1, 0, 0]


def second_example(options: QuitteOuDoubleOptions) -> Game:
    game = Game("210", options=options).bet_on({YELLOW: "150", RED: "210", BLACK: "250"})
    game.place(BLUE, 1, 1).place(BLUE, 2, 2).place(GREEN, 1, 1).place(GREEN, 2, 1).place(
        PURPLE, 1, 2
    ).place(PURPLE, 2, 0)
    game.tick()
    return game


def test_second_example_of_the_rulebook() -> None:
    """Rulebook 4: red's tile is exact; both zones beside it pay, and of the tiles red's only
    (Q8)."""
    game = second_example(QuitteOuDoubleOptions())
    assert game.scores == [0, 1, 2, 0, 2, 1]
    reveal = next(event for event in game.step.events if isinstance(event, AnswerRevealed))
    assert (reveal.paying_zones, reveal.paid_tiles, reveal.exact_tiles) == ([1, 2], [RED], [RED])


def test_an_exact_answer_earns_an_expert_three_more() -> None:
    """Rulebook, "Pour les grosses tetes"."""
    game = second_example(QuitteOuDoubleOptions(expert_bonus=True))
    assert game.scores == [0, 1, 2, 0, 2, 4]
    assert [t.amount for t in game.step.transfers if t.reason == "expert_bonus"] == [3]


def test_several_experts_are_all_paid() -> None:
    """Ruling Q7."""
    game = Game("10", options=QuitteOuDoubleOptions(expert_bonus=True)).bet_on(
        {0: "10", 1: "10", 2: "11"}
    )
    game.tick()
    assert game.scores == [4, 4, 0, 0, 0, 0]


def test_third_example_of_the_rulebook() -> None:
    """Rulebook 6, ruling Q10: three gain tokens under a bet token earn four, and are kept."""
    game = Game("175").bet_on(
        {GREEN: "125", BLACK: "187"}, round_number=7, held={YELLOW: 5, PURPLE: 6}
    )
    game.place(YELLOW, 1, 1, 3).place(PURPLE, 1, 0, 4).place(PURPLE, 2, 1, 2)
    game.tick()
    assert game.scores[YELLOW] == 5 + 4
    assert game.scores[PURPLE] == 6 - 4 + 3
    placed = [event for event in game.step.events if isinstance(event, BetPlaced)]
    settled = [event for event in game.step.events if isinstance(event, BetSettled)]
    assert placed == [
        BetPlaced(bet=1, seat=Seat(0), spot="125..187", stake=3, odds="1:1"),
        BetPlaced(bet=2, seat=Seat(1), spot="<125", stake=4, odds="1:1"),
        BetPlaced(bet=3, seat=Seat(1), spot="125..187", stake=2, odds="1:1"),
    ]
    assert [(event.bet, event.outcome, event.payout) for event in settled] == [
        (1, "won", 4),
        (2, "lost", -4),
        (3, "won", 3),
    ]


def test_in_round_seven_stakes_pay_in_both_zones_beside_an_exact_answer() -> None:
    """Ruling Q11."""
    game = Game("210").bet_on({RED: "210"}, round_number=7, held={YELLOW: 2})
    game.place(YELLOW, 1, 0, 1).place(YELLOW, 2, 1, 1)
    game.tick()
    assert game.scores[YELLOW] == 2 + 2 + 2


def test_a_team_can_stake_no_more_than_it_owned_before_the_round() -> None:
    """Ruling Q12: only tokens owned before the round."""
    game = Game("175").bet_on({GREEN: "125"}, round_number=7, held={GREEN: 5})
    game.place(GREEN, 1, 0, 3)
    violation = game.refusal(GREEN, PlaceToken(2, 0, 3))
    assert (violation.code, violation.data) == ("stake_not_owned", {"stake": 3, "free": 2})
    game.place(GREEN, 2, 0, 2).place(GREEN, 1, 0, 2)
    game.place(GREEN, 2, 0, 3)
    game.tick()
    assert game.scores[GREEN] == 5 - 5 + 1, "the tile still earns its token"


def test_two_bet_tokens_in_one_zone_earn_two() -> None:
    """Ruling Q9; a token that was not placed is not bet (Q5)."""
    game = Game("175").bet_on({0: "100"}).place(1, 1, 1).place(1, 2, 1).place(2, 1, 1)
    game.tick()
    assert game.scores == [1, 2, 1, 0, 0, 0]
    assert sum(isinstance(event, BetPlaced) for event in game.step.events) == 3


def test_the_edge_zones_pay_one_tile() -> None:
    """Worked example 7."""
    game = Game("50").bet_on({0: "100", 1: "200", 2: "100"}).place(3, 1, 0)
    game.tick()
    assert game.scores == [1, 0, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (PlaceToken(3, 0), "no_such_token"),
        (PlaceToken(0, 0), "no_such_token"),
        (PlaceToken(1, 3), "no_such_zone"),
        (PlaceToken(1, -1), "no_such_zone"),
        (PlaceToken(1, 0, 1), "stakes_not_allowed"),
        (PlaceToken(1, 0, -1), "stakes_not_allowed"),
    ],
)
def test_a_bet_that_the_rulebook_forbids_is_refused(command: PlaceToken, code: str) -> None:
    """Worked example 10. A zone lies between tiles, so no bet lies on one; a stake lies under a
    token."""
    game = Game("175").bet_on({0: "100", 1: "200"}, held={2: 5})
    assert game.refusal(2, command).code == code


@pytest.mark.parametrize("stake", [6, -1])
def test_a_stake_is_between_nothing_and_all(stake: int) -> None:
    game = Game("175").bet_on({0: "100", 1: "200"}, round_number=7, held={2: 5})
    assert game.refusal(2, PlaceToken(1, 0, stake)).code == "stake_not_owned"


@pytest.mark.parametrize(("round_number", "allowed"), [(1, False), (2, True), (6, True), (7, True)])
def test_permanent_double_begins_with_the_second_round(round_number: int, allowed: bool) -> None:
    """Rulebook, "Quitte ou double permanent"; ruling Q18."""
    options = QuitteOuDoubleOptions(permanent_double=True, expert_bonus=True)
    game = Game("175", options=options).bet_on({0: "100"}, round_number=round_number, held={2: 5})
    assert game.rules.view(game.state, None).stakes_allowed == allowed
    if allowed:
        game.place(2, 1, 1, 5)
        game.tick()
        assert game.scores[2] == 11
    else:
        assert game.refusal(2, PlaceToken(1, 1, 5)).data == {"round": 1, "stake": 5}


def test_tokens_can_move_until_their_team_has_locked() -> None:
    """Ruling Q14."""
    game = Game("175").bet_on({0: "100", 1: "200"}).place(2, 1, 0).place(2, 1, 1)
    violation = game.refusal(2, LockBets())
    assert (violation.code, violation.data) == ("token_not_placed", {"placed": [1], "needed": 2})
    game.place(2, 2, 2)
    game.act(2, LockBets())
    assert game.refusal(2, PlaceToken(1, 0)).code == "team_locked"
    assert [(token.number, token.zone) for token in game.state.tokens[2]] == [(1, 1), (2, 2)]


def test_when_all_teams_have_locked_the_answer_is_shown() -> None:
    game = Game("175").bet_on({0: "100", 1: "200"})
    for seat in range(6):
        game.place(seat, 1, 1).place(seat, 2, 0)
        game.act(seat, LockBets())
    told = [*[BetPlaced] * 12, AnswerRevealed, *[TilePaid] * 2, *[BetSettled] * 12]
    assert game.kinds == [TeamLocked, *told]
    assert game.state.phase == "reveal"
    assert game.scores == [2, 2, 1, 1, 1, 1]


def test_bets_are_public_as_soon_as_they_are_placed() -> None:
    """Ruling Q14."""
    game = Game("175").bet_on({0: "100"}).place(1, 1, 1)
    assert game.step.events == (TokenPlaced(seat=Seat(1), team=1, token=1, zone=1, stake=0),)
    tokens = game.rules.view(game.state, None).teams[1].tokens
    assert tokens is not None and tokens[0].zone == 1


def test_the_bank_never_runs_out_of_gain_tokens() -> None:
    """Ruling Q13: the box holds 90 gain tokens, the bank has no limit."""
    game = Game("175").bet_on({GREEN: "125"}, round_number=7, held={YELLOW: 80})
    game.place(YELLOW, 1, 1, 80).tick()
    assert game.scores[YELLOW] == 80 + 80 + 1
