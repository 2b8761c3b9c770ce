/** The result of a game that is won by points: the winners, and all players in order. */
import { h, type Child } from "./dom.ts";
import type { AnyGame, Setting } from "./game_page.ts";
import { namesOf } from "./second_person.ts";
import { say, winnersInWords } from "./words.ts";

type At = Pick<Setting<AnyGame>, "players" | "seat">;

/** The points of each seat for one thing. */
export interface Column {
  title: string;
  points: readonly number[];
}

/** `points` are in seat order, and `columns` what they are made of; `text` writes them. */
export function ranking(
  at: At,
  points: readonly number[],
  text: (points: number) => string,
  columns: readonly Column[] = [],
): Child[] {
  const { players, seat: own } = at;
  const all = [...columns, { title: say("results.points"), points }];
  const order = players.map((_, seat) => seat);
  order.sort((one, other) => points[other]! - points[one]!);
  const most = Math.max(...points);
  const best = order.filter((seat) => points[seat] === most);
  return [
    h("h2", {}, winnersInWords(namesOf(at, best), points)),
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
          ...all.map(({ title }) => h("th", { scope: "col", class: "number" }, title)),
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
            ...all.map(({ points }) => h("td", { class: "number" }, text(points[seat]!))),
          ),
        ),
      ),
    ),
  ];
}
