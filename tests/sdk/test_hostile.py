"""Every client meets portals, proxies, liars and newer servers, and makes the same of them."""

import sys
from pathlib import Path

import pytest

from sdk import node
from tests.sdk import hostile

pytestmark = [pytest.mark.ci, pytest.mark.xdist_group("hostile")]


async def test_python_makes_of_each_what_the_table_says(certificate: Path) -> None:
    await hostile.check(certificate, sys.executable, hostile.PYTHON)


async def test_typescript_makes_of_each_what_the_table_says(certificate: Path) -> None:
    await hostile.check(certificate, node.NODE, node.TYPESCRIPT.folder / "tests" / "hostile.ts")
