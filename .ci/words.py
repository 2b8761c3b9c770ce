"""Find words that this project gave up: `python .ci/words.py`; `--all` includes `NOT_YET`.

`docs/glossary.md` has the words to use. With `--message FILE` the subject of a commit is checked.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent

NOT_YET: Final = ("tests/",)
"""What has not been rewritten. Take entries out; add none."""

EXEMPT: Final = ("docs/glossary.md", ".ci/words.py", "schema/", "tests/standards/", "uv.lock")
"""The list itself, and files that are generated or not ours."""

READ: Final = (".py", ".md", ".ts", ".mts", ".html", ".yml", ".yaml", ".toml", ".sh", ".example")

START: Final = r"(?:\"\"\"|/\*\* |//+ |#+ |^\s*(?:[-*|] )?|[.:!] )"

NAMES: Final = (
    "admin/acts", "admits_bot_accounts", "come_in_as_guest", "comeInAsGuest", "gone_because",
    "readiness_said", "roomEvents", "sat_down", "stood_up", "Wallet",
)  # fmt: skip
"""Public names that were renamed."""

WORDS: Final = {
    "a sentence names its actor first": START + r"(?:Who|Whoever|Whom|Whose)\b(?! ?\|)[^?]*$",
    "a sentence that opens with What is a question": START
    + r"What (?!to\b)(?!.*\?)[a-z']+ [^|]*[.,:]",
    "the server returns, reports or "
    "sends": r"\b(?:is|are|was|were|be|been|being) told\b|\btells (?:that|one)\b",
    "a token is valid": r"\btokens? that holds?\b|\bholds no more\b",
    "users sign in, clients "
    "authenticate": r"\b(?:comes?|came|coming) in (?:as|by|again|there)\b|\bthe way in\b",
    "the person who runs the server is the "
    "operator": r"\b[Ww]ho(?:ever)? runs (?:the|this) server\b",
    "name whose it is": r"\bone's(?! own machine's)\b|\boneself\b",
    "plain words: also, permanently, no "
    "longer": r"\bbesides\b|\blest\b|\bfor good\b|\b(?:is|are|staff) no more\b",
    "a bet or game is voided": r"\bcall(?:s|ed|ing)?[ _-]off\b",
    "this public name was renamed": rf"\b(?:{'|'.join(NAMES)})\b",
    "errors name a fault in standard "
    "terms": r"\bmakes? no sense\b|\bcannot be meant\b|\bat fault\b",
}

SUBJECT: Final = re.compile(
    r"[a-z0-9_./, -]+: (?!Let|Say|Tell|Hold|Ask|Give|Keep|Be\b)[A-Z][\w-]+ "
    r".*[^.]|Revert .*|Merge .*"
)


def git(*arguments: str) -> list[str]:
    """The lines that git prints; none where it fails, as where no branch is called main."""
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines()


def files() -> Iterator[Path]:
    skip = EXEMPT if "--all" in sys.argv else EXEMPT + NOT_YET
    for name in git("ls-files"):
        if name.endswith(READ) and not name.startswith(skip) and (ROOT / name).is_file():
            yield ROOT / name


def findings() -> Iterator[tuple[str, str]]:
    """Each place with what is wrong there, and the file's top folder."""
    looked_for = {why: re.compile(pattern) for why, pattern in WORDS.items()}
    for path in files():
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for why, pattern in looked_for.items():
                if found := pattern.search(line):
                    yield (
                        name.partition("/")[0],
                        f"{name}:{number}: {found[0].strip()[:60]!r}: {why}",
                    )


def subjects() -> Iterator[str]:
    """Complain about commits that are not on main yet."""
    if "--message" in sys.argv:
        lines = [Path(sys.argv[-1]).read_text().partition("\n")[0]]
    else:
        lines = git("log", "--no-merges", "--format=%s", "main..HEAD")
    for line in lines:
        if len(line) > 72 or not SUBJECT.fullmatch(line):
            yield (
                f"{line!r}: write `area: Verb object`, at most 72 characters, with a verb "
                "that says what changed"
            )


def main() -> int:
    wrong = [*subjects()]
    if "--message" not in sys.argv:
        found = list(findings())
        wrong += [place for _, place in found]
        if "--all" in sys.argv:
            wrong.append(
                ", ".join(
                    f"{area} {count}"
                    for area, count in Counter(area for area, _ in found).most_common()
                )
            )
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
