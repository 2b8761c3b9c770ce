"""Hooks of the documentation site: pages from outside `docs/`, links out of it, diagrams, the table
of errors, and the reference of each game, made from its types and from games of bots."""

import ast
import posixpath
import re
from importlib import metadata
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from railbird_engine.kernel.reference_pages import LINE, reference
from railbird_engine.rules import registry

ROOT: Final = Path(__file__).resolve().parent.parent
GAMES: Final = sorted(page.stem for page in (ROOT / "docs/games").glob("*.md"))
RULES: Final = {slug: rules for (slug, _), rules in sorted(registry().items())}
"""The newest rules of each game."""
DIAGRAMS: Final = "assets/mermaid.tiny.js"

PAGES: Final = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "THREAT_MODEL.md": "threat-model.md",
    "bench/README.md": "measurements.md",
} | {f"engine/railbird_engine/rules/{game}/README.md": f"rules/{game}.md" for game in GAMES}
"""Files of the repository that are pages of the site."""

SOURCES: Final = {page: source for source, page in PAGES.items()}


def error_table() -> str:
    """Return the rows of `TABLE` in `gameserver/errors.py`, which is read but not imported."""
    module = ast.parse((ROOT / "gameserver/errors.py").read_text())
    (table,) = (
        each.value
        for each in module.body
        if isinstance(each, ast.AnnAssign) and ast.unparse(each.target) == "TABLE"
    )
    assert isinstance(table, ast.Dict)
    rows = ["| code | status | meaning |", "|---|---|---|"]
    for code, meaning in zip(table.keys, table.values, strict=True):
        assert code is not None
        assert isinstance(meaning, ast.Call)
        name, status, *texts = map(ast.literal_eval, (code, *meaning.args))
        text = re.sub(r"\[(.*?)\]", r"\1", " ".join(texts[1:] or texts))
        rows.append(f"| `{name}` | {status} | {text} |")
    return "\n".join(["", *rows, ""])


def on_config(config: MkDocsConfig) -> None:
    assert config.nav is not None
    decisions = sorted((ROOT / "docs/adr").glob("0*.md"))
    config.nav += [
        {"Games": [f"games/{game}.md" for game in GAMES]},
        {"Rules": [f"rules/{game}.md" for game in GAMES]},
        {"Decisions": ["adr/index.md", *(f"adr/{page.name}" for page in decisions)]},
    ]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    theirs = metadata.distribution("mkdocs-material").read_text("licenses/LICENSE")
    assert theirs is not None
    files.append(File.generated(config, "assets/mkdocs-material.LICENSE", content=theirs))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    here = page.file.src_uri
    source = SOURCES.get(here, f"docs/{here}")
    folder, _, name = here.partition("/")
    if folder == "games" and LINE not in markdown:
        markdown += reference(RULES[name.removesuffix(".md")])
    if here == "protocol/errors.md":
        markdown += error_table()
    # The tests read a name behind the language of a block; the site does not.
    markdown = re.sub(r"^```(\w+) +\w+$", r"```\1", markdown, flags=re.MULTILINE)

    # A clone has every file that pages link to; the build context of the image has the pages only.
    def link(found: re.Match[str]) -> str:
        text, address, anchor = found.groups(default="")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), address))
        if (ROOT / ".git").exists() and not (ROOT / target).exists():
            raise PluginError(f"{source} links to {address}, which does not exist")
        inside = PAGES.get(target) or target.removeprefix("docs/")
        if inside == target or not inside.endswith(".md"):
            return f"{text} (`{target}`)" if text != f"`{target}`" else text
        return f"[{text}]({posixpath.relpath(inside, posixpath.dirname(here) or '.')}{anchor})"

    links = r"(?<!!)\[([^\]\n]+)\]\((?![a-z]+:|#|/)([^)\s#]+)(#[^)\s]*)?\)"
    return re.sub(links, link, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    if 'class="mermaid"' not in output:
        return output
    script = f'<script src="{get_relative_url(DIAGRAMS, page.url)}"></script></head>'
    return output.replace("</head>", script, 1)
