"""The server's pages in a real browser: no missing files, violated policies or script errors."""

import json
import re
from urllib.parse import quote

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, expect

from accounts import tokens
from accounts.models import User
from games.models import Game, OperatorAction
from kit import rate_limits
from tests.browser.accessibility import check
from tests.browser.conftest import photograph, sign_in
from tests.builders import NewGame, NewUser
from tests.moves import take

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

ASKED = """query Me { me { displayName } }
subscription Lobbies { lobbies { ... on Lobbies { complete } } }"""
ANSWERS = {"Me": '"Somebody"', "Lobbies": "true"}


@pytest.mark.slow
async def test_graphiql_asks_and_subscribes_with_a_token(
    page: Page, server: str, new_user: NewUser
) -> None:
    token = await sync_to_async(lambda: tokens.begin_session(new_user()).text)()
    headers = json.dumps({"Authorization": f"Bearer {token}"})
    # GraphiQL asks for the schema while it starts: a page that is left before the answer came has a
    # failed request.
    async with page.expect_event(
        "requestfinished", lambda request: request.url == f"{server}/graphql/"
    ):
        await page.goto(f"{server}/graphql/?query={quote(ASKED)}")
    await (
        page.get_by_label("Headers editor")
        .or_(page.locator("section[aria-label=Headers]"))
        .first.click()
    )
    await page.keyboard.insert_text(headers)
    for operation, answer in ANSWERS.items():
        await page.get_by_role("button", name="Execute query").click()
        await page.get_by_role("menuitem", name=operation).click()
        await page.get_by_label("Result Window").get_by_text(answer).wait_for()


@pytest.mark.slow
async def test_the_documentation_shows_every_operation(page: Page, server: str) -> None:
    await page.goto(f"{server}/api/docs/")
    await page.get_by_text("Get the current user.").wait_for()
    assert await page.locator(".opblock").count() > 80


@pytest.mark.slow
async def test_staff_view_a_game_and_add_a_note(
    page: Page, server: str, new_game: NewGame, new_player: NewUser, forgiven: list[str]
) -> None:
    def prepare() -> tuple[User, Game]:
        game, staff = new_game(1), new_player()
        take(game, 7)
        User.objects.filter(id=staff.id).update(is_staff=True, is_superuser=True)
        return staff, game

    staff, game = await sync_to_async(prepare)()
    await page.goto(f"{server}/admin/games/game/bets/?game={game.id}")
    await sign_in(page, staff, "wrong horse battery")
    await page.get_by_role("alert").wait_for()
    await sign_in(page, staff)
    await page.get_by_role("link", name="commit 2").click()
    await page.get_by_role("heading", name=f"Commits of game {game.id}").wait_for()
    await page.goto(f"{server}/admin/games/game/{game.id}/change/")
    await page.get_by_role("link", name="Void, or add a note").click()
    await page.get_by_label("Reason").fill("The lights went out.")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("Done: it is in the log of the game.").wait_for()
    assert await OperatorAction.objects.filter(
        operator=staff, action="annotate", subject__contains=str(game.id)
    ).aexists()

    await page.goto(f"{server}/admin/games/operatoraction/console/")
    await page.get_by_text("Commits per second").wait_for()
    await photograph(page, "console")
    await page.get_by_label("Id or beginning of a name").fill(str(game.id))
    await page.get_by_role("button", name="Search").click()
    await page.get_by_role("link", name="Watch").click()
    await page.get_by_label("Reason").fill("A player complained.")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Version 3").wait_for()

    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("link", name="Log in again").click()
    for _ in range(10):
        await sync_to_async(rate_limits.guess)(staff.username, "127.0.0.1")
    forgiven.append("status of 429")
    await sign_in(page, staff)
    await page.get_by_role("heading", name="Not now").wait_for()


@pytest.mark.slow
async def test_frames_are_tried_on_the_socket_playground(
    page: Page, server: str, new_game: NewGame
) -> None:
    game = await sync_to_async(new_game)(1)
    await page.goto(f"{server}/api/sockets/")
    await page.get_by_label("game", exact=True).fill(str(game.id))
    await page.get_by_role("button", name="Connect").click()
    frames = page.get_by_role("log", name="Frames")
    await frames.get_by_text("received: view").wait_for()
    await page.get_by_label("Frame to send").select_option("look")
    await page.get_by_role("button", name="Send").click()
    await expect(frames.get_by_text("received: view")).to_have_count(2)
    await page.get_by_label("Frame to send").select_option("play")
    await expect(page.get_by_label("The frame as JSON")).to_have_value(re.compile('"id": ".{36}"'))
    await page.get_by_role("button", name="Send").click()
    await frames.get_by_text(re.compile("received: (error|refused)")).wait_for()
    await page.locator(".reference").get_by_text("heartbeat").click()
    await page.locator(".reference pre").get_by_text('"heartbeat"').wait_for()
    await photograph(page, "sockets")
    await check(page)
