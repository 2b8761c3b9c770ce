"""The TypeScript client in a real browser, on a page of another origin."""

from typing import Any

import pytest
from playwright.async_api import Page

pytestmark = [
    pytest.mark.ci,
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
]

HAS_COME = "version => window.ann.commits.at(-1)?.version >= version"


async def ask(page: Page, method: str, *arguments: object) -> Any:
    """Return the response of the player on the page."""
    return await page.evaluate(
        "([method, given]) => window.ann[method](...given)", [method, [*arguments]]
    )


async def test_a_user_plays_from_a_page_of_another_origin(
    page: Page, server: str, site: str, forgiven: list[str]
) -> None:
    await page.goto(
        site.replace("127.0.0.1", "client.example")
    )  # neither TLS nor localhost: not a secure context
    await ask(page, "sitDown", server, "ready_set_bet", {"roll_ms": 200})
    accepted = await ask(page, "bet")
    assert "bet_placed" in {event["type"] for event in accepted["events"]}
    await page.wait_for_function(HAS_COME, arg=accepted["version"])
    commits = await page.evaluate("window.ann.commits")
    (seen,) = [commit for commit in commits if commit["version"] == accepted["version"]]
    assert seen["hash"] == accepted["hash"]
    assert seen["events"] == accepted["events"]

    assert '"token";r=' in await ask(page, "header", server, "RateLimit")
    forgiven.append("status of 404")
    assert await ask(page, "refusedOverHttp", "chess") == {
        "code": "unknown_game",
        "status": 404,
        "version": None,
    }
    refused = await ask(
        page, "refusedAtTheTable", {"type": "place_bet", "spot": "nowhere", "token": 0}
    )
    assert refused["code"] in {
        "unknown_spot",
        "betting_closed",
        "race_not_running",
    }  # the race continues meanwhile
    assert refused["version"] >= accepted["version"]
