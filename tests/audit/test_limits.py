"""Hostile files cost little. Both verifiers have the same limits of form, and accept everything
that the server accepts."""

import tracemalloc
from pathlib import Path

import msgspec
import pytest

from railbird_engine.audit import bundle, strict_json
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.interventions import Substitutes, check_command
from railbird_engine.audit.notes import is_key_name
from railbird_engine.kernel.server_commands import Annotated, SeatReplaced, SeatReturned
from tests.audit.corpus import bases, fitted
from tests.audit.honest import OPERATOR, Log
from tests.audit.small_changes.files import edited, lines, rewrite
from tests.audit.verdicts import of_python, of_typescript, said

MEGABYTES = 192
WIDE = b"[],"
"""15 MiB of this in one line are 5 million lists."""


def hostile() -> dict[str, bytes]:
    many = WIDE * (15 * 2**20 // len(WIDE))
    deep = b"[" * (15 * 2**20)
    base = bases()[0]
    bodies = [commit.body for commit in base.game.commits]
    wide_body = bodies[-1].replace(b'"events":[', b'"events":[' + many[: 11 * 2**20 // 3 * 3])
    forged = fitted(base.game, base.game.genesis, [*bodies[:-1], wide_body])
    return {
        "a-wide-first-line": rewrite(0, b"[" + many + b"[]]"),
        "a-deep-first-line": rewrite(0, deep),
        "a-wide-line": rewrite(2, b'{"type":"commit","bets":[' + many + b"[]]}"),
        "a-deep-line": rewrite(2, b'{"type":"commit","bets":' + deep),
        "wide-keys": rewrite(
            0, edited(lines()[0], lambda part: part["log"].update(keys=[[]] * 10**6))
        ),
        "a-wide-body": bundle.line(Log([forged]).receipt(forged, base.bet)),
    }


@pytest.mark.ci
def test_wide_and_deep_lines_are_refused_by_name_before_they_are_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Millions of lists, once built, would not fit into this memory."""
    monkeypatch.setenv("NODE_OPTIONS", f"--max-old-space-size={MEGABYTES}")
    files = hostile()
    typescripts = said(tmp_path, files)[1]
    for name, content in files.items():
        tracemalloc.start()
        python = of_python(content)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < MEGABYTES * 2**20, (name, peak)
        typescript = typescripts[name]
        assert python == of_typescript(typescript) != "verified", (name, python, typescript)
        assert "call stack" not in typescript


@pytest.mark.parametrize(
    "text",
    [
        *(b'{"a":1,"a":1}', b'{"a":1,"\\u0061":2}', b"1.0", b"1e400", b"1e3", b"-1.5", b"NaN"),
        *(b"9007199254740992", b"-9007199254740992", b"9" * 5000, b'"\\ud800"', b"\xef\xbb\xbf1"),
        *(
            b"[" * 65 + b"]" * 65,
            b"[" + b"1," * (strict_json.COMMAS_MAX + 1) + b"1]",
            b"",
            b"[1",
            b'"\xff"',
        ),
    ],
    ids=lambda text: text[:20].decode("latin-1"),
)
def test_text_that_parsers_could_read_differently_is_rejected(text: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        strict_json.check(text)


@pytest.mark.parametrize(
    "text",
    [
        *(b"-0", b"9007199254740991", b'{"a":{"a":1}}', b'"a,b,[[["', b'"\\"[,"'),
        *(b"[" * 64 + b"]" * 64, b"[" + b"1," * strict_json.COMMAS_MAX + b"1]"),
    ],
    ids=lambda text: text[:20].decode("latin-1"),
)
def test_files_within_the_limits_pass(text: bytes) -> None:
    strict_json.check(text)


@pytest.mark.parametrize("reason", ["", " ", "a\u202eb", "a\nb", "x" * 301, "\u200b", "\u3164"])
def test_an_unreadable_note_is_refused(reason: str) -> None:
    with pytest.raises(DivergenceError):
        check_command(Annotated(reason, OPERATOR), 2, 3)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_is_not_replaced(seat: int) -> None:
    with pytest.raises(DivergenceError):
        check_command(SeatReplaced(seat, forfeits=False), 2, 3)


def test_a_person_returns_only_after_a_bot_and_not_to_a_forfeited_seat() -> None:
    substitutes = Substitutes()
    with pytest.raises(DivergenceError):
        substitutes.take(SeatReturned(0), 2)
    substitutes.take(SeatReplaced(0, forfeits=False), 2)
    with pytest.raises(DivergenceError):
        substitutes.take(SeatReplaced(0, forfeits=False), 3)
    substitutes.take(SeatReturned(0), 3)
    substitutes.take(SeatReplaced(0, forfeits=True), 4)
    with pytest.raises(DivergenceError):
        substitutes.take(SeatReturned(0), 5)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u0378b", "\u00e9", "\u202e", "x" * 201])
def test_names_of_keys_are_plain_ascii(name: str) -> None:
    assert not is_key_name(name)
    assert is_key_name("games.example.org:8443/log")
