"""The lobby's page when starts are given up, one after the other."""

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from railbird_client import Client, RoomNews
from railbird_client.models import NewCommitment, NewGuest, Readiness, SitDown
from tests.browser.scene import open_start_page

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]


async def leave_after_the_reveal(shill: Client, lobby: str) -> None:
    """Take a seat, let all reveal once the host starts, and leave."""
    seated = await shill.join_lobby(lobby, SitDown(commits=True))
    given = NewCommitment(opened=seated.opening.hash, commitment=64 * "0")
    await shill.commit(lobby, given)
    await shill.set_ready(lobby, Readiness(ready=True))
    async with shill.room(lobby) as room:
        async for news in room:
            if isinstance(news, RoomNews) and news.lobby.seats[0].has_revealed:
                break
    await shill.leave_lobby(lobby)


@pytest.mark.slow
async def test_a_page_asks_after_starts_that_were_given_up(page: Page, server: str) -> None:
    await open_start_page(page, server)
    await page.goto(f"{server}/open/?game=ready_set_bet")
    await page.get_by_role("button", name="Open the table").click()
    await page.wait_for_url("**/lobbies/*/")
    lobby = page.url.rstrip("/").rsplit("/", 1)[1]
    start = page.get_by_role("button", name="Start the game")
    asked = page.get_by_role("alert").get_by_role("button", name="Go on")
    async with Client(server, entropy=False) as shill:
        for _ in range(2):  # each is somebody new: who ended a start gets no seat for a while
            shill.token = (await shill.create_guest(NewGuest(display_name="Bob"))).token
            leaving = asyncio.create_task(leave_after_the_reveal(shill, lobby))
            await start.and_(page.locator(":enabled")).click()
            await leaving
            await page.reload()
        await asked.click()
        await asked.wait_for(state="detached")
        shill.token = (await shill.create_guest(NewGuest(display_name="Bob"))).token
        await shill.join_lobby(lobby)
        await shill.set_ready(lobby, Readiness(ready=True))
        await start.and_(page.locator(":enabled")).click()
        await page.wait_for_url("**/games/*/")


@pytest.mark.slow
async def test_a_page_shows_that_a_start_ought_to_be_decided(page: Page, server: str) -> None:
    await page.clock.install()
    await open_start_page(page, server)
    await page.goto(f"{server}/open/?game=carcassonne")
    await page.get_by_label("Pace").select_option(label="A day a decision")
    await page.get_by_role("button", name="Open the table").click()
    await page.wait_for_url("**/lobbies/*/")
    lobby = page.url.rstrip("/").rsplit("/", 1)[1]
    async with Client(server, entropy=False) as silent:
        silent.token = (await silent.create_guest(NewGuest(display_name="Bob"))).token
        seated = await silent.join_lobby(lobby, SitDown(commits=True))
        given = NewCommitment(opened=seated.opening.hash, commitment=64 * "0")
        await silent.commit(lobby, given)
        await silent.set_ready(lobby, Readiness(ready=True))
        start = page.get_by_role("button", name="Start the game")
        answered = asyncio.Event()

        async def hold(route: Route) -> None:
            await answered.wait()
            await route.continue_()

        await page.route("**/start/", hold)
        await start.and_(page.locator(".primary:enabled")).click()
        await expect(start).not_to_have_class("primary")  # before anything is answered
        answered.set()
        await expect(start).to_be_disabled()
        await expect(page.locator(".lobby .primary")).to_have_count(0)
        async with silent.room(lobby) as room:
            async for news in room:
                if isinstance(news, RoomNews) and news.lobby.seats[0].has_revealed:
                    break
        again = page.get_by_role("alert").get_by_role("button", name="Look again")
        await page.clock.fast_forward("49:00:00")
        await again.click()
        await again.wait_for()
        await silent.leave_lobby(lobby)
        await again.wait_for(state="detached")
        await start.wait_for()
