"""The fairness report: known values, fair dice pass, loaded dice are found, the command works."""

import math
import pickle
import random
from collections.abc import Callable
from datetime import date
from typing import Final

import msgspec
import pytest

from accounts.models import User
from games.models import Commit, Game, Head, Lobby, new_log_name
from games.proofs import fairness
from games.store.registry import newest_rules
from kit.partitions import first_id
from railbird_engine import Draw, SeededChance
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import Started
from tests.archive.past import make_months
from tests.commands import managed

THROWS = 20_000


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (11.0705, 5, 0.05),
        (20.515, 5, 0.001),
        (6.17, 5, 0.2900),
        (100.0, 100, 0.4812),
        (0, 3, 1.0),
    ],
)
def test_chi_square_tails_match_published_tables(statistic: float, freedom: int, p: float) -> None:
    assert math.isclose(fairness.chi_square_tail(statistic, freedom), p, rel_tol=2e-3)


def samples_of(draws: list[Draw]) -> list[fairness.Sample]:
    tallies = fairness.Tallies()
    tallies.add(draws)
    return tallies.samples()


def throws(weights: list[int], draws: int, seed: int) -> list[Draw]:
    values = random.Random(seed).choices(range(6), weights, k=draws)
    return [Draw(number, 6, value) for number, value in enumerate(values)]


def test_fair_dice_are_rarely_significant() -> None:
    odd = 0
    for seed in range(100):
        (sample,) = fairness.corrected({"x": samples_of(throws([1] * 6, 600, seed))})["x"]
        assert [test.name for test in sample.tests] == [
            "faces",
            "sums of two",
            "runs of high and low",
        ]
        odd += any(test.holm < fairness.ALPHA for test in sample.tests)
    assert odd <= 4, "one in a hundred, by design"


def test_a_loaded_die_is_found_with_the_stated_number_of_throws() -> None:
    draws = 20_000
    bias = fairness.visible_bias(draws, 6)
    weights = [round(1000 * (1 + 1.5 * bias)), *[round(1000 * (1 - 1.5 * bias / 5))] * 5]
    (sample,) = fairness.corrected({"x": samples_of(throws(weights, draws, 1))})["x"]
    assert sample.tests[0].holm < fairness.ALPHA


def test_alternating_dice_are_found_by_the_runs_test() -> None:
    values = [
        value
        for low, high in zip(
            *[random.Random(2).choices(r, k=600) for r in (range(3), range(3, 6))], strict=True
        )
        for value in (low, high)
    ]
    (sample,) = samples_of([Draw(number, 6, value) for number, value in enumerate(values)])
    tests = {test.name: test.p for test in sample.tests}
    assert tests["faces"] > fairness.ALPHA
    assert tests["runs of high and low"] < 1e-9


PLAYED: Final = {
    "fair_die": date(2015, 1, 1),
    "loaded_die": date(2015, 2, 1),
}
"""The months of the games: their ids decide the throws."""


def stored(slug: str, host: User, weights: list[int] | None, count: int = THROWS) -> None:
    """An ended game with throws of a die, from its seed or forged, the same ones each time."""
    seed, name = slug.encode().ljust(32, b"."), new_log_name()
    terms = chain.Terms(
        name=name,
        salt="00" * 32,
        game=first_id(PLAYED[slug]),
        rules="free_spots",
        rules_version=newest_rules("free_spots").version,
        edition="",
        options=msgspec.Raw(b"{}"),
        table=msgspec.Raw(b"{}"),
        seed_hash=chain.seed_hash(seed),
        abandoned=None,
    )
    lobby = Lobby.objects.create(
        log_name=name,
        terms=msgspec.json.encode(terms),
        slug="free_spots",
        host=host,
        capacity=1,
        seed=seed,
        seed_hash=chain.seed_hash(seed),
        status=Lobby.Status.CLOSED,
    )
    opening = chain.Genesis(
        **{**msgspec.structs.asdict(terms), "rules": slug, "rules_version": 1},
        seats=1,
        rows=(chain.Row(0, None, None, None, None, None),),
        rows_salt=None,
        promises=(),
        reveals=(),
        answers=(),
        build=chain.Build("0.1.0", "", "ab" * 32),
    )
    genesis = msgspec.json.encode(opening)
    key = chain.key_of(seed, opening)
    if weights is None:
        chance = SeededChance(key)
        for _ in range(count):
            chance.below(6)
        draws = chance.draws
    else:
        draws = throws(weights, count, 1)
    game = Game.objects.create(
        id=opening.game,
        lobby=lobby,
        slug=slug,
        rules_version=1,
        log_name=lobby.log_name,
        genesis=genesis,
    )
    hash_ = chain.genesis_hash(genesis)
    for version in range(1, 11):
        some = tuple(draws[(version - 1) * count // 10 : version * count // 10])
        body = chain.encode_body(key, version, None, Started(), some, (), ())
        hash_ = chain.commit_hash(hash_, version, chain.body_digest(body))
        Commit.objects.create(game=game, version=version, body=body, hash=hash_)
    Head.objects.create(
        game=game,
        version=10,
        hash=hash_,
        ended=Head.Ended.FINISHED,
        ended_at=game.started_at,
        settled=True,
        sealed=True,
    )


@pytest.mark.parametrize(
    ("slug", "weights", "odd"), [("fair_die", None, False), ("loaded_die", [110, *[98] * 5], True)]
)
def test_the_command_distinguishes_a_loaded_die_from_a_fair_one(
    new_user: Callable[[], User],
    monkeypatch: pytest.MonkeyPatch,
    slug: str,
    weights: list[int] | None,
    *,
    odd: bool,
) -> None:
    make_months(PLAYED[slug])
    stored(slug, new_user(), weights)
    monkeypatch.setenv("COLUMNS", "200")
    done = managed("fairness", "--game", slug)
    assert f"1 games, {THROWS} draws" in done.stdout, done.stderr
    (faces,) = [line for line in done.stdout.splitlines() if " faces " in line]
    counted = float(faces.split("│")[-3])
    assert (counted < fairness.ALPHA) == odd
    assert done.returncode == 0


def test_the_memory_of_a_tally_is_constant() -> None:
    tally, luck = fairness.Tally(1000), random.Random(7)
    sizes = []
    for _ in range(2):
        for _ in range(5000):
            tally.add(luck.randrange(1000))
        sizes.append(len(pickle.dumps(tally)))
    assert sizes[1] - sizes[0] < 64
