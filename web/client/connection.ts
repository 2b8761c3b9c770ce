/** The requests and streams of a page: a line says while one of them waits, and all go on by themselves. */
import { persist as again, sleep } from "railbird-client/patience";
import { ServerError, Unreachable } from "railbird-client";
import { h, redraw } from "./dom.ts";
import { explain, line, tell } from "./frame.ts";
import { PATH } from "./path.ts";
import { say } from "./words.ts";

const LOOK_MS = 500;
/** A request that takes longer is said to wait. */
const LONG_MS = 4000;

type State = "connecting" | "reconnecting" | "waiting";
/** The states of which a page says the first. */
const WORST: readonly State[] = ["reconnecting", "waiting", "connecting"];

interface Connected {
  readonly isConnected: boolean;
  reconnect(): void;
}

const states = new Map<object, State>();
/** Functions to call when the network may be back. */
const hurried = new Set<() => void>();
let hasFailed = false;

function hurry(): void {
  if (document.hidden) return;
  for (const begin of hurried) begin();
}
addEventListener("online", hurry);
document.addEventListener("visibilitychange", hurry);
// Pages say what they have not foreseen, instead of waiting for ever.
addEventListener("error", ({ error }) => error && fail(error));
addEventListener("unhandledrejection", ({ reason }) => fail(reason));

function setState(of: object, state: State | undefined): void {
  if (state) states.set(of, state);
  else states.delete(of);
  if (hasFailed) return;
  const waiting = [...states.values()];
  const worst = WORST.find((one) => waiting.includes(one));
  line.dataset["state"] = worst ?? "";
  redraw(line, worst, () =>
    worst ? [say(worst), worst !== "connecting" && button("connection.now", hurry)] : [],
  );
}

function button(text: Parameters<typeof say>[0], press: () => void): HTMLElement {
  return h("button", { onclick: press }, say(text));
}

/** Show the state of this stream until the returned function is called. */
export function watch(stream: Connected): () => void {
  let state: State | undefined = "connecting";
  const late = Date.now() + LONG_MS;
  const look = (): void => {
    const before = state;
    state = stream.isConnected ? undefined : (before ?? "reconnecting");
    if (state === "connecting" && Date.now() > late) state = "waiting";
    if (state === before) return;
    setState(stream, state);
    if (before === "reconnecting") tell(say("reconnected"));
  };
  const connect = (): void => stream.reconnect();
  setState(stream, state);
  const clock = setInterval(look, LOOK_MS);
  hurried.add(connect);
  return () => {
    clearInterval(clock);
    hurried.delete(connect);
    setState(stream, undefined);
  };
}

/** Return the answer of a request, and say while it takes long. */
export async function awaited<T>(work: () => Promise<T>): Promise<T> {
  const key = {};
  const late = setTimeout(() => setState(key, "waiting"), LONG_MS);
  try {
    return await work();
  } finally {
    clearTimeout(late);
    setState(key, undefined);
  }
}

/** Do this until the server answers, however long it is away, and say so meanwhile. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  const key = {};
  try {
    return await again(() => awaited(work), () => setState(key, "waiting"), pause);
  } finally {
    setState(key, undefined);
  }
}

/** Wait so long, or until the network may be back. */
function pause(ms: number): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  hurried.add(end);
  return sleep(ms, ending.signal).finally(() => hurried.delete(end));
}

/** Load a part of the pages, which the network may lose as well. */
export function loaded<T>(part: () => Promise<T>): Promise<T> {
  return persist(() =>
    part().catch((error: unknown) => {
      throw error instanceof TypeError ? new Unreachable("unreachable", String(error)) : error;
    }),
  );
}

/** Show why the page cannot go on, with a button that loads it again. */
export function fail(error: unknown, ...ways: HTMLElement[]): void {
  end(explain(error), button("connection.again", () => location.reload()), ...ways);
  if (!(error instanceof ServerError)) console.error(error);
}

/** Show that this is the end of the page. */
export function end(reason: string, ...ways: HTMLElement[]): void {
  hasFailed = true;
  document.querySelector(".loading")?.remove();
  delete line.dataset["state"];
  const start = h("a", { href: `${PATH}/` }, say("start.go"));
  line.replaceChildren(reason, ...[...ways, start].flatMap((way) => [" ", way]));
}
