/** The choices of the user at a table whose players take turns. */
import type { GameTypes } from "railbird-client";
import type { Setting } from "./game_page.ts";

export interface Choices<G extends GameTypes> {
  /** Send a command. A press does nothing until the choices after the last one are there. */
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
  /** The version whose choices are drawn, and the one at which the last command was sent unless it was refused. */
  let [drawn, sentAt] = [0, -1];
  return {
    async play(command, move): Promise<boolean> {
      if (drawn <= sentAt) return false;
      const at = (sentAt = newest);
      const isAccepted = await table.play(command, move);
      if (!isAccepted && sentAt === at) sentAt = -1;
      return isAccepted;
    },
    async show(view, version, hasAny): Promise<void> {
      newest = version;
      busy.setAttribute("aria-busy", "true");
      const legal = hasAny ? await table.legal() : [];
      if (version !== newest) return;
      drawn = version;
      busy.removeAttribute("aria-busy");
      draw(view, legal);
    },
  };
}
