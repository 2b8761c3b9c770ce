/** The parts of the newest tile that a meeple can claim, in words, and those that it cannot. */
import { namesOf } from "../second_person.ts";
import { inWords, listed, say } from "../words.ts";
import type { PlaceMeeple, Table, View } from "./game.ts";

type Feature = View["features"][number];

/** The features of the segments of the newest tile. */
function segmentsOf({ board, laid: [x, y] }: View): Record<string, number> {
  return board.find((one) => one.x === x && one.y === y)?.segments ?? {};
}

/** The feature that a meeple would claim. */
export function newFeature(view: View, { segment }: PlaceMeeple): Feature | undefined {
  return view.features.find(({ feature }) => feature === segmentsOf(view)[segment]);
}

export function claimInWords({ caller, book }: Table, view: View, command: PlaceMeeple): string {
  const { kind = "", tiles = 0 } = newFeature(view, command) ?? {};
  const passage = book.guide?.terms[kind];
  return say("carcassonne.claim", { kind: caller.name("kind", kind), tiles, about: passage ? inWords(passage.text) : "" });
}

/** The parts of the newest tile that are not offered, and who stands there. */
export function occupiedInWords(table: Table, view: View): string {
  const numbers = Object.values(segmentsOf(view));
  const parts = view.features.filter(({ feature, meeples }) => meeples.length && numbers.includes(feature));
  const names = parts.map(({ kind, meeples }) => {
    const seats = [...new Set(meeples.map(({ seat }) => seat))];
    return `${table.caller.name("kind", kind)} (${listed(namesOf(table, seats))})`;
  });
  return names.length ? say("carcassonne.occupied", { names: names.join(", ") }) : say("carcassonne.claims");
}
