"""Every API announces deprecated operations in time."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Annotated, Any

import msgspec
import pytest
from django.test import Client, override_settings
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from graphql import build_schema
from msgspec import Meta

from accounts.rest import address
from accounts.tokens import Origin
from games.api.graphql.schema import Schema
from games.api.rest import urls
from gameserver.errors import ProblemDocument
from gameserver.http.graphql import document_of
from kit.operations import NOTICE, Deprecated, operation
from kit.problems import Problem
from kit.validation import Query
from tests.api.matrix import operations

OLD = Deprecated(since=date(2026, 1, 15), sunset=date(2026, 8, 1), instead="list_rules")
REASON = "Use list_rules instead: this operation ends on 2026-08-01 or later."


class Which(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So much."""

    number: Annotated[int, Meta(ge=0)] = 0


class Said(msgspec.Struct, frozen=True):
    """A number."""

    number: int


@operation("get_throw_away", is_open=True, deprecated=OLD)
def get_throw_away(origin: Origin, query: Which) -> Said:
    """Say a number.

    As it is.
    """
    if query.number == 404:
        raise Problem("not_found")
    return Said(query.number)


@operation("throw_away", is_open=True, status=204, deprecated=OLD)
def throw_away(origin: Origin) -> None:
    """Do nothing."""


THROW_AWAY = address(get=get_throw_away, post=throw_away)

urlpatterns = [path("api/v1/throw_away/", THROW_AWAY)]


@pytest.mark.parametrize(
    ("query", "status"), [("?number=7", 200), ("?number=404", 404), ("?number=-1", 400)]
)
def test_every_response_has_the_deprecation_and_sunset_dates(query: str, status: int) -> None:
    with override_settings(ROOT_URLCONF=__name__):
        answer = Client().get(f"/api/v1/throw_away/{query}")
    assert answer.status_code == status
    assert answer.headers["Deprecation"] == f"@{int(datetime(2026, 1, 15, tzinfo=UTC).timestamp())}"
    assert answer.headers["Sunset"] == "Sat, 01 Aug 2026 00:00:00 GMT"
    assert parsedate_to_datetime(answer.headers["Sunset"]) == datetime(2026, 8, 1, tzinfo=UTC)


def test_other_operations_have_no_deprecation_headers() -> None:
    headers = Client().get("/api/v1/rules/").headers
    assert "Deprecation" not in headers
    assert "Sunset" not in headers


def test_the_openapi_document_marks_deprecated_operations() -> None:
    generator: Callable[..., Any] = SchemaGenerator
    document = generator(patterns=urlpatterns).get_schema(request=None, public=True)
    described = document["paths"]["/api/v1/throw_away/"]
    assert [
        (described[method]["deprecated"], described[method]["x-sunset"])
        for method in ("get", "post")
    ] == [(True, "2026-08-01")] * 2
    assert described["get"]["description"] == f"{REASON}\n\nAs it is."
    assert described["post"]["description"] == REASON


def test_graphql_marks_deprecated_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "games.api.graphql.schema.urlpatterns",
        [*urls.urlpatterns, path("throw_away/", THROW_AWAY)],
    )
    made = build_schema(Schema(ProblemDocument, document_of).as_str())
    assert made.query_type and made.mutation_type
    for kind in (made.query_type, made.mutation_type):
        assert kind.fields["throwAway"].deprecation_reason == REASON
        assert kind.fields["me" if kind is made.query_type else "play"].deprecation_reason is None


def test_a_deprecation_needs_notice_and_a_successor() -> None:
    with pytest.raises(AssertionError):
        Deprecated(
            since=OLD.since, sunset=OLD.since + NOTICE - timedelta(days=1), instead="list_rules"
        )
    served = operations()
    assert [
        name
        for name, (*_, received) in served.items()
        if received.deprecated and received.deprecated.instead not in served
    ] == []
