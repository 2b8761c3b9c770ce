"""The reference part of a game's page, of the example game."""

import re
from typing import Literal

import msgspec
import pytest

from railbird_engine.kernel import reference_pages
from railbird_engine.kernel.reference_pages import LINE, reference, rewritten
from railbird_engine.skeleton.coin_toss.commands import CoinTossCommand
from railbird_engine.skeleton.coin_toss.events import CoinTossEvent
from railbird_engine.skeleton.coin_toss.options import CoinTossOptions
from railbird_engine.skeleton.coin_toss.rules import CoinToss


class ManyOptions(CoinTossOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of every kind.

    In two paragraphs.
    """

    needed: bool
    side: Literal["heads", "tails"] = "heads"
    pair: tuple[int, str] | None = None
    names: tuple[str, ...] = ()
    prices: dict[str, int] = {}


class ManyTosses(CoinToss):
    example_options = ({"needed": True, "rounds": 2},)


ManyTosses.options_type = ManyOptions
PAGE = reference(ManyTosses())


def test_a_row_describes_each_option_and_each_command() -> None:
    head = "\n## Options\n\nOptions of every kind.\n\nIn two paragraphs.\n\n"
    assert PAGE.startswith(f"{head}| option | default | type |\n|---|---|---|\n| `rounds` |")
    for row in (
        "| `needed` | `` | boolean |",
        "| `rounds` | `5` | 1 to 50 |",
        '| `side` | `"heads"` | `heads` `tails` |',
        "| `pair` | `null` | (integer, string) or null |",
        "| `names` | `[]` | list of string |",
        "| `prices` | `{}` | integer by key |",
        "| `place_bet` | Bet chips on a side. |",
        "| `pass_round` | Bet nothing in this round. |",
        "| `bet_voided` | A bet was voided; `payout` is what went back to the seat. |",
    ):
        assert row in PAGE.splitlines()


def test_an_example_of_each_command_and_event_follows_in_the_order_of_their_types() -> None:
    blocks = re.findall(r"^```json (\S+)\n(.*?)\n```\n$", PAGE, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in blocks] == ["coin_toss.command", "coin_toss.event"]
    for (_, lines), kind in zip(blocks, (CoinTossCommand, CoinTossEvent), strict=True):
        found = [type(msgspec.json.decode(line, type=kind)) for line in lines.splitlines()]
        assert tuple(found) == kind.__args__


def test_longer_examples_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = max((line for line in PAGE.splitlines() if line.startswith("{")), key=len)
    monkeypatch.setattr(reference_pages, "LONG", len(longest))
    assert reference(ManyTosses()) == PAGE
    monkeypatch.setattr(reference_pages, "LONG", len(longest) - 1)
    assert longest not in reference(ManyTosses()).splitlines()


def test_only_the_part_below_the_line_is_written_again() -> None:
    assert rewritten("By hand.\n", ManyTosses()) == "By hand.\n"
    assert rewritten(f"By hand.\n{LINE}Old.\n", ManyTosses()) == f"By hand.\n{LINE}{PAGE}"
