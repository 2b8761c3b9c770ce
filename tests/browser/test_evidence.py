"""The notes that a browser keeps of its user's games: saved as a file that refutes another history,
bounded, and no hindrance where the browser keeps nothing."""

import asyncio
import contextlib
import io
import re
from pathlib import Path
from typing import Final

import msgspec
import pytest
from playwright.async_api import Browser, Locator, Page, WebSocketRoute, expect

from games.api.sockets.frames import CloseCode
from railbird_engine.audit import bundle
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Signer
from tests.audit.honest import Honest, Log, written
from tests.audit.tampering import rewritten
from tests.browser.conftest import WITHIN_MS, histories, listen, photograph
from tests.browser.scene import (
    A_RACE_MS,
    RACE_OPTIONS,
    SPOTS,
    authorization,
    bet_on_one_of,
    start_table,
)

pytestmark = [
    pytest.mark.ci,
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="package"),
]

SAVE: Final = "Save my proof of this game"
BUNDLE: Final = "game.bundle"
NOTES: Final = "kept.notes"


async def race_with_a_bet(page: Page, server: str) -> str:
    """Open a table against a bot, bet in its race, and wait for its end; return the game."""
    await page.goto(f"{server}/open/?game=ready_set_bet")
    await page.get_by_text("More options").click()
    for option, value in (("races", "1"), ("roll_ms", "0.4"), ("pause_ms", "1.5")):
        await page.locator(f"#option-{option}").fill(value)
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("button", name="Add a bot").click()
    await page.get_by_role("button", name="Start the game").click()
    await page.wait_for_url("**/games/*/")
    await page.locator('[data-phase="open"]').wait_for()
    await bet_on_one_of(page, SPOTS)
    await page.locator(".moment").wait_for(timeout=A_RACE_MS)
    return page.url.rstrip("/").rpartition("/")[2]


async def saved(page: Page, place: Page | Locator) -> bytes:
    """Press the button at this place; return the file."""
    async with page.expect_download() as saving:
        await place.get_by_role("button", name=SAVE).first.click()
    return await asyncio.to_thread((await (await saving.value).path()).read_bytes)


def rewritten_after_bet(content: bytes) -> bytes:
    """Return the bundle of an invented log, in which a roll after the last bet fell otherwise."""
    header, opening, *rest = (
        bundle.decode_part(line) for line in content.splitlines(keepends=True)
    )
    assert isinstance(header, bundle.Bundle)
    assert isinstance(opening, bundle.Game)
    commits = [part for part in rest if isinstance(part, bundle.Commit)]
    end = rest[-1]
    assert isinstance(end, bundle.End)
    game = Honest(opening.genesis, opening.seed, commits, end.purses, end.how)
    last = max(commit.version for commit in commits if commit.seat is not None)
    lead = b'"takes_lead":false'
    (rolled, *_) = [each for each in commits if each.version > last and lead in each.body]
    forged = rewritten(game, rolled.version, lead, b'"takes_lead":true')
    origin = header.log.checkpoint.split("\n", 1)[0]
    (signer,) = header.signers
    named = Entry.decode(signer.entry)
    log = Log([forged], Signer(origin, bytes(range(32))), [named, *forged.entries()])
    first, *others = log.bundle([forged])
    signers = (bundle.Signer(signer.entry, log.proof_of(named)),)
    return written([msgspec.structs.replace(first, signers=signers), *others])


def judged(folder: Path, content: bytes, notes: bytes) -> tuple[int, str]:
    """Run the verifier of the command line."""
    (folder / BUNDLE).write_bytes(content)
    (folder / NOTES).write_bytes(notes)
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as printed:
        code = main(["verify", "--acknowledgements", NOTES, BUNDLE])
    return code, printed.getvalue()


async def choose(page: Page, field: str, content: bytes) -> None:
    await page.locator(field).set_input_files(
        {"name": field, "mimeType": "application/jsonl", "buffer": content}
    )


async def leave_for_profile(page: Page) -> None:
    """Leave a game whose clock runs for the profile page, which asks first."""
    await page.get_by_role("link", name="Profile").click()
    await page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()


@pytest.mark.slow
async def test_a_browser_keeps_what_the_server_signed(
    page: Page, browser: Browser, server: str, tmp_path: Path
) -> None:
    game = await race_with_a_bet(page, server)
    moment = page.locator(".moment")
    settled = re.compile(r"You gain €\d+, pay €\d+ and have €\d+\.")
    await expect(page.locator(".calls")).to_contain_text(settled)
    notes = await saved(page, moment)
    await photograph(page, "evidence")
    await moment.get_by_role("button", name="Check that all was fair").click()
    await moment.get_by_text("Game verified").wait_for()
    address = f"{server}/api/v1/audit/games/{game}/bundle/"
    response = await page.request.get(address, headers=await authorization(page))
    honest = await response.body()
    code, lines = await asyncio.to_thread(judged, tmp_path, honest, notes)
    assert (code, '"type":"place_bet"' in lines) == (0, True), lines
    assert re.search(r"[12] acknowledgements?, 1 signed head, 1 receipt of entropy: [34] in", lines)

    await page.goto(f"{server}/verify/?game={game}")
    await page.get_by_text("Compared with the notes that this browser kept:").wait_for()
    await page.get_by_text("All your notes are in this game.").wait_for()
    for place in ("profile", f"games/{game}/replay"):
        await page.goto(f"{server}/{place}/")
        await page.get_by_role("button", name=SAVE).wait_for()
        if place == "profile":
            await histories(page)
        assert await saved(page, page) == notes
    await expect(page.locator("input[type=range]")).to_have_value("1")

    forged = await asyncio.to_thread(rewritten_after_bet, honest)
    async with await browser.new_context() as context:  # of somebody else, who has only the files
        context.set_default_timeout(WITHIN_MS)
        complaints: list[str] = []
        listen(context, complaints)
        other = await context.new_page()
        await other.goto(f"{server}/verify/")
        await choose(other, "#file", forged)
        await other.get_by_role("heading", name="Game verified").wait_for()
        await choose(other, "#notes", notes)
        await other.get_by_text("Your notes contradict this game.").wait_for()
        await expect(other.locator(".outcome li").filter(has_text="head: expected")).to_have_count(
            1
        )
        await photograph(other, "verify-notes")
        await choose(other, "#file", honest)
        await other.get_by_text("All your notes are in this game.").wait_for()
        assert complaints == []


BET: Final = """() => Object.keys(localStorage).some((key) =>
    key.startsWith("railbird.notes.") && localStorage.getItem(key).includes("place_bet"))"""
"""Whether the browser keeps the note of a bet."""


async def keep_a_bet(page: Page) -> None:
    """Bet, and wait until the page has checked the note of the bet and kept it."""
    await bet_on_one_of(page, SPOTS)
    await page.wait_for_function(BET)


OF_ANOTHER_SEAT: Final = """() => {
    const key = Object.keys(localStorage).find((key) => key.startsWith("railbird.notes."));
    const own = localStorage.getItem(key);
    const other = own.replace("\\\\nseat 0\\\\nid ", "\\\\nseat 1\\\\nid ");
    localStorage.setItem(key, own + "\\n" + other);
}"""
"""Keep the notes as if somebody else had also played the game in this browser."""


async def test_a_user_saves_no_notes_about_commands_of_others(page: Page, server: str) -> None:
    game = await start_table(page, server, {**RACE_OPTIONS, "roll_ms": 5000})
    await page.locator('[data-phase="open"]').wait_for()
    await keep_a_bet(page)
    await page.evaluate(OF_ANOTHER_SEAT)
    kept = await page.evaluate(f"localStorage.getItem('railbird.notes.{game}')")
    own, other = (f"\\nseat {seat}\\nid " for seat in (0, 1))
    assert own in kept
    assert other in kept
    await leave_for_profile(page)
    notes = (await saved(page, page)).decode()
    assert own in notes
    assert other not in notes
    await histories(page)


FULL: Final = """() => {
    localStorage.setItem("railbird.evidence", "old " + localStorage.getItem("railbird.evidence"));
    localStorage.setItem("railbird.notes.old", "x".repeat(1000));
    for (let size = 2 ** 22, nth = 0; size; )
        try { localStorage.setItem(`junk${nth++}`, "x".repeat(size)); }
        catch { size = Math.floor(size / 2); }
}"""
"""Leave no room in the store of a browser that keeps notes of an old game."""

DAMAGED: Final = """() => {
    const kept = (start) => Object.keys(localStorage).find((key) => key.startsWith(start));
    localStorage.setItem(kept("railbird.notes."), '{"x":1}\\n"no note"\\n"cut o');
}"""


@pytest.mark.slow
async def test_a_full_or_damaged_store_hinders_no_game(page: Page, server: str) -> None:
    await start_table(page, server, {**RACE_OPTIONS, "roll_ms": 5000})
    await page.locator('[data-phase="open"]').wait_for()
    await page.evaluate(DAMAGED)
    await page.reload()
    await page.locator('[data-phase="open"]').wait_for()
    await page.evaluate(FULL)
    await keep_a_bet(page)
    assert await page.evaluate("localStorage.getItem('railbird.notes.old')") is None
    await page.get_by_role("link", name="Profile").click()
    notes = await saved(page, page)
    assert b'command {\\"type\\":\\"place_bet\\"' in notes
    await histories(page)


AHEAD: Final = """() => {
    const key = Object.keys(localStorage).find((key) => key.startsWith("railbird.head."));
    const ahead = localStorage.getItem(key).replace(/nversion \\d+/, "nversion 999999");
    localStorage.setItem(key, ahead);
    return ahead;
}"""
"""Keep the head of a version to come, as a page of the game does that is ahead of this one."""


@pytest.mark.slow
async def test_a_page_that_is_behind_replaces_no_newer_head(page: Page, server: str) -> None:
    game = await start_table(page, server, {**RACE_OPTIONS, "roll_ms": 5000})
    await page.locator('[data-phase="open"]').wait_for()
    head = f"localStorage.getItem('railbird.head.{game}')"
    await page.wait_for_function(head)
    ahead = await page.evaluate(AHEAD)
    await bet_on_one_of(page, SPOTS)  # the frame that shows the bet has a head
    assert await page.evaluate(head) == ahead
    await leave_for_profile(page)
    await histories(page)


OF_LOST_MOVES: Final = """() => {
    const key = Object.keys(localStorage).find((key) => key.startsWith("railbird.notes."));
    const bet = localStorage.getItem(key).split("\\n").find((line) => line.includes("place_bet"));
    const version = Number(/nversion (\\d+)/.exec(bet)[1]);
    const lost = Array.from({ length: 40 }, (_, nth) => bet
        .replace(/nversion \\d+/, `nversion ${version + 1 + nth}`)
        .replace(/nhash \\w+/, `nhash ${"0".repeat(64)}`));
    localStorage.setItem(key, [bet, ...lost].join("\\n"));
}"""
"""Keep notes about moves to come, as if the server had lost these since."""


FOUR_MOVES_LATER: Final = """() => {
    const version = (start) => {
        const key = Object.keys(localStorage).find((key) => key.startsWith(start));
        return Number(/nversion (\\d+)/.exec(localStorage.getItem(key))?.[1]);
    };
    return version("railbird.head.") > version("railbird.lost.") + 4;
}"""
"""Whether the page has shown moves of which it had other notes."""


@pytest.mark.slow
async def test_notes_about_moves_that_the_server_has_lost_are_kept_and_compared_no_more(
    page: Page, server: str
) -> None:
    lost = {"type": "error", "code": "history_lost", "data": {"version": 1, "seen": 99}}

    async def lose(socket: WebSocketRoute) -> None:
        socket.send(msgspec.json.encode(lost).decode())
        await socket.close(code=CloseCode.HISTORY_LOST)

    await start_table(page, server, {**RACE_OPTIONS, "roll_ms": 2000})
    await page.locator('[data-phase="open"]').wait_for()
    await keep_a_bet(page)
    await page.evaluate(OF_LOST_MOVES)
    await page.route_web_socket(re.compile("/ws/v1/games/"), lose)
    await page.reload()
    await page.get_by_text("The server has lost the last moves of this game.").wait_for()
    notes = await saved(page, page)
    assert notes.count(64 * b"0") == 40
    other = await page.context.new_page()  # without the route
    await other.goto(page.url)
    await other.wait_for_function(FOUR_MOVES_LATER)
    await other.get_by_role("link", name="Profile").click()
    await other.get_by_role("dialog").get_by_role("button", name="Leave").click()
    assert (await saved(other, other)).count(64 * b"0") == 40
    await histories(other)
