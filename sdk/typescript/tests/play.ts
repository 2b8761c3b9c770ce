/**
 * Play a random game with its socket behind a proxy, and print the news: `play.ts URL PROXY SLUG
 * OPTIONS`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Problem, type Commit, type GameTypes } from "../src/index.ts";

const [url, proxy, slug, options] = process.argv.slice(2) as [string, string, string, string];
const client = new Client(url);
client.token = (await client.createGuest({ display_name: "Tess" })).token;
const lobby = await client.createLobby({ slug, options: JSON.parse(options) });
await client.addBot(lobby.id);
const game = (await client.startGame(lobby.id)).id;

const table = new Client(proxy, client.token).table<GameTypes>(game, { after: 0 });
const accepted: number[] = [];
const commits: Commit<GameTypes>[] = [];
let isOver = false;

async function play(): Promise<void> {
  while (!isOver) {
    const { commands } = await client.listLegalCommands(game);
    const command = commands[Math.floor(Math.random() * commands.length)];
    try {
      if (command) accepted.push((await table.play(command)).version);
    } catch (error) {
      const saidTheRules = error instanceof Problem && error.version !== null;
      if (!saidTheRules && !isOver) throw error;
    }
    await sleep(100);
  }
}

const playing = play();
for await (const news of table) {
  if (news.type !== "commit") throw new Error("with `after` there are commits alone");
  commits.push(news);
}
isOver = true;
await playing;
console.log(JSON.stringify({ game, token: client.token, accepted, commits }));
