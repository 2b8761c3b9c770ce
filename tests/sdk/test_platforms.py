"""Code for browsers uses nothing that the oldest supported ones lack."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
TOO_NEW: Final = (
    r"AbortSignal\.any",
    r"Array\.fromAsync",
    r"Iterator\.(from|concat)",
    r"(Map|Object)\.groupBy",
    r"Promise\.(try|withResolvers)",
    r"RegExp\.escape",
    r"URL\.(canParse|parse)",
    r"Uint8Array\.from(Hex|Base64)|\.to(Hex|Base64)\(",
    r"\.(union|intersection|difference|symmetricDifference|isSubsetOf|isDisjointFrom)\(",
    r"\.(isWellFormed|toWellFormed|checkVisibility|setHTMLUnsafe)\(",
    r"\busing \w+ =|requestIdleCallback|scheduler\.|navigation\.|startViewTransition",
)
"""Functions that Safari 16.4, Chrome 111 or Firefox 115 lack. The compiler's library has them."""
SOURCES: Final = sorted(
    path
    for folder in ("sdk/typescript/src", "web/client")
    for path in (ROOT / folder).glob("**/*.ts")
    if "node_modules" not in path.parts
)


def test_no_function_is_too_new_for_the_oldest_browser() -> None:
    found = {}
    for path in SOURCES:
        text = path.read_text()
        queries = re.findall(r"(\w+) = new URLSearchParams", text)
        sizes = [rf"\b{name}\.size\b|\b{name}\.(has|delete)\([^)]*," for name in queries]
        hits = [hit[0] for pattern in (*TOO_NEW, *sizes) for hit in re.finditer(pattern, text)]
        if hits:
            found[str(path.relative_to(ROOT))] = hits
    assert found == {}, "docs/sdk.md names the oldest browsers"
