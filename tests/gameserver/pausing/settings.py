"""The settings of the tests, with this app."""

from tests.settings import *  # noqa: F403
from tests.settings import INSTALLED_APPS as APPS

INSTALLED_APPS = [*APPS, "tests.gameserver.pausing"]
