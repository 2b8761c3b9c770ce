"""The guide of a game on the pages: its first cards, the rules behind `?`, and its terms."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.scene import play_now, press_card

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]


@pytest.mark.slow
async def test_a_new_player_reads_cards_finds_a_rule_and_is_told_what_a_word_means(
    page: Page, server: str
) -> None:
    await press_card(page, server, "SET Dice", "How to play")
    rules = page.get_by_role("dialog", name="How to play")
    await rules.get_by_label("Find a word").fill("WILD")
    await expect(rules.locator("mark").first).to_have_text("Wild")
    await expect(rules.get_by_text("passages found")).to_be_visible()
    await rules.get_by_role("button", name="Close").click()

    await press_card(page, server, "SET Dice", "Play now")
    cards = page.get_by_role("dialog").get_by_role("region", name="In a minute")
    for nth in range(1, 5):
        await expect(cards).to_contain_text(f"{nth}/5")
        await expect(cards.get_by_role("button", name="Next")).to_be_focused()
        await page.keyboard.press("Enter")
    assert "/games/" not in page.url, "neither bots nor a clock begin before a new player is ready"
    await expect(cards.get_by_role("button", name="I am ready")).to_be_focused()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/games/*/")
    await expect(cards).to_have_count(0)
    await page.get_by_role("button", name="Dice in the bag").press("Enter")
    told = page.get_by_role("tooltip").filter(has_text="Dice still to be drawn.")
    await expect(told).to_be_visible()
    await told.dispatch_event("pointerout")  # a mouse that rests
    await expect(told).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("tooltip")).to_be_hidden()
    await page.keyboard.press("?")
    await expect(rules).to_be_visible()
    await press_card(page, server, "SET Dice", "Play now")  # no cards any more
    await page.wait_for_url("**/games/*/")
    await expect(page.locator(".die-button").first).to_be_visible()
    await expect(page.get_by_role("region", name="In a minute")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("title", ["Ready Set Bet", "Double or Quits"])
async def test_a_picture_shows_what_each_first_card_explains(
    page: Page, server: str, title: str
) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await press_card(page, server, title, "Play now")
    cards = page.get_by_role("dialog").get_by_role("region", name="In a minute")
    for nth in range(1, 6):
        await expect(cards).to_contain_text(f"{nth}/5")
        await expect(cards.locator(".card-picture")).to_be_visible()
        assert await cards.evaluate("(one) => one.scrollHeight <= one.clientHeight")
        if nth < 5:
            await page.keyboard.press("Enter")


@pytest.mark.slow
async def test_a_guided_round_waits_and_explains_what_can_be_pressed(
    page: Page, server: str
) -> None:
    await press_card(page, server, "Ascot", "Guided round")
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await press_card(page, server, "Ascot", "Guided round")
    await page.get_by_role("dialog").get_by_role("button", name="Skip").click()
    await page.wait_for_url("**/games/*/?guided")
    hints = page.get_by_role("region", name="Guided round")
    await expect(hints.locator("b")).not_to_be_empty()
    await expect(page.get_by_text("Time left")).to_have_count(0)
    hint = await hints.locator("b").inner_text()
    await page.keyboard.press("ArrowDown")
    await page.get_by_text(hint).first.click()  # no control
    await page.evaluate("document.querySelector('.drawn').append('the page changes')")
    await expect(hints.locator("b")).to_have_text(hint)
    await hints.get_by_role("button", name="Skip").click()
    await expect(hints).to_have_count(0)


@pytest.mark.slow
async def test_sounds_begin_with_a_key_and_end_with_their_box(page: Page, server: str) -> None:
    await page.add_init_script("""
        const made = [];
        window.AudioContext = class extends AudioContext {
            constructor() {
                super();
                made.push(this);
                const show = () => document.body.dataset.sounds = made.map((one) => one.state);
                this.addEventListener("statechange", show);
            }
        };
        addEventListener("silence", () => made.at(-1).suspend());
    """)
    await play_now(page, server, "SET Dice")
    box, body = page.get_by_label("Sounds"), page.locator("body")
    await box.check()
    await expect(body).to_have_attribute("data-sounds", "running")
    await page.evaluate("dispatchEvent(new Event('silence'))")
    await expect(body).to_have_attribute("data-sounds", "suspended")
    await page.keyboard.press("Tab")
    await expect(body).to_have_attribute("data-sounds", "running")
    await box.uncheck()
    await expect(body).to_have_attribute("data-sounds", "closed")
    await box.check()
    await expect(body).to_have_attribute("data-sounds", "closed,running")
