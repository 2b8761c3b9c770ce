"""Views: visible parts, and consistency with the events."""

import msgspec

from railbird_engine import BetPlaced, BetSettled, Event, Seat
from railbird_engine.kernel.playout import Playout, play_out
from railbird_engine.rules.ready_set_bet.events import (
    AnnouncerNamed,
    ExoticRevealed,
    PropsRevealed,
    RacePrepared,
    VipDealt,
)
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.settlement import Bet
from railbird_engine.rules.ready_set_bet.view import ReadySetBetView
from tests.rules.ready_set_bet.scene import (
    RULES,
    SEVEN_WINS,
    Scene,
    plain,
    running,
)


def seen(scene: Scene, seat: int | None = None) -> ReadySetBetView:
    return RULES.view(scene.state, None if seat is None else Seat(seat))


def test_settled_bets_stay_on_the_board_with_outcome_and_payout() -> None:
    scene = running(2)
    scene.bet(0, "win:7:r", 5)
    scene.bet(1, "win:4:r", 2)
    assert seen(scene).bets == (Bet(1, Seat(0), "win:7:r", 5), Bet(2, Seat(1), "win:4:r", 2))
    scene.roll(*SEVEN_WINS)
    assert seen(scene).bets == (
        Bet(1, Seat(0), "win:7:r", 5, outcome="won", payout=15),
        Bet(2, Seat(1), "win:4:r", 2, outcome="lost", payout=0),
    )


def test_open_bets_show_no_outcome() -> None:
    scene = running(2)
    scene.bet(0, "win:7:r", 5)
    assert b"outcome" not in msgspec.json.encode(seen(scene).bets)


def test_the_board_is_cleared_when_the_next_race_is_prepared_and_not_before() -> None:
    """Ruling 4.42."""
    scene = running(2, plain(vip=True, props=True, exotics=True), [0, 0, 0, 0, 0, 1])
    scene.bet(0, "win:7:r", 5)
    scene.roll(*SEVEN_WINS)
    after_finish = seen(scene)
    assert (after_finish.race, len(after_finish.bets)) == (1, 1)
    assert after_finish.podium is not None and after_finish.positions[4] == 15
    ahead = {prop.card for prop in after_finish.props if prop.front == "7"}
    assert set(after_finish.came_true) == {*ahead, "E2"}, "the second horse is far behind"
    events = scene.tick(*[0] * 10)
    assert [type(event) for event in events] == [
        RacePrepared,
        PropsRevealed,
        ExoticRevealed,
        VipDealt,
        VipDealt,
    ]
    draft = seen(scene)
    assert (draft.phase, draft.race, draft.bets, draft.podium) == ("draft", 2, (), None)
    assert draft.positions == (0,) * 9
    assert draft.tokens == ((2, 3, 3, 4, 5),) * 2
    assert {getattr(event, "race", None) for event in events} == {2}


class Follower:
    """A client that keeps its own board from events alone."""

    def __init__(self) -> None:
        self.race = 0
        self.bets: dict[int, Bet] = {}
        self.props: tuple[object, ...] = ()
        self.exotics: tuple[object, ...] = ()
        self.announcer: Seat | None = None

    def hear(self, event: Event) -> None:
        match event:
            case RacePrepared():
                self.race, self.bets = event.race, {}
            case PropsRevealed():
                self.props = event.props
            case ExoticRevealed():
                self.exotics += (event.exotic,)
            case AnnouncerNamed():
                self.announcer = event.seat
            case BetPlaced():
                self.bets[event.bet] = Bet(event.bet, event.seat, event.spot, event.stake)
            case BetSettled():
                bet = Bet(event.bet, event.seat, event.spot, self.bets[event.bet].token)
                self.bets[event.bet] = msgspec.structs.replace(
                    bet, outcome=event.outcome, payout=event.payout
                )


def test_a_client_that_follows_events_always_has_the_board_of_the_view() -> None:
    options = ReadySetBetOptions(mode="rotating_announcer", races=3)
    playout = play_out(RULES, 4, options, b"one story")
    follower = Follower()
    again = Playout(RULES, 4, options, b"one story")
    for number, commit in enumerate(playout.commits):
        if number and commit.command is None:
            again.tick()
        elif number and commit.seat is not None:
            again.act(commit.seat, commit.command)
        for event in commit.events:
            follower.hear(event)
        view = RULES.view(again.state, None)  # type: ignore[arg-type]  # a state of these rules
        received = tuple(msgspec.structs.replace(bet, bonus=None) for bet in view.bets)
        assert (view.race, received) == (follower.race, tuple(follower.bets.values()))
        assert (view.props, view.exotics) == (follower.props, follower.exotics)
        assert view.announcer == follower.announcer
