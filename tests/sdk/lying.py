"""A server that lies about entropy: a proxy that changes answers of the real server.

The same lies for the clients of both languages, with what they have to find.
"""

import hashlib
import json
import re
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Final, NamedTuple
from uuid import UUID

import httpx
import msgspec

from railbird_engine.kernel import chain

Answer = dict[str, Any]
ZEROS: Final = 64 * "0"
READ_MAX: Final = 1 << 16


class Lie(NamedTuple):
    """`change` lies in the answers to requests of this method whose path ends so."""

    method: str
    end: str
    change: Callable[[Answer], None]
    found: str


class Refusal(NamedTuple):
    """Requests of this method whose path ends so get no answer: a problem, or, if the server
    receives them, a closed connection."""

    method: str
    end: str
    is_received: bool
    found: str


def _reopened(lobby: Answer, **changed: Any) -> None:
    """Show another opening, whose entry and hash fit it."""
    said = lobby["opening"]
    said.update(changed)
    terms = chain.Terms(
        name=UUID(said["name"]),
        salt=said["salt"],
        game=UUID(said["game"]),
        rules=lobby["slug"],
        rules_version=said["rules_version"],
        edition=said["edition"],
        options=msgspec.Raw(said["options_text"].encode()),
        table=msgspec.Raw(said["table_text"].encode()),
        seed_hash=lobby["seed_hash"],
        abandoned=said["abandoned"],
    )
    entry = chain.opened_entry(terms)
    said.update(entry=entry.hex(), hash=chain.entry_hash(entry).hex())


def _own_seat(lobby: Answer) -> Answer:
    seat: Answer = next(each for each in lobby["seats"] if each["number"] == lobby["your_seat"])
    return seat


def _deadline(revealed_s: int) -> Callable[[Answer], None]:
    def change(lobby: Answer) -> None:
        table = json.loads(lobby["opening"]["table_text"])
        table["deadlines"]["revealed_s"] = revealed_s
        _reopened(lobby, table_text=json.dumps(table, separators=(",", ":")))

    return change


def _receipt(field: str, value: str | None) -> Callable[[Answer], None]:
    def change(lobby: Answer) -> None:
        note = lobby["your_reveal"]
        if note is not None:
            lines = note.split("\n")
            place = next(i for i, line in enumerate(lines) if line.startswith(f"{field} "))
            lines[place] = f"{field} {value}"
            lobby["your_reveal"] = "\n".join(lines)

    return change


def _genesis(change: Callable[[Answer], None]) -> Callable[[Answer], None]:
    """Change a genesis, and its hash with it."""

    def changed(genesis: Answer) -> None:
        began = json.loads(genesis["text"])
        change(began)
        text = json.dumps(began, separators=(",", ":"))
        genesis["text"] = text
        genesis["hash"] = hashlib.sha256(b"game\x00" + text.encode()).hexdigest()

    return changed


def _without_reveal(began: Answer) -> None:
    began["reveals"] = []


def _with_reveal_of_the_bot(began: Answer) -> None:
    began["reveals"].append([1, ZEROS, None])


def _with_answer(began: Answer) -> None:
    began["answers"].append([ZEROS, 2 * ZEROS])


def _with_another_reveal(began: Answer) -> None:
    began["reveals"][0][1] = ZEROS


def _without_the_first_reveal(began: Answer) -> None:
    del began["reveals"][0]


def _with_another_row(began: Answer) -> None:
    began["rows"][1][3] = ZEROS


def _row(number: int = 0, **fields: object) -> Callable[[Answer], None]:
    return lambda found: found["rows"][number].update(fields)


def _of_another_seat(began: Answer) -> None:
    began["reveals"][0][0] += 1


def _unsigned(lobby: Answer) -> None:
    if (note := lobby["your_reveal"]) is not None:
        lobby["your_reveal"] = f"{note[:-90]}{'A' * 87}=\n"


def _of_another_key(found: Answer) -> None:
    for signer in found["signers"]:
        signer["entry"] = signer["entry"][:50] + ZEROS + signer["entry"][114:]


def _without_proof(found: Answer) -> None:
    if found["since_path"] is not None:
        found["since_path"] = [ZEROS]


def _seed(game: Answer) -> None:
    if game["seed"] is not None:
        game["seed"] = ZEROS


CREATED: Final = ("POST", "/v1/lobbies/")
SHOWN: Final = ("GET", "/lobbies/{id}/")
FIXED: Final = ("GET", "/commitments/")
REVEALED: Final = ("POST", "/reveal/")
BEGAN: Final = ("GET", "/genesis/")
LOGGED: Final = ("GET", "/checkpoint/")

LIES: Final[Mapping[str, Lie]] = {
    "a salt that the entry does not cover": Lie(
        *CREATED, lambda lobby: lobby["opening"].update(salt=ZEROS), "entry"
    ),
    "another hash of the entry": Lie(
        *CREATED, lambda lobby: lobby["opening"].update(hash=ZEROS), "hash"
    ),
    "options that the entry does not cover": Lie(
        *CREATED, lambda lobby: lobby["options"].update(races=3), "options"
    ),
    "an opening that is not hex": Lie(
        *CREATED, lambda lobby: lobby["opening"].update(salt="?"), "opening"
    ),
    "another commitment": Lie(
        "PUT", "/commitment/", lambda lobby: _own_seat(lobby).update(commitment=ZEROS), "commitment"
    ),
    "no commitment": Lie(
        "PUT", "/commitment/", lambda lobby: _own_seat(lobby).update(commitment=None), "commitment"
    ),
    "another opening after the commitment": Lie(
        *SHOWN, lambda lobby: _reopened(lobby, salt=ZEROS), "opened"
    ),
    "another game after the commitment": Lie(
        *SHOWN,
        lambda lobby: _reopened(lobby, game=str(UUID(int=1)), abandoned=ZEROS),
        "game",
    ),
    "terms that the entry does not cover": Lie(
        *CREATED, lambda lobby: lobby.update(buy_in=5), "buy_in"
    ),
    "a deadline before the freeze": Lie(*CREATED, _deadline(-1000), "deadlines"),
    "a deadline that no clock knows": Lie(*CREATED, _deadline(2**62), "deadlines"),
    "other commitments than those in the log": Lie(*FIXED, _row(commitment=ZEROS), "rows"),
    "a commitment of the bot": Lie(*FIXED, _row(1, commitment=ZEROS), "rows"),
    "a person in the place of the bot": Lie(*FIXED, _row(1, person=ZEROS), "person"),
    "another person": Lie(*FIXED, _row(person=ZEROS), "commitment"),
    "a key that nobody gave": Lie(*FIXED, _row(key=ZEROS), "rows"),
    "another salt of the rows": Lie(*FIXED, lambda found: found.update(rows_salt=ZEROS), "entry"),
    "another salt of the person": Lie(
        *FIXED, lambda found: found.update(your_salt=ZEROS), "commitment"
    ),
    "another link": Lie(*FIXED, _row(link=ZEROS), "entry"),
    "another salt of the link": Lie(
        *FIXED, lambda found: found["your_link"].update(salt=ZEROS), "link"
    ),
    "a link of another count": Lie(
        *FIXED, lambda found: found["your_link"].update(count=7), "link"
    ),
    "another entry": Lie(*FIXED, lambda found: found.update(entry=found["entry"][:-2]), "entry"),
    "another hash of the commitments": Lie(*FIXED, lambda found: found.update(hash=ZEROS), "hash"),
    "another place in the log": Lie(
        *FIXED, lambda found: found.update(index=found["index"] + 1), "path"
    ),
    "no proof": Lie(*FIXED, lambda found: found.update(path=[]), "path"),
    "an unsigned log": Lie(
        *FIXED,
        lambda found: found.update(checkpoint=found["checkpoint"].replace("\n", "\n1", 1)),
        "checkpoint",
    ),
    "commitments that are not hex": Lie(
        *FIXED, lambda found: found.update(rows_salt="?"), "committed"
    ),
    "no receipt": Lie(*REVEALED, lambda lobby: lobby.update(your_reveal=None), "receipt"),
    "a note that is no receipt": Lie(
        *REVEALED, lambda lobby: lobby.update(your_reveal="?\n\n"), "receipt"
    ),
    "a receipt of another lobby": Lie(*REVEALED, _receipt("name", str(UUID(int=1))), "name"),
    "a receipt of another game": Lie(*REVEALED, _receipt("game", str(UUID(int=1))), "game"),
    "a receipt of another attempt": Lie(*REVEALED, _receipt("opened", ZEROS), "opened"),
    "a receipt of another seat": Lie(*REVEALED, _receipt("seat", "7"), "seat"),
    "a receipt of other entropy": Lie(*REVEALED, _receipt("entropy", ZEROS), "entropy"),
    "a game without the entropy": Lie(*BEGAN, _genesis(_without_reveal), "reveals"),
    "the entropy at another seat": Lie(*BEGAN, _genesis(_of_another_seat), "reveals"),
    "entropy of the bot": Lie(*BEGAN, _genesis(_with_reveal_of_the_bot), "reveals"),
    "bytes of a witness that nobody named": Lie(*BEGAN, _genesis(_with_answer), "answers"),
    "a game of another opening": Lie(
        *BEGAN, _genesis(lambda began: began.update(salt=ZEROS)), "salt"
    ),
    "a game of another table": Lie(
        *BEGAN, _genesis(lambda began: began["table"].update(buy_in=5)), "table"
    ),
    "a game of other rows": Lie(*BEGAN, _genesis(_with_another_row), "rows"),
    "a game of which nobody fixed the seats": Lie(
        *BEGAN, _genesis(lambda began: began.update(rows_salt=None)), "rows_salt"
    ),
    "a game of other options": Lie(
        *BEGAN, _genesis(lambda began: began["options"].update(races=3)), "options"
    ),
    "another hash of the genesis": Lie(*BEGAN, lambda began: began.update(hash=ZEROS), "hash"),
    "a genesis that is not JSON": Lie(
        *BEGAN,
        lambda began: began.update(text="{", hash=hashlib.sha256(b"game\x00{").hexdigest()),
        "genesis",
    ),
    "a receipt that nobody signed": Lie(*REVEALED, _unsigned, "no_evidence"),
    "no keys that sign receipts": Lie(
        *LOGGED, lambda found: found.update(signers=[]), "no_evidence"
    ),
    "a key that the log does not name": Lie(*LOGGED, _of_another_key, "signers"),
    "a log that nobody signed": Lie(
        *LOGGED,
        lambda found: found.update(note=found["note"].replace("\n", "\n1", 1)),
        "checkpoint",
    ),
    "a log that does not continue": Lie(*LOGGED, _without_proof, "checkpoint"),
    "another seed": Lie("GET", "/games/{id}/", _seed, "seed"),
}
OF_THE_OTHER_SEAT: Final[Mapping[str, Lie]] = {
    "other entropy than it committed to": Lie(*BEGAN, _genesis(_with_another_reveal), "reveals"),
    "no entropy": Lie(*BEGAN, _genesis(_without_the_first_reveal), "reveals"),
}
"""Lies for the second player about what the first one, the host, has revealed."""
OF_EACH_ANSWER: Final = frozenset(
    {(lie.method, lie.end): name for name, lie in LIES.items()}.values()
)
"""One lie for each answer that can lie, for every run; the others are in the slow set."""


REFUSALS: Final[Mapping[str, Refusal]] = {
    "a reveal that is refused": Refusal(*REVEALED, is_received=False, found="start_abandoned"),
    "a receipt that is withheld": Refusal(*REVEALED, is_received=True, found="nothing"),
}
OVERDUE: Final = Refusal(*REVEALED, is_received=False, found="start_overdue")
"""A start that is not decided, to a client whose patience ends before that of the server."""
OVERDUE_GRACE_S: Final = -79
"""The grace that leaves a client one second of the 80 that the terms allow."""
WITHHELD: Final = Refusal("PUT", "/commitment/", is_received=True, found="nothing")
"""The answer to each commitment, which the server receives."""
NOWHERE: Final = f"/api/v1/lobbies/{UUID(int=0)}/"


class Proxy(BaseHTTPRequestHandler):
    """One connection to a proxy that tells a lie, or refuses."""

    protocol_version = "HTTP/1.1"
    lie: ClassVar[Lie | Refusal]
    http: ClassVar[httpx.Client]

    def _pass_on(self) -> None:
        if "Upgrade" in self.headers:
            self._tunnel()
            return
        kept = ("Authorization", "Content-Type")
        headers = {name: self.headers[name] for name in kept if name in self.headers}
        asked = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        is_about = self._is_about()
        if isinstance(self.lie, Refusal) and is_about and not self.lie.is_received:
            self.path = NOWHERE
            self.command, asked = "GET", b""
        found = self.http.request(self.command, self.path, content=asked, headers=headers)
        content = found.content
        if isinstance(self.lie, Refusal) and is_about and self.lie.is_received:
            self.close_connection = True
            return
        if isinstance(self.lie, Lie) and is_about and found.is_success and content:
            answer = json.loads(content)
            self.lie.change(answer)
            content = json.dumps(answer).encode()
        kind = found.headers.get("Content-Type", "text/plain")
        self._answer(found.status_code, kind, content)

    def _answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = _pass_on  # noqa: N815 -- the names of http.server

    def _is_about(self) -> bool:
        path = re.sub("[0-9a-f-]{36}", "{id}", self.path.partition("?")[0])
        return self.command == self.lie.method and path.endswith(self.lie.end)

    def _tunnel(self) -> None:
        """Pass on a WebSocket as it is."""
        self.close_connection = True
        base = self.http.base_url
        with socket.create_connection((base.host, base.port or 80)) as upstream:
            lines = [self.requestline, *(f"{name}: {text}" for name, text in self.headers.items())]
            upstream.sendall("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
            ends = {self.connection: upstream, upstream: self.connection}
            while True:
                for end in select.select([*ends], [], [])[0]:
                    if not (data := end.recv(READ_MAX)):
                        return
                    ends[end].sendall(data)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def lying_server(server: str, lie: Lie | Refusal) -> Iterator[str]:
    """A proxy in front of a server that tells this lie."""
    with httpx.Client(base_url=server, timeout=60) as http:
        handler = type("LyingProxy", (Proxy,), {"lie": lie, "http": http})
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
            proxy.daemon_threads = True
            thread = threading.Thread(target=proxy.serve_forever)
            thread.start()
            try:
                yield f"http://127.0.0.1:{proxy.server_port}"
            finally:
                proxy.shutdown()
                thread.join()
