"""Announcing, rolling, and bets before the race: rulebook, "Le speaker" and the two variants."""

from datetime import timedelta

import msgspec
import pytest

from railbird_engine import BetSettled, RuleViolation, ScriptedChance, Seat
from railbird_engine.kernel.playout import Playout, Whims, ask_random
from railbird_engine.rules.ready_set_bet.commands import (
    AnswerOffer,
    KeepVip,
    PlaceBet,
    RollDice,
    SkipTokens,
    StartRace,
    TakeDice,
)
from railbird_engine.rules.ready_set_bet.data import (
    ANNOUNCER_MONEY,
    ANNOUNCER_TOKENS,
    MISSED_MAX,
)
from railbird_engine.rules.ready_set_bet.events import (
    AnnouncerAbsent,
    AnnouncerNamed,
    AnnouncerPaid,
    AnnouncerReturned,
    DicePickedUp,
    MoneySettled,
    RacePrepared,
    RaceStarted,
    TokensSkipped,
)
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from tests.rules.ready_set_bet.scene import (
    RULES,
    SEVEN_WINS,
    THREE_CROSS,
    Scene,
    dice_of,
    place_all,
    plain,
    refusal,
)

BETTING = plain(mode="betting_announcer")
ANY_MODE = {"least": 2, "most": 9}


def after(scene: Scene) -> timedelta:
    alarm = RULES.alarm(scene.state)
    assert alarm is not None
    return alarm.after


# Seats


@pytest.mark.parametrize(
    ("mode", "least", "most"),
    [("app", 2, 8), ("standard", 3, 9), ("betting_announcer", 2, 9), ("rotating_announcer", 2, 8)],
)
def test_each_mode_has_its_number_of_players(mode: str, least: int, most: int) -> None:
    """Rulebook, the modes: two to eight players and a neutral announcer; titles of the other
    three."""
    options = plain(mode=mode)
    for seats in (least, most):
        assert RULES.start(seats, options, ScriptedChance([0])).state.seats == seats
    for seats in {1, 2, 9, 10} - set(range(least, most + 1)):
        with pytest.raises(RuleViolation) as caught:
            RULES.start(seats, options, ScriptedChance([0]))
        assert caught.value.code == "wrong_number_of_seats"
        fitting = {"least": least, "most": most, "mode": mode}
        assert caught.value.data in ({"seats": seats, **fitting}, {"seats": seats, **ANY_MODE})


def test_an_announcer_sits_at_the_table() -> None:
    with pytest.raises(RuleViolation) as caught:
        RULES.start(3, plain(mode="standard", announcer_seat=3), ScriptedChance([]))
    assert (caught.value.code, caught.value.data) == ("no_such_announcer", {"seat": 3, "seats": 3})


def test_the_rules_offer_two_to_nine_seats() -> None:
    assert ReadySetBet.seats == range(2, 10)


# The players that count for closed spots


@pytest.mark.parametrize(
    ("mode", "seats", "closed"),
    [
        ("standard", 3, ("win:l", "place:l", "show:l")),
        ("standard", 5, ("win:l",)),
        ("standard", 6, ()),
        ("betting_announcer", 3, ("win:l", "place:l", "show:l")),
        ("betting_announcer", 2, ("win:l", "place:l", "show:l")),
        ("rotating_announcer", 4, ("win:l", "place:l")),
        ("rotating_announcer", 2, ("win:l", "place:l", "show:l")),
    ],
)
def test_closed_columns_follow_the_active_players(
    mode: str, seats: int, closed: tuple[str, ...]
) -> None:
    """Ruling 4.22; ruling 4.21: one active player has the columns of two."""
    state = RULES.start(seats, plain(mode=mode), ScriptedChance([0])).state
    assert RULES.view(state, None).closed_columns == closed


@pytest.mark.parametrize(
    ("mode", "seats", "tokens"),
    [
        ("app", 7, (2, 3, 4, 5)),
        ("standard", 7, (2, 3, 3, 4, 5)),
        ("standard", 8, (2, 3, 4, 5)),
        ("betting_announcer", 9, (2, 3, 4, 5)),
        ("rotating_announcer", 7, (2, 3, 3, 4, 5)),
    ],
)
def test_a_token_stays_in_the_box_when_seven_or_eight_are_active(
    mode: str, seats: int, tokens: tuple[int, ...]
) -> None:
    """Ruling 4.22."""
    assert RULES.start(seats, plain(mode=mode), ScriptedChance([0])).state.tokens[1] == tokens


# The neutral announcer


def test_a_neutral_announcer_rolls_and_never_bets() -> None:
    scene = Scene(3, plain(mode="standard", announcer_seat=1))
    assert scene.events == (
        RacePrepared(race=1),
        AnnouncerNamed(race=1, seat=Seat(1), volunteered=True),
    )
    assert scene.state.tokens == ((2, 3, 3, 4, 5), (), (2, 3, 3, 4, 5))
    assert refusal(scene, 1, PlaceBet("win:7:r", 2)) == ("announcer_cannot_bet", {"announcer": 1})
    assert list(RULES.legal(scene.state, Seat(1))) == [StartRace()]
    assert scene.ask(1, StartRace()) == (RaceStarted(race=1),)
    assert refusal(scene, 1, PlaceBet("win:7:r", 2))[0] == "announcer_cannot_bet"
    scene.throw(1, 7)
    assert scene.positions[4] == 1


def test_a_neutral_announcer_comes_last_and_is_not_settled() -> None:
    scene = Scene(3, plain(mode="standard", announcer_seat=1, races=1))
    scene.ask(1, StartRace())
    events = scene.throw(1, *SEVEN_WINS)
    assert [event.seat for event in events if isinstance(event, MoneySettled)] == [0, 2]
    result = RULES.result(scene.state)
    assert result is not None and result.ranking == ((0, 2), (1,))


def test_a_neutral_announcer_draws_no_vip() -> None:
    scene = Scene(3, plain(mode="standard", vip=True))
    scene.ask(0, StartRace())
    scene.throw(0, *SEVEN_WINS)
    scene.tick(0, 0, 0, 0)
    assert scene.vip().choosing == (1, 2)


# Rolling


def test_the_announcer_rolls_when_the_dice_are_back() -> None:
    """Ruling 4.26. The clock keeps an announcer, who may compete, from rolling faster than the
    others can bet."""
    scene = Scene(3, plain(mode="standard"))
    scene.ask(0, StartRace())
    assert after(scene) == timedelta(seconds=2)
    assert refusal(scene, 0, RollDice()) == ("dice_not_ready", {"race": 1, "roll": 0})
    assert scene.tick() == (DicePickedUp(race=1, roll=0),)
    assert (after(scene), RULES.view(scene.state, None).dice_ready) == (timedelta(seconds=10), True)
    assert refusal(scene, 1, RollDice()) == ("not_the_announcer", {"announcer": 0})
    assert list(RULES.legal(scene.state, Seat(0))) == [RollDice()]
    RULES.apply(scene.state, Seat(0), RollDice(), ScriptedChance(dice_of(7)))


def test_the_announcer_may_be_drawn_by_lot() -> None:
    """Rulebook, "Mise en place", step 7: the players choose how to name one."""
    scene = Scene(3, plain(mode="standard", announcer_by_lot=True), [2])
    assert scene.events[-1] == AnnouncerNamed(race=1, seat=Seat(2), volunteered=False)


def test_the_server_rolls_for_an_absent_announcer() -> None:
    scene = Scene(3, plain(mode="standard", announcer_ms=4_000))
    assert after(scene) == timedelta(seconds=4)
    assert scene.tick() == (RaceStarted(race=1),)
    scene.tick()
    assert after(scene) == timedelta(seconds=4)
    scene.roll(7)
    assert scene.positions[4] == 1
    assert not scene.state.dice_ready


def test_after_three_missed_decisions_the_server_announces_until_the_announcer_acts() -> None:
    """Ruling 4.43."""
    scene = Scene(3, plain(mode="standard"))
    assert refusal(scene, 0, TakeDice())[0] == "race_not_running"
    scene.tick()
    for _ in range(2):
        assert not RULES.view(scene.state, None).announcer_absent
        assert refusal(scene, 0, TakeDice())[0] == "dice_are_yours"
        scene.tick()
        scene.roll(7)
    assert after(scene) == timedelta(seconds=2)
    scene.roll(7)
    assert (after(scene), RULES.awaited(scene.state)) == (timedelta(seconds=2), frozenset())
    assert list(RULES.legal(scene.state, Seat(0))) == [TakeDice()]
    assert scene.ask(0, TakeDice()) == (AnnouncerReturned(race=1, seat=Seat(0)),)
    assert scene.tick() == (DicePickedUp(race=1, roll=3),)


def test_events_tell_for_whom_the_server_announces() -> None:
    """Ruling 4.43: also for a seat that is named after it missed them."""
    whims, options = Whims(b"away"), ReadySetBetOptions(mode="rotating_announcer", roll_ms=50)
    named = 0
    for game in range(8):
        is_absent = False
        playout = Playout(RULES, 3, options, b"away %d" % game)
        while playout.result is None:
            seat = Seat(whims.below(3))
            command = None if whims.below(12) else ask_random(RULES, playout.state, seat, whims)
            step = playout.tick() if command is None else playout.act(seat, command)
            for event in step.events:
                if isinstance(event, AnnouncerNamed):
                    is_absent = False
                elif isinstance(event, AnnouncerAbsent):
                    is_absent = True
                    named += any(isinstance(other, AnnouncerNamed) for other in step.events)
                elif isinstance(event, AnnouncerReturned):
                    assert is_absent
                    is_absent = False
            assert RULES.view(step.state, None).announcer_absent == is_absent
    assert named


def test_nobody_can_take_the_dice_where_the_server_rolls_all_along() -> None:
    scene = Scene(3, plain(mode="standard", auto_roll=True))
    assert scene.tick() == (RaceStarted(race=1),)
    absent = msgspec.structs.replace(scene.state, missed=(MISSED_MAX, 0, 0))
    assert list(RULES.legal(absent, Seat(0))) == []


def test_an_absent_announcer_comes_back_by_any_act() -> None:
    scene = Scene(3, BETTING)
    scene.state.missed = (3, 0, 0)
    returned = AnnouncerReturned(race=1, seat=Seat(0))
    assert scene.ask(0, SkipTokens())[0] == returned


def test_the_server_may_roll_for_every_announcer() -> None:
    """Ruling 4.26: the option."""
    scene = Scene(3, plain(mode="standard", auto_roll=True))
    assert refusal(scene, 0, StartRace()) == ("server_rolls", {"mode": "standard"})
    assert after(scene) == timedelta(seconds=5)
    scene.tick()
    scene.roll(7)
    assert refusal(scene, 0, RollDice())[0] == "server_rolls"
    assert scene.positions[4] == 1


def test_the_application_mode_has_no_announcer() -> None:
    scene = Scene(3)
    for command in (StartRace(), RollDice(), SkipTokens()):
        assert refusal(scene, 0, command) == ("not_the_announcer", {"announcer": None})
    assert refusal(scene, 0, AnswerOffer(accept=True))[0] == "no_offer"


def test_a_race_starts_once_and_dice_roll_only_while_it_runs() -> None:
    scene = Scene(3, plain(mode="standard", races=2))
    assert refusal(scene, 0, RollDice())[0] == "race_not_running"
    scene.ask(0, StartRace())
    assert refusal(scene, 0, StartRace()) == ("race_has_started", {"race": 1, "phase": "open"})
    scene.throw(0, *SEVEN_WINS)
    assert refusal(scene, 0, RollDice())[0] == "race_not_running"


# The announcer who bets


def test_the_betting_announcer_starts_with_18() -> None:
    """Rulebook, "Variante Speaker parieur"; ruling 4.14: nobody else has money; ruling 4.16: also
    without VIP cards."""
    scene = Scene(3, BETTING)
    assert scene.money() == [ANNOUNCER_MONEY, 0, 0]
    assert AnnouncerPaid(race=1, seat=Seat(0), amount=18, money=18) in scene.events
    assert Scene(3, plain(mode="betting_announcer", announcer_money=0)).money() == [0, 0, 0]


def test_the_betting_announcer_places_six_tokens_on_six_spots_before_the_race() -> None:
    scene = Scene(3, BETTING)
    assert scene.state.tokens[0] == ANNOUNCER_TOKENS and len(ANNOUNCER_TOKENS) == 6
    assert after(scene) == timedelta(seconds=30)
    scene.bet(0, "win:7:r", 5)
    assert refusal(scene, 0, PlaceBet("win:7:r", 4)) == (
        "spot_taken",
        {"spot": "win:7:r", "seat": 0},
    )
    assert refusal(scene, 1, PlaceBet("win:7:m", 2))[0] == "race_not_running"
    assert refusal(scene, 0, StartRace()) == ("tokens_left", {"left": [3, 4, 4, 5, 7]})


def test_the_race_may_start_when_all_six_tokens_are_placed() -> None:
    """Ruling 4.25."""
    scene = Scene(3, BETTING)
    place_all(scene, 0)
    assert after(scene) == timedelta(seconds=10)
    assert refusal(scene, 0, SkipTokens()) == ("no_tokens_left", {"race": 1})
    assert list(RULES.legal(scene.state, Seat(0))) == [StartRace()]
    scene.ask(0, StartRace())
    assert refusal(scene, 0, PlaceBet("win:8:r", 2))[0] == "announcer_bets_before_the_race"


def test_the_announcer_may_skip_the_rest_of_the_tokens() -> None:
    """Ruling 4.25."""
    scene = Scene(3, BETTING)
    scene.bet(0, "win:7:r", 5)
    before = RULES.alarm(scene.state)
    scene.bet(0, "win:8:r", 3)
    assert RULES.alarm(scene.state) not in {None, before}, "there is time for each token"
    before = RULES.alarm(scene.state)
    assert scene.ask(0, SkipTokens()) == (TokensSkipped(race=1, seat=Seat(0), tokens=(4, 4, 5, 7)),)
    assert RULES.alarm(scene.state) not in {None, before}, "the clock waits for the start instead"
    scene.ask(0, StartRace())


def test_an_absent_announcer_does_not_block_the_game() -> None:
    """Ruling 4.25."""
    scene = Scene(3, BETTING)
    scene.bet(0, "win:7:r", 5)
    assert scene.tick() == (
        TokensSkipped(race=1, seat=Seat(0), tokens=(3, 4, 4, 5, 7)),
        RaceStarted(race=1),
    )


def test_an_announcers_token_leaves_its_spot_free_for_one_other() -> None:
    """Rulebook, "Variante Speaker parieur"; ruling 4.24."""
    scene = Scene(3, BETTING)
    place_all(scene, 0)
    scene.ask(0, StartRace())
    assert PlaceBet("win:7:r", 5) in list(RULES.legal(scene.state, Seat(1)))
    scene.bet(1, "win:7:r", 5)
    assert refusal(scene, 2, PlaceBet("win:7:r", 5)) == (
        "spot_taken",
        {"spot": "win:7:r", "seat": 1},
    )


@pytest.mark.parametrize("tokens", [[], [5] * 5, [2] * 7])
def test_an_announcer_has_exactly_six_tokens(tokens: list[int]) -> None:
    """Rulebook, "Matériel"."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"announcer_tokens": tokens}, ReadySetBetOptions)


def test_announcers_tokens_are_settled_like_others() -> None:
    """Rulebook, "Variante Speaker parieur": 3 x 3 + 4 x 3 + 4 x 2 + 5 x 1 won, 1 lost on blue,
    nothing on black."""
    scene = Scene(3, BETTING)
    place_all(scene, 0)
    scene.ask(0, StartRace())
    events = scene.throw(0, *SEVEN_WINS)
    assert [event.payout for event in events if isinstance(event, BetSettled)] == [
        9,
        12,
        8,
        5,
        -1,
        0,
    ]
    assert scene.money()[0] == 18 + 33


def test_closed_columns_are_closed_to_announcers_too() -> None:
    """Ruling 4.20."""
    code, data = refusal(Scene(3, BETTING), 0, PlaceBet("win:7:l", 5))
    assert (code, data["players"]) == ("column_closed", 2)


def test_an_announcer_puts_one_token_on_an_exotic() -> None:
    """Ruling 4.23. Its token blocks neither the spot nor the card for others."""
    scene = Scene(3, plain(mode="betting_announcer", exotics=True))
    scene.bet(0, "exotic:E1:l", 5)
    assert refusal(scene, 0, PlaceBet("exotic:E1:m", 4))[0] == "one_token_per_exotic"
    scene.ask(0, SkipTokens())
    scene.ask(0, StartRace())
    scene.bet(1, "exotic:E1:l", 5)


def test_announcers_bet_on_props_too() -> None:
    """Rulebook, "Variante Speaker parieur": cards included."""
    Scene(3, plain(mode="betting_announcer", props=True)).bet(0, "prop:P01", 5)


def test_the_betting_announcer_draws_no_vip() -> None:
    """Rulebook, "Variante Speaker parieur"."""
    scene = Scene(3, plain(mode="betting_announcer", vip=True, auto_roll=True))
    scene.tick()
    scene.roll(*SEVEN_WINS)
    scene.tick(0, 0, 0, 0)
    assert scene.vip().choosing == (1, 2)
    assert refusal(scene, 0, KeepVip("V01"))[0] == "not_in_your_hand"


def test_an_overlay_does_not_count_the_announcers_token() -> None:
    """Ruling 4.24 with the card: never more than two active tokens on a spot."""
    scene = Scene(4, plain(mode="betting_announcer", vip=True))
    scene.give(2, "V24")
    scene.give(3, "V24")
    place_all(scene, 0)
    scene.ask(0, StartRace())
    scene.bet(1, "win:7:r", 2)
    scene.bet(2, "win:7:r", 5)
    assert refusal(scene, 3, PlaceBet("win:7:r", 5))[0] == "spot_taken"


def test_late_bets_do_not_wait_for_the_announcer() -> None:
    """A human announcer continues to roll after the closing."""
    scene = Scene(3, plain(mode="standard"))
    scene.ask(0, StartRace())
    scene.throw(0, *THREE_CROSS)
    assert refusal(scene, 1, PlaceBet("win:7:r", 2))[0] == "betting_closed"
    scene.throw(0, 5)
