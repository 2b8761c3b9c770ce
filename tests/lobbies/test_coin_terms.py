"""The terms of lobbies with a buy-in: nobody is paid for a worse rank, or can lock the coins."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import msgspec
import pytest

from games import lobbies
from games.lobbies import LobbyChoices, TableChoices
from games.models import Lobby
from railbird_engine.kernel.payouts import share
from tests.builders import NewUser
from tests.lobbies.scene import refused

STAKED = LobbyChoices(slug="free_spots", buy_in=100)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"prizes": (1, 1000)}, "prizes_rise"),
        ({"prizes": (50, 30, 31)}, "prizes_rise"),
        ({"absence": "wait"}, "forfeit_required"),
        ({"absence": "bot"}, "forfeit_required"),
        ({"slug": "carcassonne"}, "unfit_for_coins"),
        ({"slug": "set_dice", "options": {"turn_s": 0}}, "unfit_for_coins"),
        ({"slug": "quitte_ou_double", "options": {"reveal_s": 0}}, "unfit_for_coins"),
        ({"slug": "ascot", "options": {"race_s": 0}}, "unfit_for_coins"),
        ({"slug": "ascot", "options": {"victory": "money"}}, "unfit_for_coins"),
    ],
)
def test_unfair_terms_are_refused(new_user: NewUser, changes: dict[str, object], code: str) -> None:
    choices = msgspec.structs.replace(STAKED, **changes)
    assert refused(lambda: lobbies.create(new_user(), choices)) == code
    if code != "prizes_rise":
        free = msgspec.structs.replace(choices, buy_in=0)
        assert lobbies.create(new_user(), free).status == Lobby.Status.OPEN


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("carcassonne", {"turn_seconds": 60}),
        ("ascot", {}),
        ("set_dice", {}),
        ("quitte_ou_double", {}),
        ("ready_set_bet", {}),
    ],
)
def test_every_game_can_be_played_for_coins(
    new_user: NewUser, slug: str, options: dict[str, object]
) -> None:
    choices = LobbyChoices(slug=slug, options=options, buy_in=1)
    assert lobbies.create(new_user(), choices).absence == Lobby.Absence.FORFEIT


def test_a_quick_match_for_coins_finds_only_the_terms_that_it_names(new_user: NewUser) -> None:
    wanted = TableChoices(slug="free_spots", options={"boards": 77}, capacity=2, buy_in=1)
    shown = msgspec.structs.asdict(wanted)
    other = lobbies.create(new_user(), LobbyChoices(**{**shown, "prizes": (2, 1)}))
    hasty = lobbies.create(new_user(), LobbyChoices(**{**shown, "absence_s": 5}))
    found = lobbies.quick_match(new_user(), wanted)
    assert found.id not in {other.id, hasty.id}
    named = msgspec.structs.replace(wanted, prizes=(2, 1))
    assert lobbies.quick_match(new_user(), named).id == other.id
    free = TableChoices(slug="free_spots", options={"boards": 77}, capacity=3)
    waiting = lobbies.create(
        new_user(), LobbyChoices(**{**msgspec.structs.asdict(free), "absence": "bot"})
    )
    assert lobbies.quick_match(new_user(), free).id == waiting.id


def rankings(seats: int) -> Iterator[list[list[int]]]:
    """Every way to tie so many seats, which stand in falling order."""
    for ends in product([False, True], repeat=seats - 1):
        groups = [[seats - 1]]
        for seat, begins in zip(range(seats - 2, -1, -1), ends, strict=True):
            if begins:
                groups.append([seat])
            else:
                groups[-1].append(seat)
        yield groups


@pytest.mark.parametrize("prizes", [[1], [1, 1], [50, 30, 20], [3, 2, 1, 1, 1], [1000, 1], [1] * 6])
def test_nobody_is_a_coin_away_from_the_exact_share(prizes: list[int]) -> None:
    for seats, buy_in in product(range(1, 7), (1, 2, 7, 333)):
        for ranking in rankings(seats):
            pot = buy_in * seats
            shares = share(pot, prizes, ranking)
            assert sum(shares.values()) == pot
            weights, place = [*prizes, *[0] * seats][:seats], 0
            for group in ranking:
                weight = sum(weights[place : place + len(group)])
                exact = Fraction(pot * weight, sum(weights) * len(group))
                assert all(abs(shares[seat] - exact) < 1 for seat in group)
                place += len(group)
            by_rank = [shares[seat] for group in ranking for seat in sorted(group)]
            assert by_rank == sorted(by_rank, reverse=True)
