/** The auction table: the other players with their hidden cards, the dead pile, and the card on sale. */
import { dot } from "../colours.ts";
import { h, redraw, svg, type Child } from "../dom.ts";
import { term } from "../explain.ts";
import { namesOf } from "../second_person.ts";
import { placeOfSeat } from "../standing.ts";
import { travel } from "../travel.ts";
import { francs, priceOf, type Table, type View } from "./game.ts";
import type { Part } from "./loop.ts";
import { lease } from "./pieces.ts";
import { listed } from "../words.ts";
import { say } from "./words.ts";

const PHASES = new Set(["nomination", "exchange", "discard", "auction", "settlement", "surplus"]);
/** A pile shows no more backs than these. */
const BACKS_MAX = 8;

export function feltPart(table: Table): Part {
  const seats = h("ol", { class: "felt-seats" });
  const middle = h("div", { class: "felt-middle" });
  const element = h("div", { class: "felt-table" }, seats, middle);
  let asset: string | undefined;
  return {
    element,
    show(view): void {
      element.hidden = !PHASES.has(view.phase) && !view.lot;
      if (element.hidden) return;
      redraw(seats, [view.players, view.lot, view.awaited], () =>
        table.players.flatMap((_, seat) => (seat === table.seat ? [] : [place(table, view, seat)])),
      );
      redraw(middle, [view.lot, view.pile], () => [pile(view), view.lot && lot(table, view)]);
      if (view.lot && view.lot.asset !== asset)
        travel(middle.querySelector(".lot .lease")!, homeOf(view.lot.seller));
      asset = view.lot?.asset;
    },
  };

  /** Where a card on sale comes from. */
  function homeOf(seller: number | null): DOMRect | undefined {
    return seller === null ? middle.querySelector(".dead-pile")?.getBoundingClientRect() : placeOfSeat(seller);
  }
}

function backs(cards: number, className = "backs"): HTMLElement {
  return h(
    "span",
    { class: className, "aria-hidden": "true", "data-term": className === "backs" ? "hand" : "dead_pile" },
    ...Array.from({ length: Math.min(cards, BACKS_MAX) }, () => h("i", { class: "card-back" })),
  );
}

/** A player at the table. The paddle is up for the highest bid, and gone once they left the bidding. */
function place(table: Table, view: View, seat: number): HTMLElement {
  const { hand, cash } = view.players[seat]!;
  const isIn = view.lot?.open_to.includes(seat);
  const leads = view.lot?.bidder === seat;
  const state = view.awaited.includes(seat) ? "on-turn" : "";
  return h(
    "li",
    { class: `felt-seat ${state} ${leads ? "leads" : ""} ${view.lot && !isIn && !leads ? "out" : ""}` },
    h("span", { class: "felt-name" }, dot(table, seat), h("b", {}, table.players[seat])),
    hand > 0 && backs(hand),
    h("small", {}, cash === null ? "" : francs(cash)),
    // As high without the paddle, so that nothing below moves.
    view.lot && h("b", { class: leads ? "paddle" : "paddle down", "data-term": "paddle" }, francs(view.lot.price)),
  );
}

function pile(view: View): Child {
  if (!view.pile) return view.lot && h("div", { class: "dead-pile" }); // its place stays
  return h(
    "div",
    { class: "dead-pile" },
    backs(view.pile, "pile-cards"),
    term("dead_pile", say("pile", { pile: view.pile })),
  );
}

function lot(table: Table, view: View): HTMLElement {
  const { asset, seller, bidder, price, open_to } = view.lot!;
  const printed = priceOf(table, asset);
  return h(
    "div",
    { class: "lot" },
    lease(table, asset),
    h(
      "div",
      {},
      h("h2", {}, say("lot", { asset: table.caller.name("asset", asset) })),
      seller !== null && h("p", {}, say("lot.from", { name: namesOf(table, [seller])[0]! })),
      printed !== undefined && h("p", { class: "printed" }, say("lot.printed", { price: francs(printed) })),
      h(
        "p",
        { class: "bid" },
        bidder === null ? say("lot.none") : say("lot.highest", { price: francs(price), name: namesOf(table, [bidder])[0]! }),
      ),
      h("p", {}, say("lot.bidding", { names: listed(namesOf(table, open_to)) })),
    ),
    gavel(),
  );
}

function gavel(): SVGElement {
  return svg(
    "svg",
    { class: "gavel", viewBox: "0 0 80 60", "aria-hidden": "true" },
    svg("rect", { x: 8, y: 48, width: 46, height: 9, rx: 3, fill: "#5b3a1a" }),
    svg(
      "g",
      { class: "gavel-head" },
      svg("path", { d: "M36 30L74 44", stroke: "#8a5a2b", "stroke-width": 6, "stroke-linecap": "round" }),
      svg("rect", { x: 14, y: 14, width: 34, height: 20, rx: 5, fill: "#7a4a22", transform: "rotate(20 31 24)" }),
      svg("path", { d: "M20 12l-7 18M46 22l-7 18", stroke: "#e8c66a", "stroke-width": 3 }),
    ),
  );
}
