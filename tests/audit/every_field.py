"""Files in which one field has another value: each field of each kind of line, of the genesis, and
of the bodies of commits, whose hashes and signatures of the log are made again."""

import copy
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from railbird_engine.audit import bundle
from railbird_engine.kernel import chain
from tests.audit.corpus import Base, File, as_text, bases, fitted
from tests.audit.honest import Log, recommitted, written

Path = tuple[str | int, ...]
BLIND: Final = bytes(chain.BLIND_LENGTH)


def every_field() -> Iterator[File]:
    """Yield the files; each has a name of its own."""
    for number, base in enumerate(bases()[1:]):
        game, log = base.game, Log([base.game])
        contents = {
            "bundle": written(log.bundle([game])),
            "receipt": bundle.line(log.receipt(game, base.bet)),
            "running": bundle.line(log.receipt(game, base.bet, ended=False)),
        }
        for kind, content in contents.items():
            yield from of_lines(f"{number}-{kind}", content.splitlines())
        yield from of_genesis(f"{number}-genesis", base)
        yield from of_bodies(f"{number}-body", base)


def of_lines(name: str, lines: Sequence[bytes]) -> Iterator[File]:
    seen = set[Path]()
    for at, line in enumerate(lines):
        value = json.loads(line)
        for what, other in others(value, value["type"], seen):
            forged = [*lines[:at], as_text(other), *lines[at + 1 :]]
            yield File(f"{name}-{what}", b"".join(each + b"\n" for each in forged))


def of_genesis(name: str, base: Base) -> Iterator[File]:
    bodies = [commit.body for commit in base.game.commits]
    for what, other in others(json.loads(base.game.genesis), "genesis", set()):
        genesis = as_text(other)
        for again in {genesis, recommitted(genesis)}:
            forged = fitted(base.game, again, bodies)
            yield File(f"{name}-{what}-{again != genesis}", written(Log([forged]).bundle([forged])))


def of_bodies(name: str, base: Base) -> Iterator[File]:
    """Change the bodies of a game, in a bundle and in a receipt of its bet."""
    game, seen = base.game, set[Path]()
    contents = [json.loads(commit.body[chain.BLIND_LENGTH :]) for commit in game.commits]
    for at, content in enumerate(contents):
        for what, other in others(content, content["command"]["type"], seen):
            bodies = [
                BLIND + as_text(each) for each in (*contents[:at], other, *contents[at + 1 :])
            ]
            forged = fitted(game, game.genesis, bodies)
            log = Log([forged])
            yield File(f"{name}-{what}-bundle", written(log.bundle([forged])))
            if any(row.bet == base.bet for commit in forged.commits for row in commit.bets):
                yield File(f"{name}-{what}-receipt", bundle.line(log.receipt(forged, base.bet)))


def others(whole: Any, kind: str, seen: set[Path]) -> Iterator[tuple[str, Any]]:
    """Yield a value with another one in the place of each field that was not seen before."""
    for path in paths(whole):
        like = (kind, *("*" if isinstance(step, int) else step for step in path))
        if like in seen:
            continue
        seen.add(like)
        *steps, last = path
        name = ".".join(map(str, like))
        for number, value in enumerate(replacements(inside(whole, path))):
            changed = copy.deepcopy(whole)
            inside(changed, steps)[last] = value
            yield f"{name}-{number}", changed
        changed = copy.deepcopy(whole)
        del inside(changed, steps)[last]
        yield f"{name}-gone", changed


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    steps = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for step in steps:
        yield from paths(value[step], (*path, step))


def inside(value: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        value = value[step]
    return value


def replacements(value: Any) -> list[Any]:
    match value:
        case bool():
            return [None, not value]
        case int():
            return [None, value + 1, value - 1, -1 - value, 2**53, float(value)]
        case str():
            turned = value[:-1] + ("1" if value.endswith("0") else "0")
            return [None, turned, value.swapcase(), "", value * 2]
        case list():
            return [None, [], [*value, *value[-1:]], value[::-1]]
        case dict():
            return [None, {}, {**value, "x": 1}]
    return [0, "00" * 32]
