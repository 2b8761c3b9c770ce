"""Whole games by keyboard alone, in a window that is zoomed to twice its size."""

import os
from pathlib import Path
from typing import Any, Final

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Page, ViewportSize

from tests.browser.accessibility import check
from tests.browser.scene import enter_as, start_table
from tests.browser.whole_games import (
    A_GAME_MS,
    PRESSES,
    PRESSES_OF_ASCOT,
    STANDS_MS,
    WATCH_REFUSALS,
    check_presses,
)
from tests.builders import NewUser

pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.slow,
]

BY_KEYS: Final = (
    "input.press",
    *(one for one in PRESSES if "spot" not in one and "write_answer" not in one),
)
LIMITS_OF_ASCOT: Final = (
    *("nomination_s", "exchange_s", "discard_s", "bid_s", "sale_s", "training_s"),
    *("trade_s", "favourite_s", "bet_s", "race_s", "hazard_s"),
)
GAMES: Final[dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    "ascot": (dict.fromkeys(LIMITS_OF_ASCOT, 0), PRESSES_OF_ASCOT),
    "carcassonne": ({}, BY_KEYS),
    "quitte_ou_double": ({"level_s": 0, "hourglass_s": 0, "reveal_s": 0}, BY_KEYS),
    "ready_set_bet": (
        {"races": 2, "pause_ms": 10_000, "roll_ms": 1_000, "think_ms": 10_000},
        ("button.press", ".press .spot[tabindex='0']:not(.closed, .mine, :has(.chip))"),
    ),
    "set_dice": ({}, BY_KEYS),
}
"""For each game, its options, and its presses in the order in which they are tried."""
ZOOMED: Final[ViewportSize] = {"width": 720, "height": 450}
"""1440 x 900 at 200 %."""
SCREENS: Final = ((390, 844), (1440, 900), (720, 450), (320, 225))
"""A phone, a desktop, and 1440 x 900 at 200 % and 1280 x 900 at 400 %."""
FIRST: Final = (390, 1440)
"""The widths at which the first screen shows a mark of the next press."""
TABS_MAX: Final = 150

HELPERS: Final = r"""
window.pressed = new WeakSet();  // until they are drawn again
const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
const isNext = (one) => !window.pressed.has(one) && !one.disabled && isSeen(one);
window.isAny = (wanted) => [...document.querySelectorAll(wanted)].some(isNext);
/* What the page shows: the phase of the game, and what the user is asked. */
window.phase = () => {
    const { phase } = document.querySelector("[data-phase]").dataset;
    const asked = [...document.querySelectorAll(".press[data-command]")].filter(isSeen);
    const commands = new Set(asked.map((one) => one.dataset.command));
    const text = document.querySelector(".you-doing").textContent.replace(/[\d., ]+/g, " ");
    return phase ? [phase, ...commands].join(" ") : text.slice(0, 40);
};
window.looked = new Set();
/* The first wanted selector of which something can be pressed; before, "new" in each phase that
   was not looked at, "over" at the end, and "stands" where the version stays the same. */
window.wait = ([wanted, standsMs]) => new Promise((found) => {
    const versionOf = () => document.querySelector("[data-version]").dataset.version;
    let [version, since] = [versionOf(), performance.now()];
    const stands = () => {
        if (versionOf() !== version) [version, since] = [versionOf(), performance.now()];
        return performance.now() - since > standsMs;
    };
    const look = () => {
        const isOver = document.querySelector(".moment");
        const isRead = !document.querySelector(".first-cards, [aria-busy]");
        const next = isOver ? "over" : isRead && !window.looked.has(window.phase()) ? "new"
            : wanted.find(window.isAny) ?? (stands() && "stands");
        if (!next) return;
        observer.disconnect();
        clearInterval(watch);
        found(next);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { attributes: true, childList: true, subtree: true });
    const watch = setInterval(look, 1000);
    look();
});
/* The complaint about an element that has the focus, if any: it needs a name, a role, and a mark
   that nothing hides. Chromium gives the focus to what scrolls, too. */
window.complaint = () => {
    const { activeElement: active } = document;
    if (active === document.body || active.matches("main")) return "";
    const { computedName } = active;
    const computedRole = active.matches("summary") ? "button" : active.computedRole;
    const isReached = active.tabIndex >= 0;  // pages move the focus elsewhere, too
    const isDrawn = (one) => {
        const { outlineStyle, boxShadow } = getComputedStyle(one);
        return outlineStyle !== "none" || boxShadow !== "none";
    };
    const wrong = [
        isHidden(active) && "hidden",
        isReached && !computedName && "nameless",
        isReached && ["", "generic", "none"].includes(computedRole) && "without a role",
        isReached && ![active, ...active.labels ?? []].some(isDrawn) && "without a mark",
    ].filter(Boolean);
    const { left, top, width, height } = active.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    const where = `at ${left}, ${top} of ${innerWidth} x ${innerHeight}, below ${above?.className}`;
    return wrong.length
        ? `${wrong.join(", ")} focus ${where}: ${active.outerHTML.slice(0, 200)}` : "";
};
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
/* A tip follows its term only in the frame after a scroll. */
window.at = async (wanted) => {
    const { activeElement: active } = document;
    if (complaint()) await new Promise(requestAnimationFrame);
    return {
        isThere: active.matches(wanted) && isNext(active),
        isLost: active === document.body,
        complaint: active === document.activeElement ? complaint() : "",
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
"""


@pytest.mark.parametrize("slug", GAMES)
async def test_a_whole_game_is_played_by_keys(
    browser: Browser, server: str, new_user: NewUser, slug: str
) -> None:
    options, presses = GAMES[slug]
    user = await sync_to_async(new_user)()
    user.display_name = 40 * "W"  # no name widens a page
    await user.asave(update_fields=["display_name"])
    async with await browser.new_context(
        locale="fr", reduced_motion="reduce", viewport=ZOOMED, device_scale_factor=2
    ) as context:
        page = await context.new_page()
        page.set_default_timeout(A_GAME_MS)
        await page.add_init_script(HELPERS)
        await enter_as(page, server, user)
        await start_table(page, server, options, slug=slug, bots=3)
        await page.locator(".standing li").first.wait_for()
        await page.evaluate(WATCH_REFUSALS)
        wrong = await play(page, [".first-cards button:last-child", *presses])
        assert wrong == [], "\n".join(wrong)
        await check_presses(page)


async def play(page: Page, wanted: list[str]) -> list[str]:
    """Play by keys to the end, and return what went wrong."""
    wrong: dict[str, None] = {}
    last = ""
    while (selector := await page.evaluate("wait", [wanted, STANDS_MS])) != "over":
        phase = await page.evaluate("phase()")
        assert selector != "stands", f"the game stands in {phase}: {list(wrong)}"
        if last and (await page.evaluate("at", "*"))["isLost"]:
            wrong[f"the focus was lost after {last}"] = None
        last = ""
        if selector == "new":
            await page.evaluate("phase => window.looked.add(phase)", phase)
            wrong |= dict.fromkeys(await look(page, phase))
            wrong |= {f"{phase}: {complaint}": None for complaint in await go_round(page)}
            continue
        for complaint in await tab_to(page, selector):
            wrong[f"{phase}: {complaint}"] = None
        if not (await page.evaluate("at", selector))["isThere"]:
            continue
        await page.evaluate("window.pressed.add(document.activeElement)")
        if selector.startswith("input"):
            await page.keyboard.type("100")
        last = f"{selector} ({phase})"
        await page.keyboard.press("Enter")
    wrong |= dict.fromkeys(await look(page, "over"))
    return list(wrong)


async def tab_to(page: Page, selector: str) -> list[str]:
    """Press Tab until the focus is at what is wanted; return what is wrong on the way."""
    found: list[str] = []
    for _ in range(TABS_MAX):
        at = await page.evaluate("at", selector)
        if at["isThere"]:
            return found
        await page.keyboard.press("Tab")
        if (after := await page.evaluate("at", selector))["complaint"]:
            found.append(after["complaint"])
        if not await page.evaluate("isAny", selector):
            return found  # others have acted meanwhile
    return [*found, f"the focus never came to {selector}"]


async def go_round(page: Page) -> list[str]:
    """Press Tab from the start of the page to its end; return what is wrong with each focus."""
    found: dict[str, None] = {}
    await page.locator("a.skip").focus()
    for _ in range(TABS_MAX):
        await page.keyboard.press("Tab")
        at = await page.evaluate("at", "*")
        if at["isLost"]:
            break
        if at["complaint"]:
            found[at["complaint"]] = None
    await page.keyboard.press("Tab")  # back from the browser's own controls
    return list(found)


async def look(page: Page, phase: str) -> list[str]:
    """Compare what the first screens show, and how wide the page is; check it for all readers."""
    found: list[str] = []
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate("() => new Promise(requestAnimationFrame)")  # a tip follows its term
        seen = await page.evaluate("look()")
        if width in FIRST and seen["marks"] and not seen["whole"]:
            found.append(f"{phase}: no mark on the first screen of {width}")
        if seen["overflow"] > 0 or seen["wide"]:
            found.append(f"{phase}: too wide at {width} by {seen['overflow']}: {seen['wide']}")
        await keep_picture(page, f"{phase}-{width}")
    await check(page)
    await page.emulate_media(color_scheme="light")
    await page.set_viewport_size(ZOOMED)
    return found


async def keep_picture(page: Page, name: str) -> None:
    """Keep a picture of the first screen in the folder SCREENSHOTS if it is set."""
    if folder := os.environ.get("SCREENSHOTS"):
        game = await page.locator("[data-phase]").get_attribute("class")
        await page.screenshot(path=Path(folder) / f"keys-{game}-{name}.png".replace(" ", "-"))
