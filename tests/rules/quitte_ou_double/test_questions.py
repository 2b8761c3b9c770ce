"""From the level to the tiles: presenter, hourglass, answers, discarded questions, tie-break."""

from datetime import timedelta

import msgspec
import pytest

from railbird_engine import Alarm, ScriptedChance, Seat
from railbird_engine.kernel.playout import play_out
from railbird_engine.rules.quitte_ou_double.commands import (
    ChooseLevel,
    LockAnswer,
    LockBets,
    NextQuestion,
    PlaceToken,
    WriteAnswer,
)
from railbird_engine.rules.quitte_ou_double.events import (
    AnswerRevealed,
    AnswerWritten,
    GameEnded,
    LevelChosen,
    QuestionAsked,
    QuestionDiscarded,
    RoundSkipped,
    TeamLocked,
    TiebreakStarted,
    TilesRevealed,
)
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from railbird_engine.rules.quitte_ou_double.state import CHANGES_MAX
from tests.rules.quitte_ou_double.scene import Game


def asked(
    answer: str = "175",
    *,
    options: QuitteOuDoubleOptions | None = None,
    seats: int = 4,
    cards: int = 20,
) -> Game:
    """Return a game of four teams with its first question."""
    game = Game(answer, seats=seats, options=options or QuitteOuDoubleOptions(), cards=cards)
    game.act(0, ChooseLevel(2))
    return game


def test_the_presenter_chooses_the_level_once_for_the_whole_game() -> None:
    """Rulebook, "Mise en place"; ruling Q17: before any card is drawn."""
    game = Game("175", options=QuitteOuDoubleOptions(presenter=3))
    assert not game.step.draws
    violation = game.refusal(0, ChooseLevel(1))
    assert (violation.code, violation.data) == ("not_the_presenter", {"seat": 0, "presenter": 3})
    assert game.refusal(3, ChooseLevel(4)).code == "no_such_level"
    game.act(3, ChooseLevel(3))
    assert game.kinds == [LevelChosen, QuestionAsked]
    assert (game.state.level, game.state.round, game.state.phase) == (3, 1, "answer")
    assert [draw.bound for draw in game.step.draws] == [20], "one card, drawn when it is needed"
    assert game.refusal(3, ChooseLevel(1)).code == "wrong_phase"


def test_without_a_choice_the_first_level_is_played() -> None:
    """Ruling Q21."""
    game = Game("175")
    game.tick()
    assert game.step.events[0] == LevelChosen(level=1, timed_out=True)


def test_any_member_answers_and_the_last_answer_counts() -> None:
    """Ruling Q15."""
    game = asked(seats=8, options=QuitteOuDoubleOptions(team_count=4))
    game.act(1, WriteAnswer("100"))
    game.act(5, WriteAnswer("0120.0"))
    assert game.state.answers == {1: "120"}
    assert game.step.events == (AnswerWritten(seat=Seat(5), answer="120", only=(Seat(1), Seat(5))),)


def test_a_team_changes_its_mind_only_so_often() -> None:
    """Ruling Q23."""
    game = asked()
    for answer in range(CHANGES_MAX + 1):
        game.act(1, WriteAnswer(str(answer)))
    assert game.refusal(1, WriteAnswer("0")).code == "too_many_changes"
    assert list(game.rules.legal(game.state, Seat(1))) == [LockAnswer()]
    for seat in range(4):
        if seat != 1:
            game.act(seat, WriteAnswer("5"))
        game.act(seat, LockAnswer())
    for zone in (*[0, 1] * (CHANGES_MAX // 2), 0):
        game.act(1, PlaceToken(1, zone))
    assert game.refusal(1, PlaceToken(1, 1)).code == "too_many_changes"
    game.act(1, PlaceToken(2, 1))
    assert list(game.rules.legal(game.state, Seat(1))) == [LockBets()]


def test_when_all_teams_have_locked_the_tiles_are_turned() -> None:
    """Rulebook 2."""
    game = asked()
    for seat, answer in enumerate(("187", "125", "125", "-4")):
        game.act(seat, WriteAnswer(answer))
        game.act(seat, LockAnswer())
    assert game.kinds == [TeamLocked, TilesRevealed]
    assert [(tile.value, tile.teams) for tile in game.state.tiles] == [
        ("-4", [3]),
        ("125", [1, 2]),
        ("187", [0]),
    ]
    assert game.state.phase == "bet"
    assert game.refusal(0, WriteAnswer("7")).code == "wrong_phase"


def test_a_locked_answer_cannot_change() -> None:
    game = asked()
    assert game.refusal(0, LockAnswer()).code == "nothing_written"
    game.act(0, WriteAnswer("7"))
    game.act(0, LockAnswer())
    for command in (WriteAnswer("8"), LockAnswer()):
        assert game.refusal(0, command).code == "team_locked"


def test_only_the_captain_locks_where_the_option_says_so() -> None:
    """Ruling Q15."""
    game = asked(seats=8, options=QuitteOuDoubleOptions(team_count=4, captain_locks=True))
    game.act(5, WriteAnswer("7"))
    violation = game.refusal(5, LockAnswer())
    assert (violation.code, violation.data) == ("not_the_captain", {"seat": 5, "captain": 1})
    game.act(1, LockAnswer())


@pytest.mark.parametrize(("text", "answer"), [("1,5", "1.5"), (" 7 ", "7"), ("-0,50\t", "-0.5")])
def test_a_number_may_have_a_comma_and_surrounding_spaces(text: str, answer: str) -> None:
    """Ruling Q1, as clients send it: through the codec of commands."""
    game = asked()
    sent = msgspec.json.encode({"type": "write_answer", "answer": text})
    game.act(0, msgspec.json.decode(sent, type=game.rules.command_type))
    assert game.state.answers == {0: answer}


@pytest.mark.parametrize("text", ["", "1,500", "beaucoup", "1e9", "1,2,3"])
def test_text_that_is_not_a_number_is_refused(text: str) -> None:
    violation = asked().refusal(0, WriteAnswer(text))
    assert (violation.code, violation.data) == ("not_a_number", {"answer": text})


def test_a_team_that_is_late_has_no_tile_but_may_bet() -> None:
    """Ruling Q2; an answer that was written but not locked counts."""
    game = asked()
    game.act(0, WriteAnswer("7"))
    game.tick()
    assert [(tile.value, tile.teams) for tile in game.state.tiles] == [("7", [0])]
    game.act(3, PlaceToken(1, 1))


def test_the_hourglass_limits_answering_and_betting_alike() -> None:
    options = QuitteOuDoubleOptions(hourglass_s=45, level_s=10, reveal_s=5)
    game = Game("175", seats=4, options=options)
    alarms = [game.rules.alarm(game.state)]
    game.tick()
    alarms.append(game.rules.alarm(game.state))
    game.act(0, WriteAnswer("7"))
    assert game.rules.alarm(game.state) == alarms[-1], "an answer does not turn the hourglass"
    game.tick()
    alarms.append(game.rules.alarm(game.state))
    game.tick()
    alarms.append(game.rules.alarm(game.state))
    assert [alarm.after.total_seconds() for alarm in alarms if alarm] == [10, 45, 45, 5]
    assert len({alarm.number for alarm in alarms if alarm}) == 4


def test_without_an_hourglass_the_game_waits_for_all_teams() -> None:
    options = QuitteOuDoubleOptions(hourglass_s=0, level_s=0, reveal_s=0)
    game = Game("175", options=options)
    assert game.rules.alarm(game.state) is None
    assert Game("175").rules.alarm(Game("175").state) == Alarm(1, timedelta(seconds=60))


def test_a_question_that_nobody_answers_is_replaced_once() -> None:
    """Rulings Q3 and Q20."""
    game = asked()
    first = game.state.card
    game.tick()
    assert game.kinds == [QuestionDiscarded, QuestionAsked]
    assert (game.state.round, game.state.phase) == (1, "answer")
    assert game.state.card != first
    game.tick()
    assert game.kinds == [QuestionDiscarded, RoundSkipped, QuestionAsked]
    assert (game.state.round, game.state.unanswered) == (2, 0)
    assert len(game.state.cards) == 17


def test_an_answered_question_resets_the_count_of_unanswered_ones() -> None:
    game = asked()
    game.tick()
    game.act(0, WriteAnswer("7"))
    game.tick()
    assert game.state.phase == "bet"


def test_a_bank_that_runs_out_ends_the_rounds_without_payment() -> None:
    """Ruling Q20: seven cards, nobody ever answers."""
    game = asked(cards=7)
    for _ in range(7):
        game.tick()
    assert game.kinds == [
        QuestionDiscarded,
        RoundSkipped,
        RoundSkipped,
        RoundSkipped,
        RoundSkipped,
        GameEnded,
    ]
    assert game.scores == [0, 0, 0, 0]
    result = game.rules.result(game.state)
    assert result is not None and result.ranking == ((0, 1, 2, 3),)


def test_an_abandoned_game_ends() -> None:
    game = Game("175")
    ticks = 0
    while game.rules.alarm(game.state):
        game.tick()
        ticks += 1
    assert ticks == 1 + 2 * 7
    assert game.state.phase == "finished"
    assert game.refusal(0, NextQuestion()).code == "game_over"


def test_after_the_answer_the_presenter_or_the_clock_continues() -> None:
    """Rulebook 5: tiles and tokens are taken back."""
    game = asked()
    game.act(0, WriteAnswer("7"))
    game.tick()
    game.act(1, PlaceToken(1, 1))
    game.tick()
    assert game.state.phase == "reveal"
    assert game.refusal(1, NextQuestion()).code == "not_the_presenter"
    by_clock = game.rules.advance(game.state, ScriptedChance([0])).state
    game.act(0, NextQuestion())
    assert game.state == by_clock
    assert (game.state.round, game.state.tiles, game.state.tokens, game.state.answers) == (
        2,
        [],
        {},
        {},
    )


# The tie-break (ruling Q16)


def last_reveal(*, tiebreak: bool, held: dict[int, int]) -> Game:
    """Return a game after the payments of round seven (no bets; a tile earned a token for team 3),
    before the presenter continues."""
    game = asked(
        "175", options=QuitteOuDoubleOptions(tiebreak_question=tiebreak, permanent_double=True)
    )
    game.bet_on({3: "170"}, round_number=7, held=held)
    game.tick()
    return game


def test_most_gain_tokens_win_and_ties_share() -> None:
    """Rulebook 6, ruling Q16."""
    game = last_reveal(tiebreak=False, held={0: 5, 1: 2, 2: 5})
    game.act(0, NextQuestion())
    assert game.step.events == (GameEnded(winners=[0, 2], scores=[5, 2, 5, 1]),)
    result = game.rules.result(game.state)
    assert result is not None
    assert result.ranking == ((0, 2), (1,), (3,))
    assert result.scores == (5, 2, 5, 1)


def test_with_a_tiebreak_the_leaders_answer_one_more_question() -> None:
    game = last_reveal(tiebreak=True, held={0: 5, 1: 2, 2: 5})
    game.act(0, NextQuestion())
    assert game.kinds == [TiebreakStarted, QuestionAsked]
    assert game.state.round == 8
    asking = game.step.events[-1]
    assert isinstance(asking, QuestionAsked) and not asking.stakes_allowed
    violation = game.refusal(1, WriteAnswer("175"))
    assert (violation.code, violation.data["teams"]) == ("not_in_the_tiebreak", [0, 2])
    game.act(0, WriteAnswer("100"))
    game.act(2, WriteAnswer("240"))
    game.act(0, LockAnswer())
    game.act(2, LockAnswer())
    assert game.kinds == [TeamLocked, TilesRevealed, AnswerRevealed, GameEnded]
    assert game.state.winners == [2]
    assert game.step.transfers == ()
    result = game.rules.result(game.state)
    assert result is not None
    assert result.ranking == ((2,), (0,), (1,), (3,))
    reveal = game.rules.view(game.state, None).reveal
    assert reveal is not None and (reveal.answer, reveal.paying_zones) == ("175", [])


def test_a_tiebreak_without_answers_is_shared() -> None:
    game = last_reveal(tiebreak=True, held={0: 5, 2: 5})
    game.act(0, NextQuestion())
    game.tick()
    assert game.kinds == [QuestionDiscarded, GameEnded]
    assert game.state.winners == [0, 2]


def test_a_clear_winner_needs_no_tiebreak() -> None:
    game = last_reveal(tiebreak=True, held={0: 5, 1: 2, 2: 4})
    game.act(0, NextQuestion())
    assert game.state.winners == [0]


def test_no_bet_is_placed_in_the_answering_time() -> None:
    game = asked()
    assert game.refusal(0, PlaceToken(1, 0)).data == {"phase": "answer", "needed": "bet"}
    assert game.refusal(0, LockBets()).code == "wrong_phase"
    assert game.refusal(0, NextQuestion()).code == "wrong_phase"


def test_cards_that_are_left_out_are_not_drawn() -> None:
    options = QuitteOuDoubleOptions(left_out=tuple(range(1, 91)))
    playout = play_out(QuitteOuDouble(), 4, options, b"left out")
    drawn = [
        event.question.card
        for commit in playout.commits
        for event in commit.events
        if isinstance(event, QuestionAsked)
    ]
    assert len(drawn) == 7
    assert min(drawn) > 90
