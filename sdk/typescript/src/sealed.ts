/**
 * The entry of a start in the public log: the client checks it before it reveals its entropy.
 *
 * `docs/audit-protocol.md` says why each part is checked.
 */
import { isSigned } from "./ed25519.ts";
import { bytesOf, concatenated, framed, hexOf, sha256, uuidBytes } from "./hashes.ts";
import type * as models from "./models.ts";
import { Contradicted } from "./problems.ts";

const COMMITTED = 11;
const REVEALED = 12;

type Hash = Uint8Array<ArrayBuffer>;

/** A signed state of the log: its name, its number of entries, and the root of their tree. */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Hash;
}

export function refused(field: string, expected: unknown, found: unknown): Contradicted {
  const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"));
  return new Contradicted("", field, textOf(expected), textOf(found));
}

/** The commitment of a seat, the key of its player, and the signature for the seat. */
export type Mark = [commitment: string, key: string | null, signature: string | null];

/**
 * Check that the log has fixed all seats of a lobby, with this client's commitment, key and signature
 * for the seat (`own`), and nothing that the lobby does not show. `now` is the checkpoint of its
 * proof, which has been checked. Throws Contradicted.
 */
export async function checkCommitments(
  found: models.Commitments,
  lobby: models.Lobby,
  own: Mark,
  now: Checkpoint,
): Promise<void> {
  const { rows, rows_salt, promises, path } = found;
  for (const hex of [rows_salt, found.your_salt, ...promises, ...path]) {
    if (!/^[0-9a-f]*$/.test(hex)) throw refused("committed", "hex", hex);
  }
  const { length } = witnessesIn(lobby.opening);
  if (promises.length !== length) throw refused("promises", `those of ${length} witnesses`, promises);
  await checkRows(found, lobby, own);
  const parts = rows.flatMap((row) => [
    placeOf(row),
    ...[row.person, row.key, row.commitment, row.signature, row.link].map((hex) => bytesOf(hex ?? "")),
  ]);
  const digest = await sha256("committed\0", bytesOf(rows_salt), framed([framed(parts), framed(promises.map(bytesOf))]));
  const { name, hash: opened } = lobby.opening;
  const entry = concatenated([Uint8Array.of(COMMITTED), uuidBytes(name), new Uint8Array(8), bytesOf(opened), digest]);
  const leaf = await sha256(Uint8Array.of(0), entry);
  if (found.entry !== hexOf(entry)) throw refused("entry", hexOf(entry), found.entry);
  if (found.hash !== hexOf(leaf)) throw refused("hash", hexOf(leaf), found.hash);
  const root = await rootOf(leaf, found.index, now.size, path.map(bytesOf));
  if (!root || hexOf(root) !== hexOf(now.root)) throw refused("path", "a proof of the entry", "another");
}

/** The public keys of the witnesses that add to the dice of a game. Throws Contradicted. */
export function witnessesIn({ table_text }: models.Opening): string[] {
  let found: unknown;
  try {
    found = (JSON.parse(table_text) as { witnesses?: unknown } | null)?.witnesses;
  } catch {
    found = "no JSON";
  }
  if (Array.isArray(found) && found.every((each) => typeof each === "string")) return found as string[];
  throw refused("witnesses", "a list of keys", found);
}

/** How long the terms allow from the freeze of the seats to the game. Throws Contradicted. */
export function decidedWithinMs({ table_text }: models.Opening): number {
  let found: Record<string, number> | undefined;
  try {
    found = (JSON.parse(table_text) as { deadlines?: Record<string, number> } | null)?.deadlines;
  } catch {
    // No deadlines either.
  }
  let all = 0;
  for (const name of ["committed_s", "revealed_s", "started_s"]) {
    const seconds = found?.[name];
    if (!Number.isInteger(seconds) || seconds! < 0 || seconds! >= 2 ** 31) throw refused("deadlines", "numbers of seconds", found);
    all += seconds!;
  }
  return all * 1000;
}

/**
 * Check that exactly the seats with a commitment have revealed, each what it had committed to:
 * otherwise, the last one to reveal could choose the dice. Throws Contradicted.
 */
export async function checkReveals(
  { rows }: models.Commitments,
  { hash: opened }: models.Opening,
  { reveals }: Record<string, unknown>,
): Promise<void> {
  const committed = rows.flatMap(({ commitment }, seat) => (commitment ? [[seat, commitment, null]] : []));
  try {
    const revealed: unknown[] = [];
    for (const [seat, entropy, ...rest] of reveals as [number, string, null][]) {
      if (!/^[0-9a-f]{64}$/.test(entropy)) throw refused("reveals", "32 bytes in hex", entropy);
      const said = [bytesOf(opened), placeOf(rows[seat]!), bytesOf(entropy)];
      revealed.push([seat, hexOf(await sha256("entropy\0", ...said)), ...rest]);
    }
    if (JSON.stringify(revealed) !== JSON.stringify(committed)) throw refused("reveals", committed, revealed);
  } catch (error) {
    throw error instanceof Contradicted ? error : refused("reveals", "those of the seats", String(error));
  }
}

function placeOf({ place }: models.CommittedSeat): Hash {
  return Uint8Array.of(place >> 8, place & 255);
}

/**
 * Check that each witness has added what it had promised, once all had revealed. Throws
 * Contradicted.
 */
export async function checkAnswers(
  sealed: models.Commitments,
  opening: models.Opening,
  { reveals, answers }: Record<string, unknown>,
): Promise<void> {
  const witnesses = witnessesIn(opening);
  const given = Array.isArray(answers) && answers.length === witnesses.length ? answers : undefined;
  if (!given) throw refused("answers", `those of ${witnesses.length} witnesses`, answers);
  try {
    const listed = (reveals as [number, string, null][]).flatMap(([seat, entropy]) => {
      return [placeOf(sealed.rows[seat]!), bytesOf(entropy)];
    });
    const named = [uuidBytes(opening.name), new Uint8Array(8), bytesOf(sealed.hash)];
    const revealed = hexOf(await sha256(Uint8Array.of(0, REVEALED), ...named, ...listed));
    const origin = sealed.checkpoint.split("\n", 1)[0];
    const said = `Railbird witness answer 1\norigin ${origin}\nopened ${opening.hash}\nrevealed ${revealed}\n`;
    for (const [index, witness] of witnesses.entries()) {
      const [entropy, signature] = given[index] as [string, string];
      const isPromised = hexOf(await sha256(bytesOf(entropy))) === sealed.promises[index];
      if (isPromised && (await isSigned(keyIn(witness), `${said}entropy ${entropy}\n`, bytesOf(signature)))) continue;
      throw refused("answers", "what the witnesses promised and signed", answers);
    }
  } catch (error) {
    throw error instanceof Contradicted ? error : refused("answers", "those of the witnesses", String(error));
  }
}

async function checkRows(found: models.Commitments, lobby: models.Lobby, own: Mark): Promise<void> {
  const seats = [...lobby.seats].sort((one, other) => one.number - other.number);
  const shown = seats.map(({ number, user, commitment }) => [number, user === null ? null : commitment]);
  const rows = found.rows.map(({ place, commitment }) => [place, commitment]);
  if (JSON.stringify(rows) !== JSON.stringify(shown)) throw refused("rows", shown, rows);
  for (const [index, { number, user }] of seats.entries()) {
    const row = found.rows[index]!;
    if ((row.person === null) !== (row.link === null) || (user === null) !== (row.person === null)) {
      throw refused("person", user, [row.person, row.link]);
    }
    if (number !== lobby.your_seat || user === null) continue;
    const place = Uint8Array.of(index >> 8, index & 255);
    const said = [bytesOf(lobby.opening.hash), place, bytesOf(found.your_salt), uuidBytes(user)];
    const person = hexOf(await sha256("person\0", ...said));
    const [commitment, ...mark] = own;
    if (person !== row.person || commitment !== row.commitment) {
      throw refused("commitment", [person, commitment], [row.person, row.commitment]);
    }
    const fixed = [row.key, row.signature];
    if (JSON.stringify(mark) !== JSON.stringify(fixed)) throw refused("rows", mark, fixed);
  }
}

/** The checkpoint of a note that has been checked. */
export function checkpointOf(note: string): Checkpoint {
  const [origin = "", size, root = ""] = note.split("\n");
  return { origin, size: Number(size), root: base64(root) };
}

/** The bytes of a public key in its text form, `name+id+base64`, which may contain a plus. */
function keyIn(text: string): Hash {
  return base64(text.split("+").slice(2).join("+")).slice(1);
}

/** Return the checkpoint of a note that one of these keys of the log signed. Throws Contradicted. */
export async function checkpointIn(note: string, keys: string[]): Promise<Checkpoint> {
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const [origin, size = ""] = text.split("\n");
  const verified: boolean[] = [];
  try {
    for (const line of note.slice(end + 2).split("\n")) {
      const [, name, signature = ""] = line.split(" ");
      const signed = base64(signature);
      for (const key of keys) {
        const [owner, id] = key.split("+", 2);
        if (name !== origin || owner !== origin || hexOf(signed.slice(0, 4)) !== id) continue;
        verified.push(await isSigned(keyIn(key), text, signed.slice(4)));
      }
    }
    if (verified.length > 0 && verified.every((each) => each) && /^[0-9]{1,16}$/.test(size)) {
      return checkpointOf(text);
    }
  } catch (error) {
    throw refused("checkpoint", "a signed checkpoint", String(error));
  }
  throw refused("checkpoint", `a signature by ${keys.join(" or ")}`, note);
}

export function base64(text: string): Hash {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function nodeOf(left: Hash, right: Hash): Promise<Hash> {
  return sha256(Uint8Array.of(1), left, right);
}

/** Return the root that a proof of an entry leads to (RFC 9162, section 2.1.3.2). */
export async function rootOf(leaf: Hash, index: number, size: number, path: Hash[]): Promise<Hash | null> {
  let [place, last, hash] = [BigInt(index), BigInt(size) - 1n, leaf];
  if (place < 0n || place > last) return null;
  for (const each of path) {
    if (last === 0n) return null;
    if (place & 1n || place === last) {
      hash = await nodeOf(each, hash);
      while (!(place & 1n) && place > 0n) [place, last] = [place >> 1n, last >> 1n];
    } else {
      hash = await nodeOf(hash, each);
    }
    [place, last] = [place >> 1n, last >> 1n];
  }
  return last === 0n ? hash : null;
}

/** Whether a log continues another (RFC 9162, section 2.1.4.2). */
export async function continues(old: Checkpoint, now: Checkpoint, path: Hash[]): Promise<boolean> {
  if (old.size === 0) return true;
  if (old.size === now.size) return path.length === 0 && hexOf(old.root) === hexOf(now.root);
  let [place, last] = [BigInt(old.size) - 1n, BigInt(now.size) - 1n];
  const isPower = (BigInt(old.size) & place) === 0n;
  const [start, ...rest] = isPower ? [old.root, ...path] : path;
  if (old.size > now.size || path.length === 0 || !start) return false;
  while (place & 1n) [place, last] = [place >> 1n, last >> 1n];
  let [first, second] = [start, start];
  for (const each of rest) {
    if (last === 0n) return false;
    if (place & 1n || place === last) {
      [first, second] = [await nodeOf(each, first), await nodeOf(each, second)];
      while (!(place & 1n) && place > 0n) [place, last] = [place >> 1n, last >> 1n];
    } else {
      second = await nodeOf(second, each);
    }
    [place, last] = [place >> 1n, last >> 1n];
  }
  return last === 0n && hexOf(first) === hexOf(old.root) && hexOf(second) === hexOf(now.root);
}
