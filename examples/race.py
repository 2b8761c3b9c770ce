"""A game of live races in the terminal, with bets on a whim: `bin/uv run examples/race.py [URL]`
beside `manage.py serve`."""

import asyncio
import random
import sys

from railbird_client import Client, Commit, Problem, Unknown
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import NewGuest, NewLobby


def tell(event: rsb.Event | Unknown, names: list[str]) -> str:
    match event:
        case rsb.RaceStarted():
            return f"They are off in race {event.race}!"
        case rsb.BetPlaced():
            return f"{names[event.seat]} bets {event.stake} on {event.spot} ({event.odds})"
        case rsb.Rolled(takes_lead=True):
            return f"Horse {event.horse} takes the lead"
        case rsb.BettingClosed():
            return "No more bets!"
        case rsb.RaceFinished():
            return f"Horse {' and '.join(event.podium.win)} wins!"
        case rsb.GameEnded():
            return f"The best of all: {', '.join(names[seat] for seat in event.ranking[0])}"
    return ""


def draw(view: rsb.View, names: list[str], told: list[str]) -> None:
    lines = [f"Race {view.race}, {view.phase}"]
    for horse, position in zip(view.horses, view.positions, strict=True):
        lines.append(
            f"{horse.horse:>5} {horse.name:<18} {'──' * position}▶{' ·' * (15 - position)} ║"
        )
    for seat, name in enumerate(names):
        bets = " ".join(bet.spot for bet in view.bets if bet.seat == seat)
        lines.append(f"{name:>10} {view.purses[f'seat:{seat}']:>4}  {bets}")
    print(
        "\033[H\033[J" if sys.stdout.isatty() else "", *lines, "", *told[-6:], sep="\n", flush=True
    )


async def main(url: str = "http://127.0.0.1:8000", roll_ms: str = "700") -> None:
    async with Client(url) as client:
        client.token = (await client.come_in_as_guest(NewGuest(display_name="You"))).token
        lobby = await client.create_lobby(
            NewLobby(slug="ready_set_bet", options=rsb.Options(roll_ms=int(roll_ms), races=2))
        )
        await asyncio.gather(client.add_bot(lobby.id), client.add_bot(lobby.id))
        game = await client.start_game(lobby.id)
        names, told = [seat.name for seat in game.seats], [f"Watch it as game {game.id}"]
        async with client.table(game.id, rsb.TYPES) as table:
            async for news in table:
                told += (
                    filter(None, (tell(event, names) for event in news.events))
                    if isinstance(news, Commit)
                    else []
                )
                draw((await table.look()).view, names, told)
                legal = rsb.TYPES.commands((await client.list_legal_commands(game.id)).commands)
                if legal and random.random() < 0.4:
                    try:
                        await table.play(random.choice(legal))
                    except Problem as problem:
                        told.append(f"You were too late: {problem.code}")


asyncio.run(main(*sys.argv[1:]))
