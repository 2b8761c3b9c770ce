import { sleep } from "./patience.ts";
import { Contradicted, given, Misused, NoEvidence } from "./problems.ts";

const TITLE = "Railbird acknowledgement 2";
const HEAD_TITLE = "Railbird head 1";
const HEAD_FIELDS = ["origin", "name", "game", "version", "hash"];
const FIELDS = [...HEAD_FIELDS, "seat", "id", "command", "seed", "at", "log"];
/** How often a head is checked, which takes some milliseconds. */
const CHECK_EVERY_MS = 1000;

/** The content of a note: hashes in hex, numbers and times as text. That of a head has no command. */
export type Fields = Readonly<Record<string, string>>;

/** Parse a signed acknowledgement or head. Throws Contradicted for anything else. */
export function parseNote(note: string): Fields {
  const text = String(note);
  const [title = "", ...lines] = text.slice(0, text.lastIndexOf("\n\n")).split("\n");
  const parts = lines.map((line) => [line.split(" ", 1)[0]!, line.slice(line.indexOf(" ") + 1)] as const);
  const fields = title === HEAD_TITLE ? HEAD_FIELDS : FIELDS;
  const isKnown = title === TITLE || title === HEAD_TITLE;
  if (!isKnown || parts.map(([name]) => name).join() !== fields.join()) throw new Contradicted(note, "form", TITLE, title);
  const version = parts[FIELDS.indexOf("version")]![1];
  if (!/^\d{1,16}$/.test(version)) throw new Contradicted(note, "version", "a number", version);
  const said = Object.fromEntries(parts);
  if (!/^\d{1,18} [0-9a-f]{64}$/.test(said["log"] ?? `0 ${"0".repeat(64)}`)) throw new Contradicted(note, "log", "size and root", said["log"]!);
  return said;
}

/** The size of the log when a note was signed; undefined for a head. */
export function sizeIn(said: Fields): number | undefined {
  return said["log"] === undefined ? undefined : parseInt(said["log"], 10);
}

/** Whether a value has all that another one has; objects may have more names. */
function contains(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  if (part === null || typeof part !== "object") return whole === part;
  if (whole === null || typeof whole !== "object" || Array.isArray(whole) !== Array.isArray(part)) return false;
  if (Array.isArray(part) && part.length !== (whole as unknown[]).length) return false;
  return Object.entries(part).every(([name, member]) => contains((whole as Record<string, unknown>)[name], member));
}

/**
 * Compare the command of an acknowledgement with the one that was sent, which may lack fields that
 * have a default.
 */
function checkCommand(note: string, said: string, sent: unknown): void {
  try {
    if (contains(JSON.parse(said), sent)) return;
  } catch {
    // It is not JSON.
  }
  throw new Contradicted(note, "command", JSON.stringify(sent), said);
}

/** Compare an acknowledgement with known values. Throws Contradicted. */
export function check(note: string, said: Fields, expected: Record<string, unknown>): void {
  for (const [field, known] of Object.entries(expected)) {
    if (known !== undefined && said[field] !== String(known)) {
      throw new Contradicted(note, field, String(known), said[field] ?? "");
    }
  }
}

/**
 * The signed notes of one game: acknowledgements of commands, and the newest commit that the server
 * showed (a head). They are compared with the commits that follow.
 *
 * Pass earlier `notes`, and store each new one in `keep`, for instance in a file.
 */
export class Acknowledgements {
  readonly #game: string;
  readonly #keep: (note: string) => void;
  readonly #known = new Map<number, string>();
  readonly #heads = new Map<number, string>();
  readonly #hashes = new Map<number, string>();
  #newest: { note: string; version: number } | undefined;
  #checking: Promise<void> | undefined;
  #failure: unknown;

  constructor(game: string, keep: (note: string) => void, notes: Iterable<string> = []) {
    if (typeof keep !== "function") throw new Misused("`keep` is a function that stores a note");
    this.#game = game;
    this.#keep = keep;
    for (const note of given(notes)) {
      const said = parseNote(note);
      const known = said["command"] === undefined ? this.#heads : this.#known;
      if (said["game"] === game) known.set(Number(said["version"]), note);
    }
  }

  /** Check the acknowledgement of a command. Throws Contradicted. */
  take(note: string | null | undefined, command: unknown, accepted: { id: string; version: number; hash: string }): void {
    if (!note) throw new Contradicted("", "acknowledgement", "a signed note", "none");
    const said = parseNote(note);
    const { id, version, hash } = given(accepted);
    check(note, said, { game: this.#game, id, version, hash });
    checkCommand(note, said["command"]!, command);
    const known = this.#known.get(version);
    if (known !== undefined) check(note, said, { ...parseNote(known), log: said["log"] });
    else this.#keep(note);
    this.#known.set(version, note);
    check(note, said, { hash: this.#hashes.get(version) });
  }

  /** Compare a commit with the notes about its version. Throws Contradicted. */
  compare(version: number, hash: string): void {
    this.#hashes.set(version, hash);
    for (const note of [this.#known.get(version), this.#heads.get(version)]) {
      if (note !== undefined) check(note, parseNote(note), { hash });
    }
  }

  /**
   * Store the head of a commit that was shown, and have `isSigned` check it soon. Throws
   * Contradicted, and NoEvidence for an earlier head that nobody signed. If the client cannot read
   * the log, it tries again with the next head.
   */
  show(note: string, version: number, hash: string, isSigned: (note: string) => Promise<void>): void {
    check(note, parseNote(note), { game: this.#game, version, hash });
    if (this.#failure) throw this.#failure;
    if (this.#newest?.note === note) return;
    this.#keep(note);
    this.#newest = { note, version };
    this.#checking ??= this.#checkNowAndThen(isSigned);
  }

  /** Check that the server signed the last version of the game. Throws NoEvidence. */
  async checkEnd(version: number | undefined, isSigned: (note: string) => Promise<void>): Promise<void> {
    if (this.#newest?.version !== version) throw new NoEvidence("");
    await isSigned(this.#newest!.note);
  }

  async #checkNowAndThen(isSigned: (note: string) => Promise<void>): Promise<void> {
    let checked: string | undefined;
    try {
      while (this.#newest!.note !== checked) {
        checked = this.#newest!.note;
        await isSigned(checked);
        await sleep(CHECK_EVERY_MS);
      }
    } catch (error) {
      this.#failure = error instanceof NoEvidence || error instanceof Contradicted ? error : undefined;
    }
    this.#checking = undefined;
  }
}
