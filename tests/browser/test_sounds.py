"""The sounds of every game, as a browser renders them."""

from itertools import combinations
from typing import Any, Final, get_args

import pytest
from playwright.async_api import Page

from railbird_engine import AnyRules
from railbird_engine.rules import registry
from tests.browser.scene import start_table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
]

SLUGS: Final = ("ascot", "carcassonne", "quitte_ou_double", "ready_set_bet", "set_dice")
SOUNDS_EACH: Final = 6
SILENCE: Final = 0.01
"""Everything below this share of the full scale is silence."""
LONGEST_S: Final = 2.0
ALIKE: Final = 0.9
"""Two sounds of which this much of the spectrum over time is the same are alike."""

RECORD: Final = """
const RATE = 16000, SECONDS = 3, FRAMES = 60, BANDS = 40;
let recorder;
window.AudioContext = class extends OfflineAudioContext {
    constructor() { super(1, RATE * SECONDS, RATE); recorder = this; }
    get state() { return "running"; }
    close() {}
};
/* The energy in each band of each moment: two sounds of the same noise look alike. */
const shapeOf = (samples) => {
    const step = Math.floor(samples.length / FRAMES), shape = [];
    for (let frame = 0; frame < FRAMES; frame++)
        for (let band = 0; band < BANDS; band++) {
            const turn = (2 * Math.PI * 120 * 2 ** (band / 7.4)) / RATE;
            let [real, imaginary] = [0, 0];
            for (let nth = 0; nth < step; nth++) {
                const sample = samples[frame * step + nth];
                real += sample * Math.cos(turn * nth);
                imaginary += sample * Math.sin(turn * nth);
            }
            shape.push(Math.hypot(real, imaginary));
        }
    return shape;
};
window.render = async ({ part, slug, types }) => {
    const { player } = await import(part);
    player(slug).play({ at: new Date(), events: types.map((type) => ({ type })) });
    const samples = (await recorder.startRendering()).getChannelData(0);
    let [peak, end] = [0, 0];
    samples.forEach((sample, nth) => {
        peak = Math.max(peak, Math.abs(sample));
        if (Math.abs(sample) > SILENCE) end = nth / RATE;
    });
    return { peak, end, shape: peak > SILENCE && types.length === 1 ? shapeOf(samples) : [] };
};
"""

PART: Final = """async () => {
    for (const { name } of performance.getEntriesByType("resource"))
        if (/part-.*js$/.test(name) && (await import(name)).player) return name;
    return null;
}"""
"""The script of the sounds, once the page has loaded it."""


def likeness(one: list[float], other: list[float]) -> float:
    """The cosine of two shapes: 1 if they are the same but for their loudness."""
    product = sum(a * b for a, b in zip(one, other, strict=True))
    squares = sum(a * a for a in one) * sum(b * b for b in other)
    return float(product / squares**0.5)


def age(rules: AnyRules) -> int:
    """The version of the rules."""
    return rules.version


async def test_the_sounds_of_every_game_are_heard_and_told_apart(page: Page, server: str) -> None:
    await page.add_init_script(RECORD.replace("SILENCE", str(SILENCE)))
    await start_table(page, server)
    await page.get_by_label("Sounds").check()
    while (part := await page.evaluate(PART)) is None:
        pass
    for slug in SLUGS:
        rules = max((found for found in registry().values() if found.slug == slug), key=age)
        types = [each.__struct_config__.tag for each in get_args(rules.event_type)]
        rendered: dict[str, Any] = {
            name: await page.evaluate("render", {"part": part, "slug": slug, "types": [name]})
            for name in types
        }
        heard = {name: one for name, one in rendered.items() if one["peak"] > SILENCE}
        assert len(heard) == SOUNDS_EACH, (slug, list(heard))
        for name, one in heard.items():
            assert 0.05 < one["peak"] < 1, (slug, name, one["peak"])
            assert 0.03 < one["end"] <= LONGEST_S, (slug, name, one["end"])
        for (name, one), (other, two) in combinations(heard.items(), 2):
            assert likeness(one["shape"], two["shape"]) < ALIKE, (slug, name, other)
        for together in combinations(heard, 3):
            asked = {"part": part, "slug": slug, "types": list(together)}
            one = await page.evaluate("render", asked)
            assert one["peak"] < 1, (slug, together, one["peak"])
