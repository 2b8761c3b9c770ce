"""An archived game in a real browser: its pages work as before."""

import asyncio
from datetime import date
from pathlib import Path
from uuid import UUID

import pytest
from playwright.async_api import Page, expect

from accounts.models import User
from games import lobbies
from games.models import ArchivedGame, Commit, Game
from games.proofs import archiving
from kit.object_storage import ObjectStorage
from tests.archive.past import as_owner, make_months, played_in
from tests.browser.conftest import histories, photograph
from tests.browser.scene import enter_as, play_to_the_end
from tests.builders import NewGame

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

MONTH = date(1998, 7, 1)


def play_and_archive(new_game: NewGame, archive: Path) -> tuple[str, User]:
    """Play a game of a month long ago, and archive it; return its id and its host."""
    make_months(MONTH)
    with played_in(MONTH):
        game = play_to_the_end(new_game)
        lobbies.settle_ended()
        host = Game.objects.get(id=game).lobby.host
        objects = ObjectStorage(archive.as_uri(), patient=True)
        with as_owner():
            archiving.archive(
                MONTH, objects, by=host, reason="a test of pages", on_games=lambda *_: None
            )
    assert ArchivedGame.objects.filter(game=UUID(game)).exists()
    assert not Commit.objects.filter(game=UUID(game)).exists()
    return game, host


@pytest.mark.slow
async def test_replay_and_verification_of_an_archived_game(
    page: Page, server: str, archive: Path, new_game: NewGame
) -> None:
    game, host = await asyncio.to_thread(play_and_archive, new_game, archive)
    await page.goto(f"{server}/verify/?game={game}")
    await page.get_by_role("heading", name="Verified").wait_for()
    assert await page.locator(".checks li[data-state=passed]").count() == 5
    await page.get_by_text("13 commits").first.wait_for()
    await photograph(page, "archived-verify")

    await enter_as(page, server, host)
    await page.goto(f"{server}/profile/")
    await histories(page)
    await page.get_by_text("Games up to July 1998 are archived.").wait_for()

    await page.goto(f"{server}/games/{game}/replay/?version=2")
    slider = page.get_by_role("slider", name="Moment of the game")
    await expect(slider).to_have_value("2")
    await expect(slider).to_have_attribute("max", "13")
    await expect(page.get_by_text("taken", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Next payout").click()
    await expect(slider).to_have_value("13")
    await photograph(page, "archived-replay")
    await page.get_by_role("link", name="Back to the table").click()
    await page.get_by_role("link", name="Verify this game").wait_for()
    await expect(page.locator("main .panel").first).to_be_visible()
