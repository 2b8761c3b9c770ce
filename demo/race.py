"""The terminal picture of a horse race: lanes, the red line, bets, and money by player."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from demo.picture import Event, Picture
from demo.words import Words

# As printed on the board: fifteen spaces, the red line after the ninth.
SPACES: Final = 15
BEFORE_RED_LINE: Final = 9
LOUD: Final = {
    "race_prepared": "bold",
    "crosses_red_line": "red",
    "betting_closed": "red",
    "race_finished": "green",
    "game_ended": "bold",
}
SILENT: Final = {"moves", "bonus", "dice_picked_up", "vip_chosen"}
"""Events without a line, because the track shows them."""

STYLES: Final = {
    "blue": "bright_blue",
    "orange": "dark_orange",
    "pink": "bright_magenta",
    "black": "bold white",
}


class RacePicture(Picture):
    """The current race, and the money of each player.

    It can draw any game whose view has these fields.
    """

    FIELDS: ClassVar = frozenset({"bets", "horses", "phase", "positions", "purses", "race"})

    def __init__(self, title: str, names: Sequence[str], words: Words) -> None:
        super().__init__(title, names, words)
        self.race = 0
        self.phase = ""
        self.horses: list[Mapping[str, Any]] = []
        self.positions: dict[str, int] = {}
        self.podium: Mapping[str, Sequence[str]] = {}
        self.money = [0] * len(names)
        self.bets: dict[int, list[str]] = defaultdict(list)

    def look(self, view: Mapping[str, Any]) -> None:
        self.horses = view["horses"]
        self.race, self.phase = view["race"], view["phase"]
        self.positions = {
            horse["horse"]: position
            for horse, position in zip(self.horses, view["positions"], strict=True)
        }
        self.money = [view["purses"][f"seat:{seat}"] for seat in range(len(self.names))]
        self.bets.clear()
        for bet in view["bets"]:
            self.bets[bet["seat"]].append(bet["spot"])

    def lines(self, event: Event) -> Iterator[str]:
        self._take_in(event)
        for key, sentence in self.words.of(event):
            if key not in SILENT:
                style = LOUD.get(key)
                yield f"[{style}]{escape(sentence)}[/]" if style else escape(sentence)
        if event["type"] == "game_ended":
            yield f"[bold green]{', '.join(self.names[seat] for seat in event['ranking'][0])}![/]"

    def _take_in(self, event: Event) -> None:
        match event["type"]:
            case "race_prepared":
                self.race, self.phase = event["race"], "paddock"
                self.positions = dict.fromkeys(self.positions, 0)
                self.podium = {}
                self.bets.clear()
            case "race_started":
                self.phase = "open"
            case "bet_placed":
                self.bets[event["seat"]].append(event["spot"])
            case "rolled":
                self.positions[event["horse"]] = event["position"]
            case "betting_closed":
                self.phase = "closed"
            case "race_finished":
                self.phase, self.podium = "finished", event["podium"]
            case "money_settled" | "vip_paid" | "announcer_paid":
                self.money[event["seat"]] = event["money"]
            case "game_ended":
                self.phase = "over"

    def __rich__(self) -> RenderableType:
        phase = self.words.named("phase", self.phase)
        title = f"{self.title} - race {self.race}, {phase}"
        return Group(
            Panel(self._track(), title=title), Columns([self._money(), super().__rich__()])
        )

    def _track(self) -> Table:
        track = Table.grid(padding=(0, 1))
        for horse in self.horses:
            style = STYLES.get(horse["colour"], "")
            lane = _lane(self.positions.get(horse["horse"], 0), style)
            track.add_row(
                Text(horse["horse"], style, justify="right"),
                Text(self.words.named("name", horse["name"]), style),
                lane,
                self._rank(horse["horse"]),
            )
        return track

    def _rank(self, horse: str) -> str:
        return next((rank for rank, horses in self.podium.items() if horse in horses), "")

    def _money(self) -> Table:
        table = Table("player", "money", "bets in this race")
        for seat, name in enumerate(self.names):
            table.add_row(name, str(self.money[seat]), escape(" ".join(self.bets[seat])))
        return table


def _lane(position: int, style: str) -> Text:
    """Draw a lane: the horse, the spaces behind and before it, the red line and the finish."""
    lane = Text()
    for space in range(SPACES + 1):
        if space == BEFORE_RED_LINE + 1:
            lane.append("┃", "red")
        lane.append(
            "▶ " if space == position else "──" if space < position else "· ",
            style if space <= position else "dim",
        )
    return lane.append("║", "green")
