/** The interface between the pages of a game, live or replayed, and the drawing of the game. */
import type { Commit, GameTypes, View } from "railbird-client";
import type { Book, Caller } from "./calls.ts";
import type { Standing } from "./standing.ts";

/** The game that a drawing shows, and what its user may do there. */
export interface Setting<G extends GameTypes = AnyGame> {
  book: Book;
  caller: Caller;
  /** Names by seat. */
  players: string[];
  /** The user's own seat; none for a spectator. */
  seat: number | null;
  /**
   * Send a command; a refusal is explained to the user. A replay sends nothing. `move` says the
   * command in words if the name of the pressed button does not. A second press in a moment does
   * nothing, unless each `counts`: one that may be taken back. Returns whether it was accepted.
   */
  play(command: G["command"], move?: string, counts?: boolean): Promise<boolean>;
  /** The commands that the user may give now, or a sample of them. */
  legal(): Promise<G["command"][]>;
  /** Show the bar at the top again: it says what the user has chosen. */
  readonly showNow: () => void;
  /** Show in the bar what the user must not miss. A screen reader reads it there unless the log `isRead`. */
  news(lines: readonly string[], isRead?: boolean): void;
  /** The panels beside the game: its events, and the people. */
  log: HTMLElement;
}

/** The user first: what a drawing says about the view in the bar at the top. */
export interface Now {
  /** The action of the user, or the phase. */
  doing: string;
  /** Whether the game waits for the user. */
  isMine: boolean;
  /** Whether the user may act although the game does not wait for them. */
  mayAct?: boolean;
  /** The money or points of the user, and the cost; parts of it may be terms of the guide. */
  has?: string | readonly (string | { term: string; text: string })[] | undefined;
  /** The reason why the game has ended, if it may surprise. */
  why?: string | undefined;
  /** The winners of a game that has ended, if they are more than players. */
  winners?: string | undefined;
  /** All seats or teams, in order. */
  standing?: readonly Standing[];
  /** The result if time runs out now while the game waits for the user: by default, what the events say; nothing worth a word if empty. */
  late?: string | undefined;
  /** The sentence of the countdown; by default the time left. */
  time?: (seconds: string) => string;
}

export interface GamePage<G extends GameTypes> {
  element: HTMLElement;
  showView(view: Pick<View<G>, "view" | "version" | "ended" | "nextAt" | "now">): void;
  /** Events that the next view follows, for what a drawing shows of them. */
  showEvents?(events: G["event"][]): void;
  /** All events of a game that has ended. */
  showAll?(events: G["event"][]): void;
  /** Forget what it shows of events: a replay has jumped. */
  forget?(): void;
  now(view: G["view"]): Now;
  /** Whether what happened must wait in the list of events, because the drawing still reveals it. */
  withholds?(events: G["event"][]): boolean;
  /** Whether the sentence of an event says itself that time was up. */
  tellsTime?(event: G["event"]): boolean;
  /** Events that are in the list of events alone: they would drown the others. */
  quiet?: ReadonlySet<string>;
}

/** A drawing with the bar and the list of events that every game has. */
export interface DrawnGame extends Pick<GamePage<AnyGame>, "element" | "showView"> {
  showCommit(commit: Pick<Commit<AnyGame>, "events"> & Partial<Pick<Commit<AnyGame>, "at" | "nextAt">>): void;
  /** For a drawing that wants all commits of a game that has ended. */
  tellAll?: ((commits: readonly Pick<Commit<AnyGame>, "events">[]) => void) | undefined;
  /** Show what happened before the first view in the list of events alone. */
  tellEarlier(commits: Pick<Commit<AnyGame>, "events">[]): void;
  /** Show a commit in the list of events alone. */
  retell(commit: Pick<Commit<AnyGame>, "events">): void;
  /** The reason why the game has ended, if it may surprise. */
  why?: string | undefined;
  winners?: string | undefined;
  /** Forget the events that were shown: a replay has jumped. */
  clear(): void;
  /** Called with each view: whether the game waits for the user. */
  onTurn?: (isMine: boolean) => void;
}

/** A game of which the page knows no types. */
export interface AnyGame {
  slug: string;
  options: unknown;
  command: { type: string };
  event: { type: string };
  view: Record<string, unknown>;
}
