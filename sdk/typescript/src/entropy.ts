/**
 * Entropy that a player adds to the draws of a game, so that nobody else chooses them.
 *
 * The client commits to it when it takes a seat. At the start, it checks and keeps what the public
 * log has fixed of all seats; only then it reveals the entropy. It keeps the signed receipt, and
 * finds all that in what the game began with. When a start is abandoned, it does so again, twice at
 * most.
 */
import { publicKey, sign } from "./ed25519.ts";
import { bytesOf, concatenated, framed, hexOf, sha256, uuidBytes } from "./hashes.ts";
import { hashOf, Links } from "./links.ts";
import { WAITING, type Room } from "./lobbies.ts";
import type { Log } from "./log.ts";
import type * as models from "./models.ts";
import type { Operations } from "./operations.ts";
import { LONGEST_MS, pauseMs, persist, sleep } from "./patience.ts";
import { Contradicted, NoEvidence, Problem, RevealedInVain, ServerError, StartAbandoned, StartOverdue, Unreachable } from "./problems.ts";
import { checkAnswers, checkCommitments, checkReveals, decidedWithinMs, refused, witnessesIn, type Mark } from "./sealed.ts";
import { sorted } from "./shapes.ts";
import { Signing, type Head } from "./signing.ts";
import { keep, stored, type Store } from "./store.ts";

const TITLE = "Railbird reveal 2";
const FIELDS = ["origin", "name", "game", "opened", "committed", "seat", "commitment", "entropy"];
const OPENED = 6;
/** How many versions after the newest one that was seen a signed command may be carried out. */
const VERSIONS_MAX = 100;
const TRIES_MAX = 8;
const SEED_TRIES = 6;
/** Codes that say that the table has changed meanwhile: the client reads it again. */
const CHANGED = new Set(["attempt_over", "lobby_not_open", "commitment_required"]);
/** Codes that say that the client has to wait for others. */
const AWAITED = new Set(["commitments_awaited", "not_sealed"]);
/** The stages of a start after the log has fixed all seats. */
const REVEALING = new Set(["revealing", "beginning"]);
/** Reveals without a game in a row after which the client adds no more entropy by itself. */
const IN_VAIN_MAX = 2;
const IN_VAIN = "railbird.in_vain";
/** How many receipts of abandoned starts of a lobby are kept. */
const EARLIER_MAX = 8;
/** How much longer than its terms allow a start may take before the client stops waiting. */
export const GRACE = { ms: 10_000 };
/** The terms that a lobby shows beside its options. */
const OF_TABLE = ["buy_in", "prizes", "capacity", "absence", "absence_s", "keys"] as const;

/**
 * Where to keep entropy and receipts, for instance `localStorage`. With `removeItem`, the client
 * removes what it no longer needs: after leaving a lobby, and after checking a game that has ended.
 */
export type EntropyStore = Store;

/**
 * Entropy for one attempt to start a game. `sealed` is what the client checked before the reveal;
 * `receipt` is the server's, after it. With a `key`, new for each attempt, the client signs the seat
 * and its commands.
 */
export interface KeptEntropy {
  lobby: string;
  slug: string;
  seed_hash: string;
  opening: models.Opening;
  seat: number;
  entropy: string;
  commitment: string;
  key?: { secret: string; public: string; signature: string };
  sealed: models.Commitments | null;
  receipt: string | null;
  /** The receipts of the lobby's starts before, which were abandoned. */
  earlier?: string[];
  /** Whether the start has ended, and is counted as one in vain or not. */
  isCounted?: boolean;
  /** How many reveals were in vain before the game started, until it is voided. */
  before?: number | null;
}

/** Whether to sign the commands at a table. */
export type Signs = (lobby: models.Lobby) => boolean;

/** Return a new key, with its signature for a seat. */
async function keyFor(opened: string, place: number, commitment: string): Promise<NonNullable<KeptEntropy["key"]>> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const own = hexOf(await publicKey(secret));
  const text = `Railbird seat 1\nopened ${opened}\nplace ${place}\nkey ${own}\ncommitment ${commitment}\n`;
  return { secret: hexOf(secret), public: own, signature: hexOf(await sign(secret, text)) };
}

/** The public key and its signature for the seat, if there is one. */
function marked({ key }: KeptEntropy): { key?: string; signature?: string } {
  return key ? { key: key.public, signature: key.signature } : {};
}

/** The private key of a seat, and what its signatures are about. Another device can sign with it. */
export interface SeatKey {
  slug: string;
  origin: string;
  name: string;
  seat: number;
  secret: string;
}

/** The key of the seat of a game, if there is one. */
function seatKey({ key, sealed, opening, seat, slug }: KeptEntropy): SeatKey | undefined {
  if (!key || !sealed) return undefined;
  const origin = sealed.checkpoint.split("\n", 1)[0]!;
  const number = sealed.rows.findIndex(({ place }) => place === seat);
  return { slug, origin, name: opening.name, seat: number, secret: key.secret };
}

/** Sign the text of a command under its id, after a commit, as the player of a seat. */
async function signed(
  { origin, name, seat, secret }: SeatKey,
  [command, id]: [string, string],
  [head, hash]: Head,
): Promise<models.CommandSignature> {
  const until = head + VERSIONS_MAX;
  const text =
    `Railbird command 1\norigin ${origin}\nname ${name}\nseat ${seat}\nid ${id}\n` +
    `head ${head} ${hash}\nuntil ${until}\ncommand ${command}\n`;
  return { head, hash, until, signature: hexOf(await sign(bytesOf(secret), text)) };
}

/** The seat of this client in a lobby, until its game starts. */
interface Place {
  lobby: string;
  kept: KeptEntropy | undefined;
  isChecked: boolean;
  version: number;
  /** The end of the work under way: one thing at a time. */
  work: Promise<unknown>;
  room: Room | undefined;
  failure: ServerError | undefined;
}

/** The receipts of an attempt, and of those before it. */
function receiptsIn({ earlier = [], receipt }: KeptEntropy): string[] {
  return receipt === null ? earlier : [...earlier, receipt];
}

function contradicted(kept: KeptEntropy, field: string, expected: unknown, found: unknown): Contradicted {
  return new Contradicted(kept.receipt ?? "", field, textOf(expected), textOf(found));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

/** Whether it is for the current attempt and for the seat that the client has. */
function fits(kept: KeptEntropy, { opening, your_seat }: models.Lobby): boolean {
  return kept.opening.hash === opening.hash && kept.seat === your_seat;
}

/** Check the receipt of a reveal. Throws Contradicted. */
export function checkReceipt(kept: KeptEntropy, note: string | null): void {
  if (note === null) throw contradicted(kept, "receipt", "a signed note", "none");
  const [title = "", ...lines] = note.slice(0, note.lastIndexOf("\n\n")).split("\n");
  const said = lines.map((line) => [line.split(" ", 1)[0]!, line.slice(line.indexOf(" ") + 1)] as const);
  if (title !== TITLE || said.map(([name]) => name).join() !== FIELDS.join()) {
    throw new Contradicted(note, "receipt", TITLE, title);
  }
  const { opening, seat, commitment, entropy } = kept;
  const { name, game, hash: opened } = opening;
  const committed = kept.sealed?.hash ?? "";
  const expected: Record<string, string> = { name, game, opened, committed, seat: String(seat), commitment, entropy };
  for (const [name, found] of said.slice(1)) {
    if (found !== expected[name]) throw new Contradicted(note, name, expected[name]!, found);
  }
}

/** Check that a game began with this entropy of the seat. Throws Contradicted. */
export async function checkGenesis(kept: KeptEntropy, seat: number | null, { text, hash }: models.Genesis): Promise<void> {
  const computed = hexOf(await sha256("game\0", new TextEncoder().encode(text)));
  if (hash !== computed) throw contradicted(kept, "hash", computed, hash);
  let found: Record<string, unknown>;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw contradicted(kept, "genesis", "JSON", String(error));
  }
  const { name, salt, game, rules_version, edition, abandoned, options_text, table_text } = kept.opening;
  const expected = { name, salt, game, rules: kept.slug, rules_version, edition, seed_hash: kept.seed_hash, abandoned };
  for (const [field, known] of Object.entries(expected)) {
    if (found?.[field] !== known) throw contradicted(kept, field, known, found?.[field]);
  }
  if (!text.includes(`"options":${options_text},`)) throw contradicted(kept, "options", options_text, found["options"]);
  if (!text.includes(`"table":${table_text},`)) throw contradicted(kept, "table", table_text, found["table"]);
  if (!kept.sealed) throw contradicted(kept, "reveals", "a game that waits for the entropy", "one without");
  const { rows, rows_salt, promises } = kept.sealed;
  const listed = rows.map((row) => [row.place, row.person, row.key, row.commitment, row.signature, row.link]);
  for (const [field, known] of Object.entries({ rows: listed, rows_salt, promises })) {
    if (JSON.stringify(found[field]) !== JSON.stringify(known)) throw contradicted(kept, field, known, found[field]);
  }
  const revealed = JSON.stringify([seat, kept.entropy, null]);
  const reveals = Array.isArray(found["reveals"]) ? found["reveals"] : [];
  const isOwn = seat !== null && rows[seat]?.place === kept.seat;
  if (!isOwn || !reveals.some((reveal) => JSON.stringify(reveal) === revealed)) {
    throw contradicted(kept, "reveals", revealed, found["reveals"]);
  }
  await checkReveals(kept.sealed, kept.opening, found);
  await checkAnswers(kept.sealed, kept.opening, found);
}

/** Check that the opening of a lobby covers what the lobby shows. Throws Contradicted. */
export async function checkOpening(lobby: models.Lobby): Promise<void> {
  const { slug, seed_hash, options, opening } = lobby;
  const { name, salt, game, rules_version, edition, options_text, table_text, abandoned } = opening;
  for (const hex of [salt, seed_hash, abandoned ?? ""]) {
    if (!/^[0-9a-f]*$/.test(hex)) throw new Contradicted("", "opening", "hex and numbers", hex);
  }
  const seedHash = bytesOf(seed_hash);
  const version = new Uint8Array(4);
  new DataView(version.buffer).setUint32(0, rules_version);
  const parts = [bytesOf(salt), uuidBytes(game), slug, version, edition, options_text, table_text, seedHash];
  const terms = await sha256("terms\0", framed(parts));
  const ended = abandoned === null ? new Uint8Array(32) : bytesOf(abandoned);
  const entry = concatenated([Uint8Array.of(OPENED), uuidBytes(name), new Uint8Array(8), terms, seedHash, ended]);
  const computed = hexOf(await sha256(Uint8Array.of(0), entry));
  const check = (field: string, expected: string, found: string): void => {
    if (found !== expected) throw new Contradicted("", field, expected, found);
  };
  check("entry", hexOf(entry), opening.entry);
  check("hash", computed, opening.hash);
  check("options", JSON.stringify(sorted(options)), JSON.stringify(sorted(parsed(options_text))));
  const table = parsed(table_text) as Record<string, unknown> | null;
  for (const field of OF_TABLE) check(field, JSON.stringify(lobby[field]), JSON.stringify(table?.[field]) ?? "nothing");
  witnessesIn(opening);
  decidedWithinMs(opening);
}

function parsed(options: string): unknown {
  try {
    return JSON.parse(options);
  } catch {
    throw new Contradicted("", "opening", "JSON", options);
  }
}

async function commitmentOf(opened: string, seat: number, entropy: string): Promise<string> {
  return hexOf(await sha256("entropy\0", bytesOf(opened), Uint8Array.of(seat >> 8, seat & 255), bytesOf(entropy)));
}

function seatIn({ seats, your_seat }: models.Lobby): models.Seat {
  const seat = seats.find(({ number }) => number === your_seat);
  if (!seat) throw new Contradicted("", "your_seat", "a seat of the lobby", String(your_seat));
  return seat;
}

function isWaiting({ your_seat, status }: models.Lobby): boolean {
  return your_seat !== null && WAITING.has(status);
}

/**
 * The entropy of a client for all lobbies in which it sits.
 *
 * `api` is the plain API, `room` opens the socket of a lobby, and `log` is the server's log.
 */
export class Entropies {
  readonly #api: Operations;
  readonly #room: (lobby: string) => Room;
  readonly #store: EntropyStore | undefined;
  readonly #places = new Map<string, Place>();
  /** The lobbies of games for which this client had to ask. */
  readonly #lobbies = new Map<string, string>();
  readonly #log: Log;
  readonly #signs: Signs;
  readonly #links: Links;
  #counted = 0;

  constructor(api: Operations, room: (lobby: string) => Room, log: Log, store?: EntropyStore, signs: Signs = () => false) {
    this.#signs = signs;
    this.#api = api;
    this.#room = room;
    this.#log = log;
    this.#store = store;
    this.#links = new Links(api, store);
  }

  /**
   * Commit the seat that this client has in a lobby, and follow the lobby until its game starts.
   * Throws Contradicted, RevealedInVain.
   *
   * The seat is taken even if the commitment does not reach the server: the news ask again.
   */
  async add(lobby: models.Lobby): Promise<models.Lobby> {
    if (!isWaiting(lobby)) return lobby;
    const place = this.#placeOf(lobby.id);
    const settled = await this.#alone(place, () => this.#settle(place, lobby)).catch((error: unknown) => {
      if (error instanceof Problem || error instanceof Unreachable) return lobby;
      throw error;
    });
    if (!place.room) void this.#follow(place, (place.room = this.#room(lobby.id)));
    return settled;
  }

  /**
   * Start the game, and wait until it has started. Throws as the API does, Contradicted,
   * StartAbandoned, and StartOverdue.
   */
  async startGame(lobby: string): Promise<models.Start> {
    const place = await this.#followed(lobby);
    const seen = await this.#api.getLobby(lobby);
    await this.#take(place, seen);
    if (place.failure) throw place.failure;
    const start = await this.#start(lobby);
    if (!start.has_started) {
      // The opening that this client checked and kept counts, not the one shown now.
      await this.#started(place, (place.kept ?? seen).opening);
    }
    this.leave(lobby, false);
    await this.checkStart(start.id, lobby);
    return { ...start, has_started: true };
  }

  async #start(lobby: string): Promise<models.Start> {
    for (let failures = 0; ; failures++) {
      try {
        return await this.#api.startGame(lobby);
      } catch (problem) {
        const waits = problem instanceof Problem && AWAITED.has(problem.code);
        if (!waits || failures + 1 === TRIES_MAX) throw problem;
      }
      await sleep(pauseMs(failures));
    }
  }

  /** Wait until the game of a lobby has started, but no longer than its terms allow. */
  async #started(place: Place, opening: models.Opening): Promise<void> {
    const withinMs = decidedWithinMs(opening);
    const room = this.#room(place.lobby);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      room.close();
    }, Math.min(withinMs + GRACE.ms, LONGEST_MS));
    try {
      for await (const news of room) {
        if (news.type !== "news") continue;
        await this.#take(place, news.lobby);
        if (place.failure) throw place.failure;
        if (news.lobby.status === "started") return;
        if (news.lobby.status !== "starting") break;
      }
    } finally {
      clearTimeout(late);
      room.close();
    }
    if (isLate) {
      const lobby = await this.#api.getLobby(place.lobby); // an event may have been lost
      if (lobby.status === "started") return;
      if (lobby.status === "starting" && lobby.opening.hash === opening.hash) {
        throw new StartOverdue(place.lobby, withinMs);
      }
    }
    throw new StartAbandoned(place.lobby);
  }

  /**
   * Check once that a game of this player began with the entropy that they added. Throws
   * Contradicted.
   */
  async checkStart(game: string, lobby?: string): Promise<void> {
    const place = await this.#placeOfGame(game, lobby);
    if (!place?.kept || place.isChecked) return;
    if (place.failure) throw place.failure;
    const { your_seat } = await this.#api.getGame(game);
    if (your_seat !== null) await checkGenesis(place.kept, your_seat, await this.#api.getGenesis(game));
    place.isChecked = true;
    this.#count(place, 0, this.#inVain);
  }

  /** How to sign a command under its id; undefined if this client has no key in the game. */
  async signing(game: string, command: unknown, id: string): Promise<Signing | undefined> {
    const key = await this.keyOf(game);
    return key && new Signing(key.slug, command, (text, head) => signed(key, [text, id], head));
  }

  /** The key of the seat of this client in a game, also if it came from another device. */
  async keyOf(game: string): Promise<SeatKey | undefined> {
    const kept = (await this.#placeOfGame(game))?.kept;
    return (kept && seatKey(kept)) ?? stored<SeatKey>(this.#store, seatKeyName(game));
  }

  /** The receipts of the entropy in a game and in its abandoned starts, until the game has ended. */
  async receiptsOf(game: string): Promise<string[]> {
    const kept = (await this.#placeOfGame(game))?.kept;
    return kept ? receiptsIn(kept) : [];
  }

  /** Keep a key that came from another device. */
  keepKey(game: string, key: SeatKey): void {
    keep(this.#store, seatKeyName(game), key);
  }

  /** Throws RevealedInVain, before a seat is taken in vain as well. */
  checkInVain(): void {
    if (this.#inVain >= IN_VAIN_MAX) throw new RevealedInVain(this.#inVain);
  }

  /** Check that this client still adds entropy in a lobby where it does. Throws Contradicted,
   * RevealedInVain. */
  async checkPlace(lobby: string): Promise<void> {
    if (this.#places.has(lobby)) await this.#followed(lobby);
  }

  /** Add entropy again after starts that were abandoned. */
  goOn(): void {
    this.#setInVain(0);
    for (const place of this.#places.values()) {
      if (place.failure instanceof RevealedInVain) place.failure = undefined;
    }
  }

  /**
   * Check that the seed of a game that has ended is the one that was opened, and that the log still
   * continues what this client saw of it. Throws Contradicted.
   *
   * The server discloses the seed a second or two after the end. A server that does not within
   * some seconds has nothing to compare.
   */
  async checkEnd(game: string): Promise<void> {
    this.#store?.removeItem?.(seatKeyName(game));
    const place = await this.#placeOfGame(game);
    const kept = place?.kept;
    if (!kept) return;
    const { seed, ended } = await this.#disclosed(game);
    if (seed !== null && hexOf(await sha256(bytesOf(seed))) !== kept.seed_hash) {
      throw contradicted(kept, "seed", kept.seed_hash, seed);
    }
    if (ended === "voided") this.#countVoided(place);
    await this.#log.check();
    if (seed !== null) this.#store?.removeItem?.(entropyName(kept.lobby));
  }

  /** Return a game that has ended, with its seed if the server discloses it soon. */
  async #disclosed(game: string): Promise<models.GameInFull> {
    for (let failures = 0; ; failures++) {
      const found = await this.#api.getGame(game);
      if (found.seed !== null || failures + 1 === SEED_TRIES) return found;
      await sleep(pauseMs(failures));
    }
  }

  /** Stop following a lobby; forget it if the player has left. */
  leave(lobby: string, hasLeft = true): void {
    const place = this.#places.get(lobby);
    place?.room?.close();
    if (!hasLeft) return;
    if (place) this.#countInVain(place);
    this.#places.delete(lobby);
    this.#store?.removeItem?.(entropyName(lobby));
  }

  /** Count once that a start ended without a game after the client had revealed. */
  #countInVain(place: Place): void {
    this.#count(place, this.#inVain + 1);
  }

  /** Note how many reveals are in vain after a start, unless a page with this store has done so. */
  #count(place: Place, inVain: number, before: number | null = null): void {
    const kept = this.#shared(place);
    if (!kept?.sealed || kept.isCounted) return;
    this.#keep(place, { ...kept, isCounted: true, before });
    this.#setInVain(inVain);
  }

  /** Count once that a game was voided, as if it had not started. */
  #countVoided(place: Place): void {
    const kept = this.#shared(place);
    if (typeof kept?.before !== "number") return;
    this.#keep(place, { ...kept, before: null });
    this.#setInVain(this.#inVain + kept.before + 1);
  }

  /** Return the newest attempt, by any page with this store. */
  #shared({ lobby, kept }: Place): KeptEntropy | undefined {
    return this.#store ? stored<KeptEntropy>(this.#store, entropyName(lobby)) : kept;
  }

  /** The reveals in a row without a game, of all clients with this store: each page is another one. */
  get #inVain(): number {
    return this.#store ? Number(stored(this.#store, IN_VAIN)) || 0 : this.#counted;
  }

  #setInVain(count: number): void {
    if (count === this.#inVain) return;
    this.#counted = count;
    keep(this.#store, IN_VAIN, count);
  }

  /** Stop following lobbies. */
  close(): void {
    for (const { room } of this.#places.values()) room?.close();
  }

  #placeOf(lobby: string): Place {
    let place = this.#places.get(lobby);
    if (!place) {
      const kept = stored<KeptEntropy>(this.#store, entropyName(lobby));
      const work = Promise.resolve();
      place = { lobby, kept, isChecked: false, version: -1, work, room: undefined, failure: undefined };
      this.#places.set(lobby, place);
    }
    return place;
  }

  async #placeOfGame(game: string, lobby?: string): Promise<Place | undefined> {
    const known = [...this.#places.values()].find(({ kept }) => kept?.opening.game === game);
    if (known || !this.#store) return known;
    const found = lobby ?? this.#lobbies.get(game) ?? (await this.#api.getGame(game)).lobby;
    this.#lobbies.set(game, found);
    const place = this.#placeOf(found);
    return place.kept?.opening.game === game ? place : undefined;
  }

  async #followed(lobby: string): Promise<Place> {
    if (!this.#places.get(lobby)?.room) await this.add(await this.#api.getLobby(lobby));
    const place = this.#placeOf(lobby);
    if (place.failure) throw place.failure;
    return place;
  }

  #alone<T>(place: Place, work: () => Promise<T>): Promise<T> {
    const done = place.work.then(work);
    place.work = done.catch(() => undefined);
    return done;
  }

  /** Follow a lobby, and do what its changes ask for. */
  async #follow(place: Place, room: Room): Promise<void> {
    try {
      for await (const news of room) {
        if (news.type !== "news") continue;
        if (!isWaiting(news.lobby)) {
          if (news.lobby.game === null) this.#countInVain(place);
          break;
        }
        await this.#take(place, news.lobby);
        if (place.failure) break;
      }
    } catch (error) {
      // Nobody could catch it here.
      if (!(error instanceof ServerError)) place.failure = new ServerError("failed", String(error), { cause: error });
      else if (error.code === "nothing_kept") place.failure = error;
      // Else, for instance, the player may not look into this lobby any more.
    } finally {
      room.close();
      place.room = undefined;
    }
  }

  /** Do what the news of a lobby ask for; keep why that failed permanently. */
  async #take(place: Place, lobby: models.Lobby): Promise<void> {
    let told: models.Lobby | undefined = lobby;
    // The lobby may have changed when this is done again.
    const settle = async (): Promise<unknown> => {
      const found = told ?? (await this.#api.getLobby(place.lobby));
      told = undefined;
      return this.#alone(place, () => this.#settle(place, found));
    };
    await persist(settle).catch((error: unknown) => {
      if (error instanceof Contradicted || error instanceof NoEvidence || error instanceof RevealedInVain) place.failure = error;
      // The next news ask again.
      else if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    });
  }

  /** Commit or reveal, as the lobby allows now; return the lobby after that. */
  async #settle(place: Place, lobby: models.Lobby): Promise<models.Lobby> {
    for (let failures = 0; failures < TRIES_MAX; failures++) {
      // Nothing to do, or older than what was settled before.
      if (!isWaiting(lobby) || lobby.version < place.version) return lobby;
      place.version = lobby.version;
      try {
        lobby = await (lobby.status === "open" ? this.#commit(place, lobby) : this.#reveal(place, lobby));
        place.version = lobby.version;
        return lobby;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (AWAITED.has(problem.code)) return lobby; // The news will say when.
        if (!CHANGED.has(problem.code) || failures + 1 === TRIES_MAX) throw problem;
        lobby = await this.#api.getLobby(place.lobby);
      }
    }
    return lobby;
  }

  async #commit(place: Place, lobby: models.Lobby): Promise<models.Lobby> {
    let kept = this.#newest(place);
    const { number: seat, commitment } = seatIn(lobby);
    // The seat was taken on another device, which knows its entropy.
    if (this.#store && !kept && commitment !== null) return lobby;
    const { id, slug, seed_hash, opening } = lobby;
    await checkOpening(lobby);
    if (kept && kept.opening.hash !== opening.hash && opening.abandoned === null) {
      throw contradicted(kept, "opened", kept.opening.hash, opening.hash);
    }
    if (kept && kept.opening.game !== opening.game) throw contradicted(kept, "game", kept.opening.game, opening.game);
    const witnesses = witnessesIn(opening);
    // The next attempt has the witnesses of the one before.
    const gone = kept && witnessesIn(kept.opening).filter((each) => !witnesses.includes(each));
    if (kept && gone?.length) throw contradicted(kept, "witnesses", gone, witnesses);
    if (kept && fits(kept, lobby)) {
      if (commitment === kept.commitment) return lobby;
      if (commitment !== null) throw contradicted(kept, "commitment", kept.commitment, commitment);
    } else {
      if (kept && kept.opening.hash !== opening.hash) this.#countInVain(place);
      if (this.#inVain >= IN_VAIN_MAX) this.leave(lobby.id, false);
      this.checkInVain();
      const entropy = hexOf(crypto.getRandomValues(new Uint8Array(32)));
      const fresh = await commitmentOf(opening.hash, seat, entropy);
      const key = this.#signs(lobby) ? await keyFor(opening.hash, seat, fresh) : undefined;
      kept = this.#newest(place); // Another page may have done the same meanwhile.
      if (!kept || !fits(kept, lobby)) {
        const earlier = kept ? receiptsIn(kept).slice(-EARLIER_MAX) : [];
        kept = { lobby: id, slug, seed_hash, opening, seat, entropy, commitment: fresh, sealed: null, receipt: null, earlier };
        if (key) kept.key = key;
        this.#keep(place, kept);
      }
    }
    const given = { opened: kept.opening.hash, commitment: kept.commitment, ...marked(kept) };
    const committed = await this.#api.commit(id, given);
    if (fits(kept, committed) && seatIn(committed).commitment !== kept.commitment) {
      throw contradicted(kept, "commitment", kept.commitment, seatIn(committed).commitment);
    }
    return committed;
  }

  /** Reveal the entropy if the log has fixed all seats, and the client has checked that. */
  async #reveal(place: Place, lobby: models.Lobby): Promise<models.Lobby> {
    const { has_revealed, commitment } = seatIn(lobby);
    let kept = this.#newest(place);
    if (!kept || !fits(kept, lobby) || !REVEALING.has(lobby.stage)) return lobby;
    if (commitment !== kept.commitment) throw contradicted(kept, "commitment", kept.commitment, commitment);
    if (!has_revealed) {
      if (!kept.sealed) kept = await this.#checkSealed(place, kept, lobby);
      lobby = await this.#api.reveal(lobby.id, { committed: kept.sealed!.hash, entropy: kept.entropy });
    }
    return this.#withReceipt(kept, lobby);
  }

  /** Check what the log has fixed of all seats, and keep it. Throws Contradicted. */
  async #checkSealed(place: Place, kept: KeptEntropy, lobby: models.Lobby): Promise<KeptEntropy> {
    const before = this.#log.newest;
    let found: models.Commitments;
    try {
      found = await this.#api.getCommitments(lobby.id, before ? { since: before.size } : {});
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.code !== "malformed") throw problem;
      throw contradicted(kept, "checkpoint", `${before?.size} entries`, problem.message);
    }
    const { key, signature } = marked(kept);
    const own: Mark = [kept.commitment, key ?? null, signature ?? null];
    await checkCommitments(found, lobby, own, await this.#log.checked(before, found, found.since_path));
    await this.#checkLink(found, lobby);
    const checked = this.#change(place, kept, { sealed: found });
    this.#log.know(found);
    return checked;
  }

  /** Check that the row of the seat has the link that the server opened, and that it follows those
   * before. Throws Contradicted. */
  async #checkLink({ rows, your_link }: models.Commitments, lobby: models.Lobby): Promise<void> {
    const row = rows.find(({ place }) => place === lobby.your_seat);
    const [expected, shown] = [
      [lobby.opening.hash, row!.link],
      [your_link.opened, await hashOf(your_link)],
    ];
    if (shown.join() !== expected.join()) throw refused("link", expected, shown);
    await this.#links.check(seatIn(lobby).user!, your_link);
  }

  /** Check and keep the receipt of a reveal, whose first answer may have been lost. */
  async #withReceipt(kept: KeptEntropy, lobby: models.Lobby): Promise<models.Lobby> {
    if (!WAITING.has(lobby.status) || kept.receipt !== null || !fits(kept, lobby)) return lobby;
    checkReceipt(kept, lobby.your_reveal);
    await this.#log.checkAuthor(lobby.your_reveal!);
    this.#change(this.#placeOf(lobby.id), kept, { receipt: lobby.your_reveal });
    return lobby;
  }

  /** The entropy of a place; pages of one browser share it through the store. */
  #newest(place: Place): KeptEntropy | undefined {
    return (place.kept = stored<KeptEntropy>(this.#store, entropyName(place.lobby)) ?? place.kept);
  }

  /** Keep more of an attempt, unless another page has begun the next one meanwhile. */
  #change(place: Place, kept: KeptEntropy, more: Partial<KeptEntropy>): KeptEntropy {
    const newest = this.#newest(place) ?? kept;
    if (newest.commitment !== kept.commitment) return { ...kept, ...more };
    const changed = { ...newest, ...more };
    this.#keep(place, changed);
    return changed;
  }

  #keep(place: Place, kept: KeptEntropy): void {
    place.kept = kept;
    keep(this.#store, entropyName(place.lobby), kept);
  }
}

function seatKeyName(game: string): string {
  return `railbird.key.${game}`;
}

function entropyName(lobby: string): string {
  return `railbird.entropy.${lobby}`;
}
