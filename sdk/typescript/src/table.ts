import type { Acknowledgements } from "./acknowledgements.ts";
import { AGAIN, pauseMs } from "./backoff.ts";
import { IN_TIME_MS, ServerClock } from "./clock.ts";
import type * as frames from "./frames.ts";
import { newId } from "./ids.ts";
import { Problem, ServerError, Unanswered } from "./problems.ts";
import { Lost, Stream, type Told } from "./stream.ts";

const PLAYS_WAITING_MAX = 16;
const LOOK = JSON.stringify({ type: "look" });

/** The types of one game, in each module of `railbird-client/games`. */
export interface GameTypes {
  slug: string;
  options: unknown;
  command: unknown;
  event: unknown;
  view: unknown;
}

function moment(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** The view of a seat, or of a spectator (no seat), at a version. `ended` is "" during the game. */
export interface View<G extends GameTypes> {
  type: "view";
  version: number;
  seat: number | null;
  ended: frames.View["ended"];
  view: G["view"];
  /** When the clock acts next, if it awaits anything. */
  nextAt: Date | null;
  /** The server's time. */
  now: Date;
}

/** The events of a version that this user may see. A newer server may send unknown events. */
export interface Commit<G extends GameTypes> {
  type: "commit";
  version: number;
  at: Date;
  /** When the clock acts next, if it awaits anything. */
  nextAt: Date | null;
  hash: string;
  events: G["event"][];
}

/** Commands that a seat may send at a version; `isComplete` if there are no others. */
export interface Legal<G extends GameTypes> {
  version: number;
  commands: G["command"][];
  isComplete: boolean;
}

/** The user's own command, committed as this version. */
export interface Accepted<G extends GameTypes> {
  id: string;
  version: number;
  hash: string;
  events: G["event"][];
  /** The signed note that says so, if the table has `acknowledgements`. */
  acknowledgement?: string | null;
}

interface Waiting<T> {
  resolve(answer: T): void;
  reject(error: Error): void;
}

interface Play<G extends GameTypes> extends Waiting<Accepted<G>> {
  command: G["command"];
  /** The time until which it may be carried out, by the server's clock. */
  notAfterMs: number;
  /** The number of copies sent since that was set. */
  copies: number;
  isSent: boolean;
  failures: number;
  /** The rejection that a delayed copy may still change. */
  refusal?: Problem;
}

/**
 * The socket of a game: commits without gaps, and commands that count once.
 *
 * Without `after`, it yields a View and then each later Commit; with `after`, the commits after
 * that version. It ends and closes when the game has ended and every command is answered.
 */
export class Table<G extends GameTypes> extends Stream<frames.FromGame, View<G> | Commit<G>> {
  readonly #plays = new Map<string, Play<G>>();
  /** Requests that await their answers. The server answers in the order of the requests. */
  readonly #requests: (Waiting<unknown> & { frame: string })[] = [];
  #heardOf = 0;
  #endsAt = Infinity;
  readonly #clock = new ServerClock();
  /** What to check before the first news and after the last: each may throw Contradicted. */
  checks: { atStart(): Promise<void>; atEnd(): Promise<void> } | undefined;
  #started: Promise<void> | undefined;
  /** Set it to have every command acknowledged with a signed note. */
  acknowledgements: Acknowledgements | undefined;

  /** The version of the latest news; undefined before the first view. */
  get version(): number | undefined {
    return this.after;
  }

  override async next(): Promise<IteratorResult<View<G> | Commit<G>, undefined>> {
    await this.#checkStart();
    const found = await super.next();
    if (found.done && this.isOver()) await this.checks?.atEnd();
    return found;
  }

  #checkStart(): Promise<void> {
    return (this.#started ??= this.checks?.atStart().catch((error) => {
      this.close();
      throw error;
    }) ?? Promise.resolve());
  }

  /**
   * Send a command. It counts once, even if reconnections repeat it, and only in time.
   *
   * The server rejects copies that arrive more than a few seconds later. Throws Problem when the
   * server finally rejects the command, Unanswered when there is no answer in time: play it again
   * with the same `id` to get the first answer.
   */
  async play(
    command: G["command"],
    { id = newId(), withinMs = 30_000 } = {},
  ): Promise<Accepted<G>> {
    await this.#checkStart();
    if (this.#plays.has(id)) throw new Error("a command with this id is in flight");
    const notAfterMs = this.#clock.now() + IN_TIME_MS;
    const answer = new Promise<Accepted<G>>((resolve, reject) => {
      if (this.isClosed) return reject(this.failure ?? new ServerError("the table is closed"));
      this.#plays.set(id, {
        command,
        notAfterMs,
        copies: 0,
        isSent: false,
        failures: 0,
        resolve,
        reject,
      });
      this.#sendPlays();
    });
    const late = setTimeout(() => this.#plays.get(id)?.reject(new Unanswered(id)), withinMs);
    try {
      const accepted = await answer;
      this.acknowledgements?.take(accepted.acknowledgement, command, accepted);
      return accepted;
    } finally {
      clearTimeout(late);
      this.#plays.delete(id);
      this.#sendPlays();
      this.wake();
    }
  }

  /** Return the view at the head. */
  look(): Promise<View<G>> {
    return this.#request(LOOK) as Promise<View<G>>;
  }

  /** Return up to `limit` commands that this user may send now. */
  legalCommands(limit = 100): Promise<Legal<G>> {
    const frame = JSON.stringify({ type: "list_legal_commands", limit });
    return this.#request(frame) as Promise<Legal<G>>;
  }

  #request(frame: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(this.failure ?? new ServerError("the table is closed"));
      this.#requests.push({ frame, resolve, reject });
      this.say(frame);
    });
  }

  #sendPlays(): void {
    if (!this.isConnected) return;
    let waiting = 0;
    for (const [id, play] of this.#plays) {
      if (++waiting > PLAYS_WAITING_MAX) return;
      if (play.isSent) continue;
      play.isSent = true;
      play.copies++;
      const not_after = new Date(play.notAfterMs).toISOString();
      const acknowledge = this.acknowledgements !== undefined;
      this.say(JSON.stringify({ type: "play", id, command: play.command, not_after, acknowledge }));
    }
  }

  // The connection

  /** Repeat everything that is unanswered. */
  protected override resume(): void {
    this.#heardOf = 0;
    for (const play of this.#plays.values()) play.isSent = false;
    this.#sendPlays();
    for (const { frame } of this.#requests) this.say(frame);
  }

  /** Whether the game has ended, all commits have arrived and all requests are answered. */
  protected override isOver(): boolean {
    const isAnswered = !this.#plays.size && !this.#requests.length;
    return this.after !== undefined && this.after >= this.#endsAt && isAnswered;
  }

  protected override end(failure: ServerError | undefined): void {
    for (const [id, play] of this.#plays) play.reject(failure ?? new Unanswered(id));
    for (const request of this.#requests)
      request.reject(failure ?? new ServerError("the table is closed"));
  }

  // Incoming frames

  protected take(frame: Told<frames.FromGame>): void {
    switch (frame.type) {
      case "view":
        this.#takeView(frame);
        break;
      case "commits":
        for (const commit of frame.commits) this.#takeCommit(commit);
        break;
      case "legal_commands": {
        const { version, commands, is_complete } = frame;
        this.#requests.shift()?.resolve({ version, commands, isComplete: is_complete });
        break;
      }
      case "accepted":
        this.#plays.get(frame.id)?.resolve(frame as Accepted<G>);
        break;
      case "refused":
        this.#takeRefusal(frame);
        break;
      case "heartbeat":
        // The version of an earlier heartbeat has still not arrived.
        if (this.after !== undefined && this.after < this.#heardOf) throw new Lost();
        this.#heardOf = frame.version;
        if (frame.ended) this.#endsAt = frame.version;
    }
  }

  #takeView({ type, version, seat, ended, view, next_at, now }: frames.View): void {
    const seen: View<G> = {
      type,
      version,
      seat,
      ended,
      view,
      nextAt: moment(next_at),
      now: new Date(now),
    };
    if (ended) this.#endsAt = version;
    if (this.after === undefined) {
      this.after = version;
      this.tell(seen);
    } else {
      this.#requests.shift()?.resolve(seen);
    }
  }

  #takeCommit({ version, at, next_at, hash, events }: frames.Commit): void {
    if (this.after === undefined || version > this.after + 1) throw new Lost();
    if (version <= this.after) return;
    this.acknowledgements?.compare(version, hash);
    this.#clock.heard(Date.parse(at));
    this.tell({ type: "commit", version, at: new Date(at), nextAt: moment(next_at), hash, events });
    this.after = version;
  }

  #takeRefusal({ id, code, data, version }: frames.Refused): void {
    const play = this.#plays.get(id);
    if (!play) return;
    const problem = new Problem(code, data, { version });
    if (code === "too_late") {
      this.#clock.set(Date.parse(String(data.now)));
      if (play.copies > 1 || play.failures > 1) return play.reject(play.refusal ?? problem);
      // Only the clock was wrong: no copy is on its way.
      play.notAfterMs = this.#clock.now() + IN_TIME_MS;
      play.copies = 0;
    }
    let waitMs = pauseMs(play.failures++);
    if (code !== "too_late" && !AGAIN.has(code)) {
      if (play.copies === 1) return play.reject(problem);
      // A copy may arrive until then; a request after that gets the final answer.
      play.refusal = problem;
      waitMs = Math.max(0, play.notAfterMs - this.#clock.now()) + pauseMs(0);
    }
    setTimeout(() => {
      play.isSent = false;
      this.#sendPlays();
    }, waitMs);
  }
}
