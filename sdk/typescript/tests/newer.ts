/** Read all answers and frames of a newer server, and print what was read: `newer.ts URL CALLS`, where the calls are JSON. */
import { Client, Problem, type GameTypes } from "../src/index.ts";

const [url, given] = process.argv.slice(2) as [string, string];
const calls = JSON.parse(given) as [name: string, given: unknown[], times: number][];
const NEW = "brand_new";

const client = new Client(url, "SECRET", { entropy: false }) as Client & Record<string, (...given: unknown[]) => Promise<unknown>>;
const failed: string[] = [];
for (const [name, given, times] of calls) {
  const method = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (let nth = 0; nth < times; nth++) {
    try {
      await client[method]!(...given);
    } catch (error) {
      if (!(error instanceof Problem && error.code === NEW && nth === times - 1)) failed.push(`${name}: ${error}`);
    }
  }
}

const versions: number[] = [];
for await (const { version } of client.table("x")) versions.push(version);
const table = client.table<GameTypes>("x");
const answers = [
  (await table.look()).version,
  (await table.legalCommands()).version,
  (await table.play({ type: NEW })).version,
  await table.sendMessage("Good evening"),
];
table.close();
const events: number[] = [];
for await (const news of client.room("x")) if (news.type === "news") events.push(news.events.length);
for await (const _ of client.lobbies()) break;
for await (const _ of client.inbox()) break;
console.log(JSON.stringify({ failed, versions, answers, events }));
