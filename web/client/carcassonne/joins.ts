/** Features of several players that become one: by a tile that is not laid yet, and from one view to the next. */
import { namesOf } from "../second_person.ts";
import { listed, say } from "../words.ts";
import type { PlaceTile, Table, Tile, View } from "./game.ts";

type Feature = View["features"][number];
type Segment = Tile["segments"][number];

/** A feature that the user shares with the players of these seats. */
export interface Shared {
  kind: string;
  seats: number[];
}

const SIDES = "NESW";
const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]] as const;

/** The parts of a side of a tile: the road or city in the middle, and the fields left and right of it, seen from the tile. */
const PARTS = ["", "L", "R"] as const;
const FACING = { "": "", L: "R", R: "L" } as const;

/** The segment of a turned tile at this part of a side of the land. */
function segmentAt({ segments }: Tile, rotation: number, side: number, part: (typeof PARTS)[number]): Segment | undefined {
  const printed = SIDES[(side + 4 - rotation) % 4]!;
  return segments.find(({ sides, halves }) => (part ? halves.includes(`${printed}${part}`) : sides.includes(printed)));
}

/** The features that the user would begin to share with others if they placed the tile so. */
export function sharedBy({ tiles, seat: own }: Table, view: View, { x, y, rotation }: PlaceTile): Shared[] {
  const tile = tiles.get(view.tile ?? "");
  if (!tile || own === null) return [];
  const joined = new Map<Segment, Set<Feature>>();
  for (const [side, [across, down]] of STEPS.entries()) {
    const beside = view.board.find((one) => one.x === x + across && one.y === y + down);
    if (!beside) continue;
    for (const part of PARTS) {
      const segment = segmentAt(tile, rotation, side, part);
      const facing = segmentAt(tiles.get(beside.tile)!, beside.rotation, (side + 2) % 4, FACING[part]);
      const feature = facing && view.features.find((one) => one.feature === beside.segments[facing.name]);
      if (segment && feature) joined.set(segment, (joined.get(segment) ?? new Set()).add(feature));
    }
  }
  return [...joined].flatMap(([{ kind }, features]) => {
    const mine = [...features].filter((one) => isIn(one, own));
    const seats = othersIn([...features], own).filter((seat) => mine.length && !mine.some((one) => isIn(one, seat)));
    return seats.length ? [{ kind, seats }] : [];
  });
}

/** The features that the user shares with others in this view, and did not in the view before. */
export function newlyShared({ seat: own }: Table, before: View, { features }: View): Shared[] {
  if (own === null) return [];
  return features.flatMap((feature) => {
    const mine = before.features.filter((one) => one.meeples.some((meeple) => meeple.seat === own && isPlaced(feature, meeple)));
    const seats = othersIn([feature], own).filter((seat) => mine.length && !mine.some((one) => isIn(one, seat)));
    return seats.length ? [{ kind: feature.kind, seats }] : [];
  });
}

/** Shared features in words. */
export function sharedInWords(table: Table, text: "carcassonne.joins" | "carcassonne.shared", shared: readonly Shared[]): string {
  return shared.map(({ kind, seats }) => say(text, { kind: table.caller.name("kind", kind), names: listed(namesOf(table, seats)) })).join(" ");
}

function isIn({ meeples }: Feature, seat: number): boolean {
  return meeples.some((one) => one.seat === seat);
}

function othersIn(features: readonly Feature[], own: number): number[] {
  const seats = features.flatMap(({ meeples }) => meeples.map(({ seat }) => seat));
  return [...new Set(seats)].filter((seat) => seat !== own);
}

function isPlaced({ meeples }: Feature, { x, y, segment }: Feature["meeples"][number]): boolean {
  return meeples.some((one) => one.x === x && one.y === y && one.segment === segment);
}
