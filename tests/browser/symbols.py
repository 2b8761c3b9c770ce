"""Everything that a table draws explains itself: it has a term of the guide of its game."""

from typing import Final

from playwright.async_api import Page

from tests.rules.golden import RULES

MARKS: Final = frozenset({"leader", "player", "press"})
"""The terms that all tables have; the pages know their texts."""

SYMBOLS: Final = (
    "svg :is(path, rect, circle, ellipse, text), .chip, .dot, .team-mark, .card-back, .mark,"
    " .paddle, .ticket, .rank, .wealth, .crown, .podium-gain, .favourite, .bet-chip, .rounds,"
    " .segment"
)
"""Pieces that are drawn by paths or by styles."""

DECORATION: Final = (
    ".stand, .textures, .moment, .lawn, .infield, .infield-name, .stripe, .bend, .turn-way, .gavel,"
    " .turns, .press-ring, .way, .box-name, .loop-legend, .board-legend, .sign-legend, .tip,"
    " .lobby-game"
)
"""Drawings that mean nothing, and signs inside of a button or a legend that says it."""

UNEXPLAINED: Final = """([symbols, decoration, terms]) => {
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true })
        && getComputedStyle(one).pointerEvents !== "none";
    const isTold = (one) => terms.includes(one.closest("[data-term]")?.dataset.term);
    const wrong = [...document.querySelectorAll(".drawn")]
        .flatMap((drawn) => [...drawn.querySelectorAll(symbols)])
        .filter((one) => !one.closest(decoration) && isSeen(one) && !isTold(one));
    return [...new Set(wrong.map((one) => {
        const { dataset } = one.closest("[data-term]") ?? one;
        return `${one.parentElement.outerHTML.slice(0, 120)} ${dataset.term ?? ""}`;
    }))].slice(0, 20);
}"""


CUT: Final = """() => [...document.querySelectorAll(".drawn *")].filter((one) => {
    const { textOverflow, webkitLineClamp } = getComputedStyle(one);
    const isLimited = textOverflow === "ellipsis" || webkitLineClamp !== "none";
    const isCut = one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 4;
    const isCrowded = one.closest(".standing")?.children.length > 4;
    const isLong = one.textContent.length > 10;
    const isName = one.matches(".standing-name") && (isCrowded || isLong);
    const isHorse = one.matches(":is(.lane-name, .row-name) span");
    return isLimited && isCut && !isName && !isHorse && one.checkVisibility();
}).map((one) => one.outerHTML.slice(0, 200))"""
"""The texts that end in three dots. Users may have longer names than guests, a row more than four
names, and horses a number too."""


TWINS: Final = """() => [...document.querySelectorAll(".legend")].flatMap((legend) => {
    const signs = [...legend.querySelectorAll("svg")].map((one) => one.innerHTML);
    return signs.filter((one, nth) => signs.indexOf(one) !== nth);
})"""
"""The signs of a legend that stand for two things."""


STRAY_TIPS: Final = """() => [...document.querySelectorAll("label[data-term]")].filter((label) => {
    const text = label.firstElementChild;
    text.click();
    const tip = document.querySelector(".tip").getBoundingClientRect();
    const at = text.getBoundingClientRect();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    const across = Math.max(0, tip.left - at.right, at.left - tip.right);
    const down = Math.max(0, tip.top - at.bottom, at.top - tip.bottom);
    return across + down > at.height;
}).map((one) => one.outerHTML)"""
"""The labels that are explained elsewhere on the page; some have no box of their own."""


COVERED: Final = """(kept) => {
    const box = (one) => one.getBoundingClientRect();
    const over = box(document.querySelector(".tip, .message:not(:empty)"));
    return [...document.querySelectorAll(kept)].filter((one) => {
        const { left, right, top, bottom } = box(one);
        const isBeside = right <= over.left || over.right <= left;
        const isAbove = bottom <= over.top || over.bottom <= top;
        return one.checkVisibility() && !isBeside && !isAbove;
    }).map((one) => one.outerHTML.slice(0, 120));
}"""
"""The elements over which a tip, or else a message, lies."""


RING: Final = """() => {
    const one = document.activeElement;
    const { outlineOffset, outlineWidth, boxShadow } = getComputedStyle(one);
    const shadows = boxShadow.split(/,(?![^(]*[)])/).filter((each) => !each.includes("inset"));
    const spreads = shadows.map((each) => parseFloat(each.match(/(-?[0-9.]+)px/g)?.[3] ?? 0));
    const outline = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    return [one.className.split(" ")[0], Math.max(outline, ...spreads)];
}"""
"""The class of the focused element, and how far its ring reaches out of it."""


async def check_symbols(page: Page, slug: str) -> None:
    """Fail on each visible symbol without one explanation of its own, and each text that is cut."""
    guide = RULES[slug].book().guide
    assert guide
    terms = [*guide.terms, *MARKS]
    assert await page.evaluate(UNEXPLAINED, [SYMBOLS, DECORATION, terms]) == []
    assert await page.evaluate(TWINS) == []
    assert await page.evaluate(CUT) == []
    assert await page.evaluate(STRAY_TIPS) == []
