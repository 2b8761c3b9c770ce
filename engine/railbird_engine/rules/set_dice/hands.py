"""The dice of a hand: throw them, find the dice of a command, move them to the board."""

from collections.abc import Sequence

from railbird_engine import RuleViolation, Seat, Turn
from railbird_engine.rules.set_dice.commands import NamedDie, Placement
from railbird_engine.rules.set_dice.data import WILD
from railbird_engine.rules.set_dice.data.printed import Box
from railbird_engine.rules.set_dice.events import Cause, DiceThrown, SetDiceEvent, WildAnnounced
from railbird_engine.rules.set_dice.state import BoardDie, Die, SetDiceState


class SetDiceTurn:
    """The draft of a step, with the box that the game is played with."""

    def __init__(self, turn: Turn[SetDiceState, SetDiceEvent], box: Box) -> None:
        self.state = turn.state
        self.chance = turn.chance
        self.emit = turn.emit
        self.pay = turn.pay
        self.box = box


def throw(turn: SetDiceTurn, seat: Seat, numbers: Sequence[int], cause: Cause) -> None:
    """Throw these dice, one draw each. Dice that are not in the seat's hand yet join it."""
    thrown = [Die(number, turn.chance.pick(turn.box.dice[number])) for number in numbers]
    hand = {die.number: die for die in [*turn.state.hands[seat], *thrown]}
    turn.state.hands[seat] = list(hand.values())
    turn.emit(DiceThrown(seat=seat, dice=thrown, cause=cause))


def throw_all_again(turn: SetDiceTurn) -> None:
    """Throw all dice of every hand."""
    for seat, hand in enumerate(turn.state.hands):
        throw(turn, Seat(seat), [die.number for die in hand], "all_again")


def in_hand(state: SetDiceState, seat: Seat, number: int) -> Die:
    """The die of this number in the seat's hand. Raises RuleViolation `die_not_in_hand`."""
    for die in state.hands[seat]:
        if die.number == number:
            return die
    raise RuleViolation(
        "die_not_in_hand", die=number, hand=[die.number for die in state.hands[seat]]
    )


def all_in_hand(state: SetDiceState, seat: Seat, numbers: Sequence[int]) -> list[Die]:
    """The dice of these numbers in the seat's hand.

    Raises RuleViolation `no_dice_named`, `die_named_twice` or `die_not_in_hand`.
    """
    if not numbers:
        raise RuleViolation("no_dice_named")
    for index, number in enumerate(numbers):
        if number in numbers[:index]:
            raise RuleViolation("die_named_twice", die=number)
    return [in_hand(state, seat, number) for number in numbers]


def announced(
    state: SetDiceState, seat: Seat, named: Sequence[NamedDie | Placement]
) -> list[BoardDie]:
    """Return the named dice as they will be on the board.

    Rulebook, "Wild": its face is announced and stays. Raises RuleViolation `wild_needs_a_face`,
    `die_is_not_wild`, or as `all_in_hand`.
    """
    dice = all_in_hand(state, seat, [one.die for one in named])
    for one, die in zip(named, dice, strict=True):
        if die.shows == WILD and one.wild_as is None:
            raise RuleViolation("wild_needs_a_face", die=die.number)
        if die.shows != WILD and one.wild_as is not None:
            raise RuleViolation("die_is_not_wild", die=die.number, shows=die.shows)
    return [
        BoardDie(die.number, one.wild_as or die.shows, wild=die.shows == WILD)
        for one, die in zip(named, dice, strict=True)
    ]


def tell_wilds(turn: SetDiceTurn, seat: Seat, dice: Sequence[BoardDie]) -> None:
    """Announce the faces of Wilds (rulebook, "Wild")."""
    for die in dice:
        if die.wild:
            turn.emit(WildAnnounced(seat=seat, die=die.number, face=die.face))


def lay(state: SetDiceState, seat: Seat, dice: dict[int, BoardDie]) -> None:
    """Move dice from the seat's hand to cells of the board."""
    state.board.update(dice)
    laid = [die.number for die in dice.values()]
    state.hands[seat] = [die for die in state.hands[seat] if die.number not in laid]
