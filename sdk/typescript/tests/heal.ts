/** Follows a game at a server that misbehaves, with one command under a given id, and prints what came: `heal.ts URL ID`. */
import { Client, type GameTypes } from "../src/index.ts";

const [url, id] = process.argv.slice(2) as [string, string];
const table = new Client(url, "a token").table<GameTypes>("game");
const versions: number[] = [];
for (let number = 0; number < 8; number++) versions.push((await table.next()).value!.version);
const accepted = await table.play({ type: "wave" }, { id });
for await (const news of table) versions.push(news.version);
console.log(JSON.stringify({ versions, accepted: accepted.version }));
