"""The bell, the list of notices and their settings, and webhooks, in a real browser."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, expect

from accounts.models import User
from notices import inbox, webhooks
from notices.kinds import Fact
from notices.models import Delivery, Inbox
from tests.browser.conftest import histories, photograph
from tests.browser.scene import enter_as, start_table
from tests.notices.scene import fact, proved, tell
from tests.waiting import until

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]


def fail_the_test_of(user: User) -> None:
    """Let the only test fail, and prove the webhook nevertheless: no worker runs."""
    Delivery.objects.filter(user=user, kind="test").update(
        state="failed", status=500, error="refused"
    )
    proved(webhooks.of(user)[0])


@pytest.mark.ci
async def test_the_bell_counts_until_the_list_is_read_and_kinds_are_chosen(
    page: Page, server: str, new_player: Callable[[], User]
) -> None:
    user = await sync_to_async(new_player)()
    await enter_as(page, server, user)
    over = fact(user, "game_over")
    over.data.update(slug="ready_set_bet", ended="finished", rank=2)
    await sync_to_async(tell)(fact(user, "your_turn"), over)
    await page.goto(f"{server}/open/")
    await page.get_by_role("link", name="Notices 2").click()
    lines = page.locator(".notice-list li")
    await expect(lines).to_have_count(2)
    await expect(lines.first).to_contain_text("Ready Set Bet · Your game has ended · your rank: 2")
    box = page.get_by_role("checkbox", name="It is your turn by mail")
    await expect(box).to_be_checked()
    await box.uncheck()
    await page.get_by_text("Saved.").wait_for()
    assert (await sync_to_async(inbox.wanted_by)(user))["your_turn"] == ["inbox", "push"]
    await expect(page.get_by_role("link", name="Notices", exact=True)).to_have_count(1)
    await page.get_by_label("Address").fill("https://example.org/hook")
    await page.get_by_role("button", name="Create a webhook").click()
    await page.get_by_text("Keep this secret").wait_for()
    await page.get_by_text("https://example.org/hook receives nothing before a test").wait_for()
    await page.get_by_role("button", name="Test").click()
    await page.get_by_text("A test is on its way.").wait_for()
    await sync_to_async(fail_the_test_of)(user)
    await page.reload()
    await page.get_by_text("Deliveries").click()
    await page.get_by_text("failed 500").wait_for()
    await photograph(page, "notices")
    await page.get_by_role("button", name="Send again").click()
    again = re.compile("waiting|not_resolved")  # a worker may have tried at once
    await expect(page.locator(".webhook")).to_contain_text(again)
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("https://example.org/hook")).to_have_count(0)
    assert await sync_to_async(webhooks.of(user).count)() == 0


@pytest.mark.slow
async def test_a_notice_of_what_the_table_shows_is_read(
    page: Page, server: str, new_player: Callable[[], User]
) -> None:
    user = await sync_to_async(new_player)()
    await enter_as(page, server, user)
    game = await start_table(page, server)
    await page.locator(".ready-set-bet").wait_for()
    known = Fact(user.id, "game_starts", UUID(game), 0, {"game": game})
    await sync_to_async(tell)(known)
    await page.goto(f"{server}/open/?game=set_dice")
    read = Inbox.objects.filter(user=user, read__gt=0)
    await sync_to_async(until)(read.exists, "the notice is read")


@pytest.mark.slow
async def test_a_browser_without_a_push_service_says_so_and_signing_out_ends_a_subscription(
    page: Page, server: str, new_player: Callable[[], User], forgiven: list[str]
) -> None:
    forgiven.append("Push API in incognito mode")
    await page.context.grant_permissions(["notifications"])
    await enter_as(page, server, await sync_to_async(new_player)())
    await page.goto(f"{server}/notices/")
    await page.get_by_role("button", name="Show notices on this device").click()
    await page.get_by_text("The browser could not subscribe").wait_for()
    await page.add_init_script("""
        const unsubscribe = async () => localStorage.setItem("ended", "yes");
        PushManager.prototype.getSubscription = async () => ({ unsubscribe });
    """)
    await page.goto(f"{server}/profile/")
    await histories(page)
    await page.get_by_role("button", name="Sign out").click()
    await page.wait_for_url(f"{server}/")
    assert await page.evaluate("localStorage.ended") == "yes"
    await page.locator("ul.tables li").last.wait_for()
