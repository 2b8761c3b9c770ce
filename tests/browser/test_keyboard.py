"""Whole games by keyboard alone, in a window that is zoomed to twice its size."""

from typing import Any, Final

import pytest
from playwright.async_api import Browser, Page, ViewportSize

from tests.browser.scene import start_table
from tests.browser.whole_games import A_GAME_MS, PRESSES

pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.slow,
]

GAMES: Final[dict[str, dict[str, Any]]] = {
    "carcassonne": {},
    "quitte_ou_double": {"level_s": 0, "hourglass_s": 0, "reveal_s": 0},
    "set_dice": {},
}
ZOOMED: Final[ViewportSize] = {"width": 720, "height": 450}
"""1440 x 900 at 200 %."""
SCREENS: Final = ((390, 844), (1440, 900))
NARROW: Final = ((720, 450), (320, 225), (390, 844))
"""Screens that show a table without a scroll to the side; the second is 1280 x 900 at 400 %."""
TABS_MAX: Final = 150

HELPERS: Final = r"""
window.pressed = new WeakSet();  // until they are drawn again
const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
const isNext = (one) => !window.pressed.has(one) && !one.disabled && isSeen(one);
/* The first wanted selector of which something can be pressed; "over" at the end. */
window.wait = (wanted) => new Promise((found) => {
    const look = () => {
        const next = document.querySelector(".moment") ? "over"
            : wanted.find((one) => [...document.querySelectorAll(one)].some(isNext));
        if (!next) return;
        observer.disconnect();
        found(next);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { attributes: true, childList: true, subtree: true });
    look();
});
/* What a point of the screen shows is the element, or lies in it, or is its label. */
const shows = (element, x, y) => {
    const isSolid = (one) => one === null
        || (getComputedStyle(one).opacity === "1" && isSolid(one.parentElement));
    const all = document.elementsFromPoint(x, y);
    const top = all.find((one) => element.contains(one) || isSolid(one)) ?? null;
    return element.contains(top) || [...element.labels ?? []].some((one) => one.contains(top));
};
const isHidden = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (!width || !height || element.matches("main")) return false;
    const shares = [0.05, 0.5, 0.95];
    const isShown = (x) => shares.some((y) => shows(element, left + width * x, top + height * y));
    return !shares.some(isShown);
};
window.at = (wanted) => {
    const { activeElement: active } = document;
    const isLost = active === document.body;
    return {
        isThere: active.matches(wanted) && isNext(active),
        isLost,
        hidden: !isLost && isHidden(active) ? active.outerHTML.slice(0, 200) : "",
    };
};
/* The marks that the first screen shows whole, and what is wider than the screen. */
window.look = () => {
    scrollTo(0, 0);
    const marks = "button.press, input.press, .press[role=button], .press button";
    const boxes = [...document.querySelectorAll(marks)].filter(isSeen);
    const whole = boxes.filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        return isInside && !isHidden(one);
    });
    const scrolls = (one) => one !== null
        && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    const parts = "#content :is(button, input, select, p, b, li)";
    const wide = [...document.querySelectorAll(parts)].filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        const isOutside = left < -1 || right > innerWidth + 1;
        return width > 1 && isSeen(one) && !scrolls(one.parentElement) && isOutside;
    });
    return {
        marks: boxes.length,
        whole: whole.length,
        wide: wide.map((one) => one.outerHTML.slice(0, 160)).slice(0, 3),
        overflow: document.scrollingElement.scrollWidth - innerWidth,
    };
};
window.phase = () =>
    document.querySelector(".you-doing").textContent.replace(/[\d., ]+/g, " ").slice(0, 40);
"""


@pytest.mark.parametrize("slug", GAMES)
async def test_a_whole_game_is_played_by_keys(browser: Browser, server: str, slug: str) -> None:
    async with await browser.new_context(
        reduced_motion="reduce", viewport=ZOOMED, device_scale_factor=2
    ) as context:
        page = await context.new_page()
        page.set_default_timeout(A_GAME_MS)
        await page.add_init_script(HELPERS)
        await start_table(page, server, GAMES[slug], slug=slug, bots=3)
        await page.locator(".standing li").first.wait_for()
        wrong = await play(page)
        assert wrong == [], "\n".join(wrong)


async def play(page: Page) -> list[str]:
    """Play by keys to the end, and return what went wrong."""
    wrong: dict[str, None] = {}
    looked: set[str] = set()
    cards = ".first-cards button:last-child"
    wanted = [cards, "input.press"]
    wanted += [one for one in PRESSES if "spot" not in one and "write_answer" not in one]
    last = ""
    while (selector := await page.evaluate("wait", wanted)) != "over":
        phase = await page.evaluate("phase()")
        if selector != cards and phase not in looked and len(looked) < 20:
            looked.add(phase)
            for complaint in await look(page, phase):
                wrong[complaint] = None
        if last and (await page.evaluate("at", "*"))["isLost"]:
            wrong[f"the focus was lost after {last}"] = None
        for complaint in await tab_to(page, selector):
            wrong[f"{phase}: {complaint}"] = None
        await page.evaluate("window.pressed.add(document.activeElement)")
        if selector.startswith("input"):
            await page.keyboard.type("100")
        last = f"{selector} ({phase})"
        await page.keyboard.press("Enter")
    return list(wrong)


async def tab_to(page: Page, selector: str) -> list[str]:
    """Press Tab until the focus is at what is wanted; return what was hidden on the way."""
    hidden: list[str] = []
    for _ in range(TABS_MAX):
        at = await page.evaluate("at", selector)
        if at["isThere"]:
            return hidden
        await page.keyboard.press("Tab")
        if (after := await page.evaluate("at", selector))["hidden"]:
            hidden.append(f"hidden focus: {after['hidden']}")
        if await page.evaluate("wanted => !document.querySelector(wanted)", selector):
            return hidden
    return [*hidden, f"the focus never came to {selector}"]


async def look(page: Page, phase: str) -> list[str]:
    """Compare what the first screens show, and how wide the page is."""
    found: list[str] = []
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        seen = await page.evaluate("look()")
        if seen["marks"] and not seen["whole"]:
            found.append(f"{phase}: no mark on the first screen of {width}")
    for width, height in NARROW:
        await page.set_viewport_size({"width": width, "height": height})
        seen = await page.evaluate("look()")
        if seen["overflow"] > 0 or seen["wide"]:
            found.append(f"{phase}: too wide at {width} by {seen['overflow']}: {seen['wide']}")
    await page.set_viewport_size(ZOOMED)
    return found
