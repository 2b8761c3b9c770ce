// A second verifier of bundles and receipts, written from docs/formats.md. It checks form,
// signatures, proofs, hashes, seeds and draws, and compares the tables' rows, bets and purses with
// the commits. It does not know the rules of any game. It needs only Node 22.18 or later:
//
//   node audit/typescript/verify.ts [--key KEY] [--since CHECKPOINT] [--origin NAME]
//     [--witness KEY [--quorum K]] [--acknowledgements NOTES] [--person PROOF]
//     [--links LINKS] FILE...
//
// KEY is name+id+base64, or a file of such keys. CHECKPOINT is a file with an earlier checkpoint,
// which the log must continue. NOTES is a file of signed notes that a player kept. PROOF is a file
// that says who sat in a seat. LINKS is a file that joins the starts of a user's games. - is the
// standard input.
// Exit codes: 0 verified, 1 diverged, 2 unreadable, 3 a proof is missing, 5 notes by nobody whom the
// log names, which prove nothing, 141 nobody reads the output any more.

import { createHash, createHmac, createPublicKey, verify as verifySignature } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { parseArgs } from "node:util";

const LINE_MAX = 16 * 2 ** 20;
const DEPTH_MAX = 64;
const COMMAS_MAX = 2 ** 18;
const SHOWN_MAX = 400;
/** The exit code that a shell reports for a program that SIGPIPE ended. */
const GONE = 141;
const BLIND = 32;
const KINDS = {
  started: 1,
  advanced: 2,
  finished: 3,
  voided: 4,
  diverged: 5,
  opened: 6,
  abandoned: 7,
  key: 8,
  restored: 10,
  committed: 11,
  revealed: 12,
} as const;
/** The bytes of the payloads of entries inside a game. */
const PAYLOADS = { advanced: 0, finished: 32, voided: 32, diverged: 32, restored: 40 } as const;
const WORD = 1n << 64n;

/** A part of a file that has been checked, and how many commits so far. */
export type Progress = (
  passed: "log" | "opening" | "commits" | "money" | "end",
  commits: number,
) => void;

/** The first divergence of a file. */
export class Diverged extends Error {
  constructor(where: string, field: string, expected: unknown, found: unknown) {
    super(`${where}: ${field}: expected ${shortened(expected)}, found ${shortened(found)}`);
  }
}

/** A malformed part of a file. The caller decides whether that is a divergence. */
class Malformed extends Error {}

export class Unreadable extends Error {}

/** A proof is missing from the file. This is no sign of tampering. */
export class Needed extends Error {}

/** A signed note by nobody whom the log names. */
class Unproven extends Diverged {}

/** Files do not confirm notes, each of which was printed; `code` is the exit code. */
class Contradicted extends Error {
  code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

function shortened(value: unknown): string {
  const text = String(value);
  return text.length <= SHOWN_MAX
    ? text
    : `${text.slice(0, SHOWN_MAX)}... (${text.length} characters)`;
}

/** Returns the result of `reading`; turns Malformed into a divergence of this field. */
function judged<T>(where: string, field: string, expected: string, reading: () => T): T {
  try {
    return reading();
  } catch (error) {
    if (error instanceof Malformed) throw new Diverged(where, field, expected, error.message);
    throw error;
  }
}

// A form describes the values of a field. It takes a JSON value, or undefined if the field is
// absent, and returns the decoded value.

type Json = null | boolean | number | string | Json[] | Fields;
type Fields = { [name: string]: Json };
type Form<T> = (value: Json | undefined, name: string) => T;
type Forms = { [name: string]: Form<unknown> };
type Of<F> = F extends Form<infer T> ? T : never;

function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Parses JSON in UTF-8 that every parser reads alike: no byte order mark, no lone surrogates, no
 * duplicate names in an object, only plain integers within 2^53 - 1 of zero, at most 64 levels and
 * 2^18 commas. */
function parsed(bytes: Uint8Array): Json {
  return parsedWithTexts(bytes)[0];
}

/** Also returns the text of each value of the outermost object. */
function parsedWithTexts(bytes: Uint8Array): [Json, Map<string, string>] {
  try {
    const reader = new Reader(utf8(bytes));
    return [reader.document(), reader.texts];
  } catch (error) {
    throw new Malformed(`invalid JSON: ${(error as Error).message}`);
  }
}

class Reader {
  text: string;
  place = 0;
  commas = 0;
  texts = new Map<string, string>();

  constructor(text: string) {
    this.text = text;
  }

  document(): Json {
    const value = this.value(0);
    if (this.peek() !== "") this.fail("the end");
    return value;
  }

  fail(expected: string): never {
    throw new Malformed(`expected ${expected} at character ${this.place}`);
  }

  /** Returns the next character after white space. */
  peek(): string {
    while (this.place < this.text.length && " \t\n\r".includes(this.text[this.place]!))
      this.place++;
    return this.text[this.place] ?? "";
  }

  take(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.place++;
    if (wanted === "," && ++this.commas > COMMAS_MAX) this.fail(`at most ${COMMAS_MAX} commas`);
    return true;
  }

  value(depth: number): Json {
    const first = this.peek();
    if (depth === DEPTH_MAX && (first === "{" || first === "["))
      this.fail(`at most ${DEPTH_MAX} levels`);
    if (first === '"') return this.string();
    if (this.take("[")) return this.list(depth + 1);
    if (this.take("{")) return this.object(depth + 1);
    return this.word();
  }

  list(depth: number): Json[] {
    const found: Json[] = [];
    if (this.take("]")) return found;
    do found.push(this.value(depth));
    while (this.take(","));
    return this.take("]") ? found : this.fail("] or a comma");
  }

  object(depth: number): Fields {
    const found = Object.create(null) as Fields;
    if (this.take("}")) return found;
    do {
      if (this.peek() !== '"') this.fail("a name");
      const name = this.string();
      if (Object.hasOwn(found, name)) this.fail("no name twice in an object");
      if (!this.take(":")) this.fail("a colon");
      this.peek();
      const start = this.place;
      found[name] = this.value(depth);
      if (depth === 1) this.texts.set(name, this.text.slice(start, this.place));
    } while (this.take(","));
    return this.take("}") ? found : this.fail("} or a comma");
  }

  string(): string {
    const start = this.place;
    for (
      let end = this.text.indexOf('"', start + 1);
      end > 0;
      end = this.text.indexOf('"', end + 1)
    ) {
      let slashes = 0;
      while (this.text[end - 1 - slashes] === "\\") slashes++;
      if (slashes % 2 === 1) continue;
      const found = JSON.parse(this.text.slice(start, end + 1)) as string;
      if (!found.isWellFormed()) this.fail("no lone surrogate");
      this.place = end + 1;
      return found;
    }
    return this.fail("the end of a string");
  }

  word(): Json {
    const word = /[-+.\w]{0,40}/y;
    word.lastIndex = this.place;
    const found = word.exec(this.text)![0];
    this.place += found.length;
    if (found === "true" || found === "false") return found === "true";
    if (found === "null") return null;
    const number = /^-?(0|[1-9][0-9]{0,15})$/.test(found) ? Number(found) : NaN;
    return Number.isSafeInteger(number)
      ? number
      : this.fail("a plain integer within 2^53 - 1 of zero");
  }
}

function malformed(name: string, expected: unknown, value: Json | undefined): never {
  const kind = Array.isArray(value) ? "a list" : value === undefined ? "nothing" : "an object";
  const isPlain = value !== undefined && (value === null || typeof value !== "object");
  const found = isPlain ? shortened(JSON.stringify(value)) : kind;
  throw new Malformed(`${name}: expected ${expected}, found ${found}`);
}

const anything: Form<Json> = (value, name) =>
  value === undefined ? malformed(name, "a value", value) : value;

function nothing(value: Json | undefined, name: string): null {
  return value === null ? null : malformed(name, "null", value);
}

function integer(least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Form<number> {
  return (value, name) => {
    if (typeof value === "number" && value >= least && value <= most) return value;
    return malformed(name, `an integer from ${least} to ${most}`, value);
  };
}

function text(most = Infinity): Form<string> {
  return (value, name) => {
    if (typeof value === "string" && !isLonger(value, most)) return value;
    return malformed(
      name,
      most === Infinity ? "a text" : `a text of at most ${most} characters`,
      value,
    );
  };
}

/** Lengths count characters, which are one or two units of UTF-16 each. */
function isLonger(value: string, most: number): boolean {
  return value.length > most && (value.length > 2 * most || Array.from(value).length > most);
}

function matching(pattern: RegExp, what: string): Form<string> {
  return (value, name) =>
    typeof value === "string" && pattern.test(value) ? value : malformed(name, what, value);
}

function oneOf<W extends string | number | boolean>(...words: W[]): Form<W> {
  return (value, name) =>
    words.find((word) => word === value) ?? malformed(name, words.join(" or "), value);
}

/** Base64 with padding. The unused bits of its last character are ignored. */
function bytes(length?: number): Form<Buffer> {
  return (value, name) => {
    const found = decoded(typeof value === "string" ? value : "?");
    if (found !== null && (length === undefined || found.length === length)) return found;
    return malformed(name, length === undefined ? "base64" : `${length} bytes in base64`, value);
  };
}

function upTo(most: number): Form<Buffer> {
  return (value, name) => {
    const found = bytes()(value, name);
    return found.length <= most ? found : malformed(name, `up to ${most} bytes`, value);
  };
}

function decoded(base64: string): Buffer | null {
  const isBase64 = base64.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(base64.replace(/={1,2}$/, ""));
  return isBase64 ? Buffer.from(base64, "base64") : null;
}

function list<T>(form: Form<T>, most = Infinity): Form<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) return malformed(name, "a list", value);
    if (value.length > most)
      throw new Malformed(`${name}: expected at most ${most}, found ${value.length}`);
    return value.map((each) => form(each, name));
  };
}

/** A list with one value for each of these forms. */
function row<F extends Form<unknown>[]>(...forms: F): Form<{ [K in keyof F]: Of<F[K]> }> {
  return (value, name) => {
    if (!Array.isArray(value) || value.length !== forms.length)
      return malformed(name, `a list of ${forms.length}`, value);
    return forms.map((form, place) => form(value[place], name)) as { [K in keyof F]: Of<F[K]> };
  };
}

function object(value: Json | undefined, name: string): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value
    : malformed(name, "an object", value);
}

/** An object with these fields and no others. */
function record<F extends Forms>(fields: F): Form<{ [K in keyof F]: Of<F[K]> }> {
  return (value, name) => {
    const found = object(value, name);
    const other = Object.keys(found).find((field) => !Object.hasOwn(fields, field));
    if (other !== undefined) malformed(name, "no other fields than its own", other);
    const read = Object.entries(fields).map(([field, form]) => [
      field,
      form(found[field], `${name}.${field}`),
    ]);
    return Object.fromEntries(read) as { [K in keyof F]: Of<F[K]> };
  };
}

/** Records whose `type` determines their fields. */
function byKind<T extends { [kind: string]: Forms }>(kinds: T) {
  const forms = Object.entries(kinds).map(([kind, fields]) => [
    kind,
    record({ type: oneOf(kind), ...fields }),
  ]);
  return Object.fromEntries(forms) as {
    [K in keyof T]: Form<{ type: K } & { [F in keyof T[K]]: Of<T[K][F]> }>;
  };
}

/** Decodes a record of one of these kinds. */
function read<F extends Forms>(forms: F, value: Json, name: string): Of<F[keyof F]> {
  const { type } = object(value, name);
  if (typeof type === "string" && Object.hasOwn(forms, type))
    return forms[type]!(value, type) as Of<F[keyof F]>;
  return malformed(`${name}.type`, Object.keys(forms).join(" or "), type);
}

function byName<T>(form: Form<T>): Form<Map<string, T>> {
  return (value, name) =>
    new Map(
      Object.entries(object(value, name)).map(([key, each]) => [key, form(each, `${name}.${key}`)]),
    );
}

function optional<T>(form: Form<T>, otherwise: T): Form<T> {
  return (value, name) => (value === undefined ? otherwise : form(value, name));
}

function nullable<T>(form: Form<T>): Form<T | null> {
  return (value, name) => (value === null ? null : form(value, name));
}

// The forms of docs/formats.md: for the lines of a file and for the bytes in them.

const AMOUNT = integer();
const COUNT = integer(0);
const TEXT = text();
const HASH = bytes(32);
const VERSION = integer(1, 2 ** 31 - 1);
const UUID: Form<string> = (value, name) => {
  const digits = matching(/^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i, "a UUID")(
    value,
    name,
  );
  return digits
    .toLowerCase()
    .replaceAll("-", "")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

const PLACE = integer(0, 2 ** 15 - 1);
const HEX = matching(/^[0-9a-f]{64}$/, "32 bytes in hex");
const HEX64 = matching(/^[0-9a-f]{128}$/, "64 bytes in hex");
const FORMAT = optional(oneOf(2), 2);
const PATH = list(HASH, 128);
const PROOF = record({ index: COUNT, path: PATH });
const SINCE = record({ size: COUNT, path: PATH });
const LOG = record({
  checkpoint: text(65_536),
  keys: list(text(400), 64),
  since: optional(nullable(SINCE), null),
});
const BET_ROW = row(COUNT, COUNT, TEXT, AMOUNT, TEXT);
const SETTLEMENT_ROW = row(COUNT, TEXT, AMOUNT);
const TRANSFER_ROW = row(TEXT, TEXT, integer(1), TEXT);
const ENDED = oneOf("finished", "voided");

/** The proofs of the entries that a game begins with. */
const START = {
  opened: PROOF,
  committed: optional(nullable(PROOF), null),
  revealed: optional(nullable(PROOF), null),
  started: PROOF,
};

const LINES = byKind({
  bundle: {
    format: FORMAT,
    games: integer(0, 10_000),
    log: LOG,
    signers: optional(list(record({ entry: bytes(), proof: PROOF }), 1024), []),
  },
  game: { genesis: bytes(), seed: HASH, ...START },
  abandoned: {
    name: UUID,
    terms: HASH,
    seed: HASH,
    committed: optional(nullable(HASH), null),
    missing: optional(list(PLACE), []),
    reveals: list(row(PLACE, HASH)),
    abandoned: optional(nullable(HASH), null),
    opened: PROOF,
    ended: PROOF,
  },
  commit: {
    version: VERSION,
    seat: optional(nullable(COUNT), null),
    body: bytes(),
    hash: HASH,
    bets: optional(list(BET_ROW), []),
    settlements: optional(list(SETTLEMENT_ROW), []),
    transfers: optional(list(TRANSFER_ROW), []),
  },
  entry: {
    kind: oneOf("advanced", "finished", "voided", "diverged", "restored"),
    version: integer(0, 2 ** 31 - 1),
    hash: HASH,
    payload: optional(nullable(upTo(40)), null),
    proof: PROOF,
  },
  end: {
    how: ENDED,
    ended: PROOF,
    commits: COUNT,
    bets: COUNT,
    settlements: COUNT,
    transfers: COUNT,
    purses: byName(AMOUNT),
  },
  receipt: {
    format: FORMAT,
    log: LOG,
    game: UUID,
    genesis: bytes(),
    ...START,
    version: VERSION,
    bet: BET_ROW,
    previous: HASH,
    how: optional(nullable(ENDED), null),
    seed: optional(nullable(HASH), null),
    bodies: optional(list(bytes()), []),
    digests: optional(list(HASH), []),
    outcomes: optional(list(row(VERSION, TEXT, AMOUNT), 2), []),
    entry: PROOF,
  },
});

const SECONDS = integer(0, 2 ** 31 - 1);
const TABLE = record({
  buy_in: COUNT,
  prizes: list(integer(0, 2 ** 31 - 1)),
  capacity: integer(1, 2 ** 15 - 1),
  absence: oneOf("wait", "bot", "forfeit"),
  absence_s: SECONDS,
  rated: oneOf(true, false),
  keys: oneOf(true, false),
  deadlines: record({ committed_s: SECONDS, revealed_s: SECONDS, started_s: SECONDS }),
  witnesses: list(text(400), 16),
});
const GENESIS = record({
  format: FORMAT,
  name: UUID,
  salt: HEX,
  abandoned: nullable(HEX),
  game: UUID,
  rules: matching(/^.{1,40}$/su, "a text of 1 to 40 characters"),
  rules_version: integer(0, 2 ** 31 - 1),
  edition: text(64),
  seats: integer(1, 2 ** 15 - 1),
  options: object,
  table: TABLE,
  rows: list(row(PLACE, nullable(HEX), nullable(HEX), nullable(HEX), nullable(HEX64), nullable(HEX))),
  rows_salt: nullable(HEX),
  promises: list(HEX),
  reveals: list(row(PLACE, HEX, nothing)),
  answers: list(row(HEX, HEX64)),
  build: record({
    version: matching(/^[!-~]{1,40}$/, "a version of 1 to 40 visible characters"),
    commit: matching(/^(?!0{40})([0-9a-f]{40})?$/, "a commit of 40 hex digits, or nothing"),
    rules: matching(/^(?!0{64})[0-9a-f]{64}$/, "the hash of code"),
  }),
  seed_hash: HEX,
});

const LINKS = list(
  record({ game: UUID, opened: HEX, count: integer(1, 2 ** 31 - 1), previous: HEX, salt: HEX }),
);
const SEAT_PROOF = record({ game: UUID, seat: PLACE, user: UUID, salt: HEX });

const KNOWN = integer(0, 2 ** 31 - 1);
const BODY = record({
  version: COUNT,
  seat: nullable(COUNT),
  command: anything,
  draws: list(row(integer(0, 2 ** 53 - 2), integer(1), integer(0, 2 ** 53 - 2))),
  events: list(object),
  transfers: list(TRANSFER_ROW),
  ranking: optional(nullable(list(list(COUNT))), null),
  signed: optional(nullable(row(UUID, KNOWN, HEX, KNOWN, HEX64)), null),
});

const ONLY = optional<number[] | null>(list(COUNT), null);
const BET_EVENTS = byKind({
  bet_placed: { only: ONLY, bet: COUNT, seat: COUNT, spot: TEXT, stake: AMOUNT, odds: TEXT },
  bet_settled: {
    only: ONLY,
    bet: COUNT,
    seat: COUNT,
    spot: TEXT,
    outcome: oneOf("won", "lost"),
    payout: AMOUNT,
  },
  bet_voided: { only: ONLY, bet: COUNT, payout: AMOUNT, reason: TEXT },
});

const SERVER_COMMANDS = byKind({
  started: {},
  ticked: { alarm: AMOUNT },
  paused: { alarm: AMOUNT, late_ms: AMOUNT },
  seat_replaced: { seat: AMOUNT, forfeits: oneOf(true, false) },
  seat_returned: { seat: AMOUNT },
  voided: { reason: TEXT, by: optional(nullable(UUID), null) },
  voided_bet: {
    bet: AMOUNT,
    seat: AMOUNT,
    stake: AMOUNT,
    payout: nullable(AMOUNT),
    reason: TEXT,
    by: UUID,
  },
  annotated: { reason: TEXT, by: UUID },
});

type Lines = { [K in keyof typeof LINES]: Of<(typeof LINES)[K]> };
type Body = Of<typeof BODY>;
type BetRow = Of<typeof BET_ROW>;
type SettlementRow = Of<typeof SETTLEMENT_ROW>;
type ServerCommands = { [K in keyof typeof SERVER_COMMANDS]: Of<(typeof SERVER_COMMANDS)[K]> };
type ServerCommand = ServerCommands[keyof ServerCommands];

const REASON_MAX = 300;
const BLANK = "\\x20\\xa0\\u1680\\u2000-\\u200a\\u200c\\u200d\\u202f\\u205f\\u3000\\ufe00-\\ufe0f";
const HIDDEN =
  "\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b" +
  "\\u200e\\u200f\\u2028-\\u202e" +
  "\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb";
const REASON = new RegExp(`^[${BLANK}]*[^${HIDDEN}${BLANK}][^${HIDDEN}]*$`, "u");

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

/** Repeats a draw: HMAC with rejection, so that all values are equally likely. */
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
type Key = { name: string; id: string; point: Buffer; text: string };

const NAME = "[!-*,-~]{1,200}";
const KEY = new RegExp(`^(${NAME})\\+([0-9a-f]{8})\\+(.*)$`, "u");
const SIGNATURE = new RegExp(`^— (${NAME}) (.*)$`, "u");

/** Decodes the base64 of a note or a key, which must be in its canonical form. */
function only(base64: string): Buffer {
  const found = decoded(base64);
  if (found === null || found.toString("base64") !== base64) throw new Malformed("invalid base64");
  return found;
}

/** Parses a public key of a log (type 1) or of a witness (type 4). */
function parseKey(text: string, type = 1): Key {
  const [, name, id, base64] = KEY.exec(text) ?? [];
  if (name === undefined || id === undefined || base64 === undefined)
    throw new Malformed("a key has the form name+id+base64");
  const point = only(base64);
  const kinds: { [type: number]: string } = { 1: "a log", 4: "a witness" };
  if (point[0] !== type && kinds[point[0]!] !== undefined)
    throw new Malformed(`the key of ${name} belongs to ${kinds[point[0]!]}`);
  if (point.length !== 33 || point[0] !== type)
    throw new Malformed(`the key of ${name} is not an Ed25519 key`);
  const expected = sha256(Buffer.from(`${name}\n`), point)
    .subarray(0, 4)
    .toString("hex");
  if (expected !== id) throw new Malformed(`the key of ${name} has the id ${expected}, not ${id}`);
  return { name, id, point: point.subarray(1), text };
}

/** The requirements on a checkpoint beyond the signature of its log. */
interface Demand {
  origin: string | null;
  witnesses: Key[];
  quorum: number;
}

/** Checks the origin, and counts the witnesses with a valid cosignature. */
function checkDemand(demand: Demand, note: string, log: Checkpoint): void {
  if (demand.origin !== null && demand.origin !== log.origin)
    throw new Diverged("log", "origin", demand.origin, log.origin);
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const lines = note
    .slice(end + 2, -1)
    .split("\n")
    .map(parseSignature);
  const found = demand.witnesses.filter((witness) => {
    const own = lines.filter(({ name, id }) => name === witness.name && id === witness.id);
    return own.length > 0 && own.every(({ signature }) => hasCosigned(witness, text, signature));
  });
  if (found.length < demand.quorum) {
    const expected = `${demand.quorum} of ${demand.witnesses.length} cosignatures`;
    throw new Diverged("log", "witnesses", expected, String(found.length));
  }
}

function hasCosigned(witness: Key, text: string, signature: Buffer): boolean {
  if (signature.length !== 72) return false;
  const time = signature.readBigUInt64BE(0);
  const signed = `cosignature/v1\ntime ${time}\n${text}`;
  return time < 2n ** 53n && hasSigned(witness, signed, signature.subarray(8));
}

function hasSigned({ point }: Pick<Key, "point">, text: string, signature: Buffer): boolean {
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), point]);
  return verifySignature(
    null,
    Buffer.from(text),
    createPublicKey({ key: spki, format: "der", type: "spki" }),
    signature,
  );
}

/** Returns the checkpoint of a note that one of the keys signed and none signed wrongly. */
function opened(note: string, keys: Key[]): Checkpoint {
  const end = note.lastIndexOf("\n\n");
  if (
    isLonger(note, 65_536) ||
    /[\0-\x09\x0b-\x1f]/.test(note) ||
    end < 0 ||
    !note.endsWith("\n")
  ) {
    throw new Malformed("a note is a text, an empty line and signatures");
  }
  const text = note.slice(0, end + 1);
  const signatures = note
    .slice(end + 2, -1)
    .split("\n")
    .map(parseSignature);
  if (signatures.length > 64) throw new Malformed("the note has too many signatures");
  let signed = false;
  for (const { name, id, signature } of signatures) {
    const key = keys.find((each) => each.name === name && each.id === id);
    if (key === undefined) continue;
    if (!hasSigned(key, text, signature))
      throw new Diverged("log", "signature", "one that fits", `${name}+${id}`);
    signed = true;
  }
  if (!signed) {
    const wanted = keys.map((key) => `${key.name}+${key.id}`).join(", ") || "any key";
    throw new Diverged(
      "log",
      "signature",
      `one by ${wanted}`,
      signatures.map(({ name, id }) => `${name}+${id}`).join(", "),
    );
  }
  const checkpoint = parseCheckpoint(text);
  const isOwn = signatures.some(
    ({ name, id }) =>
      name === checkpoint.origin && keys.some((key) => key.name === name && key.id === id),
  );
  if (!isOwn)
    throw new Diverged(
      "log",
      "origin",
      [...new Set(keys.map(({ name }) => name))].join(" or "),
      checkpoint.origin,
    );
  return checkpoint;
}

function parseSignature(line: string): { name: string; id: string; signature: Buffer } {
  const [, name, base64] = SIGNATURE.exec(line) ?? [];
  if (name === undefined || base64 === undefined)
    throw new Malformed("a signature looks like: — name base64");
  const signed = only(base64);
  if (signed.length <= 4) throw new Malformed("a signature looks like: — name base64");
  return { name, id: signed.subarray(0, 4).toString("hex"), signature: signed.subarray(4) };
}

/** Parses a checkpoint, and ignores extension lines. */
function parseCheckpoint(text: string): Checkpoint {
  const lines = text.slice(0, -1).split("\n");
  const [origin, size, base64] = lines;
  if (origin === undefined || size === undefined || base64 === undefined || lines.includes("")) {
    throw new Malformed("a checkpoint has at least three lines, none of them empty");
  }
  const isNumber = /^(0|[1-9][0-9]*)$/.test(size) && Number.isSafeInteger(Number(size));
  if (!isNumber) throw new Malformed("the size of a checkpoint is a number");
  const root = only(base64);
  if (root.length !== 32) throw new Malformed("the root of a checkpoint is a SHA-256 hash");
  return { origin, size: Number(size), root };
}

/** Checks that the entry is in the tree: RFC 9162, section 2.1.3.2. */
function checkIncluded(
  entry: Buffer,
  proof: Of<typeof PROOF>,
  log: Checkpoint,
  where: string,
  field: string,
  after = -1,
): void {
  let hash = leafOf(entry);
  let place = BigInt(proof.index);
  let last = BigInt(log.size) - 1n;
  let fits = proof.index < log.size;
  for (const neighbour of proof.path) {
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
    throw new Diverged(
      where,
      field,
      `an entry under the root ${log.root.toString("hex")}`,
      hash.toString("hex"),
    );
  }
  if (proof.index <= after)
    throw new Diverged(where, field, `an entry after entry ${after}`, proof.index);
}

/** Returns the hash of an entry in the log's tree. */
function leafOf(entry: Buffer): Buffer {
  return sha256(Buffer.from([0]), entry);
}

function entryOf(
  kind: keyof typeof KINDS,
  name: string,
  version: number,
  hash: Uint8Array,
  payload: Uint8Array,
): Buffer {
  const id = Buffer.from(name.replaceAll("-", ""), "hex");
  return Buffer.concat([Buffer.from([KINDS[kind]]), id, u64(version), hash, payload]);
}

/** Whether the later tree begins with the earlier one: RFC 9162, section 2.1.4.2. */
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

function checkSince(signed: Of<typeof LOG>, log: Checkpoint, note: string, keys: Key[]): void {
  let old: Checkpoint;
  try {
    old = opened(note, keys);
  } catch (error) {
    throw new Needed(
      `needs an earlier checkpoint of this log to compare with: ${(error as Error).message}`,
    );
  }
  if (old.origin !== log.origin) throw new Diverged("log", "origin", old.origin, log.origin);
  if (old.size > log.size)
    throw new Needed(`needs a file that is newer than the checkpoint at ${old.size}`);
  const since = signed.since?.size === old.size ? signed.since : null;
  if (since === null && old.size !== 0 && old.size !== log.size)
    throw new Needed(`needs a proof since ${old.size}`);
  if (!continues(old, log, since?.path ?? [])) {
    throw new Diverged(
      "log",
      "history",
      `a log that continues the checkpoint at ${old.size}`,
      `another one at ${log.size}`,
    );
  }
}

function openLog(
  signed: Of<typeof LOG>,
  trusted: Key[],
  since: string | null,
  demand: Demand,
): { log: Checkpoint; keys: Key[] } {
  return judged("log", "checkpoint", "a signed checkpoint", () => {
    const keys = trusted.length > 0 ? trusted : signed.keys.map((key) => parseKey(key));
    const log = opened(signed.checkpoint, keys);
    checkDemand(demand, signed.checkpoint, log);
    if (since !== null) checkSince(signed, log, since, keys);
    return { log, keys };
  });
}

// Games

class Draws {
  key: Buffer;
  next: number | null;
  count = 0;

  constructor(key: Buffer, next: number | null) {
    this.key = key;
    this.next = next;
  }

  /** Decodes a commit, and returns it with the text of its command. Its blind and draws must follow
   * from the key, and its draws must be numbered without a gap. */
  check(stored: Buffer, version: number, where: string): [Body, string] {
    const blind = hmac(this.key, Buffer.from("blind"), u64(version));
    const found = stored.subarray(0, BLIND);
    if (!blind.equals(found))
      throw new Diverged(where, "blind", blind.toString("hex"), found.toString("hex"));
    const [body, command] = judged(where, "body", "a commit", () => {
      const [json, texts] = parsedWithTexts(stored.subarray(BLIND));
      return [BODY(json, "body"), texts.get("command")!];
    });
    if (body.version !== version) throw new Diverged(where, "body.version", version, body.version);
    for (const [number, bound, value] of body.draws) {
      if (number !== (this.next ?? number))
        throw new Diverged(where, "draws", `draw ${this.next}`, `draw ${number}`);
      const again = drawn(this.key, number, bound);
      if (again !== value) throw new Diverged(where, "draws", `${again} as draw ${number}`, value);
      this.next = number + 1;
      this.count++;
    }
    return [body, command];
  }
}

type Genesis = Of<typeof GENESIS>;
type Opening = {
  game: string;
  name: string;
  seats: number;
  hash: Buffer;
  opened: Buffer;
  /** The hash of the entry before the start. */
  before: Buffer;
  /** The entropies and then the answers of witnesses, which enter the key. */
  luck: Buffer[];
  people: (string | null)[];
  /** The links that join the starts of each user, by seat. */
  links: (string | null)[];
  /** The hashes of the entries that opened the attempts that were abandoned before, in hex; null if
   * only a bundle has them. */
  attempts: string[] | null;
  /** The seats and the keys of the witnesses that added to the dice beside the server. */
  dice: { seats: number[]; witnesses: string[] };
  /** The seats of the lobby that were silent in each attempt that was abandoned before. */
  silent: number[][];
  /** The keys of the players who sign, by seat. */
  keys: (string | null)[];
  /** The name of the log. */
  origin: string;
  table: Genesis["table"];
  promised: string;
  abandoned: string | null;
  openedAt: number;
  index: number;
};

/** The texts of the parts of a genesis that are hashed as they are. */
type Texts = { options: string; table: string };

/** Reads the genesis of a game, and the texts in it. */
function readGenesis(stored: Buffer): { genesis: Genesis; texts: Texts } {
  const [json, texts] = parsedWithTexts(stored);
  const genesis = GENESIS(json, "genesis");
  const { seats, rows, reveals, rows_salt, promises, answers } = genesis;
  const isOrdered = rows.every(([place], seat) => seat === 0 || place > rows[seat - 1]![0]);
  if (rows.length !== seats || !isOrdered)
    throw new Malformed(`${seats} seats, and rows of others or in another order`);
  const contributing = rows.flatMap(([, , , commitment], seat) => (commitment === null ? [] : [seat]));
  if (reveals.map(([seat]) => seat).join() !== contributing.join())
    throw new Malformed("reveals of other seats than those with a commitment");
  if (answers.length !== promises.length)
    throw new Malformed("other answers than promises of witnesses");
  rows.forEach(checkRow);
  if (rows_salt === null && contributing.length + promises.length > 0)
    throw new Malformed("entropy without rows that were sealed before");
  return { genesis, texts: { options: texts.get("options")!, table: texts.get("table")! } };
}

/** Checks the form of a seat: a person stands with a link, a key with a signature, a person and a
 * commitment. */
function checkRow([, person, key, commitment, signature, link]: Genesis["rows"][number]): void {
  if ((person === null) !== (link === null))
    throw new Malformed("a person and a link belong together");
  if ((key === null) !== (signature === null))
    throw new Malformed("a key and a signature belong together");
  if (key !== null && (commitment === null || person === null))
    throw new Malformed("a key of a seat whose player adds no entropy");
  if (key !== null && !isKey(key)) throw new Malformed("a key that fits signatures of anything");
}

const FIELD = 2n ** 255n - 19n;
const OF_ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL = [0n, 1n, FIELD - 1n, OF_ORDER_8, FIELD - OF_ORDER_8];

/** Whether a player can have this public key: the only form of a point whose order is not small. */
function isKey(hex: string): boolean {
  const height = BigInt(`0x${Buffer.from(hex, "hex").reverse().toString("hex")}`) % 2n ** 255n;
  return height < FIELD && !SMALL.includes(height);
}

/** Whether a player's key signed this text. */
function hasPlayerSigned(key: string, text: string, signature: string): boolean {
  return hasSigned({ point: Buffer.from(key, "hex") }, text, Buffer.from(signature, "hex"));
}

/** Checks that the key of each seat signed for it. */
function checkKeys({ rows, table }: Genesis, opened: Buffer, where: string): void {
  for (const [place, person, key, commitment, signature] of rows) {
    if (table.keys && person !== null && key === null)
      throw new Diverged(where, "rows", "a key in the seat of each user", "none");
    if (key === null || signature === null) continue;
    const text =
      `Railbird seat 1\nopened ${opened.toString("hex")}\nplace ${place}\nkey ${key}\n` +
      `commitment ${commitment}\n`;
    if (!hasPlayerSigned(key, text, signature))
      throw new Diverged(where, "rows", `a signature by ${key}`, signature);
  }
}

/** The commands that players sign, from a version on: those before are unknown. */
class SignedCommands {
  opening: Opening;
  first: number;
  hashes: Buffer[];
  ids = new Set<string>();
  commands = 0;
  byBots = 0;
  paid = 0;

  /** The caller adds each hash to `hashes`, which begin before the first commit. */
  constructor(opening: Opening, hashes: Buffer[], first = 1) {
    this.opening = opening;
    this.first = first;
    this.hashes = hashes;
  }

  get isEmpty(): boolean {
    return this.opening.keys.every((key) => key === null);
  }

  /** Checks the next commit, and returns whether it is signed; null if no player of it signs. With
   * `byBot`, a bot may have made it for the player. */
  take(body: Body, text: string, byBot: boolean, where: string): boolean | null {
    if (body.seat !== null) this.commands++;
    const key = body.seat === null ? null : this.opening.keys[body.seat]!;
    if (body.signed !== null) this.check(body, body.signed, key, text, where);
    else if (key !== null) {
      if (!byBot) throw new Diverged(where, "signed", `a signature by ${key}`, "none");
      this.byBots++;
      for (const [source, , amount] of body.transfers)
        if (source === `seat:${body.seat}`) this.paid += amount;
    }
    return key === null ? null : body.signed !== null;
  }

  check(
    { version, seat }: Body,
    [id, head, hash, until, signature]: NonNullable<Body["signed"]>,
    key: string | null,
    command: string,
    where: string,
  ): void {
    if (key === null) throw new Diverged(where, "signed", "no signature in this seat", "one");
    const { origin, name } = this.opening;
    const text =
      `Railbird command 1\norigin ${origin}\nname ${name}\nseat ${seat}\nid ${id}\n` +
      `head ${head} ${hash}\nuntil ${until}\ncommand ${command}\n`;
    if (!hasPlayerSigned(key, text, signature))
      throw new Diverged(where, "signed", `a signature by ${key}`, signature);
    if (head >= version || version > until)
      throw new Diverged(where, "signed", `a version from ${head + 1} to ${until}`, version);
    const known = this.hashes[head - this.first + 1]?.toString("hex") ?? hash;
    if (known !== hash) throw new Diverged(where, "signed", hash, known);
    if (this.ids.has(`${seat} ${id}`)) throw new Diverged(where, "signed", "a new id", id);
    this.ids.add(`${seat} ${id}`);
  }
}

/** Returns the hash in the `opened` entry of a game. Each part has its length in front. */
function termsHash(genesis: Genesis, { options, table }: Texts): Buffer {
  const parts = [
    Buffer.from(genesis.salt, "hex"),
    Buffer.from(genesis.game.replaceAll("-", ""), "hex"),
    Buffer.from(genesis.rules),
    u32(genesis.rules_version),
    Buffer.from(genesis.edition),
    Buffer.from(options),
    Buffer.from(table),
    Buffer.from(genesis.seed_hash, "hex"),
  ];
  return sha256(Buffer.from("terms\0"), framed(parts));
}

/** Returns these parts, each after its length in 4 bytes. */
function framed(parts: Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [u32(part.length), part]));
}

/** Returns the entry that opened the lobby of a game. */
function openedEntry(genesis: Genesis, texts: Texts): Buffer {
  const { name, seed_hash: promised, abandoned } = genesis;
  const payload = Buffer.from(promised + (abandoned ?? "00".repeat(32)), "hex");
  return entryOf("opened", name, 0, termsHash(genesis, texts), payload);
}

/** Returns the entry that opened an abandoned attempt. */
function openedBy({ name, seed, terms, abandoned }: Lines["abandoned"]): Buffer {
  const payload = Buffer.concat([sha256(seed), abandoned ?? Buffer.alloc(32)]);
  return entryOf("opened", name, 0, terms, payload);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** Returns the entry that fixed all commitments of a game, or null if nobody added entropy. */
function committedEntry({ name, rows, rows_salt: salt, promises }: Genesis, opened: Buffer): Buffer | null {
  if (salt === null) return null;
  const hex = (text: string | null): Buffer => Buffer.from(text ?? "", "hex");
  const parts = rows.flatMap(([place, person, key, commitment, signature, link]) => [
    u16(place),
    ...[person, key, commitment, signature, link].map(hex),
  ]);
  const all = framed([framed(parts), framed(promises.map(hex))]);
  return entryOf("committed", name, 0, opened, sha256(Buffer.from("committed\0"), hex(salt), all));
}

function listed(reveals: [number, Buffer][]): Buffer {
  return Buffer.concat(reveals.flatMap(([place, entropy]) => [u16(place), entropy]));
}

/** Returns the place in the lobby and the entropy of each seat that added some. */
function revealsOf({ rows, reveals }: Genesis): [number, Buffer][] {
  return reveals.map(([seat, entropy]) => [rows[seat]![0], Buffer.from(entropy, "hex")]);
}

/** Returns the entries with which a game begins, in their order. */
function startEntries(
  genesis: Genesis,
  texts: Texts,
): { opened: Buffer; committed: Buffer | null; revealed: Buffer | null } {
  const opened = openedEntry(genesis, texts);
  const committed = committedEntry(genesis, leafOf(opened));
  if (committed === null) return { opened, committed: null, revealed: null };
  const list = listed(revealsOf(genesis));
  const revealed = entryOf("revealed", genesis.name, 0, leafOf(committed), list);
  return { opened, committed, revealed };
}

function openGame(
  part: Lines["game" | "receipt"],
  log: Checkpoint,
  openings: Map<string, Opening>,
): Opening {
  const stored = part.genesis;
  const { genesis, texts } = judged("version 0", "genesis", "the genesis of a game", () =>
    readGenesis(stored),
  );
  const { game, name, seats, seed_hash: promised, abandoned, rows } = genesis;
  const where = `game ${game} version 0`;
  const known = openings.get(game)?.name ?? name;
  if (known !== name) throw new Diverged(where, "name", known, name);
  const entries = startEntries(genesis, texts);
  const opened = leafOf(entries.opened);
  let last = -1;
  for (const field of ["opened", "committed", "revealed"] as const) {
    const [entry, proof] = [entries[field], part[field]];
    if (entry === null && proof === null) continue;
    if (entry === null || proof === null)
      throw new Diverged(where, field, entry === null ? "none" : "a proof", proof === null ? "none" : "a proof");
    checkIncluded(entry, proof, log, where, field, last);
    last = proof.index;
  }
  const entropies = revealsOf(genesis).map(([place, entropy]) => {
    const again = sha256(Buffer.from("entropy\0"), opened, u16(place), entropy).toString("hex");
    const commitment = rows.find((row) => row[0] === place)![3];
    if (again !== commitment) throw new Diverged(where, "commitment", again, commitment);
    return entropy;
  });
  checkKeys(genesis, opened, where);
  const answers = checkAnswers(genesis, entries, log.origin, where);
  const hash = sha256(Buffer.from("game\0"), stored);
  const started = entryOf("started", name, 0, hash, Buffer.alloc(0));
  checkIncluded(started, part.started, log, where, "genesis", last);
  const people = rows.map(([, person]) => person);
  const links = rows.map(([, , , , , link]) => link);
  const keys = rows.map(([, , key]) => key);
  const before = leafOf(entries.revealed ?? entries.opened);
  const places = { openedAt: part.opened.index, index: part.started.index };
  const luck = [...entropies, ...answers];
  const { table } = genesis;
  const { origin } = log;
  const common = { game, name, seats, hash, opened, before, luck, people, keys, origin, table };
  const attempts = abandoned === null ? [] : null;
  const dice = { seats: genesis.reveals.map(([seat]) => seat), witnesses: table.witnesses };
  return { ...common, promised, abandoned, ...places, links, attempts, dice, silent: [] };
}

/** Checks that every witness which the terms name answered as it had promised. */
function checkAnswers(
  { table: { witnesses }, promises, answers }: Genesis,
  { opened, revealed }: { opened: Buffer; revealed: Buffer | null },
  origin: string,
  where: string,
): Buffer[] {
  if (answers.length !== witnesses.length)
    throw new Diverged(where, "answers", `the answers of ${witnesses.length} witnesses`, answers.length);
  return answers.map(([hex, signature], number) => {
    const entropy = Buffer.from(hex, "hex");
    const found = sha256(entropy).toString("hex");
    if (found !== promises[number]) throw new Diverged(where, "answers", promises[number], found);
    const text =
      `Railbird witness answer 1\norigin ${origin}\nopened ${leafOf(opened).toString("hex")}\n` +
      `revealed ${leafOf(revealed!).toString("hex")}\nentropy ${hex}\n`;
    const key = judged(where, "answers", "the key of a witness", () => parseKey(witnesses[number]!, 4));
    if (!hasSigned(key, text, Buffer.from(signature, "hex")))
      throw new Diverged(where, "answers", `a signature by ${key.text}`, signature);
    return entropy;
  });
}

/** Checks the abandoned attempts to start a game, the latest first: each is named by the next.
 * Each disclosed its seed, so none shares it. */
function checkAbandoned(parts: Parts, opening: Opening, gameSeed: Buffer, log: Checkpoint): void {
  const where = `game ${opening.game} version 0`;
  const seeds = new Set([gameSeed.toString("hex")]);
  const attempts: string[] = (opening.attempts = []);
  let [expected, before] = [opening.abandoned, opening.openedAt];
  while (expected !== null) {
    const attempt: Lines["abandoned"] = parts.next(opening.game, 0, "abandoned");
    const { name, seed } = attempt;
    const opened = openedBy(attempt);
    const { committed, missing, reveals } = attempt;
    const missed = Buffer.concat([u16(missing.length), ...missing.map(u16)]);
    const disclosed = Buffer.concat([seed, committed ?? Buffer.alloc(32), missed, listed(reveals)]);
    const ended = entryOf("abandoned", name, 0, leafOf(opened), disclosed);
    const found = leafOf(ended).toString("hex");
    if (found !== expected) throw new Diverged(where, "abandoned", expected, found);
    checkIncluded(opened, attempt.opened, log, where, "opened");
    checkIncluded(ended, attempt.ended, log, where, "abandoned", attempt.opened.index);
    const at = attempt.ended.index;
    if (at >= before)
      throw new Diverged(where, "abandoned", `an entry before entry ${before}`, at);
    const hex = seed.toString("hex");
    if (seeds.has(hex)) throw new Diverged(where, "seed", "one that no later attempt has", hex);
    seeds.add(hex);
    opening.silent.push(missing);
    if (committed !== null) attempts.push(leafOf(opened).toString("hex"));
    [expected, before] = [attempt.abandoned?.toString("hex") ?? null, attempt.opened.index];
  }
}

function keyOf(opening: Opening, seed: Buffer): Buffer {
  const found = sha256(seed).toString("hex");
  if (found !== opening.promised)
    throw new Diverged(`game ${opening.game} version 0`, "seed", opening.promised, found);
  return hmac(seed, framed([Buffer.from("key 2"), opening.before, ...opening.luck]));
}

/** Returns the rows of the bets placed and of the bets settled or voided by public events. */
function rowsOfBets(body: Body, where: string): { bets: BetRow[]; settlements: SettlementRow[] } {
  const [bets, settlements]: [BetRow[], SettlementRow[]] = [[], []];
  for (const event of body.events) {
    const decoded = judged(where, "events", "events", () => {
      return Object.hasOwn(BET_EVENTS, TEXT(event.type, "type"))
        ? read(BET_EVENTS, event, "events")
        : null;
    });
    if (decoded === null || decoded.only !== null) continue;
    if (decoded.type === "bet_placed")
      bets.push([decoded.bet, decoded.seat, decoded.spot, decoded.stake, decoded.odds]);
    else
      settlements.push([
        decoded.bet,
        decoded.type === "bet_voided" ? "void" : decoded.outcome,
        decoded.payout,
      ]);
  }
  settlements.sort(([one], [other]) => one - other);
  return { bets, settlements };
}

/** Returns the server's command in a commit, or null. Checks its seat and its reason. */
function serverCommandOf(body: Body, seats: number, where: string): ServerCommand | null {
  const command =
    body.seat !== null
      ? null
      : judged(where, "command", "a command of the server", () => {
          return read(SERVER_COMMANDS, body.command, "command");
        });
  if ((command?.type === "started") !== (body.version === 1)) {
    const expected = body.version === 1 ? "the deal" : "a command after the deal";
    throw new Diverged(where, "command", expected, command?.type ?? "one of a seat");
  }
  if (command !== null && "seat" in command && (command.seat < 0 || command.seat >= seats)) {
    throw new Diverged(where, "command", `one of ${seats} seats`, command.seat);
  }
  if (
    command !== null &&
    "reason" in command &&
    (isLonger(command.reason, REASON_MAX) || !REASON.test(command.reason))
  ) {
    const found = command.reason.replace(/[^ -~]/gu, "?");
    throw new Diverged(
      where,
      "command",
      `a reason of one line with 1 to ${REASON_MAX} visible characters`,
      found,
    );
  }
  return command;
}

function checkSame(where: string, field: string, expected: unknown, found: unknown): void {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(found)];
  if (wanted !== got) throw new Diverged(where, field, wanted, got);
}

/** A bet. `payout` is the money that its settlement moved, null before that. */
class Bet {
  seat: number;
  stake: number;
  payout: number | null = null;
  isVoid = false;

  constructor([, seat, , stake]: BetRow) {
    this.seat = seat;
    this.stake = stake;
  }

  get isOpen(): boolean {
    return this.payout === null && !this.isVoid;
  }

  settle([, outcome, payout]: SettlementRow): void {
    if (outcome === "void") this.isVoid = true;
    else this.payout = payout;
  }

  /** Checks that the operator voids the bet once and that the command matches the bet. */
  checkVoidedBy(command: ServerCommands["voided_bet"], where: string): void {
    checkSame(
      where,
      "command",
      [this.seat, this.stake, this.payout],
      [command.seat, command.stake, command.payout],
    );
    if (this.isVoid)
      throw new Diverged(where, "command", "a bet that is not void", `bet ${command.bet}`);
  }
}

/** Compares the tables' rows of a game with its commits, and each commit with earlier ones. */
class Books {
  bets = new Map<number, Bet>();
  settlements = 0;
  transfers = 0;
  purses = new Map<string, number>();
  isVoided = false;
  seats: number;
  away = new Map<number, boolean>();

  constructor(seats: number) {
    this.seats = seats;
  }

  /** Checks that a commit may follow, and returns its server command. */
  begin(body: Body, where: string): ServerCommand | null {
    if (this.isVoided)
      throw new Diverged(where, "commit", "nothing after the game was voided", "a commit");
    const command = serverCommandOf(body, this.seats, where);
    this.checkPlayer(command, where);
    return command;
  }

  enter(commit: Lines["commit"], body: Body, command: ServerCommand | null, where: string): void {
    const rows = { ...rowsOfBets(body, where), transfers: body.transfers };
    this.checkServer(command, body, where);
    checkSame(where, "rows of bets", rows.bets, commit.bets);
    checkSame(where, "rows of settlements", rows.settlements, commit.settlements);
    checkSame(where, "rows of transfers", rows.transfers, commit.transfers);
    for (const row of rows.bets) {
      if (this.bets.has(row[0]))
        throw new Diverged(where, `bet ${row[0]}`, "a new bet", "one placed again");
      this.bets.set(row[0], new Bet(row));
    }
    const isCorrection = command?.type === "voided_bet" && command.payout !== null;
    for (const row of rows.settlements) {
      const bet = this.bets.get(row[0]);
      if (bet === undefined || bet.isOpen === isCorrection) {
        throw new Diverged(
          where,
          `bet ${row[0]}`,
          "a bet that is open",
          "a settlement of another bet",
        );
      }
      bet.settle(row);
    }
    for (const [source, target, amount] of rows.transfers) {
      this.purses.set(source, (this.purses.get(source) ?? 0) - amount);
      this.purses.set(target, (this.purses.get(target) ?? 0) + amount);
    }
    this.settlements += rows.settlements.length;
    this.transfers += rows.transfers.length;
  }

  /** Checks that a user is replaced once, and returns only to a seat that was not forfeited. */
  checkPlayer(command: ServerCommand | null, where: string): void {
    if (command?.type === "seat_replaced") {
      if (this.away.has(command.seat))
        throw new Diverged(where, "command", "a seat that a person plays", command.seat);
      this.away.set(command.seat, command.forfeits);
    }
    if (command?.type === "seat_returned") {
      if (this.away.get(command.seat) !== false) {
        throw new Diverged(where, "command", "a seat that a bot plays meanwhile", command.seat);
      }
      this.away.delete(command.seat);
    }
  }

  /** Checks the place and the consequences of a server command that are the same in every game. */
  checkServer(command: ServerCommand | null, body: Body, where: string): void {
    if (command === null || command.type === "started" || command.type === "ticked") return;
    const follows: Json[] =
      "reason" in command ? [{ type: "intervened", by: command.by, reason: command.reason }] : [];
    if (command.type === "voided_bet") {
      const bet = this.bets.get(command.bet);
      if (bet === undefined)
        throw new Diverged(where, "command", "a bet that was placed", `bet ${command.bet}`);
      bet.checkVoidedBy(command, where);
      const voided = body.events.filter(({ type }) => type === "bet_voided");
      checkSame(
        where,
        "events",
        [...follows, ...voided],
        [body.events[0] ?? null, body.events.at(-1) ?? null],
      );
      checkSame(
        where,
        "events",
        [command.bet, command.reason],
        [voided[0]?.bet, voided[0]?.reason],
      );
      return;
    }
    if (command.type === "voided") {
      this.isVoided = true;
      const open = [...this.bets].filter(([, bet]) => bet.isOpen).map(([number]) => number);
      open.sort((one, other) => one - other);
      for (const bet of open)
        follows.push({ type: "bet_voided", bet, payout: 0, reason: command.reason });
    }
    checkSame(where, "events", follows, body.events);
    checkSame(where, "draws", [], body.draws);
    checkSame(where, "transfers", [], body.transfers);
  }

  checkEnd(end: Lines["end"], where: string): void {
    const rows = { bets: this.bets.size, settlements: this.settlements, transfers: this.transfers };
    for (const [name, count] of Object.entries(rows) as [keyof typeof rows, number][]) {
      if (end[name] !== count) throw new Diverged(where, `rows of ${name}`, count, end[name]);
    }
    const how = this.isVoided ? "voided" : "finished";
    if (end.how !== how) throw new Diverged(where, "end", how, end.how);
    const open = [...this.bets]
      .filter(([, bet]) => bet.isOpen)
      .reduce((least, [bet]) => Math.min(least, bet), Infinity);
    if (open < Infinity)
      throw new Diverged(where, `bet ${open}`, "a bet that was settled or voided", "open");
    for (const purse of new Set([...this.purses.keys(), ...end.purses.keys()])) {
      const expected = this.purses.get(purse) ?? 0;
      const found = end.purses.get(purse);
      if (found !== expected) throw new Diverged(where, "purses", `${expected} in ${purse}`, found);
    }
  }
}

/** Compares the log entries of a game between its first and its last with its commits. */
class Logged {
  opening: Opening;
  seed: Buffer;
  log: Checkpoint;
  kind = "started";
  version = 0;
  hash: Buffer;
  index: number;
  /** The first entry without its commit, and what tells so, unless it was lost. */
  without: { version: number; found: Diverged } | null = null;
  /** Descriptions of what the game lost. */
  lost: string[] = [];

  constructor(opening: Opening, seed: Buffer, log: Checkpoint) {
    this.opening = opening;
    this.seed = seed;
    this.log = log;
    this.hash = opening.hash;
    this.index = opening.index;
  }

  get isEmpty(): boolean {
    return this.kind === "started";
  }

  check({ kind, version, hash, payload: given, proof }: Lines["entry"], hashes: Buffer[]): void {
    const where = `game ${this.opening.game} version ${version}`;
    const differ = (expected: string, found: string): never => {
      throw new Diverged(where, "entry", expected, found);
    };
    const payload = given ?? Buffer.alloc(0);
    if (
      (given === null) !== (kind === "advanced") ||
      payload.length !== PAYLOADS[kind] ||
      (version === 0 && kind !== "restored")
    )
      differ(`the form of ${kind}`, "another");
    const entry = entryOf(kind, this.opening.name, version, hash, payload);
    checkIncluded(entry, proof, this.log, where, "entry", this.index);
    if (kind === "diverged") differ(hash.toString("hex"), payload.toString("hex"));
    if (kind === "restored") {
      if (!payload.equals(Buffer.concat([u64(this.version), this.hash])))
        differ("what the entry before sealed", "another");
      if (this.without === null) return differ("an entry before whose commit was lost", "none");
      if (this.without.version > version) this.without = null;
      this.lost.push(`${this.opening.game} after version ${version} (sealed: ${this.version})`);
    } else {
      if (version <= this.version || !this.mayFollow(kind))
        differ("a later entry", "one that cannot follow");
      if (kind !== "advanced" && !payload.equals(this.seed))
        differ("the seed of the game", "another");
    }
    const found = hashes[version];
    if (this.without === null && (found === undefined || !found.equals(hash))) {
      const [expected, instead] =
        found === undefined
          ? ["a commit of this version", "none"]
          : [hash.toString("hex"), found.toString("hex")];
      this.without = { version, found: new Diverged(where, "entry", expected, instead) };
    }
    [this.kind, this.version, this.hash, this.index] = [kind, version, hash, proof.index];
  }

  /** Whether an entry of this kind may be the next. */
  mayFollow(kind: string): boolean {
    if (this.kind === "voided") return false;
    if (this.kind === "restored") return kind === "voided";
    return this.kind !== "finished" || kind !== "advanced";
  }

  /** Checks that no commit is missing that was not lost. */
  checkAll(): void {
    if (this.without !== null) throw this.without.found;
  }
}

/** How many games with a buy-in the line of a file describes. */
const OWED_MAX = 10;
const GROUPS_MAX = 10;

type Ranking = number[][] | null;

/** Returns what the seats with a person are owed, in words; nothing without a buy-in. */
function owedIn(
  { game, table, people, seats }: Opening,
  ranking: Ranking,
  how: string,
  books: Books,
  where: string,
): string[] {
  const expected = how === "finished" ? [...Array(seats).keys()].join() : undefined;
  const found = ranking?.flat().sort((one, other) => one - other).join();
  if (found !== expected) throw new Diverged(where, "ranking", expected ?? "none", found ?? "none");
  if (table.buy_in === 0) return [];
  const paid = people.flatMap((person, seat) => (person === null ? [] : [seat]));
  const forfeited = [...books.away].filter(([, forfeits]) => forfeits).map(([seat]) => seat);
  const shares =
    ranking === null
      ? new Map(paid.map((seat) => [seat, BigInt(table.buy_in)]))
      : shared(BigInt(table.buy_in * paid.length), table.prizes, forfeitsLast(ranking, forfeited));
  return [`in game ${game}: ${paid.map((seat) => `seat ${seat} ${shares.get(seat)}`).join(", ")}`];
}

/** Returns the ranking for the payout: seats that forfeited share the last rank, unless all did. */
function forfeitsLast(ranking: number[][], forfeited: number[]): number[][] {
  if (forfeited.length === ranking.flat().length) return ranking;
  const kept = ranking.map((group) => group.filter((seat) => !forfeited.includes(seat)));
  return [...kept, forfeited].filter((group) => group.length > 0);
}

/**
 * Splits the whole pot by rank. Seats that tie share the prizes of the ranks that they fill; coins
 * left over go to the largest fractions, among equal ones to the best seats first, in seat order.
 */
function shared(pot: bigint, prizes: number[], ranking: number[][]): Map<number, bigint> {
  const seats = ranking.flat().length;
  const weights = [...prizes, ...Array<number>(seats).fill(0)].slice(0, seats).map(BigInt);
  const sum = (some: bigint[]): bigint => some.reduce((total, each) => total + each, 0n);
  let place = 0;
  const exact = ranking.flatMap((group) => {
    const over = pot * sum(weights.slice(place, (place += group.length)));
    const under = sum(weights) * BigInt(group.length);
    return [...group].sort((one, other) => one - other).map((seat) => ({ seat, over, under }));
  });
  const shares = new Map(exact.map(({ seat, over, under }) => [seat, over / under]));
  const left = Number(pot - sum([...shares.values()]));
  const byFraction = [...exact].sort((one, other) => {
    const difference = (other.over % other.under) * one.under - (one.over % one.under) * other.under;
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  });
  for (const { seat } of byFraction.slice(0, left)) shares.set(seat, shares.get(seat)! + 1n);
  return shares;
}

function verifyGame(
  parts: Parts,
  log: Checkpoint,
  counts: Counts,
  openings: Map<string, Opening>,
  names: Set<string>,
): void {
  const part = parts.next(null, 0, "game");
  const opening = openGame(part, log, openings);
  const { game, name } = opening;
  if (names.has(name))
    throw new Diverged(`game ${game} version 0`, "game", "a game that is new in this file", game);
  openings.set(game, opening);
  names.add(name);
  checkAbandoned(parts, opening, part.seed, log);
  parts.progress("opening", 0);
  const draws = new Draws(keyOf(opening, part.seed), 0);
  const books = new Books(opening.seats);
  const hashes = [opening.hash];
  const signed = new SignedCommands(opening, hashes);
  const logged = new Logged(opening, part.seed, log);
  let hash = opening.hash;
  let ranking: Ranking = null;
  for (let version = 1; ; version++) {
    const where = `game ${opening.game} version ${version}`;
    let commit = logged.isEmpty
      ? parts.next(opening.game, version, "commit", "entry", "end")
      : parts.next(opening.game, version, "entry", "end");
    while (commit.type === "entry") {
      logged.check(commit, hashes);
      commit = parts.next(opening.game, version, "entry", "end");
    }
    if (commit.type === "end") {
      logged.checkAll();
      if (version === 1) throw new Diverged(where, "commit", "the first commit", "none");
      const last = `game ${opening.game} version ${version - 1}`;
      if (commit.commits !== version - 1)
        throw new Diverged(last, "commits", version - 1, commit.commits);
      parts.progress("commits", commit.commits);
      books.checkEnd(commit, last);
      parts.progress("money", commit.commits);
      checkIncluded(
        entryOf(commit.how, opening.name, version - 1, hash, part.seed),
        commit.ended,
        log,
        last,
        "end",
        logged.index,
      );
      if (!logged.mayFollow(commit.how))
        throw new Diverged(last, "end", "an end of the game", "one that cannot follow");
      counts.lost.push(...logged.lost);
      if (version - 1 <= logged.version)
        throw new Diverged(last, "end", "a later entry", "one of the same version");
      counts.draws += draws.count;
      counts.owed.push(...owedIn(opening, ranking, commit.how, books, last));
      if (!signed.isEmpty) {
        counts.hasSigners = true;
        counts.signed += signed.ids.size;
        counts.commands += signed.commands;
        counts.byBots += signed.byBots;
        counts.paid += signed.paid;
      }
      parts.progress("end", commit.commits);
      return;
    }
    if (commit.version !== version) throw new Diverged(where, "version", version, commit.version);
    hash = commitHash(hash, version, sha256(commit.body));
    if (!hash.equals(commit.hash))
      throw new Diverged(where, "hash", hash.toString("hex"), commit.hash.toString("hex"));
    hashes.push(hash);
    const [body, command] = draws.check(commit.body, version, where);
    if (body.seat !== commit.seat || (body.seat ?? 0) >= opening.seats)
      throw new Diverged(where, "seat", body.seat, commit.seat);
    const byServer = books.begin(body, where);
    signed.take(body, command, books.away.has(body.seat ?? -1), where);
    books.enter(commit, body, byServer, where);
    ranking = body.ranking;
    if (byServer?.type === "voided")
      counts.corrected.push(`game ${game} voided at version ${version} (${byServer.reason})`);
    if (byServer?.type === "voided_bet")
      counts.corrected.push(
        `bet ${byServer.bet} of game ${game} voided at version ${version} (${byServer.reason})`,
      );
    counts.commits++;
  }
}

function verifyBundle(
  header: Lines["bundle"],
  parts: Parts,
  log: Checkpoint,
  openings: Map<string, Opening>,
): string {
  checkSigners(header, log);
  const players = { hasSigners: false, commands: 0, signed: 0, byBots: 0, paid: 0 };
  const counts: Counts = { commits: 0, draws: 0, lost: [], owed: [], corrected: [], ...players };
  const names = new Set<string>();
  for (let number = 0; number < header.games; number++)
    verifyGame(parts, log, counts, openings, names);
  const { commits, draws, lost, owed, corrected } = counts;
  const more = lost.length > 0 ? `; ${counted(lost.length, "game")} lost commits: ${lost.join(", ")}` : "";
  const money = owed.length > 0 ? `; owed ${owed.slice(0, OWED_MAX).join("; ")}` : "";
  const signed = signedInWords(counts);
  const voided = corrected.length > 0 ? `; ${corrected.slice(0, OWED_MAX).join("; ")}` : "";
  const [game] = openings.keys();
  const games = counted(names.size, "game") + (names.size === 1 ? ` (${game})` : "");
  const sums = `${counted(commits, "commit")}, ${counted(draws, "draw")}`;
  return `${games}, ${sums}${more}${voided}${money}${signed}`;
}

/** Compares a receipt with everything that the commits from the bet on contain about it. */
class BetHistory {
  receipt: Lines["receipt"];
  bet: Bet;
  outcomes: Lines["receipt"]["outcomes"] = [];

  isVoided = false;
  seats: number;

  constructor(receipt: Lines["receipt"], seats: number) {
    this.receipt = receipt;
    this.seats = seats;
    this.bet = new Bet(receipt.bet);
  }

  check(body: Body, version: number, where: string): void {
    const { version: first, bet: row, outcomes: claimed } = this.receipt;
    if (body.seat !== null && body.seat >= this.seats)
      throw new Diverged(where, "seat", `one of ${this.seats}`, body.seat);
    if (this.isVoided)
      throw new Diverged(where, "commit", "nothing after the game was voided", "a commit");
    const command = serverCommandOf(body, this.seats, where);
    this.isVoided = command?.type === "voided";
    const betIsVoided = command?.type === "voided_bet" && command.bet === row[0];
    if (betIsVoided) this.bet.checkVoidedBy(command, where);
    const { bets, settlements } = rowsOfBets(body, where);
    const placed = bets.filter(([bet]) => bet === row[0]);
    checkSame(where, "bet", placed, version === first ? [row] : []);
    const settled = settlements.filter(([bet]) => bet === row[0]);
    const outcomes = settled.map(
      ([, outcome, payout]) => [version, outcome, payout] as (typeof claimed)[number],
    );
    checkSame(
      where,
      "outcomes",
      outcomes,
      claimed.filter(([at]) => at === version),
    );
    if (outcomes.length > 1 || (outcomes.length > 0 && this.outcomes.length > 0 && !betIsVoided)) {
      throw new Diverged(
        where,
        "outcomes",
        "one settlement, and a correction if there is one",
        JSON.stringify(outcomes),
      );
    }
    settled.forEach((each) => this.bet.settle(each));
    this.outcomes.push(...outcomes);
  }
}

function verifyReceipt(
  receipt: Lines["receipt"],
  log: Checkpoint,
  openings: Map<string, Opening>,
): string {
  const opening = openGame(receipt, log, openings);
  openings.set(opening.game, opening);
  const { version: first, bet, how, seed, bodies, digests, outcomes } = receipt;
  const game = `game ${opening.game}`;
  if (receipt.game !== opening.game)
    throw new Diverged(`${game} version 0`, "game", opening.game, receipt.game);
  const isOver = how !== null && seed !== null && bodies.length > 0 && digests.length === 0;
  const isRunning =
    how === null &&
    seed === null &&
    bodies.length === 0 &&
    digests.length > 0 &&
    outcomes.length === 0;
  if (!isOver && !isRunning)
    throw new Diverged(
      `${game} version ${first}`,
      "receipt",
      "how, seed and bodies, or digests alone",
      "something else",
    );
  if (first === 1 && !receipt.previous.equals(opening.hash)) {
    throw new Diverged(
      `${game} version 0`,
      "previous",
      opening.hash.toString("hex"),
      receipt.previous.toString("hex"),
    );
  }
  const draws = isOver ? new Draws(keyOf(opening, seed), null) : null;
  const history = new BetHistory(receipt, opening.seats);
  const hashes = [receipt.previous];
  const signed = new SignedCommands(opening, hashes, first);
  const signatures: (boolean | null)[] = [];
  for (const link of isOver ? bodies : digests) {
    const version = first + hashes.length - 1;
    const where = `${game} version ${version}`;
    hashes.push(commitHash(hashes.at(-1)!, version, isOver ? sha256(link) : link));
    if (draws === null) continue;
    const [body, command] = draws.check(link, version, where);
    history.check(body, version, where);
    // A bot may have played for a player since before the bet.
    signatures.push(signed.take(body, command, true, where));
  }
  const last = first + hashes.length - 2;
  const where = `${game} version ${last}`;
  checkSame(where, "outcomes", history.outcomes, outcomes);
  if (isOver) {
    const ended = history.isVoided ? "voided" : "finished";
    if (how !== ended) throw new Diverged(where, "end", ended, how);
    if (outcomes.length === 0)
      throw new Diverged(where, "outcomes", "the outcome of the bet", "a bet that is still open");
  }
  const entry = entryOf(
    how ?? "advanced",
    opening.name,
    last,
    hashes.at(-1)!,
    seed ?? Buffer.alloc(0),
  );
  checkIncluded(entry, receipt.entry, log, where, "hash", opening.index);
  const commit = `commit ${first} with the hash ${hashes[1]!.toString("hex")}`;
  if (!isOver)
    return (
      `${game} has ${commit}; it is still running, ` +
      `so nothing proves yet that this is bet ${bet[0]}`
    );
  const results = outcomes
    .map(([version, outcome]) => `, ${outcome} by commit ${version}`)
    .join("");
  const ended = how === "voided" ? "was voided" : "is over";
  const [number, seat, spot, stake, odds] = bet;
  const which = `bet ${number} of ${game}: seat ${seat}, ${stake} on ${spot} at ${odds}`;
  const word = signatures[0] === true ? ", signed by its player" : ", not signed by its player";
  const player = signatures[0] === null ? "" : word;
  return `${which}; it is ${commit}${player}${results}; the game ${ended}`;
}

// Files

type Counts = {
  commits: number;
  draws: number;
  lost: string[];
  owed: string[];
  /** The games and bets that were voided, and why. */
  corrected: string[];
  hasSigners: boolean;
  /** All commands of seats in games with players who sign, and those that are signed. */
  commands: number;
  signed: number;
  /** Those that bots made for players who sign, and what these paid for them. */
  byBots: number;
  paid: number;
};

/** Returns a number with the noun for it: `more` is its plural if that is not with an s. */
function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** Returns words as a list in English. */
function joined(words: string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

/** Names the seats and witnesses that added to the dice beside the server. */
function adding({ seats, witnesses }: Opening["dice"]): string[] {
  const named = witnesses.map((text) => `witness ${text.slice(0, text.lastIndexOf("+"))}`);
  return [...seats.map((seat) => `seat ${seat}`), ...named];
}

/** Names everybody who added to the dice of games. */
function diceInWords(openings: Opening[]): string {
  const found = new Map<string, number>();
  for (const { dice } of openings) {
    const others = adding(dice);
    const who = others.length > 0 ? ["the server", ...others].join(", ") : "the server alone";
    found.set(who, (found.get(who) ?? 0) + 1);
  }
  if (found.size === 1) return `; dice: ${[...found.keys()][0]}`;
  const words = [...found].map(([who, games]) => `; dice of ${counted(games, "game")}: ${who}`);
  const more = words.length > GROUPS_MAX ? "; other dice of other games" : "";
  return words.slice(0, GROUPS_MAX).join("") + more;
}

/** Counts the starts that were abandoned before games, and names the seats that were silent. */
function abandonedInWords(openings: Opening[]): string {
  const attempts = openings.flatMap(({ silent }) => silent);
  if (attempts.length === 0) return "";
  const named = attempts
    .slice(0, OWED_MAX)
    .map((silent) => joined(silent.map((seat) => `seat ${seat}`)) || "no seat");
  const more = attempts.length > OWED_MAX ? " and others" : "";
  const starts = `; ${counted(attempts.length, "start")} abandoned before`;
  return `${starts}, in which the server says that it waited in vain for ${named.join("; ")}${more} of the lobby`;
}

/** Warns of games whose dice rest on strangers alone, by those who added to them. */
function suspectsInWords(openings: Opening[]): string[] {
  const games = new Map<string, string[]>();
  for (const { game, dice } of openings) {
    const others = adding(dice);
    const together = others.length > 0 ? `together with ${joined(others)}` : "alone";
    games.set(together, [...(games.get(together) ?? []), game]);
  }
  return [...games].map(([together, same]) => suspectInWords(together, same));
}

function suspectInWords(together: string, games: string[]): string {
  const which = games.length === 1 ? `game ${games[0]}` : counted(games.length, "game");
  return (
    `warning: the dice of ${which} could have been chosen by the server ${together}: you ` +
    "gave neither the key of a witness who added to them (--witness) nor the receipt of a " +
    "player's entropy in them (--acknowledgements)"
  );
}

/** Describes how many commands players signed, if some of them sign. */
function signedInWords({ hasSigners, commands, signed, byBots, paid }: Counts): string {
  if (!hasSigners) return "";
  const away = "that these players were away is the word of the server";
  const bots = `, ${byBots} by bots in seats of players who sign, which paid ${paid} for them: ${away}`;
  const without = commands - signed - byBots;
  const keyless = without > 0 ? `, ${without} of seats without a key` : "";
  const all = counted(commands, "command");
  return `; ${signed} of ${all} signed${keyless}${byBots > 0 ? bots : ""}`;
}

/** Yields the lines of a file without their line feeds; the last one may lack it. A line that is
 * too long is cut, and ends the file. */
function* linesOf(file: number): Generator<Buffer> {
  const read = Buffer.alloc(2 ** 16);
  let pieces: Buffer[] = [];
  let length = 0;
  for (let count = readSync(file, read); count > 0; count = readSync(file, read)) {
    let chunk = Buffer.from(read.subarray(0, count));
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
      yield Buffer.concat([...pieces, chunk.subarray(0, end)]);
      [pieces, length, chunk] = [[], 0, chunk.subarray(end + 1)];
    }
    pieces.push(chunk);
    length += chunk.length;
    if (length > LINE_MAX) break;
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/** Reads the lines of a file one by one. */
class Parts {
  lines: Generator<Buffer>;
  progress: Progress;
  number = 0;
  isEnd = false;

  constructor(file: number, progress: Progress) {
    this.lines = linesOf(file);
    this.progress = progress;
  }

  /** Returns the next line, which must be of one of these kinds. Throws Malformed. */
  read<K extends keyof Lines>(...kinds: K[]): Lines[K] {
    this.number++;
    const { value: line } = this.lines.next();
    if (line === undefined) throw new Malformed("the end of the file");
    if (line.length > LINE_MAX) throw new Malformed("a longer line");
    this.isEnd = false;
    const value = parsed(line);
    const { type, format } = object(value, "line");
    this.isEnd = type === "end";
    if (this.number === 1 && format === 1)
      throw new Needed("needs the verifier of release 0.1.0, whose files have the format 1");
    const part = read(LINES, value, "line");
    if (kinds.every((kind) => kind !== part.type)) throw new Malformed(part.type);
    return part as Lines[K];
  }

  /** Returns the next line of a game. An error in its closing counts for its last version. */
  next<K extends keyof Lines>(game: string | null, version: number, ...kinds: K[]): Lines[K] {
    try {
      return this.read(...kinds);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      const place = this.isEnd && version > 0 ? version - 1 : version;
      const where = `${game === null ? "" : `game ${game} `}version ${place}`;
      throw new Diverged(where, `line ${this.number}`, kinds.join(" or "), error.message);
    }
  }

  checkEnd(): void {
    if (!this.lines.next().done)
      throw new Diverged("file", `line ${this.number + 1}`, "the end of the file", "more");
  }
}

function firstOf(parts: Parts): Lines["bundle" | "receipt"] {
  try {
    return parts.read("bundle", "receipt");
  } catch (error) {
    if (error instanceof Needed) throw error;
    throw new Unreadable(`neither a bundle nor a receipt: ${(error as Error).message}`);
  }
}

/** Checks a proof of who sat in a seat. */
function checkSeat(proof: Of<typeof SEAT_PROOF>, { people, opened }: Opening): void {
  const where = `game ${proof.game} version 0`;
  const committed = people[proof.seat];
  if (committed === undefined)
    throw new Diverged(where, "person", `one of ${people.length} seats`, proof.seat);
  if (committed === null)
    throw new Diverged(where, "person", "a seat that no user had", proof.user);
  const user = Buffer.from(proof.user.replaceAll("-", ""), "hex");
  const parts = [opened, u16(proof.seat), Buffer.from(proof.salt, "hex"), user];
  const found = sha256(Buffer.from("person\0"), ...parts).toString("hex");
  if (found !== committed) throw new Diverged(where, "person", committed, found);
}

/** The users who sat in seats of games, as proved, by both. */
type Seated = Map<string, string>;

/** The first and the last start of a user that files prove, how many of those between became no
 * game, how many were abandoned after the last one, and the user, if a proof of a seat names them. */
type Linked = [first: number, last: number, abandoned: number, unproved: number, user: string | undefined];

/** Checks that the starts of a user follow each other without a gap, each of a verified game. */
function checkLinks(links: Of<typeof LINKS>, verified: Map<string, Opening>, seated: Seated): Linked {
  let next: [count: number, previous: string] | null = null;
  const hashes = links.map(({ game, opened, count, previous, salt }) => {
    const first = count === 1 ? "00".repeat(32) : previous;
    const [due, after]: [number, string] = next ?? [count, first];
    if (count !== due || previous !== after)
      throw new Diverged(
        `game ${game} version 0`,
        "link",
        `start ${due} after ${after}`,
        `start ${count} after ${previous}`,
      );
    const [named, salted, before] = [opened, salt, previous].map((hex) => Buffer.from(hex, "hex"));
    const parts = framed([named!, salted!, u64(count), before!]);
    const hash = sha256(Buffer.from("link\0"), parts).toString("hex");
    next = [count + 1, hash];
    return hash;
  });
  let user: string | undefined;
  const proved: number[] = [];
  links.forEach(({ game, opened, count }, place) => {
    const found = verified.get(game);
    if (found === undefined) throw new Needed(`needs a file of game ${game} that verifies`);
    // The log has only the hash of its rows: a later start has its link.
    if (found.attempts?.includes(opened)) return;
    const where = `game ${game} version 0`;
    const started = found.opened.toString("hex");
    if (opened !== started && found.attempts === null)
      throw new Needed(`needs a bundle of game ${game} that verifies`);
    if (opened !== started) throw new Diverged(where, "link", `a start of ${started}`, opened);
    const seat = found.links.indexOf(hashes[place]!);
    if (seat < 0) {
      const known = found.links.filter((link) => link !== null);
      throw new Diverged(where, "link", known.join(" or "), hashes[place]);
    }
    proved.push(count);
    const named = seated.get(`${game} ${seat}`);
    user ??= named;
    if (named !== undefined && named !== user)
      throw new Diverged(where, "link", `a start of user ${user}`, named);
  });
  if (proved.length === 0) throw new Needed("needs a later start that became a game");
  const [first, last] = [links[0]!.count, proved.at(-1)!];
  return [first, last, last - first + 1 - proved.length, links.at(-1)!.count - last, user];
}

// Notes that a player kept

/**
 * A key of acknowledgements, its times in the log, and the indexes of its first entry and of the
 * first one that ends it.
 */
type Signer = {
  point: Buffer;
  since: bigint;
  until: bigint;
  last: bigint;
  first: number;
  end: number;
};

/** Checks the entries that name keys of acknowledgements, and returns the keys. */
function checkSigners({ signers }: Lines["bundle"], log: Checkpoint): Signer[] {
  const found = new Map<string, Signer>();
  let after = -1;
  for (const { entry, proof } of signers) {
    if (entry.length !== 73 || entry[0] !== KINDS.key)
      throw new Diverged("log", "key", "an entry that names a key", entry.toString("hex"));
    checkIncluded(entry, proof, log, "log", "key", after);
    after = proof.index;
    const point = entry.subarray(25, 57);
    const version = entry.readBigUInt64BE(17);
    const [since, until] = [entry.readBigUInt64BE(57), entry.readBigUInt64BE(65)];
    const known = found.get(point.toString("hex"));
    const isNext = version === (known === undefined ? 0n : known.last + 1n);
    const isNamed = sha256(point).subarray(0, 16).equals(entry.subarray(1, 17));
    const isEarlier = known === undefined || (since === known.since && until <= known.until);
    if (!isNext || !isNamed || !isEarlier)
      throw new Diverged("log", "key", "the next entry of its key", entry.toString("hex"));
    const first = known?.first ?? proof.index;
    const end = known === undefined ? Infinity : Math.min(known.end, proof.index);
    found.set(point.toString("hex"), { point, since, until, last: version, first, end });
  }
  return [...found.values()];
}

type Note = { note: string; text: string; said: { [field: string]: string } };

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ACKNOWLEDGEMENT = new RegExp(
  `^Railbird acknowledgement 2\norigin (?<origin>${NAME})\nname (?<name>${ID})\n` +
    `game (?<game>${ID})\nversion (?<version>[1-9][0-9]{0,9})\nhash (?<hash>[0-9a-f]{64})\n` +
    `seat (?<seat>0|[1-9][0-9]{0,4})\nid (?<id>${ID})\ncommand (?<command>\\{[^\n]*\\})\n` +
    "seed (?<seed>[0-9a-f]{64})\nat (?<at>[0-9]{4}-[0-9]{2}-[0-9]{2}T" +
    "[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z)\n" +
    "log (?<size>[1-9][0-9]{0,18}) (?<root>[0-9a-f]{64})\n$",
  "u",
);
const HEAD = new RegExp(
  `^Railbird head 1\norigin (?<origin>${NAME})\nname (?<name>${ID})\ngame (?<game>${ID})\n` +
    "version (?<version>[1-9][0-9]{0,9})\nhash (?<hash>[0-9a-f]{64})\n$",
  "u",
);
const REVEAL = new RegExp(
  `^Railbird reveal 2\norigin (?<origin>${NAME})\nname (?<name>${ID})\ngame (?<game>${ID})\n` +
    "opened (?<opened>[0-9a-f]{64})\ncommitted (?<committed>[0-9a-f]{64})\nseat (?<seat>0|[1-9][0-9]{0,4})\n" +
    "commitment (?<commitment>[0-9a-f]{64})\nentropy (?<entropy>[0-9a-f]{64})\n$",
  "u",
);

/** Returns each note in a file once: one JSON string, or one object with a `receipt`, per line. */
function notesIn(name: string): Note[] {
  const lines = utf8(readFileSync(name))
    .split("\n")
    .filter((line) => line !== "");
  const known = new Set<unknown>([null]);
  return lines.flatMap((line) => {
    const value = parsed(Buffer.from(line));
    const note = typeof value === "string" ? value : object(value, "note").receipt;
    if (known.has(note)) return [];
    known.add(note);
    if (typeof note !== "string") throw new Malformed("a note is a text");
    const text = note.slice(0, note.lastIndexOf("\n\n") + 1);
    const said = (ACKNOWLEDGEMENT.exec(text) ?? HEAD.exec(text) ?? REVEAL.exec(text))?.groups;
    const at = said?.["at"] ?? "1970-01-01T00:00:00";
    if (said === undefined || Number.isNaN(Date.parse(`${at.slice(0, 19)}Z`)))
      throw new Malformed("no acknowledgement, signed head or receipt of entropy");
    return [{ note, text, said }];
  });
}

/** The notes that files confirm, and how others differ from them. */
type Compared = {
  found: Set<string>;
  contradicted: Map<string, Diverged>;
  /** The log's names of games to whose dice a confirmed receipt of entropy belongs. */
  dice: Set<string>;
};

/** Compares notes with a bundle that has been verified. */
function compareNotes(name: string, notes: Note[], compared: Compared): void {
  const file = openSync(name, "r");
  try {
    const parts = new Parts(file);
    const header = firstOf(parts);
    if (header.type === "receipt") return;
    const { checkpoint } = header.log;
    const log = parseCheckpoint(checkpoint.slice(0, checkpoint.lastIndexOf("\n\n") + 1));
    const signers = checkSigners(header, log);
    for (let number = 0; number < header.games; number++)
      new NotesOfGame(parts, log, signers, notes, compared).compare();
  } finally {
    closeSync(file);
  }
}

/** Notes against the lines of one game. */
class NotesOfGame {
  parts: Parts;
  log: Checkpoint;
  signers: Signer[];
  notes: Note[];
  compared: Compared;

  constructor(
    parts: Parts,
    log: Checkpoint,
    signers: Signer[],
    notes: Note[],
    compared: Compared,
  ) {
    [this.parts, this.log, this.signers] = [parts, log, signers];
    [this.notes, this.compared] = [notes, compared];
  }

  compare(): void {
    const { genesis, texts } = readGenesis(this.parts.read("game").genesis);
    const { game } = genesis;
    const awaited = this.begin(genesis);
    const { opened, committed } = startEntries(genesis, texts);
    const hash = committed && leafOf(committed);
    this.compareReveals(game, genesis.name, leafOf(opened), hash, revealsOf(genesis));
    const { found, dice } = this.compared;
    const isOfGame = ({ said }: Note) => said["entropy"] !== undefined && said["name"] === genesis.name;
    if (this.notes.some((each) => isOfGame(each) && found.has(each.note))) dice.add(genesis.name);
    for (;;) {
      const part = this.parts.read("abandoned", "commit", "entry", "end");
      if (part.type === "abandoned")
        this.compareReveals(game, part.name, leafOf(openedBy(part)), part.committed, part.reveals);
      if (part.type === "commit") {
        for (const note of awaited.get(part.version) ?? []) this.compareCommit(note, genesis, part);
        awaited.delete(part.version);
      }
      if (part.type === "end") return this.end(game, [...awaited.values()].flat());
    }
  }

  /** Keeps whether the game confirms a note, or what contradicts it. */
  comparing(note: Note, where: string, compare: () => void): void {
    try {
      this.checkSigned(note, where);
      compare();
      this.compared.found.add(note.note);
    } catch (error) {
      if (!(error instanceof Diverged)) throw error;
      const { contradicted } = this.compared;
      if (!contradicted.has(note.note)) contradicted.set(note.note, error);
    }
  }

  /** Checks that the game has all that the notes about it say. */
  end(game: string, left: Note[]): void {
    for (const note of left) {
      const where = `game ${game} version ${note.said["version"]}`;
      this.comparing(note, where, () => {
        const { command, hash } = note.said;
        throw new Diverged(where, command ? "command" : "head", command ?? hash, "no commit");
      });
    }
    const where = `game ${game} version 0`;
    for (const note of this.notes) {
      if (note.said["entropy"] === undefined || note.said["game"] !== game) continue;
      if (this.compared.found.has(note.note)) continue;
      this.comparing(note, where, () => {
        throw new Diverged(where, "attempt", note.said["name"], "no attempt of this name");
      });
    }
  }

  /** Returns the acknowledgements and heads of this game by version. */
  begin(genesis: Genesis): Map<number, Note[]> {
    const awaited = new Map<number, Note[]>();
    for (const note of this.notes) {
      const { game, name, version } = note.said;
      if (version === undefined) continue;
      if (name === genesis.name)
        awaited.set(Number(version), [...(awaited.get(Number(version)) ?? []), note]);
      else if (game === genesis.game) {
        const where = `game ${genesis.game} version ${version}`;
        this.comparing(note, where, () => {
          throw new Diverged(where, "name", name, genesis.name);
        });
      }
    }
    return awaited;
  }

  compareCommit(note: Note, genesis: Genesis, part: Lines["commit"]): void {
    const { said } = note;
    const isHead = said["command"] === undefined;
    const texts = parsedWithTexts(part.body.subarray(BLIND))[1];
    const fields: [string, unknown, unknown][] = [
      ["game", said["game"], genesis.game],
      ["seed", said["seed"], genesis.seed_hash],
      ["command", said["command"], texts.get("command")],
      ["seat", said["seat"], String(part.seat)],
      [isHead ? "head" : "hash", said["hash"], part.hash.toString("hex")],
    ];
    this.compareFields(
      note,
      `game ${genesis.game} version ${part.version}`,
      fields.filter(([field]) => !isHead || field === "game" || field === "head"),
    );
  }

  compareFields(note: Note, where: string, fields: [string, unknown, unknown][]): void {
    this.comparing(note, where, () => {
      for (const [field, known, now] of fields)
        if (known !== now) throw new Diverged(where, field, known, now);
    });
  }

  compareReveals(
    game: string,
    name: string,
    opened: Buffer,
    committed: Buffer | null,
    reveals: [number, Buffer][],
  ): void {
    for (const note of this.notes) {
      const { said } = note;
      if (said["name"] !== name || said["entropy"] === undefined) continue;
      const own = `${said["entropy"]} of seat ${said["seat"]}`;
      const all = reveals.map(([place, known]) => `${known.toString("hex")} of seat ${place}`);
      this.compareFields(note, `game ${game} version 0`, [
        ["game", said["game"], game],
        ["opened", said["opened"], opened.toString("hex")],
        ["committed", said["committed"], committed?.toString("hex")],
        ["reveal", own, all.includes(own) ? own : "none"],
      ]);
    }
  }

  /**
   * Checks that a key that the log names signed the note: an acknowledgement with a key that counts
   * in the log of the size that it names, which had the root that it names.
   */
  checkSigned({ note, text, said }: Note, where: string): void {
    if (this.signers.length === 0) throw new Needed("needs a bundle with the keys of acknowledgements");
    const { origin, size, root } = this.log;
    const expected = "a signature by a key that the log names";
    if (said["origin"] !== origin)
      throw new Unproven(where, "acknowledgement", expected, `a note of the log ${said["origin"]}`);
    const name = `${origin}/acknowledgements`;
    const known = said["size"] === undefined ? null : BigInt(said["size"]);
    const counting = this.signers.filter(
      ({ first, end }) => known === null || (first < known && known <= end),
    );
    const keys = counting.map(({ point }) => {
      const id = sha256(Buffer.from(`${name}\n\x01`), point).subarray(0, 4).toString("hex");
      return { name, id, point, text: "" };
    });
    const lines = note.slice(text.length + 1, -1).split("\n");
    const signatures = lines.map((line) => {
      try {
        return parseSignature(line);
      } catch (error) {
        throw new Unproven(where, "acknowledgement", expected, (error as Error).message);
      }
    });
    const own = signatures.flatMap(({ name, id, signature }) =>
      keys
        .filter((key) => key.name === name && key.id === id)
        .map((key) => hasSigned(key, text, signature)),
    );
    if (own.length === 0 || own.includes(false))
      throw new Unproven(where, "acknowledgement", expected, own.length === 0 ? "none" : "another");
    if (known === BigInt(size) && said["root"] !== root.toString("hex"))
      throw new Diverged(where, "log", root.toString("hex"), said["root"]);
  }
}

/** Verifies a file; returns a summary, the keys that signed it, and how its games opened. */
export function verifyFile(
  name: string,
  trusted: Key[],
  since: string | null,
  demand: Demand,
  progress: Progress = () => {},
): { summary: string; keys: Key[]; openings: Map<string, Opening> } {
  const file = name === "-" ? 0 : openSync(name, "r");
  try {
    const parts = new Parts(file, progress);
    const first = firstOf(parts);
    const { log, keys } = openLog(first.log, trusted, since, demand);
    progress("log", 0);
    const openings = new Map<string, Opening>();
    const summary =
      first.type === "receipt"
        ? verifyReceipt(first, log, openings)
        : verifyBundle(first, parts, log, openings);
    parts.checkEnd();
    const began = [...openings.values()];
    const words = `${diceInWords(began)}${abandonedInWords(began)}`;
    return { summary: `${summary}; log ${log.origin} at ${log.size}${words}`, keys, openings };
  } finally {
    if (file !== 0) closeSync(file);
  }
}

function verifyNamed(
  name: string,
  trusted: Key[],
  since: string | null,
  demand: Demand,
  verified: Map<string, Opening>,
): number {
  return printed(name, () => {
    const { summary, keys, openings } = verifyFile(name, trusted, since, demand);
    if (trusted.length === 0) {
      const names = keys.map((key) => key.text).join(", ");
      print(
        process.stderr,
        `${name}: signed by ${names}, according to ${name} itself: ` +
          "compare with the published key, or give --key",
      );
    }
    for (const [game, opening] of openings)
      if (opening.attempts !== null || !verified.has(game)) verified.set(game, opening);
    return summary;
  });
}

/** Checks a proof of who sat in a seat against the files that were verified. */
function verifyPerson(name: string, verified: Map<string, Opening>, seated: Seated): number {
  return printed(name, () => {
    const proof = SEAT_PROOF(parsed(readFileSync(name)), "proof");
    const opening = verified.get(proof.game);
    if (opening === undefined) throw new Needed(`needs a file of game ${proof.game} that verifies`);
    checkSeat(proof, opening);
    seated.set(`${proof.game} ${proof.seat}`, proof.user);
    return `user ${proof.user} sat in seat ${proof.seat} of game ${proof.game}`;
  });
}

/** Checks what joins the starts of a user against the files that were verified. */
function verifyLinks(name: string, verified: Map<string, Opening>, seated: Seated): number {
  return printed(name, () => {
    const links = LINKS(parsed(readFileSync(name)), "links");
    if (links.length === 0) throw new Malformed("links: a list of at least one is expected");
    const [first, last, abandoned, unproved, user] = checkLinks(links, verified, seated);
    const who = user === undefined ? "one user, whom no --person names" : `user ${user}`;
    const games = `${counted(last - first + 1 - abandoned, "game")}, ${abandoned} abandoned, none is missing`;
    const later = unproved > 0 ? `; nothing proves ${unproved} later abandoned ones` : "";
    return `starts ${first} to ${last} of ${who}: ${games}${later}`;
  });
}

/** Returns how many notes of each kind there are, in words. */
function kindsOf(notes: Note[]): string {
  const count = (field: string) => notes.filter(({ said }) => said[field] !== undefined).length;
  const [commands, reveals] = [count("command"), count("entropy")];
  const heads = notes.length - commands - reveals;
  return [
    commands > 0 ? counted(commands, "acknowledgement") : "",
    heads > 0 ? counted(heads, "signed head") : "",
    reveals > 0 ? counted(reveals, "receipt of entropy", "receipts of entropy") : "",
  ]
    .filter((words) => words !== "")
    .join(", ");
}

/** The result of a comparison of notes: a line for each that matters, a summary and the exit code. */
export type Judged = { lines: string[]; summary: string; code: number };

/** Compares a file of signed notes with bundles that were verified. Adds the log's names of games to
 * whose dice a receipt of entropy belongs to `dice`. */
export function judgeNotes(name: string, bundles: string[], dice: Set<string>): Judged {
  const notes = notesIn(name);
  if (notes.length === 0) throw new Malformed("there is no signed note in it");
  const compared: Compared = { found: new Set(), contradicted: new Map(), dice };
  for (const each of bundles) compareNotes(each, notes, compared);
  const { found, contradicted } = compared;
  const placed = notes.filter(({ note, said }) => said["command"] !== undefined && found.has(note));
  const lines = placed.map(({ said }) => {
    const which = `game ${said["game"]} version ${said["version"]}: seat ${said["seat"]}`;
    return `${which}, ${said["command"]}: in the game`;
  });
  const differing = [...contradicted.values()];
  lines.push(...differing.map(({ message }) => message));
  const left = notes.filter(({ note }) => !found.has(note) && !contradicted.has(note));
  for (const game of new Set(left.map(({ said }) => said["game"]!))) {
    const kinds = kindsOf(left.filter(({ said }) => said["game"] === game));
    lines.push(`needs a bundle of game ${game} that verifies, for ${kinds}`);
  }
  const unsigned = differing.filter((each) => each instanceof Unproven).length;
  const counts: [number, string][] = [
    [differing.length - unsigned, "contradicted"],
    [unsigned, "not signed by this log"],
    [left.length, "about games that are not in them"],
  ];
  const more = counts.filter(([count]) => count > 0).map(([count, words]) => `, ${count} ${words}`);
  const summary = `${kindsOf(notes)}: ${found.size} in these files${more.join("")}`;
  const code = differing.length > unsigned ? 1 : unsigned > 0 ? 5 : left.length > 0 ? 3 : 0;
  return { lines, summary, code };
}

/** Compares a file of signed notes with the bundles that were verified, and prints each note. */
function verifyNotes(name: string, bundles: string[], dice: Set<string>): number {
  return printed(name, () => {
    const { lines, summary, code } = judgeNotes(name, bundles, dice);
    for (const line of lines) print(process.stdout, `${name}: ${line}`);
    if (code !== 0) throw new Contradicted(summary, code);
    return summary;
  });
}

/** Prints the result of `verifying`, and returns the exit code. */
function printed(name: string, verifying: () => string): number {
  try {
    print(process.stdout, `${name}: verified: ${verifying()}`);
    return 0;
  } catch (error) {
    if (error instanceof Contradicted) {
      print(process.stdout, `${name}: ${error.message}`);
      return error.code;
    }
    const isDiverged = error instanceof Diverged;
    const isJudged = isDiverged || error instanceof Needed;
    print(
      process.stdout,
      `${name}: ${isJudged ? "" : "cannot be read: "}${(error as Error).message}`,
    );
    return isDiverged ? 1 : isJudged ? 3 : 2;
  }
}

/** Prints one line without control characters. */
function print(stream: NodeJS.WritableStream, line: string): void {
  stream.write(`${line.replace(/(?! )[\p{C}\p{Z}]/gu, "?")}\n`);
}

// The command

const USAGE =
  "usage: verify.ts [--key KEY] [--since CHECKPOINT] [--origin NAME] " +
  "[--witness KEY [--quorum K]] [--acknowledgements NOTES] [--person PROOF] " +
  "[--links LINKS] FILE...";

/** Returns the keys in an option or in the file that it names. */
function keysOf(option: string, type = 1): Key[] {
  const isFile = statSync(option, { throwIfNoEntry: false })?.isFile() ?? false;
  const words = (isFile || !option.includes("+") ? utf8(readFileSync(option)) : option)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) throw new Malformed(`${option}: no key`);
  return words.map((word) => parseKey(word, type));
}

function main(): number {
  let names: string[];
  let trusted: Key[];
  let since: string | null;
  let demand: Demand;
  let people: string[];
  let kept: string[];
  let links: string[];
  try {
    const options = {
      key: { type: "string", multiple: true },
      since: { type: "string" },
      origin: { type: "string" },
      witness: { type: "string", multiple: true },
      quorum: { type: "string" },
      person: { type: "string", multiple: true },
      links: { type: "string", multiple: true },
      acknowledgements: { type: "string", multiple: true },
      help: { type: "boolean" },
    } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) {
      print(process.stdout, USAGE);
      return 0;
    }
    names = positionals;
    people = values.person ?? [];
    links = values.links ?? [];
    kept = values.acknowledgements ?? [];
    if (kept.length > 0 && names.includes("-"))
      throw new Malformed("--acknowledgements needs files instead of -");
    if (names.length + kept.length === 0)
      throw new Malformed("name a FILE, the bundle of a game or the receipt of a bet");
    trusted = (values.key ?? []).flatMap((key) => keysOf(key));
    const witnesses = new Map(
      (values.witness ?? []).flatMap((key) => keysOf(key, 4)).map((key) => [key.text, key]),
    );
    const quorum = Number(values.quorum ?? witnesses.size);
    const fits = Number.isInteger(quorum) && quorum >= (witnesses.size > 0 ? 1 : 0);
    if (!fits || quorum > witnesses.size)
      throw new Malformed(`--quorum ${values.quorum}: there are ${witnesses.size} witnesses`);
    demand = { origin: values.origin ?? null, witnesses: [...witnesses.values()], quorum };
    since = values.since === undefined ? null : utf8(readFileSync(values.since));
  } catch (error) {
    print(process.stderr, `verify.ts: ${(error as Error).message}`);
    return 2;
  }
  const verified = new Map<string, Opening>();
  const codes = names.map((name) => verifyNamed(name, trusted, since, demand, verified));
  const bundles = names.filter((_, place) => codes[place] === 0);
  const dice = new Set<string>();
  codes.push(...kept.map((name) => verifyNotes(name, bundles, dice)));
  const known = new Set(demand.witnesses.map(({ text }) => text));
  const suspect = [...verified.values()].filter(
    ({ name, dice: { witnesses } }) => !dice.has(name) && !witnesses.some((text) => known.has(text)),
  );
  for (const words of suspectsInWords(suspect)) print(process.stdout, `dice: ${words}`);
  const seated: Seated = new Map();
  const all = [...codes, ...people.map((name) => verifyPerson(name, verified, seated))];
  all.push(...links.map((name) => verifyLinks(name, verified, seated)));
  return all.includes(1) ? 1 : Math.max(...all);
}

// In a browser there is no process: a page imports `verifyFile`.
if (typeof process === "object") {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(GONE);
  });
  process.exitCode = main();
}
