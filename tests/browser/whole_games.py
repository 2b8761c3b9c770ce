"""Play whole games by clicks, as fast as the page shows what can be clicked."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from playwright.async_api import Page, expect

A_GAME_MS = 550_000

CLICK = """wanted => new Promise((clicked) => {
    const over = () => [...document.querySelectorAll("button")].some(
        ({ textContent }) => textContent === "Play again");
    const pressed = window.pressed ??= new WeakSet();  // until they are drawn again
    const step = () => {
        if (over()) { observer.disconnect(); clicked(true); return; }
        const found = wanted.map((one) => [...document.querySelectorAll(one)].find(
            (each) => !pressed.has(each) && !each.disabled)).find(Boolean);
        if (!found) return;
        observer.disconnect();
        pressed.add(found);
        const empty = found.form?.querySelector("input:invalid");
        if (empty) empty.value = "100";
        found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        clicked(false);
    };
    const observer = new MutationObserver(step);
    const all = { attributes: true, childList: true, subtree: true };
    observer.observe(document.body, all);
    step();
})"""
"""Click the first wanted element as soon as there is one; true once the game is over.

An empty field of its form is filled in with a number.
"""


PRESSES: Final = (
    ".spot:not(.closed, .mine, :has(.chip))",
    "button.press.primary",
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
    """Click what is wanted until the page offers another game. `look` runs before each click."""
    page.set_default_timeout(A_GAME_MS)
    while not await page.evaluate(CLICK, list(wanted)):
        if look:
            await look()


async def check_the_end(page: Page, *, has_bets: bool) -> None:
    """Check that the end names the winner, the user's rank and bets, and proves the game."""
    end = page.locator(".moment")
    await expect(end).to_contain_text(re.compile("Winners?: "))
    await expect(end).to_contain_text(re.compile(r"You are number \d of \d\. Your score: "))
    if has_bets:
        await expect(end).to_contain_text(re.compile(r"Your bets: \d+, won: \d+\. Together: "))
    await end.get_by_role("button", name="Play again").wait_for()
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
