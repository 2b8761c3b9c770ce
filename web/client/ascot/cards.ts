/** Cards that change hands: they travel between the seats, the dead pile, and the card on sale. */
import { h } from "../dom.ts";
import { placeOfSeat } from "../standing.ts";
import { fly } from "../travel.ts";
import { horsesOf, type Event, type Table, type View } from "./game.ts";
import { lease } from "./pieces.ts";

export interface Cards {
  /** Remember what happened; the next view shows it. */
  note(events: Event[]): void;
  /** Draw the next view. */
  show(view: View, draw: () => void): void;
}

/** The cards of the boards in this element. */
export function movingCards(table: Table, root: HTMLElement): Cards {
  let noted: Event[] = [];
  const owners = new Map<number, number>();
  const boxOf = (selector: string): DOMRect | undefined => root.querySelector(selector)?.getBoundingClientRect();
  const pileBox = (): DOMRect | undefined => boxOf(".pile-cards .card-back");
  const handOf = (seat: number): DOMRect | undefined =>
    (seat === table.seat && boxOf(".own-hand:not([hidden]) .hand-cards, .turn-panel button .lease")) || placeOfSeat(seat);
  const back = (): HTMLElement => h("i", { class: "card-back" });

  return {
    note: (events) => void noted.push(...events),
    show(view, draw): void {
      const [lot, sale, before] = [root.querySelector(".lot .lease")?.cloneNode(true) as Element | undefined, boxOf(".lot .lease"), pileBox()];
      draw();
      const pile = pileBox() ?? before;
      for (const event of noted) {
        if (event.type === "lot_sold") fly(lot ?? lease(table, event.asset), sale ?? pile, handOf(event.buyer));
        if (event.type === "lot_unsold") fly(lot ?? lease(table, event.asset), sale, pile);
        if (event.type === "card_exchanged") {
          fly(back(), handOf(event.seat), pile);
          fly(back(), pile, handOf(event.seat));
        }
        if (event.type === "discards_made") for (const seat of table.players.keys()) fly(back(), handOf(seat), pile);
      }
      const sold = noted.flatMap((event) => (event.type === "lot_sold" ? [event.asset] : []));
      for (const [horse, { owner }] of horsesOf(view)) {
        const from = owners.get(horse);
        if (from !== undefined && from !== owner && !sold.includes(`horse:${horse}`))
          fly(lease(table, `horse:${horse}`), placeOfSeat(from), placeOfSeat(owner));
        owners.set(horse, owner);
      }
      noted = [];
    },
  };
}
