"""The announcer who may change with each race: rulebook, "Changement de speaker"."""

from datetime import timedelta

from railbird_engine import Seat
from railbird_engine.rules.ready_set_bet.commands import AnswerOffer, PlaceBet
from railbird_engine.rules.ready_set_bet.data import ANNOUNCER_TOKENS, COMPENSATION
from railbird_engine.rules.ready_set_bet.events import (
    AnnouncerAsked,
    AnnouncerNamed,
    AnnouncerPaid,
    OfferAnswered,
    RacePrepared,
    VipKept,
    VipPaid,
)
from tests.rules.ready_set_bet.scene import RULES, SEVEN_WINS, Scene, place_all, plain, refusal


def rotating(seats: int = 4, first: int = 0, **options: object) -> Scene:
    """A game whose first announcer is this seat."""
    return Scene(seats, plain(mode="rotating_announcer", auto_roll=True, **options), [first])


def wake(scene: Scene) -> None:
    """Let every seat have acted since its last missed decision."""
    scene.state.missed = (0,) * scene.state.seats


def to_the_offer(scene: Scene) -> None:
    scene.tick()
    scene.roll(*SEVEN_WINS)
    scene.tick()


def test_chance_names_the_first_announcer() -> None:
    """Rulebook, "Changement de speaker"."""
    assert rotating(first=2).events == (
        RacePrepared(race=1),
        AnnouncerNamed(race=1, seat=Seat(2), volunteered=False),
    )


def test_a_rotating_announcer_bets_with_six_tokens_but_starts_with_nothing() -> None:
    """Ruling 4.15."""
    scene = rotating(first=2)
    assert scene.money() == [0, 0, 0, 0]
    assert scene.state.tokens[2] == ANNOUNCER_TOKENS
    place_all(scene, 2)


def test_an_announcer_may_stay() -> None:
    """Ruling 4.39: asked first."""
    scene = rotating(first=2)
    to_the_offer(scene)
    assert scene.events == (RacePrepared(race=2), AnnouncerAsked(race=2, seat=Seat(2)))
    assert RULES.view(scene.state, None).asked == 2
    assert refusal(scene, 3, AnswerOffer(accept=True)) == ("not_your_offer", {"asked": 2})
    assert scene.ask(2, AnswerOffer(accept=True)) == (
        OfferAnswered(race=2, seat=Seat(2), accept=True, by_default=False),
        AnnouncerNamed(race=2, seat=Seat(2), volunteered=True),
    )


def test_the_offer_goes_clockwise_from_the_left_neighbour() -> None:
    """Rulebook, "Changement de speaker"; ruling 4.39."""
    scene = rotating(first=2)
    to_the_offer(scene)
    asked = []
    for seat in (2, 3, 0):
        scene.ask(seat, AnswerOffer(accept=False))
        asked.append(scene.state.asked)
    assert asked == [3, 0, 1]
    scene.ask(1, AnswerOffer(accept=True))
    assert (scene.state.announcer, scene.state.tokens[1], scene.state.tokens[2]) == (
        1,
        ANNOUNCER_TOKENS,
        (2, 3, 3, 4, 5),
    )


def test_if_all_decline_the_left_neighbour_announces() -> None:
    """Rulebook, "Changement de speaker"; a seat that does not answer in time declines."""
    scene = rotating(first=2)
    to_the_offer(scene)
    for _ in range(3):
        scene.tick()
    assert scene.tick() == (
        OfferAnswered(race=2, seat=Seat(1), accept=False, by_default=True),
        AnnouncerNamed(race=2, seat=Seat(3), volunteered=False),
    )


def test_a_seat_that_missed_two_decisions_is_not_asked_before_it_acts() -> None:
    """Ruling 4.43."""
    scene = rotating(first=2)
    scene.state.missed = (2, 1, 0, 2)
    to_the_offer(scene)
    scene.ask(2, AnswerOffer(accept=False))
    assert scene.events[1:3] == (
        OfferAnswered(race=2, seat=Seat(3), accept=False, by_default=True),
        OfferAnswered(race=2, seat=Seat(0), accept=False, by_default=True),
    )
    assert scene.state.asked == 1


def test_the_bank_compensates_an_announcer_by_the_number_of_the_race() -> None:
    """Rulebook, "Changement de speaker": 3, 6 and 9 before races 2, 3 and 4; rulings 4.18 and
    4.39."""
    scene = rotating(2, vip=True)
    paid = []
    for _ in range(3):
        scene.tick()
        scene.roll(*SEVEN_WINS)
        scene.tick(16, 16, 16, 16)
        wake(scene)
        scene.tick()
        events = scene.ask(0, AnswerOffer(accept=True))
        paid += [event.amount for event in events if isinstance(event, AnnouncerPaid)]
    assert (COMPENSATION[0], *paid) == COMPENSATION == (0, 3, 6, 9)


def test_without_vip_cards_there_is_no_compensation() -> None:
    """Ruling 4.17."""
    scene = rotating(2)
    to_the_offer(scene)
    scene.ask(0, AnswerOffer(accept=True))
    assert scene.money() == [0, 0]


def test_an_announcers_vip_cards_have_no_effect() -> None:
    """Rulebook, "Changement de speaker": no bonus token, no income; and they wake up again."""
    scene = rotating(2, vip=True)
    scene.give(0, "V17", "V07")
    scene.give(1, "V17", "V09")
    assert refusal(scene, 0, PlaceBet("win:7:r", 5, "black"))[0] == "no_such_bonus_token"
    assert [len(tokens) for tokens in scene.vip().bonus_tokens] == [0, 1]
    scene.tick()
    events = scene.roll(2)
    assert [(event.seat, event.amount) for event in events if isinstance(event, VipPaid)] == [
        (1, 2)
    ]
    scene.roll(*SEVEN_WINS)
    scene.tick(0, 0, 0, 0)
    wake(scene)
    scene.tick()
    scene.ask(0, AnswerOffer(accept=False))
    scene.ask(1, AnswerOffer(accept=True))
    assert [len(tokens) for tokens in scene.vip().bonus_tokens] == [2, 0]


def test_an_announcer_drafts_like_the_others_and_free_chips_pay_at_once() -> None:
    """Rulebook, "Changement de speaker"; rulings 4.28 and 4.40."""
    scene = rotating(2, vip=True)
    scene.tick()
    scene.roll(*SEVEN_WINS)
    scene.tick(12, 0, 0, 0)
    assert scene.vip().choosing == (0, 1)
    events = scene.tick()
    assert [event.seat for event in events if isinstance(event, VipKept)] == [0, 1]
    assert VipPaid(race=2, seat=Seat(0), card="V13", amount=8, money=8) in events


def test_the_offer_follows_the_draft() -> None:
    """Ruling 4.39: after the draft, before the compensation and the tokens of the next race."""
    scene = rotating(2, vip=True)
    scene.tick()
    scene.roll(*SEVEN_WINS)
    scene.tick(0, 0, 0, 0)
    assert scene.vip().choosing == (0, 1)
    wake(scene)
    scene.tick()
    assert scene.state.asked == 0
    alarm = RULES.alarm(scene.state)
    assert alarm is not None and alarm.after == timedelta(seconds=30)
