"""Whole games under the conformance suite, with planted secrets."""

from collections.abc import Iterator

import pytest

from railbird_engine import Seat, State
from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import ask_bot, ask_random
from railbird_engine.rules.quitte_ou_double.data.bank import Bank, Question
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from railbird_engine.rules.quitte_ou_double.state import QuitteOuDoubleState


def planted_bank() -> Bank:
    """Answers that no bot writes, so that each is recognised wherever it leaks."""
    cards = {card: tuple(planted_question(card, level) for level in (1, 2, 3)) for card in CARDS}
    return Bank(cards, "planted")


def planted_question(card: int, level: int) -> Question:
    answer = f"{900_000_000 + 10 * card + level}.125"
    name = f"{card}.{level}"
    return Question(f"Q{name} ?", f"E{name}?", "", "", answer, f"S{name}!")


CARDS = range(1, 31)
BANK = planted_bank()
RULES = QuitteOuDouble({"house": BANK})


def secrets(state: State, viewer: Seat | None) -> Iterator[str]:
    """The right answer with its source, and what other teams wrote, until they are shown."""
    assert isinstance(state, QuitteOuDoubleState)
    own = None if viewer is None else state.teams[viewer]
    if state.phase in ("answer", "bet") and state.card is not None and state.level is not None:
        question = BANK.question(state.card, state.level)
        yield from (f'"{question.answer}"', question.source)
    if state.phase == "answer":
        visible = None if own is None else state.answers.get(own)
        yield from (f'"{answer}"' for answer in state.answers.values() if answer != visible)


VARIANTS = {
    "basic": QuitteOuDoubleOptions(),
    "no_clock": QuitteOuDoubleOptions(
        expert_bonus=True, permanent_double=True, hourglass_s=0, level_s=0, reveal_s=0
    ),
    "hidden_bets": QuitteOuDoubleOptions(
        hidden_bets=True, tiebreak_question=True, captain_locks=True, presenter=2, team_count=3
    ),
    "short_hourglass": QuitteOuDoubleOptions(
        hourglass_s=2, tiebreak_question=True, permanent_double=True
    ),
    "experts": QuitteOuDoubleOptions(bots="expert", expert_bonus=True),
}


@pytest.mark.parametrize(("seats", "variant"), list(zip((4, 5, 6, 4, 4), VARIANTS, strict=True)))
def test_games_of_bots_conform(seats: int, variant: str) -> None:
    check_game(RULES, seats, VARIANTS[variant], b"double", secrets=secrets)


def test_games_of_random_players_conform() -> None:
    options = QuitteOuDoubleOptions(
        hourglass_s=4, reveal_s=2, permanent_double=True, expert_bonus=True
    )
    check_game(RULES, 4, options, b"random", ask=ask_random, secrets=secrets)


def test_a_game_of_twenty_conforms() -> None:
    check_game(QuitteOuDouble(), 20, QuitteOuDoubleOptions(), b"twenty")


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(12))
def test_many_games_of_every_variant_conform(seed: int, variant: str) -> None:
    key = b"%d" % seed
    ask = ask_random if seed % 4 == 3 and variant == "short_hourglass" else ask_bot
    check_game(RULES, 4 + (5 * seed) % 17, VARIANTS[variant], key, ask=ask, secrets=secrets)
