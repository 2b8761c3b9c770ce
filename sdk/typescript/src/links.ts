/** Links between the starts of a user's games: a server that leaves one out is found. */
import { bytesOf, framed, hexOf, sha256 } from "./hashes.ts";
import type * as models from "./models.ts";
import type { Operations } from "./operations.ts";
import { Contradicted } from "./problems.ts";
import { refused } from "./sealed.ts";
import { keep, stored, type Store } from "./store.ts";

const KEPT_MAX = 64;

/** The newest links of a user, the first of which has this count. */
interface Known {
  first: number;
  hashes: string[];
}

/** Return the link in the row of a start. Throws Contradicted. */
export async function hashOf({ opened, salt, count, previous }: models.PersonLink): Promise<string> {
  const hexes = [opened, salt, previous];
  if (!hexes.every((hex) => /^([0-9a-f]{2})*$/.test(hex)) || count < 1) throw refused("link", "hex and a count", hexes);
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(count));
  const parts = framed([bytesOf(opened), bytesOf(salt), number, bytesOf(previous)]);
  return hexOf(await sha256("link\0", parts));
}

/** The links of each user, from the first that this client has seen. */
export class Links {
  readonly #api: Operations;
  readonly #store: Store | undefined;
  readonly #known = new Map<string, Known>();

  constructor(api: Operations, store?: Store) {
    this.#api = api;
    this.#store = store;
  }

  /**
   * Check that a start of a user follows those that this client knows, and ask for the ones between.
   * Throws Contradicted, once for each server that goes back, perhaps because it lost what it had
   * stored: then this begins again with the link.
   */
  async check(user: string, link: models.PersonLink): Promise<void> {
    try {
      await this.#follow(user, link);
    } catch (error) {
      if (error instanceof Contradicted) this.#keep(user, await taken(undefined, link));
      throw error;
    }
  }

  async #follow(user: string, link: models.PersonLink): Promise<void> {
    let known = this.#of(user);
    while (known && next(known) < link.count) {
      const before = next(known);
      const found = await this.#api.listLinks({ after: before - 1 });
      for (const each of found) if (each.count < link.count) known = await taken(known, each);
      if (next(known) === before) throw refused("links", `start ${before}`, found.map(({ count }) => count));
    }
    const now = await taken(known, link);
    const others = this.#of(user); // of another page, which may have seen more meanwhile
    this.#keep(user, known && others && next(others) > next(now) ? others : now);
  }

  #keep(user: string, known: Known): void {
    this.#known.set(user, known);
    keep(this.#store, keptAs(user), known);
  }

  #of(user: string): Known | undefined {
    return stored<Known>(this.#store, keptAs(user)) ?? this.#known.get(user);
  }
}

function keptAs(user: string): string {
  return `railbird.links.${user}`;
}

function next({ first, hashes }: Known): number {
  return first + hashes.length;
}

/** Return what is known with one more link. Throws Contradicted. */
async function taken(known: Known | undefined, link: models.PersonLink): Promise<Known> {
  const { count, previous } = link;
  const hash = await hashOf(link);
  if (!known) return { first: count, hashes: [hash] };
  const place = count - known.first;
  if (place < 0 || place > known.hashes.length) throw refused("link", `start ${next(known)} at most`, count);
  const expected = [known.hashes[place - 1] ?? previous, known.hashes[place] ?? hash];
  if (previous !== expected[0] || hash !== expected[1]) throw refused("link", expected, [previous, hash]);
  if (place < known.hashes.length) return known;
  const hashes = [...known.hashes, hash];
  const dropped = Math.max(0, hashes.length - KEPT_MAX);
  return { first: known.first + dropped, hashes: hashes.slice(dropped) };
}
