"""Sockets of games whose stored history is damaged, or went back."""

from asgiref.sync import sync_to_async

from games.api.sockets.frames import CloseCode
from games.models import Game, Head
from tests.api.sockets import joined, seated
from tests.builders import NewGame
from tests.moves import take_in_turn
from tests.store.tampering import damage, take_back


async def test_a_socket_ends_before_a_damaged_commit(address: str, new_game: NewGame) -> None:
    game, (token, _) = await seated(new_game)
    await sync_to_async(play_and_damage)(game)
    async with joined(address, game.id, token, "?after=1") as client:
        assert [commit["version"] for commit in await client.commits(until=2)] == [2]
        code, last = await client.closed()
    assert (code, last["code"], last["data"]) == (
        CloseCode.HISTORY_DAMAGED, "history_damaged", {"version": 3}
    )  # fmt: skip


def play_and_damage(game: Game) -> None:
    for spot in range(4):
        take_in_turn(game, spot)
    change = "UPDATE games_commit SET hash = sha256(hash) WHERE game_id = %(game)s AND version = 3"
    damage(game, change)


async def test_a_socket_is_told_that_the_database_went_back(
    address: str, new_game: NewGame
) -> None:
    game, (token, _) = await seated(new_game)
    before = await Head.objects.aget(game=game)
    async with joined(address, game.id, token) as client:
        await client.play(0)
        await client.play(2)
        await client.commits(until=3)
        await sync_to_async(take_back)(game, before)
        code, last = await client.closed()
    assert (code, last["code"], last["data"]) == (
        CloseCode.HISTORY_LOST, "history_lost", {"version": 1, "seen": 3}
    )  # fmt: skip
    async with joined(address, game.id, token, "?after=3") as client:
        code, last = await client.closed()
    assert (last["code"], last["data"]) == ("version_ahead", {"version": 1})
    async with joined(address, game.id, token) as client:
        assert (await client.next("view"))["version"] == 1
        await client.play(4)
        assert (await client.next("accepted"))["version"] == 2
