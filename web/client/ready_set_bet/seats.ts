/** The players: money, tokens in hand and VIP cards. */
import { dot, marksOf } from "../colours.ts";
import { h, redraw } from "../dom.ts";
import { inWords, say, sumInWords } from "../words.ts";
import { chip } from "./chip.ts";
import { isAwaited, moneyOf, type AtTable, type Part, type View } from "./game.ts";

export function seatsPart(at: AtTable): Part {
  const list = h("ol", { class: "seats" });
  const element = h(
    "section",
    { class: "panel seats-panel" },
    h("h2", {}, say("seats.title")),
    list,
  );
  return {
    element,
    show(view: View): void {
      redraw(
        list,
        [view.purses, view.tokens, view.vip?.kept, view.vip?.choosing, view.announcer, view.phase, view.asked],
        () => at.players.map((player, seat) => seatLine(at, view, player, seat)),
      );
    },
  };
}

function seatLine(at: AtTable, view: View, player: string, seat: number): HTMLElement {
  const kept = view.vip?.kept[seat] ?? [];
  return h(
    "li",
    { class: marksOf(at, seat, isAwaited(seat, view), at.players.map((_, one) => moneyOf(view, one))) },
    dot(at, seat),
    h(
      "span",
      { class: "player" },
      h("strong", {}, player),
      seat === at.seat && h("small", {}, ` ${say("seats.you")}`),
      seat === view.announcer && h("small", { "data-term": "announcer" }, ` ${say("seats.announcer")}`),
    ),
    h(
      "span",
      {
        class: "tokens",
        role: "img",
        "aria-label": say("seats.tokens", { tokens: (view.tokens[seat] ?? []).join(", ") }),
      },
      ...(view.tokens[seat] ?? []).map((value) => chip({ value }, at, seat)),
    ),
    h("strong", { class: "sum", "data-term": "player" }, sumInWords(moneyOf(view, seat), "euro")),
    kept.length > 0 &&
      h(
        "ul",
        { class: "vip" },
        ...kept.map(({ title, text }) =>
          h("li", { "data-term": "vip" }, h("b", {}, inWords(title)), " ", inWords(text)),
        ),
      ),
  );
}
