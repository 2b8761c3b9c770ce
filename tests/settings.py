"""The server's settings with a fast password hasher, for test processes and the children they
start.

Argon2 takes a tenth of a CPU second on purpose, and hundreds of tests sign somebody in. Tests of
the hashing itself use the hashers of `gameserver.settings.base`.
"""

from gameserver.settings import base
from gameserver.settings.base import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *base.PASSWORD_HASHERS]
