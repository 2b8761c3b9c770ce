import { check, parseNote, sizeIn, type Acknowledgements } from "./acknowledgements.ts";
import { Entropies, type EntropyStore, type SeatKey, type Signs } from "./entropy.ts";
import { ask, isAddress, part } from "./http.ts";
import { HAS_HASHES, bytesOf, hexOf, sha256 } from "./hashes.ts";
import { newId } from "./ids.ts";
import { Inbox } from "./inbox.ts";
import { Lobbies, Room } from "./lobbies.ts";
import { Log } from "./log.ts";
import type * as models from "./models.ts";
import { Operations, type Asked } from "./operations.ts";
import { isPassing, pauseMs, sleep } from "./patience.ts";
import { given, Misused, Problem, Unreachable } from "./problems.ts";
import { written, type Shape } from "./shapes.ts";
import { Table, type GameTypes } from "./table.ts";

const TRIES_MAX = 6;
const PAUSE_MAX_MS = 30_000;
const ANSWER_WITHIN_MS = 30_000;

/** Requests that get a random `id` if they have none, so that they can be repeated. */
const NAMED = ["/v1/lobbies/", "/lobbies/quick_match/"];

/** Settings of a client. */
export interface ClientOptions {
  /**
   * Whether it adds entropy to the draws of the games that it plays, true by default. With a store,
   * for instance `localStorage`, it keeps entropy and receipts there, also for later pages. A page
   * without a secure context cannot add any.
   */
  entropy?: boolean | EntropyStore;
  /**
   * Whether it signs its commands, or at which tables; true by default if it has a store for entropy.
   * Nobody without that store, or the `seatKey` of the game, can play the seats then.
   */
  signs?: boolean | Signs;
  /** The public keys of the server's log. Without them, the client keeps to those that it sees first. */
  logKeys?: readonly string[];
  /** How long one try of a request may take in all, 30 seconds by default. */
  timeoutMs?: number;
}

/** Where to resume, when to end, and where to keep signed acknowledgements of commands. */
export interface TableOptions {
  after?: number;
  signal?: AbortSignal;
  acknowledgements?: Acknowledgements;
}

/**
 * A client of one user, with a method for every operation.
 *
 * It repeats requests while the server is busy or unreachable; each is carried out once. Throws
 * Problem for an error response, Unreachable when the server does not respond.
 *
 * It adds entropy to the draws of the games that it plays, by itself: it commits when it takes a
 * seat, follows the lobby, reveals once the public log has fixed all commitments, and throws
 * Contradicted if the game began without it.
 */
export class Client extends Operations {
  token: string;
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #log: Log | undefined;
  readonly #entropies: Entropies | undefined;
  #isClosed = false;

  /** Throws Misused where there is no WebSocket, as in Node 20 by default, and for a wrong address. */
  constructor(url: string, token = "", options: ClientOptions = {}) {
    super();
    const { entropy, signs, logKeys, timeoutMs } = given(options);
    if (typeof WebSocket === "undefined") {
      throw new Misused("This client needs WebSocket: use Node 22 or newer, Node 20 with --experimental-websocket, or a browser.");
    }
    if (!isAddress(url)) throw new Misused(`${url} is no address: give one like https://railbird.example`);
    this.#url = url.replace(/\/+$/, "");
    this.#timeoutMs = timeoutMs ?? ANSWER_WITHIN_MS;
    this.token = token ?? "";
    if (!HAS_HASHES) return;
    const plain = this.with(undefined);
    const store = typeof entropy === "boolean" ? undefined : (entropy ?? undefined);
    this.#log = new Log(plain, logKeys ?? undefined, store);
    const room = (lobby: string): Room => this.room(lobby);
    const signing = typeof signs === "function" ? signs : () => signs ?? true;
    if (entropy ?? true) this.#entropies = new Entropies(plain, room, this.#log, store, store && signing);
  }

  /** Stop following the lobbies in which this client sits, and send no request any more. Until then
   * Node does not exit. */
  close(): void {
    this.#isClosed = true;
    this.#entropies?.close();
  }

  /** The operations of the API, ended by a signal: `client.with(signal).getGame(id)`. They add no
   * entropy, but sign commands. */
  with(signal: AbortSignal | undefined): Operations {
    const send: Call = (...call) => this.#send(signal, ...call);
    return new Plain(send, async (...command) => this.#entropies?.signing(...command));
  }

  // Seats, to whose games this client adds entropy

  override async createLobby(body: models.NewLobby): Promise<models.Lobby> {
    return this.#seated(super.createLobby(this.#committing(body)));
  }

  override async joinLobby(lobby: string, body: models.SitDown = {}): Promise<models.Lobby> {
    return this.#seated(super.joinLobby(lobby, this.#committing(body)));
  }

  override async joinByCode(body: models.Invitation): Promise<models.Lobby> {
    return this.#seated(super.joinByCode(this.#committing(body)));
  }

  override async quickMatch(body: models.WantedTable): Promise<models.Lobby> {
    return this.#seated(super.quickMatch(this.#committing(body)));
  }

  override async rematch(lobby: string, body: models.SitDown = {}): Promise<models.Lobby> {
    return this.#seated(super.rematch(lobby, this.#committing(body)));
  }

  /** Add entropy for the seat that an earlier page or program of this user has taken. */
  async returnTo(lobby: models.Lobby): Promise<models.Lobby> {
    return this.#seated(Promise.resolve(given(lobby)));
  }

  override async leaveLobby(lobby: string): Promise<void> {
    await super.leaveLobby(lobby);
    this.#entropies?.leave(lobby);
  }

  /** Send a command for your seat. A client that signs signs it after the view at the head. */
  override async play(game: string, body: models.NewCommand): Promise<models.Committed> {
    return this.with(undefined).play(game, body);
  }

  /** Throws RevealedInVain and Contradicted when this client adds no entropy any more. */
  override async setReady(lobby: string, body: models.Readiness): Promise<models.Lobby> {
    if (given(body).ready) await this.#entropies?.checkPlace(lobby);
    return super.setReady(lobby, body);
  }

  /**
   * Start the game of this lobby (host only), and wait until it has started. If players add entropy,
   * all reveal theirs first; throws StartAbandoned if one does not, and
   * StartOverdue if the server does not decide in time.
   */
  override startGame(lobby: string): Promise<models.Start> {
    return this.#entropies?.startGame(lobby) ?? super.startGame(lobby);
  }

  /**
   * Add entropy again after RevealedInVain: some starts in a row were abandoned after this client
   * had revealed its entropy.
   */
  goOn(): void {
    this.#entropies?.goOn();
  }

  /** The private key with which this client signs for its seat, to continue on another device. */
  async seatKey(game: string): Promise<SeatKey | undefined> {
    part(game);
    return this.#entropies?.keyOf(game);
  }

  /** The receipts of this client's entropy in a game and in its abandoned starts: signed notes, kept until the game has
   * ended. */
  async receipts(game: string): Promise<string[]> {
    part(game);
    return (await this.#entropies?.receiptsOf(game)) ?? [];
  }

  /** Sign for the seat of a game with the key of another device. */
  useSeatKey(game: string, key: SeatKey): void {
    part(game);
    this.#entropies?.keepKey(game, given(key));
  }

  #committing<Body extends { commits?: boolean }>(body: Body): Body {
    this.#entropies?.checkInVain();
    return this.#entropies ? { ...given(body), commits: true } : given(body);
  }

  async #seated(seated: Promise<models.Lobby>): Promise<models.Lobby> {
    const lobby = await seated;
    return this.#entropies?.add(lobby) ?? lobby;
  }

  // Sockets

  /** Open the socket of a game: `client.table<readySetBet.Game>(game.id)`. */
  table<G extends GameTypes>(game: string, options: TableOptions = {}): Table<G> {
    const { acknowledgements, ...rest } = given(options);
    const table = new Table<G>(this.#socket(`games/${part(game)}`), this.#checked(), rest);
    table.acknowledgements = acknowledgements ?? undefined;
    table.log = this.#log;
    table.checks = this.#entropies && {
      atStart: () => this.#entropies!.checkStart(game),
      atEnd: () => this.#entropies!.checkEnd(game),
      signing: (command, id) => this.#entropies!.signing(game, command, id),
    };
    return table;
  }

  /**
   * Compare signed notes with the server's commits, the name of its log and the seeds of games that
   * have ended; return how many there are. Throws Contradicted, and NoEvidence for one that no
   * key of the log signed.
   */
  async compare(notes: Iterable<string>): Promise<number> {
    const games = new Map<string, models.GameInFull>();
    let count = 0;
    let origin: string | undefined;
    for (const note of given(notes)) {
      const said = parseNote(note);
      origin ??= (await (this.#log?.check() ?? this.getCheckpoint())).origin;
      await this.#log?.checkAuthor(note, sizeIn(said));
      const id = said["game"]!;
      const game = games.get(id) ?? (await this.getGame(id));
      games.set(id, game);
      const { commits } = await this.listCommits(id, { after: Number(said["version"]) - 1, limit: 1 });
      const hash = commits[0]?.hash ?? "no commit of this version";
      check(note, said, { origin, name: game.log_name, hash });
      const isHead = said["command"] === undefined;
      if (!isHead) check(note, said, { seed: game.seed_hash });
      if (!isHead && game.seed !== null && HAS_HASHES) check(note, said, { seed: hexOf(await sha256(bytesOf(game.seed))) });
      count++;
    }
    return count;
  }

  /** Open the socket of a lobby: `client.room(lobby.id)`. */
  room(lobby: string, options: { after?: number; signal?: AbortSignal } = {}): Room {
    return new Room(this.#socket(`lobbies/${part(lobby)}`), this.#checked(), given(options));
  }

  /** Follow open lobbies, of one game or of all: `client.lobbies()`. */
  lobbies(options: { slug?: string; signal?: AbortSignal } = {}): Lobbies {
    return new Lobbies(this.#socket("lobbies"), this.#checked(), given(options));
  }

  /** Follow your notices: `client.inbox()`. Without `after`, new ones. */
  inbox(options: { after?: number; signal?: AbortSignal } = {}): Inbox {
    return new Inbox(this.#socket("me"), this.#checked(), given(options));
  }

  #socket(path: string): string {
    return `${this.#url.replace(/^http/, "ws")}/ws/v1/${path}`;
  }

  /** The token, which has to fit into a header. Throws Misused. */
  #checked(): string {
    if (this.#isClosed) throw new Misused("this client is closed: make another one");
    if (/[^ -~]/.test(this.token)) throw new Misused("the token of the client has characters that no token has");
    return this.token;
  }

  protected async call<T>(method: string, path: string, shape: Shape | undefined, asked?: Asked): Promise<T> {
    return (await this.#send(undefined, method, path, shape, asked)) as T;
  }

  async #send(
    signal: AbortSignal | undefined,
    method: string,
    path: string,
    shape: Shape | undefined,
    { query = {}, body }: Asked = {},
  ): Promise<unknown> {
    if (method === "POST" && NAMED.some((end) => path.endsWith(end))) {
      const named = body as { id?: string } | undefined;
      body = { ...named, id: named?.id ?? newId() };
    }
    const filters = new URLSearchParams();
    for (const [name, value] of Object.entries(given(query))) if (value !== undefined && value !== null) filters.set(name, String(value));
    const address = `${this.#url}${path}${filters.toString() && `?${filters}`}`;
    const asked = this.#asked(method, body);
    for (let failures = 0; ; failures++) {
      let waitMs = 0;
      try {
        return await ask(address, asked, shape, this.#timeoutMs, signal);
      } catch (error) {
        if (error instanceof Problem) waitMs = error.retryAfterMs;
        const passes = error instanceof Unreachable || isPassing(error);
        if (!passes || failures + 1 === TRIES_MAX || waitMs > PAUSE_MAX_MS) throw error;
      }
      await sleep(waitMs + pauseMs(failures), signal);
    }
  }

  #asked(method: string, body: unknown): { method: string; headers: Record<string, string>; body?: string } {
    const token = this.#checked();
    const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
    // The server carries each request out once, however often it arrives: by this key, by the `id`
    // in its body, or because a repetition changes nothing.
    if (method === "POST") headers["Idempotency-Key"] = newId();
    if (body === undefined) return { method, headers };
    return { method, headers: { ...headers, "Content-Type": "application/json" }, body: written(body) };
  }
}

type Call = (method: string, path: string, shape: Shape | undefined, asked?: Asked) => Promise<unknown>;

/** The API of a client, without what the client does by itself. */
class Plain extends Operations {
  readonly #call: Call;
  readonly #signing: Entropies["signing"];

  constructor(call: Call, signing: Entropies["signing"]) {
    super();
    this.#call = call;
    this.#signing = signing;
  }

  override async play(game: string, body: models.NewCommand): Promise<models.Committed> {
    const { command, id } = given(body);
    const signing = await this.#signing(game, command, id);
    if (!signing) return super.play(game, body);
    while (true) {
      const { version, hash } = await this.getView(game);
      try {
        return await super.play(game, { ...body, signed: await signing.after([version, hash]) });
      } catch (error) {
        if (!(error instanceof Problem && signing.goesOn(error.code, error.data))) throw error;
      }
    }
  }

  protected call<T>(...call: Parameters<Call>): Promise<T> {
    return this.#call(...call) as Promise<T>;
  }
}
