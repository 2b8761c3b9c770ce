"""The board of a race on a phone, and the bar that follows the choice of a token."""

import json
import re
from itertools import product
from typing import Any, Final

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from tests.browser.conftest import photograph
from tests.browser.scene import SPOTS, authorization, bet_on_one_of, start_table
from tests.browser.symbols import check_symbols

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

COVERED = """() => {
  const boxOf = (element) => element.getBoundingClientRect();
  const runs = [...document.querySelectorAll('.small-run, .small-run svg')].map(boxOf);
  const shown = '.grid .gain, .grid .loss, .row-name b, .row-name small';
  const isCovered = (label) => {
    const own = boxOf(label);
    const cell = boxOf(label.parentElement);
    if (!own.width || label.closest('[data-term="colour"]')) return false;
    const isCut = own.left < cell.left - 1 || own.right > cell.right + 1;
    const lies = (run) => run.top + 2 < own.bottom && own.top < run.bottom;
    const beside = (run) => run.right <= own.left || own.right <= run.left;
    return isCut || runs.some((run) => lies(run) && !beside(run));
  };
  const covered = [...document.querySelectorAll(shown)].filter(isCovered);
  return covered.map((label) => label.parentElement.textContent);
}"""
"""The labels that a horse, its run or the edge of their cell covers."""

SIZES = ((390, 844), (768, 1024), (1440, 900))

PHASES: Final = ("paddock", "open", "closed", "draft")

HIDDEN = """() => {
  const { phase } = document.querySelector(".ready-set-bet").dataset;
  const isWhole = innerWidth === 390 && phase !== "draft";
  const isShown = (spot, label) => {
    const { left, top, width, height } = label.getBoundingClientRect();
    const seen = document.elementsFromPoint(left + width / 2, top + height / 2);
    const above = seen.slice(0, seen.indexOf(spot)).filter((one) => !spot.contains(one));
    return seen.includes(spot) && above.every((one) => one.matches(".message, .flying, .flying *"));
  };
  const free = ".spot:not(.closed, :has(.chip))";
  const labels = document.querySelectorAll(`${free} .gain, ${free} .loss`);
  const hidden = [...labels].filter((label) => {
    const spot = label.closest(".spot");
    if (!isWhole) spot.scrollIntoView({ block: "center" });
    return !isShown(spot, label);
  }).map((label) => label.closest(".spot").dataset.spot);
  return [phase, hidden];
}"""
"""The phase, and the spots of which anything that stays covers a price.

A phone shows the whole board without a scroll.
"""


@pytest.mark.slow
async def test_nothing_covers_a_price_in_any_phase(page: Page, server: str) -> None:
    """A phase may end between two looks, and is looked at again in the next race."""
    options = {"pause_ms": 8_000, "roll_ms": 2_000, "think_ms": 8_000, "races": 4}
    await start_table(page, server, options, bots=3)
    await page.get_by_role("button", name="Skip").click()
    missing = set(product(PHASES, SIZES))
    board = page.locator(".ready-set-bet")
    while missing:
        version = await board.get_attribute("data-version") or ""
        for size in SIZES:
            if (await board.get_attribute("data-phase"), size) not in missing:
                continue
            width, height = size
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate("scrollTo(0, 0)")
            phase, hidden = await page.evaluate(HIDDEN)
            if (phase, size) in missing:
                missing.remove((phase, size))
                assert hidden == [], (phase, width)
                await check_symbols(page, "ready_set_bet")
        assert await board.get_attribute("data-phase") != "over", missing
        await expect(board).not_to_have_attribute("data-version", version)


@pytest.mark.slow
async def test_a_phone_shows_every_price_and_the_chosen_token(page: Page, server: str) -> None:
    """Neither horses nor the edges of a cell cover what a bet pays and costs, before the start."""
    await page.set_viewport_size({"width": 390, "height": 844})
    await start_table(page, server, {"pause_ms": 6_000, "roll_ms": 20_000, "races": 1})
    await page.locator(".small-run svg").first.wait_for()
    assert await page.evaluate(COVERED) == []
    await photograph(page, "race_board")
    await page.set_viewport_size({"width": 390, "height": 844})
    token = page.get_by_role("radio", name="Token 3").first
    await expect(page.locator(".ready-set-bet[data-phase='open']")).to_be_visible()
    await token.click()
    await expect(page.locator(".you-doing")).to_have_text("Choose a spot for your 3.")


ON_SCREEN: Final = """(wanted) => [...document.querySelectorAll(wanted)].every((one) => {
    const { top, bottom, left, right, width } = one.getBoundingClientRect();
    return width && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
})"""
"""Whether all of these are on the screen without a scroll."""


@pytest.mark.ci
async def test_a_player_alone_ends_pauses_and_sees_what_each_chip_brought(
    page: Page, server: str
) -> None:
    await start_table(page, server, {"pause_ms": 120_000, "roll_ms": 500, "races": 2})
    await page.get_by_role("button", name="Skip").click()
    await page.get_by_role("button", name="Start the race").click()
    await page.locator(".ready-set-bet[data-phase='open']").wait_for(timeout=60_000)
    await bet_on_one_of(page, SPOTS)
    await page.locator(".ready-set-bet[data-phase='finished']").wait_for()
    brought = page.locator(".hand .bets li")
    await expect(brought).to_have_count(1)
    await expect(brought).to_have_text(re.compile(r"(\+\d+won|−\d+lost|lost)$"))
    await expect(page.locator(".you-doing")).to_have_text(re.compile("Your bets in this race: "))
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        for bottom in (False, True):
            await page.evaluate("bottom => scrollTo(0, bottom ? 200 : 0)", bottom)
            if width < 1000 or not bottom:
                assert await page.evaluate(ON_SCREEN, ".hand .bets, .hand-ready button"), width
    await photograph(page, "race_result")
    await page.get_by_role("button", name="Next race").click()
    await page.get_by_text("Race 2 of 2").wait_for(timeout=60_000)


@pytest.mark.slow
async def test_each_of_two_quick_bets_takes_a_token_of_its_own(page: Page, server: str) -> None:
    await start_table(page, server, {"pause_ms": 120_000, "roll_ms": 20_000, "races": 1})
    await page.get_by_role("button", name="Skip").click()
    await page.get_by_role("button", name="Start the race").click()
    await page.locator(".ready-set-bet[data-phase='open']").wait_for()
    spots = [page.locator(f'[data-spot="show:{horse}:r"]') for horse in (6, 7)]
    await spots[1].scroll_into_view_if_needed()
    above, below = [box for spot in spots if (box := await spot.bounding_box())]
    x = above["x"] + above["width"] / 2
    for y in (above["y"] + above["height"] - 4, below["y"] + 4):
        await page.mouse.click(x, y)
    await expect(page.locator(".spot.mine")).to_have_count(2)


COVERS_ITS_SPOTS: Final = """() => {
    const tip = document.querySelector(".tip").getBoundingClientRect();
    return [...document.querySelectorAll(".exotics .spot")].some((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < tip.right && tip.left < right && top < tip.bottom && tip.top < bottom;
    });
}"""
"""Whether the tip of an exotic finish covers a spot of it."""


@pytest.mark.slow
async def test_an_exotic_finish_is_explained_beside_its_spots(page: Page, server: str) -> None:
    await start_table(page, server, {"pause_ms": 120_000, "roll_ms": 20_000, "races": 1})
    await page.get_by_role("button", name="Skip").click()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.locator(".exotics .term").click()
        text = await page.locator(".exotics .card-text").text_content()
        await expect(page.locator(".tip")).to_contain_text(text or "no text")
        assert not await page.evaluate(COVERS_ITS_SPOTS), width
        await page.keyboard.press("Escape")


WATCH_PLACES: Final = """window.moved = {};
let first;
window.look = () => {
    const isAimed = "[data-phase='paddock'], [data-phase='open']";
    const board = document.querySelector(`.ready-set-bet:is(${isAimed}) .board`);
    const placeOf = (one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + scrollX, y + scrollY, width, height];
    };
    if (!board || document.querySelector(".first-cards")) return;
    const now = [...board.querySelectorAll(".spot")].flatMap(placeOf);
    first ??= now;
    const far = Math.max(...now.map((edge, nth) => Math.abs(edge - first[nth])));
    if (far > 1) moved[document.querySelector(".you-now").textContent] = far;
};
const watch = () => {
    look();
    requestAnimationFrame(watch);
};
watch();"""
"""Record how far a spot has moved before and while bets are open, in each frame that is painted."""

END_OF_TIME: Final = "document.querySelector('.countdown').classList.add('idle'), look()"
"""The clock has run out, and the next view has not come."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [SIZES[0], SIZES[2]], ids=str)
async def test_nothing_moves_while_somebody_aims(
    page: Page, server: str, size: tuple[int, int]
) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.add_init_script(WATCH_PLACES)
    await start_table(page, server, {"pause_ms": 6_000, "roll_ms": 1_000, "races": 1})
    await page.get_by_role("button", name="Skip").click()
    await page.locator(".ready-set-bet[data-phase='open']").wait_for()
    await bet_on_one_of(page, SPOTS)
    await page.locator(".token").first.click()
    await page.evaluate(END_OF_TIME)
    await page.locator(".calls li", has_text="moves up").nth(3).wait_for()
    assert await page.evaluate("moved") == {}


@pytest.mark.slow
async def test_a_choice_that_time_has_made_is_shown_large(page: Page, server: str) -> None:
    options = {"pause_ms": 2_000, "roll_ms": 100, "think_ms": 0}
    game = await start_table(page, server, options)
    await expect(page.locator(".message")).to_contain_text("Time is up: you keep ")
    headers = await authorization(page)
    path = f"{server}/api/v1/games/{game}/commits/?limit=100&after="
    after, late = 0, list[int]()
    while not late:
        answer = await page.request.get(f"{path}{after}", headers=headers)
        commits = (await answer.json())["commits"]
        kept = [(commit["version"], event) for commit in commits for event in commit["events"]]
        late = [at for at, event in kept if event["type"] == "vip_kept" and event["seat"] == 0]
        after = commits[-1]["version"]
    await page.goto(f"{server}/games/{game}/replay/?version={late[0]}")
    await expect(page.locator(".calls")).to_contain_text("Time is up")
    await expect(page.locator(".message")).to_be_empty()


COSTLY: Final = {"type": "bonus_token", "colour": "black", "value": 7, "loss": 5}


@pytest.mark.slow
async def test_a_token_that_can_cost_money_waits_for_a_choice_each_time_it_is_in_the_hand(
    page: Page, server: str
) -> None:
    in_hand: list[dict[str, Any]] = [COSTLY]

    def between(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["type"] == "view":
                tokens = [in_hand if seat == frame["seat"] else [] for seat in (0, 1)]
                frame["view"]["vip"] |= {"bonus_tokens": tokens}
            socket.send(json.dumps(frame))

        socket.connect_to_server().on_message(pass_on)

    await page.route_web_socket(re.compile("/ws/v1/games/"), between)
    await start_table(page, server, {"pause_ms": 1_000, "roll_ms": 1_000, "races": 2})
    token = page.get_by_role("radio", name="Bonus token 7: costs €5 more if the bet is lost")
    await expect(token).not_to_be_checked()
    await token.click()
    await expect(token).to_be_checked()
    in_hand.clear()  # it lies on the board
    await expect(token).to_have_count(0)
    in_hand.append(COSTLY)  # the next race
    await expect(token).not_to_be_checked()
