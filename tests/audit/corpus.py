"""Generated invalid files: honest ones with one random change.

A change concerns bytes, a field of a line, the content of a commit or genesis (with recomputed
hashes and signatures), or the log. The same number always gives the same file."""

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from bench.free_spots import FreeSpotsOptions
from railbird_engine import Transfer
from railbird_engine.audit import bundle
from railbird_engine.audit.notes import signed
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import BetRow, SettlementRow
from tests.audit.honest import SIGNER, Honest, Log, honest_game, recommitted, written

MARK: Final = "@mark@"
LITERALS: Final = (
    *("null", "true", "false", "0", "-0", "1", "-1", "-7", "99", "32768", "4294967296"),
    *("1.0", "1.5", "1e3", "1e400", "-1e400", "01", "+1", "NaN", "Infinity", "0x1"),
    *("9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740992"),
    *('""', '"x"', '"\\u202e"', '"a\\u202eb"', '" "', '"\\u0000"', '"\\ud800"', '"\\u0378"'),
    *('"\U0001f40e"', f'"{"x" * 301}"', f'"{chr(0x1F40E) * 300}"', f'"{chr(0x1F40E) * 301}"'),
    *('"voided"', '"finished"', '"started"', '"AAAA"', '"AAA="', '"\u00e9"', '"\\u00e9"'),
    *("[]", "{}", "[[]]", '{"type":"end"}', "[1,2,3,4]", "", '"'),
    *(
        "[" * 63 + "]" * 63,
        "[" * 64 + "]" * 64,
        "[" * 5000 + "]" * 5000,
        '{"a":' * 200 + "1" + "}" * 200,
    ),
    *('{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"__proto__":1}', '{"constructor":{}}'),
)
COMMANDS: Final = (
    '{"type":"started"}',
    '{"type":"ticked","alarm":9007199254740992}',
    '{"type":"ticked","alarm":1}',
    '{"type":"paused","alarm":1,"late_ms":5}',
    '{"type":"seat_replaced","seat":99,"forfeits":false}',
    '{"type":"seat_replaced","seat":-1,"forfeits":false}',
    '{"type":"seat_replaced","seat":0,"forfeits":true}',
    '{"type":"seat_returned","seat":0}',
    '{"type":"voided","reason":"a fire"}',
    '{"type":"voided","reason":""}',
    '{"type":"annotated","reason":"","by":"00000000-0000-0000-0000-000000000007"}',
    '{"type":"annotated","reason":"a\\u202eb","by":"00000000-0000-0000-0000-000000000007"}',
    '{"type":"annotated","reason":"a note","by":"00000000-0000-0000-0000-000000000007"}',
    f'{{"type":"annotated","reason":"{"x" * 301}","by":"00000000-0000-0000-0000-000000000007"}}',
)


class File(NamedTuple):
    """A file, and a description of its change."""

    name: str
    content: bytes


class Base(NamedTuple):
    """An honest game, and the bet whose receipt is changed."""

    game: Honest
    bet: int


@cache
def bases() -> tuple[Base, ...]:
    """Return short games with bets, draws and money: voided, finished and corrected."""
    stopped = honest_game("ready_set_bet", 3, voided_after=16, attempts=2)
    board = honest_game(
        "free_spots", 5, options=FreeSpotsOptions(boards=1, spots=12), void=2, corrected=1
    )
    signed = honest_game("ready_set_bet", 3, voided_after=16, signs=True)
    return tuple(
        Base(game, max(bet.bet for commit in game.commits for bet in commit.bets))
        for game in (stopped, stopped, board, signed)
    )


def corpus(count: int) -> Iterator[File]:
    """Yield this many files, of every kind in turn."""
    kinds = (
        *(of_bytes, of_fields, of_fields, of_bodies, of_bodies, of_the_log),
        *(of_values, of_writing, of_base64, of_notes, of_order, of_draws),
    )
    for number in range(count):
        kind = kinds[number % len(kinds)]
        whims = random.Random(f"corpus {number}")
        yield File(f"{number:05}-{kind.__name__}", kind(whims.choice(bases()), whims))


def file_of(base: Base, whims: random.Random, log: Log | None = None) -> bytes:
    """Return a bundle of the game, or a receipt of its bet during the game or later."""
    game, log = base.game, log or Log([base.game])
    is_placed = any(row.bet == base.bet for commit in game.commits for row in commit.bets)
    match whims.randrange(4) if is_placed else 0:
        case 0 | 1:
            return written(log.bundle([game]))
        case 2:
            return bundle.line(log.receipt(game, base.bet))
        case _:
            return bundle.line(log.receipt(game, base.bet, ended=False))


def of_bytes(base: Base, whims: random.Random) -> bytes:
    """Remove, insert, change or move some bytes."""
    content = file_of(base, whims)
    place = whims.randrange(len(content))
    length = whims.choice((1, 1, 2, 8, 100))
    rest = content[place + length :]
    match whims.randrange(5):
        case 0:
            return content[:place] + rest
        case 1:
            return (
                content[:place]
                + bytes([content[place] ^ 1 << whims.randrange(8)])
                + content[place + 1 :]
            )
        case 2:
            return content[: place + length] + content[place:]
        case 3:
            odd = whims.choice(
                (b"\0", b"\xff", b"\xef\xbb\xbf", b" ", b"\n", b"\r\n", b"0", b",", b"]", b"}")
            )
            return content[:place] + odd + content[place:]
        case _:
            return content[:place] if whims.random() < 0.5 else content + content[:place]


def of_fields(base: Base, whims: random.Random) -> bytes:
    """Change, remove or duplicate one value of one line."""
    lines = file_of(base, whims).splitlines()
    place = whims.choice((0, 1, len(lines) - 1, whims.randrange(len(lines)))) % len(lines)
    lines[place] = changed(lines[place], whims)
    return b"".join(line + b"\n" for line in lines)


def of_bodies(base: Base, whims: random.Random) -> bytes:
    """Change one commit or the genesis, and recompute every hash and row."""
    game = base.game
    if whims.random() < 0.15:
        genesis = changed(game.genesis, whims)
        if whims.random() < 0.5:
            genesis = recommitted(genesis)
        return file_of(
            Base(fitted(game, genesis, [commit.body for commit in game.commits]), base.bet), whims
        )
    contents = [commit.body[chain.BLIND_LENGTH :] for commit in game.commits]
    first = whims.choice((0, len(contents) // 2))
    place = whims.randrange(first, len(contents))
    change = whims.choice((changed, changed, another_command, without_an_event, an_event_more))
    contents[place] = change(contents[place], whims)
    if whims.random() < 0.1:
        contents.insert(
            place, contents[place].replace(b'"version":%d' % (place + 1), b'"version":%d' % place)
        )
    blind = bytes(chain.BLIND_LENGTH)
    forged = fitted(game, game.genesis, [blind + content for content in contents])
    return file_of(Base(forged, base.bet), whims)


def of_the_log(base: Base, whims: random.Random) -> bytes:
    """Change the entries, the order or the name of the log."""
    honest = base.game.entries()
    match whims.randrange(4):
        case 0:
            entries = honest[::-1]
        case 1:
            entries = [honest[-1], *honest[:-1]]
        case 2:
            entries = whims.sample(honest, len(honest))
        case _:
            entries = honest
    log = Log([base.game], entries=entries)
    content = file_of(base, whims, log)
    if entries is not honest:
        return content
    first, newline, rest = content.partition(b"\n")
    header = json.loads(first)
    text, _, signatures = header["log"]["checkpoint"].rpartition("\n\n")
    name = whims.choice(
        (
            "a\u0378b",
            "a\U0001f40e",
            "\u00e9",
            "a b",
            "a+b",
            "",
            "x" * 201,
            "other.example.org",
            "\u200b",
        )
    )
    origin = whims.choice((SIGNER.name, name or "x"))
    header["log"]["checkpoint"] = (
        signed("\n".join([origin, *text.split("\n")[1:]]) + "\n", [SIGNER])
        if origin != SIGNER.name
        else f"{text}\n\n{signatures}— {name} AAAAAAAAAA==\n"
    )
    return json.dumps(header, ensure_ascii=whims.random() < 0.5).encode() + newline + rest


def of_values(base: Base, whims: random.Random) -> bytes:
    """Exchange two values of one type, or two lines."""
    lines = file_of(base, whims).splitlines()
    if whims.random() < 0.3:
        one, other = whims.randrange(len(lines)), whims.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
        return b"".join(line + b"\n" for line in lines)
    whole = [json.loads(line) for line in lines]
    every = [place for line in whole for place in places(line)]
    holder, key = whims.choice(every)
    value = holder[key]
    same = [place for place in every if isinstance(place[0][place[1]], type(value))]
    container, name = whims.choice(same)
    holder[key], container[name] = container[name], value
    try:
        return b"".join(as_text(line) + b"\n" for line in whole)
    except (ValueError, RecursionError):  # a value within itself
        return b""


def of_writing(base: Base, whims: random.Random) -> bytes:
    """Write one line, or all ends of lines, in another way."""
    content = file_of(base, whims)
    lines = content.splitlines(keepends=True)
    ends = (content[:-1], content + b"\n", content.replace(b"\n", b"\r\n"), content + lines[-1])
    place = whims.randrange(len(lines))
    line = lines[place].decode()
    lines[place] = whims.choice(
        (
            line.replace('"type"', '"\\u0074ype"', 1),
            line.replace("/", "\\/"),
            line.replace(":", whims.choice((": ", " :", ":\t", ":\u00a0", ":\f")), 1),
            f"{json.dumps(json.loads(line), sort_keys=True)}\n",
            json.dumps(json.loads(line), indent=1).replace("\n", whims.choice("\t\r ")) + "\n",
        )
    ).encode()
    return whims.choice((*ends, *3 * (b"".join(lines),)))


def of_base64(base: Base, whims: random.Random) -> bytes:
    """Write the base64 of one value in another way."""
    lines = file_of(base, whims).splitlines(keepends=True)
    place = whims.choice((0, len(lines) - 1, whims.randrange(len(lines))))
    whole = json.loads(lines[place])
    texts = [(holder, key) for holder, key in places(whole) if isinstance(holder[key], str)]
    holder, key = whims.choice(texts)
    text = holder[key]
    digits = text.rstrip("=")
    holder[key] = whims.choice(
        (
            digits,
            f"{digits}=",
            f"{text}====",
            f"{digits[:-1]}{chr(ord(digits[-1:] or 'A') + 1)}{text[len(digits) :]}",
            text.replace("+", "-").replace("/", "_"),
            text[:4] + whims.choice(" \n\r=\t") + text[4:],
        )
    )
    lines[place] = as_text(whole) + b"\n"
    return b"".join(lines)


def of_notes(base: Base, whims: random.Random) -> bytes:
    """Change the text of the checkpoint, and usually sign it again."""
    first, newline, rest = file_of(base, whims).partition(b"\n")
    header = json.loads(first)
    text, signatures = header["log"]["checkpoint"].split("\n\n", 1)
    origin, size, root = text.split("\n")
    changes = [
        [origin, f"0{size}", root],
        [origin, f"+{size}", root],
        [origin, f"{size} ", root],
        [origin, str(2**53), root],
        [origin, size, root, "an extension"],
        [origin, size, root, "an extension \u0301\u202e"],
        [origin, size, root, "", "more"],
        [origin, size, f"{root[:-2]}{chr(ord(root[-2]) + 1)}="],
        [origin, size, f"{root}A"],
        [origin, size],
    ]
    text = "\n".join(whims.choice(changes)) + "\n"
    note = signed(text, [SIGNER]) if whims.random() < 0.8 else f"{text}\n{signatures}"
    more = whims.choice((0, 0, 0, 1, 63, 64))
    header["log"]["checkpoint"] = note + "— witness.example.org AAAAAAAA\n" * more
    return as_text(header) + newline + rest


def of_order(base: Base, whims: random.Random) -> bytes:
    """Remove, repeat or move a commit, and recompute every version, hash and row."""
    game = base.game
    contents = [json.loads(commit.body[chain.BLIND_LENGTH :]) for commit in game.commits]
    place = whims.randrange(1, len(contents))
    match whims.randrange(3):
        case 0:
            del contents[place]
        case 1:
            contents.insert(place, dict(contents[place]))
        case _:
            contents[place], contents[place - 1] = contents[place - 1], contents[place]
    for version, content in enumerate(contents, start=1):
        content["version"] = version
    bodies = [bytes(chain.BLIND_LENGTH) + as_text(content) for content in contents]
    return file_of(Base(fitted(game, game.genesis, bodies), base.bet), whims)


def of_draws(base: Base, whims: random.Random) -> bytes:
    """Change the draws of a commit, and recompute every hash."""
    game = base.game
    bodies = [commit.body for commit in game.commits]
    drawing = [place for place, body in enumerate(bodies) if b'"draws":[[' in body]
    if not drawing:
        return of_order(base, whims)
    place = whims.choice(drawing)
    content = json.loads(bodies[place][chain.BLIND_LENGTH :])
    draws = content["draws"]
    draw = whims.choice(draws)
    match whims.randrange(6):
        case 0:
            draw[0] += 1
        case 1:
            draw[1] = whims.choice((0, 1, 2 * draw[1], 2**53 - 1, 2**53))
        case 2:
            draw[2] = whims.choice((-1, draw[1], True, None))
        case 3:
            draws.append(draw)
        case 4:
            draws.clear()
        case _:
            draws.reverse()
    bodies[place] = bytes(chain.BLIND_LENGTH) + as_text(content)
    return file_of(Base(fitted(game, game.genesis, bodies), base.bet), whims)


def changed(text: bytes, whims: random.Random) -> bytes:
    """Return the JSON with one value changed, removed or duplicated."""
    whole = json.loads(text)
    holder, key = whims.choice(list(places(whole)))
    value = holder[key]
    literal = whims.choice(LITERALS)
    match whims.randrange(8):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[whims.choice(("more", "__proto__", "type", "only", "by"))] = MARK
        case 2 if isinstance(holder, dict):
            holder[MARK] = value
            return as_text(whole).replace(json.dumps(MARK).encode(), json.dumps(key).encode(), 1)
        case 3 if isinstance(value, int) and not isinstance(value, bool):
            holder[key] = value + whims.choice((-1, 1))
        case 4 if isinstance(value, int):
            holder[key], literal = MARK, f"{value}.0"
        case 5 if isinstance(value, list):
            holder[key] = [*value, *value[-1:]]
        case 6 if isinstance(value, list):
            holder[key] = value[:-1]
        case _:
            holder[key] = MARK
    return as_text(whole).replace(
        json.dumps(MARK).encode(), literal.encode("utf-8", "surrogatepass")
    )


def as_text(whole: object) -> bytes:
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield all nested values with their container and their name or index."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def another_command(content: bytes, whims: random.Random) -> bytes:
    """Replace the command by a server command with its consequences only."""
    body = json.loads(content)
    command = whims.choice(COMMANDS)
    received = json.loads(command)
    noted = {"type": "intervened", "by": received.get("by"), "reason": received.get("reason", "")}
    body |= {"seat": None, "command": MARK, "draws": [], "transfers": []}
    body["events"] = [noted] if "reason" in received else []
    return as_text(body).replace(json.dumps(MARK).encode(), command.encode(), 1)


def without_an_event(content: bytes, whims: random.Random) -> bytes:
    body = json.loads(content)
    if body["events"]:
        body["events"].pop(whims.randrange(len(body["events"])))
    return as_text(body)


def an_event_more(content: bytes, whims: random.Random) -> bytes:
    """Return an event, usually one about a bet."""
    body = json.loads(content)
    bet = whims.choice((-7, 0, 1, 2, 777, 2**53))
    kinds: tuple[dict[str, Any], ...] = (
        {"type": "bet_settled", "bet": bet, "seat": 0, "spot": "x", "outcome": "won", "payout": 1},
        {"type": "bet_placed", "bet": bet, "seat": 0, "spot": "x", "stake": 1, "odds": ""},
        {"type": "bet_voided", "bet": bet, "payout": 0, "reason": ""},
        {"type": "unheard_of"},
    )
    event = whims.choice(kinds)
    if whims.random() < 0.3:
        event["only"] = whims.choice(([], [0], [-1], [2**53], None))
    body["events"].insert(whims.randrange(len(body["events"]) + 1), event)
    return as_text(body)


def fitted(game: Honest, genesis: bytes, bodies: list[bytes]) -> Honest:
    """Return the game as an operator with the key of the log would forge it: hashes, blinds and
    rows match the changed content as far as possible."""
    game = game._replace(genesis=genesis, forged_from=game.opening)
    key = game.key()
    previous, commits = chain.genesis_hash(genesis), []
    for version, body in enumerate(bodies, start=1):
        content = body[chain.BLIND_LENGTH :]
        refitted = chain.blind_of(key, version) + content
        previous = chain.commit_hash(previous, version, chain.body_digest(refitted))
        old = game.commits[min(version, len(game.commits)) - 1]
        commit = msgspec.structs.replace(old, version=version, body=refitted, hash=previous)
        commits.append(_with_rows(commit, content))
    return game._replace(commits=commits)


def _with_rows(commit: bundle.Commit, content: bytes) -> bundle.Commit:
    try:
        body = json.loads(content)
        received = [event for event in body["events"] if event.get("only") is None]
        placed = [event for event in received if event["type"] == "bet_placed"]
        settled = [event for event in received if event["type"] in {"bet_settled", "bet_voided"}]
        names = ("bet", "seat", "spot", "stake", "odds")
        outcomes = [(each["bet"], each.get("outcome", "void"), each["payout"]) for each in settled]
        fit = msgspec.structs.replace(
            commit,
            seat=body["seat"],
            bets=tuple(BetRow(*(event[name] for name in names)) for event in placed),
            settlements=tuple(SettlementRow(*row) for row in sorted(outcomes)),
            transfers=tuple(Transfer(*row) for row in body["transfers"]),
        )
        bundle.line(fit)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, msgspec.MsgspecError):
        return commit
    return fit
