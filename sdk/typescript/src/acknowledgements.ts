import { Contradicted } from "./problems.ts";

const TITLE = "Railbird acknowledgement 1";
const FIELDS = ["origin", "name", "game", "version", "hash", "seat", "id", "command", "seed", "at"];

/** The content of an acknowledgement: hashes in hex, numbers and times as text. */
export type Fields = Readonly<Record<string, string>>;

/** Parse a signed acknowledgement. Throws Contradicted for anything else. */
export function parseAcknowledgement(note: string): Fields {
  const [title = "", ...lines] = note.slice(0, note.lastIndexOf("\n\n")).split("\n");
  const parts = lines.map((line) => [line.split(" ", 1)[0]!, line.slice(line.indexOf(" ") + 1)] as const);
  if (title !== TITLE || parts.map(([name]) => name).join() !== FIELDS.join()) throw new Contradicted(note, "form", TITLE, title);
  const version = parts[FIELDS.indexOf("version")]![1];
  if (!/^\d{1,16}$/.test(version)) throw new Contradicted(note, "version", "a number", version);
  return Object.fromEntries(parts);
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
 * The signed acknowledgements of one game, compared with the commits that follow.
 *
 * Pass earlier `notes`, and store each new one in `keep`, for instance in a file.
 */
export class Acknowledgements {
  readonly #game: string;
  readonly #keep: (note: string) => void;
  readonly #known = new Map<number, string>();
  readonly #hashes = new Map<number, string>();

  constructor(game: string, keep: (note: string) => void, notes: Iterable<string> = []) {
    this.#game = game;
    this.#keep = keep;
    for (const note of notes) {
      const said = parseAcknowledgement(note);
      if (said.game === game) this.#known.set(Number(said.version), note);
    }
  }

  /** Check the acknowledgement of a command. Throws Contradicted. */
  take(note: string | null | undefined, command: unknown, accepted: { id: string; version: number; hash: string }): void {
    if (!note) throw new Contradicted("", "acknowledgement", "a signed note", "none");
    const said = parseAcknowledgement(note);
    const { id, version, hash } = accepted;
    check(note, said, { game: this.#game, id, version, hash });
    checkCommand(note, said["command"]!, command);
    const known = this.#known.get(version);
    if (known !== undefined) check(note, said, parseAcknowledgement(known));
    else this.#keep(note);
    this.#known.set(version, note);
    check(note, said, { hash: this.#hashes.get(version) });
  }

  /** Compare a commit with the acknowledgement of its version. Throws Contradicted. */
  compare(version: number, hash: string): void {
    this.#hashes.set(version, hash);
    const note = this.#known.get(version);
    if (note !== undefined) check(note, parseAcknowledgement(note), { hash });
  }
}
