/** The past of a game: all commits, and views that are read a hundred at a time. */
import type { Client, Commit, View } from "railbird-client";
import type { AnyGame } from "./game_page.ts";

const VIEWS = 100;
const COMMITS = 500;

type Told = Pick<Commit<AnyGame>, "version" | "at" | "events">;

/** A version: the view after it, and the commit that led there. */
export interface Moment {
  view: Pick<View<AnyGame>, "view" | "version" | "ended" | "nextAt" | "now">;
  commit: Told;
}

export class History {
  readonly #client: Client;
  readonly #game: string;
  /** All commits, oldest first. */
  readonly commits: readonly Told[];
  readonly #pages = new Map<number, Promise<Moment["view"][]>>();

  private constructor(client: Client, game: string, commits: Told[]) {
    this.#client = client;
    this.#game = game;
    this.commits = commits;
  }

  /** Read the commits of a game up to its head. */
  static async of(client: Client, game: string): Promise<History> {
    const found: Told[] = [];
    for (let after = 0; ; ) {
      const { commits, next_after } = await client.listCommits(game, { after, limit: COMMITS });
      for (const { version, at, events } of commits)
        found.push({ version, at: new Date(at), events: events as AnyGame["event"][] });
      if (commits.length < COMMITS) return new History(client, game, found);
      after = next_after;
    }
  }

  /** The newest version. */
  get last(): number {
    return this.commits.length;
  }

  commit(version: number): Told | undefined {
    return this.commits[version - 1];
  }

  /** The commits before a version, oldest first. */
  before(version: number, most: number): Told[] {
    return this.commits.slice(Math.max(0, version - 1 - most), version - 1);
  }

  /** The next version with such an event; the last if there is none. */
  next(after: number, types: ReadonlySet<string>): number {
    const found = this.commits.findIndex(
      ({ version, events }) => version > after && events.some(({ type }) => types.has(type)),
    );
    return found < 0 ? this.last : found + 1;
  }

  /** All versions with such an event. */
  all(types: ReadonlySet<string>): number[] {
    const found = this.commits.filter(({ events }) => events.some(({ type }) => types.has(type)));
    return found.map(({ version }) => version);
  }

  /** How long the game waited before a version. */
  pauseMs(version: number): number {
    const [at, before] = [this.commit(version)?.at, this.commit(version - 1)?.at];
    return at && before ? at.getTime() - before.getTime() : 0;
  }

  async at(version: number): Promise<Moment> {
    const page = Math.floor((version - 1) / VIEWS);
    const views = await this.#page(page);
    if (page * VIEWS + VIEWS < this.last) void this.#page(page + 1).catch(() => undefined);
    const view = views[(version - 1) % VIEWS]!;
    return { view, commit: this.commit(version)! };
  }

  #page(page: number): Promise<Moment["view"][]> {
    let views = this.#pages.get(page);
    if (!views) {
      views = this.#read(page * VIEWS + 1);
      this.#pages.set(page, views);
      views.catch(() => this.#pages.delete(page));
    }
    return views;
  }

  async #read(from: number): Promise<Moment["view"][]> {
    const { views } = await this.#client.listViews(this.#game, { from, to: from + VIEWS - 1 });
    return views.map(({ version, view, ended, now }) => ({
      version,
      view: view as unknown as AnyGame["view"],
      ended,
      nextAt: null, // nothing is awaited in the past
      now: new Date(now),
    }));
  }
}
