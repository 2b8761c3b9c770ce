"""The options of Ready Set Bet, and the closed sets that a host chooses from."""

from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from railbird_engine import BotLevel, Options, OptionsGuide
from railbird_engine.rules.ready_set_bet.data import ANNOUNCER_MONEY, ANNOUNCER_TOKENS, RACES

Mode = Literal["app", "standard", "betting_announcer", "rotating_announcer"]
"""The announcer: the server, in place of the rulebook's application; a player who does not compete;
a player who bets before each race; or one player after the other."""

SEATS_OF_MODE: Final[dict[Mode, range]] = {
    "app": range(2, 9),
    "standard": range(3, 10),
    "betting_announcer": range(2, 10),
    "rotating_announcer": range(2, 9),
}
"""Rulebook, the headings of the four ways to play."""

AnnouncerToken = Annotated[int, Meta(ge=1, le=10)]
AnnouncerTokens = Annotated[tuple[AnnouncerToken, ...], Meta(min_length=6, max_length=6)]
"""Rulebook, "Matériel": six."""

PAUSE_MS_MAX: Final = 120_000
THINK_MS_MAX: Final = 600_000


class ReadySetBetOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Times are in milliseconds. `roll_ms`: the time between two rolls. `pause_ms`: the pause
    before the start call and after the finish; null means two and a half rolls. `think_ms`: the
    time for a choice (a VIP card, each of the announcer's tokens, an offer to announce); null means
    fifteen rolls.

    `few_close_columns` closes columns of the board for two to four active players, as the rulebook
    advises. `many_drop_a_token` takes one 3-token from each of seven or eight active players, as
    the rulebook demands. `props`, `exotics` and `vip` put these cards into play.

    `mode` names the announcer: the server (`app`), a player who does not compete (`standard`), a
    player who bets before each race (`betting_announcer`), or one player after the other
    (`rotating_announcer`). The announcer sits at `announcer_seat`, or is drawn by lot in the last
    mode and with `announcer_by_lot`, bets with the six `announcer_tokens`, and starts with
    `announcer_money` in the third mode. The announcer may roll once every `roll_ms`; after
    `announcer_ms` without a roll (null means five rolls) the server rolls, and after three missed
    decisions it announces without waiting until the announcer acts. With `auto_roll` the server
    makes every roll.
    """

    races: Annotated[int, Meta(ge=1, le=RACES)] = RACES
    roll_ms: Annotated[int, Meta(ge=50, le=60_000)] = 2_000
    pause_ms: Annotated[int, Meta(ge=0, le=PAUSE_MS_MAX)] | None = None
    think_ms: Annotated[int, Meta(ge=0, le=THINK_MS_MAX)] | None = None
    few_close_columns: bool = True
    many_drop_a_token: bool = True
    props: bool = True
    exotics: bool = True
    vip: bool = True
    mode: Mode = "app"
    announcer_seat: Annotated[int, Meta(ge=0, le=8)] = 0
    announcer_by_lot: bool = False
    announcer_tokens: AnnouncerTokens = ANNOUNCER_TOKENS
    announcer_money: Annotated[int, Meta(ge=0, le=100)] = ANNOUNCER_MONEY
    announcer_ms: Annotated[int, Meta(ge=0, le=THINK_MS_MAX)] | None = None
    auto_roll: bool = False
    bots: BotLevel = "casual"

    @property
    def server_rolls(self) -> bool:
        """Whether the server makes the start call and every roll."""
        return self.auto_roll or self.mode == "app"

    @property
    def absent_ms(self) -> int:
        """The time that the server waits for an announcer who may roll."""
        if self.announcer_ms is None:
            return min(self.roll_ms * 5, THINK_MS_MAX)
        return self.announcer_ms

    @property
    def choose_ms(self) -> int:
        """The time that a player has for a choice."""
        return min(self.roll_ms * 15, THINK_MS_MAX) if self.think_ms is None else self.think_ms

    @property
    def look_ms(self) -> int:
        """The pause before the start call and after the finish."""
        return min(self.roll_ms * 5 // 2, PAUSE_MS_MAX) if self.pause_ms is None else self.pause_ms


GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "options.json").read_bytes(), type=OptionsGuide
)
"""Texts for a form of these options."""
