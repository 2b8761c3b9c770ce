"""Frames and bodies that something has damaged: what a client reads, or reports as one error."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, Final

from tests.sdk import healing, hostile

FRAMES: Final[tuple[Any, ...]] = (
    hostile.view(),
    hostile.commit(2),
    hostile.heartbeat(1),
    hostile.heartbeat(2, "finished"),
    hostile.accepted({"id": healing.COMMAND_ID}),
    hostile.refused({"id": healing.COMMAND_ID}, "too_late", 1, now=hostile.now()),
    hostile.legal({"id": healing.COMMAND_ID}),
    {"type": "error", "code": "busy", "data": {}},
    healing.room(1),
    healing.happened(2, 3),
    healing.PRESENT,
    {"type": "heartbeat", "version": 2},
    healing.listed(1, "a", "b"),
    healing.changes(2, healing.lobby("c"), gone=("a",)),
    {"type": "heartbeat", "cursor": 3},
    healing.notices(2, 3, 2, 3),
    {"type": "heartbeat", "last": 3},
    json.loads(hostile.problem("busy", 503).body),
    healing.lobby("a"),
)
ODD: Final[tuple[Any, ...]] = (
    *(None, True, 0, -1, 1.5, 1e300, 2**53, 2**70, "", "x", "\u0000", "\u2028", "__proto__"),
    *([], {}, [[]], [None], {"type": None}, {"type": "new"}, "0001-01-01", "9999-12-31T23:59:59Z"),
)
LETTERS: Final = '{}[]",:\\0-e.tfn \ud7ff\x00'


def mutations(count: int) -> Iterator[str]:
    """Yield so many damaged texts, always the same."""
    chance = random.Random(17)
    for number in range(count):
        frame = copy.deepcopy(FRAMES[number % len(FRAMES)])
        for _ in range(chance.randint(1, 3)):
            frame = _changed(frame, chance)
        text = json.dumps(frame)
        yield _damaged(text, chance) if chance.random() < 0.3 else text


def _changed(frame: Any, chance: random.Random) -> Any:
    """Change one value somewhere in a frame, or leave it out."""
    places = list(_places(frame))
    if not places:
        return chance.choice(ODD)
    parent, key = chance.choice(places)
    if chance.random() < 0.2:
        del parent[key]
    else:
        parent[key] = copy.deepcopy(chance.choice(ODD))
    return frame


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = range(len(value)) if isinstance(value, list) else list(value)
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _damaged(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    match chance.randrange(3):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + chance.choice(LETTERS) + text[place:]
    return text[:place] + chance.choice(LETTERS) + text[place + 1 :]
