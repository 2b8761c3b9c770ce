"""The profile page and invitations in a real browser."""

import csv
import json
import re
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Download, Page, Route, expect

from accounts.models import Token, User
from games import lobbies
from games.models import Commit
from railbird_engine.kernel import chain
from tests.browser.conftest import (
    PASSWORD,
    WITHIN_MS,
    histories,
    photograph,
    sign_in_as,
    sign_in_here,
)
from tests.browser.scene import authorization, enter_as, press_card
from tests.builders import start_game
from tests.moves import take

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

SPOTS = range(3, 33)  # more bets than the page shows at first


def bet_as(user: User) -> None:
    """Place a bet on each of these spots, in a game of this user alone."""
    choices = lobbies.LobbyChoices(slug="free_spots", options={})
    game = start_game(user, lobbies.create(user, choices).id)
    for spot in SPOTS:
        take(game, spot)


async def lines_of(saved: Download) -> list[str]:
    """Read a file that the page has saved."""
    path = await saved.path()
    return (await sync_to_async(path.read_text)()).splitlines()


APART = """button => {
    const [one, other] = [document.querySelector(".message"), button].map(
        (each) => each.getBoundingClientRect());
    return one.height > 0 && (one.bottom <= other.top || one.top >= other.bottom);
}"""


MESSAGES_STAY = """const { setTimeout } = window;
window.setTimeout = (work, ms, ...more) => setTimeout(work, ms === 6000 ? 1e9 : ms, ...more);"""


@pytest.mark.ci
async def test_a_message_covers_nothing_that_has_the_focus(page: Page, server: str) -> None:
    await page.set_viewport_size({"width": 390, "height": 300})
    await page.add_init_script(MESSAGES_STAY)
    await page.goto(f"{server}/profile/#keys=none")
    await page.get_by_text("Sign in here to play the games of your other device.").wait_for()
    button = page.get_by_role("button", name="Français")
    await button.focus()
    await page.evaluate("new Promise(requestAnimationFrame)")
    assert await button.evaluate(APART)


@pytest.mark.slow
async def test_a_user_reads_and_downloads_bets_and_transfers(
    page: Page, server: str, new_player: Callable[[], User]
) -> None:
    user = await sync_to_async(new_player)()
    await sync_to_async(bet_as)(user)
    await sign_in_as(page, server, user)
    await page.get_by_text("Coins:").wait_for()

    bets = page.get_by_role("region", name="Your bets")
    rows = bets.locator("tbody tr")
    await expect(rows).to_have_count(25)
    await bets.get_by_role("button", name="Show more").click()
    await expect(rows).to_have_count(len(SPOTS))
    await expect(rows.first).to_contain_text("open")
    await expect(rows.first.get_by_role("link")).to_have_attribute(
        "href", re.compile(r"/replay/\?version=\d+$")
    )
    transfers = page.get_by_role("region", name="Your transfers")
    await transfers.get_by_text("opening grant").wait_for()
    await photograph(page, "profile")
    async with page.expect_download() as saving:
        await bets.get_by_role("button", name="CSV").click()
    lines = await lines_of(await saving.value)
    assert [row["spot"] for row in csv.DictReader(lines)] == [str(spot) for spot in SPOTS]
    async with page.expect_download() as saving:
        await transfers.get_by_role("button", name="JSONL").click()
    lines = await lines_of(await saving.value)
    assert "opening_grant" in {json.loads(line)["reason"] for line in lines}

    await page.get_by_role("button", name="Sign out").click()
    await page.locator(".card").first.wait_for()
    await expect(page.locator("ul.tables li").last).to_be_visible()  # the games to watch
    await page.get_by_role("link", name="Profile").click()
    await page.get_by_text("You are playing as a guest").wait_for()
    await histories(page)


@pytest.mark.ci
async def test_a_guest_registers_and_comes_back_on_another_device(
    page: Page, browser: Browser, server: str, forgiven: list[str]
) -> None:
    name = f"anna-{uuid4().hex[:12]}"
    await page.goto(f"{server}/profile/")
    await histories(page)
    form = page.locator("form", has=page.get_by_role("button", name="Register"))
    await form.get_by_label("Display name").fill("Anna")
    await form.get_by_label("Username").fill(name)
    await form.get_by_label("Password").fill("password1234")
    forgiven.append("status of 4")
    await form.get_by_role("button", name="Register").click()
    await page.get_by_text("This password is too easy to guess.").wait_for()
    await form.get_by_label("Password").fill(PASSWORD)
    await form.get_by_role("button", name="Register").click()
    await page.get_by_text(f"You are signed in as {name}.").wait_for()
    await histories(page)
    async with await browser.new_context(locale="fr-FR") as context:
        context.set_default_timeout(WITHIN_MS)
        other = await context.new_page()
        await other.goto(f"{server}/profile/")
        await other.get_by_text("Vous avez déjà un compte").click()
        form = other.locator("form", has=other.get_by_role("button", name="Se connecter"))
        await form.get_by_label("Identifiant").fill(name)
        await form.get_by_label("Mot de passe").fill(PASSWORD)
        await form.get_by_role("button", name="Se connecter").click()
        await other.get_by_role("heading", name="Anna").wait_for()


@pytest.mark.slow
async def test_a_guest_moves_to_another_device_by_a_code_that_works_once(
    page: Page, browser: Browser, server: str, forgiven: list[str]
) -> None:
    await page.clock.install()
    await page.goto(f"{server}/profile/")
    await histories(page)
    name = await page.locator("h1").inner_text()
    codes: list[str] = []

    async def note(route: Route) -> None:
        answer = await route.fetch()
        codes.append((await answer.json())["code"])
        await route.fulfill(response=answer)

    await page.route("**/auth/device/", note)
    await page.get_by_role("button", name="Move to another device").click()
    shown = page.get_by_role("img", name="QR code for the other device")
    await shown.wait_for()
    await page.clock.fast_forward(5 * 60_000)
    await shown.wait_for(state="detached")
    async with await browser.new_context() as context:
        context.set_default_timeout(WITHIN_MS)
        phone = await context.new_page()
        for failure in (None, "This code is wrong"):
            await phone.goto(f"{server}/verify/")
            await phone.goto(f"{server}/profile/#device={codes[0]}")
            await phone.get_by_role("button", name="Go on here").click()
            if failure:
                await phone.get_by_text(failure).wait_for()
            await phone.get_by_role("heading", name=name).wait_for()
            await histories(phone)
    forgiven.append("status of 401")
    await page.reload()
    await page.get_by_text("Your session has ended.").wait_for()
    await histories(page)


RECORD = """window.encoded = [];
const { encode } = TextEncoder.prototype;
TextEncoder.prototype.encode = function (text) {
    window.encoded.push(text);
    return encode.call(this, text);
};"""
"""Keep the texts of QR codes."""


@pytest.mark.slow
@pytest.mark.parametrize("is_guest", [True, False], ids=["guest", "registered"])
async def test_a_player_signs_on_another_device_with_the_key_in_the_code(
    page: Page, browser: Browser, server: str, new_player: Callable[[], User], *, is_guest: bool
) -> None:
    await page.add_init_script(RECORD)
    user = None if is_guest else await sync_to_async(new_player)()
    if user:
        await sign_in_as(page, server, user)
    await press_card(page, server, "Double or Quits", "Guided round")  # it waits for the player
    await page.get_by_role("dialog").get_by_role("button", name="Skip").click()
    await page.get_by_role("button", name="Level 1").wait_for()
    table = page.url
    await page.goto(f"{server}/profile/")
    await histories(page)
    await page.get_by_role("button", name=re.compile("(to|on) another device")).click()
    await page.get_by_role("img", name="QR code for the other device").wait_for()
    address = await page.evaluate("encoded.findLast((text) => text.includes('/profile/#'))")
    async with await browser.new_context() as context:
        context.set_default_timeout(WITHIN_MS)
        phone = await context.new_page()
        await phone.goto(address)
        if user:
            await phone.get_by_text("Sign in here to play the games").wait_for()
            await sign_in_here(phone, user)
        await phone.get_by_role("button", name="Go on here").click()
        if user:
            await phone.get_by_text("This device has the keys of your running games.").wait_for()
        await histories(phone)
        await phone.goto(table)
        await phone.get_by_role("button", name="Level 1").click()
        await phone.get_by_label("Your team’s answer").wait_for()
    game = UUID(table.split("/games/")[1].split("/")[0])
    commit = await sync_to_async(Commit.objects.get)(game=game, seat=0)
    assert chain.decode_body(bytes(commit.body)).signed is not None


async def test_users_whose_session_has_ended_are_told(
    page: Page, server: str, new_player: Callable[[], User], forgiven: list[str]
) -> None:
    user = await sync_to_async(new_player)()
    await enter_as(page, server, user)
    await sync_to_async(Token.objects.filter(user=user).delete)()
    forgiven.append("status of 401")
    await page.goto(f"{server}/profile/")
    await page.get_by_role("status").get_by_text("Your session has ended.").wait_for()
    await page.get_by_text("You are playing as a guest").wait_for()
    await histories(page)


@pytest.mark.slow
async def test_an_invite_link_leads_to_a_table_that_is_not_listed(
    page: Page, browser: Browser, server: str
) -> None:
    await page.goto(f"{server}/open/?game=quitte_ou_double")
    await page.get_by_label("Who may join").select_option("those who have the invite code")
    await page.get_by_text("More options").click()
    teams = page.get_by_label("Team of each seat")
    await teams.fill("1, 2, 0")
    await page.get_by_label("Players (4 to 20)").fill("99")
    await page.get_by_label("Hourglass").fill("")
    await page.get_by_role("button", name="Open the table").click()
    await expect(page.locator(".wrong")).to_have_text(
        [
            "Enter a number from 4 to 20.",
            re.compile("^Enter 0–20 whole numbers"),
            re.compile("^Enter a number from 0 to "),
        ]
    )
    await expect(page.get_by_label("Players (4 to 20)")).to_be_focused()
    await page.get_by_label("Players (4 to 20)").fill("4")
    await page.get_by_label("Hourglass").fill("60")
    await teams.fill("1, 2, 3, 1")
    await photograph(page, "open-teams")
    await page.get_by_role("button", name="Open the table").click()
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy the invite link").click()
    await page.get_by_text("The link is in the clipboard.").wait_for()
    link = await page.evaluate("navigator.clipboard.readText()")
    code = await page.locator(".invitation code").text_content()
    assert link == f"{server}/?code={code}"
    lobby = page.url.rstrip("/").rpartition("/")[2]
    address = f"{server}/api/v1/lobbies/{lobby}/"
    opened = await (await page.request.get(address, headers=await authorization(page))).json()
    assert opened["options"]["teams"] == [0, 1, 2, 0]

    async with await browser.new_context() as context:
        context.set_default_timeout(WITHIN_MS)
        guest = await context.new_page()
        await guest.goto(page.url)
        await guest.get_by_role("status").get_by_text("only its players may see it").wait_for()
        await guest.goto(link)
        await guest.locator(".card").first.wait_for()
        await guest.locator("form.invitation").get_by_role("button", name="Join").click()
        await guest.wait_for_url(page.url)
        await guest.get_by_role("button", name="I am ready").wait_for()
    await page.get_by_role("button", name="Start the game").wait_for()
