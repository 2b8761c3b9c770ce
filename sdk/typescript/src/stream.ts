import { pauseMs } from "./backoff.ts";
import type * as frames from "./frames.ts";
import { Closed, FellBehind, ServerError } from "./problems.ts";

const SILENT_MAX_S = 40;
const NEWS_MAX = 100_000;
const OPEN_WITHIN_S = 10;
/** Close codes after which coming back would change nothing, besides those from 4400 on; 4408 asks to come back. */
const FINAL = new Set([1003, 1008, 1009]);

/** Thrown while a frame is taken: this connection is of no use any more; the next one resumes. */
export class Lost extends Error {}

/** What the first connection asks for. */
export interface Asked {
  after?: number | undefined;
  slug?: string | undefined;
}

/** Frames without errors, which are told as such. */
export type Told<Frame> = Exclude<Frame, frames.Error>;

/**
 * A socket that comes back: what is told goes on where it was, over any number of connections. Frames come in, news come out.
 *
 * It is an asynchronous iterable, and throws Closed when the server does not let one back, FellBehind when what is told is not
 * taken from it. Leaving the loop closes it.
 */
export abstract class Stream<Frame extends { type: string }, News> implements AsyncIterableIterator<News> {
  protected news: News[] = [];
  /** How far the news have come; none until the first. The next connection goes on from there. */
  protected after: number | undefined;
  protected failure: ServerError | undefined;
  protected isClosed = false;
  readonly #address: string;
  readonly #token: string;
  readonly #slug: string | undefined;
  readonly #readers: (() => void)[] = [];
  #socket: WebSocket | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;
  #coming: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #silentS = 0;
  #lastError = { code: "closed", data: {} };

  constructor(address: string, token: string, { after, slug }: Asked) {
    this.#address = address;
    this.#token = token;
    this.#slug = slug;
    this.after = after;
    this.#connect();
  }

  // What each kind is about

  /** A frame came that is no error. Throws Lost when this connection cannot bring what is missing. */
  protected abstract take(frame: Told<Frame>): void;

  /** Whether nothing more is going to be told. */
  protected isOver(): boolean {
    return false;
  }

  /** A connection stands. */
  protected resume(): void {}

  /** No connection will stand any more. */
  protected end(_: ServerError | undefined): void {}

  // What it is for whoever follows it

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<News, undefined>> {
    while (!this.news.length && !this.isClosed && !this.isOver())
      await new Promise<void>((resolve) => this.#readers.push(resolve));
    const value = this.news.shift();
    if (value) return { value, done: false };
    if (this.failure) throw this.failure;
    return this.return();
  }

  async return(): Promise<IteratorResult<News, undefined>> {
    this.close();
    return { value: undefined, done: true };
  }

  /** Leave. What has not been answered then is not known. */
  close(): void {
    this.#end(undefined);
  }

  protected tell(news: News): void {
    if (this.news.length >= NEWS_MAX) throw new FellBehind(`${NEWS_MAX} pieces of news wait to be read`);
    this.news.push(news);
    this.wake();
  }

  protected get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Send a frame, if there is a connection. The next one sends again what has not been answered. */
  protected say(frame: string): void {
    if (this.isConnected) this.#socket!.send(frame);
  }

  // The connection

  #connect(): void {
    const asked = new URLSearchParams();
    if (this.#slug !== undefined) asked.set("slug", this.#slug);
    if (this.after !== undefined) asked.set("after", String(this.after));
    const socket = new WebSocket(asked.size ? `${this.#address}?${asked}` : this.#address);
    this.#socket = socket;
    this.#silentS = SILENT_MAX_S - OPEN_WITHIN_S;
    this.#clock = setInterval(() => this.#tick(), 1000);
    socket.onopen = () => {
      this.#silentS = 0;
      this.say(JSON.stringify({ type: "authenticate", token: this.#token }));
      this.resume();
    };
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(message.data)));
    };
    socket.onclose = (closed) => {
      if (socket === this.#socket) this.#lost(closed.code);
    };
  }

  #hear(frame: Frame): void {
    this.#failures = 0;
    this.#silentS = 0;
    if (frame.type === "error") {
      this.#lastError = frame as unknown as frames.Error;
      return;
    }
    try {
      this.take(frame as Told<Frame>);
    } catch (error) {
      if (error instanceof Lost) return this.#lost(1006);
      if (error instanceof ServerError) return this.#end(error);
      throw error;
    }
    if (this.isOver()) this.wake();
  }

  /** Once a second: a connection that does not even bring heartbeats is given up. */
  #tick(): void {
    this.#silentS += 1;
    if (this.#silentS > SILENT_MAX_S) this.#lost(1006);
  }

  /** This connection is of no use any more; the next one resumes. */
  #lost(code: number): void {
    this.#drop();
    if (FINAL.has(code) || (code >= 4400 && code < 4500 && code !== 4408)) {
      this.#end(new Closed(code, this.#lastError.code, this.#lastError.data));
    } else if (!this.isClosed) {
      this.#coming = setTimeout(() => this.#connect(), pauseMs(this.#failures++));
    }
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    clearInterval(this.#clock);
    clearTimeout(this.#coming);
    socket?.close();
  }

  #end(failure: ServerError | undefined): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.failure = failure;
    this.#drop();
    this.end(failure);
    this.wake();
  }

  /** Have who waits for news look again. */
  protected wake(): void {
    for (const read of this.#readers.splice(0)) read();
  }
}
