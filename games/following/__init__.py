"""Notices of lobbies and games for the people whom they concern.

Followers read what was committed, in an order that exists, and remember how far they are. A fact is
told once even if it is read twice (`notices.inbox`), so a follower may be killed at any moment.
"""

from games.following.following import follow
from games.following.moves import is_still_open

__all__ = ["follow", "is_still_open"]
