/** The choices of the user at a table whose players take turns. */
import type { GameTypes } from "railbird-client";
import type { Setting } from "./game_page.ts";

export interface Choices<G extends GameTypes> {
  /** Send a command, one for each view: a press does nothing until the page shows what the last one did. */
  play: Setting<G>["play"];
  /** A view has come: ask for its choices if the user has any, and draw them unless a newer view comes meanwhile. */
  show(view: G["view"], version: number, hasAny: boolean): Promise<void>;
}

/** `busy` is what shows the choices of an earlier view meanwhile. */
export function legalChoices<G extends GameTypes>(
  table: Setting<G>,
  busy: HTMLElement,
  draw: (view: G["view"], legal: G["command"][]) => void,
): Choices<G> {
  let newest = 0;
  /** The version at which the last command was sent, unless it was refused: an answer may come after the next view. */
  let sentAt: number | undefined;
  return {
    async play(command, move): Promise<boolean> {
      if (sentAt === newest) return false;
      const at = (sentAt = newest);
      const isAccepted = await table.play(command, move);
      if (!isAccepted && sentAt === at) sentAt = undefined;
      return isAccepted;
    },
    async show(view, version, hasAny): Promise<void> {
      newest = version;
      busy.setAttribute("aria-busy", "true");
      const legal = hasAny ? await table.legal() : [];
      if (version !== newest) return;
      busy.removeAttribute("aria-busy");
      draw(view, legal);
    },
  };
}
