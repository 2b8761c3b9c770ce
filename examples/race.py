"""Live races with random bets in the terminal: `bin/uv run examples/race.py [URL]`."""

import asyncio
import random
import sys

from railbird_client import Client, Commit, Problem, Unknown
from railbird_client.games import ready_set_bet as rsb
from railbird_client.models import NewGuest, NewLobby


def describe(event: rsb.Event | Unknown, names: list[str]) -> str:
    match event:
        case rsb.RaceStarted():
            return f"They are off in race {event.race}!"
        case rsb.BetPlaced():
            return f"{names[event.seat]} bets {event.stake} on {event.spot} ({event.odds})"
        case rsb.Rolled(takes_lead=True):
            return f"Horse {event.horse} takes the lead"
        case rsb.RaceFinished():
            return f"Horse {' and '.join(event.podium.win)} wins!"
        case rsb.GameEnded():
            return f"The best of all: {', '.join(names[seat] for seat in event.ranking[0])}"
    return ""


def draw(view: rsb.View, names: list[str], news: list[str]) -> None:
    print("\033[H\033[J" if sys.stdout.isatty() else "", f"Race {view.race}, {view.phase}")
    for horse, position in zip(view.horses, view.positions, strict=True):
        lane = f"{'──' * position}▶{' ·' * (15 - position)}"
        print(f"{horse.horse:>5} {horse.name.en:<18} {lane} ║")
    for seat, name in enumerate(names):
        bets = [bet.spot for bet in view.bets if bet.seat == seat]
        print(f"{name:>10} {view.purses[f'seat:{seat}']:>4} ", *bets)
    print("", *news[-6 if sys.stdout.isatty() else 0 :], sep="\n", flush=True)


async def main(url: str = "http://127.0.0.1:8000", roll_ms: str = "700") -> None:
    async with Client(url) as client:
        client.token = (await client.create_guest(NewGuest(display_name="You"))).token
        wanted = NewLobby(slug=rsb.TYPES.slug, options=rsb.Options(roll_ms=int(roll_ms), races=2))
        lobby = await client.create_lobby(wanted)
        await asyncio.gather(client.add_bot(lobby.id), client.add_bot(lobby.id))
        game = await client.get_game((await client.start_game(lobby.id)).id)
        names, news = [seat.name for seat in game.seats], [f"Game {game.id}"]
        async with client.table(game.id, rsb.TYPES) as table:
            async for update in table:
                events = update.events if isinstance(update, Commit) else ()
                news += filter(None, (describe(event, names) for event in events))
                draw((await table.look()).view, names, news)
                legal = (await table.legal_commands()).commands
                try:
                    if legal and random.random() < 0.4:
                        await table.play(random.choice(legal))
                except Problem as problem:
                    news.append(f"You were too late: {problem.code}")


asyncio.run(main(*sys.argv[1:]))
