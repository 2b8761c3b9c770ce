"""The load test of a deployed server: live tables over its public API, and nothing else.

People are guests, or the users of given tokens. What the server's rate limits allow is reported
with the figures.
"""

import asyncio
import json
import ssl
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from http.client import HTTPException
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import uuid4

import msgspec

from bench.ground import ExperimentError
from bench.meter import GENERATOR, Meter, quantile_ms
from bench.people import (
    WARM_S,
    Person,
    connect_in_turn,
    is_too_slow,
)
from bench.wire import Address

ANSWER_WITHIN_S: Final = 30.0
SEATING_AT_ONCE: Final = 8
SEATED_WITHIN_S: Final = 300.0
"""How long the load waits for rate limits before it continues with the tables that it has."""

ENDED: Final = b'"ended":"finished"'


class LoadStage(msgspec.Struct, frozen=True, kw_only=True):
    """The results at one number of tables, as a client sees them.

    `commits_per_s` counts the commits of all tables; `late` is how much later than announced the
    server's clock committed, by the times in its frames; `acknowledged` includes the network.
    """

    tables: int
    commits_per_s: float
    accepted: int
    refused: dict[str, int]
    late_p50_ms: float
    late_p99_ms: float
    acknowledged_p50_ms: float
    acknowledged_p99_ms: float
    ended: int
    lost: int
    generator_cores: float

    @property
    def is_too_slow(self) -> bool:
        """Whether a p99 latency exceeds its limit."""
        return is_too_slow(
            late_p99_ms=self.late_p99_ms, acknowledged_p99_ms=self.acknowledged_p99_ms
        )


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """All stages; how often each rate limit answered instead of the server; and why it stopped."""

    stages: list[LoadStage]
    rate_limited: dict[str, int]
    stopped: str


class RateLimitError(Exception):
    """A rate limit admits no further table in time; the message is its name."""


class Api:
    """Requests to the public API, which wait as long as rate limits ask for. `ca` is a file of
    certificates to trust beside those of the machine."""

    def __init__(self, url: str, ca: str | None = None) -> None:
        self.rate_limited: Counter[str] = Counter()
        self._url = url.rstrip("/")
        self._tls = ssl.create_default_context()
        if ca is not None:
            self._tls.load_verify_locations(ca)

    def address(self) -> Address:
        """Return where the sockets are."""
        parts = urlsplit(self._url)
        tls = self._tls if parts.scheme == "https" else None
        port = parts.port or (443 if tls else 80)
        assert parts.hostname is not None
        return Address(parts.hostname, port, parts.netloc, parts.path, tls)

    def post(self, path: str, body: Any = None, *, token: str | None = None, until: float) -> Any:
        """Return the answer to POST /api/v1/`path`. Raises ExperimentError, and RateLimitError
        after `until`."""
        return self._ask("POST", path, json.dumps(body or {}).encode(), token, until)

    def get(self, path: str, *, token: str, until: float) -> Any:
        """Return the answer to GET /api/v1/`path`. Raises as `post`."""
        return self._ask("GET", path, None, token, until)

    def _ask(
        self, method: str, path: str, data: bytes | None, token: str | None, until: float
    ) -> Any:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        request = Request(f"{self._url}/api/v1/{path}", data, headers, method=method)  # noqa: S310 -- checked by the command
        while True:
            try:
                with urlopen(request, timeout=ANSWER_WITHIN_S, context=self._tls) as answer:  # noqa: S310
                    return json.load(answer)
            except HTTPError as error:
                self._wait(f"{method} {path}", error, until)
            except (OSError, HTTPException, ValueError) as error:
                raise ExperimentError(f"{self._url} does not respond: {error}") from error

    def _wait(self, path: str, error: HTTPError, until: float) -> None:
        """Wait as a rate limit or a busy server asks for. Raises RateLimitError and
        ExperimentError."""
        try:
            problem = json.load(error)
            code, data = problem["code"], problem.get("data", {})
        except (ValueError, KeyError):
            raise ExperimentError(f"{path}: {error.code} {error.reason}") from error
        if error.code not in {429, 503}:
            raise ExperimentError(f"{path}: {code} {data or problem.get('title', '')}") from error
        name = str(data.get("policy", code))
        self.rate_limited[name] += 1
        pause_s = float(error.headers.get("Retry-After") or 1)
        if time.monotonic() + pause_s > until:
            raise RateLimitError(name) from error
        time.sleep(pause_s)


def new_guest(api: Api, place: int, *, until: float) -> str:
    """Return the token of a new guest. Raises as `Api.post`."""
    token: str = api.post("auth/guest/", {"display_name": f"Load {place + 1}"}, until=until)[
        "token"
    ]
    return token


def start_game(api: Api, token: str, slug: str, *, bots: int, until: float) -> str:
    """Start a game of one person with bots, and return its id. Raises as `Api.post`."""
    wanted = {
        "id": str(uuid4()),
        "slug": slug,
        "title": "Load test",
        "visibility": "unlisted",
        "absence": "bot",
    }
    lobby = api.post("lobbies/", wanted, token=token, until=until)["id"]
    for _ in range(bots):
        api.post(f"lobbies/{lobby}/bots/", token=token, until=until)
    game: str = api.post(f"lobbies/{lobby}/start/", token=token, until=until)["id"]
    return game


class Visitor(Person):
    """A person who also measures the clock of the game, by the times in its commits."""

    def __init__(self, game: str, token: str, address: Address) -> None:
        self._due: datetime | None = None
        self.ended = False
        super().__init__(game, token, address)

    def restart(self) -> None:
        """Reset the counts."""
        super().restart()
        self.commits = 0
        self.late_s: list[float] = []

    def _on_frame(self, data: bytes, start: int, end: int) -> None:
        super()._on_frame(data, start, end)
        if data.startswith(b'{"type":"commits"', start):
            for commit in msgspec.json.decode(data[start:end], type=_Commits).commits:
                self.commits += 1
                # A commit after the due time is the clock's, which sets a new one.
                if self._due is not None and commit.at >= self._due:
                    self.late_s.append((commit.at - self._due).total_seconds())
                self._due = commit.next_at
        elif data.startswith(b'{"type":"heartbeat"', start):
            self.ended = self.ended or data.find(ENDED, start, end) >= 0


class _Commit(msgspec.Struct):
    at: datetime
    next_at: datetime | None


class _Commits(msgspec.Struct):
    commits: list[_Commit]


class Load(NamedTuple):
    """Live tables in stages, each with one person and `bots` bots, at the server `url`.

    Everybody together sends `rate` commands a second; None is the pace of people. `tokens` are of
    the people, in turn; without any they are new guests.
    """

    url: str
    slug: str
    stages: Sequence[int]
    bots: int
    seconds: float
    rate: float | None
    tokens: Sequence[str]
    ca: str | None = None

    async def run(self) -> Loaded:
        """Run all stages, until one is too slow. Raises ExperimentError."""
        api = Api(self.url, self.ca)
        visitors: list[Visitor] = []
        playing: list[asyncio.Task[None]] = []
        stages: list[LoadStage] = []
        stopped = ""
        for tables in self.stages:
            seated, stopped = await self._seat(api, range(len(visitors), tables))
            fresh = [Visitor(game, token, api.address()) for game, token in seated]
            try:
                await connect_in_turn(fresh)
            except (OSError, TimeoutError) as error:
                raise ExperimentError(f"A socket of {self.url} does not open: {error}") from error
            visitors += fresh
            if not visitors:
                break
            if self.rate is not None:
                mean_s = len(visitors) / self.rate
                for visitor in visitors:
                    visitor.pace_s = (0.5 * mean_s, 1.5 * mean_s)
            playing += [asyncio.create_task(visitor.play()) for visitor in fresh]
            await asyncio.sleep(min(WARM_S, self.seconds))
            stages.append(await self._measure(visitors))
            if not stopped and stages[-1].is_too_slow:
                stopped = "People would notice that the server is too slow."
            if stopped:
                break
        for task in playing:
            task.cancel()
        await asyncio.gather(*(visitor.wire.close() for visitor in visitors))
        return Loaded(stages=stages, rate_limited=dict(api.rate_limited), stopped=stopped)

    async def _seat(self, api: Api, places: Iterable[int]) -> tuple[list[tuple[str, str]], str]:
        """Start a game per place. Return games with tokens, and which limit stopped it, or ""."""
        until = time.monotonic() + SEATED_WITHIN_S
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(SEATING_AT_ONCE) as threads:
            found = await asyncio.gather(
                *(
                    loop.run_in_executor(threads, self._start, api, place, until)
                    for place in places
                ),
                return_exceptions=True,
            )
        seated: list[tuple[str, str]] = []
        stopped = ""
        for each in found:
            match each:
                case RateLimitError():
                    stopped = (
                        f"The rate limit {each} admitted no further table within "
                        f"{SEATED_WITHIN_S:.0f} s."
                    )
                case BaseException():
                    raise each
                case _:
                    seated.append(each)
        return seated, stopped

    def _start(self, api: Api, place: int, until: float) -> tuple[str, str]:
        """Start a game with bots. Return it and the token of its player."""
        if self.tokens:
            token = self.tokens[place % len(self.tokens)]
        else:
            token = new_guest(api, place, until=until)
        return start_game(api, token, self.slug, bots=self.bots, until=until), token

    async def _measure(self, visitors: Sequence[Visitor]) -> LoadStage:
        for visitor in visitors:
            visitor.restart()
        meter = Meter({})
        await asyncio.sleep(self.seconds)
        cores = meter.cores()
        waited = sorted(each for visitor in visitors for each in visitor.waited_s)
        late = sorted(each for visitor in visitors for each in visitor.late_s)
        return LoadStage(
            tables=len(visitors),
            commits_per_s=round(sum(each.commits for each in visitors) / self.seconds, 1),
            accepted=sum(each.accepted for each in visitors),
            refused=dict(sum((each.refusals for each in visitors), Counter[str]())),
            late_p50_ms=quantile_ms(late, 0.5),
            late_p99_ms=quantile_ms(late, 0.99),
            acknowledged_p50_ms=quantile_ms(waited, 0.5),
            acknowledged_p99_ms=quantile_ms(waited, 0.99),
            ended=sum(each.ended for each in visitors),
            lost=sum(each.wire.lost for each in visitors),
            generator_cores=cores[GENERATOR],
        )
