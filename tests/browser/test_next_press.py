"""Every game marks the next press alike, and the colour of the mark has no other meaning."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import Page, expect

from accounts.models import User
from games.models import Game
from games.play import service
from kit import event_loop
from tests.api.graphql.scene import player
from tests.browser.scene import open_game
from tests.browser.symbols import check_symbols
from tests.builders import NewGame, NewUser

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="package")]

OPTIONS: dict[str, dict[str, object]] = {
    "ascot": {"nomination_s": 0, "exchange_s": 0},
    "carcassonne": {},
    "quitte_ou_double": {"level_s": 0},
    "ready_set_bet": {"pause_ms": 0, "roll_ms": 60_000},
    "set_dice": {"opening_s": 0},
}
"""Options with which the first decision waits."""

SEATS = 4
SCREENS = ((390, 844), (1440, 900))

MARKS = """() => {
    const looks = new Set(), strays = [];
    const probe = document.createElement("i");
    probe.style.color = "var(--press)";
    document.body.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
    for (const one of [...document.querySelectorAll("#content *")].filter(isSeen)) {
        const style = getComputedStyle(one);
        const edge = `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`;
        if (one.matches(".press:not(svg *)")) looks.add(edge);
        if (one.matches(".press-ring > :last-child"))
            looks.add(`dashed ${style.strokeWidth} ${style.stroke}`);
        const used = [
            style.outlineStyle === "none" ? "" : style.outlineColor,
            parseFloat(style.borderTopWidth) ? style.borderTopColor : "",
            style.backgroundColor, style.fill, style.stroke,
        ];
        if (used.includes(colour) && !one.closest(".press")) strays.push(one.outerHTML);
    }
    const fits = ({ left, top, right, bottom }) =>
        left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const marked = [...document.querySelectorAll(".press")].filter(isSeen);
    const whole = marked.filter((one) => fits(one.getBoundingClientRect())).length;
    return { looks: [...looks], strays, whole, colour };
}"""
"""The looks of all marks, other uses of their colour, and how many marks the screen shows whole."""


def awaited_user(game: Game) -> User:
    """A user for whom the game waits, or for whom the bets are open."""
    loaded = event_loop.call(service.at_head(game.id))
    assert loaded.state is not None
    seat = min(loaded.rules.awaited(loaded.state), default=0)
    return player(game, seat)


EACH = [
    pytest.param(slug, marks=() if slug == "quitte_ou_double" else pytest.mark.slow)
    for slug in OPTIONS
]


@pytest.mark.parametrize("slug", EACH)
@pytest.mark.ci
async def test_the_next_press_is_marked_alike_on_the_first_screen(
    page: Page, server: str, new_game: NewGame, new_user: NewUser, slug: str
) -> None:
    game = await sync_to_async(new_game)(SEATS, slug, **OPTIONS[slug])
    await open_game(page, server, await sync_to_async(awaited_user)(game), game.id)
    await page.get_by_role("button", name="Skip").click()
    await page.locator(".press").first.wait_for()
    await check_symbols(page, slug)
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        found: dict[str, Any] = await page.evaluate(MARKS)
        assert found["looks"] == [f"dashed 3px {found['colour']}"]
        assert found["strays"] == []
        assert found["whole"] > 0
    await open_game(page, server, await sync_to_async(new_user)(), game.id)
    await expect(page.locator(".standing li")).to_have_count(SEATS)
    await expect(page.locator(".press")).to_have_count(0)
