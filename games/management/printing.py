"""The console of commands."""

from rich.console import Console


def plain_console(*, stderr: bool = False) -> Console:
    """Return a console that prints texts as they are: names with brackets are no markup."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)
