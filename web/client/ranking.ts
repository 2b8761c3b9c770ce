/** The result of a game that is won by points: the winners, and all players in order. */
import { h, type Child } from "./dom.ts";
import type { AnyGame, Setting } from "./game_page.ts";
import { say, winnersInWords } from "./words.ts";

type At = Pick<Setting<AnyGame>, "players" | "seat">;

/** `points` are in seat order; `text` writes them. */
export function ranking(
  { players, seat: own }: At,
  points: readonly number[],
  text: (points: number) => string,
): Child[] {
  const order = players.map((_, seat) => seat);
  order.sort((one, other) => points[other]! - points[one]!);
  const most = Math.max(...points);
  const best = order.filter((seat) => points[seat] === most);
  return [
    h("h2", {}, winnersInWords(best.map((seat) => players[seat]!))),
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
          h("th", { scope: "col", class: "number" }, say("results.points")),
        ),
      ),
      h(
        "tbody",
        {},
        ...order.map((seat) =>
          h(
            "tr",
            { class: seat === own ? "me" : "" },
            h("th", { scope: "row" }, players[seat]),
            h("td", { class: "number" }, text(points[seat]!)),
          ),
        ),
      ),
    ),
  ];
}
