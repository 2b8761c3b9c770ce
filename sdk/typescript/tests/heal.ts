/**
 * Follow a stream through network failures, and print the news: `TOKEN=... heal.ts
 * table|refusal|room|lobbies|inbox URL WHICH`.
 */
import { Client, type GameTypes, Problem } from "../src/index.ts";

const [what, url, which] = process.argv.slice(2) as [keyof typeof follow, string, string];
const client = new Client(url, process.env["TOKEN"]);

const follow = {
  /** Sends one command under the given id. */
  async table(id: string) {
    const table = client.table<GameTypes>("game");
    const versions: number[] = [];
    for (let number = 0; number < 8; number++) versions.push((await table.next()).value!.version);
    const accepted = await table.play({ type: "wave" }, { id });
    for await (const news of table) versions.push(news.version);
    return { versions, accepted: accepted.version };
  },

  /** Sends one command under the given id, and gives the code of its refusal. */
  async refusal(id: string) {
    const table = client.table<GameTypes>("game");
    await table.next();
    try {
      await table.play({ type: "wave" }, { id });
      return null;
    } catch (error) {
      if (error instanceof Problem) return error.code;
      throw error;
    } finally {
      table.close();
    }
  },

  async room(id: string) {
    const found = [];
    for await (const news of client.room(id))
      found.push(
        news.type === "presence"
          ? news.type
          : news.events.map(({ version, event }) => [version, event.type]),
      );
    return found;
  },

  /** Receives this many lists. */
  async lobbies(count: string) {
    const found = [];
    for await (const lobbies of client.lobbies({ slug: "x" }))
      if (found.push(lobbies.map(({ id }) => id)) === Number(count)) break;
    return found;
  },

  /** Receives the notices up to this number; `after` may be given behind a comma. */
  async inbox(numbers: string) {
    const [last, after] = numbers.split(",").map(Number);
    const found = [];
    for await (const { notices } of client.inbox(after === undefined ? {} : { after }))
      if (found.push(notices.map(({ number }) => number)) && notices.at(-1)?.number === last) break;
    return found;
  },
};

console.log(JSON.stringify(await follow[what](which)));
