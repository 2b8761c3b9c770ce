"""Find words that this project no longer uses: `python .ci/words.py [--all]`.

`docs/glossary.md` lists the words to use. `--all` includes the files in `NOT_YET`. `--message FILE`
checks the subject of a commit.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent

NOT_YET: Final[tuple[str, ...]] = ()
"""Files that may still contain old words. Do not add any."""

EXEMPT: Final = ("docs/glossary.md", ".ci/words.py", "schema/", "tests/standards/", "uv.lock")
"""Files that contain the list itself, are generated, or are not ours."""

MOVED: Final = "games[./](engine|rules|audit|skeleton|transparency)"
"""Modules that left the Django app. Only what tells history may name their old places."""

TELLS_HISTORY: Final = ("CHANGELOG.md", "docs/adr", ".ci/words.py")

READ: Final = (".py", ".md", ".ts", ".mts", ".html", ".yml", ".yaml", ".toml", ".sh", ".example")

START: Final = r"(?:\"\"\"|/\*\* |//+ |#+ |^\s*(?:[-*|] )?|[.:!] )"

NAMES: Final = (
    "admin/acts", "admits_bot_accounts", "call_off", "called_off", "come_in_as_guest",
    "comeInAsGuest", "erase_oneself", "gone_because", "lendable_by", "loans_of", "readiness_said",
    "roomEvents", "said_of", "sat_down", "stand_up", "stood_up", "tells_hashes", "told_of",
    "Wallet", "with_fates",
)  # fmt: skip
"""Public names that were renamed."""

WORDS: Final = {
    "a sentence names its actor first": START + r"(?:Who|Whoever|Whom|Whose)\b(?! ?\|)[^?]*$",
    "only a question opens with What": START + r"What (?!to\b)(?!.*\?)[a-z']+ [^|]*[.,:]",
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
    "a bet or game is voided": r"\b[Cc]all(?:s|ed|ing)?(?: (?:a|the|one|each|every))?"
    r"(?: (?:game|bet)s?)?[ _-]off\b",
    "the game continues": r"\b(?:game|race|turn|session|table)s? (?:goes|go|went) on\b"
    r"|\bgo(?:es)? on (?:with|until|where|from)\b",
    "name the actor": r"\b(?:and nobody else|to nobody else|nobody else's)\b|\bwhoever\b",
    "state, record or compare": r"\bh[eo]ld(?:s|ing)? (?:it|them|this|that|\w+) against\b"
    r"|\bwhat (?:the )?(?:log|commit|file|game|head|store)s? (?:says?|tells?)\b",
    "plain words: again": r"\b[Aa]new\b",
    "REST, GraphQL and sockets are transports": r"\bREST face\b"
    r"|\bfaces? of (?:people|operations|the API)\b",
    "plain words: number, repeat": r"\b(?:be it|so many of|thereof)\b",
    "this public name was renamed": rf"\b(?:{'|'.join(NAMES)})\b",
    "errors name a fault in standard "
    "terms": r"\bmakes? no sense\b|\bcannot be meant\b|\bat fault\b",
}

SUBJECT: Final = re.compile(
    r"[a-z0-9_./, -]+: (?!Let|Say|Tell|Hold|Ask|Give|Keep|Be\b)[A-Z][\w-]+ "
    r".*[^.]|Revert .*|Merge .*"
)


def git(*arguments: str) -> list[str]:
    """Return the lines that git prints, or none if it fails, for example without a branch main."""
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
    """Yield the top folder and a message for each old word."""
    patterns = {why: re.compile(pattern) for why, pattern in WORDS.items()}
    for path in files():
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for why, pattern in patterns.items():
                if found := pattern.search(line):
                    yield (
                        name.partition("/")[0],
                        f"{name}:{number}: {found[0].strip()[:60]!r}: {why}",
                    )


def old_places() -> Iterator[str]:
    """Yield a message for each line of a file, of any kind, that names a module's old place."""
    for line in git("grep", "-nIE", MOVED, "--", *(f":!{name}" for name in TELLS_HISTORY)):
        yield f"{line[:160]}: this is in engine/, games/log or games/proofs now"


def subjects() -> Iterator[str]:
    """Yield a message for each invalid subject of a commit that is not on main yet."""
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
        wrong += old_places()
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
