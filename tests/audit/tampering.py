"""Honest games, bundles of them, and ways to tamper with a bundle."""

import random
from collections.abc import Callable
from functools import cache

import msgspec

from bench.free_spots import FreeSpotsOptions
from railbird_engine.audit.bundle import Bundle, Commit, End, Part
from railbird_engine.audit.bundle import Game as Opening
from railbird_engine.kernel import chain
from tests.audit.honest import Honest, Log, honest_game

Parts = list[Part]
Mutation = Callable[[Parts, random.Random], Parts]


@cache
def races() -> tuple[Honest, ...]:
    """Two games with dice, bets and secrets, a voided game, and a load game."""
    return (
        honest_game("ready_set_bet", 1),
        honest_game("set_dice", 2),
        honest_game("ready_set_bet", 3, voided_after=60),
        honest_game("free_spots", 4, options=FreeSpotsOptions(boards=2, spots=12)),
    )


@cache
def log() -> Log:
    return Log(races())


def honest() -> Parts:
    return log().bundle(races())


def of_game(parts: Parts, number: int) -> list[int]:
    """The positions of a game's commits."""
    opening = [place for place, part in enumerate(parts) if isinstance(part, Opening)][number]
    return [
        place
        for place in range(opening + 1, end_of(parts, number))
        if isinstance(parts[place], Commit)
    ]


def end_of(parts: Parts, number: int) -> int:
    """The place of a game's closing."""
    return [place for place, part in enumerate(parts) if isinstance(part, End)][number]


def any_commit(parts: Parts, whims: random.Random) -> int:
    return whims.choice([place for place, part in enumerate(parts) if isinstance(part, Commit)])


def changed(parts: Parts, place: int, **fields: object) -> Parts:
    return [*parts[:place], msgspec.structs.replace(parts[place], **fields), *parts[place + 1 :]]


def commit_at(parts: Parts, place: int) -> Commit:
    part = parts[place]
    assert isinstance(part, Commit)
    return part


def flipped(data: bytes, whims: random.Random) -> bytes:
    place, bit = whims.randrange(len(data)), 1 << whims.randrange(8)
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


def edit_body(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return changed(parts, place, body=flipped(commit_at(parts, place).body, whims))


def edit_hash(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return changed(parts, place, hash=flipped(commit_at(parts, place).hash, whims))


def edit_seat(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    seat = commit_at(parts, place).seat
    return changed(parts, place, seat=0 if seat is None else whims.choice([None, seat + 1]))


def delete(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return parts[:place] + parts[place + 1 :]


def insert(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return [*parts[: place + 1], parts[any_commit(parts, whims)], *parts[place + 1 :]]


def reorder(parts: Parts, whims: random.Random) -> Parts:
    place = whims.choice(of_game(parts, whims.randrange(4))[:-1])
    return [*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]]


def truncate(parts: Parts, whims: random.Random) -> Parts:
    return parts[: whims.randrange(1, len(parts))]


def truncate_a_game(parts: Parts, whims: random.Random) -> Parts:
    """Cut off the end of a game, and make its closing line fit."""
    game = whims.randrange(4)
    places = of_game(parts, game)
    keep = whims.randrange(1, len(places))
    kept = [commit_at(parts, place) for place in places[:keep]]
    closing = end_of(parts, game)
    end = parts[closing]
    fitted = msgspec.structs.replace(
        end,
        commits=keep,
        bets=sum(len(commit.bets) for commit in kept),
        settlements=sum(len(commit.settlements) for commit in kept),
        transfers=sum(len(commit.transfers) for commit in kept),
    )
    return [*parts[: places[keep]], fitted, *parts[closing + 1 :]]


def swap_commits_of_two_games(parts: Parts, whims: random.Random) -> Parts:
    one, other = of_game(parts, 0), of_game(parts, 2)
    number = whims.randrange(min(len(one), len(other)))
    swapped = list(parts)
    swapped[one[number]], swapped[other[number]] = parts[other[number]], parts[one[number]]
    return swapped


def swap_openings(parts: Parts, whims: random.Random) -> Parts:
    one, other = of_game(parts, 0)[0] - 1, of_game(parts, 2)[0] - 1
    swapped = list(parts)
    swapped[one], swapped[other] = parts[other], parts[one]
    return swapped


def swap_seeds(parts: Parts, whims: random.Random) -> Parts:
    one, other = of_game(parts, 0)[0] - 1, of_game(parts, 2)[0] - 1
    seed = parts[other]
    assert isinstance(seed, Opening)
    return changed(parts, one, seed=seed.seed)


def forge_row(parts: Parts, whims: random.Random) -> Parts:
    kind, field = whims.choice(
        [("bets", "stake"), ("settlements", "payout"), ("transfers", "amount")]
    )
    having = [n for n, part in enumerate(parts) if isinstance(part, Commit) and getattr(part, kind)]
    place = whims.choice(having)
    first, *rest = getattr(parts[place], kind)
    forged = msgspec.structs.replace(first, **{field: getattr(first, field) + 1})
    return changed(parts, place, **{kind: (forged, *rest)})


def forge_purses(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    end = parts[place]
    assert isinstance(end, End)
    return changed(parts, place, purses={**end.purses, "seat:0": end.purses["seat:0"] + 1})


def forge_count(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    name = whims.choice(["bets", "settlements", "transfers", "commits"])
    return changed(parts, place, **{name: getattr(parts[place], name) + 1})


def forge_end(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    end = parts[place]
    assert isinstance(end, End)
    return changed(parts, place, how="voided" if end.how == "finished" else "finished")


def wrong_rules_version(parts: Parts, whims: random.Random) -> Parts:
    place = of_game(parts, whims.randrange(4))[0] - 1
    opening = parts[place]
    assert isinstance(opening, Opening)
    return changed(
        parts, place, genesis=opening.genesis.replace(b'"rules_version":', b'"rules_version":9')
    )


def edit_genesis(parts: Parts, whims: random.Random) -> Parts:
    place = of_game(parts, whims.randrange(4))[0] - 1
    opening = parts[place]
    assert isinstance(opening, Opening)
    return changed(parts, place, genesis=flipped(opening.genesis, whims))


def wrong_place_in_the_log(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    end = parts[place]
    assert isinstance(end, End)
    return changed(
        parts, place, ended=msgspec.structs.replace(end.ended, index=end.ended.index + 1)
    )


def edit_checkpoint(parts: Parts, whims: random.Random) -> Parts:
    header = parts[0]
    assert isinstance(header, Bundle)
    origin, size, *rest = header.log.checkpoint.split("\n")
    note = "\n".join([origin, str(int(size) + 1), *rest])
    return changed(parts, 0, log=msgspec.structs.replace(header.log, checkpoint=note))


NAMED: list[tuple[Mutation, set[str]]] = [
    (edit_body, {"hash"}),
    (edit_hash, {"hash"}),
    (edit_seat, {"seat"}),
    (delete, {"version", "commits", "end"}),
    (insert, {"version", "commit"}),
    (reorder, {"version"}),
    (truncate, {"line"}),
    (truncate_a_game, {"end", "purses"}),
    (swap_commits_of_two_games, {"hash"}),
    (swap_openings, {"hash", "seed"}),
    (swap_seeds, {"seed"}),
    (forge_row, {"rows of bets", "rows of settlements", "rows of transfers"}),
    (forge_purses, {"purses"}),
    (forge_count, {"rows of bets", "rows of settlements", "rows of transfers", "commits"}),
    (forge_end, {"end"}),
    (wrong_rules_version, {"opened"}),
    (edit_genesis, {"genesis", "opened", "committed", "revealed", "answers"}),
    (wrong_place_in_the_log, {"end"}),
    (edit_checkpoint, {"signature"}),
]


def rechained(game: Honest) -> Honest:
    """Return the game with the blinds and hashes of its commits made for its forged genesis."""
    key = chain.key_of(game.seed, game.opening)
    previous, commits = chain.genesis_hash(game.genesis), []
    for commit in game.commits:
        body = chain.blind_of(key, commit.version) + commit.body[chain.BLIND_LENGTH :]
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(body))
        commits.append(msgspec.structs.replace(commit, body=body, hash=previous))
    return game._replace(commits=commits)


def rewritten(game: Honest, version: int, old: bytes, new: bytes) -> Honest:
    """Return the game with the text of one commit replaced, and all hashes recomputed."""
    previous, commits = chain.genesis_hash(game.genesis), []
    for commit in game.commits:
        body = commit.body
        if commit.version == version:
            content = body[chain.BLIND_LENGTH :]
            assert old in content, content
            body = body[: chain.BLIND_LENGTH] + content.replace(old, new, 1)
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(body))
        commits.append(msgspec.structs.replace(commit, body=body, hash=previous))
    return game._replace(commits=commits)


def first_version(game: Honest, text: bytes) -> int:
    return next(commit.version for commit in game.commits if text in commit.body)
