"""Mails about notices, in English and French, which one click turns off."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, Signer

from accounts import tasks
from accounts.models import User
from kit import rate_limits
from kit.problems import Problem
from notices import inbox
from notices.deliveries import AT_ONCE, Outcome
from notices.kinds import KINDS, Kind
from notices.models import Notice

SALT: Final = "notices.stop"

_mailers: Final = ThreadPoolExecutor(AT_ONCE, "mailer")
"""Threads of their own: names of webhooks that hang keep those of look-ups."""

SUBJECTS: Final[Mapping[str, tuple[str, str]]] = {
    "your_turn": ("It is your turn", "C’est à vous"),
    "deadline_near": ("Your time is running out", "Votre temps de réflexion s’achève"),
    "table_full": ("Your table is full", "Votre table est complète"),
    "game_starts": ("Your game has started", "Votre partie a commencé"),
    "game_over": ("Your game has ended", "Votre partie est terminée"),
    "bet_corrected": ("One of your bets was voided", "Un de vos paris a été annulé"),
    "seat_replaced": ("A bot plays your seat", "Un robot joue à votre place"),
    "seat_reserved": ("A seat is kept for you", "Une place vous est réservée"),
    "webhook_disabled": ("Your webhook was disabled", "Votre webhook a été désactivé"),
}
titles_of: Final[list[Callable[[str], Mapping[str, str] | None]]] = []
"""Functions of other apps: the titles of a game, in English and French."""

TEXT: Final = """{what}.
{about}

To stop mails of this kind:
{stop}

--

{what_fr}.

Pour ne plus recevoir ce type de courriel, suivez le lien ci-dessus.
"""


def may_mail(user: User) -> bool:
    """Count a mail to a user, and return whether they may have it: a few each hour."""
    try:
        rate_limits.spend(rate_limits.Spent("notice_mail", str(user.id)))
    except Problem:
        return False
    return True


async def send(user: User, notice: Notice) -> Outcome:
    """Mail a notice to the address that its user has proved."""
    what, what_fr = told(notice)
    stop = f"{settings.PUBLIC_URL}/notices/unsubscribe/{_code(user, notice.kind)}/"
    about = f"{settings.PUBLIC_URL}{path_of(notice)}"
    text = TEXT.format(what=what, what_fr=what_fr, about=about, stop=stop)
    headers = {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    try:
        accepted = await asyncio.get_running_loop().run_in_executor(
            _mailers, tasks.send, f"{what} / {what_fr}", text, user.email, headers
        )
    except OSError:  # also the base of every SMTP error
        return Outcome(error="not_taken")
    return Outcome() if accepted else Outcome(error="refused", is_final=True)


def told(notice: Notice) -> tuple[str, str]:
    """Return what a notice tells, in English and French: the game, what happened, and a result."""
    what, what_fr = SUBJECTS[notice.kind]
    if (rank := notice.data.get("rank")) is not None:
        what, what_fr = f"{what} (your rank: {rank})", f"{what_fr} (votre rang : {rank})"
    elif notice.data.get("ended") == "voided":
        what, what_fr = "Your game was voided", "Votre partie a été annulée"
    slug = notice.data.get("slug")
    title = next((found for find in titles_of if slug and (found := find(slug))), None)
    if title is not None:
        what, what_fr = f"{title['en']}: {what}", f"{title['fr']} : {what_fr}"
    return what, what_fr


def path_of(notice: Notice) -> str:
    """Return the path of the page of what a notice is about."""
    for name, place in (("game", "games"), ("lobby", "lobbies")):
        if name in notice.data:
            return f"/{place}/{notice.data[name]}/"
    return "/notices/"


def _code(user: User, kind: str) -> str:
    return Signer(salt=SALT).sign(f"{user.id.hex}:{kind}")


def kind_of(code: str) -> tuple[User, Kind] | None:
    """Return whose mails of which kind a code turns off; None for an invalid one."""
    try:
        number, wanted = Signer(salt=SALT).unsign(code).split(":")
    except BadSignature:
        return None
    user = User.objects.filter(id=UUID(number), is_active=True).first()
    kind = next((each for each in KINDS if each == wanted), None)
    return (user, kind) if user is not None and kind is not None else None


def unsubscribe(user: User, kind: Kind) -> None:
    """Turn mails of a kind off."""
    channels = inbox.wanted_by(user)[kind]
    inbox.want(user, kind, [channel for channel in channels if channel != "mail"])
