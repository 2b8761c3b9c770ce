"""Tests of deployments. Those that use the database ask for it."""

from tests import servers  # noqa: F401 -- sets Django up
