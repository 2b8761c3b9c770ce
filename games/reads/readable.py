"""Lists without damaged rows: one row must not end the lists of everybody."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import structlog
from django.db.models import Model

from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

Row = TypeVar("Row", bound=Model)
Shown = TypeVar("Shown")


def readable(rows: Iterable[Row], show: Callable[[Row], Shown]) -> Iterator[tuple[Row, Shown]]:
    """Yield each row with what `show` makes of it, and log those whose bytes cannot be decoded."""
    for row in rows:
        try:
            yield row, show(row)
        except chain.MALFORMED:
            log.exception("row_damaged", table=type(row).__name__, row=str(row.pk))
