"""The pages of this server with the answers of a newer one: each list of values has another one,
and each object has a member more."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from playwright.async_api import Page, Route, WebSocketRoute, expect

from games.store.registry import catalogue
from sdk.documents import Operation, Schema, name_of
from tests.browser.conftest import histories
from tests.browser.scene import authorization, open_start_page, play_now
from tests.sdk.newer import DOCUMENTS, NEW, TYPES

pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.slow,
]

BROKEN: Final = "Something on this page has failed."
OF_GAMES: Final = {"GameView": "View", "GameEvent": "Event", "GameCommand": "Command"}
UNIONS: Final = {"games": "FromGame", "lobbies": "FromLobbies"}
LISTED: Final = {"quitte_ou_double"}
"""Games that lists show, because a phase that is new asks for something else."""
Types = Mapping[str, Schema]


def renewed(value: Any, schema: Schema, types: Types, slug: str) -> Any:
    """Return a value as a newer server would send it."""
    if "$ref" in schema:
        name = name_of(schema["$ref"].split("/")[-1])
        if name in OF_GAMES and types is TYPES:
            types, name = DOCUMENTS.games[slug], OF_GAMES[name]
        return renewed(value, types.get(name, {}), types, slug)
    if "anyOf" in schema:
        return renewed(value, _kind(value, schema["anyOf"], types), types, slug)
    if isinstance(value, list):
        items = schema.get("items", {})
        return [
            renewed(each, items if isinstance(items, dict) else {}, types, slug) for each in value
        ]
    if isinstance(value, dict):
        fields, others = schema.get("properties", {}), schema.get("additionalProperties")
        other = others if isinstance(others, dict) else {}
        found = {
            name: renewed(each, fields.get(name, other), types, slug)
            for name, each in value.items()
        }
        return {**found, NEW: {"list": [1]}} if fields else found
    return NEW if value and isinstance(value, str) and len(schema.get("enum", ())) > 1 else value


def _kind(value: Any, members: list[Schema], types: Types) -> Schema:
    """Return the schema of this value among several."""

    def fits(member: Schema) -> bool:
        while "$ref" in member:
            member = types.get(name_of(member["$ref"].split("/")[-1]), {})
        tag = member.get("properties", {}).get("type", {}).get("enum")
        if isinstance(value, dict):
            return tag is None or value.get("type") in tag
        return member != {"type": "null"} and "properties" not in member

    return next(filter(fits, members), {})


def operation_of(verb: str, path: str) -> Operation | None:
    """Return the operation of a request."""
    found = (
        each
        for each in DOCUMENTS.operations
        if each.verb == verb and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", each.path), path)
    )
    return next(found, None)


@asynccontextmanager
async def newer(page: Page, server: str, slug: str) -> AsyncIterator[None]:
    """Let this page read answers and frames of a newer server in this block."""

    async def answer(route: Route) -> None:
        operation = operation_of(
            route.request.method, route.request.url.removeprefix(server).partition("?")[0]
        )
        if operation is None or operation.answer is None:
            await route.continue_()
            return
        found = await route.fetch()
        body = await found.json()
        schema = operation.answer if found.ok else {"$ref": "ProblemDocument"}
        await route.fulfill(response=found, json=renewed(body, schema, TYPES, slug))

    def follow(socket: WebSocketRoute) -> None:
        union = (
            "FromLobby"
            if "/lobbies/" in socket.url
            else UNIONS[socket.url.split("/")[5].partition("?")[0]]
        )
        upstream = socket.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            socket.send(json.dumps({"type": NEW}))
            socket.send(json.dumps(renewed(json.loads(text), {"$ref": union}, TYPES, slug)))

        upstream.on_message(pass_on)

    await page.route(f"{server}/api/v1/**", answer)
    await page.route_web_socket(re.compile("/ws/v1/"), follow)
    yield
    await page.unroute_all(behavior="wait")  # a page that closes ends no answer halfway


async def check(page: Page) -> None:
    """Nothing on the page has failed."""
    await expect(page.get_by_text(BROKEN)).to_have_count(0)


@pytest.mark.parametrize("slug", sorted(DOCUMENTS.games))
async def test_tables_and_replays_show_a_game_of_a_newer_server(
    page: Page, server: str, slug: str, forgiven: list[str]
) -> None:
    if slug in LISTED:
        forgiven.append("TypeError")
    told = list[str]()
    page.on("console", lambda said: told.append(said.text) if said.type == "error" else None)
    game = await play_now(page, server, catalogue()[slug].title["en"])
    async with newer(page, server, slug):
        await page.goto(f"{server}/games/{game}/")
        await page.locator(".drawn").wait_for()
        await expect(page.locator(".generic")).to_have_count(int(slug in LISTED))
        await expect(page.locator(".undrawn")).to_have_count(int(slug in LISTED))
        causes = [text for text in told if text.startswith(f"The drawing of {slug} failed")]
        assert len(causes) == int(slug in LISTED), told
        assert all("TypeError: " in text for text in causes), "with the cause"
        await check(page)
        await page.goto(f"{server}/games/{game}/replay/")
        await page.locator(".drawn").wait_for()
        await check(page)


async def test_the_other_pages_read_a_newer_server(page: Page, server: str) -> None:
    await open_start_page(page, server)
    headers = await authorization(page)
    answer = await page.request.post(
        f"{server}/api/v1/lobbies/", data={"slug": "set_dice"}, headers=headers
    )
    async with newer(page, server, "set_dice"):
        await open_start_page(page, server)
        await check(page)
        await page.goto(f"{server}/lobbies/{(await answer.json())['id']}/")
        await page.get_by_role("button", name="Add a bot").click()
        await check(page)
        await page.goto(f"{server}/open/?game=set_dice")
        await page.get_by_role("button", name="Open the table").wait_for()
        await check(page)
        await page.goto(f"{server}/profile/")
        await histories(page)
        await check(page)
