"""The event store under contention: several real processes against one PostgreSQL."""

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from games.models import Bet, Commit, Game
from tests.builders import NewGame
from tests.store.scene import Contender, assert_sound

PROCESSES = 2
SPOTS = 2


pytestmark = pytest.mark.xdist_group("store")


@pytest.fixture(scope="module")
def contenders() -> Iterator[list[Contender]]:
    started = [Contender() for _ in range(PROCESSES)]
    for contender in started:
        contender.wait_until_ready()
    yield started
    for contender in started:
        contender.stop()


def together(
    contenders: list[Contender], game: Game, plays: list[list[tuple[int, int, str]]]
) -> list[Any]:
    """Let all processes carry out their plays at the same time, and return all results."""
    with ThreadPoolExecutor(len(contenders)) as pool:
        jobs = zip(contenders, plays, strict=True)
        answers = list(pool.map(lambda job: job[0].play(game, job[1]), jobs))
    return [answer for process in answers if process is not None for answer in process]


def test_one_spot_and_68_contenders_have_exactly_one_winner(
    contenders: list[Contender], new_game: NewGame
) -> None:
    game = new_game(68)
    for spot in range(SPOTS):
        shares = [
            [(seat, spot, str(uuid4())) for seat in range(first, 68, PROCESSES)]
            for first in range(PROCESSES)
        ]
        outcomes = Counter(code for _, code, _ in together(contenders, game, shares))
        assert outcomes == {"accepted": 1, "spot_taken": 67}
    assert Bet.objects.filter(game=game).count() == SPOTS
    assert_sound(game)


def test_a_command_sent_many_times_from_many_processes_is_one_commit(
    contenders: list[Contender], new_game: NewGame
) -> None:
    game = new_game(4)
    plays = [(spot % 4, spot, str(uuid4())) for spot in range(30)]
    answers = together(
        contenders,
        game,
        [random.Random(process).sample(plays, len(plays)) for process in range(PROCESSES)],
    )
    versions: dict[str, set[int]] = {}
    for command_id, code, version in answers:
        assert code == "accepted"
        versions.setdefault(command_id, set()).add(version)
    assert len(versions) == 30
    assert all(len(found) == 1 for found in versions.values()), "every copy gets the first answer"
    assert Commit.objects.filter(game=game).count() == 31
    assert_sound(game)


def test_a_refused_command_leaves_its_id_free(
    contenders: list[Contender], new_game: NewGame
) -> None:
    game = new_game(2)
    contenders[0].play(game, [(0, 5, str(uuid4()))])
    command_id = str(uuid4())
    assert contenders[1].play(game, [(1, 5, command_id)]) == [[command_id, "spot_taken", None]]
    assert contenders[0].play(game, [(1, 6, command_id)]) == [[command_id, "accepted", 3]]
    assert contenders[0].play(game, [(1, 7, command_id)]) == [
        [command_id, "command_id_reused", None]
    ]


def test_a_command_committed_before_a_kill_is_accepted_after_it(
    contenders: list[Contender], new_game: NewGame
) -> None:
    game = new_game()
    victim = Contender()
    victim.wait_until_ready()
    command_id = str(uuid4())
    assert victim.play(game, [(0, 0, command_id)], die="after_commit") is None
    victim.stop()
    for contender in contenders:
        assert contender.play(game, [(0, 0, command_id)]) == [[command_id, "accepted", 2]]
    assert Commit.objects.filter(game=game).count() == 2
    assert_sound(game)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_random_plays_of_many_processes_leave_a_consistent_history(
    contenders: list[Contender], new_game: NewGame, seed: int
) -> None:
    chance = random.Random(seed)
    game = new_game(8, boards=2)
    plays = [(chance.randrange(8), chance.randrange(70), str(uuid4())) for _ in range(300)]
    plays += chance.sample(plays, 60)
    answers = together(
        contenders, game, [plays[process::PROCESSES] for process in range(PROCESSES)]
    )
    accepted = {version for _, code, version in answers if code == "accepted"}
    assert accepted == set(range(2, len(accepted) + 2)), (
        "acknowledged means committed, refused means not"
    )
    assert {code for _, code, _ in answers} <= {"accepted", "spot_taken", "unknown_spot", "not_now"}
    assert_sound(game)
