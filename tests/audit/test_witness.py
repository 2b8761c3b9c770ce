"""A witness keeps its key, and for which reveals it gave its bytes."""

from pathlib import Path

import pytest

from railbird_engine.audit.dice import Record, Start
from railbird_engine.audit.notes import NoteError
from railbird_engine.audit.witness import key_in

NAME = "witness.example.net"


def test_a_key_is_created_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with pytest.raises(NoteError, match="--name"):
        key_in(path, None)
    made = key_in(path, NAME)
    assert path.stat().st_mode & 0o777 == 0o600
    assert key_in(path, "another.example.net").text == key_in(path, None).text == made.text


def test_bytes_are_given_for_the_first_reveals_of_an_opening_alone(tmp_path: Path) -> None:
    one, other, later = (
        Start(opened, revealed)
        for opened, revealed in (
            (b"a" * 32, b"1" * 32),
            (b"b" * 32, b"1" * 32),
            (b"a" * 32, b"2" * 32),
        )
    )
    assert Record(tmp_path / "given").take("log", [one, later]) == [True, False]
    again = Record(tmp_path / "given")
    assert again.take("log", [later, other, one]) == [False, True, True]
    assert again.revealed("log", b"a" * 32) == b"1" * 32
    assert again.revealed("log", b"c" * 32) is None
    assert again.take("another log", [later]) == [True]
