"""Chat of a lobby and of a team in real browsers, and what strangers write in a chat."""

from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from playwright.async_api import Browser, Page, expect

from games.lobbies.access import locked, record
from games.reads.lobby_events import MessageSent
from tests.browser.accessibility import check
from tests.browser.conftest import WITHIN_MS, listen, photograph
from tests.browser.scene import authorization, open_start_page

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

MESSAGES = 120
"""More than the server lists at once."""

HOSTILE = (
    "W" * 500,
    "<img src=x onerror=alert(1)><b>bold</b>",
    "שלום עולם، مرحبا بالعالم (1 + 2)",
    "👩‍👩‍👧‍👦" * 20,
)


async def open_lobby(page: Page, server: str) -> str:
    """Open a table of three teams: the host plays with the user who joins next, on seat 3."""
    await open_start_page(page, server)
    headers = await authorization(page)
    address = f"{server}/api/v1/lobbies/"
    choices = {"slug": "quitte_ou_double", "options": {"team_count": 3}}
    lobby = await (await page.request.post(address, data=choices, headers=headers)).json()
    for _ in range(2):
        await page.request.post(f"{address}{lobby['id']}/bots/", headers=headers)
    await page.goto(f"{server}/lobbies/{lobby['id']}/")
    return str(lobby["id"])


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Your message").fill(text)
    await page.keyboard.press("Enter")


@sync_to_async
def write_messages(lobby_id: UUID) -> None:
    """Let the host of a lobby have written messages with the numbers 1 to MESSAGES."""
    with transaction.atomic():
        lobby = locked(lobby_id)
        for number in range(1, MESSAGES + 1):
            said = MessageSent(user=lobby.host_id, id=uuid4(), text=f"Message {number}.")
            record(lobby, said)


@pytest.mark.slow
async def test_a_visitor_reads_each_message_once(page: Page, server: str) -> None:
    lobby = await open_lobby(page, server)
    await write_messages(UUID(lobby))
    await page.reload()
    messages = page.locator(".chat-log bdi")
    await expect(messages.last).to_have_text(f"Message {MESSAGES}.")
    await say(page, "Now")
    await expect(messages.last).to_have_text("Now")
    numbered = [f"Message {number}." for number in range(1, MESSAGES + 1)]
    assert await messages.all_text_contents() == [*numbered, "Now"]


@pytest.mark.slow
@pytest.mark.parametrize("forgiven", [["status of 409"]])
async def test_a_team_talks_and_nobody_else_reads_it(
    page: Page, browser: Browser, server: str
) -> None:
    complaints: list[str] = []
    async with (
        await browser.new_context(reduced_motion="reduce") as of_mate,
        await browser.new_context(reduced_motion="reduce", locale="fr") as of_spectator,
    ):
        for context in (of_mate, of_spectator):
            context.set_default_timeout(WITHIN_MS)
            listen(context, complaints)
        lobby = await open_lobby(page, server)
        audience = page.get_by_label("Who reads it")
        await page.get_by_label("Your message").wait_for()
        await expect(audience).to_be_hidden()
        mate, spectator = await of_mate.new_page(), await of_spectator.new_page()
        for other in (mate, spectator):
            await other.goto(f"{server}/lobbies/{lobby}/")
        await mate.get_by_role("button", name="Join").click()
        await audience.select_option("My team")
        await say(page, "Third gap")
        line = mate.locator(".chat-log .to-team")
        await expect(line).to_contain_text("to the team: Third gap")
        await photograph(mate, "team-chat")
        await check(mate)
        screen = await of_mate.new_page()
        await screen.goto(f"{server}/lobbies/{lobby}/?screen")

        await audience.select_option("Everyone")
        await say(page, "Ready?")
        await spectator.get_by_text("Ready?").wait_for()
        await screen.get_by_text("Ready?").wait_for(state="attached")
        for reader in (spectator, screen):
            await expect(reader.get_by_text("Third gap")).to_have_count(0)
        await expect(spectator.locator(".chat-form select")).to_be_hidden()

        await audience.select_option("My team")
        await mate.get_by_role("button", name="Leave").click()
        await page.get_by_text("leaves the table.").wait_for()
        await say(page, "Still for the team")
        await page.get_by_text("You are in no team at the moment.").wait_for()
        await audience.select_option("Everyone")
        await expect(page.get_by_label("Your message")).to_have_value("Still for the team")
    assert complaints == []


@pytest.mark.ci
async def test_hostile_messages_are_text_within_the_phone(page: Page, server: str) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await open_lobby(page, server)
    for number, text in enumerate(HOSTILE, 1):
        await say(page, text)
        message = page.locator(".chat-log li bdi").nth(number - 1)
        await expect(message).to_have_text(text)
    assert await page.locator(".chat-log :is(img, script)").count() == 0
    widths = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    found, room = await page.evaluate(widths)
    assert found <= room
    log = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
    assert await page.evaluate(f"{log}(document.querySelector('.chat-log'))")
