/** The interface between the pages of a game, live or replayed, and the drawing of the game. */
import type { Commit, GameTypes, View } from "railbird-client";
import type { Book, Caller } from "./calls.ts";

/** The game that a drawing shows, and what its user may do there. */
export interface Setting<G extends GameTypes = AnyGame> {
  book: Book;
  caller: Caller;
  /** Names by seat. */
  players: string[];
  /** The user's own seat; none for a spectator. */
  seat: number | null;
  /** Send a command; a refusal is explained to the user. A replay sends nothing. */
  play(command: G["command"]): Promise<void>;
  /** The commands that the user may give now, or a sample of them. */
  legal(): Promise<G["command"][]>;
  /** Start another game against bots. */
  again(): void;
}

export interface GamePage<G extends GameTypes> {
  element: HTMLElement;
  showView(view: Pick<View<G>, "view" | "version" | "ended" | "nextAt" | "now">): void;
  showCommit(commit: Pick<Commit<G>, "events">): void;
  /** Forget the events that were shown: a replay has jumped. */
  clear(): void;
}

/** A game of which the page knows no types. */
export interface AnyGame {
  slug: string;
  options: unknown;
  command: { type: string };
  event: { type: string };
  view: Record<string, unknown>;
}
