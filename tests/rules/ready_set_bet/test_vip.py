"""VIP cards and bonus tokens: rulebook, "Cartes VIP" and "Jetons Pari Bonus"; effects as the README
tells them."""

from datetime import timedelta

import msgspec
import pytest

from railbird_engine import BANK, Seat, seat_purse
from railbird_engine.rules.ready_set_bet.commands import KeepVip, PlaceBet
from railbird_engine.rules.ready_set_bet.data.cards import BonusToken
from railbird_engine.rules.ready_set_bet.data.decks import BOX
from railbird_engine.rules.ready_set_bet.events import (
    BonusTokenUsed,
    MoneySettled,
    RacePrepared,
    VipChosen,
    VipDealt,
    VipKept,
    VipPaid,
)
from railbird_engine.rules.ready_set_bet.settlement import _both_won
from tests.rules.ready_set_bet.scene import (
    RULES,
    SEVEN_WINS,
    THREE_CROSS,
    Scene,
    plain,
    refusal,
    running,
)

VIP = plain(vip=True)
ONE_RACE = plain(vip=True, races=1)


def drafting(seats: int = 2, draws: list[int] | None = None) -> Scene:
    """A table after its first race; each seat was dealt two cards, the first ones left unless
    `draws` say otherwise."""
    scene = running(seats, VIP)
    scene.roll(*SEVEN_WINS)
    scene.tick(*(draws or [0] * 2 * seats))
    return scene


def owning(*cards: str) -> Scene:
    """A running race of two; seat 0 keeps these cards."""
    scene = running(2, ONE_RACE)
    scene.give(0, *cards)
    return scene


# The draft


def test_after_a_race_everyone_is_dealt_two_cards_face_down() -> None:
    """Rulebook, "Cartes VIP"."""
    scene = drafting(2, [31, 0, 0, 0])
    assert scene.state.phase == "draft"
    prepared, *dealt = scene.events
    assert prepared == RacePrepared(race=2)
    assert all(isinstance(event, VipDealt) for event in dealt)
    assert [
        (event.seat, [card.card for card in event.cards], event.only)
        for event in dealt
        if isinstance(event, VipDealt)
    ] == [
        (0, ["V32", "V01"], (0,)),
        (1, ["V02", "V03"], (1,)),
    ]


def test_a_hand_is_seen_by_its_owner_only() -> None:
    """Ruling 4.29."""
    scene = drafting()
    mine, theirs, public = scene.vip(0), scene.vip(1), scene.vip()
    assert [card.card for card in mine.hand or ()] == ["V01", "V02"]
    assert [card.card for card in theirs.hand or ()] == ["V03", "V04"]
    assert (public.hand, public.chosen, public.choosing) == (None, None, (0, 1))


def test_a_choice_is_secret_until_all_have_chosen() -> None:
    """Ruling 4.29."""
    scene = drafting()
    assert scene.ask(1, KeepVip("V04")) == (VipChosen(race=2, seat=Seat(1)),)
    assert scene.vip(1).chosen == "V04"
    assert scene.vip(0).chosen is None
    assert scene.vip().choosing == (0,)
    events = scene.ask(0, KeepVip("V01"))
    assert events == (
        VipChosen(race=2, seat=Seat(0)),
        VipKept(race=2, seat=Seat(0), card=BOX.vip["V01"], by_default=False),
        VipKept(race=2, seat=Seat(1), card=BOX.vip["V04"], by_default=False),
    )
    assert [[card.card for card in kept] for kept in scene.vip().kept] == [["V01"], ["V04"]]


def test_a_seat_that_does_not_choose_in_time_keeps_the_card_dealt_first() -> None:
    scene = drafting()
    scene.ask(1, KeepVip("V04"))
    kept = [event for event in scene.tick() if isinstance(event, VipKept)]
    assert [(event.card.card, event.by_default) for event in kept] == [
        ("V01", True),
        ("V04", False),
    ]


def test_a_draft_lasts_half_a_minute() -> None:
    alarm = RULES.alarm(drafting().state)
    assert alarm is not None and alarm.after == timedelta(seconds=30)


def test_choices_that_are_refused() -> None:
    scene = running(2, VIP)
    assert refusal(scene, 0, KeepVip("V01"))[0] == "no_draft"
    scene = drafting()
    assert refusal(scene, 0, KeepVip("V03"))[0] == "not_in_your_hand"
    assert refusal(scene, 0, PlaceBet("win:7:r", 2))[0] == "race_not_running"
    scene.ask(0, KeepVip("V02"))
    assert refusal(scene, 0, KeepVip("V01"))[0] == "already_chosen"


def test_there_is_no_draft_after_the_last_race() -> None:
    """Ruling 4.38."""
    scene = running(2, ONE_RACE)
    scene.roll(*SEVEN_WINS)
    assert scene.state.phase == "over"


def test_eight_players_empty_the_deck_and_the_discards_are_dealt_again() -> None:
    """Ruling 4.30: 16 + 16 cards, and the third draft deals the 16 discarded; kept cards never
    return."""
    scene = running(8, VIP)
    for race in (1, 2, 3):
        scene.roll(*SEVEN_WINS)
        scene.tick(*[0] * 16)
        vip = scene.state.vip
        assert vip is not None
        dealt = {card for hand in vip.hands for card in hand}
        kept = {card for cards in vip.kept for card in cards}
        assert (len(dealt), len(kept), len(vip.deck)) == (16, 8 * (race - 1), [16, 0, 0][race - 1])
        assert not dealt & kept
        scene.tick()
        scene.tick()
    assert [len(cards) for cards in scene.vip().kept] == [3] * 8


def test_a_deck_that_runs_out_during_a_deal_is_refilled_from_the_discards() -> None:
    """Ruling 4.30."""
    scene = running(2, VIP)
    vip = scene.state.vip
    assert vip is not None
    vip.deck, vip.discards = ("V05",), ("V09", "V07", "V08")
    scene.roll(*SEVEN_WINS)
    scene.tick(0, 2, 0, 0)
    assert scene.state.vip is not None
    assert scene.state.vip.hands == (("V05", "V09"), ("V07", "V08"))


# Free chips


def test_free_chips_are_paid_once_when_all_have_chosen() -> None:
    """Rulebook, "Jetons offerts"; ruling 4.28."""
    scene = drafting(2, [12, 0, 0, 0])
    scene.ask(0, KeepVip("V13"))
    assert scene.money() == [0, 0]
    events = scene.ask(1, KeepVip("V02"))
    assert VipPaid(race=2, seat=Seat(0), card="V13", amount=8, money=8) in events
    scene.tick()
    scene.roll(*SEVEN_WINS)
    assert scene.money() == [8, 0]
    assert [card.card for card in scene.vip().kept[0]] == ["V13"]


# Dice income


def test_a_double_pays_at_once_and_cards_add_up() -> None:
    """Ruling 4.27: V17 at double 1, V19 and V20 at both doubles."""
    scene = owning("V17", "V19", "V20")
    scene.roll(2)
    assert [
        (event.card, event.amount, event.money)
        for event in scene.events
        if isinstance(event, VipPaid)
    ] == [
        ("V17", 2, 2),
        ("V19", 1, 3),
        ("V20", 1, 4),
    ]
    scene.roll(3, 11, 8, 12)
    assert scene.money() == [6, 0]


def test_a_double_pays_after_the_closing_and_at_the_finish() -> None:
    """Ruling 4.27: whether betting is open or closed, finishing roll included; and the money can
    pay losses."""
    scene = owning("V18")
    scene.bet(0, "show:2/3:r", 5)  # lost: 3
    scene.roll(*THREE_CROSS)
    scene.roll(12)
    assert (scene.state.phase, scene.money()) == ("closed", [2, 0])
    while scene.state.phase == "closed":
        scene.roll(12)
    assert isinstance(scene.events[1], VipPaid)
    assert scene.money() == [2 * (1 + 5) - 3, 0]


# Bonus tokens


def test_a_bonus_token_is_one_more_token() -> None:
    """Rulebook, "Jetons Pari Bonus"."""
    scene = owning("V07")
    assert PlaceBet("win:7:r", 5, "black") in list(RULES.legal(scene.state, Seat(0)))
    placed = scene.bet(0, "win:7:r", 5, "black")
    assert placed[1] == BonusTokenUsed(bet=1, colour="black")
    assert scene.state.tokens[0] == (2, 3, 3, 4, 5)
    assert refusal(scene, 0, PlaceBet("win:7:m", 5, "black"))[0] == "no_such_bonus_token"
    assert refusal(scene, 0, PlaceBet("win:7:m", 5, "white"))[0] == "no_such_bonus_token"
    assert refusal(scene, 1, PlaceBet("win:7:m", 5, "black"))[0] == "no_such_bonus_token"
    scene.bet(0, "win:7:m", 5)


def test_everyone_sees_whose_bonus_tokens_are_still_in_hand() -> None:
    scene = owning("V07", "V02")
    tokens = scene.vip().bonus_tokens
    assert [[(token.colour, token.value) for token in mine] for mine in tokens] == [
        [("black", 5), ("white", 2)],
        [],
    ]
    scene.bet(0, "win:7:r", 5, "black")
    assert [len(mine) for mine in scene.vip().bonus_tokens] == [1, 0]


def test_a_lost_bonus_token_costs_the_spot_and_its_own_loss() -> None:
    """A bonus 7 of loss 5, lost on win L of 7 costs 4 + 5; win L is closed to two players, so win
    M: 3 + 5."""
    scene = running(5, ONE_RACE)
    scene.give(0, "V11")
    scene.give(1, "V17")
    scene.state.purses.update({seat_purse(0): 20, BANK: -20})
    scene.bet(0, "win:7:l", 7, "black")
    scene.roll(*(6,) * 10)
    assert scene.money()[0] == 20 - 9


def test_a_two_that_cancels_the_spots_loss_costs_nothing() -> None:
    """Ruling 4.32: bonus 2 lost on place L of 7 costs 0."""
    scene = running(5, ONE_RACE)
    scene.give(0, "V01")
    scene.state.purses.update({seat_purse(0): 20, BANK: -20})
    scene.bet(0, "place:7:l", 2, "black")
    scene.roll(8, *(6,) * 10)
    assert scene.money()[0] == 20


def test_a_bonus_token_gains_its_value_times_the_multiplier() -> None:
    scene = owning("V11")
    scene.bet(0, "win:7:r", 7, "black")
    scene.roll(*SEVEN_WINS)
    assert scene.money() == [21, 0]


def test_the_box_holds_twelve_bonus_tokens_each_named_by_one_card() -> None:
    """Rulebook, "Matériel": twelve; ruling 4.31: nobody can own the same token as somebody else."""
    tokens = [card.effect for card in BOX.vip.values() if isinstance(card.effect, BonusToken)]
    assert len(tokens) == len(BOX.bonus_tokens) == 12
    assert {(token.value, token.loss, token.cancels_spot_loss) for token in tokens} == {
        (7, 5, False),
        (6, 3, False),
        (5, 2, False),
        (4, 1, False),
        (3, 0, False),
        (2, 0, True),
    }


# Overlay


def test_an_overlay_joins_one_token_of_another_player() -> None:
    """README, "Decks"."""
    scene = running(3, ONE_RACE)
    scene.give(0, "V24", "V07")
    scene.give(2, "V24")
    scene.bet(1, "win:7:r", 2)
    assert refusal(scene, 0, PlaceBet("win:7:r", 4))[0] == "spot_taken"
    assert PlaceBet("win:7:r", 5) in list(RULES.legal(scene.state, Seat(0)))
    scene.bet(0, "win:7:r", 5)
    assert refusal(scene, 2, PlaceBet("win:7:r", 5))[0] == "spot_taken"
    assert refusal(scene, 0, PlaceBet("win:7:r", 5, "black"))[0] == "spot_taken"
    scene.roll(*SEVEN_WINS)
    assert scene.money() == [15, 6, 0]


def test_an_overlay_never_joins_an_own_token() -> None:
    scene = owning("V24")
    scene.bet(0, "win:7:r", 2)
    assert refusal(scene, 0, PlaceBet("win:7:r", 5))[0] == "spot_taken"


def test_overlays_and_late_bets_work_with_bonus_tokens_too() -> None:
    """Ruling 4.33."""
    scene = owning("V24", "V07")
    scene.bet(1, "win:7:r", 2)
    scene.bet(0, "win:7:r", 5, "black")
    scene = owning("V27", "V05")
    scene.roll(*THREE_CROSS)
    scene.bet(0, "win:7:r", 4, "black")


def test_an_overlay_still_puts_one_token_on_an_exotic() -> None:
    """README, "Decks"."""
    scene = running(2, plain(vip=True, exotics=True))
    scene.give(0, "V24")
    scene.bet(1, "exotic:E1:l", 2)
    scene.bet(0, "exotic:E1:m", 2)
    assert refusal(scene, 0, PlaceBet("exotic:E1:l", 5))[0] == "one_token_per_exotic"


# Late bets


def test_a_late_bet_is_taken_after_the_closing_but_not_after_the_finish() -> None:
    """Rulebook, "Cartes VIP": the card beats the rule. Ruling 4.3: the finish beats the card."""
    scene = owning("V26")
    scene.roll(*THREE_CROSS)
    assert refusal(scene, 0, PlaceBet("win:7:r", 5))[0] == "betting_closed"
    assert refusal(scene, 1, PlaceBet("win:7:r", 3))[0] == "betting_closed"
    assert {
        command.token
        for command in RULES.legal(scene.state, Seat(0))
        if isinstance(command, PlaceBet)
    } == {3}
    scene.bet(0, "win:5:r", 3)
    scene.roll(5, 5)
    assert scene.money() == [15, 0]
    assert refusal(scene, 0, PlaceBet("win:7:r", 3))[0] == "game_over"


# Twin bets


@pytest.mark.parametrize(
    ("bets", "gained"),
    [
        ((("win:7:r", 4), ("win:7:m", 5)), 12 + 15 + 11),
        ((("win:7:r", 4), ("win:6:m", 5)), 12),
        ((("win:7:r", 5), ("win:7:m", 3), ("place:7:r", 3)), 15 + 9 + 6),
    ],
)
def test_twin_bets_pay_when_both_tokens_win(bets: tuple[tuple[str, int], ...], gained: int) -> None:
    """Card V30."""
    scene = owning("V30")
    for spot, token in bets:
        scene.bet(0, spot, token)
    scene.roll(*SEVEN_WINS)
    settled = [event for event in scene.events if isinstance(event, MoneySettled)]
    assert settled[0].gained == gained


def test_a_bonus_token_makes_a_twin() -> None:
    """Rulebook, "Paris jumelés"."""
    scene = owning("V30", "V05")
    scene.bet(0, "win:7:r", 4, "black")
    scene.bet(0, "win:7:m", 5)
    scene.roll(*SEVEN_WINS)
    assert VipPaid(race=1, seat=Seat(0), card="V30", amount=11, money=12 + 15 + 11) in scene.events


def test_a_view_has_the_money_that_cards_paid_in_this_race() -> None:
    """Doubles and twins together, until the next race is prepared."""
    scene = running(2, VIP)
    scene.give(0, "V17", "V30")
    scene.roll(2)
    scene.bet(0, "win:7:r", 4)
    scene.bet(0, "win:7:m", 5)
    scene.roll(*SEVEN_WINS)
    bets = sum(bet.payout or 0 for bet in RULES.view(scene.state, None).bets)
    assert scene.vip().paid == (2 + 11, 0)
    assert scene.money() == [bets + 2 + 11, 0]
    scene.tick(0, 0, 0, 0)
    scene.tick()
    assert (scene.state.race, scene.vip().paid) == (2, (0, 0))


def test_a_twin_of_equal_tokens_needs_two_of_them() -> None:
    """At least one other bet. A deck of a host may say so."""
    assert not _both_won((3, 3), [3, 4])
    assert _both_won((3, 3), [3, 4, 3])


# Insurance and prop specialist


def test_insured_bets_lose_nothing() -> None:
    """Card V31: spot and bonus token."""
    scene = owning("V31", "V11")
    scene.bet(0, "win:7:r", 5)  # won: 15
    scene.bet(0, "place:8:r", 2)  # would cost 4
    scene.bet(0, "win:6:r", 7, "black")  # would cost 5
    scene.roll(9, 9, *SEVEN_WINS)
    assert scene.money() == [15, 0]


def test_a_prop_specialist_multiplies_won_props_by_two_more() -> None:
    """Card V32: P25 pays 2x, P28 too; nothing but props."""
    scene = running(2, plain(vip=True, props=True, races=1), [24, 26, 0, 0, 0])
    scene.give(0, "V32")
    scene.bet(0, "prop:P25", 5)
    scene.bet(1, "prop:P28", 5)
    scene.bet(0, "win:7:r", 2)
    scene.roll(*SEVEN_WINS)
    assert scene.money() == [5 * 4 + 2 * 3, 5 * 2]


def test_the_deck_of_the_box_has_the_effects_of_the_digest() -> None:
    """README, "Decks"."""
    effects = [msgspec.to_builtins(card.effect)["type"] for card in BOX.vip.values()]
    assert {effect: effects.count(effect) for effect in effects} == {
        "bonus_token": 12,
        "free_chips": 4,
        "dice_income": 4,
        "overlay": 4,
        "late_bet": 3,
        "twin": 3,
        "insurance": 1,
        "prop_boost": 1,
    }
