"""The form of files: both verifiers reject a malformed bundle or receipt even if its hashes fit."""

import io
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest

from railbird_engine.audit import bundle
from railbird_engine.audit.divergence import Diverged
from railbird_engine.audit.verify import Unreadable, Verified, verify
from railbird_engine.kernel import chain
from tests.audit.honest import SIGNER, Honest, Log, honest_game, recommitted, rules_of, written
from tests.audit.tampering import rewritten

Lines = list[Any]


@cache
def game() -> Honest:
    """A game with dice, bets and money."""
    return honest_game("ready_set_bet", 1)


@cache
def log() -> Log:
    return Log([game()])


def lines() -> Lines:
    return [json.loads(bundle.line(part)) for part in log().bundle([game()])]


def read(content: bytes) -> Verified:
    return verify(io.BytesIO(content), rules_of, trusted=[SIGNER.verifier])


def as_file(parts: Lines) -> bytes:
    return b"".join(json.dumps(part).encode() + b"\n" for part in parts)


def first_with(parts: Lines, name: str) -> Any:
    return next(part for part in parts if part.get(name))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda parts: first_with(parts, "transfers")["transfers"][0].append("x"), "array"),
        (lambda parts: first_with(parts, "transfers")["transfers"][0].pop(), "array"),
        (lambda parts: first_with(parts, "bets")["bets"][0].append("x"), "array"),
        (lambda parts: first_with(parts, "settlements")["settlements"][0].append(0), "array"),
        (lambda parts: first_with(parts, "transfers")["transfers"][0].__setitem__(2, 2**53), "2"),
        (lambda parts: parts[2].__setitem__("version", 0), "1"),
        (lambda parts: parts[2].__setitem__("version", 1.0), "float"),
        (lambda parts: parts[2].__setitem__("bets", None), "null"),
        (lambda parts: parts[2].__setitem__("note", "x"), "note"),
        (lambda parts: parts[1]["started"].__setitem__("size", 1), "size"),
        (lambda parts: parts[-1].__setitem__("purses", {"bank": 2**53}), "2"),
    ],
)
def test_a_malformed_line_is_reported_with_its_number(
    change: Callable[[Lines], Any], said: str
) -> None:
    parts = lines()
    assert read(as_file(parts))
    change(parts)
    with pytest.raises(Diverged) as found:
        read(as_file(parts))
    assert found.value.field.startswith("line ")
    assert (
        str(found.value).startswith(f"version {found.value.version}: line ")
        or found.value.game == game().id
    )
    assert said in str(found.value.found)


@pytest.mark.parametrize(
    "first",
    [
        {"format": 2},
        {"format": None},
        {"log": None},
        {"games": -1},
        {"more": 1},
    ],
)
def test_a_malformed_first_line_is_rejected(first: dict[str, Any]) -> None:
    parts = lines()
    with pytest.raises(Unreadable):
        read(as_file([parts[0] | first, *parts[1:]]))


def test_a_first_line_that_is_too_long_is_rejected() -> None:
    first, *rest = written(log().bundle([game()])).splitlines(keepends=True)
    with pytest.raises(Unreadable, match="more than"):
        read(first[:-1].ljust(bundle.LINE_MAX + 1) + b"\n" + b"".join(rest))
    assert read(first[:-1].ljust(bundle.LINE_MAX) + b"\n" + b"".join(rest))


def test_the_last_line_needs_no_line_break_and_must_be_the_last() -> None:
    content = written(log().bundle([game()]))
    receipt = bundle.line(log().receipt(game(), 1))
    for whole in (content, receipt):
        assert read(whole[:-1])
        with pytest.raises(Diverged) as found:
            read(whole + b"\n")
        assert str(found.value).startswith("file: line ")


def test_a_repeated_game_is_not_counted_twice() -> None:
    header, *parts = log().bundle([game()])
    with pytest.raises(Diverged) as found:
        read(written([msgspec.structs.replace(header, games=2), *parts, *parts]))
    assert (found.value.game, found.value.version, found.value.field) == (game().id, 0, "game")


def of_genesis(**fields: Any) -> Honest:
    """Return the game with another genesis, with all hashes recomputed."""
    genesis = recommitted(json.dumps(json.loads(game().genesis) | fields).encode())
    forged = game()._replace(genesis=genesis, forged_from=game().opening)
    key, previous, commits = forged.key(), chain.genesis_hash(genesis), []
    for commit in game().commits:
        body = chain.blind_of(key, commit.version) + commit.body[chain.BLIND_LENGTH :]
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(body))
        commits.append(msgspec.structs.replace(commit, body=body, hash=previous))
    return forged._replace(commits=commits)


SEATS = chain.decode_genesis(game().genesis).seats


@pytest.mark.parametrize(
    "fields",
    [
        {"format": 2},
        {"format": 0},
        {"reveals": [[SEATS, SEATS, "00" * 32, "00" * 32]]},
        {"reveals": [[0, 0, "00" * 32, "00" * 31]]},
        {"reveals": [[0, 0, "0A" * 32, "00" * 32]]},
        {"reveals": [[0, 0, "00" * 32]]},
        {"reveals": [[0, 0, "00" * 32, "00" * 32]] * 2},
        {"seats": 0, "reveals": []},
        {"name": "x"},
        {"salt": "00" * 31},
        {"abandoned": "00"},
        {"rules": ""},
        {"rules": "x" * 41},
        {"rules_version": -1},
        {"edition": "x" * 65},
        {"seed_hash": chain.seed_hash(game().seed).upper()},
        {"seed_hash": chain.seed_hash(game().seed) + "00"},
        {"more": 1},
    ],
    ids=str,
)
def test_an_invalid_genesis_is_reported_before_its_place_in_the_log(fields: dict[str, Any]) -> None:
    header, opening, *parts = log().bundle([game()])
    genesis = json.dumps(json.loads(game().genesis) | fields).encode()
    for forged in (
        [header, msgspec.structs.replace(opening, genesis=genesis), *parts],
        [msgspec.structs.replace(log().receipt(game(), 1), genesis=genesis)],
    ):
        with pytest.raises(Diverged) as found:
            read(written(forged))
        assert (found.value.version, found.value.field, found.value.expected) == (
            0,
            "genesis",
            "the genesis of a game",
        )


def test_options_that_the_rules_do_not_have_are_reported() -> None:
    forged = of_genesis(options={"nonsense": True})
    with pytest.raises(Diverged) as found:
        read(written(Log([forged]).bundle([forged])))
    assert (found.value.version, found.value.field) == (0, "options")


BAD_BYTES = [
    (b'"events":[{"', b'"events":[{"x":"\xff","', "body"),
    (b'"events":[{"', b'"events":["x",{"', "events"),
    (b'"events":[{"', b'"events":[{"x":' + b"[" * 5000 + b"]" * 5000 + b',"', "body"),
    (b'"command":{"', b'"command":{"x":"\xff","', "body"),
    (b'"command":{"', b'"command":{"x":1,"', "command"),
    (b'"command":{"', b'"command":{"x":' + b"[" * 5000 + b"]" * 5000 + b',"', "body"),
    (b'"draws":[[', b'"draws":[[0,6,1,0],[', "body"),
    (b'"transfers":[["', b'"transfers":[["bank","seat:0",6,"bet_won","x"],["', "body"),
    (b'"seat":null', b'"seat":-1', "body"),
    (b'"events":[{"', b'"events":[{"x":"\\ud800","', "body"),
]


@pytest.mark.parametrize(("old", "new", "field"), BAD_BYTES, ids=range(len(BAD_BYTES)))
def test_bytes_that_are_no_commit_are_reported_although_all_hashes_fit(
    old: bytes, new: bytes, field: str
) -> None:
    """In a bundle, and in a receipt, which is checked without the rules."""
    later = (
        commit
        for commit in game().commits[log().receipt(game(), 1).version :]
        if commit.seat is None
    )
    version = next(commit.version for commit in later if old in commit.body)
    forged = rewritten(game(), version, old, new)
    for parts in (Log([forged]).bundle([forged]), [Log([forged]).receipt(forged, 1)]):
        with pytest.raises(Diverged) as found:
            read(written(parts))
        assert (found.value.game, found.value.version, found.value.field) == (
            game().id,
            version,
            field,
        ), str(found.value)


def test_a_command_of_a_seat_is_text_even_where_no_rules_read_it() -> None:
    version = next(commit.version for commit in game().commits if commit.seat is not None)
    forged = rewritten(game(), version, b'"command":{"', b'"command":{"x":"\xff","')
    bet = next(
        bet.bet for commit in game().commits for bet in commit.bets if commit.version == version
    )
    with pytest.raises(Diverged) as found:
        read(bundle.line(Log([forged]).receipt(forged, bet)))
    assert (found.value.version, found.value.field) == (version, "body")


def test_an_event_about_a_bet_has_its_fields_and_no_others() -> None:
    """Other events are known only to the rules; receipts check those of bets, too."""
    version = next(commit.version for commit in game().commits if b'"bet_settled"' in commit.body)
    for more in (b',"x":1', b',"only":null'):
        forged = rewritten(game(), version, b'"type":"bet_settled"', b'"type":"bet_settled"' + more)
        with pytest.raises(Diverged) as found:
            read(bundle.line(Log([forged]).receipt(forged, 1)))
        assert (found.value.version, found.value.field) == (version, "events")


def test_a_seat_that_the_game_does_not_have_is_reported() -> None:
    version, seat = next(
        (commit.version, commit.seat) for commit in game().commits if commit.seat is not None
    )
    forged = rewritten(game(), version, b'"seat":%d' % seat, b'"seat":%d' % SEATS)
    forged.commits[version - 1] = msgspec.structs.replace(forged.commits[version - 1], seat=SEATS)
    with pytest.raises(Diverged) as found:
        read(written(Log([forged]).bundle([forged])))
    assert (found.value.version, found.value.field) == (version, "seat")
