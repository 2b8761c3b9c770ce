"""The pages meet the portals, proxies and liars that all clients meet, by the same table.

A page reports each retry, and each failure in a sentence, with a button in both cases.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from playwright.async_api import Browser, Page

from games import lobbies
from games.keys import acknowledging
from railbird_engine.audit.acknowledgements import Acknowledgement
from railbird_engine.kernel import chain
from tests.browser.conftest import WITHIN_MS
from tests.browser.scene import authorization, open_start_page, play_to_the_end
from tests.builders import NewGame, new_user
from tests.sdk.hostile import (
    BET,
    CASES,
    HASH,
    OF_LOBBY,
    Answer,
    Conversation,
    Frame,
    HostileServer,
    problem,
)
from tests.stripping_proxy import copy

pytestmark = [
    pytest.mark.ci,
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
]

Shown = Literal["done", "told", "failed", "waits"]

STEPS_MS: Final = (*20 * [1000], *60 * [4000])
"""The time that a page has until it shows the outcome, by a fake clock."""
STAYS_MS: Final = 1000
OBSERVED_MS: Final = 5000
CHUNK: Final = 65_536
PENDING: Final = "new Promise((done) => requestIdleCallback(() => done(window.pending)))"
BROKEN: Final = "Something on this page has failed."
PASSING: Final = {"busy", "redirected", "too_many_requests", "unanswered", "unreachable", "waiting"}
"""The outcomes after which a page goes on by itself, for what it asks for by itself."""
IN_BROWSERS: Final = {
    "get-broken-gzip": "unreachable",
    "news-a-head-that-nobody-signed": "contradicted",
    "news-history-lost": "history_lost",
    "play-a-note-that-nobody-wanted": "contradicted",
}
"""A lie that a browser does not tell from a lost connection, and those about what pages want
signed: heads and acknowledgements."""
TRUE: Final = (Answer(200, OF_LOBBY), Answer(201, OF_LOBBY))
"""Answers of an honest server: here those of the real one."""
IDS: Final = r"[0-9a-f]{8}-[0-9a-f-]{27}"
ANY_LIE: Final = (
    Answer(200, b"{}"),
    Answer(404, problem("not_found", 404).body, "application/problem+json"),
)
NOISE: Final = r"Failed to load resource|WebSocket connection to|net::ERR_"
"""Messages of the browser itself about lies."""

LOOK: Final = """() => {
    const line = document.querySelector(".connection");
    return {
        state: line?.dataset.state ?? "",
        line: line?.textContent ?? "",
        has_button: Boolean(line?.querySelector("button")),
        has_way: Boolean(line?.querySelector("button, a")),
        told: window.told ?? "",
        loads: Boolean(document.querySelector(".loading, .unloaded")),
        is_shown: Boolean(document.querySelector(".lobby-game strong, .drawn:not([hidden])")),
        is_over: Boolean(document.querySelector(".game-links a[href*=verify]:not([hidden])")),
    };
}"""


COUNT_PENDING: Final = """
window.pending = 0;
const ask = window.fetch;
window.fetch = (...given) => {
    window.pending++;
    return ask(...given).finally(() => window.pending--);
};
window.WebSocket = class extends WebSocket {
    constructor(...given) {
        super(...given);
        window.pending++;
        const connecting = new AbortController();
        for (const kind of ["open", "close"])
            this.addEventListener(kind, () => {
                window.pending--;
                connecting.abort();
            }, { signal: connecting.signal });
    }
};
"""
"""Count the requests of a page that are not answered yet, and its sockets that are not open yet."""
NOTE_MESSAGES: Final = """
new MutationObserver(() => {
    const message = document.querySelector(".message[data-kind=bad]");
    window.told = message?.textContent || window.told;
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
"""A page hides its messages after some seconds."""


class Doing(NamedTuple):
    """The request of a page that gets lies, where the page is, and the button that asks."""

    about: bytes
    where: Literal["own", "other", "game"]
    button: str = ""


LOBBY: Final = rb" /api/v1/lobbies/[0-9a-f-]{36}/"
SOCKET: Final = rb"GET /ws/v1/games/"
ON_PAGES: Final = {
    "get": Doing(rb"GET" + LOBBY + rb" ", "own"),
    "leave": Doing(rb"POST" + LOBBY + rb"leave/ ", "own", "Leave"),
    "bot": Doing(rb"POST" + LOBBY + rb"bots/ ", "own", "Add a bot"),
    "drip": Doing(rb"POST" + LOBBY + rb"bots/ ", "own", "Add a bot"),
    "join": Doing(rb"POST" + LOBBY + rb"join/ ", "other", "Join"),
    **dict.fromkeys(("news", "wait", "legal", "limit", "look", "never"), Doing(SOCKET, "game")),
    **dict.fromkeys(("play", "hurry"), Doing(SOCKET, "game", "Send")),
}
"""By what a client does in a case. Pages ask for no odd ids, and write to the chat over HTTP."""


def expected_of(name: str) -> Shown:
    """Return how a page shows the outcome that the table names."""
    does, outcome = CASES[name].does, IN_BROWSERS.get(name, CASES[name].outcome)
    if outcome == "ok" or outcome[-1].isdigit() or outcome.endswith("end"):
        return "told" if does == "limit" else "done"
    if ON_PAGES[does].button:
        return "told"
    return "waits" if outcome in PASSING else "failed"


PAGES: Final = {name: expected_of(name) for name, case in CASES.items() if case.does in ON_PAGES}
OF_EACH_KIND: Final = frozenset(
    {
        *("get-endless-headers", "join-cut", "look-another-kind", "look-of-another-request"),
        "play-a-wrong-answer",
    }
)
"""One case of each outcome, in lobbies and at tables, for every run; the others are in the slow
set."""


def signed_news(game: UUID, said: Any) -> Any:
    """Return a frame with the signed head of the newest commit that it shows, if it shows any."""
    frame = said() if callable(said) else said
    match frame:
        case {"head": _}:
            return frame
        case {"type": "heartbeat", "version": int(version), "ended": "finished"}:
            shown = HASH
        case {"type": "view", "version": int(version), "hash": str(shown)}:
            pass
        case {"type": "commits", "commits": [*_, {"version": int(version), "hash": str(shown)}]}:
            pass
        case _:
            return frame
    text = chain.head_text(settings.LOG_ORIGIN, game, game, version, bytes.fromhex(shown))
    return {**frame, "head": acknowledging.sign(settings.ACK_KEY_FILE, text)}


def signed_answer(
    game: UUID, answer: Callable[[Frame], Frame | None], asked: Frame
) -> Frame | None:
    """Return an answer with the acknowledgement of the command that it accepts, if it does."""
    frame = answer(asked)
    if frame is None or frame.get("acknowledgement", "") is not None:
        return frame
    match frame:
        case {"id": str(id_), "version": int(version), "hash": str(shown)} if id_:
            said = Acknowledgement(
                origin=settings.LOG_ORIGIN,
                name=game,
                game=game,
                version=version,
                hash=bytes.fromhex(shown),
                seat=0,
                id=UUID(id_),
                command=json.dumps(asked["command"]),
                seed_hash=bytes(32),
                at=datetime.now(UTC),
                size=10**9,
                root=bytes(32),
            )
            note = acknowledging.sign(settings.ACK_KEY_FILE, said.text)
            return {**frame, "acknowledgement": note}
    return frame


class Front(HostileServer):
    """A real server behind a hostile one, which lies about one request of a page."""

    def __init__(self, upstream: str) -> None:
        super().__init__()
        self.case = ""
        self.asked: set[str] = set()
        self.lies: dict[str, Answer] = {}
        """Lies by the request, without its ids."""
        self.lies_told = 0
        self.serving: set[asyncio.Task[None]] = set()
        self._open: set[asyncio.Event] = set()
        """Events that are set when a connection brings nothing more by itself."""
        self._upstream = urlsplit(upstream)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection until the end of the test."""
        task = asyncio.create_task(self.serve(reader, writer))
        self.serving.add(task)
        task.add_done_callback(self.serving.discard)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        if head.startswith(b"GET /api/v1/") or b"accept: application/json" in head.lower():
            request = re.sub(IDS, "ID", head.decode("latin-1").split("\r\n")[0])
            self.asked.add(request)
            if request in self.lies:
                self.lies_told += 1
                self._answer(writer, self.lies[request])
                return True
        case = CASES.get(self.case)
        if case is None or not re.match(ON_PAGES[case.does].about, head):
            await self._pass_on(head, reader, writer)
            return False
        meets = case.meets[min(self.requests[self.case], len(case.meets) - 1)]
        if meets in TRUE:
            self.requests[self.case] += 1
            await self._pass_on(head, reader, writer)
            return False
        return await self.meet(self.case, head, reader, writer)

    async def _pass_on(
        self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        is_socket = b"upgrade: websocket" in head.lower()
        if not is_socket:
            head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head)
            head = head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        there, towards = await asyncio.open_connection(self._upstream.hostname, self._upstream.port)
        with closing(towards), self._unsettled() as answered:
            towards.write(head)
            sending = asyncio.create_task(copy(reader, towards))
            try:
                if is_socket:
                    writer.write(await there.readuntil(b"\r\n\r\n"))
                writer.write(await there.read(CHUNK))
                answered.set()
                await copy(there, writer)
            finally:
                sending.cancel()
                await asyncio.wait({sending})

    async def _converse(
        self,
        name: str,
        conversation: Conversation,
        head: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Sign what this conversation shows and accepts, as pages want: the liar has the keys."""
        game = UUID(re.search(IDS.encode(), head)[0].decode())  # type: ignore[index]  # in its path
        signed = conversation._replace(
            says=tuple(partial(signed_news, game, said) for said in conversation.says),
            answers={
                kind: partial(signed_answer, game, answer)
                for kind, answer in conversation.answers.items()
            },
        )
        await super()._converse(name, signed, head, reader, writer)

    @contextmanager
    def _unsettled(self) -> Iterator[asyncio.Event]:
        """Stop the clock of the page until the event is set, or the end."""
        self._open.add(settled := asyncio.Event())
        try:
            yield settled
        finally:
            settled.set()
            self._open.discard(settled)

    async def settle(self, page: Page, *, ends: bool = True) -> None:
        """Wait until the page has received what was sent to it: the servers have another clock.

        Only requests of which none `ends` may be left.
        """
        async with asyncio.timeout(WITHIN_MS / 1000):
            for settled in [*self._open]:
                await settled.wait()
            while await page.evaluate(PENDING) and ends:
                pass


@asynccontextmanager
async def front(upstream: str) -> AsyncIterator[Front]:
    """Serve the pages with lies. No other origin may hear of a request."""
    server = Front(upstream)
    async with (
        await asyncio.start_server(server.accept, "127.0.0.1", 0) as pages,
        await asyncio.start_server(server.steal, "127.0.0.1", 0) as other,
    ):
        server.url, server.other = (
            "http://{}:{}".format(*each.sockets[0].getsockname()) for each in (pages, other)
        )
        yield server
    for task in server.serving:
        task.cancel()
    await asyncio.gather(*server.serving, return_exceptions=True)


async def post(page: Page, address: str, body: object = None) -> Any:
    """Send a request of the guest of this page."""
    headers = await authorization(page)
    return await (await page.request.post(address, data=body, headers=headers)).json()


async def place_of(where: str, page: Page, url: str) -> str:
    """Open a new lobby of the guest or of another user, or start a game; return its page."""
    if where == "other":
        choices = lobbies.LobbyChoices(slug="free_spots", options={})
        lobby = await sync_to_async(lambda: lobbies.create(new_user(), choices))()
        return f"{url}/lobbies/{lobby.id}/"
    lobbies_at = f"{url}/api/v1/lobbies/"
    made = (await post(page, lobbies_at, {"slug": "free_spots"}))["id"]
    if where == "own":
        return f"{url}/lobbies/{made}/"
    await post(page, f"{lobbies_at}{made}/bots/")
    game = await post(page, f"{lobbies_at}{made}/start/")
    return f"{url}/games/{game['id']}/"


async def press(page: Page, button: str) -> None:
    """Press a button once the page is there."""
    if button == "Send":
        await page.get_by_text("A command as JSON").click()
        await page.get_by_label("A command as JSON").fill(json.dumps(BET))
        await page.locator(".generic details").get_by_role("button", name=button).click()
        return
    await page.get_by_role("button", name=button, exact=True).click()
    if button == "Leave":
        await page.get_by_role("dialog").get_by_role("button", name=button).click()


async def shown(page: Page, case: str, server: Front) -> str:
    """Return the state that the page shows now."""
    found = await page.evaluate(LOOK)
    if BROKEN in found["line"] or BROKEN in found["told"]:
        return "broken"
    if found["line"]:
        if not found["has_button"]:
            return "connecting" if found["state"] == "connecting" else "failed without a button"
        return "waits" if found["state"] in {"waiting", "reconnecting"} else "failed"
    if found["told"]:
        return "told"
    does = CASES[case].does
    has_met = server.requests[case] >= len(CASES[case].meets)
    has_met &= does not in {"play", "hurry"} or server.plays[case] > 0
    is_there = found["is_over"] if CASES[case].outcome.endswith("end") else found["is_shown"]
    return "done" if has_met and (is_there or does == "leave") else "loading"


async def meet(page: Page, server: Front, case: str) -> str:
    """Let the page meet a case; return what it shows in the end."""
    expected, doing = PAGES[case], ON_PAGES[CASES[case].does]
    address = await place_of(doing.where, page, server.url)
    server.case = case
    await page.goto(address)
    if doing.button:
        await press(page, doing.button)
    if doing.button == "Leave" and expected == "done":
        await page.wait_for_url(f"{server.url}/")
    seen, before = "", ""
    for step_ms in STEPS_MS:
        seen, before = await shown(page, case, server), seen
        if seen == before == expected:
            break
        await server.settle(page, ends=CASES[case].does != "drip")
        await page.clock.run_for(step_ms if seen != expected else STAYS_MS)
    if CASES[case].does == "wait":
        await page.clock.run_for(OBSERVED_MS)
    server.case = ""
    if doing.where == "own":  # a user hosts few lobbies at once
        await page.request.post(
            address.replace("/lobbies/", "/api/v1/lobbies/") + "leave/",
            headers=await authorization(page),
        )
    return seen


@asynccontextmanager
async def lied_to(browser: Browser, upstream: str) -> AsyncIterator[tuple[Page, Front]]:
    """A page with a guest behind a hostile server. In the end, it has foreseen all that it met."""
    thrown: list[str] = []
    async with (
        front(upstream) as server,
        await browser.new_context(reduced_motion="reduce") as context,
    ):
        context.set_default_timeout(WITHIN_MS)
        page = await context.new_page()
        await page.clock.install()
        await page.add_init_script(COUNT_PENDING)
        await page.add_init_script(NOTE_MESSAGES)
        page.on("pageerror", lambda error: thrown.append(f"{server.case} {server.lies}: {error}"))
        page.on(
            "console",
            lambda said: (
                thrown.append(f"{server.case} {server.lies}: {said.text}")
                if said.type == "error" and not re.search(NOISE, said.text)
                else None
            ),
        )
        await open_start_page(page, server.url)
        yield page, server
    assert not thrown, "\n".join(thrown)
    assert server.stolen == [], "only the server gets tokens, bodies and sockets"


async def check(browser: Browser, upstream: str, cases: list[str]) -> None:
    """Let a page meet cases, and compare what it shows with the table."""
    async with lied_to(browser, upstream) as (page, server):
        found = {case: await meet(page, server, case) for case in cases}
    wrong = {name: (seen, PAGES[name]) for name, seen in found.items() if seen != PAGES[name]}
    assert not wrong, "\n".join(f"{name}: {pair}" for name, pair in wrong.items())
    # A page that waits goes on for as long as it is looked at.
    most = {name: CASES[name].most * (2 if PAGES[name] == "waits" else 1) for name in cases}
    impatient = {name: (server.requests[name], most[name]) for name in cases}
    assert all(count <= limit for count, limit in impatient.values()), impatient
    assert max(server.plays.values()) <= 15, "a busy server is asked with patience"


@pytest.mark.slow
async def test_a_page_makes_of_each_kind_what_the_table_says(browser: Browser, server: str) -> None:
    await check(browser, server, sorted(OF_EACH_KIND))


@pytest.mark.slow
async def test_a_page_makes_of_each_what_the_table_says(browser: Browser, server: str) -> None:
    await check(browser, server, sorted(PAGES.keys() - OF_EACH_KIND))


async def settled(page: Page, server: Front) -> str:
    """Return the fault of a page that has met a lie; nothing if it is whole or reports the lie."""
    found: Any = None
    for step_ms in STEPS_MS:
        before, found = found, await page.evaluate(LOOK)
        waits = found["loads"] or found["state"] == "connecting" or not server.lies_told
        if found == before and not waits:
            break
        await server.settle(page)
        await page.clock.run_for(step_ms)
    else:
        # A game that goes on is asked for other versions meanwhile.
        return "loading" if server.lies_told else ""
    if BROKEN in found["line"] + found["told"]:
        return "broken"
    return "no way on" if found["line"] and not found["has_way"] else ""


@pytest.mark.slow
async def test_a_page_reports_a_lie_about_each_of_its_requests(
    browser: Browser, server: str, new_game: NewGame
) -> None:
    ended = await sync_to_async(play_to_the_end)(new_game)
    wrong, met = [], 0
    async with lied_to(browser, server) as (page, liar):
        places = [f"{liar.url}/{path}" for path in ("", "profile/", "notices/")]
        places += [f"{liar.url}/open/?game=set_dice"]
        places += [await place_of(where, page, liar.url) for where in ("other", "game")]
        places += [f"{liar.url}/games/{ended}/{path}" for path in ("", "replay/")]
        places += [f"{liar.url}/verify/?game={ended}", f"{liar.url}/api/sockets/"]
        for place in places:
            liar.asked.clear()
            await page.goto(place, wait_until="networkidle")
            for request in sorted(liar.asked):
                for lie in ANY_LIE:
                    liar.lies, liar.lies_told = {request: lie}, 0
                    await page.goto(place)
                    if shows := await settled(page, liar):
                        wrong.append(f"{place} {request} {lie.status}: {shows}")
                    met += liar.lies_told > 0
            liar.lies = {}
    assert not wrong, "\n".join(wrong)
    assert met > 60, "each page asks for several things"


async def test_a_browser_that_keeps_nothing_or_damaged_texts_is_understood(
    page: Page, server: str
) -> None:
    await page.goto(f"{server}/profile/")
    await page.evaluate("localStorage.setItem('railbird.token', '\u00e9')")
    await page.goto(f"{server}/profile/")
    await page.get_by_role("heading", name=re.compile("Guest")).wait_for()
    forbid = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    await page.add_init_script(forbid)
    line = page.get_by_text("This browser keeps nothing for this site.")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    await page.goto(f"{server}/profile/#device=code")
    await page.reload()
    await page.get_by_role("button", name="Go on here").click()
    await line.first.wait_for()
    assert not [url for url in sent if url.endswith("/device/confirm/")], "would end a session"
    await page.goto(f"{server}/profile/")
    await line.get_by_role("button", name="Load this page again").wait_for()
