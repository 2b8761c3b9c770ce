"""The types of prop bets, exotic finishes and VIP cards. The cards themselves are `*.json`, read by
`decks.py`."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from railbird_engine import Text
from railbird_engine.kernel.host_data import require_once
from railbird_engine.rules.ready_set_bet.data import HorseNumber, TokenColour

CardName = Annotated[str, Meta(pattern=r"^[A-Z][A-Z0-9]{1,9}$(?!\n)")]
Amount = Annotated[int, Meta(ge=0, le=100)]
Gain = Annotated[int, Meta(ge=1, le=100)]
Token = Annotated[int, Meta(ge=1, le=10)]
Spaces = Annotated[int, Meta(ge=0, le=15)]


class Prop(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A prop bet: `front` ends the race strictly ahead of every horse in `behind`."""

    card: CardName
    title: Text
    front: HorseNumber
    behind: Annotated[tuple[HorseNumber, ...], Meta(min_length=1)]
    gain: Gain
    loss: Amount

    def __post_init__(self) -> None:
        require_once((self.front, *self.behind))


class _Condition(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A condition on the final positions. The winner is on the finish."""


class SecondWithin(_Condition, frozen=True, tag="second_within"):
    """The second horse is at most `spaces` behind the winner."""

    spaces: Spaces


class SecondBehind(_Condition, frozen=True, tag="second_behind"):
    """The second horse is at least `spaces` behind the winner."""

    spaces: Spaces


class ThirdWithin(_Condition, frozen=True, tag="third_within"):
    """The third horse is at most `spaces` behind the winner."""

    spaces: Spaces


class AllMoved(_Condition, frozen=True, tag="all_moved"):
    """Every horse has moved at least `spaces`."""

    spaces: Spaces


class Stragglers(_Condition, frozen=True, tag="stragglers"):
    """At least `horses` have moved at most `spaces`."""

    horses: Annotated[int, Meta(ge=1, le=8)]
    spaces: Spaces


Condition = SecondWithin | SecondBehind | ThirdWithin | AllMoved | Stragglers


class Odds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Multiplier and loss of one spot."""

    gain: Gain
    loss: Amount


class Exotic(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """An exotic finish, with three spots. Ruling 4.12: they are equal in the box; another deck may
    differ."""

    card: CardName
    title: Text
    text: Text
    condition: Condition
    spots: tuple[Odds, Odds, Odds]


class _Effect(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The effect of a VIP card for its owner, from the race after the draft to the end of the
    game."""


class BonusToken(_Effect, frozen=True, tag="bonus_token"):
    """One more token. A lost bet with it costs `loss` on top of the spot's loss, or nothing at all
    if it cancels the spot's loss."""

    colour: TokenColour
    value: Token
    loss: Amount
    cancels_spot_loss: bool


class FreeChips(_Effect, frozen=True, tag="free_chips"):
    """Money from the bank, once, when the card is kept."""

    amount: Gain


class DiceIncome(_Effect, frozen=True, tag="dice_income"):
    """Money from the bank at each such roll of a race, also after bets are closed."""

    on: Annotated[tuple[Literal["double_1", "double_6"], ...], Meta(min_length=1, max_length=2)]
    amount: Gain


class Overlay(_Effect, frozen=True, tag="overlay"):
    """Tokens of this value may join exactly one token of another player."""

    token: Token


class LateBet(_Effect, frozen=True, tag="late_bet"):
    """Tokens of this value may be placed after the closing, until the finish."""

    token: Token


class Twin(_Effect, frozen=True, tag="twin"):
    """Money once per race, if two bets with tokens of these values win."""

    tokens: tuple[Token, Token]
    reward: Gain


class Insurance(_Effect, frozen=True, tag="insurance"):
    """Lost bets cost nothing."""


class PropBoost(_Effect, frozen=True, tag="prop_boost"):
    """Won prop bets multiply by `gain` more."""

    gain: Gain


Effect = BonusToken | FreeChips | DiceIncome | Overlay | LateBet | Twin | Insurance | PropBoost


class VipCard(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A VIP card."""

    card: CardName
    title: Text
    text: Text
    effect: Effect
