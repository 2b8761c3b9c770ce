/** A running game: the view after each commit, and its events. */
import { Misused, ServerError, type Client, type Commit, type GameTypes, type Table, type View } from "railbird-client";
import { persist } from "./connection.ts";

export interface Follower<G extends GameTypes> {
  onView(view: View<G>): void;
  onCommit(commit: Commit<G>): void;
}

/**
 * Follow a table to the end of its game. Commits are shown with the view that contains them, so that
 * no part of the page is ahead of another. The stream of the client reconnects by itself.
 */
export async function follow<G extends GameTypes>(
  client: Client,
  game: string,
  table: Table<G>,
  follower: Follower<G>,
): Promise<void> {
  const looks = new Looks(table, follower);
  for await (const news of table) {
    if (news.type === "view") looks.begin(news);
    else looks.take(news);
  }
  if (looks.failure) throw looks.failure;
  // The socket closes at the end of the game, maybe before the last look was answered.
  const { version, seat, ended, now, view } = await client.getView(game);
  looks.show({
    type: "view",
    version,
    seat,
    ended: ended || "finished", // as the stream has said
    view: view as G["view"],
    nextAt: null,
    now: new Date(now),
  });
}

/** Asks for the view, one request at a time: ten commits in a moment are one look. */
class Looks<G extends GameTypes> {
  /** The failure that ended the views. */
  failure: ServerError | undefined;
  readonly #table: Table<G>;
  readonly #follower: Follower<G>;
  /** Commits that no view has shown. */
  #commits: Commit<G>[] = [];
  /** The version of the last commit. */
  #last = 0;
  /** A view that waits for its commit. */
  #early: View<G> | undefined;
  #isAsking = false;
  #isStale = false;

  constructor(table: Table<G>, follower: Follower<G>) {
    this.#table = table;
    this.#follower = follower;
  }

  /** Begin with this view; the server has lost what came after it. */
  begin(view: View<G>): void {
    this.#last = view.version;
    this.#commits = [];
    this.show(view);
  }

  take(commit: Commit<G>): void {
    this.#commits.push(commit);
    this.#last = commit.version;
    // Newer views do not take the place of one that waits: where commits come late, none would be shown.
    if (!this.#early) void this.#ask();
    else if (this.#early.version <= this.#last) this.show(this.#early);
  }

  /** Show a view, and first the commits up to it. */
  show(view: View<G>): void {
    const shown = this.#commits.filter(({ version }) => version <= view.version);
    this.#commits = this.#commits.slice(shown.length);
    this.#early = undefined;
    for (const commit of shown) this.#follower.onCommit(commit);
    this.#follower.onView(view);
  }

  async #ask(): Promise<void> {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isStale && !this.#early) {
        this.#isStale = false;
        const view = await persist(() => this.#table.look()).catch((error: unknown) => {
          if (!(error instanceof ServerError)) throw error;
          if (error instanceof Misused) return; // the table has closed: the end of the stream says why
          this.failure = error;
          this.#table.close();
        });
        if (view && view.version > this.#last) this.#early = view;
        else if (view) this.show(view);
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
