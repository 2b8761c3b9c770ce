"""The names of libraries that they do not promise, and that this project uses all the same.

A library that renames one would no longer call what overrides it: an upgrade fails here first.
"""

import httpcore
import pytest
import strawberry
from django.contrib.postgres.operations import NotInTransactionMixin
from httpcore._async.http11 import AsyncHTTP11Connection
from oauth2_provider.oauth2_validators import OAuth2Validator
from psycopg_pool import AsyncConnectionPool, ConnectionPool
from redis.asyncio.connection import AbstractConnection
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (OAuth2Validator, "_save_bearer_token"),
        (HttpToolsProtocol, "_start_asgi_task"),
        (AbstractConnection, "_read_response_from_parser"),
        (AsyncConnectionPool, "_get_ready_connection"),
        (ConnectionPool, "_get_ready_connection"),
        (NotInTransactionMixin, "_ensure_not_in_transaction"),
    ],
)
def test_a_method_that_is_overridden_exists(owner: type, name: str) -> None:
    assert callable(vars(owner)[name])


def test_attributes_that_are_read_exist() -> None:
    @strawberry.type
    class Query:
        one: int

    assert strawberry.Schema(Query)._schema.query_type is not None
    connection = AsyncHTTP11Connection(
        httpcore.Origin(b"http", b"x", 80), httpcore.AsyncMockStream([])
    )
    assert connection._h11_state.trailing_data == (b"", False)
