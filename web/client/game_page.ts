/** The interface between the table page and the drawing of a game. */
import type { Commit, GameTypes, View } from "railbird-client";

export interface GamePage<G extends GameTypes> {
  element: HTMLElement;
  showView(view: View<G>): void;
  showCommit(commit: Commit<G>): void;
}
