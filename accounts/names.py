"""Names: reserved usernames, and display names that imitate other users."""

import unicodedata
from typing import Annotated, Final

from django.db.models import Q
from msgspec import Meta

from accounts.models import User
from kit.problems import Problem
from kit.validation import OneLine

DisplayName = Annotated[OneLine, Meta(min_length=1, max_length=40)]

RESERVED: Final = frozenset(
    {
        *("admin", "administrator", "anonymous", "audit", "auditor", "bank"),
        *("bot", "croupier", "dealer", "erased", "guest", "help"),
        *("host", "house", "mod", "moderator", "nobody", "null"),
        *("official", "operator", "owner", "railbird", "root", "security"),
        *("server", "staff", "superuser", "support", "system", "undefined"),
        "webmaster",
    }
)
"""Names that suggest the server or its staff.

Rejected as usernames and display names, also with digits appended.
"""

LOOKALIKES: Final = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝ", "abekmhopctyxijsdqw", strict=True)),
        **dict(zip("αβεικνορτυχϲ", "abeiknoptuxc", strict=True)),
        **dict(zip("01345", "oieas", strict=True)),
        **dict(zip("օոսհցզ", "onuhgq", strict=True)),
        **dict(zip("ꭰꭱꭲꭹꭺꭻꭼꮃꮇꮋꮐꮓꮢꮪꮩꮮꮯꮲꮶ", "drtyajewmhgzrsvlcpk", strict=True)),
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ł": "l",
        "ı": "i",
        "|": "l",
    }
)
"""Characters that look like others: the common ones of Unicode's confusables, and digits."""


def skeleton(name: str) -> str:
    """Reduce a name to its visual impression: no case, accents or punctuation.

    Characters that look alike become one.
    """
    plain = unicodedata.normalize("NFKD", name).casefold().lower().translate(LOOKALIKES)
    # A capital I, a small l and a one look the same.
    return "".join(letter for letter in plain if letter.isalnum()).replace("l", "i")


_RESERVED_SKELETONS: Final = frozenset(map(skeleton, RESERVED))


def is_reserved(name: str) -> bool:
    """Whether a name suggests the server or its staff."""
    return bool(
        {skeleton(name), skeleton(name.rstrip("0123456789"))} & _RESERVED_SKELETONS
    ) or skeleton(name).startswith("erased")


def check_username(username: str, user: User) -> None:
    """Raise Problem `name_reserved`, or `username_taken` if another username looks the same."""
    if is_reserved(username):
        raise Problem("name_reserved")
    if _imitates(skeleton(username), user):
        raise Problem("username_taken")


def check_display_name(name: str, user: User) -> None:
    """Raise Problem `name_reserved`, or `display_name_taken` if it looks like another's username.

    Display names need not be unique.
    """
    if is_reserved(name):
        raise Problem("name_reserved")
    if _imitates(skeleton(name), user):
        raise Problem("display_name_taken")


def _imitates(key: str, user: User) -> bool:
    others = User.objects.filter(name_key=key).exclude(Q(id=user.id) | Q(id=user.owner_id))
    return bool(key) and others.exists()
