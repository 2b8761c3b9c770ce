"""OAuth 2.0 in a real browser: pages without scripts, between two origins."""

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Browser, Page

from accounts.models import User
from accounts.oauth import clients
from tests.browser.conftest import PASSWORD, WITHIN_MS, sign_in
from tests.builders import NewUser

pytestmark = [
    pytest.mark.ci,
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
]


@pytest.fixture
def player(new_player: NewUser) -> User:
    return new_player()


@pytest.fixture
def client_id(new_user: NewUser, site: str) -> str:
    """An app of that site."""
    return str(clients.register(new_user(), "A robot", [f"{site}/app.html"]).client_id)


async def ask(page: Page, site: str, *question: str) -> None:
    """Send the browser from the app to the server."""
    await page.goto(f"{site}/app.html")
    await page.evaluate("question => window.app.ask(...question)", [*question])


async def test_a_user_switches_users_and_consents_and_the_app_works(
    page: Page, server: str, site: str, player: User, new_player: NewUser, client_id: str
) -> None:
    await ask(page, site, server, client_id, "play read")
    await sign_in(page, await sync_to_async(new_player)())
    await page.get_by_role("button", name="Sign in as somebody else").click()
    await sign_in(page, player)
    await page.get_by_role("heading", name="May “A robot” do this for you?").wait_for()
    assert await page.get_by_role("listitem").count() == 2
    await page.get_by_role("button", name="Allow").click()
    await page.get_by_text("allowed", exact=True).wait_for()
    assert await page.evaluate("server => window.app.actsFor(server)", server) == str(player.id)


@pytest.mark.slow
async def test_a_french_browser_gets_french_pages(
    browser: Browser, server: str, site: str, player: User, client_id: str
) -> None:
    async with await browser.new_context(locale="fr-CA") as context:
        context.set_default_timeout(WITHIN_MS)
        page = await context.new_page()
        await ask(page, site, server, client_id, "play read")
        await page.get_by_label("Identifiant").fill(player.username)
        await page.get_by_label("Mot de passe").fill(PASSWORD)
        await page.get_by_role("button", name="Se connecter").click()
        await page.get_by_role(
            "heading", name="Autoriser « A robot » à agir pour vous ?"
        ).wait_for()
        await page.get_by_text("Jouer et parier à vos places").wait_for()
        assert await page.evaluate("document.documentElement.lang") == "fr"
        await page.get_by_role("button", name="Refuser").click()
        await page.get_by_text("access_denied").wait_for()
