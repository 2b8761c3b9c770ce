/** The result: the arrival, the tickets on the winner, the prizes and the fortunes. */
import { dot } from "../colours.ts";
import { spoken } from "../calls.ts";
import { h, redraw, type Child } from "../dom.ts";
import { namesOf } from "../second_person.ts";
import { winnersInWords } from "../words.ts";
import { francs, hasNoArrival, type Table, type View } from "./game.ts";
import { horseName } from "./pieces.ts";
import { say } from "./words.ts";

const PARTS = ["before", "prizes", "tickets", "shares", "cash"] as const;

export interface ResultsPart {
  element: HTMLElement;
  show(view: View): void;
}

export function resultsPart(table: Table): ResultsPart {
  const element = h("section", { class: "panel results", hidden: true });
  return {
    element,
    show(view): void {
      element.hidden = view.phase !== "finished";
      if (element.hidden) return;
      redraw(element, [view.placed, view.players], () => [
        h("h2", {}, winners(table, view)),
        h(
          "ol",
          { class: "arrival" },
          ...view.placed.map((number, place) =>
            h(
              "li",
              {},
              h("b", {}, say("results.place", { place: place + 1 })),
              horseName(table, view, number),
              h("span", { class: "quiet" }, table.players[view.horses[number]!.owner]),
            ),
          ),
        ),
        fortunes(table, view),
        division(table, view),
      ]);
    },
  };
}

/** The owner of the first horse, or the richest players: the option `victory` decides. */
function winners(table: Table, view: View): string {
  const cash = view.players.map(({ cash }) => cash ?? 0);
  if (hasNoArrival(view)) return say("results.none");
  const [first] = view.placed;
  if (view.options.victory !== "money") return winnersInWords(namesOf(table, [view.horses[first!]!.owner]), cash);
  const most = Math.max(...cash);
  return winnersInWords(namesOf(table, [...table.players.keys()].filter((seat) => cash[seat] === most)), cash);
}

/** The parts of a seat's money at the end. */
function partsOf(view: View, seat: number): Record<(typeof PARTS)[number], number> {
  const cash = view.players[seat]!.cash ?? 0;
  const prizes = sumOf(view.placed.map((horse, place) => (view.horses[horse]!.owner === seat ? (view.prizes[place] ?? 0) : 0)));
  const tickets = sumOf(onFirst(view, seat).map(({ stake }) => stake * (view.tote?.factor ?? 0)));
  const isBookmaker = view.tote?.bookmaker === seat;
  const shares = ((view.options.banker ?? 0) === seat ? view.banker_fee : 0) + (isBookmaker ? view.tote!.rest : 0);
  return { before: cash - prizes - tickets - shares, prizes, tickets, shares, cash };
}

const sumOf = (sums: number[]): number => sums.reduce((sum, one) => sum + one, 0);

/** How the tote was divided, in the words of the book. */
function division({ caller }: Table, { tote }: View): HTMLElement | null {
  return tote && h("p", { class: "quiet" }, caller.calls(tote).map(spoken).join(" "));
}

function onFirst(view: View, seat: number): View["tickets"] {
  return view.tickets.filter((one) => one.seat === seat && one.horse === view.placed[0]);
}

function fortunes(table: Table, view: View): HTMLElement {
  const rows = table.players.map((player, seat) => ({ player, seat, parts: partsOf(view, seat) }));
  rows.sort((one, other) => other.parts.cash - one.parts.cash);
  const backed = (seat: number): Child => {
    const stakes = onFirst(view, seat);
    return stakes.length ? stakes.map(({ stake }) => francs(stake)).join(", ") : "–";
  };
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": say("results") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, say("results.player")),
          h("th", { scope: "col" }, say("results.bets")),
          ...PARTS.map((part) => h("th", { scope: "col", class: "number" }, say(`results.${part}`))),
        ),
      ),
      h(
        "tbody",
        {},
        ...rows.map(({ player, seat, parts }) =>
          h(
            "tr",
            { class: seat === table.seat ? "me" : "" },
            h("th", { scope: "row" }, dot(table, seat), " ", player),
            h("td", { "data-label": say("results.bets") }, backed(seat)),
            ...PARTS.map((part) => h("td", { class: "number", "data-label": say(`results.${part}`) }, francs(parts[part]))),
          ),
        ),
      ),
    ),
  );
}
