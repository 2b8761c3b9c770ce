"""Changes of the signatures of players: for their seats, and of their commands."""

import copy
import json
from functools import cache
from typing import Any
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.free_spots import FreeSpotsOptions
from railbird_engine.kernel import chain
from tests.audit.honest import (
    PLAYER,
    SIGNER,
    Honest,
    Log,
    answered,
    honest_game,
    signed_command,
    signed_seat,
    written,
)
from tests.audit.small_changes.commits import chained
from tests.audit.small_changes.files import Case, bundle_of

OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


@cache
def signing() -> Honest:
    """A game whose last command is signed."""
    options = FreeSpotsOptions(boards=1, spots=12)
    for length in range(6, 12):
        game = honest_game("free_spots", 5, options=options, signs=True, voided_after=length)
        if chain.decode_body(game.commits[-2].body).signed is not None:
            return game
    raise AssertionError("some command of the first ones is signed")


def with_fields(version: int, **fields: Any) -> bytes:
    """Return the bundle with other fields in the content of a commit."""
    game = signing()
    commits = list(game.commits)
    body = commits[version - 1].body
    content = json.loads(body[chain.BLIND_LENGTH :]) | fields
    content = {name: value for name, value in content.items() if value is not ...}
    body = body[: chain.BLIND_LENGTH] + json.dumps(content, separators=(",", ":")).encode()
    commits[version - 1] = msgspec.structs.replace(commits[version - 1], body=body)
    return bundle_of(chained(game, commits))


def in_commands() -> dict[str, Case]:
    """Signatures of the last command, and of others."""
    game = signing()
    last = len(game.commits) - 1
    body = chain.decode_body(game.commits[last - 1].body)
    mark, seat = body.signed, body.seat
    assert mark is not None
    assert seat is not None
    before = {
        commit.version: commit for commit in game.commits[: last - 1] if commit.seat is not None
    }
    earlier = next(
        found.id
        for commit in before.values()
        if commit.seat == seat and (found := chain.decode_body(commit.body).signed) is not None
    )
    unsigned = next(version for version, commit in before.items() if commit.seat == 0)

    def of(signed: Any) -> bytes:
        return with_fields(last, signed=signed)

    def again(
        opening: chain.Genesis = game.opening,
        seat: int = seat,
        *,
        by: Ed25519PrivateKey = PLAYER,
        origin: str = SIGNER.name,
        **fields: Any,
    ) -> bytes:
        other = msgspec.structs.replace(mark, **fields)
        text = other.text(origin, opening.name, seat, bytes(body.command))
        return of(
            msgspec.to_builtins(msgspec.structs.replace(other, signature=by.sign(text).hex()))
        )

    plain = msgspec.to_builtins(mark)
    genesis = chain.genesis_hash(game.genesis).hex()
    return {
        "as-it-was": (of(plain), 0),
        "again": (again(), 0),
        "stripped": (of(...), 1),
        "null": (of(None), 1),
        "by-another-key": (again(by=OTHER), 1),
        "of-zeros": (of([*plain[:4], "00" * 64]), 1),
        "longer": (of([*plain, 1]), 1),
        "shorter": (of(plain[:4]), 1),
        "in-upper-case": (of([*plain[:4], plain[4].upper()]), 1),
        "of-another-game": (again(msgspec.structs.replace(game.opening, name=UUID(int=1))), 1),
        "of-another-log": (again(origin="other.example/log"), 1),
        "of-another-seat": (again(seat=0), 1),
        "of-another-command": (
            with_fields(last, command={"type": "take_spot", "spot": 11}, signed=plain),
            1,
        ),
        "after-the-genesis": (again(head=0, hash=genesis), 0),
        "after-a-foreign-commit": (again(hash="ab" * 32), 1),
        "after-itself": (again(head=last, hash="ab" * 32), 1),
        "until-itself": (again(until=last), 0),
        "too-late": (again(until=last - 1), 1),
        "of-a-repeated-id": (again(id=earlier), 1),
        "in-a-seat-without-a-key": (with_fields(unsigned, signed=plain), 1),
        "of-the-server": (with_fields(last + 1, signed=plain), 1),
    }


def stored_again(game: Honest, genesis: bytes) -> Honest:
    """Return the game with another genesis, with all hashes and signatures of commands made
    again."""
    game = game._replace(genesis=genesis, forged_from=game.opening)
    key, previous, commits = game.key(), chain.genesis_hash(genesis), []
    for commit in game.commits:
        content = json.loads(commit.body[chain.BLIND_LENGTH :])
        if "signed" in content:
            text = bytes(chain.decode_body(commit.body).command)
            head, seat = commit.version - 1, commit.seat
            assert seat is not None
            content["signed"] = msgspec.to_builtins(
                signed_command(game.opening, seat, text, head, previous, commit.version)
            )
        body = chain.blind_of(key, commit.version) + msgspec.json.encode(content)
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(body))
        commits.append(msgspec.structs.replace(commit, body=body, hash=previous))
    return game._replace(commits=commits)


def in_seats() -> dict[str, Case]:
    """Keys of a seat, in a genesis whose log fits it."""
    game = signing()
    first, signer, *others = game.opening.rows
    assert signer.key is not None
    assert signer.commitment is not None
    opened = chain.entry_hash(chain.opened_entry(game.opening))

    def of(**fields: Any) -> bytes:
        row = copy.copy(signer)
        for name, value in fields.items():  # other than a constructor, it checks nothing
            msgspec.structs.force_setattr(row, name, value)
        again = msgspec.structs.replace(game.opening, rows=(first, row, *others))
        again = answered(again, bytes.fromhex(again.answers[0].entropy))
        forged = stored_again(game, msgspec.json.encode(again))
        return written(Log([forged]).bundle([forged]))

    def signed(key: str, place: int = signer.place, opened: bytes = opened) -> bytes:
        text = chain.seat_text(opened.hex(), place, key, signer.commitment or "")
        return of(key=key, signature=PLAYER.sign(text).hex())

    other_key, other = signed_seat(OTHER, opened, signer.place, signer.commitment)
    return {
        "as-it-was": (of(), 0),
        "signed-by-another": (of(signature=other), 1),
        "of-another-who-signed-no-command": (of(key=other_key, signature=other), 1),
        "signed-for-another-place": (signed(signer.key, 77), 1),
        "signed-for-another-lobby": (signed(signer.key, opened=bytes(32)), 1),
        "without-a-signature": (of(signature=None), 1),
        "without-a-key": (of(key=None), 1),
        "without-a-person": (of(person=None, link=None), 1),
        "without-a-link": (of(link=None), 1),
        "in-upper-case": (of(key=signer.key.upper()), 1),
        **{
            f"a-point-of-small-order-{point % 1000}-{sign}": (
                signed((point + (sign << 255)).to_bytes(32, "little").hex()),
                1,
            )
            for point in (*chain.SMALL, chain.FIELD, chain.FIELD + 3)
            for sign in (0, 1)
        },
    }


def in_signatures() -> dict[str, Case]:
    """The signatures of players."""
    return {
        f"{of}-{name}": case
        for of, cases in (("command", in_commands()), ("seat", in_seats()))
        for name, case in cases.items()
    }
