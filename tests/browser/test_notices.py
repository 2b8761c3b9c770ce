"""The bell, the list of notices and their settings, and webhooks, in a real browser."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from playwright.async_api import Page, expect

from accounts import tokens
from accounts.models import User
from notices import inbox, webhooks
from notices.kinds import Fact, Kind
from tests.browser.conftest import photograph

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]


def tell(user: User, *kinds: Kind) -> None:
    with transaction.atomic():
        inbox.tell([Fact(user.id, kind, uuid4(), 0, {"lobby": str(uuid4())}) for kind in kinds])


async def test_the_bell_counts_until_the_list_is_read_and_kinds_are_chosen(
    page: Page, server: str, new_player: Callable[[], User]
) -> None:
    user = await sync_to_async(new_player)()
    token = (await sync_to_async(tokens.begin_session)(user)).text
    await page.goto(f"{server}/verify/")
    await page.evaluate("token => localStorage.setItem('railbird.token', token)", token)
    await sync_to_async(tell)(user, "your_turn", "game_over")
    await page.goto(f"{server}/open/")
    await page.get_by_role("link", name="Notices 2").click()
    lines = page.locator(".notice-list li")
    await expect(lines).to_have_count(2)
    await expect(lines.first).to_contain_text("Your game has ended")
    box = page.get_by_role("checkbox", name="It is your turn by mail")
    await expect(box).to_be_checked()
    await box.uncheck()
    await page.get_by_text("Saved.").wait_for()
    assert (await sync_to_async(inbox.wanted_by)(user))["your_turn"] == ["inbox", "push"]
    await expect(page.get_by_role("link", name="Notices", exact=True)).to_have_count(1)
    await page.get_by_label("Address").fill("https://example.org/hook")
    await page.get_by_role("button", name="Create a webhook").click()
    await page.get_by_text("Keep this secret").wait_for()
    await page.get_by_text("https://example.org/hook").wait_for()
    await photograph(page, "notices")
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("https://example.org/hook")).to_have_count(0)
    assert await sync_to_async(webhooks.of(user).count)() == 0
