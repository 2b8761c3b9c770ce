import { moment, ServerClock } from "./clock.ts";
import type * as frames from "./frames.ts";
import { newId } from "./ids.ts";
import { LONGEST_MS, PATIENCE, Patience } from "./patience.ts";
import { Aborted, Closed, FellBehind, given, Misused, Problem, ServerError, Unanswered, Unreachable } from "./problems.ts";
import { readFrame, Unreadable, written, type Shape } from "./shapes.ts";

const SILENT_MAX_MS = 40_000;
/** The most news that wait for a reader, and lobbies of a list. */
export const MOST = { news: 100_000, lobbies: 100_000 };
const NEWS_SIZE_MAX = 1 << 27;
const FRAME_SIZE_MAX = 1 << 24;
const OPEN_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 30_000;
/** After so many connections in a row that could not be read and brought nothing, the stream ends. */
const UNREADABLE_MAX = 4;
/** Close codes that forbid reconnecting, in addition to 4400 to 4499 without PASSING. */
const FINAL = new Set([1003, 1008, 1009]);
/** Close codes for a client that is too slow, and for too many connections or frames. */
const PASSING = new Set([4408, 4423, 4429]);
/** Node's own connections, which its WebSocket uses unless it is given others. */
const CONNECTIONS = Symbol.for("undici.globalDispatcher.1");
const UPGRADES = ["onUpgrade", "onRequestUpgrade"];
const isExtension = (name: unknown): boolean => /^sec-websocket-extensions$/i.test(String(name));
type Handler = Record<string, (...given: any[]) => unknown>;
/**
 * Node's connections without compression: it is not offered, and a server that compresses nevertheless is
 * refused. A damaged frame would end the program where nobody can catch it, up to Node 24.19.
 */
const UNCOMPRESSED = {
  dispatch(asked: { headers: Record<string, unknown> }, handler: Handler): unknown {
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !isExtension(name)));
    const own = { ...handler };
    for (const name of UPGRADES.filter((each) => each in handler)) {
      own[name] = (...given) => {
        const [answered, socket] = given.slice(-2);
        const names: unknown[] = Array.isArray(answered) ? answered : Object.keys(answered);
        if (names.some(isExtension)) socket.destroy();
        return handler[name]!.apply(own, given);
      };
    }
    return (globalThis as any)[CONNECTIONS].dispatch({ ...asked, headers }, own);
  },
};
/** In Node: a name that no server answers, too. Without any, it throws where nobody can catch it when a server
 * chooses one. */
const OFFER = (/^Node\.js/.test(globalThis.navigator?.userAgent ?? "Node.js")
  ? { headers: { "Sec-WebSocket-Protocol": "railbird" }, dispatcher: UNCOMPRESSED }
  : undefined) as string[] | undefined;

/** Thrown while a frame is handled: this connection is unusable; the next one resumes. */
export class Lost extends Error {}

/** Where a stream resumes, and when the program ends it. */
export interface StreamOptions {
  after?: number | undefined;
  slug?: string | undefined;
  /** Whether the server signs what it shows. */
  heads?: boolean;
  signal?: AbortSignal | undefined;
}

/** How long to wait for an answer, and when the program ends that. */
export interface RequestOptions {
  withinMs?: number;
  signal?: AbortSignal | undefined;
}

/** All frames but errors. */
export type Told<Frame> = Exclude<Frame, frames.Error>;

/** A request that awaits its answer; `copies` counts how often it was sent. */
interface Asked {
  text: string;
  copies: number;
  resolve(answer: { id: string }): void;
  reject(error: ServerError): void;
}

/**
 * A socket that reconnects and resumes: an asynchronous iterable that receives frames and yields
 * news.
 *
 * Throws Closed when the server forbids reconnecting, FellBehind when too many news are unread, and
 * Unreachable when it can read nothing that arrives. Leaving the loop closes the socket.
 */
export abstract class Stream<Frame extends { type: string }, News> implements AsyncIterableIterator<News> {
  /** Why the stream is not connected, as a code; empty while it is. */
  trouble = "";
  protected news: { size: number; news: News }[] = [];
  /** The version or cursor of the latest news, from which the next connection resumes. */
  protected after: number | undefined;
  protected failure: ServerError | undefined;
  protected isClosed = false;
  readonly #clock = new ServerClock();
  readonly #address: string;
  readonly #token: string;
  readonly #slug: string | undefined;
  readonly #heads: boolean | undefined;
  readonly #types: Record<string, Shape>;
  readonly #signal: AbortSignal | undefined;
  readonly #patience = new Patience();
  readonly #asked = new Map<string, Asked>();
  #waiting: (() => void)[] = [];
  #busy = 0;
  #isTimed = false;
  #newsSize = 0;
  #frameSize = 0;
  #unreadable = 0;
  #socket: WebSocket | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #coming: ReturnType<typeof setTimeout> | undefined;
  #began = 0;
  #openWithinMs = OPEN_WITHIN_MS;
  #hasOpened = false;
  #known: number | undefined;
  #heard = { at: 0, by: 0 };
  #lastError: frames.Error | undefined;

  constructor(address: string, token: string, types: Record<string, Shape>, { after, slug, heads, signal }: StreamOptions) {
    this.#address = address;
    this.#token = token;
    this.#slug = slug ?? undefined;
    this.#heads = heads;
    this.#types = types;
    this.#signal = signal;
    this.after = after ?? undefined;
    signal?.addEventListener("abort", this.#abort);
    if (signal?.aborted) this.#abort();
    else this.#connect();
  }

  // Hooks for subclasses

  /** Handle a frame that is neither an error nor an answer. Throws Lost when this connection misses
   * frames, and Unreadable. */
  protected abstract take(frame: Told<Frame>): void;

  /** Whether all news have arrived. */
  protected isOver(): boolean {
    return false;
  }

  /** Forget everything if this close code asks for that, and return whether it did. */
  protected startsAgain(_code: number): boolean {
    return false;
  }

  /** Called when a connection is open. */
  protected resume(): void {}

  // For users of the stream

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<News, undefined>> {
    while (!this.news.length && !this.isClosed && !(this.isOver() && !this.#busy)) await this.#change();
    const first = this.news.shift();
    if (first) {
      this.#newsSize -= first.size;
      return { value: first.news, done: false };
    }
    if (this.failure) throw this.failure;
    return this.return();
  }

  async return(): Promise<IteratorResult<News, undefined>> {
    this.close();
    return { value: undefined, done: true };
  }

  /** Close the socket. The outcome of unanswered commands stays unknown. */
  close(): void {
    this.#end(undefined);
  }

  /** Whether the stream is connected. It reconnects by itself. */
  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect at once if the stream pauses before it reconnects: the network is back, for instance. */
  reconnect(): void {
    if (this.isClosed || this.#socket) return;
    clearTimeout(this.#coming);
    this.#connect();
  }

  protected tell(news: News): void {
    this.#newsSize += this.#frameSize;
    if (this.news.length >= MOST.news || this.#newsSize > NEWS_SIZE_MAX) throw new FellBehind(`${this.news.length} unread news`);
    this.news.push({ size: this.#frameSize, news });
    this.#wake();
  }

  /** Drop the news that wait: later ones replace them. */
  protected dropNews(): void {
    this.news = [];
    this.#newsSize = 0;
  }

  // Requests and their answers

  /**
   * Do something that ends in time, and keeps the stream open until then. The work learns whether
   * the time is over. Throws Unanswered.
   */
  protected async within<T>(
    id: string,
    options: RequestOptions,
    work: (isOver: () => boolean) => Promise<T>,
  ): Promise<T> {
    const { withinMs, signal } = given(options);
    let isOver = false;
    let late: ReturnType<typeof setTimeout> | undefined;
    let abort: (() => void) | undefined;
    const limit = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Unanswered(id, this.trouble)), Math.min(withinMs ?? ANSWER_WITHIN_MS, LONGEST_MS));
      abort = () => reject(new Aborted());
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
    });
    this.#busy++;
    try {
      return await Promise.race([limit, work(() => isOver)]);
    } finally {
      isOver = true;
      clearTimeout(late);
      signal?.removeEventListener("abort", abort!);
      this.#asked.delete(id);
      this.#busy--;
      this.#wake();
    }
  }

  /** Return the answer to a request of this type. Throws Problem, Unanswered, Unreachable. */
  protected request<Answer extends { type: string }>(
    asked: { type: string; id?: string },
    expected: Answer["type"],
    options: RequestOptions,
  ): Promise<Answer> {
    const id = asked.id ?? newId();
    return this.within(id, options, async () => {
      const answer = (await this.ask({ ...asked, id })).answer as unknown;
      if ((answer as Answer).type === "refused") throw refusal(answer as frames.Refused);
      return expect(answer as Answer, expected);
    });
  }

  /** Return the answer to a frame, and how many copies of it were sent. */
  protected async ask(frame: { id: string }): Promise<{ answer: { id: string }; copies: number }> {
    this.#check();
    if (this.#asked.has(frame.id)) throw new Misused(`a request with the id ${frame.id} awaits its answer`);
    const text = written(frame);
    const answered = new Promise<{ id: string }>((resolve, reject) =>
      this.#asked.set(frame.id, { text, copies: 0, resolve, reject }),
    );
    const asked = this.#asked.get(frame.id)!;
    this.#send(asked);
    try {
      return { answer: await answered, copies: asked.copies };
    } finally {
      this.#asked.delete(frame.id);
    }
  }

  /** Send a request if connected. The next connection repeats what is unanswered. */
  #send(asked: Asked): void {
    if (!this.isConnected) return;
    asked.copies++;
    this.#socket!.send(asked.text);
  }

  #check(): void {
    if (this.isClosed) throw this.failure ?? new Misused("this stream is closed: make another one");
  }

  /** The server's time, once the server has said it. */
  protected async now(): Promise<number> {
    while (!this.#isTimed && !this.isClosed) await this.#change();
    this.#check();
    return this.#clock.now();
  }

  /** Note what time the server says it is. */
  protected setTime(now: Date): void {
    this.#clock.set(now);
    this.#isTimed = true;
  }

  // The connection

  #connect(): void {
    const asked = new URLSearchParams();
    if (this.#slug !== undefined) asked.set("slug", this.#slug);
    if (this.after !== undefined) asked.set("after", String(this.after));
    if (this.#heads) asked.set("heads", "true");
    const query = asked.toString();
    let socket: WebSocket;
    try {
      socket = new WebSocket(query ? `${this.#address}?${query}` : this.#address, OFFER);
    } catch (error) {
      return this.#end(new Misused(String(error)));
    }
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#lastError = undefined;
    this.#known = this.after;
    this.#hasOpened = false;
    this.#hears(this.#openWithinMs);
    this.#ticking = setInterval(() => this.#tick(), 1000);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#hasOpened = true;
      this.#began = performance.now();
      this.#openWithinMs = OPEN_WITHIN_MS;
      this.#hears(SILENT_MAX_MS);
      this.trouble = "";
      socket.send(JSON.stringify({ type: "authenticate", token: this.#token }));
      this.resume();
      for (const asked of this.#asked.values()) this.#send(asked);
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#hear(data);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#closed(code);
    };
  }

  /** Handle a frame. Nobody could catch what it throws, so it throws nothing. */
  #hear(data: unknown): void {
    this.#hears(SILENT_MAX_MS);
    try {
      this.#handle(data);
    } catch (error) {
      if (error instanceof Lost) this.#lost("unreachable");
      else if (error instanceof Unreadable) this.#lost("unreadable");
      else if (error instanceof ServerError) this.#end(error);
      else this.#end(new ServerError("failed", String(error), { cause: error }));
    }
    if (this.isOver()) this.#wake();
  }

  #handle(data: unknown): void {
    this.#frameSize = typeof data === "string" ? data.length : 0;
    if (this.#frameSize > FRAME_SIZE_MAX) throw new Unreadable("a frame is too large");
    const frame = readFrame<Told<Frame> & { id?: string | null; now?: string }>(data, this.#types);
    if (!frame) return;
    if (frame.now !== undefined) {
      this.setTime(moment(frame.now));
      this.#wake();
    }
    if (frame.type === "error") this.#lastError = frame as unknown as frames.Error;
    else if (frame.id) this.#asked.get(frame.id)?.resolve(frame as { id: string });
    else this.take(frame);
  }

  #hears(withinMs: number): void {
    this.#heard = { at: Date.now() + withinMs, by: performance.now() + withinMs };
  }

  /** Called once a second: drop a connection that does not even send heartbeats. After a sleep of
   * the machine this happens at once, because the time went on. */
  #tick(): void {
    if (Date.now() <= this.#heard.at && performance.now() <= this.#heard.by) return;
    // A slow server gets more time, or every retry would add to what slows it.
    if (!this.#hasOpened) this.#openWithinMs = Math.min(2 * this.#openWithinMs, SILENT_MAX_MS);
    this.#lost("timed_out");
  }

  #closed(code: number): void {
    const { code: problem, data } = this.#lastError ?? { code: "closed", data: {} };
    const isFinal = FINAL.has(code) || (code >= 4400 && code < 4500 && !PASSING.has(code));
    if (isFinal && !this.startsAgain(code)) this.#end(new Closed(code, problem, data));
    else this.#lost(this.#lastError ? problem : "unreachable");
  }

  /** Drop this connection; the next one resumes. */
  #lost(trouble: string): void {
    this.#drop();
    this.trouble = trouble;
    const wasNew = this.after !== this.#known;
    this.#unreadable = wasNew ? 0 : this.#unreadable + Number(trouble === "unreadable");
    if (this.#unreadable === UNREADABLE_MAX)
      return this.#end(new Unreachable(trouble, "the server sends what this client cannot read"));
    const hasLasted = this.#hasOpened && performance.now() - this.#began >= PATIENCE.goodAfterMs;
    const waitMs = this.#patience.pauseMs(wasNew || hasLasted);
    if (!this.isClosed) this.#coming = setTimeout(() => this.#connect(), waitMs);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    clearInterval(this.#ticking);
    clearTimeout(this.#coming);
    socket?.close();
  }

  #abort = (): void => this.#end(new Aborted());

  #end(failure: ServerError | undefined): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.failure = failure;
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#drop();
    for (const [id, asked] of this.#asked) asked.reject(failure ?? new Unanswered(id, "closed"));
    this.#wake();
  }

  /** Wait until something has happened. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** A stream on which the user may also send chat messages. */
export abstract class Conversation<Frame extends { type: string }, News> extends Stream<Frame, News> {
  /**
   * Send a chat message to all who can see the lobby, and return the lobby's version. It is sent
   * once, however often it is repeated with the same `id`. Throws Problem, Unanswered.
   */
  async sendMessage(text: string, options: RequestOptions & { id?: string } = {}): Promise<number> {
    const id = given(options).id ?? newId();
    const message = { type: "send_message", id, text };
    return (await this.request<frames.MessageAccepted>(message, "message_accepted", options)).version;
  }
}

export function refusal({ code, data, version }: frames.Refused): Problem {
  return new Problem(code, data, { version });
}

/** Return an answer of this type. Throws Unreachable for any other. */
export function expect<Answer extends { type: string }>(answer: Answer, type: Answer["type"]): Answer {
  if (answer.type !== type) throw new Unreachable("unreadable", `an answer of the wrong type: ${answer.type}`);
  return answer;
}
