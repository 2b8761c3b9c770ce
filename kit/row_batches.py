"""Bounded work on tables: one statement at a time, each in a transaction of its own."""

from typing import Any, Final

from django.db import connection

ROWS_MAX: Final = 1_000


def repeat(statement: str, **parameters: Any) -> int:
    """Execute a statement until it finds fewer than `%(most)s` rows. Return how many it found."""
    total = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(statement, {**parameters, "most": ROWS_MAX})
            found: int = cursor.rowcount
        total += found
        if found < ROWS_MAX:
            return total
