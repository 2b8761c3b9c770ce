/** Pictures for the first cards of L'Ascot, in their order. */
import { cardPieces } from "../card_picture.ts";
import { die } from "../die.ts";
import { h, svg } from "../dom.ts";
import type { Setting } from "../game_page.ts";
import { francs, tableOf, type Game } from "./game.ts";
import { CELL, colourCard, disc, lease } from "./pieces.ts";

/** A horse that carries each colour, with a row of squares. */
const RACE = "NRJBRNJ";

export function introduction(setting: Setting<Game>): HTMLElement[] {
  const table = tableOf(setting);
  const { printed } = table;
  const cards = (...assets: string[]): HTMLElement => h("span", { class: "card-leases" }, ...assets.map((asset) => lease(table, asset)));
  const [first] = printed.horses;
  const fillOf = (letter: string): string => printed.screen_colours[printed.colours.find((one) => one.letter === letter)!.colour]!;
  const runner = disc(table, { horses: {} }, first!.number, 13);
  runner.setAttribute("transform", `translate(${CELL / 2} ${CELL / 2})`);
  const own = printed.colours.find(({ colour }) => colour === first!.colour)!.extra_rows;
  const race = svg(
    "svg",
    { viewBox: `-2 -2 ${RACE.length * CELL + 4} ${CELL + 4}` },
    ...[...RACE].map((letter, nth) => svg("rect", { class: "cell", x: nth * CELL, width: CELL, height: CELL, fill: fillOf(letter) })),
    svg("path", { class: "card-way", d: `M${CELL} ${CELL / 2}h${own * CELL - CELL / 2}m-7 -7l7 7l-7 7` }),
    runner,
  );
  return [
    cards(`horse:${first!.number}`, "office:auctioneer", `horse:${printed.horses.at(-1)!.number}`),
    cards("office:farrier", "office:veterinary", "office:walroy"),
    h("span", { class: "card-leases" }, die(4), die(2), colourCard(table, first!.number, "advantage_for_rows")),
    h("span", { class: "card-leases" }, lease(table, `horse:${first!.number}`), ...[10_000, 2_000].map((stake) => h("span", { class: "lease lease-report" }, h("b", {}, francs(stake))))),
    race,
  ].map((drawn) => cardPieces(drawn));
}
