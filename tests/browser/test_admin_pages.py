"""Accessibility of the admin: the console, its forms, and the sign-in of staff."""

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page

from accounts.models import User
from games.models import Game
from tests.browser.accessibility import check
from tests.browser.conftest import PASSWORD, photograph
from tests.moves import take

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

CONSOLE = "/admin/games/operatoraction"


@pytest.mark.slow
async def test_the_pages_of_operators_have_no_findings(
    page: Page, server: str, new_game: Callable[..., Game], new_player: Callable[[], User]
) -> None:
    def prepare() -> tuple[User, Game, User]:
        game, staff = new_game(1), new_player()
        take(game, 7)
        User.objects.filter(id=staff.id).update(is_staff=True, is_superuser=True)
        return staff, game, new_player()

    staff, game, player = await sync_to_async(prepare)()
    await page.goto(f"{server}/admin/")
    await check(page)
    await page.get_by_label("Username").fill(staff.username)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.keyboard.press("Enter")
    await page.get_by_role("link", name="Console").wait_for()
    for name, address in {
        "index": "/admin/",
        "console": f"{CONSOLE}/console/",
        "search": f"{CONSOLE}/console/?q={player.username}",
        "search-game": f"{CONSOLE}/console/?q={game.id}",
        "watch": f"{CONSOLE}/games/{game.id}/watch/",
        "lobby": f"{CONSOLE}/lobbies/{game.lobby_id}/",
        "suspend": f"{CONSOLE}/users/{player.id}/",
        "intervene": f"/admin/games/game/{game.id}/intervene/",
        "bets": f"/admin/games/game/bets/?game={game.id}",
        "commits": f"/admin/games/game/{game.id}/commits/",
        "games": "/admin/games/game/",
        "game": f"/admin/games/game/{game.id}/change/",
        "actions": f"{CONSOLE}/",
        "second-factor": "/admin/second-factor/",
        "password": "/admin/password_change/",
    }.items():
        await page.goto(f"{server}{address}")
        await photograph(page, f"admin-{name}")
        await check(page)
    await page.goto(f"{server}{CONSOLE}/games/{game.id}/watch/")
    await page.get_by_label("Reason").fill("A player complained")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("As spectators see it").wait_for()
    await photograph(page, "admin-watched")
    await check(page)
