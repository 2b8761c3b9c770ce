/** Live races with random bets in the terminal: `node examples/race.mts [URL]`. */
import { Client, Problem } from "../sdk/typescript/src/index.ts";
import type * as rsb from "../sdk/typescript/src/games/ready_set_bet.ts";

const [url = "http://127.0.0.1:8000", rollMs = "700"] = process.argv.slice(2);

function describe(event: rsb.Event, names: string[]): string {
  switch (event.type) {
    case "race_started":
      return `They are off in race ${event.race}!`;
    case "bet_placed":
      return `${names[event.seat]} bets ${event.stake} on ${event.spot} (${event.odds})`;
    case "rolled":
      return event.takes_lead ? `Horse ${event.horse} takes the lead` : "";
    case "betting_closed":
      return "No more bets!";
    case "race_finished":
      return `Horse ${event.podium.win.join(" and ")} wins!`;
    case "game_ended":
      return `The best of all: ${event.ranking[0]!.map((seat) => names[seat]).join(", ")}`;
    default:
      return "";
  }
}

function draw(view: rsb.View, names: string[], lines: string[]): void {
  const lanes = view.horses.map(({ horse, name }, lane) => {
    const position = view.positions[lane]!;
    return `${horse.padStart(5)} ${name.en.padEnd(18)} ${"──".repeat(position)}▶${" ·".repeat(15 - position)} ║`;
  });
  const players = names.map((name, seat) => {
    const bets = view.bets.filter((bet) => bet.seat === seat).map((bet) => bet.spot);
    return `${name.padStart(10)} ${String(view.purses[`seat:${seat}`]).padStart(4)}  ${bets.join(" ")}`;
  });
  const clear = process.stdout.isTTY ? "\x1b[H\x1b[J" : "";
  const latest = lines.slice(process.stdout.isTTY ? -6 : 0);
  console.log([clear, `Race ${view.race}, ${view.phase}`, ...lanes, ...players, "", ...latest].join("\n"));
}

const client = new Client(url);
client.token = (await client.createGuest({ display_name: "You" })).token;
const lobby = await client.createLobby({ slug: "ready_set_bet", options: { roll_ms: Number(rollMs), races: 2 } });
await Promise.all([client.addBot(lobby.id), client.addBot(lobby.id)]);
const game = await client.getGame((await client.startGame(lobby.id)).id);
const names = game.seats.map((seat) => seat.name);
const lines = [`Game ${game.id}`];
const table = client.table<rsb.Game>(game.id);
for await (const news of table) {
  if (news.type === "commit") lines.push(...news.events.map((event) => describe(event, names)).filter(Boolean));
  if (news.version === table.version) draw((await table.look()).view, names, lines);
  const legal = (await client.listLegalCommands(game.id)).commands as rsb.Command[];
  const command = Math.random() < 0.4 ? legal[Math.floor(Math.random() * legal.length)] : undefined;
  if (command) await table.play(command).catch((problem: Problem) => lines.push(`You were too late: ${problem.code}`));
}
