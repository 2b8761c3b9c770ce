// A race with a client of Hey API: node play.ts URL

import { setTimeout } from "node:timers/promises";
import { client } from "./race/client.gen.js";
import * as race from "./race/sdk.gen.js";

client.setConfig({ baseUrl: process.argv[2]! });
const settings = { throwOnError: true as const };

const guest = await race.createGuest({ body: {}, ...settings });
client.setConfig({ auth: guest.data.token });

const options = { races: 1, roll_ms: 50, pause_ms: 0 };
const created = await race.createLobby({ body: { slug: "ready_set_bet", options }, ...settings });
const lobby = { path: { lobby: created.data.id }, ...settings };
await race.addBot(lobby);
const started = await race.startGame(lobby);
const game = { path: { game: started.data.id }, ...settings };

let accepted = 0;
for (let ended = ""; ended === ""; await setTimeout(100)) {
  const { commands } = (await race.listLegalCommands(game)).data;
  const bet = commands.find((each) => each.type === "place_bet") ?? commands[0];
  if (bet !== undefined) {
    const body = { id: crypto.randomUUID(), command: bet };
    const answer = await race.play({ ...game, body, throwOnError: false });
    if (answer.data !== undefined) accepted += 1;
  }
  ended = (await race.getGame(game)).data.ended;
}

const { version } = (await race.getView(game)).data;
const { commits } = (await race.listCommits(game)).data;
let bundle: unknown;
while (bundle === undefined) { // the log seals the end of a game within seconds
  await setTimeout(200);
  bundle = (await race.getBundle({ ...game, parseAs: "text", throwOnError: false })).data;
}
const lines = String(bundle).trim().split("\n").length;
console.log(JSON.stringify({ accepted, version, commits: commits.length, lines }));
