"""Turns, throws, Favourites, the post and objections (Rulebook, "Départ")."""

from collections.abc import Sequence

import pytest

from railbird_engine import Event, Seat
from railbird_engine.kernel.playout import Playout, ask_bot
from railbird_engine.rules.ascot.commands import (
    Accept,
    Assign,
    Confirm,
    Decline,
    Move,
    NoBet,
    Object,
    Offer,
)
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.race import Outlook, choices_to_assign, outlook
from railbird_engine.rules.ascot.race_events import (
    HorseDisqualified,
    HorseMoved,
    HorsePassed,
    RaceEnded,
    RaceThrown,
    StarterFound,
    StartThrown,
    ThrowAssigned,
    ThrowWasted,
)
from railbird_engine.rules.ascot.state import AscotState
from tests.rules.ascot.scene import (
    RULES,
    Runner,
    act,
    betting,
    change,
    dice,
    events_of,
    go_on,
    place_of,
    race_of,
    racing,
    refuse,
    tick,
)

FAR: Runner = (1, 5, 6)
"""A horse of seat 1 that is in nobody's way."""


def test_the_highest_throw_starts_and_ties_throw_again() -> None:
    state = betting({1: 0, 2: 1, 3: 2})
    state.queue = [3]
    change(state, 1, advantages=2, disadvantages=1)
    for seat in range(2):
        state = act(state, seat, NoBet(3)).state
    step = act(state, 2, NoBet(3), *dice(2, 5, 5, 6, 3))
    throws = [(event.seat, event.die) for event in step.events if isinstance(event, StartThrown)]
    assert throws == [(0, 2), (1, 5), (2, 5), (1, 6), (2, 3)]
    assert events_of(step, StarterFound) == [StarterFound(seat=Seat(1))]
    assert (race_of(step.state).seat, race_of(step.state).left) == (1, [2])
    assert race_of(step.state).hands[0].advantages == [2, 0, 0, 0], "small cards become one hand"
    assert race_of(step.state).hands[0].disadvantages == 1


def test_one_throw_per_horse_in_number_order_then_clockwise() -> None:
    state = racing({8: (0, 0, 2), 10: (0, 0, 4), 12: (0, 0, 6), 1: (2, 0, 1)})
    for horse in (8, 10, 12):
        step = go_on(state, *dice(1))
        assert events_of(step, ThrowAssigned) == [ThrowAssigned(horse=horse, die=1)]
        state = step.state
        assert place_of(state, horse) == (1, RULES.printed.start_lane(horse)), (
            "the first row is reached in the starting lane"
        )
    assert race_of(state).seat == 2, "seat 1 has no runner"


def orders(state: AscotState, horses: list[int]) -> set[tuple[int, ...]]:
    """Every order in which the throws of a turn may be used."""
    if not race_of(state).left or race_of(state).seat != 0:
        return {tuple(horses)}
    thrown = go_on(state, *dice(1)).state
    if race_of(thrown).step != "assign":
        return orders(thrown, [*horses, race_of(state).left[0]])
    found: set[tuple[int, ...]] = set()
    for horse in race_of(state).left:
        if horse in choices_to_assign(thrown):
            found |= orders(act(thrown, 0, Assign(horse)).state, [*horses, horse])
        else:
            assert refuse(thrown, 0, Assign(horse)).code == "not_next_in_order"
    return found


def test_a_favourite_may_use_any_throw_while_the_others_keep_their_order() -> None:
    runners = {4: (0, 29, 1), 8: (0, 29, 4), 12: (0, 32, 5), 1: FAR}
    assert orders(racing(runners), []) == {(4, 8, 12)}
    assert orders(racing(runners, favourites={0: 8}), []) == {(8, 4, 12), (4, 8, 12), (4, 12, 8)}


def test_the_player_chooses_the_end_square() -> None:
    state = go_on(racing({1: (0, 10, 6), 2: FAR}), *dice(2)).state
    view = RULES.view(state, Seat(0))
    assert view.race is not None and set(view.race.ways) == {4, 5, 6}
    assert refuse(state, 0, Move(3)).data == {"lane": 3, "lanes": [4, 5, 6]}
    assert refuse(state, 1, Move(5)).code == "not_your_turn"
    assert refuse(state, 0, Assign(1)).code == "nothing_to_assign"
    step = act(state, 0, Move(5))
    assert place_of(step.state, 1) == (12, 5)
    assert place_of(tick(state).state, 1)[1] == 4, "the clock takes the lowest lane"
    assert refuse(step.state, 1, Move(5)).code == "nothing_to_move"


def test_a_slow_player_throws_and_moves_his_first_horse_in_order() -> None:
    state = racing({1: (0, 10, 6), 6: (0, 2, 2), 2: FAR}, favourites={0: 6})
    step = go_on(state, *dice(1))
    assert events_of(step, RaceThrown) == [RaceThrown(seat=Seat(0), die=1)]
    assert race_of(step.state).step == "assign"
    assert race_of(tick(step.state).state).horse == 1


OUTLOOKS: tuple[tuple[Runner, int, Outlook], ...] = (
    ((0, 10, 6), 1, Outlook("run", ((11, 5), (11, 6)))),
    ((0, 43, 6), 5, Outlook("too_high")),
    ((0, 44, 6), 1, Outlook("passes")),
    ((0, 42, 6), 3, Outlook("passes")),
    ((0, 28, 1), 6, Outlook("jostled", ((30, 1),))),
)
"""Places of the horse of a Favourite that chooses, the die, and what the throw would do."""


@pytest.mark.parametrize(("runner", "die", "expected"), OUTLOOKS)
def test_the_view_says_what_a_throw_would_do(runner: Runner, die: int, expected: Outlook) -> None:
    others: dict[int, Runner] = {9: (0, 2, 2), 2: (1, 32, 1), 3: (1, 29, 2), 5: (1, 32, 2)}
    state = go_on(racing({1: runner, **others}, favourites={0: 9}), *dice(die)).state
    view = RULES.view(state, Seat(0))
    assert view.race is not None and set(view.race.outlooks) == {1, 9}
    assert view.race.outlooks[1] == expected
    step = act(state, 0, Assign(1))
    assert outcome(step.state, step.events) == expected


def test_throws_of_whole_games_do_what_their_outlooks_say() -> None:
    compared = set()
    for seed in range(6):
        playout = Playout(RULES, 3, AscotOptions(), b"throw %d" % seed)
        before = playout.state
        for commit in playout.run(ask_bot):
            assert isinstance(before, AscotState)
            if isinstance(commit.command, Assign):
                told = outlook(RULES.printed, before, commit.command.horse)
                assert isinstance(playout.state, AscotState)
                assert told == outcome(playout.state, commit.events)
                compared.add(told.use)
            before = playout.state
    assert {"run", "too_high"} <= compared


def outcome(after: AscotState, events: Sequence[Event]) -> Outlook:
    """Return what a throw has done, by the events up to the next throw."""
    for event in events:
        match event:
            case ThrowWasted():
                return Outlook(event.why)
            case HorsePassed():
                return Outlook("passes")
            case HorseMoved():
                return Outlook("run" if event.why == "throw" else "jostled", (event.path[-1],))
    return Outlook("run", tuple(way[-1] for way in race_of(after).ways.values()))


def test_a25_every_throw_counts_and_a_horse_without_a_way_is_jostled() -> None:
    state = racing({3: (0, 10, 1), 1: (1, 14, 1), 2: (1, 11, 2), 5: (1, 14, 2)})
    step = go_on(state, *dice(6))
    moved = HorseMoved(horse=3, path=((11, 1), (12, 1)), why="jostled")
    assert events_of(step, HorseMoved) == [moved]
    assert race_of(step.state).seat == 1, "the yellow square it stops on gives nothing"


def test_a45_the_back_row_hops_over_the_front_row() -> None:
    state = racing({7: (0, 0, 1), 1: (1, 0, 1)})
    assert place_of(go_on(state, *dice(1)).state, 7) == (1, 1)
    blocked = racing({7: (0, 0, 1), 1: (1, 1, 1)})
    assert place_of(go_on(blocked, *dice(1)).state, 7) == (0, 1)


def test_only_the_exact_number_passes_the_post() -> None:
    for row, die in ((44, 1), (43, 2), (39, 6)):
        step = go_on(racing({1: (0, row, 3), 2: FAR}), *dice(die))
        assert events_of(step, HorsePassed) == [HorsePassed(horse=1, disadvantages=0)]
        assert step.state.horses[1].fate == "passed"


def test_a29_a_throw_too_high_for_the_post_moves_nothing() -> None:
    step = go_on(racing({1: (0, 43, 3), 2: FAR}), *dice(3))
    assert events_of(step, ThrowWasted) == [ThrowWasted(horse=1, why="too_high")]
    assert place_of(step.state, 1) == (43, 3)


def test_a29_the_way_to_the_last_row_must_be_free() -> None:
    crowd = {lane: (1, 44, lane) for lane in range(1, 7)}
    state = racing({7: (0, 42, 3), **crowd})
    step = go_on(state, *dice(3))
    assert events_of(step, HorsePassed) == []
    assert place_of(step.state, 7) == (42, 3), "jostled: the square before it is the interval"


def test_a36_disadvantages_that_are_left_disqualify_a_horse() -> None:
    state = racing({1: (0, 44, 3), 2: FAR}, disadvantages={0: 1})
    step = go_on(state, *dice(1))
    assert events_of(step, HorseDisqualified) == [HorseDisqualified(horse=1)]
    assert refuse(step.state, 1, Object(1)).code == "not_arrived"


def arriving() -> AscotState:
    """Horses 3 and 2 have passed; the owner of 2 kept a Disadvantage; seat 0 is next."""
    runners = {1: (0, 44, 1), 2: (1, 44, 2), 3: (2, 44, 3), 4: (2, 10, 4)}
    state = racing(runners, disadvantages={1: 1}, manual_objection=True)
    race = race_of(state)
    race.seat, race.left = Seat(2), [3]
    state = go_on(state, *dice(1)).state
    state = go_on(state, *dice(2)).state
    state = go_on(state, *dice(1)).state
    race_of(state).seat, race_of(state).left = Seat(0), [1]
    return state


def test_a36_players_may_object_themselves() -> None:
    state = arriving()
    assert [arrival.horse for arrival in race_of(state).arrivals] == [3, 2]
    assert refuse(state, 1, Object(2)).code == "own_horse"
    assert refuse(state, 0, Object(3)).code == "objection_unfounded"
    early = act(state, 0, Object(2)).state
    assert early.horses[2].fate == "disqualified"
    state = go_on(state, *dice(1)).state
    assert race_of(state).step == "objections"
    assert refuse(state, 2, Move(1)).code == "race_awaits_objections"
    late = act(state, 2, Object(2)).state
    assert (late.phase, race_of(late).seat) == ("race", 2), (
        "a place is free again: the race continues"
    )


def test_a36_an_arrival_without_objections_is_final() -> None:
    state = arriving()
    assert refuse(state, 0, Confirm()).code == "no_objections_awaited"
    state = go_on(state, *dice(1)).state
    assert tick(state).state.placed == [3, 2, 1]
    owner = state.horses[2].owner
    assert RULES.awaited(state) == {0, 1, 2} - {owner}, "nobody objects to an only horse of his own"
    assert refuse(state, owner, Confirm()).code == "already_confirmed"
    for seat in sorted(RULES.awaited(state)):
        assert state.phase == "race"
        state = act(state, seat, Confirm()).state
    assert state.placed == [3, 2, 1]


def test_a37_the_ranks_behind_a_disqualified_horse_move_up() -> None:
    state = racing(
        {1: (0, 44, 1), 6: (0, 44, 6), 5: (0, 44, 5), 2: (1, 44, 2)}, disadvantages={1: 1}
    )
    race_of(state).seat, race_of(state).left = Seat(1), [2]
    state = go_on(state, *dice(1)).state
    for _ in range(2):
        state = go_on(state, *dice(1)).state
        assert state.phase == "race"
    step = go_on(state, *dice(1))
    assert events_of(step, RaceEnded) == [RaceEnded(placed=(1, 5, 6))]


def test_a38_the_race_ends_when_no_horse_is_left() -> None:
    state = racing({1: (0, 44, 1), 2: (1, 44, 2)}, disadvantages={1: 1})
    state = go_on(state, *dice(1)).state
    assert state.phase == "race"
    step = go_on(state, *dice(1))
    assert events_of(step, RaceEnded) == [RaceEnded(placed=(1,))]


def test_a18_reports_change_hands_at_any_time_of_the_race() -> None:
    state = racing({1: (0, 10, 6), 2: FAR})
    state.kept[2] = ["vessel"]
    alarm = RULES.alarm(state)
    state = act(state, 1, Offer(Seat(2), takes=("report:vessel",), pays=3_000)).state
    assert {Accept(1), Decline(1)} <= set(RULES.legal(state, Seat(2)))
    state = act(state, 2, Accept(1)).state
    assert (state.kept[1], RULES.alarm(state)) == (["vessel"], alarm)
