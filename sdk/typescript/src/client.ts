import { check, parseAcknowledgement, type Acknowledgements } from "./acknowledgements.ts";
import { AGAIN, pauseMs, sleep } from "./backoff.ts";
import { Entropies, type EntropyStore } from "./entropy.ts";
import { HAS_HASHES, bytesOf, hexOf, sha256 } from "./hashes.ts";
import { newId } from "./ids.ts";
import { Lobbies, Room } from "./lobbies.ts";
import type * as models from "./models.ts";
import { Operations, type Asked } from "./operations.ts";
import { Problem, ServerError, Unreachable } from "./problems.ts";
import { Table, type GameTypes } from "./table.ts";

const TRIES_MAX = 6;
const PAUSE_MAX_MS = 30_000;
const ANSWER_WITHIN_MS = 30_000;

/** Requests that get a random `id` if they have none, so that they can be repeated. */
const NAMED = ["/v1/lobbies/", "/lobbies/quick_match/"];

/** POST requests that the server carries out once, however often they are sent. */
const ONCE = [...NAMED, "/commands/", "/messages/"];

/** Settings of a client. */
export interface ClientOptions {
  /**
   * Whether it adds entropy to the draws of the games that it plays, true by default. With a store,
   * for instance `localStorage`, it keeps entropy and receipts there, also for later pages. A page
   * without a secure context cannot add any.
   */
  entropy?: boolean | EntropyStore;
}

/** Where to resume, and where to keep signed acknowledgements of commands. */
export interface TableOptions {
  after?: number;
  acknowledgements?: Acknowledgements;
}

/**
 * A client of one user, with a method for every operation.
 *
 * It retries requests that are safe to repeat while the server is busy or unreachable. Throws
 * Problem for an error response, Unreachable when the server does not respond.
 *
 * It adds entropy to the draws of the games that it plays, by itself: it commits when it takes a
 * seat, follows the lobby, reveals at the start, and throws Contradicted if the game began without
 * it.
 */
export class Client extends Operations {
  token: string;
  readonly #url: string;
  readonly #entropies: Entropies | undefined;

  /** Throws ServerError where there is no WebSocket, as in Node below 22. */
  constructor(url: string, token = "", { entropy = true }: ClientOptions = {}) {
    super();
    if (typeof WebSocket === "undefined") {
      throw new ServerError("This client needs WebSocket: use Node 22 or newer, or a browser.");
    }
    this.#url = url.replace(/\/+$/, "");
    this.token = token;
    if (entropy && HAS_HASHES) {
      const plain = new Plain((method, path, asked) => this.call(method, path, asked));
      const store = entropy === true ? undefined : entropy;
      this.#entropies = new Entropies(plain, (lobby) => this.room(lobby), store);
    }
  }

  /** Stop following the lobbies in which this client sits. Until then Node does not exit. */
  close(): void {
    this.#entropies?.close();
  }

  // Seats, to whose games this client adds entropy

  override createLobby(body: models.NewLobby): Promise<models.Lobby> {
    return this.#seated(super.createLobby(this.#committing(body)));
  }

  override joinLobby(lobby: string, body: models.SitDown = {}): Promise<models.Lobby> {
    return this.#seated(super.joinLobby(lobby, this.#committing(body)));
  }

  override joinByCode(body: models.Invitation): Promise<models.Lobby> {
    return this.#seated(super.joinByCode(this.#committing(body)));
  }

  override quickMatch(body: models.WantedTable): Promise<models.Lobby> {
    return this.#seated(super.quickMatch(this.#committing(body)));
  }

  override rematch(lobby: string, body: models.SitDown = {}): Promise<models.Lobby> {
    return this.#seated(super.rematch(lobby, this.#committing(body)));
  }

  /** Add entropy for the seat that an earlier page or program of this user has taken. */
  returnTo(lobby: models.Lobby): Promise<models.Lobby> {
    return this.#seated(Promise.resolve(lobby));
  }

  override async leaveLobby(lobby: string): Promise<void> {
    await super.leaveLobby(lobby);
    this.#entropies?.leave(lobby);
  }

  /**
   * Set whether you are ready to start. The client reveals its entropy as soon as all others have
   * committed, and is ready again when an attempt to start was abandoned.
   */
  override setReady(lobby: string, body: models.Readiness): Promise<models.Lobby> {
    return this.#entropies?.setReady(lobby, body) ?? super.setReady(lobby, body);
  }

  /** Start the game of this lobby (host only), and reveal the host's entropy. */
  override startGame(lobby: string, body: models.GameStart = {}): Promise<models.Game> {
    return this.#entropies?.startGame(lobby, body) ?? super.startGame(lobby, body);
  }

  #committing<Body extends { commits?: boolean }>(body: Body): Body {
    return this.#entropies ? { ...body, commits: true } : body;
  }

  async #seated(seated: Promise<models.Lobby>): Promise<models.Lobby> {
    const lobby = await seated;
    return this.#entropies?.add(lobby) ?? lobby;
  }

  // Sockets

  /** Open the socket of a game: `client.table<readySetBet.Game>(game.id)`. */
  table<G extends GameTypes>(game: string, { after, acknowledgements }: TableOptions = {}): Table<G> {
    const table = new Table<G>(this.#socket(`games/${game}`), this.token, { after });
    table.acknowledgements = acknowledgements;
    table.checks = this.#entropies && {
      atStart: () => this.#entropies!.checkStart(game),
      atEnd: () => this.#entropies!.checkEnd(game),
    };
    return table;
  }

  /**
   * Compare acknowledgements with the server's commits, the name of its log and the seeds of games
   * that have ended; return how many there are. Throws Contradicted.
   */
  async compare(notes: Iterable<string>): Promise<number> {
    const games = new Map<string, models.GameInFull>();
    let count = 0;
    let origin: string | undefined;
    for (const note of notes) {
      const said = parseAcknowledgement(note);
      const id = said["game"]!;
      const game = games.get(id) ?? (await this.getGame(id));
      games.set(id, game);
      origin ??= (await this.getCheckpoint()).origin;
      const { commits } = await this.listCommits(id, { after: Number(said["version"]) - 1, limit: 1 });
      const hash = commits[0]?.hash ?? "no commit of this version";
      check(note, said, { origin, name: game.log_name, seed: game.seed_hash, hash });
      if (game.seed !== null && HAS_HASHES) check(note, said, { seed: hexOf(await sha256(bytesOf(game.seed))) });
      count++;
    }
    return count;
  }

  /** Open the socket of a lobby: `client.room(lobby.id)`. */
  room(lobby: string, { after }: { after?: number } = {}): Room {
    return new Room(this.#socket(`lobbies/${lobby}`), this.token, { after });
  }

  /** Follow open lobbies, of one game or of all: `client.lobbies()`. */
  lobbies({ slug }: { slug?: string } = {}): Lobbies {
    return new Lobbies(this.#socket("lobbies"), this.token, { slug });
  }

  #socket(path: string): string {
    return `${this.#url.replace(/^http/, "ws")}/ws/v1/${path}`;
  }

  protected async call<T>(
    method: string,
    path: string,
    { query = {}, body }: Asked = {},
  ): Promise<T> {
    if (NAMED.some((end) => path.endsWith(end))) {
      const named = body as { id?: string } | undefined;
      if (method === "POST") body = { ...named, id: named?.id ?? newId() };
    }
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const filters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const address = `${this.#url}${path}${filters.size ? `?${filters}` : ""}`;
    for (let failures = 0; ; failures++) {
      let answer: Response;
      let found: unknown;
      try {
        answer = await fetch(address, {
          ...this.#asked(method, body),
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        });
        // Read to its end, since a page that goes on sooner aborts the request.
        const text = await answer.text();
        found = answer.status === 204 ? undefined : JSON.parse(text);
      } catch (error) {
        // The outcome is unknown: repeat only requests that the server carries out once.
        const isSafe = method !== "POST" || ONCE.some((end) => path.endsWith(end));
        if (!isSafe || failures + 1 === TRIES_MAX)
          throw new Unreachable(`${method} ${path}: ${error}`);
        await sleep(pauseMs(failures));
        continue;
      }
      if (answer.ok) return found as T;
      const { code, data = {}, version = null, title } = found as models.ProblemDocument;
      const waitMs = 1000 * Number(answer.headers.get("Retry-After") ?? 0);
      const passes = AGAIN.has(code) || code === "too_many_requests";
      if (!passes || failures + 1 === TRIES_MAX || waitMs > PAUSE_MAX_MS)
        throw new Problem(code, data, { version, status: answer.status, title });
      await sleep(waitMs + pauseMs(failures));
    }
  }

  #asked(method: string, body: unknown): RequestInit {
    const headers = new Headers();
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    if (body === undefined) return { method, headers };
    headers.set("Content-Type", "application/json");
    return { method, headers, body: JSON.stringify(body) };
  }
}

/** The API of a client, without what the client does by itself. */
class Plain extends Operations {
  readonly #call: (method: string, path: string, asked?: Asked) => Promise<unknown>;

  constructor(call: (method: string, path: string, asked?: Asked) => Promise<unknown>) {
    super();
    this.#call = call;
  }

  protected call<T>(method: string, path: string, asked?: Asked): Promise<T> {
    return this.#call(method, path, asked) as Promise<T>;
  }
}
