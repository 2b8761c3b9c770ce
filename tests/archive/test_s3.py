"""A month is archived to a real S3 server, and read from there."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings
from obstore.store import S3Store

from games.archive import reading
from games.models import Game
from games.proofs import archiving
from games.proofs.verification import verify_game
from kit.object_storage import ObjectStorage
from tests.api.rest import Caller
from tests.archive.past import as_owner
from tests.archive.scene import answers, forget, left, place_of
from tests.builders import NewUser
from tests.storage import s3


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[None]:
    """An empty bucket, in place of the folder of other tests."""
    with s3(tmp_path), override_settings(ARCHIVE_URL="s3://games/archive"):
        reading.objects.cache_clear()
        yield
    reading.objects.cache_clear()


@pytest.mark.slow
def test_every_call_answers_as_before_from_a_bucket(
    month: date, storage: None, games: list[Game], new_user: NewUser
) -> None:
    before = [answers(game, game.lobby.host) for game in games]
    objects = ObjectStorage(settings.ARCHIVE_URL, patient=True)
    with as_owner():
        done = archiving.archive(
            month, objects, by=new_user(), reason="a test of buckets", on_games=lambda *_: None
        )
    forget()
    assert (done.games, [left(game) for game in games]) == (2, [0, 0])
    assert [answers(game, game.lobby.host) for game in games] == before
    assert not any(verify_game(game.id).findings for game in games)

    bucket, place = (
        S3Store("games", prefix="archive", client_options={"allow_http": True}),
        place_of(games[0]),
    )
    content = bytearray(bucket.get(place.object).bytes())
    path, caller = f"/games/{games[0].id}/bets/", Caller(games[0].lobby.host)
    content[place.start + 9] ^= 1
    for damage in (bytes(content), bytes(content[: place.start]) or b"?"):
        bucket.put(place.object, damage)
        forget()
        assert caller.get(path).problem == (500, "archive_damaged")
    bucket.delete(place.object)
    assert caller.get(path).problem == (500, "archive_damaged")
    with override_settings(ARCHIVE_URL="s3://no-such-bucket/archive"):
        reading.objects.cache_clear()
        assert caller.get(path).problem == (503, "unavailable")
