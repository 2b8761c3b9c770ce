"""The verify page in a real browser: an honest game, a changed bundle, and no network."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import photograph
from tests.browser.scene import authorization, other_origins, play_to_the_end
from tests.builders import NewGame

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]


async def test_a_game_is_verified_in_one_click_and_a_changed_bundle_shows_where(
    page: Page, server: str, new_game: NewGame
) -> None:
    elsewhere = other_origins(page.context, server)
    game = await asyncio.to_thread(play_to_the_end, new_game)
    await page.goto(f"{server}/verify/?game={game}")
    await page.get_by_role("heading", name="Verified").wait_for()
    assert await page.locator(".checks li[data-state=passed]").count() == 5
    await page.get_by_text(f"1 game ({game}), 13 commits").wait_for()
    await photograph(page, "verify")

    address = f"{server}/api/v1/audit/games/{game}/bundle/"
    response = await page.request.get(address, headers=await authorization(page))
    honest = await response.body()
    await page.context.set_offline(True)
    files = page.locator("#file")
    await files.set_input_files(
        {"name": "honest.bundle", "mimeType": "application/jsonl", "buffer": honest}
    )
    await page.get_by_text("Verifying honest.bundle").wait_for(state="hidden")
    await page.get_by_role("heading", name="Verified").wait_for()
    lines = honest.split(b"\n")
    place = next(at for at, line in enumerate(lines) if b'"version":10,' in line)
    lines[place] = lines[place].replace(b'"body":"', b'"body":"AAAA', 1)
    await files.set_input_files(
        {"name": "changed.bundle", "mimeType": "application/jsonl", "buffer": b"\n".join(lines)}
    )
    await page.get_by_role("heading", name="This file was changed").wait_for()
    await expect(page.locator(".reason")).to_contain_text(f"game {game} version 10: hash")
    await expect(page.locator(".checks li[data-state=failed]")).to_contain_text("Every move")
    await photograph(page, "verify-changed")
    await files.set_input_files(
        {"name": "note.txt", "mimeType": "text/plain", "buffer": b"a shopping list"}
    )
    await page.get_by_role("heading", name="neither a bundle nor a receipt").wait_for()
    await page.context.set_offline(False)
    assert elsewhere == []
