"""Games that are played over days: their presets, and what they await meanwhile."""

import msgspec
import pytest

from railbird_engine import SLOW_LIMITS_S
from railbird_engine.kernel.playout import Playout
from tests.rules.golden import RULES


@pytest.mark.parametrize("slug", [slug for slug, rules in RULES.items() if rules.limits])
def test_with_a_preset_each_wait_is_for_a_player_and_lasts_hours(slug: str) -> None:
    rules = RULES[slug]
    least, most = SLOW_LIMITS_S[0], SLOW_LIMITS_S[-1]
    for preset in rules.presets():
        if preset.pace == "live":
            continue
        assert preset.title.keys() == {"en", "fr"}
        options = msgspec.convert(preset.options, rules.options_type)
        assert all(getattr(options, name) in SLOW_LIMITS_S for name in rules.limits)
        assert rules.unfit_for_coins(options) is None
    playout = Playout(rules, rules.seats[2], options, b"slow")
    for _ in playout.run():
        if playout.result is None:
            alarm = rules.alarm(playout.state)
            assert alarm is not None
            assert least <= alarm.after.total_seconds() <= most
            assert rules.awaited(playout.state), f"{slug} awaits nobody"
