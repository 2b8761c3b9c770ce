"""Bot users: programs that play under a name of their own and belong to a registered user.

The bots that the server runs itself have no user and are not managed here.
"""

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
    """Create a bot user without password, wallet or grant; its tokens give access to it.

    Raises Problem `guests_own_no_bots`, `too_many_bots`, `name_reserved`, `display_name_taken`.
    """
    if owner.is_guest:
        raise Problem("guests_own_no_bots")
    with transaction.atomic():
        owner.locked()
        if bots_of(owner).count() >= BOTS_MAX:
            raise Problem("too_many_bots", most=BOTS_MAX)
        number = uuid7()
        bot = User(id=number, username=str(number), display_name=display_name, owner=owner)
        names.check_display_name(display_name, bot)
        bot.set_unusable_password()
        bot.save(force_insert=True)
    return bot


def bots_of(owner: User) -> QuerySet[User]:
    """Return a user's bot users, newest first."""
    return User.objects.filter(owner=owner, is_active=True).order_by("-id")


def bot_of(owner: User, bot: UUID) -> User:
    """Return one of a user's bot users. Raises Problem `not_found`."""
    found = bots_of(owner).filter(id=bot).first()
    if found is None:
        raise Problem("not_found", what="bot")
    return found


def rename(owner: User, bot: UUID, display_name: str) -> User:
    """Change the display name of a bot user.

    Raises Problem `not_found`, `name_reserved`, `display_name_taken`.
    """
    found = bot_of(owner, bot)
    names.check_display_name(display_name, found)
    found.display_name = display_name
    found.save(update_fields=["display_name"])
    return found


def delete(owner: User, bot: UUID) -> None:
    """Erase a bot user and end all its tokens. Its games stay. Raises Problem `not_found`."""
    people.erase(bot_of(owner, bot))
