/** Somebody at a table, through the client as it is built for browsers; `window.ann` for whoever drives the page. */
import { Client, Problem } from "/client/index.js";

let client;
let game;
let table;
const commits = [];

/** What the server says no with. */
async function refusal(asked) {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, status: error.status ?? null, version: error.version };
    throw error;
  }
  throw new Error("it was not refused");
}

window.ann = {
  commits,

  /** Come in, open a table with a bot, and follow it. */
  async sitDown(url, slug, options) {
    client = new Client(url);
    client.token = (await client.createGuest({ display_name: "Ann" })).token;
    const lobby = await client.createLobby({ slug, options });
    await client.addBot(lobby.id);
    game = (await client.startGame(lobby.id)).id;
    table = new Client(url, client.token).table(game, { after: 0 });
    void (async () => {
      for await (const commit of table) commits.push(commit);
    })();
    return game;
  },

  /** Place the first bet that may be placed, as soon as one may. */
  async bet() {
    for (;;) {
      const { commands } = await client.listLegalCommands(game);
      const bet = commands.find(({ type }) => type === "place_bet");
      try {
        if (bet) return await table.play(bet);
      } catch (error) {
        if (!(error instanceof Problem && error.version)) throw error; // else somebody was quicker
      }
    }
  },

  refusedOverHttp: (slug) => refusal(client.createLobby({ slug })),
  refusedAtTheTable: (command) => refusal(table.play(command)),

  /** A header of an answer, as the page may read it. */
  async header(url, name) {
    const answer = await fetch(`${url}/api/v1/auth/me/`, { headers: { Authorization: `Bearer ${client.token}` } });
    return answer.headers.get(name);
  },
};
