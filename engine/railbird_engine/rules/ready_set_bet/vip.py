"""VIP cards: the draft between races, and the effects of kept cards. Rulebook, "Cartes VIP"."""

from collections.abc import Collection
from functools import lru_cache

from railbird_engine import BANK, RuleViolation, Seat, seat_purse
from railbird_engine.rules.ready_set_bet.commands import KeepVip
from railbird_engine.rules.ready_set_bet.data import VIP_DEALT, TokenColour
from railbird_engine.rules.ready_set_bet.data.cards import (
    BonusToken,
    DiceIncome,
    FreeChips,
    VipCard,
)
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.events import VipChosen, VipDealt, VipKept, VipPaid
from railbird_engine.rules.ready_set_bet.settlement import Bet
from railbird_engine.rules.ready_set_bet.state import (
    RaceTurn,
    ReadySetBetState,
    VipState,
    drafters,
    players,
    with_item,
)
from railbird_engine.rules.ready_set_bet.vip_effects import NO_EFFECTS, VipEffects, effects_of

PlacedBonus = tuple[Seat, TokenColour, int]
"""A bet with a bonus token: its seat, colour and value."""


@lru_cache(maxsize=1024)
def vip_cards(box: Box, names: tuple[str, ...]) -> tuple[VipCard, ...]:
    """The cards with these names."""
    return tuple(box.vip[name] for name in names)


@lru_cache(maxsize=1024)
def _effects_of(box: Box, names: tuple[str, ...]) -> VipEffects:
    return effects_of(vip_cards(box, names))


def _usable_cards(state: ReadySetBetState, seat: Seat) -> tuple[str, ...]:
    """The kept cards of a seat that have an effect in this race. Rulebook, "Changement de speaker":
    an announcer cannot use VIP cards."""
    return () if state.vip is None or seat == state.announcer else state.vip.kept[seat]


def effects_in_race(state: ReadySetBetState, box: Box, seat: Seat) -> VipEffects:
    """Return the effects of this seat's cards in this race."""
    return _effects_of(box, _usable_cards(state, seat)) if state.vip else NO_EFFECTS


def bonus_tokens_left(state: ReadySetBetState, box: Box, seat: Seat) -> tuple[BonusToken, ...]:
    """The bonus tokens that a seat may still place in this race."""
    tokens = effects_in_race(state, box, seat).tokens
    if not tokens:
        return ()
    return _not_placed(tokens, seat, placed_bonuses(state.bets))


@lru_cache(maxsize=256)
def placed_bonuses(bets: tuple[Bet, ...]) -> tuple[PlacedBonus, ...]:
    """The bets with bonus tokens."""
    return tuple([(bet.seat, bet.bonus, bet.token) for bet in bets if bet.bonus])


def bonus_tokens_of_all(
    box: Box,
    kept: tuple[tuple[str, ...], ...],
    announcer: Seat | None,
    placed: Collection[PlacedBonus],
) -> tuple[tuple[BonusToken, ...], ...]:
    """By seat, the bonus tokens that may still be placed in this race; an announcer has none."""
    return tuple(
        () if seat == announcer else _not_placed(_effects_of(box, names).tokens, Seat(seat), placed)
        for seat, names in enumerate(kept)
    )


def _not_placed(
    tokens: tuple[BonusToken, ...], seat: Seat, placed: Collection[PlacedBonus]
) -> tuple[BonusToken, ...]:
    return tuple([token for token in tokens if (seat, token.colour, token.value) not in placed])


# The draft


def deal_vip(turn: RaceTurn, box: Box) -> None:
    """Deal two cards, face down, to each seat that drafts. Ruling 4.29: all choose at once."""
    state = turn.state
    assert state.vip is not None
    state.phase = "draft"
    for seat in drafters(state):
        hand = tuple([_draw(turn, state.vip) for _ in range(VIP_DEALT)])
        state.vip.hands = with_item(state.vip.hands, seat, hand)
        turn.emit(VipDealt(race=state.race, seat=seat, cards=vip_cards(box, hand), only=(seat,)))


def _draw(turn: RaceTurn, vip: VipState) -> str:
    """Draw one card. Ruling 4.30: the discards refill an empty deck, even in the middle of a deal;
    kept cards never return."""
    deck = list(vip.deck)
    if not deck:
        deck, vip.discards = sorted(vip.discards), ()
    card = turn.chance.take(deck)
    vip.deck = tuple(deck)
    return card


def keep_vip(turn: RaceTurn, seat: Seat, command: KeepVip) -> None:
    """Record a seat's secret choice."""
    state = turn.state
    if state.vip is None or state.phase != "draft":
        raise RuleViolation("no_draft", race=state.race, phase=state.phase)
    hand, chosen = state.vip.hands[seat], state.vip.chosen[seat]
    if chosen is not None:
        raise RuleViolation("already_chosen", card=chosen)
    if command.card not in hand:
        raise RuleViolation("not_in_your_hand", card=command.card, hand=list(hand))
    state.vip.chosen = with_item(state.vip.chosen, seat, command.card)
    turn.emit(VipChosen(race=state.race, seat=seat))


def still_choosing(state: ReadySetBetState) -> list[Seat]:
    """The seats that have not chosen yet."""
    if state.vip is None or state.phase != "draft":
        return []
    return [
        seat for seat in drafters(state) if state.vip.hands[seat] and state.vip.chosen[seat] is None
    ]


def reveal_vip(turn: RaceTurn, box: Box) -> None:
    """Show the cards that all seats keep. A seat that did not choose keeps the card dealt first.

    Ruling 4.29: all cards are shown at once. Ruling 4.28: free chips are paid now, also to an
    announcer."""
    state = turn.state
    vip = state.vip
    assert vip is not None
    for seat in drafters(state):
        hand, chosen = vip.hands[seat], vip.chosen[seat]
        kept = chosen or hand[0]
        vip.kept = with_item(vip.kept, seat, (*vip.kept[seat], kept))
        vip.discards += tuple(card for card in hand if card != kept)
        vip.hands = with_item(vip.hands, seat, ())
        vip.chosen = with_item(vip.chosen, seat, None)
        turn.emit(
            VipKept(race=state.race, seat=seat, card=box.vip[kept], by_default=chosen is None)
        )
    for seat in drafters(state):
        card = box.vip[vip.kept[seat][-1]]
        if isinstance(card.effect, FreeChips):
            pay_vip(turn, seat, card.card, card.effect.amount)


# What cards pay


def pay_dice_income(turn: RaceTurn, box: Box, double: int) -> None:
    """Rulebook, "Le speaker": pay the cards that react to this double. Ruling 4.27: at once."""
    name = f"double_{double}"
    for seat in players(turn.state):
        for card in vip_cards(box, _usable_cards(turn.state, seat)):
            if isinstance(card.effect, DiceIncome) and name in card.effect.on:
                pay_vip(turn, seat, card.card, card.effect.amount)


def pay_vip(turn: RaceTurn, seat: Seat, card: str, amount: int) -> None:
    """Pay a seat from the bank for a VIP card."""
    purse, vip = seat_purse(seat), turn.state.vip
    assert vip is not None
    turn.pay(BANK, purse, amount, "vip")
    vip.paid = with_item(vip.paid, seat, vip.paid[seat] + amount)
    turn.emit(
        VipPaid(
            race=turn.state.race,
            seat=seat,
            card=card,
            amount=amount,
            money=turn.state.purses[purse],
        )
    )
