"""Printed facts."""

from typing import get_args

from railbird_engine.skeleton.coin_toss.data import SIDES, Side


def test_a_coin_has_two_sides() -> None:
    assert get_args(Side) == SIDES
    assert len(SIDES) == 2
