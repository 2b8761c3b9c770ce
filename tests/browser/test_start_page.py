"""The start page and lobbies: nothing moves while they load; the start page asks little."""

import asyncio
import re
from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from accounts.models import User
from games import lobbies
from games.api.sockets.frames import CloseCode
from games.models import Game
from games.play import corrections
from kit import event_loop
from tests.browser.conftest import WITHIN_MS, listen, photograph
from tests.browser.network import install
from tests.browser.scene import RACE_OPTIONS, enter_as, open_start_page, start_table
from tests.builders import end_games, start_game

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

WIDTHS = ((390, 844), (820, 1180), (1440, 900))
RECORD = """window.shifts = [];
const seen = ({ value, sources }) =>
    [value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))];
new PerformanceObserver((list) => shifts.push(...list.getEntries().map(seen)))
    .observe({ type: "layout-shift", buffered: true });"""
PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHIFTS = f"{PAINTED}.then(() => shifts)"


async def late(route: Route) -> None:
    """Answer once the page has painted what it has so far."""
    await route.request.frame.evaluate(PAINTED)
    await route.continue_()


async def open_late(page: Page, server: str) -> None:
    """Open the start page, whose data comes after the first paint, and wait for its cards."""
    await page.goto(f"{server}/")
    await page.get_by_role("button", name="Play now").last.wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), WIDTHS)
async def test_nothing_moves_on_the_start_page_with_or_without_a_race(
    page: Page, browser: Browser, server: str, width: int, height: int
) -> None:
    await sync_to_async(end_games)()
    await page.set_viewport_size({"width": width, "height": height})
    await page.add_init_script(RECORD)
    await page.route("**/api/v1/**", late)
    await open_late(page, server)
    await page.get_by_text("Races appear here while they run.").wait_for()
    assert await page.evaluate(SHIFTS) == []

    complaints: list[str] = []
    async with await browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(WITHIN_MS)
        listen(context, complaints)
        rider = await context.new_page()
        await start_table(rider, server, {**RACE_OPTIONS, "races": 4})
        await open_late(page, server)
        await page.locator(".live-race .track").wait_for()
        assert await page.evaluate(SHIFTS) == []
        await photograph(page, f"start-race-{width}")
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate(f"{PAINTED}.then(() => shifts.length = 0)")
    await sync_to_async(end_games)()
    await page.get_by_text("Races appear here while they run.").wait_for()
    assert await page.evaluate(SHIFTS) == []

    await page.evaluate("document.querySelector('.live-race').style.marginTop = '3rem'")
    await expect(page.locator(".live-race")).to_be_visible()
    assert await page.evaluate(SHIFTS) != [], "what moves is seen"
    assert complaints == []


@pytest.mark.ci
@pytest.mark.parametrize(
    "width",
    [pytest.param(width, marks=pytest.mark.slow if width > 390 else ()) for width, _ in WIDTHS],
)
async def test_nothing_moves_in_a_lobby_while_it_arrives(
    page: Page, server: str, new_user: Callable[[], User], width: int
) -> None:
    user = await sync_to_async(new_user)()
    choices = lobbies.LobbyChoices(slug="ready_set_bet", options={})
    lobby = await sync_to_async(lobbies.create)(user, choices)
    await enter_as(page, server, user)
    await page.set_viewport_size({"width": width, "height": 844})
    await page.add_init_script(RECORD)
    await page.route("**/api/v1/**", late)
    await page.goto(f"{server}/lobbies/{lobby.id}/")
    await page.locator("ol.tables li").first.wait_for()
    await page.locator(".connection:not([data-state='connecting'])").wait_for(state="attached")
    assert await page.evaluate(SHIFTS) == []


def begin_game(user: User) -> Game:
    """Start a game of this user alone."""
    choices = lobbies.LobbyChoices(slug="free_spots", options={})
    return start_game(user, lobbies.create(user, choices).id)


@pytest.mark.slow
async def test_an_idle_start_page_asks_once_a_minute_and_shows_own_games_at_once(
    page: Page, server: str, new_user: Callable[[], User]
) -> None:
    user = await sync_to_async(new_user)()
    await sync_to_async(end_games)()
    await install(page)
    await enter_as(page, server, user)
    await open_start_page(page, server)
    asks = "network.calls.filter((call) => call.includes('/api/v1/'))"
    # The bell looks at once, and again when the inbox has come.
    looks = f"{asks}.filter((call) => call.includes('notices/')).length >= 2"
    await page.wait_for_function(looks)
    await page.clock.pause_at(await page.evaluate("Date.now()") + 1000)
    await page.evaluate("network.calls = []")
    for _ in range(5):
        async with page.expect_response("**/api/v1/games/*"):
            await page.clock.run_for(60_000)
    addresses = [address.split("/api/v1/")[1] for address in await page.evaluate(asks)]
    # Lobbies of other tests may be on the page, which reads the rules of each game once.
    assert [address for address in addresses if not address.startswith("rules/")] == [
        "games/?status=running&limit=12"
    ] * 5

    await page.clock.resume()
    game = await sync_to_async(begin_game)(user)
    await page.locator(f"a.primary[href='/games/{game.id}/']").wait_for()
    await page.wait_for_function(f"{asks}.some((call) => call.includes('mine=true'))")
    assert await sync_to_async(event_loop.call)(corrections.void(game.id, "The test is over."))
    await page.get_by_role("heading", name="Your game continues").wait_for(state="detached")


@pytest.mark.slow
async def test_a_start_page_whose_inbox_is_closed_asks_for_own_games_again(
    page: Page, server: str
) -> None:
    closed = asyncio.Event()

    async def close(socket: WebSocketRoute) -> None:
        await socket.close(code=CloseCode.HISTORY_LOST)
        closed.set()

    connected: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        if not connected:
            connected.append(socket.connect_to_server())

    await page.route_web_socket(re.compile("/ws/v1/me"), close)
    # In minutes that pass at once, it is silent for too long, and Chromium complains of the end of
    # the next ones: they reach nothing.
    await page.route_web_socket(re.compile("/ws/v1/lobbies"), connect)
    await page.clock.install()
    await open_start_page(page, server)
    async with asyncio.timeout(WITHIN_MS / 1000):
        await closed.wait()
    async with page.expect_request(re.compile("mine=true")):
        for _ in range(3):  # the page may take notice a moment later
            async with page.expect_response("**/games/?status=running&limit=12"):
                await page.clock.run_for(60_000)
