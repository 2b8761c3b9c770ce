"""Play whole games by clicks, as fast as the page shows what can be clicked."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from playwright.async_api import Page, expect

A_GAME_MS = 550_000

STANDS_MS, STANDS_PRESSES = 120_000, 1_000
"""A game stands once it stays at one version for so long, or through so many presses."""

OVER: Final = "the game is over"

CLICK: Final = """([wanted, over, standsMs, standsPresses]) => new Promise((done) => {
    const isOver = () => [...document.querySelectorAll("button")].some(
        ({ textContent }) => textContent.startsWith("Play again with "));
    const pressed = window.pressed ??= new WeakSet();  // until they are drawn again
    const can = (each) => !pressed.has(each) && !each.disabled;
    const nextOf = () => wanted.map((one) => [...document.querySelectorAll(one)].filter(can))
        .find((each) => each.length);
    const seen = window.seen ??= { presses: 0 };
    let since = performance.now();
    const stands = () => {
        const { phase, version } = document.querySelector("[data-version]")?.dataset ?? {};
        if (seen.version !== version) {
            Object.assign(seen, { version, presses: 0 });
            since = performance.now();
        }
        if (performance.now() - since < standsMs && seen.presses < standsPresses) return "";
        const asked = document.querySelector(".you-doing")?.textContent;
        const marked = [...document.querySelectorAll("button.press, .press[role=button]")].map(
            (one) => `${one.textContent}${pressed.has(one) ? " (pressed)" : ""}`);
        const told = document.querySelector(".message")?.textContent;
        const refused = JSON.stringify(Object.values(window.refused ?? {}));
        return `the game stands at ${phase} ${version}, "${asked}", marked: ${marked.join()}, `
            + `told: "${told}", refused: ${refused}`;
    };
    const end = (why) => {
        observer.disconnect();
        clearInterval(watch);
        done(why);
    };
    const step = () => {
        const why = isOver() ? over : stands();
        if (why) return end(why);
        const all = nextOf();
        if (!all) return;
        window.turn = (window.turn ?? -1) + 1;
        const found = all[turn % all.length];
        end("");
        pressed.add(found);
        seen.presses++;
        const empty = found.form?.querySelector("input:invalid");
        if (empty) empty.value = "100";
        found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    };
    const observer = new MutationObserver(step);
    const all = { attributes: true, childList: true, subtree: true };
    observer.observe(document.body, all);
    const watch = setInterval(step, 1000);
    step();
})"""
"""Click an element of the first wanted kind that there is. Return why nothing was clicked, if so.

Each of several elements has its turn. An empty field of its form is filled in with a number.
"""


async def press_next(page: Page, wanted: Sequence[str]) -> str:
    """Click what is wanted. Return an empty text, or that the game is over, or where it stands."""
    limits = [OVER, STANDS_MS, STANDS_PRESSES]
    why: str = await page.evaluate(CLICK, [list(wanted), *limits])
    return why


WATCH_REFUSALS: Final = """() => {
    if (window.refused) return;
    [window.accepted, window.refused] = [0, {}];
    const sent = new Map(), sockets = new WeakSet();
    let press;
    const note = ({ target, type, key }) => {
        if (type === "keydown" && key !== "Enter" && key !== " ") return;
        const table = target.closest("[data-version]");
        const version = Number(table?.dataset.version);
        const isMarked = target.closest(".press") && !table?.querySelector("[aria-busy]");
        press = isMarked ? { version, label: target.outerHTML.slice(0, 200) } : undefined;
    };
    for (const type of ["click", "keydown"]) addEventListener(type, note, { capture: true });
    const take = ({ type, id, code, version }) => {
        const { version: drawn, label } = sent.get(id) ?? {};
        if (!label) return;
        if (type === "accepted") window.accepted++;
        if (type === "accepted") delete window.refused[id];  // the server was busy before
        if (type === "refused" && (version ?? 0) <= drawn)
            window.refused[id] = `${code} at ${version}: ${label}`;
    };
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
        if (!sockets.has(this))
            this.addEventListener("message", ({ data }) => [JSON.parse(data)].flat().forEach(take));
        sockets.add(this);
        const { type, id } = JSON.parse(text);
        if (type === "play" && press && !sent.has(id)) sent.set(id, press);
        return send.call(this, text);
    };
}"""
"""Record each marked press that the rules refuse in the state of the game that the page shows.

While a drawing is busy, it shows the choices of the view before.
"""

CHOSEN: Final = "[aria-pressed=true]"
PRESSES: Final = (
    ".press .spot:not(.closed, .mine, :has(.chip))",
    "button.press.primary",
    f".set-hand.press:not(:has({' ~ '.join(3 * [CHOSEN])})) > [aria-pressed=false]",
    "button[data-command=declare_no_set]",
    "button[data-command=suggest]",
    "button[data-command=pass_turn]",
    "button[data-command=keep_dice]",
    "button[data-command=write_answer]",
    "button.press",
    ".press[role=button]",
    "button[data-command=pass]",
    "button[data-command=no_bet]",
)
"""The presses of all games, in the order in which they are tried."""

PRESSES_OF_ASCOT: Final = (
    ".ascot[data-phase=preliminaries] button[data-command=accept]",
    ".ascot button[data-command=ready]",
    ".ascot button[aria-pressed=false]:has(.lease-office)",  # nobody may keep both stables
    ".ascot button[data-command=discard]",
    ".ascot .target",
    ".ascot button[data-command=join_club]",
    ".ascot button[data-command=take_report]",
    ".ascot .actions button[data-command=bid]",
    ".ascot .actions button[data-command=place_bet]",
    ".ascot .turn-panel .actions button",
)
"""The presses of L'Ascot, in the order in which they are tried: pieces before buttons."""


async def play_to_the_end(
    page: Page, wanted: Sequence[str], look: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Click what is wanted until the page offers another game. `look` runs after each click.

    The server accepts each press that the page marks as the next one.
    """
    page.set_default_timeout(A_GAME_MS)
    await page.evaluate(WATCH_REFUSALS)
    while not (why := await press_next(page, wanted)):
        if look:
            await look()
    assert why == OVER, why
    await check_presses(page)


async def check_presses(page: Page) -> None:
    """Check that the server has accepted every marked press, of which there were some."""
    refused = await page.evaluate("window.refused")
    assert refused == {}, refused
    assert await page.evaluate("window.accepted") > 0


async def check_the_end(page: Page, *, has_bets: bool) -> None:
    """Check that the end names the winner, the user's rank and bets, and proves the game."""
    end = page.locator(".moment")
    await expect(end).to_contain_text(re.compile("Winners?: "))
    await expect(page).to_have_title(re.compile("^Winners?: "))
    await expect(end).to_contain_text(re.compile(r"You are number \d of \d\. Your score: "))
    if has_bets:
        bets = r"Your bets: \d+, won: \d+\. (Together|Staked): "
        await expect(end).to_contain_text(re.compile(bets))
    await end.get_by_role("button", name="Play again with Ada, Blaise, and Carl").wait_for()
    await end.get_by_role("button", name="Check that all was fair").click()
    await end.get_by_text("Game verified").wait_for()


async def replay_in_french(page: Page, winner: str) -> None:
    """Open the replay of the game that has just ended, go through it, and read it in French."""
    await page.get_by_role("link", name="Verify this game").wait_for()  # the table is at rest
    await page.get_by_role("link", name="Replay").click()
    slider = page.get_by_role("slider", name="Moment of the game")
    await expect(page.locator(".replay-text")).to_contain_text("1 of ")
    await page.get_by_role("button", name="Step forward").click()
    await expect(slider).to_have_value("2")
    await slider.focus()
    await page.keyboard.press("End")
    await page.locator(winner).get_by_text(re.compile("Winners?:")).wait_for()
    await page.get_by_role("button", name="Français").click()
    await page.locator(winner).get_by_text(re.compile(r"Vainqueurs?\s:")).wait_for()
