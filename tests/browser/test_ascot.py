"""L'Ascot in a real browser, played by clicks."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessibility import check
from tests.browser.conftest import photograph
from tests.browser.scene import authorization, other_origins, play_now, start_table
from tests.browser.symbols import check_symbols
from tests.browser.whole_games import (
    PRESSES_OF_ASCOT,
    check_the_end,
    play_to_the_end,
    replay_in_french,
)

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

UNHURRIED = {"nomination_s": 0, "exchange_s": 0, "discard_s": 0}
PHASES = ("exchange", "discard", "auction", "training", "preliminaries", "betting", "race")

BESIDE_THE_BOARD = """() => {
    const pieces = [...document.querySelectorAll(".target.press")].map((one) => one.ariaLabel);
    const onHorses = "[data-command=apply_report], [data-command=assign], "
        + "[data-command=name_favourite]:has(.horse-name)";
    const onCards = "[data-command=choose_colour], [data-command=use_report], "
        + "[data-command=take_report], [data-command=exchange]";
    const nameOf = (button) => button.querySelector(".horse-name > span").textContent;
    return [
        ...[...document.querySelectorAll(onHorses)].filter(
            (one) => !pieces.some((piece) => piece.endsWith(nameOf(one)))),
        ...document.querySelectorAll(`:is(${onCards}):not(:has(.lease))`),
    ].map((one) => one.outerHTML);
}"""
"""The choices that cannot be made on a horse or a card."""


async def test_a_card_is_exchanged_by_key_and_the_others_are_thrown_away_by_click(
    page: Page, server: str
) -> None:
    elsewhere = other_origins(page.context, server)
    await start_table(page, server, UNHURRIED, slug="ascot", bots=2)
    card = page.locator("button[data-command=exchange]").first
    vote = page.locator("button[data-command=nominate]").first
    await card.or_(vote).first.wait_for()
    if await vote.is_visible():  # nobody was dealt the Auctioneer
        await vote.click()
    await card.focus()
    await page.keyboard.press("Enter")
    await page.locator("p.ask", has_text="Mark the cards to throw away.").wait_for()
    kept = page.locator(".ascot button[aria-pressed=false]")
    cards = await kept.count()
    for _ in range(cards):
        await kept.first.click()
    await page.get_by_role("button", name=f"Throw away {cards} and keep cards for 0 F").click()
    await expect(page.locator(".ascot")).to_have_attribute("data-phase", "auction")
    await expect(page.locator(".lot .lease")).to_be_visible()
    assert elsewhere == []


@pytest.mark.slow
async def test_a_whole_game_is_played_by_clicks(page: Page, server: str) -> None:
    await play_now(page, server, "Ascot")
    photographed: set[str] = set()

    async def look() -> None:
        assert await page.evaluate(BESIDE_THE_BOARD) == []
        phase = await page.locator(".ascot").get_attribute("data-phase")
        if phase in PHASES and phase not in photographed:
            photographed.add(phase)
            await photograph(page, f"ascot-{phase}")
            await check(page)
            await check_symbols(page, "ascot")

    await play_to_the_end(page, PRESSES_OF_ASCOT, look)
    await photograph(page, "ascot-finished")
    await check_the_end(page, has_bets=True)
    await replay_in_french(page, ".results")
    await photograph(page, "ascot-french")
    version = await first_training(page, server)
    await page.get_by_role("slider").fill(str(version))
    await page.locator(".ascot[data-phase=training]").wait_for()
    await photograph(page, "ascot-training")
    await check(page)


async def first_training(page: Page, server: str) -> int:
    """Return the version of the first throw in training of the game that this page replays."""
    game = page.url.split("/games/")[1].split("/")[0]
    headers, version = await authorization(page), 0
    while True:
        answer = await page.request.get(
            f"{server}/api/v1/games/{game}/commits/?after={version}", headers=headers
        )
        commits = (await answer.json())["commits"]
        assert commits, "nobody trained"
        for commit in commits:
            version = commit["version"]
            if any(event["type"] == "training_thrown" for event in commit["events"]):
                return int(version)
