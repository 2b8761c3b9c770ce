"""Months long ago, for games that are archived at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from unittest.mock import patch
from urllib.parse import urlsplit
from uuid import UUID

from django.db import connection
from uuid_utils.compat import uuid7

from games.archive.months import MONTHLY
from kit import table_protection
from kit.partitions import first_id


def end_of(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


@contextmanager
def as_owner() -> Iterator[None]:
    """Log Django in as the owner of the database, as `manage.py archive` does."""
    names = connection.settings_dict
    application, role = names["USER"], urlsplit(os.environ["DATABASE_OWNER_URL"]).username
    assert application != role

    def log_in(user: str | None) -> None:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL
        names["USER"] = user

    log_in(role)
    try:
        yield
    finally:
        log_in(application)


def make_months(*months: date) -> None:
    """Make the partitions of these months, as the owner and as protected as others."""
    application = connection.settings_dict["USER"]
    with as_owner():
        with connection.cursor() as cursor:
            for month in months:
                for table, _, _ in MONTHLY:
                    cursor.execute(
                        f"CREATE TABLE {table}_{month:%Y_%m} PARTITION OF {table} FOR VALUES "
                        f"FROM ('{first_id(month)}') TO ('{first_id(end_of(month))}')"
                    )
        table_protection.build(connection, application)


@contextmanager
def played_in(month: date) -> Iterator[None]:
    """Let lobbies open in this month, one in each millisecond from its first."""
    began, opened = first_id(month).int >> 80, 0

    def long_ago() -> UUID:
        nonlocal opened
        opened += 1
        return UUID(int=(began + opened << 80) | uuid7().int & (1 << 80) - 1)

    with patch("kit.partitions.new_id", long_ago):
        yield
