/** The seats or teams in one row of the bar: whom the game waits for, who leads, and what each has. */
import { colourOf, inkOn, marksOf } from "./colours.ts";
import { h, redraw } from "./dom.ts";
import type { Setting } from "./game_page.ts";
import { language, say } from "./words.ts";

/** A seat or a team. */
export interface Standing {
  name: string;
  colour: string;
  isOwn: boolean;
  isAwaited: boolean;
  /** Points, tokens or money; null if they are hidden. */
  sum: number | null;
}

type Table = Pick<Setting<never>, "book" | "players" | "seat">;

/** The seats of a table: `sums` in seat order, and the seats that the game waits for. */
export function standingOf(table: Table, sums: readonly (number | null)[], isAwaited: (seat: number) => boolean): Standing[] {
  return table.players.map((name, seat) => ({
    name,
    colour: colourOf(table, seat),
    isOwn: seat === table.seat,
    isAwaited: isAwaited(seat),
    sum: sums[seat] ?? null,
  }));
}

export function standing(): { element: HTMLElement; show(all: readonly Standing[]): void } {
  const element = h("ol", { class: "standing", "aria-label": say("standing") });
  return {
    element,
    show(all): void {
      redraw(element, all, () => all.map((_, nth) => place(all, nth)));
    },
  };
}

function place(all: readonly Standing[], nth: number): HTMLElement {
  const { name, colour, isOwn, isAwaited, sum } = all[nth]!;
  const marks = marksOf({ seat: isOwn ? nth : null }, nth, isAwaited, all.map((one) => one.sum));
  const dot = h("span", { class: "dot", "aria-hidden": "true" }, [...name][0]);
  const element = h(
    "li",
    { class: marks },
    dot,
    h("span", { class: "standing-name" }, isOwn ? say("you") : name),
    isAwaited && h("span", { class: "unseen" }, say("standing.awaited")),
    h("b", { class: "sum" }, sum === null ? "?" : short(sum)),
    marks.includes("leads") && h("span", { class: "unseen" }, say("standing.leads")),
  );
  element.style.setProperty("--seat", colour);
  element.style.setProperty("--on-seat", inkOn(colour));
  return element;
}

/** Where the row shows a seat: its pieces come from there. */
export function placeOfSeat(seat: number): DOMRect | undefined {
  return document.querySelectorAll(".standing .dot")[seat]?.getBoundingClientRect();
}

/** A sum in few characters: 134.5K. */
function short(sum: number): string {
  return sum.toLocaleString(language, { notation: "compact", maximumFractionDigits: 1 }).replace("-", "−");
}
