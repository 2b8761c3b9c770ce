"""Pieces and sums travel to their places within 600 ms, and not at all where motion is reduced."""

from typing import Any, Final

import pytest
from playwright.async_api import Browser, expect

from tests.browser.conftest import WITHIN_MS, listen
from tests.browser.scene import start_table
from tests.browser.whole_games import OVER, PRESSES, press_next

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
]

RECORD: Final = """window.journeys = new Map();
const { animate } = Element.prototype;
const nameOf = (piece) => piece.dataset.piece || piece.querySelector("[data-piece]")
    ? "piece" : piece.classList[0] ?? piece.firstElementChild?.classList[0] ?? piece.localName;
Element.prototype.animate = function (frames, options) {
    const isFlying = this.matches(".flying");
    if (frames.some(({ transform, translate }) => transform || translate)) {
        const name = (isFlying ? "flying " : "") + nameOf(isFlying ? this.firstElementChild : this);
        window.journeys.set(name, Math.max(options.duration, window.journeys.get(name) ?? 0));
    }
    return animate.call(this, frames, options);
};"""
"""Record the longest journey of each kind of piece; one that flies is drawn at neither place."""

SUMS: Final = """() => [...document.querySelectorAll('.standing .sum')].map(
    (one) => one.textContent).join()"""

GAMES: Final[dict[str, tuple[dict[str, Any], set[str]]]] = {
    "ascot": ({}, {"disc", "lease", "flying card-back", "flying lease", "flying paid"}),
    "carcassonne": ({}, {"newest-tile", "piece", "flying piece", "flying paid"}),
    "quitte_ou_double": (
        {"level_s": 0, "hourglass_s": 0, "reveal_s": 0},
        {"team-mark", "answer-tile", "flying team-mark", "flying paid"},
    ),
    "ready_set_bet": (
        {"roll_ms": 250, "pause_ms": 500, "think_ms": 500, "races": 3},
        {"chip", "flying chip", "flying paid"},
    ),
    "set_dice": ({}, {"set-die", "flying paid"}),
}
"""For each game, its options, and the kinds of pieces and sums that move."""


@pytest.mark.parametrize("slug", GAMES)
async def test_every_kind_of_piece_travels(browser: Browser, server: str, slug: str) -> None:
    options, kinds = GAMES[slug]
    complaints: list[str] = []
    async with await browser.new_context(reduced_motion="no-preference") as context:
        context.set_default_timeout(WITHIN_MS)
        listen(context, complaints)
        page = await context.new_page()
        await page.add_init_script(RECORD)
        await start_table(page, server, options, slug=slug, bots=3)
        await page.locator(".standing li").first.wait_for()

        found: dict[str, float] = {}
        while missing := kinds - found.keys():
            why = await press_next(page, PRESSES)
            assert not complaints, complaints
            assert not why, f"{why}; these did not travel: {missing}"
            found = dict(await page.evaluate("[...window.journeys]"))
        assert all(0 < longest <= 600 for longest in found.values()), found
        await expect(page.locator(".flying")).to_have_count(0)

        await page.emulate_media(reduced_motion="reduce")
        await page.evaluate("window.journeys.clear()")
        sums, why = await page.evaluate(SUMS), ""
        while await page.evaluate(SUMS) == sums and not why:
            why = await press_next(page, PRESSES)
        assert why in {"", OVER}, why
        assert await page.evaluate("window.journeys.size") == 0
    assert not complaints, complaints
