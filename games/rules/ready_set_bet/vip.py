"""VIP cards: the draft after a race, and what kept cards allow and pay. Rulebook, "Cartes VIP"."""

from games.engine import BANK, RuleViolation, Seat, seat_purse
from games.rules.ready_set_bet.box import Box
from games.rules.ready_set_bet.cards import BonusToken, DiceIncome, FreeChips, VipCard
from games.rules.ready_set_bet.data import VIP_DEALT
from games.rules.ready_set_bet.messages import KeepVip, VipChosen, VipDealt, VipKept, VipPaid
from games.rules.ready_set_bet.perks import NO_PERKS, Perks, perks_of
from games.rules.ready_set_bet.table import ReadySetBetState, Table, VipTable, drafters, players


def awake_cards(state: ReadySetBetState, box: Box, seat: Seat) -> list[VipCard]:
    """The kept cards of a seat that work in this race. Rulebook, "Changement de speaker": an announcer's sleep."""
    if state.vip is None or seat == state.announcer:
        return []
    return [box.vip[card] for card in state.vip.kept[seat]]


def perks_in_race(state: ReadySetBetState, box: Box, seat: Seat) -> Perks:
    """What this seat's cards allow in this race."""
    return perks_of(awake_cards(state, box, seat)) if state.vip else NO_PERKS


def bonus_tokens_left(state: ReadySetBetState, perks: Perks, seat: Seat) -> list[BonusToken]:
    """The bonus tokens that a seat with these perks has not placed yet."""
    if not perks.tokens:
        return []
    placed = [(bet.bonus, bet.token) for bet in state.bets if bet.seat == seat]
    return [token for token in perks.tokens if (token.colour, token.value) not in placed]


# The draft


def deal_vip(turn: Table, box: Box) -> None:
    """Two cards for everyone who drafts, face down. Ruling 4.29: all look and choose at once."""
    state = turn.state
    assert state.vip is not None
    state.phase = "draft"
    for seat in drafters(state):
        hand = [_draw(turn, state.vip) for _ in range(VIP_DEALT)]
        state.vip.hands[seat] = hand
        turn.emit(VipDealt(race=state.race, seat=seat, cards=tuple(box.vip[card] for card in hand), only=(seat,)))


def _draw(turn: Table, vip: VipTable) -> str:
    """Ruling 4.30: an empty deck takes the discards back, even in mid-deal. Kept cards never return."""
    if not vip.deck:
        vip.deck, vip.discards = sorted(vip.discards), []
    return turn.chance.take(vip.deck)


def keep_vip(turn: Table, seat: Seat, command: KeepVip) -> None:
    """A seat makes its choice; nobody else learns which."""
    state = turn.state
    if state.vip is None or state.phase != "draft":
        raise RuleViolation("no_draft", race=state.race, phase=state.phase)
    hand, chosen = state.vip.hands[seat], state.vip.chosen[seat]
    if chosen is not None:
        raise RuleViolation("already_chosen", card=chosen)
    if command.card not in hand:
        raise RuleViolation("not_in_your_hand", card=command.card, hand=hand)
    state.vip.chosen[seat] = command.card
    turn.emit(VipChosen(race=state.race, seat=seat))


def still_choosing(state: ReadySetBetState) -> list[Seat]:
    """Who has not chosen yet."""
    if state.vip is None:
        return []
    return [seat for seat in drafters(state) if state.vip.hands[seat] and state.vip.chosen[seat] is None]


def reveal_vip(turn: Table, box: Box) -> None:
    """Everyone shows the card they keep; who did not choose keeps the one dealt first.

    Rulings 4.28 and 4.29: all at once, and free chips are paid now, to an announcer as well.
    """
    state = turn.state
    vip = state.vip
    assert vip is not None
    for seat in drafters(state):
        hand, chosen = vip.hands[seat], vip.chosen[seat]
        kept = chosen or hand[0]
        vip.kept[seat].append(kept)
        vip.discards += [card for card in hand if card != kept]
        vip.hands[seat], vip.chosen[seat] = [], None
        turn.emit(VipKept(race=state.race, seat=seat, card=box.vip[kept], by_default=chosen is None))
    for seat in drafters(state):
        card = box.vip[vip.kept[seat][-1]]
        if isinstance(card.effect, FreeChips):
            pay_vip(turn, seat, card.card, card.effect.amount)


# What cards pay


def pay_dice_income(turn: Table, box: Box, double: int) -> None:
    """Rulebook, "Le speaker": some cards pay at a double 1 or a double 6. Ruling 4.27: at once."""
    name = f"double_{double}"
    for seat in players(turn.state):
        for card in awake_cards(turn.state, box, seat):
            if isinstance(card.effect, DiceIncome) and name in card.effect.on:
                pay_vip(turn, seat, card.card, card.effect.amount)


def pay_vip(turn: Table, seat: Seat, card: str, amount: int) -> None:
    """The bank pays what a card promises."""
    purse = seat_purse(seat)
    turn.pay(BANK, purse, amount, "vip")
    turn.emit(VipPaid(race=turn.state.race, seat=seat, card=card, amount=amount, money=turn.state.purses[purse]))
