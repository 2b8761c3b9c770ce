"""The bots: they leave the lock to people, and guess as people do."""

import math
from statistics import median, stdev

import pytest

from railbird_engine import BotLevel, RuleViolation, Seat, SeededChance
from railbird_engine.kernel.playout import Whims, ask_bot
from railbird_engine.rules.quitte_ou_double.bot_guess import SPREAD, guess
from railbird_engine.rules.quitte_ou_double.commands import (
    ChooseLevel,
    LockAnswer,
    LockBets,
    WriteAnswer,
)
from railbird_engine.rules.quitte_ou_double.data.bank import Question, installed_banks
from railbird_engine.rules.quitte_ou_double.decimals import canonical
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from tests.rules.quitte_ou_double.scene import Game

PERSON = Seat(0)
LOOKS = 400


def phase(game: Game) -> str:
    return game.state.phase


def played_by_bots(game: Game, until_after: str, *, bots: set[Seat]) -> list[object]:
    """Let bots look at the game until nothing happens in this phase; return their commands."""
    whims = Whims(b"looks")
    asked: list[object] = []
    for look in range(LOOKS):
        if phase(game) != until_after:
            break
        seat = sorted(bots)[look % len(bots)]
        command = ask_bot(game.rules, game.state, seat, whims, bots)
        if command is not None:
            asked.append(command)
            game.act(seat, command)
    return asked


@pytest.mark.parametrize("seats", [7, 8, 12, 20])
def test_bots_leave_the_lock_of_a_team_to_the_person_in_it(seats: int) -> None:
    game = Game("175", seats=seats)
    bots = {Seat(seat) for seat in range(seats)} - {PERSON}
    game.act(PERSON, ChooseLevel(1))
    played_by_bots(game, "answer", bots=bots)
    assert phase(game) == "answer"
    assert sorted(game.state.locked) == [1, 2, 3, 4, 5], "all teams of bots have locked"
    game.act(PERSON, WriteAnswer("1234567"))
    game.act(PERSON, LockAnswer())
    assert "1234567" in [tile.value for tile in game.state.tiles]
    played_by_bots(game, "bet", bots=bots)
    assert phase(game) == "bet"
    assert sorted(game.state.locked) == [1, 2, 3, 4, 5]
    game.place(PERSON, 1, 0).place(PERSON, 2, 0)
    game.act(PERSON, LockBets())
    assert phase(game) == "reveal"


def test_a_captain_that_is_a_bot_leaves_the_end_to_the_hourglass() -> None:
    options = QuitteOuDoubleOptions(captain_locks=True, team_count=3)
    game = Game("175", seats=6, options=options)
    game.act(0, ChooseLevel(1))
    bots = {Seat(seat) for seat in range(6)} - {Seat(3)}
    played_by_bots(game, "answer", bots=bots)
    assert sorted(game.state.locked) == [1, 2], "seat 3 is a person in the team of captain 0"
    game.tick()
    assert phase(game) == "bet"


def test_captains_who_lock_need_an_hourglass() -> None:
    """Ruling Q15."""
    with pytest.raises(RuleViolation, match="captain_locks_without_hourglass"):
        Game("175", options=QuitteOuDoubleOptions(captain_locks=True, hourglass_s=0))


def test_teams_of_bots_play_without_a_clock() -> None:
    game = Game("175", seats=8, options=QuitteOuDoubleOptions(hourglass_s=0))
    game.act(0, ChooseLevel(1))
    everybody = {Seat(seat) for seat in range(8)}
    asked = played_by_bots(game, "answer", bots=everybody)
    assert LockAnswer() in asked
    assert phase(game) == "bet"


def question(answer: str, unit: str) -> Question:
    return Question("Combien ?", "How many?", unit, unit, answer, "")


def guesses(answer: str, unit: str, skill: BotLevel, count: int = 600) -> list[float]:
    chance = SeededChance(b"guesses")
    return [float(guess(question(answer, unit), SPREAD[skill], chance)) for _ in range(count)]


@pytest.mark.parametrize(("skill", "spread"), SPREAD.items())
@pytest.mark.parametrize(("answer", "unit"), [("42195", "m"), ("206", "bones"), ("9460.8", "km")])
def test_guesses_are_log_normal_about_the_truth(
    answer: str, unit: str, skill: BotLevel, spread: float
) -> None:
    errors = [math.log(found / float(answer)) for found in guesses(answer, unit, skill)]
    assert abs(median(errors)) < 0.1
    assert abs(stdev(errors) - spread) < 0.06
    within_one = sum(abs(error) < spread for error in errors) / len(errors)
    assert 0.62 < within_one < 0.74, "68 % of a normal distribution"


def test_a_person_who_is_close_does_not_win_every_time() -> None:
    """A person within 15 % of the truth, against five casual bots: about one question in three."""
    found = guesses("42195", "m", "casual", 5 * 200)
    rounds = [found[start : start + 5] for start in range(0, len(found), 5)]
    beaten = sum(min(abs(other - 42195) for other in five) < 0.15 * 42195 for five in rounds)
    assert 0.5 < beaten / len(rounds) < 0.85


def test_years_are_closer_the_more_recent_they_are_and_never_in_the_future() -> None:
    recent, old = guesses("1989", "year", "casual"), guesses("1605", "year", "casual")
    assert stdev(recent) < 20 < stdev(old)
    assert max(recent) <= 2026
    assert min(guesses("-490", "year", "casual")) < -490 < max(guesses("-490", "year", "casual"))
    assert guesses("1605", "année", "casual") == old, "as in a bank in French alone"
    assert guess(question("2026", "year"), 0, SeededChance(b"year")) == "2025"


def test_temperatures_may_be_below_zero() -> None:
    found = guesses("-38.8344", "°C", "casual")
    assert min(found) < -38 < max(found)
    assert all(value == round(value) for value in found)


def test_people_count_in_whole_and_round_numbers() -> None:
    assert all(value == round(value) for value in guesses("7", "strings", "casual"))
    assert any(value != round(value) for value in guesses("1.75", "m", "casual"))
    for value in guesses("299792458", "m/s", "casual"):
        assert len(f"{value:.0f}".rstrip("0")) <= 2
    assert max(guesses("999999999999999", "grains", "casual")) == 999_999_999_999_999


def test_every_question_of_the_house_gets_guesses_that_are_numbers() -> None:
    chance = SeededChance(b"all")
    for card in installed_banks()["house"].cards.values():
        for asked in card:
            for found in (
                guess(asked, SPREAD["casual"], chance),
                guess(asked, SPREAD["expert"], chance),
            ):
                assert canonical(found) == found


def test_a_bot_uses_only_its_view_and_its_knowledge() -> None:
    """The same view gives the same choice, whatever the other teams have written."""
    choices: list[object] = []
    for other in ("3", "300"):
        game = Game("175", seats=8, options=QuitteOuDoubleOptions(team_count=4))
        game.act(0, ChooseLevel(1))
        game.act(0, WriteAnswer(other))
        choices.append(ask_bot(game.rules, game.state, Seat(1), Whims(b"same")))
    assert choices[0] is not None
    assert choices[0] == choices[1]
