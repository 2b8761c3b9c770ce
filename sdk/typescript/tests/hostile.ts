/** Meet each case of a hostile server, and print the outcomes: `hostile.ts URL TLS CASES`, where the cases are JSON. */
import { IN_TIME } from "../src/clock.ts";
import { Client, ServerError, type GameTypes, type Table } from "../src/index.ts";
import { PATIENCE, sleep } from "../src/patience.ts";
import { MOST } from "../src/stream.ts";

PATIENCE.firstMs = 50;
MOST.lobbies = MOST.news = 50;
IN_TIME.ms = 1000;
const WAIT_MS = 1000;
const [url, tls, given] = process.argv.slice(2) as [string, string, string];
const cases = JSON.parse(given) as Record<string, Does>;
type Does = keyof typeof overHttp | keyof typeof onTables;

const overHttp = {
  get: (client: Client) => client.getLobby("x"),
  leave: (client: Client) => client.leaveLobby("x"),
  join: (client: Client) => client.joinLobby("x"),
  bot: (client: Client) => client.addBot("x"),
  drip: (client: Client) => client.addBot("x"),
  odd: (client: Client) => client.getLobby("../x?y#zé"),
  up: (client: Client) => client.getLobby(".."),
  unsent: (client: Client) => client.createLobby({ slug: "x", options: { races: 1n } } as never),
  /** Ask two things, one after the other; the second answer is no rest of the first. */
  async twice(client: Client) {
    await client.getLobby("x");
    return (await client.getLobby("x")).id === "a" ? "ok" : "the second answer to the first";
  },
  async room(client: Client) {
    const found: (number | string)[] = [];
    for await (const news of client.room("a"))
      if (news.type === "news") found.push(...(news.events.length ? news.events : [news]).map(({ version }) => version));
    return [...found, "end"].join(" ");
  },
  async lobbies(client: Client) {
    for await (const lobbies of client.lobbies())
      if (lobbies.length > 1) return lobbies.map(({ id }) => id).join(" ");
    return "end";
  },
  async inbox(client: Client) {
    const numbers: number[] = [];
    for await (const { notices } of client.inbox({ after: 0 }))
      if (numbers.push(...notices.map(({ number }) => number)) > 1) break;
    return numbers.join(" ");
  },
};

const onTables = {
  async news(table: Table<GameTypes>) {
    const found: (number | string)[] = [];
    for await (const { version } of table) found.push(version);
    return [...found, "end"].join(" ");
  },
  wait: (table: Table<GameTypes>) => Promise.race([onTables.news(table), sleep(WAIT_MS).then(() => "waiting")]),
  async limit(table: Table<GameTypes>) {
    const refused = await outcome(table.legalCommands(0));
    return `${refused} ${(await table.look()).version}`;
  },
  async legal(table: Table<GameTypes>) {
    const { commands } = await table.legalCommands();
    return String(commands.filter(({ type }: any) => type === "place_bet").length);
  },
  look: async (table: Table<GameTypes>) => String((await table.look()).version),
  slow: async (table: Table<GameTypes>) => onTables.look(table),
  never: async (table: Table<GameTypes>) => String((await table.look({ withinMs: WAIT_MS })).version),
  play: async (table: Table<GameTypes>) => {
    const accepted = await table.play({ type: "place_bet", spot: "win:7:r", token: 5 });
    return "acknowledgement" in accepted ? "a note" : String(accepted.version);
  },
  "odd play": async (table: Table<GameTypes>) => String((await table.play({ type: "place_bet", token: 5n })).version),
  hurry: async (table: Table<GameTypes>) => {
    const bet = { type: "place_bet", spot: "win:7:r", token: 5 };
    return String((await table.play(bet, { withinMs: WAIT_MS })).version);
  },
  chat: async (table: Table<GameTypes>) => String(await table.sendMessage("Good evening")),
};

async function outcome(done: Promise<unknown>): Promise<string> {
  try {
    const found = await done;
    return typeof found === "string" ? found : "ok";
  } catch (error) {
    return error instanceof ServerError ? error.code : `foreign: ${error}`;
  }
}

async function meet(address: string, does: Does): Promise<string> {
  const client = new Client(address, "SECRET", { entropy: false, timeoutMs: does === "drip" ? WAIT_MS / 4 : 60_000 });
  if (does in overHttp) return outcome(overHttp[does as keyof typeof overHttp](client));
  const table = client.table("game");
  try {
    return await outcome(onTables[does as keyof typeof onTables](table));
  } finally {
    table.close();
  }
}

const met = Object.entries(cases).map(async ([name, does]) => [name, await meet(`${url}/${name}`, does)]);
console.log(JSON.stringify(Object.fromEntries(await Promise.all([...met, meet(`${tls}/tls`, "bot").then((code) => ["tls", code])]))));
