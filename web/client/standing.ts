/** The seats or teams in one row of the bar: whom the game waits for, who leads, and what each has. */
import { colourOf, inkOn, marksOf } from "./colours.ts";
import { h, redraw } from "./dom.ts";
import type { Setting } from "./game_page.ts";
import { fly, middleOf } from "./travel.ts";
import { language, say } from "./words.ts";

/** A seat or a team. */
export interface Standing {
  name: string;
  /** The name where there is room for all of it. */
  whole?: string;
  colour: string;
  isOwn: boolean;
  isAwaited: boolean;
  /** Points, tokens or money; null if they are hidden. */
  sum: number | null;
  /** The measure of who leads if it is not the sum; null while nobody does. */
  lead?: number | null;
  /** Why the one who leads does, in words, if the mark alone does not say it. */
  why?: string | undefined;
}

type Table = Pick<Setting<never>, "book" | "players" | "seat">;

/** The seats of a table: `sums` and `leads` in seat order, and the seats that the game waits for. */
export function standingOf(table: Table, sums: readonly (number | null)[], isAwaited: (seat: number) => boolean, leads = sums, why?: string): Standing[] {
  return table.players.map((name, seat) => ({
    name,
    colour: colourOf(table, seat),
    isOwn: seat === table.seat,
    isAwaited: isAwaited(seat),
    sum: sums[seat] ?? null,
    lead: leads[seat] ?? null,
    why,
  }));
}

export function standing(): { element: HTMLElement; show(all: readonly Standing[]): void } {
  const element = h("ol", { class: "standing", "aria-label": say("standing") });
  let before: readonly Standing[] = [];
  return {
    element,
    show(all): void {
      redraw(element, all, () => all.map((_, nth) => place(all, nth)));
      const changes = all.map(({ sum }, nth) => (sum ?? NaN) - (before[nth]?.sum ?? NaN) || 0);
      before = all;
      if (changes.some(Boolean)) pay(element, changes);
    },
  };
}

const COIN_PX = 26;
/** What pays, or is paid for; the first that is shown, or else the board. */
const BANKS = [".zone.pays .zone-tokens", ".zone.pays", ".spot[data-outcome='won']", ".glow", ".square.shines", ".lot", ".felt, .land-area, .stage, .board, .set-board"];

/** Sums that change hands travel: from one seat to the other, or between a seat and the board. */
function pay(row: HTMLElement, changes: readonly number[]): void {
  const seats = [...changes.keys()];
  const gaining = seats.filter((seat) => changes[seat]! > 0);
  const losing = seats.filter((seat) => changes[seat]! < 0);
  const placeOf = (seat: number): DOMRect => middleOf(row.children[seat]!.getBoundingClientRect(), COIN_PX);
  const bank = BANKS.map((one) => document.querySelector(one)?.getBoundingClientRect()).find((box) => box?.width);
  const board = bank && middleOf(bank, COIN_PX);
  const coin = (seat: number): HTMLElement => h("b", { class: "paid" }, short(Math.abs(changes[seat]!)));
  if (losing.length === 1) for (const seat of gaining) fly(coin(seat), placeOf(losing[0]!), placeOf(seat));
  else for (const seat of gaining) fly(coin(seat), board, placeOf(seat));
  if (losing.length > 1 || !gaining.length) for (const seat of losing) fly(coin(seat), placeOf(seat), board);
}

function place(all: readonly Standing[], nth: number): HTMLElement {
  const { name, whole = name, colour, isOwn, isAwaited, sum, why } = all[nth]!;
  const marks = marksOf({ seat: isOwn ? nth : null }, nth, isAwaited, all.map(({ lead, sum }) => (lead === undefined ? sum : lead)));
  const crown = marks.includes("leads") && h("button", { class: "term crown", type: "button", "data-term": "leader", "data-text": why, "aria-label": [say("standing.leads"), why].filter(Boolean).join(": ") });
  const dot = h("span", { class: "dot", "aria-hidden": "true" }, [...name][0]);
  const element = h(
    "li",
    { class: marks, "data-term": "player", "data-name": whole },
    dot,
    h("span", { class: "standing-name" }, isOwn ? say("you") : name),
    isAwaited && h("span", { class: "unseen" }, say("standing.awaited")),
    h("b", { class: "sum" }, crown, sum === null ? "?" : short(sum)),
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
