import { parseNote, sizeIn, type Acknowledgements } from "./acknowledgements.ts";
import { IN_TIME, moment, momentOrNull } from "./clock.ts";
import type * as frames from "./frames.ts";
import { newId } from "./ids.ts";
import type { Log } from "./log.ts";
import { AGAIN, pauseMs, persist, sleep } from "./patience.ts";
import { Contradicted, given, ServerError, Unreachable } from "./problems.ts";
import { Unreadable } from "./shapes.ts";
import { FROM_GAME } from "./shapes_of_types.ts";
import type { Head, Signing } from "./signing.ts";
import { Conversation, expect, Lost, refusal, type RequestOptions, type StreamOptions, type Told } from "./stream.ts";

const PLAYS_WAITING_MAX = 16;
/** The close code of a game of which the server's database lost commits. */
const HISTORY_LOST = 4410;

/** The types of one game, in each module of `railbird-client/games`. */
export interface GameTypes {
  slug: string;
  options: unknown;
  command: unknown;
  event: unknown;
  view: unknown;
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
  /** The last version that this table has yielded before, if the server's database lost commits:
   * this view takes the place of everything before it. */
  replaces?: number;
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

/** The work of a client at its table: it checks the game and signs its commands. */
interface Checks {
  /** Check the game before the first news. Throws Contradicted. */
  atStart(): Promise<void>;
  /** Check the game after the last news. Throws Contradicted. */
  atEnd(): Promise<void>;
  /** Return how to sign a command under its id, if the client signs. */
  signing(command: unknown, id: string): Promise<Signing | undefined>;
}

/** The user's own command, committed as this version. */
export interface Accepted<G extends GameTypes> {
  id: string;
  version: number;
  hash: string;
  events: G["event"][];
  /** The signed note that says so, checked, if the table has `acknowledgements`. */
  acknowledgement?: string;
}

/**
 * The socket of a game: commits without gaps, and commands that count once.
 *
 * Without `after`, it yields a View and then each later Commit; with `after`, the commits after
 * that version. It ends and closes when the game has ended and every request is answered. When the
 * server's database lost commits, it yields a View that `replaces` what came before; with `after` or
 * acknowledgements, it throws Closed.
 */
export class Table<G extends GameTypes> extends Conversation<frames.FromGame, View<G> | Commit<G>> {
  #heardOf = 0;
  /** The hash of the latest version, as it was shown. */
  #hash: string | undefined;
  /** The newest signed head: the server's own word for what it showed. */
  #head = "";
  #replaces: number | undefined;
  readonly #isWhole: boolean;
  #endsAt = Infinity;
  /** The last of the plays that wait for one of the earlier ones to end. */
  readonly #plays: Promise<unknown>[] = [];
  checks: Checks | undefined;
  #started: Promise<void> | undefined;
  /** Set it to have every command acknowledged with a signed note. */
  acknowledgements: Acknowledgements | undefined;
  /** The log, which names the keys that sign notes. */
  log: Log | undefined;

  constructor(address: string, token: string, options: StreamOptions) {
    super(address, token, FROM_GAME, { ...options, heads: true });
    this.#isWhole = this.after === undefined;
  }

  /** The version of the latest news; undefined before the first view. */
  get version(): number | undefined {
    return this.after;
  }

  override async next(): Promise<IteratorResult<View<G> | Commit<G>, undefined>> {
    await this.#checkStart();
    const found = await super.next();
    if (!found.done || !this.isOver()) return found;
    if (this.checks) await persist(this.checks.atEnd);
    if (this.acknowledgements && this.#hash !== undefined)
      await persist(() => this.acknowledgements!.checkEnd(this.after, this.#isSigned));
    return found;
  }

  /** Check the start once. Like the socket, it waits for a server that is away. */
  #checkStart(): Promise<void> {
    return (this.#started ??= persist(async () => {
      if (!this.isClosed) await this.checks?.atStart();
    }).catch((error) => {
      this.close();
      throw error;
    }));
  }

  /**
   * Send a command. It counts once, even if reconnections repeat it, and only in time.
   *
   * The server rejects copies that arrive more than a few seconds later. Throws Problem when the
   * server finally rejects the command, Unanswered when there is no answer in time: play it again
   * with the same `id` to get the first answer.
   */
  async play(command: G["command"], options: RequestOptions & { id?: string } = {}): Promise<Accepted<G>> {
    const id = given(options).id ?? newId();
    const accepted = await this.within(id, options, async (isOver) => {
      await this.#checkStart();
      const turn = this.#plays.length < PLAYS_WAITING_MAX ? undefined : this.#plays[this.#plays.length - PLAYS_WAITING_MAX];
      const played = Promise.resolve(turn).then(() => this.#finalAnswer(id, command, isOver));
      const ended = played.catch(() => undefined);
      this.#plays.push(ended);
      return played.finally(() => this.#plays.splice(this.#plays.indexOf(ended), 1));
    });
    const { version, hash, events, acknowledgement } = accepted;
    const answer: Accepted<G> = { id, version, hash, events };
    if (!this.acknowledgements) return answer;
    this.acknowledgements.take(acknowledgement, command, answer);
    // The command counts and its note is kept: a log that cannot be read at the moment is no reason to fail.
    await persist(async () => this.log?.checkAuthor(acknowledgement!, sizeIn(parseNote(acknowledgement!))));
    return { ...answer, acknowledgement: acknowledgement! };
  }

  /** Return the view at the head. Throws Problem, Unanswered. */
  async look(options: RequestOptions = {}): Promise<View<G>> {
    const frame = await this.request<frames.View>({ type: "look" }, "view", options);
    try {
      return this.#viewOf(frame);
    } catch (error) {
      throw error instanceof Unreadable ? new Unreachable("unreadable", error.message) : error;
    }
  }

  /** Return up to `limit` commands that this user may send now. Throws Problem, Unanswered. */
  async legalCommands(limit = 100, options: RequestOptions = {}): Promise<Legal<G>> {
    const asked = { type: "list_legal_commands", limit };
    const { version, commands, is_complete } = await this.request<frames.LegalCommandsFrame>(asked, "legal_commands", options);
    return { version, commands, isComplete: is_complete };
  }

  /**
   * Return the final answer to a command, or throw it.
   *
   * The first answer is final if the command was sent once. Otherwise a copy may arrive until
   * `not_after`, and only the answer to a copy that was sent after it is final.
   */
  async #finalAnswer(id: string, command: G["command"], isOver: () => boolean): Promise<frames.Accepted> {
    const acknowledge = this.acknowledgements !== undefined;
    const signing = await this.checks?.signing(command, id);
    let signed = await signing?.after(await this.#shown());
    let refused: frames.Refused | undefined;
    let notAfter = (await this.now()) + IN_TIME.ms;
    let copies = 0;
    let isPast = false;
    for (let failures = 0; !isOver(); failures++) {
      const asked = { type: "play", id, command, not_after: new Date(notAfter).toISOString(), acknowledge, ...(signed && { signed }) };
      const found = await this.ask(asked);
      const answer = found.answer as frames.Accepted | frames.Refused;
      copies += found.copies;
      if (answer.type !== "refused") return expect(answer, "accepted");
      const { code, data } = answer;
      if (code === "too_late") {
        if (copies > 1 || failures > 1) throw refusal(refused ?? answer);
        // Only the clock was wrong: no copy is on its way.
        this.setTime(timeOf(data));
        notAfter = (await this.now()) + IN_TIME.ms;
        copies = 0;
      } else if (signing?.goesOn(code, data)) {
        // The server never carries out a copy with the signature that it refused.
        signed = await signing.after(await this.#shown(data["reason"] === "late"));
        copies = 0;
      } else if (AGAIN.has(code)) {
        await sleep(pauseMs(failures));
      } else if (copies === 1 || isPast) {
        throw refusal(answer);
      } else {
        refused = answer;
        await sleep(Math.max(0, notAfter - (await this.now())) + pauseMs(0));
        isPast = true;
      }
    }
    throw new ServerError("failed", "nobody waits for this answer any more");
  }

  /** The newest commit that was shown, or the server's newest. */
  async #shown(newest = false): Promise<Head> {
    if (!newest && this.after !== undefined && this.#hash !== undefined) return [this.after, this.#hash];
    const { version, hash } = await this.request<frames.View>({ type: "look" }, "view", {});
    return [version, hash];
  }

  // The connection

  protected override startsAgain(code: number): boolean {
    if (code !== HISTORY_LOST || this.after === undefined || !this.#isWhole || this.acknowledgements) return false;
    this.#replaces = this.after;
    this.after = undefined;
    this.#endsAt = Infinity;
    return true;
  }

  protected override resume(): void {
    this.#heardOf = 0;
  }

  /** Whether the game has ended and all commits have arrived. */
  protected override isOver(): boolean {
    return this.after !== undefined && this.after >= this.#endsAt;
  }

  // Incoming frames

  protected take(frame: Told<frames.FromGame>): void {
    switch (frame.type) {
      case "view":
        if (this.after !== undefined) return;
        this.tell(this.#replaces === undefined ? this.#viewOf(frame) : { ...this.#viewOf(frame), replaces: this.#replaces });
        this.acknowledgements?.compare(frame.version, frame.hash);
        [this.after, this.#hash] = [frame.version, frame.hash];
        this.#takeHead(frame.head);
        break;
      case "commits":
        let before = frame.previous;
        for (const commit of frame.commits) {
          this.#takeCommit(commit, before);
          before = commit.hash;
        }
        if (frame.commits[frame.commits.length - 1]?.version === this.after) this.#takeHead(frame.head);
        break;
      case "heartbeat":
        // The version of an earlier heartbeat has still not arrived.
        if (this.after !== undefined && this.after < this.#heardOf) throw new Lost();
        this.#takeHead(frame.head);
        this.#heardOf = frame.version;
        if (frame.ended) this.#endsAt = frame.version;
    }
  }

  #viewOf({ type, version, seat, ended, view, next_at, now }: frames.View): View<G> {
    if (ended) this.#endsAt = version;
    return { type, version, seat, ended, view, nextAt: momentOrNull(next_at), now: moment(now) };
  }

  /** Read a commit that follows one with the hash `before`. Throws Lost, Contradicted. */
  #takeCommit({ version, at, next_at, hash, events }: frames.Commit, before: string): void {
    if (this.after === undefined || version > this.after + 1) throw new Lost();
    if (version < this.after) return;
    this.#checkShown(version === this.after ? hash : before);
    if (version === this.after) return;
    const news: Commit<G> = { type: "commit", version, at: moment(at), nextAt: momentOrNull(next_at), hash, events };
    this.acknowledgements?.compare(version, hash);
    this.tell(news);
    [this.after, this.#hash] = [version, hash];
  }

  readonly #isSigned = async (note: string) => this.log?.checkAuthor(note);

  /** Keep the signed head of the newest version. Throws Contradicted, NoEvidence. */
  #takeHead(note: string | null | undefined): void {
    if (!note || this.after === undefined || this.#hash === undefined) return;
    this.#head = note;
    this.acknowledgements?.show(note, this.after, this.#hash, this.#isSigned);
  }

  /** Throws Contradicted if somebody changed the history after it was shown. */
  #checkShown(hash: string): void {
    if (this.#hash !== undefined && hash !== this.#hash)
      throw new Contradicted(this.#head, `hash of version ${this.after}`, this.#hash, hash);
  }
}

/** The server's time in the refusal of a late command. Throws Unreachable. */
function timeOf(data: frames.Refused["data"]): Date {
  try {
    return moment(String(data["now"]));
  } catch (error) {
    throw new Unreachable("unreadable", String(error));
  }
}
