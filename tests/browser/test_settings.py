"""The settings of the profile page, in a real browser and by keyboard alone."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, expect

from accounts import people, tokens
from accounts.models import User
from tests.api.registered import code_of
from tests.browser.accessibility import check
from tests.browser.conftest import PASSWORD, histories, photograph
from tests.browser.scene import enter_as

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

NEW_PASSWORD = "a new horse battery"


async def open_settings(page: Page, server: str, user: User) -> None:
    """Open the profile of this user."""
    await enter_as(page, server, user)
    await page.goto(f"{server}/profile/")
    await histories(page)


async def open_part(page: Page, title: str) -> None:
    """Open a part of the settings, and go to its first field."""
    await page.locator(".setting > summary", has_text=title).focus()
    await page.keyboard.press("Enter")
    part = page.locator(".setting", has=page.locator("summary", has_text=title))
    await part.locator("input, button, li").first.wait_for()
    await page.keyboard.press("Tab")


async def type_in(page: Page, *texts: str) -> None:
    """Fill in the fields from the focus on, and send the form."""
    for nth, text in enumerate(texts):
        if nth:
            await page.keyboard.press("Tab")
        if await page.locator("button:focus").count():
            await page.keyboard.press("Tab")  # "Show", beside the password before
        await expect(page.locator("input:focus")).to_have_value("")
        await page.keyboard.insert_text(text)
    await page.keyboard.press("Enter")


@pytest.mark.slow
async def test_all_settings_are_changed_by_keyboard(
    page: Page, server: str, new_player: Callable[[], User], forgiven: list[str]
) -> None:
    user = await sync_to_async(new_player)()
    await sync_to_async(tokens.begin_session)(user)
    await open_settings(page, server, user)

    await open_part(page, "Password")
    forgiven.append("status of 4")
    await type_in(page, "not my password", NEW_PASSWORD)
    await page.get_by_text("This is not your present password.").wait_for()
    await page.get_by_label("Your present password").fill(PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.locator("p:focus")).to_have_text("It is done.")

    await open_part(page, "Second factor")
    await page.keyboard.press("Enter")
    await page.get_by_role("img", name="QR code of the secret").wait_for()
    await expect(page.locator("p:focus")).to_contain_text("Scan")
    await page.keyboard.press("Tab")
    await type_in(page, await sync_to_async(code_of)(user), NEW_PASSWORD)
    await expect(page.locator(".recovery li")).to_have_count(10)

    await open_part(page, "E-mail address")
    address = f"{uuid4().hex}@example.org"
    await type_in(page, address)
    await expect(page.locator("p:focus")).to_contain_text(f"A code was sent to {address}.")
    await page.keyboard.press("Tab")
    await type_in(page, await sync_to_async(people.code_for_address)(user, address), NEW_PASSWORD)
    await expect(page.locator("p:focus")).to_have_text("It is done.")

    await sync_to_async(user.refresh_from_db)()
    await sync_to_async(tokens.begin_session)(user)  # the new password has ended the others
    await open_part(page, "Sessions")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="End it")).to_have_count(0)

    assert user.email == address
    assert await sync_to_async(user.check_password)(NEW_PASSWORD)


@pytest.mark.slow
async def test_the_settings_have_no_findings(
    page: Page, server: str, new_player: Callable[[], User]
) -> None:
    await open_settings(page, server, await sync_to_async(new_player)())
    for title in ("E-mail address", "Password", "Second factor", "Sessions"):
        await open_part(page, title)
    await page.get_by_role("button", name="Set up a second factor").click()
    await page.get_by_role("img", name="QR code of the secret").wait_for()
    await page.get_by_text("This session").wait_for()
    await photograph(page, "settings")
    await check(page)
