"""Accessibility of every page: axe-core in light and dark, and a race by keyboard only."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Locator, Page, expect

from accounts.models import User
from accounts.oauth import clients
from tests.browser.accessibility import Look, check
from tests.browser.conftest import PASSWORD, histories, photograph
from tests.browser.scene import A_RACE_MS, open_start_page, play_now, start_table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

GAMES = ("Ready Set Bet", "Ascot", "Carcassonne", "SET Dice", "Double or Quits")
AT_SPACE = re.compile(r"^space \d+ of \d+$")
SOME_LOOKS: Final[tuple[Look, ...]] = (("dark", 390), ("light", 1440))


@pytest.mark.slow
async def test_the_start_page_and_a_race_have_no_findings(page: Page, server: str) -> None:
    """The slow set checks them, and every other page, in all looks."""
    await page.goto(f"{server}/")
    await page.locator(".card").first.wait_for()
    await page.get_by_role("link", name="API reference").wait_for()
    await check(page, SOME_LOOKS)
    await play_now(page, server, "Ready Set Bet")
    await page.locator('[data-phase="paddock"]').wait_for()
    await check(page, SOME_LOOKS)


@pytest.mark.slow
@pytest.mark.parametrize("title", GAMES)
async def test_every_table_has_no_findings(page: Page, server: str, title: str) -> None:
    await play_now(page, server, title)
    await page.locator("main .panel:visible").first.wait_for()
    await photograph(page, f"table-{title.replace(' ', '-').lower()}")
    await check(page)


@pytest.mark.slow
async def test_a_lobby_and_the_form_of_a_table_have_no_findings(page: Page, server: str) -> None:
    await page.goto(f"{server}/open/?game=ready_set_bet")
    await page.get_by_text("More options").click()
    await page.get_by_label("Name of the table").fill("Friends")
    await check(page)
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("button", name="Start the game").wait_for()
    await page.get_by_label("Your message").fill("Come in!")
    await page.keyboard.press("Enter")
    await page.get_by_text("Come in!").wait_for()
    await check(page)
    await page.goto(f"{server}/")
    await page.get_by_text("Friends").wait_for()
    await photograph(page, "start")
    await check(page)


@pytest.mark.slow
async def test_a_result_its_replay_and_its_verification_have_no_findings(
    page: Page, server: str
) -> None:
    game = await start_table(page, server)
    await page.locator(".results").wait_for(timeout=A_RACE_MS)
    await page.get_by_role("link", name="Verify this game").wait_for()
    await photograph(page, "results")
    await check(page)
    await page.goto(f"{server}/games/{game}/replay/?version=5")
    await expect(page.get_by_role("slider")).to_have_value("5")
    await check(page)
    await page.goto(f"{server}/verify/?game={game}")
    await page.get_by_role("heading", name="Verified").wait_for()
    await check(page)
    await page.goto(f"{server}/profile/")
    await histories(page)
    await photograph(page, "profile-guest")
    await check(page)


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en", "fr"])
async def test_the_pages_of_apps_have_no_findings(
    browser: Browser, server: str, new_player: Callable[[], User], locale: str
) -> None:
    user = await sync_to_async(new_player)()
    app = await sync_to_async(clients.register)(user, "A robot", ["https://app.example/"])
    async with await browser.new_context(locale=locale, reduced_motion="reduce") as context:
        page = await context.new_page()
        await page.goto(
            f"{server}/oauth/authorize/?response_type=code&client_id={app.client_id}&scope=play"
            f"&redirect_uri=https://app.example/&code_challenge={'x' * 43}"
            "&code_challenge_method=S256"
        )
        await check(page)
        await photograph(page, f"sign-in-{locale}")
        await page.locator("#username").fill(user.username)
        await page.locator("#password").fill("wrong horse battery")
        await page.locator("#password").press("Enter")
        await page.get_by_role("alert").wait_for()
        await check(page)
        await sign_in_by_keyboard(page, user)
        await page.locator("button[name=allow]").wait_for()
        await check(page)
        await photograph(page, f"consent-{locale}")


async def sign_in_by_keyboard(page: Page, user: User) -> None:
    """Fill in the form of the sign-in page, in any language."""
    await page.locator("#username").fill(user.username)
    await page.locator("#password").fill(PASSWORD)
    await page.locator("#password").press("Enter")


async def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the focus is there, or inside."""
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await wanted.evaluate("wanted => wanted.contains(document.activeElement)"):
            return
    raise AssertionError("the focus never came there")


@pytest.mark.slow
async def test_a_race_is_played_by_keyboard_and_read_out_without_motion(
    page: Page, server: str
) -> None:
    await open_start_page(page, server)
    await page.locator(".card").first.wait_for()
    play = page.get_by_role("article", name="Ready Set Bet").get_by_role("button").first
    await tab_to(page, play)
    await page.keyboard.press("Enter")
    await tab_to(page, page.get_by_role("dialog").get_by_role("button", name="Skip"))
    await page.keyboard.press("Enter")
    is_off = page.locator('[data-phase="open"]')
    await is_off.or_(page.locator('[data-phase="paddock"]')).wait_for()
    await tab_to(page, page.get_by_role("group", name="Betting board"))
    await page.keyboard.press("Enter")
    too_early = page.get_by_text("You can bet only while a race runs.")
    await is_off.or_(too_early).first.wait_for()  # on a slow machine, the horses are off by now

    await is_off.wait_for()
    await page.keyboard.press("2")
    await expect(page.get_by_role("radio", name="Token 2")).to_be_checked()
    await page.locator('[data-spot="win:10:r"]').focus()
    for horse in ("9", "8", "7", "6", "5", "4"):  # until no bot was quicker
        await page.keyboard.press("ArrowUp")
        spot = page.locator(f'[data-spot="win:{horse}:r"]')
        await expect(spot).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(spot.locator(".chip")).to_be_visible()
        if "mine" in (await spot.get_attribute("class") or "").split():
            break
    await expect(page.locator(".spot.mine")).to_have_count(1)
    await page.keyboard.press("3")
    await page.keyboard.press("Enter")
    await page.get_by_text("This spot is already taken.").wait_for()

    await expect(page.get_by_role("log", name="What happened")).not_to_be_empty()
    await expect(page.locator(".lane.moved .unseen").first).to_have_text(AT_SPACE)
    assert await page.evaluate("document.getAnimations().length") == 0
