/** What the table page shows a game with: one drawing for each game, or the generic one. */
import type { Commit, GameTypes, View } from "railbird-client";

export interface GamePage<G extends GameTypes> {
  element: HTMLElement;
  showView(view: View<G>): void;
  showCommit(commit: Commit<G>): void;
}
