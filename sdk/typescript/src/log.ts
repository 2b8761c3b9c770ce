/** The public log as a client knows it: its keys, its newest state, and the keys that sign notes. */
import { isSigned } from "./ed25519.ts";
import { bytesOf, hexOf, sha256 } from "./hashes.ts";
import type * as models from "./models.ts";
import type { Operations } from "./operations.ts";
import { pauseMs, sleep } from "./patience.ts";
import { NoEvidence, Problem } from "./problems.ts";
import { base64, checkpointIn, checkpointOf, continues, refused, rootOf, type Checkpoint } from "./sealed.ts";
import { keep, stored, type Store } from "./store.ts";

const KEPT_AS = "railbird.log";
const KEY = 8;
const KEY_ENTRY_LENGTH = 73;
const SUFFIX = "/acknowledgements";
const TRIES_MAX = 5;

/** The newest note of a log that a client has seen, and its public keys, as given or first seen. */
export interface KnownLog {
  checkpoint: string;
  keys: string[];
}

/** A key that signs notes, and the indexes of the entries that name it, and end it. */
interface Signer {
  key: Uint8Array<ArrayBuffer>;
  first: number;
  last: number;
}

/** The log of a server. Without its public keys, those that are seen first count. */
export class Log {
  readonly #api: Operations;
  readonly #store: Store | undefined;
  readonly #keys: readonly string[] | undefined;
  #known: KnownLog | undefined;
  #signers: Signer[] = [];

  constructor(api: Operations, keys?: readonly string[], store?: Store) {
    this.#api = api;
    this.#keys = keys;
    this.#store = store;
  }

  /** The newest state that this client has seen; pages of one browser share it. */
  get newest(): Checkpoint | undefined {
    this.#known = stored<KnownLog>(this.#store, KEPT_AS) ?? this.#known;
    return this.#known && checkpointOf(this.#known.checkpoint);
  }

  /** Return the checkpoint of a note that continues an earlier one. Throws Contradicted. */
  async checked(before: Checkpoint | undefined, { checkpoint, keys }: KnownLog, path: string[] | null): Promise<Checkpoint> {
    const now = await checkpointIn(checkpoint, this.#trusted(keys));
    if (!before) return now;
    const proof = path?.every((hex) => /^[0-9a-f]*$/.test(hex)) ? path.map(bytesOf) : undefined;
    if (before.origin !== now.origin || !proof || !(await continues(before, now, proof))) {
      throw refused("checkpoint", `one that continues that of ${before.size} entries`, checkpoint);
    }
    return now;
  }

  /** Keep the keys as given or first seen, and the newest state of the log. */
  know({ checkpoint, keys }: KnownLog): void {
    const newest = this.newest;
    if (newest && newest.size >= checkpointOf(checkpoint).size) return;
    this.#known = { checkpoint, keys: this.#trusted(keys) };
    keep(this.#store, KEPT_AS, this.#known);
  }

  #trusted(keys: string[]): string[] {
    return [...(this.#keys ?? this.#known?.keys ?? keys)];
  }

  /** Return the newest checkpoint, which continues what this client saw of the log. Throws
   * Contradicted. */
  async check(): Promise<Checkpoint> {
    const before = this.newest;
    const found = await this.#found(before?.size);
    const known = { checkpoint: found.note, keys: found.keys };
    const now = await this.checked(before, known, found.since_path);
    this.#signers = signersIn(await Promise.all(found.signers.map((each) => signerIn(each, now))));
    this.know(known);
    return now;
  }

  /** Get a checkpoint. A server that reads from a replica may be behind for a moment. */
  async #found(since: number | undefined): Promise<models.Checkpoint> {
    for (let failures = 0; failures < TRIES_MAX; failures++) {
      if (failures) await sleep(pauseMs(failures - 1));
      try {
        return await this.#api.getCheckpoint(since === undefined ? {} : { since });
      } catch (problem) {
        if (!(problem instanceof Problem) || problem.code !== "malformed") throw problem;
      }
    }
    throw refused("checkpoint", `at least ${since} entries`, "fewer");
  }

  /**
   * Check that a key signed a note which the log names, and at this size does not end. Throws
   * NoEvidence.
   *
   * A key may be newer than what the client has seen of the log.
   */
  async checkAuthor(note: string, size?: number): Promise<void> {
    for (let checks = 0; checks <= TRIES_MAX; checks++) {
      if (checks > 1) await sleep(pauseMs(checks - 1));
      if (checks) await this.check();
      if (await this.#hasAuthor(note, size)) return;
    }
    throw new NoEvidence(note);
  }

  async #hasAuthor(note: string, size: number | undefined): Promise<boolean> {
    const newest = this.newest;
    const name = newest && newest.origin + SUFFIX;
    const end = note.lastIndexOf("\n\n");
    for (const line of note.slice(end + 2).split("\n")) {
      const [, owner, signature = ""] = line.split(" ");
      if (owner !== name) continue;
      for (const { key, first, last } of this.#signers) {
        if (size !== undefined && !(first < size && size <= last)) continue;
        if (await isSigned(key, note.slice(0, end + 1), bytesIn(signature).slice(4))) return true;
      }
    }
    return false;
  }
}

/** The bytes of a signature; none if it is not base64. */
function bytesIn(signature: string): Uint8Array<ArrayBuffer> {
  try {
    return base64(signature);
  } catch {
    return new Uint8Array(0);
  }
}

/** Return the keys that entries name, each until an entry ends it. */
function signersIn(named: Signer[]): Signer[] {
  const found = new Map<string, Signer>();
  for (const each of named) {
    const known = found.get(hexOf(each.key));
    if (known) known.last = Math.min(known.last, each.first);
    else found.set(hexOf(each.key), each);
  }
  return [...found.values()];
}

/** Return the key that an entry of the log names. Throws Contradicted. */
async function signerIn({ entry, index, path }: models.LogSigner, now: Checkpoint): Promise<Signer> {
  const bytes = bytesOf(entry);
  const leaf = await sha256(Uint8Array.of(0), bytes);
  const root = await rootOf(leaf, index, now.size, path.map(bytesOf));
  if (bytes.length !== KEY_ENTRY_LENGTH || bytes[0] !== KEY || !root || hexOf(root) !== hexOf(now.root)) {
    throw refused("signers", "entries of the log that name keys", entry);
  }
  return { key: bytes.slice(25, 57), first: index, last: Infinity };
}
