"""The settings of a lobby, from the request to the row. Field names are those of the columns."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from games.lobbies.money import BUY_IN_MAX
from games.reads.filters import Slug
from kit.validation import Body, OneLine

BOTS_AFTER_MAX_S: Final = 3600

AnyOptions = Annotated[
    dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/GameOptions"})
]
"""The options of any game; its rules define them."""

LobbyTitle = Annotated[OneLine, Meta(max_length=60)]
Weight = Annotated[int, Meta(ge=1, le=1000)]


class TableChoices(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings that quick matches compare; prizes and absence only with a buy-in."""

    slug: Slug
    options: AnyOptions = {}
    capacity: Annotated[int, Meta(ge=1, le=999)] | None = None
    buy_in: Annotated[int, Meta(ge=0, le=BUY_IN_MAX)] = 0
    pace: Literal["live", "slow"] = "live"
    vacations: bool = False
    prizes: Annotated[tuple[Weight, ...], Meta(min_length=1, max_length=20)] = (100,)
    absence: Literal["wait", "bot", "forfeit"] | None = None
    absence_s: Annotated[int, Meta(ge=5, le=86_400)] = 60


class LobbyChoices(TableChoices, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a host, which a rematch keeps."""

    title: LobbyTitle = ""
    visibility: Literal["public", "unlisted", "invite"] = "public"
    spectators: Literal["none", "watch", "chat"] = "watch"
    start_when_full: bool = False
    admits_bot_users: bool = True
    keys: bool = False
    bots_after_s: Annotated[int, Meta(ge=0, le=BOTS_AFTER_MAX_S)] | None = None
