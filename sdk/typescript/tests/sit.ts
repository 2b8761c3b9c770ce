/**
 * Take a seat, play a command, follow the game to its end, and print what was kept: `sit.ts URL
 * LOBBY`, or without a command `sit.ts URL quick OPTIONS` for a quick match.
 */
import { Client, type GameTypes, type KeptEntropy } from "../src/index.ts";

const [url, where, options = "{}"] = process.argv.slice(2) as [string, string, string?];
const kept = new Map<string, string>();
const entropy = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
};
const client = new Client(url, "", { entropy });
client.token = (await client.createGuest({ display_name: "Tess" })).token;
const wanted = { slug: "ready_set_bet", options: JSON.parse(options), capacity: 2 } as const;
let lobby = await (where === "quick" ? client.quickMatch(wanted) : client.joinLobby(where));
if (where !== "quick") lobby = await client.setReady(lobby.id, { ready: true });
for await (const news of client.room(lobby.id, { after: lobby.version - 1 })) {
  if (news.type === "news") lobby = news.lobby;
  if (lobby.game) break;
}
const table = client.table<GameTypes>(lobby.game!, { after: 0 });
if (where !== "quick") {
  let commands: GameTypes["command"][] = [];
  while (commands.length === 0) {
    await table.next();
    ({ commands } = await table.legalCommands(500));
  }
  // Members in another order than the server's, and without what is not there: what is signed is the
  // server's text.
  const written = (command: unknown) =>
    Object.fromEntries(Object.entries(command as object).filter(([, member]) => member !== null).reverse()) as never;
  await table.play(written(commands.at(-1)));
  const left = await client.listLegalCommands(lobby.game!, { limit: 500 });
  const command = written(left.commands.at(-1));
  await client.with(new AbortController().signal).play(lobby.game!, { id: crypto.randomUUID(), command });
}
for await (const _ of table);
const [text] = kept.values();
console.log(JSON.stringify({ token: client.token, kept: JSON.parse(text!) as KeptEntropy }));
