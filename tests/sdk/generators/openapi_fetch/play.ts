// A race with types of openapi-typescript and requests of openapi-fetch: node play.ts URL

import createClient from "openapi-fetch";
import { setTimeout } from "node:timers/promises";
import type { paths } from "./api.ts";

const client = createClient<paths>({ baseUrl: process.argv[2]! });

function found<Data>(answer: { data?: Data; error?: unknown }): NonNullable<Data> {
  if (answer.data == null) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const guest = found(await client.POST("/api/v1/auth/guest/", { body: {} }));
client.use({
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${guest.token}`);
  },
});

const options = { races: 1, roll_ms: 50, pause_ms: 0 };
const created = found(
  await client.POST("/api/v1/lobbies/", { body: { slug: "ready_set_bet", options } }),
);
const path = { lobby: created.id };
await client.POST("/api/v1/lobbies/{lobby}/bots/", { params: { path } });
const game = found(await client.POST("/api/v1/lobbies/{lobby}/start/", { params: { path } })).id;
const of = { params: { path: { game } } };

let accepted = 0;
for (let ended: string = ""; ended === ""; await setTimeout(100)) {
  const legal = found(await client.GET("/api/v1/games/{game}/legal/", of));
  const bet = legal.commands.find((each) => each.type === "place_bet") ?? legal.commands[0];
  if (bet !== undefined) {
    const body = { id: crypto.randomUUID(), command: bet };
    const answer = await client.POST("/api/v1/games/{game}/commands/", { ...of, body });
    if (answer.data !== undefined) accepted += 1;
  }
  ended = found(await client.GET("/api/v1/games/{game}/", of)).ended;
}

const view = found(await client.GET("/api/v1/games/{game}/view/", of));
const { commits } = found(await client.GET("/api/v1/games/{game}/commits/", of));
let bundle: unknown;
while (bundle === undefined) { // the log seals the end of a game within seconds
  await setTimeout(200);
  const answer = await client.GET("/api/v1/audit/games/{game}/bundle/", { ...of, parseAs: "text" });
  bundle = answer.data;
}
const lines = String(bundle).trim().split("\n").length;
console.log(JSON.stringify({ accepted, version: view.version, commits: commits.length, lines }));
