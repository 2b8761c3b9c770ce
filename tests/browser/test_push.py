"""A message of Web Push reaches the service worker of a real browser.

The message comes through the debugger: without the network, Chromium cannot subscribe.
"""

import asyncio
import json
from typing import Any, Final

import pytest
from playwright.async_api import Page

from tests.browser.conftest import WITHIN_MS

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

MESSAGE: Final[dict[str, Any]] = {
    "title": {"en": "It is your turn", "fr": "C’est à vous"},
    "path": "/games/7/",
}
START = """navigator.serviceWorker.register("/service-worker.js")
    .then(() => navigator.serviceWorker.ready).then(() => 0)"""
SPY = """() => {
    self.shown = new Promise((resolve) => {
        self.registration.showNotification = async (title, { data }) => resolve([title, data]);
    });
}"""


async def test_a_pushed_message_becomes_a_notification_in_the_language_of_the_browser(
    page: Page, server: str
) -> None:
    await page.context.grant_permissions(["notifications"])
    debugger = await page.context.new_cdp_session(page)
    known = asyncio.get_running_loop().create_future()

    def note(found: dict[str, Any]) -> None:
        for each in found["registrations"]:
            if not known.done():
                known.set_result(each["registrationId"])

    debugger.on("ServiceWorker.workerRegistrationUpdated", note)
    await page.goto(f"{server}/open/")
    await page.evaluate(START)
    (worker,) = page.context.service_workers
    await worker.evaluate(SPY)
    await debugger.send("ServiceWorker.enable")
    async with asyncio.timeout(WITHIN_MS / 1000):
        pushed = {"origin": server, "registrationId": await known, "data": json.dumps(MESSAGE)}
        await debugger.send("ServiceWorker.deliverPushMessage", pushed)
        shown = await worker.evaluate("self.shown")
    assert shown == [MESSAGE["title"]["en"], MESSAGE["path"]]
