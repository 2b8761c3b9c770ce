"""The server's own pages in a real browser: a guest plays, another browser watches, and the pages
load nothing from other servers."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from typing import Final

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import (
    Browser,
    Dialog,
    Locator,
    Page,
    ViewportSize,
    WebSocketRoute,
    expect,
)

from accounts.models import User
from railbird_engine.rules.ready_set_bet.book import SEAT_COLOURS
from tests.browser.conftest import WITHIN_MS, listen, photograph
from tests.browser.scene import (
    A_RACE_MS,
    RACE_OPTIONS,
    SPOTS,
    authorization,
    bet_on_one_of,
    enter_as,
    open_start_page,
    other_origins,
    press_card,
    start_table,
)

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

WATCHED = {**RACE_OPTIONS, "roll_ms": 400, "pause_ms": 5000}
"""Time for three pages to open before a race, and for their guests to bet in it."""
PHONE: Final = ViewportSize(width=390, height=844)
OTHER_SPOTS = ("win:8:r", "show:5:r", "show:9:r", "place:8:r")
ENGLISH = re.compile(
    r"\b(?:and|are|for|from|is|not|of|that|the|this|to|with|you|your)\b", re.IGNORECASE
)
TEXTS = """() => [...document.querySelectorAll("body *")]
    .filter((one) => !one.closest("ul.tables, .live-race"))  // what users wrote
    .flatMap((one) => [one.ariaLabel, one.title, one.placeholder,
        ...[...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data)])
    .filter(Boolean)
    .concat(document.title)"""


@pytest.mark.slow
async def test_two_guests_play_a_whole_race_and_a_spectator_watches(
    page: Page, browser: Browser, server: str
) -> None:
    async with (
        await browser.new_context(viewport=PHONE, reduced_motion="reduce") as of_opponent,
        await browser.new_context(locale="fr-FR") as of_spectator,  # animated
    ):
        complaints: list[str] = []
        contexts = (page.context, of_opponent, of_spectator)
        elsewhere = [other_origins(context, server) for context in contexts]
        for context in (of_opponent, of_spectator):
            context.set_default_timeout(WITHIN_MS)
            listen(context, complaints)
        opponent, watching = await of_opponent.new_page(), await of_spectator.new_page()
        game = await start_table(page, server, WATCHED, opponent=opponent, spectator=watching)
        await opponent.wait_for_url("**/games/*/")
        await watching.get_by_text("Vous regardez cette partie.").wait_for()

        async def play(player: Page, spots: Sequence[str]) -> Locator:
            await player.locator('[data-phase="open"]').wait_for()
            return await bet_on_one_of(player, spots)

        placed = await asyncio.gather(play(page, SPOTS), play(opponent, OTHER_SPOTS))
        await watching.locator(".gallops").first.wait_for()
        await watching.emulate_media(reduced_motion="reduce")  # enough seen of the gallop
        # Each sees the other's bet, and the spectator both.
        for bet, other in zip(placed, (opponent, page), strict=True):
            spot = await bet.get_attribute("data-spot")
            for seen_by in (other, watching):
                await seen_by.locator(f'[data-spot="{spot}"] .chip').first.wait_for()

        for player in (page, opponent):
            await player.locator(".results").wait_for(timeout=A_RACE_MS)
        await watching.locator(".results").get_by_text("Vainqueur").wait_for()
        for player, bet in zip((page, opponent), placed, strict=True):
            await expect(bet).to_have_attribute("data-outcome", re.compile("won|lost"))
            spot = await bet.get_attribute("data-spot")
            response = await player.request.get(
                f"{server}/api/v1/games/{game}/bets/?spot={spot}",
                headers=await authorization(player),
            )
            (stored, *_) = (await response.json())["items"]
            assert stored["outcome"] == await bet.get_attribute("data-outcome")
        # Both come back to the same seats.
        await page.get_by_role("button", name="Play again with Guest").click()
        await page.wait_for_url("**/lobbies/*/")
        await opponent.get_by_role("button", name="Play again with them").click()
        await opponent.wait_for_url(page.url)
        await expect(page.locator("ol.tables strong")).to_have_count(2)
        assert complaints == []
        assert elsewhere == [[], [], []]


@pytest.mark.slow
async def test_a_command_is_sent_once_until_it_is_answered(page: Page, server: str) -> None:
    sent, known = asyncio.Queue[str](), set[str]()
    answered = asyncio.Event()

    def between(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        async def hold(message: str | bytes) -> None:
            frame = json.loads(message)
            # A server that was not ready to acknowledge a command is asked again, by its id.
            is_again = answered.is_set() and frame["id"] in known
            if frame["type"] == "play" and not is_again:
                known.add(frame["id"])
                sent.put_nowait(frame["command"]["spot"])
                await answered.wait()
            there.send(message)

        socket.on_message(hold)

    await page.route_web_socket(re.compile("/ws/v1/games/"), between)
    await start_table(page, server, {**RACE_OPTIONS, "roll_ms": 4000})
    await page.locator('[data-phase="open"]').wait_for()
    one, other = (page.locator(f'[data-spot="{spot}"]') for spot in ("win:4:r", "win:10:r"))
    await page.keyboard.press("2")
    await one.dblclick()
    await page.keyboard.press("2")  # after another key, a click is a press of its own
    await one.click()
    await other.click()
    async with asyncio.timeout(WITHIN_MS / 1000):
        assert [await sent.get(), await sent.get()] == ["win:4:r", "win:10:r"]
    answered.set()
    await expect(one).to_have_class(re.compile("mine"))
    await page.keyboard.press("3")
    await other.dblclick()
    await expect(other).to_have_class(re.compile("mine"))
    async with asyncio.timeout(WITHIN_MS / 1000):
        assert await sent.get() == "win:10:r"
    assert sent.empty()


@pytest.mark.ci
async def test_the_log_of_a_table_is_not_ahead_of_its_board(page: Page, server: str) -> None:
    holds, is_held, released = asyncio.Event(), asyncio.Event(), asyncio.Event()
    commits = asyncio.Queue[str]()

    def between(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        async def pass_on(message: str | bytes) -> None:
            if holds.is_set() and '"type":"view"' in str(message):
                is_held.set()
                await released.wait()
            socket.send(message)
            if '"type":"commits"' in str(message):
                commits.put_nowait(str(message))

        there.on_message(pass_on)

    await page.route_web_socket(re.compile("/ws/v1/games/"), between)
    await start_table(page, server, {**RACE_OPTIONS, "roll_ms": 1000})
    await page.locator('[data-phase="open"]').wait_for()
    lines = page.locator(".calls li")
    async with asyncio.timeout(WITHIN_MS / 1000):
        holds.set()
        await is_held.wait()
        shown = await lines.count()
        while not commits.empty():
            commits.get_nowait()
        for _ in range(2):
            await commits.get()
        assert await lines.count() == shown
    released.set()
    await expect(lines.nth(shown + 1)).to_be_visible()


@pytest.mark.slow
async def test_a_board_is_drawn_also_where_commits_come_late(page: Page, server: str) -> None:
    """Every view is ahead of the commits that the page has."""
    is_late = asyncio.Event()

    def between(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()
        late: list[str | bytes] = []

        def pass_on(message: str | bytes) -> None:
            if is_late.is_set() and '"type":"commits"' in str(message):
                late.append(message)
                if len(late) <= 2:
                    return
                message = late.pop(0)
            socket.send(message)

        there.on_message(pass_on)

    await page.route_web_socket(re.compile("/ws/v1/games/"), between)
    # The end of the game, which brings a view as well, is further away than the test waits.
    await start_table(page, server, {**RACE_OPTIONS, "roll_ms": 2000, "races": 4})
    await page.locator('[data-phase="open"]').wait_for()
    is_late.set()
    lines = page.locator(".calls li")
    await expect(lines.nth(await lines.count() + 2)).to_be_visible()


async def test_two_users_meet_at_a_table(page: Page, browser: Browser, server: str) -> None:
    await press_card(page, server, "Ready Set Bet", "Open a table")
    await page.get_by_text("More options").click()
    await page.get_by_label("Name of the table").fill("Friends")
    await page.get_by_label("Races").fill("2")
    await page.get_by_label("VIP cards").uncheck()
    await photograph(page, "open")
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("button", name="Start the game").wait_for()
    lobby = page.url.rstrip("/").rpartition("/")[2]
    response = await page.request.get(
        f"{server}/api/v1/lobbies/{lobby}/", headers=await authorization(page)
    )
    opened = await response.json()
    chosen = {name: opened["options"][name] for name in ("races", "vip", "exotics")}
    assert chosen == {"races": 2, "vip": False, "exotics": True}
    assert opened["title"] == "Friends"
    await page.get_by_label("Your message").fill("Come in!")
    await page.keyboard.press("Enter")
    async with await browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(WITHIN_MS)
        guest = await context.new_page()
        await guest.goto(page.url)
        await guest.get_by_text("Come in!").wait_for()
        await guest.get_by_role("button", name="Join").click()
        await guest.get_by_label("Your colour").select_option("5")
        await guest.get_by_role("button", name="I am ready").click()
        await guest.get_by_label("Your message").fill("Here I am.")
        await guest.get_by_role("button", name="Send").click()
        await page.get_by_text("Here I am.").wait_for()
        await page.get_by_text("Ready", exact=True).first.wait_for()
        await photograph(page, "lobby")
        await page.get_by_role("button", name="Start the game").click()
        await guest.wait_for_url("**/games/*/")
        chip = guest.locator(".hand .chip").first
        colour = await chip.evaluate("chip => chip.style.getPropertyValue('--seat')")
        assert colour == SEAT_COLOURS[5].hex
    await page.locator(".hand .chip").first.wait_for()
    # Both pages have added entropy, which page after page keeps.
    game = page.url.rstrip("/").rpartition("/")[2]
    headers = await authorization(page)
    answer = await page.request.get(f"{server}/api/v1/games/{game}/genesis/", headers=headers)
    reveals = json.loads((await answer.json())["text"])["reveals"]
    assert [seat for seat, *_ in reveals] == [0, 1]
    kept = "Object.keys(localStorage).filter((key) => key.startsWith('railbird.entropy.')).length"
    assert await page.evaluate(kept) == 1


@pytest.mark.slow
async def test_a_reload_keeps_the_events_and_resigning_is_for_good(page: Page, server: str) -> None:
    game = await start_table(page, server, {**RACE_OPTIONS, "pause_ms": 60_000})
    event = page.locator(".calls").get_by_text("Race 1: the horses are at the start.")
    await event.wait_for()  # from before the page was opened
    await page.reload()
    await event.wait_for()
    await page.get_by_role("button", name="Resign").click()
    await page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    await page.wait_for_url(f"{server}/")
    await page.get_by_role("link", name=re.compile("^Watch the game of")).first.wait_for()
    await expect(page.get_by_role("link", name=re.compile("^Continue"))).to_have_count(0)
    await page.goto(f"{server}/games/{game}/")
    await page.get_by_text("You resigned: a bot plays your seat to the end.").wait_for()
    await page.get_by_text("A bot plays for you.").wait_for()
    exits = page.get_by_role("button", name=re.compile("Resign|Leave the table"))
    await expect(exits).to_have_count(0)
    await expect(page.locator(".hand")).to_be_hidden()


async def test_a_host_opens_a_table_where_coins_are_played_for(
    page: Page, server: str, new_user: Callable[[], User]
) -> None:
    await enter_as(page, server, await sync_to_async(new_user)())
    await page.goto(f"{server}/open/?game=set_dice")
    await page.get_by_text("More options").click()
    await page.get_by_label("Buy-in").fill("30")
    absence = page.get_by_label("When a player is gone")
    await expect(absence).to_be_disabled()
    await expect(absence).to_have_value("forfeit")
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_text("Buy-in: 30 coins").wait_for()


@pytest.mark.slow
async def test_the_lobby_says_until_when_a_player_who_is_away_keeps_the_seat(
    page: Page, browser: Browser, server: str
) -> None:
    await press_card(page, server, "Ready Set Bet", "Open a table")
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("button", name="Start the game").wait_for()
    async with await browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(WITHIN_MS)
        guest = await context.new_page()
        await guest.goto(page.url)
        await guest.get_by_role("button", name="Join").click()
        await guest.get_by_text("Not ready yet: ").wait_for()
        await guest.goto(f"{server}/verify/")
        away = page.get_by_text("is away, and keeps the seat until")
        await away.wait_for()
        await guest.go_back()
        await expect(away).to_have_count(0)


async def english_on(page: Page) -> list[str]:
    """Find texts of a page, also hidden ones and names of controls, that have English words."""
    return [text for text in await page.evaluate(TEXTS) if ENGLISH.search(text)]


@pytest.mark.slow
async def test_french_pages_have_no_english_words(page: Page, server: str) -> None:
    await open_start_page(page, server)
    await page.locator(".card").first.wait_for()
    assert await english_on(page)
    await page.get_by_role("button", name="Français").click()
    await page.get_by_role("heading", name="Les jeux", exact=True).wait_for()
    assert await page.evaluate("document.documentElement.lang") == "fr"
    await page.get_by_role("button", name="Comment jouer").last.wait_for()
    assert await english_on(page) == []
    forms = await page.evaluate("[...document.querySelectorAll('.card a')].map(({href}) => href)")
    assert len(forms) >= 5
    for card in await page.get_by_role("button", name="Comment jouer").all():
        await card.click()
        await page.get_by_role("dialog").get_by_text("Toutes les règles").wait_for()
        assert await english_on(page) == []
        await page.get_by_role("button", name="Fermer").click()
    for form in forms:
        await page.goto(form)
        await page.get_by_role("button", name="Ouvrir la table").wait_for()
        assert await english_on(page) == []


@pytest.mark.slow
async def test_a_player_is_warned_once_of_leaving_a_clock_and_is_shown_the_way_back(
    page: Page, server: str
) -> None:
    asked: list[str] = []

    async def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        await dialog.accept()

    page.on("dialog", leave)
    options = {"pause_ms": 120_000, "roll_ms": 20_000, "races": 1}
    game = await start_table(page, server, options)
    await page.get_by_role("button", name="Skip").click()
    home = page.get_by_role("link", name="Railbird")
    await home.click()
    question = page.get_by_role("dialog")
    await expect(question).to_contain_text("You can come back from the start page.")
    await question.get_by_role("button", name="Cancel").click()
    await home.click()
    await page.get_by_role("heading", name="Your game continues").wait_for()
    await page.get_by_role("link", name="Back to the table").click()
    await page.wait_for_url(f"**/games/{game}/")
    assert asked == []

    await start_table(page, server, options)
    for _ in range(2):
        await page.locator(".token").first.wait_for()
        await page.keyboard.press("3")  # a browser asks only who has done something
        await page.go_back()
        await page.go_forward()
    assert asked == ["beforeunload"]
