"""Names: which usernames are reserved, and which display names imitate somebody."""

import unicodedata
from typing import Final

from django.db.models import Q

from accounts.models import User
from kit.problems import Problem

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
"""Names that sound like the server or its staff. As usernames and as display names they are
refused, with digits behind them too."""

LOOKALIKES: Final = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝ", "abekmhopctyxijsdqw", strict=True)),
        **dict(zip("αβεικνορτυχϲ", "abeiknoptuxc", strict=True)),
        **dict(zip("01345", "oieas", strict=True)),
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
"""Characters that people take for others: the common ones of Unicode's confusables, and digits."""


def skeleton(name: str) -> str:
    """What people read when they glance at a name: no case, no accents, no punctuation, one
    letter for all that look alike."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(LOOKALIKES)
    # A capital I, a small l and a one are one stroke.
    return "".join(letter for letter in plain if letter.isalnum()).replace("l", "i")


_RESERVED_SKELETONS: Final = frozenset(map(skeleton, RESERVED))


def is_reserved(name: str) -> bool:
    """Whether a name sounds like the server or its staff."""
    return bool(
        {skeleton(name), skeleton(name.rstrip("0123456789"))} & _RESERVED_SKELETONS
    ) or skeleton(name).startswith("erased")


def check_username(username: str, user: User) -> None:
    """Raise Problem `name_reserved`; `username_taken` if somebody else's reads the same."""
    if is_reserved(username):
        raise Problem("name_reserved")
    if _read_as(skeleton(username), user):
        raise Problem("username_taken")


def check_display_name(name: str, user: User) -> None:
    """Raise Problem `name_reserved`, or `display_name_taken` if it reads like the username of
    another registered user. Display names as such need not be unique."""
    if is_reserved(name):
        raise Problem("name_reserved")
    if _read_as(skeleton(name), user):
        raise Problem("display_name_taken")


def _read_as(key: str, user: User) -> bool:
    others = User.objects.filter(name_key=key).exclude(Q(id=user.id) | Q(id=user.owner_id))
    return bool(key) and others.exists()
