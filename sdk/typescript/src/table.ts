import { AGAIN, pauseMs } from "./backoff.ts";
import type * as frames from "./frames.ts";
import { Closed, FellBehind, Problem, ServerError, Unanswered } from "./problems.ts";

const SILENT_MAX_S = 40;
const PLAYS_WAITING_MAX = 16;
const NEWS_MAX = 100_000;
const OPEN_WITHIN_S = 10;
/** Close codes after which coming back would change nothing, besides those from 4400 on; 4408 asks to come back. */
const FINAL = new Set([1003, 1008, 1009]);

/** The types of one game: each module of `gameserver-client/games` has its own. */
export interface GameTypes {
  slug: string;
  options: unknown;
  command: unknown;
  event: unknown;
  view: unknown;
}

/** What one's seat, or a spectator (no seat), sees at a version. `ended` is empty while the game goes on. */
export interface View<G extends GameTypes> {
  type: "view";
  version: number;
  seat: number | null;
  ended: frames.View["ended"];
  view: G["view"];
}

/** What happened at a version, as far as one may know. A newer server may know events that this client does not. */
export interface Commit<G extends GameTypes> {
  type: "commit";
  version: number;
  at: Date;
  hash: string;
  events: G["event"][];
}

/** One's own command, committed as this version. */
export interface Accepted<G extends GameTypes> {
  id: string;
  version: number;
  hash: string;
  events: G["event"][];
}

interface Waiting<T> {
  resolve(answer: T): void;
  reject(error: Error): void;
}

interface Play<G extends GameTypes> extends Waiting<Accepted<G>> {
  frame: string;
  isSent: boolean;
  failures: number;
}

/**
 * A place at the socket of a game: commits without gaps, and commands that count once, over any number of connections.
 *
 * It is an asynchronous iterable of what happens: without `after` a View and then each Commit that follows, with it the commits
 * after that version. It ends when the game has ended, and closes then. It throws Closed when the server does not let one back, and FellBehind
 * when the commits are not taken from it. Leaving the loop closes it.
 */
export class Table<G extends GameTypes> implements AsyncIterableIterator<View<G> | Commit<G>> {
  /** How far the news have come; none until the first view. */
  version: number | undefined;
  readonly #address: string;
  readonly #token: string;
  readonly #news: (View<G> | Commit<G>)[] = [];
  readonly #readers: (() => void)[] = [];
  readonly #plays = new Map<string, Play<G>>();
  #looks: Waiting<View<G>>[] = [];
  #socket: WebSocket | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;
  #coming: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #silentS = 0;
  #heardOf = 0;
  #endsAt = Infinity;
  #isClosed = false;
  #lastError = { code: "closed", data: {} };
  #failure: ServerError | undefined;

  constructor(address: string, token: string, after?: number) {
    this.version = after;
    this.#address = address;
    this.#token = token;
    this.#connect();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<View<G> | Commit<G>, undefined>> {
    while (!this.#news.length && !this.#isClosed && !this.#hasEnded())
      await new Promise<void>((resolve) => this.#readers.push(resolve));
    const value = this.#news.shift();
    if (value) return { value, done: false };
    if (this.#failure) throw this.#failure;
    return this.return();
  }

  async return(): Promise<IteratorResult<View<G> | Commit<G>, undefined>> {
    this.close();
    return { value: undefined, done: true };
  }

  /** Leave the table. What has not been answered then is not known. */
  close(): void {
    this.#end(undefined);
  }

  /**
   * Give a command. It counts once, through however many connections its answer has to come.
   *
   * Throws Problem when it was refused, Unanswered when its fate is not known in time: played again with the same `id`, it is
   * answered as the first time.
   */
  async play(command: G["command"], { id = crypto.randomUUID() as string, withinMs = 30_000 } = {}): Promise<Accepted<G>> {
    if (this.#plays.has(id)) throw new Error("one command at a time under one id");
    const frame = JSON.stringify({ type: "play", id, command });
    const answer = new Promise<Accepted<G>>((resolve, reject) => {
      if (this.#isClosed) return reject(this.#failure ?? new ServerError("the table is closed"));
      this.#plays.set(id, { frame, isSent: false, failures: 0, resolve, reject });
      this.#sendPlays();
    });
    const late = setTimeout(() => this.#plays.get(id)?.reject(new Unanswered(id)), withinMs);
    try {
      return await answer;
    } finally {
      clearTimeout(late);
      this.#plays.delete(id);
      this.#sendPlays();
    }
  }

  /** The view at the head. */
  look(): Promise<View<G>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(this.#failure ?? new ServerError("the table is closed"));
      this.#looks.push({ resolve, reject });
      this.#say({ type: "look" });
    });
  }

  // The connection

  #connect(): void {
    const socket = new WebSocket(this.version === undefined ? this.#address : `${this.#address}?after=${this.version}`);
    this.#socket = socket;
    this.#silentS = SILENT_MAX_S - OPEN_WITHIN_S;
    this.#clock = setInterval(() => this.#tick(), 1000);
    socket.onopen = () => this.#resume();
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#take(JSON.parse(String(message.data)));
    };
    socket.onclose = (closed) => {
      if (socket === this.#socket) this.#lost(closed.code);
    };
  }

  /** Say who we are, and ask again for all that has not been answered. */
  #resume(): void {
    this.#silentS = 0;
    this.#heardOf = 0;
    this.#say({ type: "authenticate", token: this.#token });
    for (const play of this.#plays.values()) play.isSent = false;
    this.#sendPlays();
    for (const _ of this.#looks) this.#say({ type: "look" });
  }

  #say(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #sendPlays(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    let waiting = 0;
    for (const play of this.#plays.values()) {
      if (++waiting > PLAYS_WAITING_MAX) return;
      if (!play.isSent) this.#socket.send(play.frame);
      play.isSent = true;
    }
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
    } else if (!this.#isClosed) {
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
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#failure = failure;
    this.#drop();
    for (const [id, play] of this.#plays) play.reject(failure ?? new Unanswered(id));
    for (const look of this.#looks) look.reject(failure ?? new ServerError("the table is closed"));
    this.#wake();
  }

  #wake(): void {
    for (const read of this.#readers.splice(0)) read();
  }

  // What it brings

  #take(frame: frames.FromGame): void {
    this.#failures = 0;
    this.#silentS = 0;
    switch (frame.type) {
      case "view":
        this.#takeView(frame);
        break;
      case "commits":
        for (const commit of frame.commits) if (!this.#takeCommit(commit)) return;
        break;
      case "accepted":
        this.#plays.get(frame.id)?.resolve(frame as Accepted<G>);
        break;
      case "refused":
        this.#takeRefusal(frame);
        break;
      case "heartbeat":
        // A whole heartbeat ago the game stood further than what has come since.
        if (this.version !== undefined && this.version < this.#heardOf) return this.#lost(1006);
        this.#heardOf = frame.version;
        if (frame.ended) this.#endsAt = frame.version;
        break;
      case "error":
        this.#lastError = frame;
    }
    if (this.#hasEnded()) this.#wake();
  }

  /** Whether the game has ended, and all of it has come. */
  #hasEnded(): boolean {
    return this.version !== undefined && this.version >= this.#endsAt;
  }

  #takeView({ type, version, seat, ended, view }: frames.View): void {
    const seen: View<G> = { type, version, seat, ended, view };
    if (ended) this.#endsAt = version;
    if (this.version === undefined) {
      this.version = version;
      this.#news.push(seen);
      this.#wake();
    } else {
      this.#looks.shift()?.resolve(seen);
    }
  }

  /** Whether the stream goes on after this commit. */
  #takeCommit({ version, at, hash, events }: frames.CommitSeen): boolean {
    if (this.version === undefined || version > this.version + 1) {
      this.#lost(1006);
      return false;
    }
    if (version <= this.version) return true;
    if (this.#news.length >= NEWS_MAX) {
      this.#end(new FellBehind(`${NEWS_MAX} commits wait to be read`));
      return false;
    }
    this.version = version;
    this.#news.push({ type: "commit", version, at: new Date(at), hash, events });
    this.#wake();
    return true;
  }

  #takeRefusal({ id, code, data, version }: frames.Refused): void {
    const play = this.#plays.get(id);
    if (!play) return;
    if (!AGAIN.has(code)) return play.reject(new Problem(code, data, { version }));
    setTimeout(() => {
      play.isSent = false;
      this.#sendPlays();
    }, pauseMs(play.failures++));
  }
}
