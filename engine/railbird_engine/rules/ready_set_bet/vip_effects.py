"""The effects of VIP cards, added up for their owner."""

from functools import lru_cache

import msgspec

from railbird_engine.rules.ready_set_bet.data.cards import (
    BonusToken,
    Insurance,
    LateBet,
    Overlay,
    PropBoost,
    Twin,
    VipCard,
)


class VipEffects(msgspec.Struct, frozen=True):
    """The effects of one player's cards in a race."""

    tokens: tuple[BonusToken, ...] = ()
    overlay: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    twins: tuple[tuple[str, Twin], ...] = ()
    insured: bool = False
    prop_gain: int = 0


NO_EFFECTS = VipEffects()


@lru_cache(maxsize=1024)
def effects_of(cards: tuple[VipCard, ...]) -> VipEffects:
    """Return the combined effects of these cards."""
    named = [(card.card, card.effect) for card in cards]
    effects = [effect for _, effect in named]
    return VipEffects(
        tokens=tuple(effect for effect in effects if isinstance(effect, BonusToken)),
        overlay=tuple(effect.token for effect in effects if isinstance(effect, Overlay)),
        late=tuple(effect.token for effect in effects if isinstance(effect, LateBet)),
        twins=tuple((card, effect) for card, effect in named if isinstance(effect, Twin)),
        insured=any(isinstance(effect, Insurance) for effect in effects),
        prop_gain=sum(effect.gain for effect in effects if isinstance(effect, PropBoost)),
    )
