// A second verifier of bundles and receipts, written from docs/audit.md. It checks signatures, proofs, hashes, seeds, draws, and the
// tables' rows and purses against the commits; it knows the rules of no game. Node 22.18 or later, nothing else:
//
//   node audit/typescript/verify.ts [--key name+id+base64] [--since CHECKPOINT] FILE...
//
// CHECKPOINT is a file, kept from earlier, that the log has to continue.
// Exit codes: 0 verified, 1 diverged, 2 cannot be read, 3 lacks the proof that would tell.

import { createHash, createHmac, createPublicKey, verify as verifySignature } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";

const LINE_MAX = 16 * 2 ** 20;
const BLIND = 32;
const KINDS = { started: 1, stands: 2, finished: 3, voided: 4 } as const;
const WORD = 1n << 64n;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

/** The first thing that is not what it should be. */
class Diverged extends Error {
  constructor(where: string, field: string, expected: unknown, found: unknown) {
    super(`${where}: ${field}: expected ${expected}, found ${found}`);
  }
}

class Unreadable extends Error {}

/** The file does not bring what would tell; no sign of tampering. */
class Needed extends Error {}

// Reading: whatever has another type than it should have is a divergence, named by its field.

class Reader {
  where: string;

  constructor(where: string) {
    this.where = where;
  }

  at(where: string): Reader {
    return new Reader(where);
  }

  object(value: Json | undefined, field: string): Fields {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw new Diverged(this.where, field, "an object", kindOf(value));
  }

  list(value: Json | undefined, field: string): Json[] {
    if (Array.isArray(value)) return value;
    throw new Diverged(this.where, field, "a list", kindOf(value));
  }

  text(value: Json | undefined, field: string): string {
    if (typeof value === "string") return value;
    throw new Diverged(this.where, field, "a text", kindOf(value));
  }

  integer(value: Json | undefined, field: string): number {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    throw new Diverged(this.where, field, "an integer from 0 to 2^53 - 1", kindOf(value));
  }

  bytes(value: Json | undefined, field: string, length?: number): Buffer {
    const text = this.text(value, field);
    const decoded = Buffer.from(text, "base64");
    if (decoded.toString("base64") !== text || (length !== undefined && decoded.length !== length)) {
      throw new Diverged(this.where, field, length === undefined ? "base64" : `${length} bytes in base64`, "something else");
    }
    return decoded;
  }

  json(bytes: Buffer, field: string): Fields {
    let value: Json;
    try {
      value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      throw new Diverged(this.where, field, "JSON", "something else");
    }
    return this.object(value, field);
  }
}

function kindOf(value: Json | undefined): string {
  return value === undefined ? "nothing" : Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`;
}

// Hashes

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function hmac(key: Uint8Array, ...parts: Uint8Array[]): Buffer {
  const hash = createHmac("sha256", key);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function commitHash(previous: Uint8Array, version: number, digest: Uint8Array): Buffer {
  return sha256(Buffer.from("commit\0"), previous, u64(version), digest);
}

/** One draw: HMAC by rejection, so that no value is likelier than another. */
function drawn(key: Uint8Array, number: number, bound: number): number {
  const limit = WORD - (WORD % BigInt(bound));
  for (let attempt = 0; ; attempt++) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(attempt);
    const word = hmac(key, Buffer.from("draw"), u64(number), count).readBigUInt64BE();
    if (word < limit) return Number(word % BigInt(bound));
  }
}

// The log

type Checkpoint = { origin: string; size: number; root: Buffer };
type Key = { name: string; id: string; point: Buffer };

function parseKey(text: string): Key {
  const [name, id, ...rest] = text.split("+");
  const point = Buffer.from(rest.join("+"), "base64");
  const key = { name: name ?? "", id: id ?? "", point: point.subarray(1) };
  const expected = sha256(Buffer.from(`${key.name}\n`), point).subarray(0, 4).toString("hex");
  if (point.length !== 33 || point[0] !== 1 || expected !== key.id) throw new Diverged("log", "keys", "an Ed25519 key", text);
  return key;
}

function hasSigned(key: Key, text: string, signature: Buffer): boolean {
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), key.point]);
  return verifySignature(null, Buffer.from(text), createPublicKey({ key: spki, format: "der", type: "spki" }), signature);
}

/** The checkpoint in a note that one of the keys has signed. */
function opened(note: string, keys: Key[]): Checkpoint {
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) throw new Diverged("log", "checkpoint", "a signed note", "something else");
  const text = note.slice(0, end + 1);
  const found: string[] = [];
  let signed = false;
  for (const line of note.slice(end + 2, -1).split("\n")) {
    const match = /^— (\S+) (\S+)$/u.exec(line);
    if (match === null) throw new Diverged("log", "checkpoint", "a signature", JSON.stringify(line));
    const signature = Buffer.from(match[2]!, "base64");
    const id = signature.subarray(0, 4).toString("hex");
    found.push(`${match[1]}+${id}`);
    const key = keys.find((each) => each.name === match[1] && each.id === id);
    if (key === undefined) continue;
    if (!hasSigned(key, text, signature.subarray(4))) throw new Diverged("log", "signature", "one that fits", `${key.name}+${key.id}`);
    signed = true;
  }
  if (!signed) throw new Diverged("log", "signature", keys.map((key) => `one by ${key.name}+${key.id}`).join(", "), found.join(", "));
  const [origin, size, root] = text.split("\n");
  if (!origin || !/^(0|[1-9][0-9]{0,15})$/.test(size ?? "")) throw new Diverged("log", "checkpoint", "a checkpoint", "something else");
  return { origin, size: Number(size), root: new Reader("log").bytes(root, "root", 32) };
}

/** The entry is in the tree: RFC 9162, section 2.1.3.2. */
function checkIncluded(entry: Buffer, proof: Json | undefined, log: Checkpoint, reader: Reader, field: string): void {
  const fields = reader.object(proof, field);
  const index = reader.integer(fields.index, field);
  const path = reader.list(fields.path, field).map((hash) => reader.bytes(hash, field, 32));
  let hash = sha256(Buffer.from([0]), entry);
  let place = BigInt(index);
  let last = BigInt(log.size) - 1n;
  let fits = index < log.size;
  for (const neighbour of path) {
    fits &&= last > 0n;
    if (place & 1n || place === last) {
      hash = sha256(Buffer.from([1]), neighbour, hash);
      while (!(place & 1n) && place > 0n) [place, last] = [place >> 1n, last >> 1n];
    } else {
      hash = sha256(Buffer.from([1]), hash, neighbour);
    }
    [place, last] = [place >> 1n, last >> 1n];
  }
  if (!fits || last !== 0n || !hash.equals(log.root)) {
    throw new Diverged(reader.where, field, `an entry under the root ${log.root.toString("hex")}`, hash.toString("hex"));
  }
}

function entryOf(kind: keyof typeof KINDS, game: string, version: number, hash: Uint8Array, luck: Uint8Array): Buffer {
  const id = Buffer.from(game.replaceAll("-", ""), "hex");
  return Buffer.concat([Buffer.from([KINDS[kind]]), id, u64(version), hash, luck]);
}

/** The later tree begins with the earlier one: RFC 9162, section 2.1.4.2. */
function continues(old: Checkpoint, log: Checkpoint, path: Buffer[]): boolean {
  if (old.size === 0) return path.length === 0 && old.root.equals(sha256());
  if (old.size === log.size) return path.length === 0 && old.root.equals(log.root);
  let place = BigInt(old.size) - 1n;
  let last = BigInt(log.size) - 1n;
  const isPowerOfTwo = (BigInt(old.size) & place) === 0n;
  const [start, ...rest] = isPowerOfTwo ? [old.root, ...path] : path;
  if (start === undefined) return false;
  while (place & 1n) [place, last] = [place >> 1n, last >> 1n];
  let before = start;
  let after = start;
  for (const neighbour of rest) {
    if (last === 0n) return false;
    if (place & 1n || place === last) {
      before = sha256(Buffer.from([1]), neighbour, before);
      after = sha256(Buffer.from([1]), neighbour, after);
      while (!(place & 1n) && place > 0n) [place, last] = [place >> 1n, last >> 1n];
    } else {
      after = sha256(Buffer.from([1]), after, neighbour);
    }
    [place, last] = [place >> 1n, last >> 1n];
  }
  return last === 0n && before.equals(old.root) && after.equals(log.root);
}

function checkSince(signed: Fields, log: Checkpoint, note: string, keys: Key[]): void {
  let old: Checkpoint;
  try {
    old = opened(note, keys);
  } catch (error) {
    throw new Needed(`needs an earlier checkpoint of this log to compare with: ${(error as Error).message}`);
  }
  if (old.origin !== log.origin) throw new Diverged("log", "origin", old.origin, log.origin);
  if (old.size > log.size) throw new Needed(`needs a file that is newer than the checkpoint at ${old.size}`);
  const reader = new Reader("log");
  const since = signed.since === undefined || signed.since === null ? null : reader.object(signed.since, "since");
  const proved = since !== null && reader.integer(since.size, "since") === old.size;
  if (!proved && old.size !== 0 && old.size !== log.size) throw new Needed(`needs a proof since ${old.size}`);
  const path = proved ? reader.list(since.path, "since").map((hash) => reader.bytes(hash, "since", 32)) : [];
  if (!continues(old, log, path)) {
    throw new Diverged("log", "history", `a log that continues the checkpoint at ${old.size}`, `another one at ${log.size}`);
  }
}

function openLog(signed: Fields, trusted: Key[], since: string | null): Checkpoint {
  const reader = new Reader("log");
  const named = reader.list(signed.keys, "keys").map((key) => parseKey(reader.text(key, "keys")));
  const keys = trusted.length > 0 ? trusted : named;
  const log = opened(reader.text(signed.checkpoint, "checkpoint"), keys);
  if (since !== null) checkSince(signed, log, since, keys);
  return log;
}

// Games

class Luck {
  key: Buffer;
  next = -1;
  count = 0;

  constructor(key: Buffer, next: number) {
    this.key = key;
    this.next = next;
  }

  /** The commit's blind and draws follow from the key, and the draws from one another. */
  check(body: Buffer, version: number, reader: Reader): Fields {
    const blind = hmac(this.key, Buffer.from("blind"), u64(version));
    if (!blind.equals(body.subarray(0, BLIND))) {
      throw new Diverged(reader.where, "blind", blind.toString("hex"), body.subarray(0, BLIND).toString("hex"));
    }
    const content = reader.json(body.subarray(BLIND), "body");
    if (content.version !== version) throw new Diverged(reader.where, "body.version", version, content.version);
    for (const each of reader.list(content.draws, "draws")) {
      const [number, bound, value] = reader.list(each, "draws").map((part) => reader.integer(part, "draws"));
      if (number === undefined || bound === undefined || bound < 1 || value === undefined || (this.next >= 0 && number !== this.next)) {
        throw new Diverged(reader.where, "draws", `draw ${this.next}`, JSON.stringify(each));
      }
      const again = drawn(this.key, number, bound);
      if (again !== value) throw new Diverged(reader.where, "draws", `${again} as draw ${number}`, value);
      this.next = number + 1;
      this.count++;
    }
    return content;
  }
}

type Opening = { game: string; genesis: Buffer; hash: Buffer; promised: Buffer };

function openGame(part: Fields, log: Checkpoint): Opening {
  const reader = new Reader("version 0");
  const genesis = reader.bytes(part.genesis, "genesis");
  const fields = reader.json(genesis, "genesis");
  const game = reader.text(fields.game, "genesis");
  const promised = Buffer.from(reader.text(fields.seed_hash, "genesis"), "hex");
  const hash = sha256(Buffer.from("game\0"), genesis);
  checkIncluded(entryOf("started", game, 0, hash, promised), part.started, log, reader.at(`game ${game} version 0`), "genesis");
  return { game, genesis, hash, promised };
}

function keyOf(opening: Opening, seed: Buffer): Buffer {
  const found = sha256(seed);
  if (!found.equals(opening.promised)) {
    throw new Diverged(`game ${opening.game} version 0`, "seed", opening.promised.toString("hex"), found.toString("hex"));
  }
  return hmac(seed, Buffer.from("key"), opening.genesis);
}

/** What everybody was told of bets in a commit: the rows of those placed, and of those settled or void. */
function rowsOfBets(content: Fields, reader: Reader): { bets: Json[][]; settlements: Json[][] } {
  const [bets, settlements]: [Json[][], Json[][]] = [[], []];
  for (const each of reader.list(content.events, "events")) {
    const event = reader.object(each, "events");
    if (event.only !== undefined && event.only !== null) continue;
    if (event.type === "bet_placed") bets.push([event.bet!, event.seat!, event.spot!, event.stake!, event.odds!]);
    if (event.type === "bet_settled") settlements.push([event.bet!, event.outcome!, event.payout!]);
    if (event.type === "bet_voided") settlements.push([event.bet!, "void", event.payout!]);
  }
  settlements.sort((one, other) => Number(one[0]) - Number(other[0]));
  return { bets, settlements };
}

function checkSame(reader: Reader, field: string, expected: Json, found: Json | undefined): void {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)];
  if (wanted !== got) throw new Diverged(reader.where, field, wanted, got);
}

/** What the tables say of commits, against what the commits say. */
class Books {
  counts: { [name: string]: number } = { bets: 0, settlements: 0, transfers: 0 };
  purses = new Map<string, number>();

  check(commit: Fields, content: Fields, reader: Reader): void {
    const transfers = reader.list(content.transfers, "transfers");
    const rows: { [name: string]: Json[] } = { ...rowsOfBets(content, reader), transfers };
    for (const [name, expected] of Object.entries(rows)) {
      checkSame(reader, `rows of ${name}`, expected, commit[name] ?? []);
      this.counts[name]! += expected.length;
    }
    for (const each of transfers) {
      const [debit, credit, amount] = reader.list(each, "transfers");
      this.add(reader.text(debit, "transfers"), -reader.integer(amount, "transfers"));
      this.add(reader.text(credit, "transfers"), reader.integer(amount, "transfers"));
    }
  }

  add(purse: string, amount: number): void {
    this.purses.set(purse, (this.purses.get(purse) ?? 0) + amount);
  }

  checkEnd(end: Fields, reader: Reader): void {
    for (const [name, count] of Object.entries(this.counts)) {
      if (end[name] !== count) throw new Diverged(reader.where, `rows of ${name}`, count, end[name]);
    }
    const found = reader.object(end.purses, "purses");
    for (const purse of new Set([...this.purses.keys(), ...Object.keys(found)])) {
      const expected = this.purses.get(purse) ?? 0;
      if (found[purse] !== expected) throw new Diverged(reader.where, `purses: ${purse}`, expected, found[purse]);
    }
  }
}

function verifyGame(parts: Parts, log: Checkpoint, counts: Counts): void {
  const part = parts.next("version 0", ["game"]);
  const opening = openGame(part, log);
  const seed = new Reader(`game ${opening.game} version 0`).bytes(part.seed, "seed", 32);
  const luck = new Luck(keyOf(opening, seed), 0);
  const books = new Books();
  let hash = opening.hash;
  for (let version = 1; ; version++) {
    const reader = new Reader(`game ${opening.game} version ${version}`);
    const commit = parts.next(reader.where, ["commit", "end"]);
    if (commit.type === "end") {
      books.checkEnd(commit, reader.at(`game ${opening.game} version ${version - 1}`));
      verifyEnd(commit, opening, version - 1, hash, seed, log);
      counts.games++;
      return;
    }
    if (commit.version !== version) throw new Diverged(reader.where, "version", version, commit.version);
    const body = reader.bytes(commit.body, "body");
    hash = commitHash(hash, version, sha256(body));
    const found = reader.bytes(commit.hash, "hash", 32);
    if (!hash.equals(found)) throw new Diverged(reader.where, "hash", hash.toString("hex"), found.toString("hex"));
    const before = luck.count;
    const content = luck.check(body, version, reader);
    if ((content.seat ?? null) !== (commit.seat ?? null)) throw new Diverged(reader.where, "seat", content.seat, commit.seat);
    books.check(commit, content, reader);
    counts.commits++;
    counts.draws += luck.count - before;
  }
}

function verifyEnd(end: Fields, opening: Opening, version: number, hash: Buffer, seed: Buffer, log: Checkpoint): void {
  const reader = new Reader(`game ${opening.game} version ${version}`);
  if (end.commits !== version) throw new Diverged(reader.where, "commits", version, end.commits);
  if (end.how !== "finished" && end.how !== "voided") throw new Diverged(reader.where, "end", "finished or voided", end.how);
  checkIncluded(entryOf(end.how, opening.game, version, hash, seed), end.ended, log, reader, "end");
}

/** What a receipt tells of its bet is all that the commits from the bet on say of it. */
class Story {
  bet: Json[];
  told: Json[][];
  fates: Json[][] = [];

  constructor(receipt: Fields, reader: Reader) {
    this.bet = reader.list(receipt.bet, "bet");
    this.told = reader.list(receipt.fates, "fates").map((fate) => reader.list(fate, "fates"));
  }

  check(content: Fields, version: number, isFirst: boolean, reader: Reader): void {
    const isCalledOff = this.isCalledOffBy(content, reader);
    const { bets, settlements } = rowsOfBets(content, reader);
    const placed = bets.filter(([bet]) => bet === this.bet[0]);
    checkSame(reader, "bet", placed, isFirst ? [this.bet] : []);
    const fates = settlements.filter(([bet]) => bet === this.bet[0]).map(([, ...fate]) => [version, ...fate]);
    checkSame(reader, "fates", fates, this.told.filter(([where]) => where === version));
    if (fates.length > 1 || (fates.length > 0 && this.fates.length > 0 && !isCalledOff)) {
      throw new Diverged(reader.where, "fates", "one settlement, and a correction if there is one", JSON.stringify(fates));
    }
    this.fates.push(...fates);
  }

  /** Who runs the server calls a bet off once, and says of it what was said before. */
  isCalledOffBy(content: Fields, reader: Reader): boolean {
    const command = reader.object(content.command, "command");
    const [bet, seat, , stake] = this.bet;
    if (content.seat !== null || command.type !== "voided_bet" || command.bet !== bet) return false;
    const before = this.fates.at(-1);
    checkSame(reader, "command", [seat!, stake!, before?.[2] ?? null], [command.seat!, command.stake!, command.payout!]);
    if (before?.[1] === "void") throw new Diverged(reader.where, "command", "a bet that is not void", JSON.stringify(command));
    return true;
  }
}

function verifyReceipt(receipt: Fields, log: Checkpoint, counts: Counts): void {
  const opening = openGame(receipt, log);
  const reader = new Reader(`game ${opening.game}`);
  if (receipt.game !== opening.game) throw new Diverged(reader.where, "game", opening.game, receipt.game);
  const isOver = receipt.how !== null;
  const links = reader.list(isOver ? receipt.bodies : receipt.digests, isOver ? "bodies" : "digests");
  const others = isOver ? [receipt.digests] : [receipt.bodies, receipt.fates];
  if (links.length === 0 || others.some((each) => reader.list(each, "receipt").length > 0) || isOver !== (receipt.seed !== null)) {
    throw new Diverged(reader.where, "receipt", "how, seed and bodies, or digests alone", "something else");
  }
  const seed = isOver ? reader.bytes(receipt.seed, "seed", 32) : null;
  const luck = seed === null ? null : new Luck(keyOf(opening, seed), -1);
  const story = new Story(receipt, reader);
  let hash = reader.bytes(receipt.previous, "previous", 32);
  const first = reader.integer(receipt.version, "version");
  let version = first - 1;
  if (version === 0 && !hash.equals(opening.hash)) {
    throw new Diverged(reader.where, "previous", opening.hash.toString("hex"), hash.toString("hex"));
  }
  for (const link of links) {
    version++;
    const here = reader.at(`game ${opening.game} version ${version}`);
    if (luck === null) {
      hash = commitHash(hash, version, here.bytes(link, "digests", 32));
    } else {
      const body = here.bytes(link, "bodies");
      story.check(luck.check(body, version, here), version, version === first, here);
      hash = commitHash(hash, version, sha256(body));
    }
    counts.commits++;
  }
  counts.draws += luck?.count ?? 0;
  const last = reader.at(`game ${opening.game} version ${version}`);
  checkSame(last, "fates", story.fates, story.told);
  const how = receipt.how;
  if (how !== null && how !== "finished" && how !== "voided") throw new Diverged(last.where, "how", "a way to end", how);
  checkIncluded(entryOf(how ?? "stands", opening.game, version, hash, seed ?? Buffer.alloc(0)), receipt.entry, log, last, "hash");
}

// Files

type Counts = { games: number; commits: number; draws: number };

/** The lines of a file, one at a time, none longer than it may be. */
class Parts {
  file: number;
  rest: Buffer = Buffer.alloc(0);
  number = 0;

  constructor(file: number) {
    this.file = file;
  }

  /** The next line without its end; null when there is no whole line any more. */
  line(): Buffer | null {
    const chunks = [this.rest];
    let length = this.rest.length;
    let end = this.rest.indexOf(10);
    while (end < 0) {
      const chunk = Buffer.alloc(65_536);
      const read = readSync(this.file, chunk);
      if (read === 0 || length + read > LINE_MAX) {
        this.rest = Buffer.concat(chunks);
        return null;
      }
      const found = chunk.subarray(0, read).indexOf(10);
      if (found >= 0) end = length + found;
      chunks.push(chunk.subarray(0, read));
      length += read;
    }
    const all = Buffer.concat(chunks);
    this.rest = all.subarray(end + 1);
    this.number++;
    return all.subarray(0, end);
  }

  next(where: string, kinds: string[]): Fields {
    const line = this.line();
    const field = `line ${this.number + (line === null ? 1 : 0)}`;
    if (line === null) throw new Diverged(where, field, kinds.join(" or "), "no whole line");
    const part = new Reader(where).json(line, field);
    if (!kinds.includes(String(part.type))) throw new Diverged(where, field, kinds.join(" or "), String(part.type));
    return part;
  }
}

function first(parts: Parts): Fields {
  try {
    return parts.next("file", ["bundle", "receipt"]);
  } catch (error) {
    throw new Unreadable(`neither a bundle nor a receipt: ${(error as Error).message}`);
  }
}

/** Verify one file; answers what was gone through. */
export function verifyFile(name: string, trusted: Key[], since: string | null): Counts & { log: Checkpoint } {
  const file = openSync(name, "r");
  try {
    const parts = new Parts(file);
    const header = first(parts);
    const reader = new Reader("log");
    const log = openLog(reader.object(header.log, "log"), trusted, since);
    const counts = { games: 0, commits: 0, draws: 0 };
    if (header.format !== 1) throw new Diverged("log", "format", 1, header.format);
    if (header.type === "receipt") verifyReceipt(header, log, counts);
    else for (let game = reader.integer(header.games, "games"); game > 0; game--) verifyGame(parts, log, counts);
    if (parts.line() !== null || parts.rest.length > 0) throw new Diverged("log", "file", "its end", "more");
    return { ...counts, log };
  } finally {
    closeSync(file);
  }
}

function main(): number {
  const trusted: Key[] = [];
  const names: string[] = [];
  let since: string | null = null;
  const words = process.argv.slice(2);
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === "--key") trusted.push(parseKey(words.shift() ?? ""));
    else if (word === "--since") since = readFileSync(words.shift() ?? "", "utf-8");
    else names.push(word);
  }
  let worst = names.length > 0 ? 0 : 2;
  for (const name of names) {
    let said: string;
    try {
      const { games, commits, draws, log } = verifyFile(name, trusted, since);
      said = `verified: ${games} games, ${commits} commits, ${draws} draws; log ${log.origin} at ${log.size}`;
    } catch (error) {
      const isJudged = error instanceof Diverged || error instanceof Needed;
      said = isJudged ? error.message : `cannot be read: ${(error as Error).message}`;
      worst = Math.max(worst, error instanceof Diverged ? 1 : error instanceof Needed ? 3 : 2);
    }
    console.log(`${name}: ${said}`.replace(/[^\x20-\x7e\u00a0-\uffff]/g, "?"));
  }
  return worst;
}

process.exitCode = main();
