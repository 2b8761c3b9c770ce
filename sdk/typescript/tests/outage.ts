/**
 * Begin a game while the network is cut, for each gap, from the call to an address on, or from each
 * call: `outage.ts URL ADDRESS|each SECONDS,SECONDS`. The time jumps over the pauses. Print the
 * number of games.
 */
import { Client, Unanswered, Unreachable, type GameTypes, type Room } from "../src/index.ts";

const [url, where, gaps] = process.argv.slice(2) as [string, string, string];
const IN_A_PAUSE_MS = 20;
const WITH_A_SOCKET_MS = 500;

interface Timer {
  at: number;
  everyMs: number | undefined;
  work: () => void;
}

const timers = new Map<number, Timer>();
const plain = { now: performance.now.bind(performance), date: Date.now, fetch, WebSocket, setTimeout, clearTimeout };
let aheadMs = 0;
let lastTimer = 0;
performance.now = () => plain.now() + aheadMs;
Date.now = () => plain.date() + aheadMs;
const added = (work: () => void, ms: number, everyMs?: number): never => {
  timers.set(++lastTimer, { at: performance.now() + ms, everyMs, work });
  return lastTimer as never;
};
const removed = (timer: unknown): void => {
  if (!timers.delete(timer as number)) plain.clearTimeout(timer as never);
};
/** Node's own fetch uses timers as well: theirs stay real. */
const isNodes = (): boolean => new Error().stack!.includes("node:internal/deps");
Object.assign(globalThis, {
  setTimeout: (work: () => void, ms = 0, ...given: []) => (isNodes() ? plain.setTimeout(work, ms, ...given) : added(work, ms)),
  setInterval: (work: () => void, ms: number) => added(work, ms, ms),
  clearTimeout: removed,
  clearInterval: removed,
});

/** The network of the client. */
const network = { calls: 0, cutAt: "", gapMs: 0, endsAt: -Infinity, pending: 0, sockets: new Set<WebSocket>(), heardAt: 0 };
const isCut = (): boolean => performance.now() < network.endsAt;
const hear = (): void => void (network.heardAt = plain.now());

function passes(address: string): boolean {
  const isHere = String(network.calls++) === network.cutAt || (network.cutAt.startsWith("/") && address.includes(network.cutAt));
  if (isHere) {
    network.cutAt = "";
    network.endsAt = performance.now() + network.gapMs;
    for (const socket of network.sockets) socket.close();
  }
  return !isCut();
}

globalThis.fetch = async (...asked) => {
  if (!passes(String(asked[0]))) throw new TypeError("the network is cut");
  network.pending++;
  try {
    return await plain.fetch(...asked);
  } finally {
    network.pending--;
    hear();
  }
};
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor(address: string) {
    if (!passes(address)) return { close() {}, set onclose(react: (end: object) => void) { queueMicrotask(() => react({ code: 1006 })); } };
    const socket = new plain.WebSocket(address);
    network.sockets.add(socket);
    socket.addEventListener("message", hear);
    socket.addEventListener("open", hear);
    socket.addEventListener("close", () => network.sockets.delete(socket));
    return socket;
  }
} as never;

/** Let the time pass: it jumps to the next timer when nothing is awaited from the network. */
function pass(): void {
  const patienceMs = network.pending ? Infinity : network.sockets.size ? WITH_A_SOCKET_MS : IN_A_PAUSE_MS;
  const next = Math.min(...[...timers.values()].map(({ at }) => at));
  if (timers.size && (isCut() || plain.now() - network.heardAt > patienceMs)) {
    aheadMs += Math.max(0, next - performance.now());
  }
  for (const [id, timer] of [...timers]) {
    if (timer.at > performance.now() || !timers.has(id)) continue;
    if (timer.everyMs === undefined) timers.delete(id);
    else timer.at += timer.everyMs;
    timer.work();
  }
  plain.setTimeout(pass, 1);
}
pass();

/** Do what a program does: repeat what did not reach the server. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Unanswered)) throw error;
      await new Promise<void>((done) => setTimeout(done, 5000));
    }
  }
}

async function story(client: Client): Promise<void> {
  client.token = (await again(() => client.createGuest({ display_name: "Tess" }))).token;
  const options = { roll_ms: 20_000, pause_ms: 50, races: 1 };
  const wanted = { slug: "ready_set_bet", options, capacity: 2, id: crypto.randomUUID() };
  const lobby = (await again(() => client.createLobby(wanted as never))).id;
  await again(async () => (await client.getLobby(lobby)).seats.length < 2 && client.addBot(lobby));
  const starting = again(async () => (await client.getLobby(lobby)).game ?? client.startGame(lobby));
  const game = await gameOf(client.room(lobby));
  await starting;
  const table = client.table<GameTypes>(game);
  await table.next();
  await again(() => table.look());
  while (!(await again(() => table.legalCommands())).commands.length) await table.next();
  table.close();
}

async function gameOf(room: Room): Promise<string> {
  for await (const news of room) if (news.type === "news" && news.lobby.game) return news.lobby.game;
  throw new Error("the lobby has closed");
}

/** Tell the story; return the number of calls. */
async function tell(cutAt: string, gapS: number): Promise<number> {
  Object.assign(network, { calls: 0, cutAt, gapMs: gapS * 1000, endsAt: -Infinity });
  const client = new Client(url);
  await story(client);
  client.close();
  return network.calls;
}

const phases = where === "each" ? [...Array(await tell("", 0)).keys()].map(String) : [where];
let told = 0;
for (const phase of phases) {
  for (const gap of gaps.split(",")) {
    await tell(phase, Number(gap));
    told++;
  }
}
console.log(told);
process.exit(0);
