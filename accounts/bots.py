"""Bot users: programs that play under a name of their own, for which a person answers.

Not to be mixed up with the bots that the server runs itself, which are nobody's and have no
account."""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from uuid_utils.compat import uuid7

from accounts import names, people
from accounts.models import User
from kit.problems import Problem

BOTS_MAX: Final = 20


def create(owner: User, display_name: str) -> User:
    """A bot user of this person. It has no password, no wallet and no grant; what opens it are
    the tokens it is given.

    Raises Problem `guests_own_no_bots`, `too_many_bots`, `name_reserved`,
    `display_name_taken`.
    """
    if owner.is_guest:
        raise Problem("guests_own_no_bots")
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(id=owner.id)
        if bots_of(owner).count() >= BOTS_MAX:
            raise Problem("too_many_bots", most=BOTS_MAX)
        number = uuid7()
        bot = User(id=number, username=str(number), display_name=display_name, owner=owner)
        names.check_display_name(display_name, bot)
        bot.set_unusable_password()
        bot.save(force_insert=True)
    return bot


def bots_of(owner: User) -> QuerySet[User]:
    """A person's bot users, newest first."""
    return User.objects.filter(owner=owner, is_active=True).order_by("-id")


def bot_of(owner: User, bot: UUID) -> User:
    """One of a person's bot users. Raises Problem `not_found`."""
    found = bots_of(owner).filter(id=bot).first()
    if found is None:
        raise Problem("not_found", what="bot")
    return found


def rename(owner: User, bot: UUID, display_name: str) -> User:
    """Call a bot user otherwise from now on, wherever it is shown. Raises Problem
    `not_found`."""
    found = bot_of(owner, bot)
    names.check_display_name(display_name, found)
    found.display_name = display_name
    found.save(update_fields=["display_name"])
    return found


def delete(owner: User, bot: UUID) -> None:
    """End a bot user and all its tokens. What it played stays, as nobody's. Raises Problem
    `not_found`."""
    people.erase(bot_of(owner, bot))
