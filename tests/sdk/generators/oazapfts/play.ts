// A race with a client of oazapfts: node play.ts URL

import { setTimeout } from "node:timers/promises";
import { ok } from "@oazapfts/runtime";
import * as race from "./race.js";

race.defaults.baseUrl = process.argv[2]!;
const { token } = await ok(race.createGuest());
race.defaults.headers = { Authorization: `Bearer ${token}` };

const options = { races: 1, roll_ms: 50, pause_ms: 0 };
const lobby = (await ok(race.createLobby({ slug: "ready_set_bet", options }))).id;
await ok(race.addBot(lobby));
const game = (await ok(race.startGame(lobby))).id;

let accepted = 0;
for (let ended = ""; ended === ""; await setTimeout(100)) {
  const { commands } = await ok(race.listLegalCommands(game));
  const bet = commands.find((each) => each.type === "place_bet") ?? commands[0];
  if (bet !== undefined) {
    const { status } = await race.play(game, { id: crypto.randomUUID(), command: bet });
    accepted += Number(status === 201);
  }
  ended = (await ok(race.getGame(game))).ended;
}

const { version } = await ok(race.getView(game));
const { commits } = await ok(race.listCommits(game));
console.log(JSON.stringify({ accepted, version, commits: commits.length }));
