/** Tests of the client against the server at SERVER_URL. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Entropies } from "../src/entropy.ts";
import type * as ascot from "../src/games/ascot.ts";
import type * as carcassonne from "../src/games/carcassonne.ts";
import { Acknowledgements, Client, Closed, Contradicted, Misused, parseNote, Problem, ServerError, Unreachable } from "../src/index.ts";
import { Log } from "../src/log.ts";
import { Operations } from "../src/operations.ts";
import type { Store } from "../src/store.ts";

const url = process.env["SERVER_URL"] as string;

async function guest(): Promise<Client> {
  const client = new Client(url, null as never, { entropy: null, signs: null, logKeys: null, timeoutMs: null } as never);
  client.token = (await client.createGuest({ display_name: "Tess" })).token;
  return client;
}

test("a command counts once under its id", async () => {
  const client = await guest();
  const lobby = await client.createLobby({ slug: "carcassonne" });
  await client.addBot(lobby.id);
  const game = (await client.startGame(lobby.id)).id;
  const table = client.table<carcassonne.Game>(game, { after: null, signal: null, acknowledgements: null } as never);
  assert.ok((await table.look({ withinMs: Infinity, signal: null } as never)).version >= 0);
  const first = await table.next();
  assert.ok(first.value?.type === "view" && first.value.seat === 0 && first.value.ended === "");
  let legal = (await table.legalCommands()).commands;
  while (!legal.length) {
    await table.next(); // the bot begins
    legal = (await table.legalCommands()).commands;
  }
  const id = crypto.randomUUID();
  const accepted = await table.play(legal[0]!, { id });
  assert.deepEqual(await table.play(legal[0]!, { id }), accepted);
  await assert.rejects(table.play(legal.at(-1)!, { id }), {
    name: "Problem",
    code: "command_id_reused",
  });
  assert.ok((await table.look()).version >= accepted.version);
  table.close();
  await assert.rejects(table.play(legal[0]!), { name: "Misused" });
});

test("problems have a code and a status", async () => {
  await assert.rejects(new Client(url).listAccounts(), {
    name: "Problem",
    code: "unauthenticated",
    status: 401,
  });
  const client = await guest();
  await assert.rejects(client.createLobby({ slug: "chess" }), (problem) => {
    assert.ok(
      problem instanceof Problem && problem.code === "unknown_game" && problem.status === 404,
    );
    assert.ok((problem.data["known"] as string[]).includes("ready_set_bet"));
    return true;
  });
});

test("a store without room is reported", async () => {
  const full = { getItem: () => null, setItem: () => assert.fail("the quota is exceeded") };
  const client = new Client(url, "", { entropy: full });
  client.token = (await guest()).token;
  await assert.rejects(client.createLobby({ slug: "carcassonne" }), { name: "ServerError", code: "nothing_kept" });
  client.close();
});

test("a rejected client gets the close code and the error code", async () => {
  const nowhere = (await guest()).table<ascot.Game>(crypto.randomUUID());
  await assert.rejects(nowhere.next(), { closeCode: 4404, code: "not_found" });
  await assert.rejects(nowhere.play({ type: "ready" }), Closed);
  const stranger = new Client(url, "nobody's").table<ascot.Game>(crypto.randomUUID());
  await assert.rejects(stranger.next(), { closeCode: 4401, code: "unauthenticated" });
});

test("misuse is reported", async () => {
  for (const address of ["railbird.example", "http://", "http://a:b", "http://a:99999", "http://[::1", "http://xn--"]) {
    assert.throws(() => new Client(address), { name: "Misused", message: /no address/ });
  }
  const client = new Client(url, "nobody\n");
  await assert.rejects(client.me(), { name: "Misused", message: /token/ });
  client.token = "";
  await assert.rejects(client.getLobby(".."), { name: "Misused" });
  client.close();
  await assert.rejects(client.me(), { name: "Misused", message: /closed/ });
  assert.throws(() => client.room("x"), { name: "Misused", message: /closed/ });
});

test("null is no argument that breaks a function", async () => {
  const problem = JSON.stringify({ type: "about:blank", title: "", status: 404, code: "not_found" });
  let requests = 0;
  const server = createServer((_, answer) => ++requests && answer.writeHead(404, { "Content-Type": "application/problem+json" }).end(problem));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const none = null as never;
  const misused = { name: "Misused", message: /an object is expected, not null|`keep`|is no id/ };
  for (const [entropy, given] of [[true, null], [false, "x"]] as const) {
    const client = new Client(address, "", { entropy });
    const calls = client as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
    const own = ["constructor", "call", "with", "close", "goOn", "receipt", "receipts", "seatKey", "useSeatKey"];
    const names = [Operations.prototype, Client.prototype].flatMap((of) => Object.getOwnPropertyNames(of));
    for (const name of new Set(names.filter((each) => !own.includes(each)))) {
      const values = Array.from({ length: calls[name]!.length }, () => given);
      const asked = requests;
      const hasPlace = given === null && /part\(/.test(String(Operations.prototype[name as keyof Operations]));
      const expected = hasPlace ? Misused : ServerError;
      await assert.rejects(async () => calls[name]!(...values, null), expected, name);
      if (hasPlace) assert.equal(requests, asked, name);
    }
    client.close();
  }
  const client = new Client(address);
  const [table, room] = [client.table("x"), client.room("x")];
  const last = [
    () => new Client(address, "", none),
    () => client.table("x", none),
    () => client.room("x", none),
    () => client.lobbies(none),
    () => client.inbox(none),
    () => client.listGames(none),
    () => client.joinLobby("x", none),
    () => client.setReady("x", none),
    () => client.compare(none),
    () => client.seatKey(none),
    () => client.useSeatKey("x", none),
    () => table.play({}, none),
    () => table.look(none),
    () => table.legalCommands(1, none),
    () => table.sendMessage("x", none),
    () => room.sendMessage("x", none),
    () => new Acknowledgements("x", none),
    () => new Acknowledgements("x", () => undefined, none),
  ];
  for (const call of last) await assert.rejects(async () => call(), misused, String(call));
  assert.throws(() => parseNote(none), Contradicted);
  for (const each of [table, room, client]) each.close();
  server.close();
});

/** The outcome of a call that a signal ends after so many turns of the event loop. */
async function ended(call: (signal: AbortSignal) => Promise<unknown>, turns: number): Promise<string> {
  const ending = new AbortController();
  if (!turns) ending.abort();
  const done = call(ending.signal).then(() => "done", (error) => (error instanceof ServerError ? error.code : String(error)));
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  ending.abort();
  return done;
}

test("a signal ends whatever waits, at any moment", async () => {
  const client = await guest();
  const lobby = await client.createLobby({ slug: "carcassonne" });
  await client.addBot(lobby.id);
  const game = (await client.startGame(lobby.id)).id;
  const table = client.table<carcassonne.Game>(game);
  const all = async (news: AsyncIterable<unknown>) => {
    for await (const _ of news);
  };
  const endless = [
    (signal: AbortSignal) => all(client.table(game, { signal })),
    (signal: AbortSignal) => all(client.room(lobby.id, { signal })),
    (signal: AbortSignal) => all(client.lobbies({ signal })),
  ];
  const short = [
    (signal: AbortSignal) => client.with(signal).getGame(game),
    (signal: AbortSignal) => table.look({ signal }),
    (signal: AbortSignal) => table.legalCommands(1, { signal }),
    (signal: AbortSignal) => table.play({ type: "none" } as never, { signal }),
    (signal: AbortSignal) => table.sendMessage("", { signal }),
  ];
  for (const turns of [0, 1, 2, 4, 8, 16, 32, 64]) {
    for (const call of endless) assert.equal(await ended(call, turns), "aborted", `${call} ${turns}`);
    for (const call of short) {
      const found = await ended(call, turns);
      assert.ok(["done", "malformed", "aborted"].slice(turns ? 0 : 2).includes(found), `${call} ${turns} ${found}`);
    }
  }
  assert.equal((await table.look()).seat, 0);
  table.close();
});

test("a signal ends the pause before another try", async () => {
  const ending = new AbortController();
  const busy = JSON.stringify({ type: "about:blank", title: "", status: 503, code: "busy" });
  const headers = { "Content-Type": "application/problem+json", "Retry-After": "20" };
  const server = createServer((_, answer) => answer.writeHead(503, headers).end(busy, () => setImmediate(() => ending.abort())));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const began = performance.now();
  await assert.rejects(client.with(ending.signal).getGame("x"), { code: "aborted" });
  assert.ok(performance.now() - began < 20_000, "it did not wait");
  server.close();
});

test("a game that another program has entered is asked for once", async () => {
  let asked = 0;
  const api = { getGame: async () => ({ lobby: `of ${++asked}` }) } as unknown as Operations;
  const store = { getItem: () => null, setItem: assert.fail };
  const entropies = new Entropies(api, assert.fail, new Log(api), store, () => true);
  for (let times = 0; times < 2; times++) assert.equal(await entropies.signing("x", {}, "y"), undefined);
  assert.equal(asked, 1);
});

const OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Entropies of one page of a browser whose store has a start that revealed; the API fails. */
function pageOf(store: Store, lobby: string, more: object = {}): Entropies {
  const opening = { game: `game of ${lobby}`, hash: `opening of ${lobby}` };
  if (store.getItem(`railbird.entropy.${lobby}`) === null)
    store.setItem(`railbird.entropy.${lobby}`, JSON.stringify({ lobby, opening, seed_hash: OF_NOTHING, sealed: { hash: "x" }, receipt: null, ...more }));
  const api = { getGame: async () => ({ lobby, your_seat: null, seed: "", ended: "voided" }) } as unknown as Operations;
  return new Entropies(api, assert.fail, new Log(api), store);
}

function storeInMemory(): Store & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const getItem = (key: string): string | null => texts.get(key) ?? null;
  return { texts, getItem, setItem: (key, text) => void texts.set(key, text), removeItem: (key) => void texts.delete(key) };
}

test("pages of one browser count each start once, when it has ended", async () => {
  const store = storeInMemory();
  const inVain = (): string | undefined => store.texts.get("railbird.in_vain");
  await pageOf(store, "played").checkStart("game of played");
  for (const lobby of ["left", "left too"]) {
    const [page, other] = [pageOf(store, lobby), pageOf(store, lobby)];
    await other.receiptsOf(`game of ${lobby}`); // it knows the start as well
    await page.receiptsOf(`game of ${lobby}`);
    page.leave(lobby);
    other.leave(lobby);
    await pageOf(store, "played").checkStart("game of played"); // a page of a game that began before
  }
  assert.equal(inVain(), "2");
  assert.throws(() => pageOf(store, "played").checkInVain(), { code: "revealed_in_vain" });
  await pageOf(store, "next").checkStart("game of next");
  assert.equal(inVain(), "0");
});

test("a game that is voided counts as one in vain, and those before it again", async () => {
  const store = storeInMemory();
  const left = pageOf(store, "left");
  await left.receiptsOf("game of left");
  left.leave("left");
  await pageOf(store, "played").checkStart("game of played");
  assert.equal(store.texts.get("railbird.in_vain"), "0");
  for (const page of [pageOf(store, "played"), pageOf(store, "played")])
    await assert.rejects(page.checkEnd("game of played"), TypeError, "this API has no log");
  assert.equal(store.texts.get("railbird.in_vain"), "2");
});

test("a browser keeps the receipts of abandoned starts", async () => {
  const page = pageOf(storeInMemory(), "x", { receipt: "second", earlier: ["first"] });
  assert.deepEqual(await page.receiptsOf("game of x"), ["first", "second"]);
});

test("a server that is not there is unreachable", async () => {
  await assert.rejects(new Client("http://127.0.0.1:9").createGuest(), Unreachable);
});

test("acknowledgements are kept and compared", async () => {
  const client = await guest();
  const lobby = await client.createLobby({ slug: "carcassonne" });
  await client.addBot(lobby.id);
  const game = (await client.startGame(lobby.id)).id;
  const kept: string[] = [];
  const acknowledgements = new Acknowledgements(game, (note) => kept.push(note));
  const table = client.table<carcassonne.Game>(game, { acknowledgements });
  let legal: carcassonne.Command[];
  while (!(legal = (await table.legalCommands()).commands).length) await table.next(); // the bot begins
  const id = crypto.randomUUID();
  const accepted = await table.play(legal[0]!, { id });
  const repeated = (await table.play(legal[0]!, { id })).acknowledgement!;
  assert.equal(repeated.split("\nlog ")[0], accepted.acknowledgement!.split("\nlog ")[0]);
  assert.deepEqual(kept.filter((note) => note.includes("\ncommand ")), [accepted.acknowledgement]);
  assert.ok(kept.some((note) => note.startsWith("Railbird head 1\n")));
  const [others, read] = [[] as string[], table.log!.checkAuthor];
  table.acknowledgements = new Acknowledgements(game, (note) => others.push(note));
  table.log!.checkAuthor = () => Promise.reject(new Problem("not_found", {}));
  await assert.rejects(table.play(legal[0]!, { id }), { code: "not_found" });
  table.log!.checkAuthor = read;
  assert.ok(others.some((note) => note.includes("\ncommand ")), "the log is not needed to keep a note");
  table.close();
  const again = new Acknowledgements(game, assert.fail, kept);
  again.compare(accepted.version, accepted.hash);
  assert.throws(() => again.compare(accepted.version, "0".repeat(64)), Contradicted);
  assert.throws(() => again.take(accepted.acknowledgement, { type: "other" }, accepted), { name: "Contradicted", field: "command" });
  assert.throws(() => again.take(undefined, legal[0], accepted), Contradicted);
  assert.equal(await client.compare(kept), kept.length);
  const forged = kept.map((note) => note.replace(accepted.hash, "0".repeat(64)));
  await assert.rejects(client.compare(forged), { name: "NoEvidence" });
  const ended = process.env["ENDED_GAME"]!;
  const { version } = await client.getGame(ended);
  const nothing = new Acknowledgements(ended, assert.fail);
  assert.ok((await client.table(ended, { after: version, acknowledgements: nothing }).next()).done, "it showed nothing to sign");
  const contradicted = client.table<carcassonne.Game>(game, { after: 0, acknowledgements: new Acknowledgements(game, assert.fail, forged) });
  await assert.rejects(async () => {
    for await (const _ of contradicted);
  }, Contradicted);
});
