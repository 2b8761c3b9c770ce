import { Contradicted } from "./problems.ts";

const TITLE = "Railbird acknowledgement 1";
const FIELDS = ["origin", "name", "game", "version", "hash", "seat", "id", "command", "seed", "at"];

/** The content of an acknowledgement: hashes in hex, numbers and times as text. */
export type Fields = Readonly<Record<string, string>>;

/** Parse a signed acknowledgement. Throws Contradicted for anything else. */
export function parseAcknowledgement(note: string): Fields {
  const [title = "", ...lines] = note.slice(0, note.lastIndexOf("\n\n")).split("\n");
  const parts = lines.map((line) => line.split(" "));
  const isWhole = parts.length === FIELDS.length && parts.every(([name, ...rest], place) => name === FIELDS[place] && rest.length === 1);
  if (title !== TITLE || !isWhole) throw new Contradicted(note, "form", TITLE, title);
  return Object.fromEntries(parts);
}

/** JSON without spaces, names sorted. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

async function digestOf(command: unknown): Promise<string | undefined> {
  // Pages without a secure context have no hashes; the server's signature still binds it.
  const bytes = new TextEncoder().encode(canonical(command));
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bytes);
  return digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function check(note: string, said: Fields, expected: Record<string, unknown>): void {
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
  async take(note: string | null | undefined, command: unknown, accepted: { id: string; version: number; hash: string }): Promise<void> {
    if (!note) throw new Contradicted("", "acknowledgement", "a signed note", "none");
    const said = parseAcknowledgement(note);
    const { id, version, hash } = accepted;
    check(note, said, { game: this.#game, id, version, hash, command: await digestOf(command) });
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
