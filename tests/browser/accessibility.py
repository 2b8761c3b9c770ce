"""The rules of accessibility, checked by axe in a page."""

import json
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, Final, Literal

from playwright.async_api import Page

from tests.browser import chromium
from tests.browser.conftest import SCHEMES

Look = tuple[Literal["dark", "light"], int]
LOOKS: Final[tuple[Look, ...]] = tuple(product(SCHEMES, (390, 1440)))
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(
    ({ id, help, nodes }) => ({ id, help, found: nodes.slice(0, 5).map(({ html }) => html) })
)"""


@cache
def axe() -> str:
    """Return the script of axe-core."""
    chromium.PACKAGES.install()
    return (chromium.PACKAGES.modules / "axe-core" / "axe.min.js").read_text()


async def check(page: Page, looks: Sequence[Look] = LOOKS) -> None:
    """Fail on every finding of axe-core, in light and dark, on a phone and on a desktop."""
    found: list[tuple[str, int, Any]] = []
    await page.evaluate(axe())  # the policy of the page does not apply to tests
    for scheme, width in looks:
        await page.emulate_media(color_scheme=scheme)
        await page.set_viewport_size({"width": width, "height": 900})
        found += [(scheme, width, violation) for violation in await page.evaluate(RUN)]
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)
