/** Host a game on each of these servers, which lie or refuse, and print what the client found: `lies.ts URL...`. */
import { GRACE } from "../src/entropy.ts";
import { Client, Contradicted, ServerError, type GameTypes } from "../src/index.ts";

async function lieOf(url: string): Promise<string> {
  const client = new Client(url);
  try {
    client.token = (await client.createGuest({ display_name: "Tess" })).token;
    const options = { roll_ms: 50, pause_ms: 50, races: 1 };
    const lobby = await client.createLobby({ slug: "ready_set_bet", options });
    await client.addBot(lobby.id);
    await client.setReady(lobby.id, { ready: true });
    const game = await client.startGame(lobby.id);
    for await (const _ of client.table<GameTypes>(game.id, { after: 0 }));
    return "nothing";
  } catch (error) {
    if (error instanceof Contradicted) return error.field;
    if (error instanceof ServerError) return error.code;
    throw error;
  } finally {
    client.close();
  }
}

if (process.env["GRACE_S"]) GRACE.ms = 1000 * Number(process.env["GRACE_S"]);
const found: string[] = [];
for (const url of process.argv.slice(2)) found.push(await lieOf(url));
console.log(JSON.stringify(found));
