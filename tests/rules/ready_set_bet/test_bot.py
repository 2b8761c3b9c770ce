"""The bot: fair, worth playing against, and worth watching."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from statistics import fmean
from typing import Any, get_args

import pytest

from railbird_engine import AnyRules, BetPlaced, BotLevel, Chance, ScriptedChance, Seat
from railbird_engine.kernel.contract import State
from railbird_engine.kernel.playout import Playout, Whims, ask_bot, ask_random, play_out
from railbird_engine.rules.ready_set_bet.bot_forecast import (
    Forecast,
    exotic_chance,
    forecast,
    prop_chance,
)
from railbird_engine.rules.ready_set_bet.bot_worth import vip_worth
from railbird_engine.rules.ready_set_bet.card_results import exotic_wins, prop_wins
from railbird_engine.rules.ready_set_bet.commands import GetReady, RollDice
from railbird_engine.rules.ready_set_bet.data import FINISH, LANE_OF_HORSE, LANE_OF_SUM
from railbird_engine.rules.ready_set_bet.data.decks import BOX
from railbird_engine.rules.ready_set_bet.events import (
    BettingClosed,
    OfferAnswered,
    RacePrepared,
    RaceStarted,
    Rolled,
    VipKept,
)
from railbird_engine.rules.ready_set_bet.options import Mode, ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.race import Course, move, podium, starting_course
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from railbird_engine.rules.ready_set_bet.state import ReadySetBetState
from railbird_engine.rules.ready_set_bet.view import ReadySetBetView
from tests.rules.ready_set_bet.scene import CORE, RULES, THREE_CROSS, Scene, running


def chances(course: Course, races: int) -> tuple[list[float], list[float]]:
    """Return how often each lane wins and shows from this position."""
    dice = Random(7)
    win, show = [0] * 9, [0] * 9
    for _ in range(races):
        ahead = Course(list(course.positions), course.lane, course.run)
        while FINISH not in ahead.positions:
            move(ahead, LANE_OF_SUM[dice.randint(1, 6) + dice.randint(1, 6)])
        finish = podium(ahead.positions)
        win[LANE_OF_HORSE[finish.win[0]]] += 1
        for horse in finish.show:
            show[LANE_OF_HORSE[horse]] += 1
    return [count / races for count in win], [count / races for count in show]


@pytest.mark.parametrize(
    "course",
    [
        Course([0] * 9),
        Course([1, 6, 3, 8, 11, 4, 4, 2, 2], lane=6, run=1),
        Course([5, 2, 8, 9, 7, 10, 3, 6, 1], lane=0, run=1),
    ],
)
def test_the_forecast_is_close_to_simulated_races(course: Course) -> None:
    expected = forecast(tuple(course.positions))
    win, show = chances(course, 1_000)
    assert list(expected.win) == pytest.approx(win, abs=0.08)
    assert list(expected.show) == pytest.approx(show, abs=0.16)


def test_a_forecast_is_a_chance_at_any_moment_of_a_race() -> None:
    for course in _races(30):
        expected = forecast(tuple(course.positions))
        assert sum(expected.win) == pytest.approx(1)
        for win, place, show in zip(expected.win, expected.place, expected.show, strict=True):
            assert 0 <= win <= place <= show <= 1 + 1e-9
        assert 0 <= expected.black <= 1


def _races(count: int) -> Iterator[Course]:
    """Every moment of some races."""
    dice = Random(8)
    for _ in range(count):
        course = starting_course()
        while FINISH not in course.positions:
            yield course
            move(course, LANE_OF_SUM[dice.randint(1, 6) + dice.randint(1, 6)])


def test_a_bot_watches_before_it_bets() -> None:
    scene = running()
    view = RULES.view(scene.state, Seat(0))
    assert RULES.bot(view, (), ScriptedChance([])) is None


def test_a_bot_gives_no_command_while_bets_are_closed() -> None:
    scene = running()
    scene.roll(*THREE_CROSS)
    assert RULES.bot(RULES.view(scene.state, Seat(0)), (), ScriptedChance([])) is None


def test_bots_follow_a_player_who_is_ready_and_alone_take_the_whole_pause() -> None:
    scene = Scene(2)
    assert RULES.bot_cue(scene.state, Seat(1)) is None
    scene.ask(0, GetReady())
    assert RULES.bot_cue(scene.state, Seat(1))
    assert RULES.bot_cue(scene.state, Seat(0)) is None
    view = RULES.view(scene.state, Seat(1))
    assert RULES.bot(view, (), ScriptedChance([])) == GetReady()


class Glimpsed(ReadySetBet):
    """Counts the views of seats."""

    views = 0

    def view(self, state: ReadySetBetState, viewer: Seat | None) -> ReadySetBetView:
        self.views += viewer is not None
        return super().view(state, viewer)


def test_a_bot_takes_a_view_only_when_it_may_have_something_to_do() -> None:
    rules = Glimpsed()
    playout = play_out(rules, 4, ReadySetBetOptions(), b"glances")
    acts = sum(commit.seat is not None for commit in playout.commits)
    assert acts > 80
    assert rules.views < 1.5 * acts


def test_bots_place_nearly_all_their_tokens_some_early_and_some_late() -> None:
    """In a few races the third horse crosses before everyone has made up their mind."""
    early = late = 0
    for seed in range(3):
        roll = 0
        for commit in play_out(RULES, 4, CORE, b"tokens %d" % seed).commits:
            for event in commit.events:
                roll = event.roll if isinstance(event, Rolled) else roll
                early += isinstance(event, BetPlaced) and roll < 25
                late += isinstance(event, BetPlaced) and roll >= 25
    tokens = 3 * 4 * 4 * 5
    assert early + late >= 0.9 * tokens
    assert 0.2 * tokens <= early <= 0.5 * tokens


@pytest.mark.parametrize(
    ("options", "games", "times"), [(CORE, 3, 2), (ReadySetBetOptions(), 2, 1.5)]
)
def test_a_bot_beats_players_who_bet_at_random(
    options: ReadySetBetOptions, games: int, times: float
) -> None:
    def mixed(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
        return (ask_bot if seat == 0 else ask_random)(rules, state, seat, chance)

    results = [
        play_out(RULES, 3, options, b"mixed %d" % seed, mixed).result for seed in range(games)
    ]
    totals = [sum(result.scores[seat] for result in results if result) for seat in range(3)]
    assert totals[0] > times * max(totals[1:])


# The whole box


def bets_of_bots(options: ReadySetBetOptions, games: int) -> list[str]:
    """The kinds of spots that bots chose."""
    kinds = []
    for seed in range(games):
        for commit in play_out(RULES, 4, options, b"box %d" % seed).commits:
            kinds += [
                event.spot.split(":")[0] for event in commit.events if isinstance(event, BetPlaced)
            ]
    return kinds


def test_bots_use_the_whole_board() -> None:
    kinds = bets_of_bots(ReadySetBetOptions(), 3)
    for kind in ("win", "place", "show", "colour", "prop", "exotic"):
        assert kinds.count(kind) > 0.03 * len(kinds), kind


@pytest.mark.parametrize("mode", ["standard", "betting_announcer", "rotating_announcer"])
def test_bots_announce_without_help_of_the_clock(mode: Mode) -> None:
    """Every start call, roll, choice and answer is made before its deadline."""
    playout = play_out(RULES, 4, ReadySetBetOptions(mode=mode, races=2), b"announce")
    commands = [type(commit.command) for commit in playout.commits if commit.command is not None]
    assert commands.count(RollDice) > 40
    for commit in playout.commits:
        for event in commit.events:
            assert not (isinstance(event, VipKept) and event.by_default)
            assert not (
                isinstance(event, Rolled | RaceStarted | OfferAnswered) and commit.command is None
            )


def test_a_bot_keeps_a_token_for_its_late_bet_card() -> None:
    """Races with a closing before the last moments: the bot of seat 0 bets after it in most."""
    closed = late = 0
    for number in range(6):
        playout = Playout(RULES, 3, ReadySetBetOptions(races=2), b"late %d" % number)
        state = playout.state
        assert isinstance(state, ReadySetBetState) and state.vip
        state.vip.kept = (("V26",), (), ())
        is_closed = False
        for commit in playout.run():
            for event in commit.events:
                if isinstance(event, BettingClosed | RacePrepared):
                    is_closed = isinstance(event, BettingClosed)
                    closed += is_closed
                late += isinstance(event, BetPlaced) and event.seat == 0 and is_closed
    assert closed > 4
    assert late > closed / 3


def test_a_token_kept_back_is_placed_before_a_race_ends_without_a_closing() -> None:
    scene = running(3, ReadySetBetOptions(bots="expert"))
    scene.give(0, "V26")
    scene.state.tokens = ((3,), (), ())
    scene.roll(*(7,) * 11)
    assert RULES.bot(RULES.view(scene.state, Seat(0)), (), ScriptedChance([])) is None
    scene.state.course.rolls = 50
    assert RULES.bot(RULES.view(scene.state, Seat(0)), (), ScriptedChance([])) is None
    scene.roll(7)
    assert RULES.bot(RULES.view(scene.state, Seat(0)), (), ScriptedChance([0])) is not None


def test_bots_with_overlays_bet_only_where_they_may() -> None:
    """In this game they join tokens of others, and bet on exotics more than once."""
    playout = Playout(RULES, 6, ReadySetBetOptions(races=1, bots="expert"), b"overlay 8")
    state, asked = playout.state, 0
    assert isinstance(state, ReadySetBetState) and state.vip
    state.vip.kept = (("V21", "V22", "V23", "V24"),) * 6
    for _ in playout.run():
        state = playout.state
        assert isinstance(state, ReadySetBetState)
        for seat in map(Seat, range(6)):
            command = ask_bot(RULES, state, seat, Whims(b"now"))
            if command is not None:
                RULES.apply(state, seat, command, ScriptedChance([]))
                asked += 1
    assert asked > 50


@pytest.mark.slow
def test_a_betting_announcer_wins_about_as_often_as_others() -> None:
    """The house values of the announcer's tokens: with four and five seats the announcer wins its
    fair share, plus or minus a third of it."""
    for seats in (4, 5):
        options = ReadySetBetOptions(mode="betting_announcer", auto_roll=True)
        results = [
            play_out(RULES, seats, options, b"announcer %d" % number).result
            for number in range(300)
        ]
        shares = [1 / len(each.ranking[0]) for each in results if each and 0 in each.ranking[0]]
        assert sum(shares) / len(results) == pytest.approx(1 / seats, rel=1 / 3)


def test_a_bot_keeps_the_card_that_earns_more_by_the_end() -> None:
    """Three races of a 7 against 8 once; after the third race, 12 once against a last race of an
    overlay 2."""
    assert vip_worth(BOX.vip["V11"], 3) > vip_worth(BOX.vip["V13"], 3)
    assert vip_worth(BOX.vip["V16"], 1) > vip_worth(BOX.vip["V21"], 1)
    assert all(vip_worth(card, 3) > 0 for card in BOX.vip.values())


@pytest.mark.parametrize("card", BOX.props)
def test_the_chance_of_a_prop_is_close_to_the_truth_in_mid_race(card: str) -> None:
    prop = BOX.props[card]
    expected, true = _mid_race_chances(
        lambda positions, ahead: prop_chance(prop, ahead), lambda end: prop_wins(prop, end)
    )
    assert expected == pytest.approx(true, abs=0.12)


@pytest.mark.parametrize("card", BOX.exotics)
def test_the_chance_of_an_exotic_is_close_to_the_truth_in_mid_race(card: str) -> None:
    condition = BOX.exotics[card].condition
    expected, true = _mid_race_chances(
        lambda positions, ahead: exotic_chance(condition, positions, ahead),
        lambda end: exotic_wins(condition, end),
    )
    assert expected == pytest.approx(true, abs=0.12)


@cache
def _ends() -> list[tuple[tuple[int, ...], Forecast, list[int]]]:
    """Return positions after 35 rolls, their forecasts, and the results of these races."""
    moments = []
    for course in _races(600):
        if course.rolls == 35:
            at = tuple(course.positions)
            moments.append((at, forecast(at), course.positions))
    return moments


def _mid_race_chances(
    expected: Callable[[tuple[int, ...], Forecast], float], true: Callable[[list[int]], bool]
) -> tuple[float, float]:
    """Return the average expectation of a bot, and the observed frequency."""
    moments = _ends()
    return fmean(expected(at, ahead) for at, ahead, _ in moments), fmean(
        true(end) for _, _, end in moments
    )


# Hands


@pytest.mark.parametrize("roll_ms", [1_000, 2_000, 10_000])
@pytest.mark.parametrize("mode", ["app", "rotating_announcer"])
def test_bots_take_at_least_a_second_and_a_half(roll_ms: int, mode: Mode) -> None:
    options = ReadySetBetOptions(roll_ms=roll_ms, mode=mode, bots="expert", races=2)
    playout = Playout(RULES, 4, options, b"hands")
    for _ in playout.run():
        assert isinstance(playout.state, ReadySetBetState)
        cues = [RULES.bot_cue(playout.state, Seat(seat)) for seat in range(4)]
        assert all(cue.least_ms >= 1_500 for cue in cues if cue)


@pytest.mark.parametrize("level", get_args(BotLevel))
def test_bots_of_a_demonstration_place_four_tokens_in_five(level: BotLevel) -> None:
    assert RULES.demo_options
    demonstration = ReadySetBetOptions(**RULES.demo_options, bots=level, vip=False)
    games = [play_out(RULES, 4, demonstration, b"hands %d" % number) for number in range(2)]
    commits = [commit for game in games for commit in game.commits]
    placed = sum(isinstance(event, BetPlaced) for commit in commits for event in commit.events)
    assert placed >= 0.8 * len(games) * 4 * 4 * 5
