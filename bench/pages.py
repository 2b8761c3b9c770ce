"""Measure the pages in a real Chromium: the time to the first paint, and the frames of a race.

Start a server, then run `python -m bench.pages http://127.0.0.1:8000`. It needs the packages for
development, and the Chromium of the browser tests.
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

import msgspec
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser import chromium

LOADS: Final = 5
TABLE: Final = "table of a race"
SMOOTH_MS: Final = 1000 / 60
RACE: Final = {"races": 1, "pause_ms": 1500, "vip": False}
A_RACE_MS: Final = 180_000

PAINTED: Final = """() => new Promise((painted) =>
    new PerformanceObserver((list) => {
        const [first] = list.getEntriesByName("first-contentful-paint");
        if (first) painted(first.startTime);
    }).observe({ type: "paint", buffered: true }))"""

FRAMES: Final = """() => new Promise((finished) => {
    const times = [];
    const frame = (time) => {
        times.push(time);
        if (document.querySelector("[data-phase=finished], [data-phase=over]")) finished(times);
        else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
})"""
"""The times of all frames until the race is over."""


class PagesMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The first paint of a table, a median, and the frames of its race."""

    table_paint_ms: float
    frames_per_s: float


def main() -> None:
    """Print the figures of the server at the address in the first argument."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m bench.pages ADDRESS, such as http://127.0.0.1:8000")
    measure(sys.argv[1].rstrip("/"))


def measure(address: str) -> PagesMeasured:
    """Measure the pages of a server, and print all figures."""
    found = chromium.find()
    if found is None:
        sys.exit("There is no Chromium in the packages for this machine, and none is installed.")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=found.path, args=chromium.ARGUMENTS, env=found.environment
        ) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        race = start_race(page, address)
        paints = first_paints(browser, address, race)
        for name, times in paints.items():
            slowest = max(times)
            say(f"{name}: first paint p50 {median(times):.0f} ms, slowest {slowest:.0f} ms")
        page.locator("[data-phase=open]").wait_for(timeout=A_RACE_MS)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = main_thread(session)
        times = page.evaluate(FRAMES)
        work = {kind: s - before[kind] for kind, s in main_thread(session).items()}
        return PagesMeasured(table_paint_ms=median(paints[TABLE]), frames_per_s=report(times, work))


def start_race(page: Page, address: str) -> str:
    """Start a race against three bots as the guest of the page; return the address of its table."""
    page.goto(f"{address}/")
    page.get_by_role("article").first.wait_for()
    token = page.evaluate("localStorage.getItem('railbird.token')")
    headers = {"Authorization": f"Bearer {token}"}

    def post(path: str, body: Mapping[str, object] | None = None) -> str:
        response = page.request.post(f"{address}/api/v1/lobbies/{path}", data=body, headers=headers)
        return str(response.json().get("id", ""))

    rules = page.request.get(f"{address}/api/v1/rules/").json()
    # The server refuses these options for other games.
    opened = (post("", {"slug": one["slug"], "options": RACE}) for one in rules)
    lobby = next(filter(None, opened))
    for _ in range(3):
        post(f"{lobby}/bots/")
    game = post(f"{lobby}/start/")
    page.goto(f"{address}/games/{game}/")
    return f"{address}/games/{game}/"


def first_paints(browser: Browser, address: str, race: str) -> dict[str, list[float]]:
    """Load each page in fresh contexts, whose caches are empty, and time its first paint."""
    pages = {"start page": f"{address}/", TABLE: race, "verifier": f"{address}/verify/"}
    times: dict[str, list[float]] = {name: [] for name in pages}
    for name, url in list(pages.items()) * LOADS:
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(url)
            times[name].append(float(page.evaluate(PAINTED)))
    return times


def main_thread(session: CDPSession) -> dict[str, float]:
    """Return the processor seconds of the main thread of a page so far, by kind of work."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    named = {metric["name"]: float(metric["value"]) for metric in metrics}
    kinds = {"all": "Task", "scripts": "Script", "layout": "Layout", "styles": "RecalcStyle"}
    return {kind: named[f"{name}Duration"] for kind, name in kinds.items()}


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def report(times: Sequence[float], work: Mapping[str, float]) -> float:
    """Print the frame rate, and the frames that came later than a screen of 60 Hz asks. Return the
    rate."""
    gaps = sorted(later - time for time, later in pairwise(times))
    seconds = (times[-1] - times[0]) / 1000
    late = sum(gap > 2 * SMOOTH_MS for gap in gaps)
    p99 = gaps[int(len(gaps) * 0.99)]
    say(
        f"race: {len(gaps) / seconds:.1f} frames/s for {seconds:.0f} s; "
        f"between frames p50 {median(gaps):.1f} ms, p99 {p99:.1f} ms, longest {gaps[-1]:.0f} ms; "
        f"{late} of {len(gaps)} frames were late by a frame or more"
    )
    shares = ", ".join(f"{kind} {s / seconds:.1%}" for kind, s in work.items())
    say(f"main thread, processor time: {shares}")
    return len(gaps) / seconds


if __name__ == "__main__":
    main()
