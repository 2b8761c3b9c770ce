/** The result: the arrival, the tickets on the winner, the prizes and the fortunes. */
import { h, redraw, type Child } from "../dom.ts";
import { winnersInWords } from "../words.ts";
import { francs, type Table, type View } from "./game.ts";
import { dot, horseName } from "./pieces.ts";
import { say } from "./words.ts";

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
      ]);
    },
  };
}

/** The owner of the first horse, or the richest players: the option `victory` decides. */
function winners(table: Table, view: View): string {
  const [first] = view.placed;
  if (view.options.victory !== "money") {
    if (first === undefined) return say("results.none");
    return winnersInWords([table.players[view.horses[first]!.owner]!]);
  }
  const most = Math.max(...view.players.map(({ cash }) => cash ?? 0));
  return winnersInWords(table.players.filter((_, seat) => view.players[seat]!.cash === most));
}

/** The winnings of a seat: the prizes of its horses, and its tickets on the first. */
function winnings(view: View, seat: number): number {
  const prizes = view.placed.map((horse, place) =>
    view.horses[horse]!.owner === seat ? (view.prizes[place] ?? 0) : 0,
  );
  const tickets = onFirst(view, seat).map(({ stake }) => stake * (view.tote?.factor ?? 0));
  return [...prizes, ...tickets].reduce((sum, one) => sum + one, 0);
}

function onFirst(view: View, seat: number): View["tickets"] {
  return view.tickets.filter((one) => one.seat === seat && one.horse === view.placed[0]);
}

function fortunes(table: Table, view: View): HTMLElement {
  const order = table.players.map((_, seat) => seat);
  const cash = (seat: number): number => view.players[seat]!.cash ?? 0;
  order.sort((one, other) => cash(other) - cash(one));
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
          h("th", { scope: "col", class: "number" }, say("results.prizes")),
          h("th", { scope: "col", class: "number" }, say("results.cash")),
        ),
      ),
      h(
        "tbody",
        {},
        ...order.map((seat) =>
          h(
            "tr",
            { class: seat === table.seat ? "me" : "" },
            h("th", { scope: "row" }, dot(table, seat), " ", table.players[seat]),
            h("td", {}, backed(seat)),
            h("td", { class: "number" }, francs(winnings(view, seat))),
            h("td", { class: "number" }, francs(cash(seat))),
          ),
        ),
      ),
    ),
  );
}
