"""The replay page in a real browser: it shows what the table showed, at any version."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, WebSocket, expect

from tests.browser.conftest import photograph
from tests.browser.scene import A_RACE_MS, authorization, start_table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

TRACK = "Array.from(document.querySelectorAll('.lane .unseen'), lane => lane.textContent)"


LISTEN = """() => {
    const connection = document.querySelector(".connection");
    window.said = [];
    const note = () => connection.textContent && window.said.push(connection.textContent);
    new MutationObserver(note).observe(connection, { childList: true, characterData: true });
}"""
"""Collects what the page says about its connection."""


def views_of(page: Page) -> dict[int, Any]:
    """Collect the views that the sockets of a page receive, by version."""
    views: dict[int, Any] = {}

    def take(text: str | bytes) -> None:
        frame = json.loads(text)
        for each in frame if isinstance(frame, list) else [frame]:
            if each.get("type") == "view":
                views[each["version"]] = each["view"]

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", take)

    page.on("websocket", listen)
    return views


@pytest.mark.slow
async def test_a_replay_shows_what_the_table_showed(page: Page, server: str) -> None:
    live = views_of(page)
    game = await start_table(page, server)
    await page.locator('[data-phase="open"]').wait_for()
    await page.evaluate(LISTEN)
    await page.locator(".results").wait_for(timeout=A_RACE_MS)
    await page.get_by_role("link", name="Verify this game").wait_for()
    assert await page.evaluate("window.said") == [], "the end of a game is no lost connection"
    track = await page.evaluate(TRACK)
    await page.get_by_role("link", name="Replay").click()
    slider = page.get_by_role("slider", name="Moment of the game")
    await expect(slider).to_have_value("1")
    last = int(await slider.get_attribute("max") or 0)
    assert last >= max(live)

    await page.get_by_role("button", name="Next bet").click()
    await expect(page.locator(".spot .chip").first).to_be_visible()
    await expect(page.locator(".hand")).to_be_hidden()
    await page.get_by_role("button", name="Next payout").click()
    await expect(page.locator(".results")).to_be_visible()
    assert await page.evaluate(TRACK) == track
    await expect(page).to_have_url(re.compile(r"\?version=\d+$"))
    address = page.url
    await photograph(page, "replay")
    await slider.focus()
    await page.keyboard.press("Home")
    await expect(page.locator(".results")).to_be_hidden()
    await page.get_by_label("Speed").select_option("8 ×")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(slider).to_have_value(re.compile(r"^([4-9]|\d\d+)$"))
    await page.get_by_role("button", name="Pause").click()
    await page.locator(".spot").first.click()
    await page.get_by_text("This is a replay").wait_for()
    await page.goto(address)
    await expect(page.locator(".results")).to_be_visible()

    headers = await authorization(page)
    replayed: dict[int, Any] = {}
    for first in range(1, last + 1, 100):
        response = await page.request.get(
            f"{server}/api/v1/games/{game}/views/?from={first}", headers=headers
        )
        views = (await response.json())["views"]
        replayed |= {each["version"]: each["view"] for each in views}
    assert {version: replayed[version] for version in live} == live
