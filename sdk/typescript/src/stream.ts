import { pauseMs } from "./backoff.ts";
import type * as frames from "./frames.ts";
import { Closed, FellBehind, ServerError } from "./problems.ts";

const SILENT_MAX_MS = 40_000;
const NEWS_MAX = 100_000;
const OPEN_WITHIN_MS = 10_000;
/** Close codes that forbid reconnecting, in addition to 4400 to 4499 without 4408. */
const FINAL = new Set([1003, 1008, 1009]);

/** Thrown while a frame is handled: this connection is unusable; the next one resumes. */
export class Lost extends Error {}

/** The query of the first connection. */
export interface Asked {
  after?: number | undefined;
  slug?: string | undefined;
}

/** All frames but errors. */
export type Told<Frame> = Exclude<Frame, frames.Error>;

/**
 * A socket that reconnects and resumes: an asynchronous iterable that receives frames and yields
 * news.
 *
 * Throws Closed when the server forbids reconnecting, FellBehind when too many news are unread.
 * Leaving the loop closes the socket.
 */
export abstract class Stream<
  Frame extends { type: string },
  News,
> implements AsyncIterableIterator<News> {
  protected news: News[] = [];
  /** The version or cursor of the latest news, from which the next connection resumes. */
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
  #silentAt = 0;
  #lastError = { code: "closed", data: {} };

  constructor(address: string, token: string, { after, slug }: Asked) {
    this.#address = address;
    this.#token = token;
    this.#slug = slug;
    this.after = after;
    this.#connect();
  }

  // Hooks for subclasses

  /** Handle a frame other than an error. Throws Lost when this connection misses frames. */
  protected abstract take(frame: Told<Frame>): void;

  /** Whether all news have arrived. */
  protected isOver(): boolean {
    return false;
  }

  /** Called when a connection is open. */
  protected resume(): void {}

  /** Called when no further connection will open. */
  protected end(_: ServerError | undefined): void {}

  // For users of the stream

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

  /** Close the socket. The outcome of unanswered commands stays unknown. */
  close(): void {
    this.#end(undefined);
  }

  protected tell(news: News): void {
    if (this.news.length >= NEWS_MAX) throw new FellBehind(`${NEWS_MAX} unread news`);
    this.news.push(news);
    this.wake();
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

  /** Send a frame if connected. Unanswered frames are repeated on the next connection. */
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
    this.#silentAt = Date.now() + OPEN_WITHIN_MS;
    this.#clock = setInterval(() => this.#tick(), 1000);
    socket.onopen = () => {
      this.#silentAt = Date.now() + SILENT_MAX_MS;
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
    this.#silentAt = Date.now() + SILENT_MAX_MS;
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

  /** Called once a second: drop a connection that does not even send heartbeats. After a sleep of
   * the machine this happens at once, because the time went on. */
  #tick(): void {
    if (Date.now() > this.#silentAt) this.#lost(1006);
  }

  /** Drop this connection; the next one resumes. */
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

  /** Wake everybody who waits for news. */
  protected wake(): void {
    for (const read of this.#readers.splice(0)) read();
  }
}
