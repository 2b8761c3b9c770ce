/** A tile as SVG, from the paths in the book. */
import { colourOf, inkOn } from "../colours.ts";
import { svg } from "../dom.ts";
import type { Book, Table, Tile } from "./game.ts";

/** A village stands where this many roads meet. */
const CROSSING = 3;

/** The textures of all tiles; they must be in the document once. */
export function textures(): SVGElement {
  const pattern = (id: string, width: number, height: number, ...inside: SVGElement[]): SVGElement =>
    svg("pattern", { id, width, height, patternUnits: "userSpaceOnUse" }, ...inside);
  const lines = (d: string, stroke: string, width = 1): SVGElement =>
    svg("path", { d, stroke, "stroke-width": width, fill: "none", "stroke-linecap": "round" });
  return svg(
    "svg",
    { class: "textures", width: 0, height: 0, "aria-hidden": "true" },
    svg(
      "defs",
      {},
      pattern("grass", 25, 25, lines("M4 7l1-4 1 4M8 6l1-3M17 19l1-4 1 4M21 18l1-3M14 4h.1M6 18h.1M20 9h.1", "#6d9a3f", 1.2)),
      pattern("roofs", 12, 10, lines("M0 5q3 4 6 0t6 0M-3 10q3 4 6 0t6 0t6 0", "#8a5a2b", 1.1)),
    ),
  );
}

/** Draw a tile in its box, turned clockwise. */
export function drawTile({ printed }: Table, tile: Tile, rotation: number): SVGElement {
  const { tile_size: size, colours, road_width: width } = printed;
  const { segments } = tile;
  const paths = (kind: string, attributes: object): SVGElement[] =>
    segments.filter((one) => one.kind === kind).map(({ path }) => svg("path", { d: path, "data-term": kind, ...attributes }));
  // Buildings stand upright on a tile that is turned.
  const upright = ({ x, y }: Place, drawn: SVGElement): SVGElement => svg("g", { transform: `rotate(${-rotation * 90} ${x} ${y})` }, drawn);
  const middle = { x: size / 2, y: size / 2 };
  const roads = segments.filter(({ kind }) => kind === "road").length;
  return svg(
    "g",
    { transform: `rotate(${rotation * 90} ${size / 2} ${size / 2})` },
    svg("rect", { width: size, height: size, fill: colours["field"], "data-term": "field" }),
    svg("rect", { width: size, height: size, fill: "url(#grass)", "data-term": "field" }),
    // All edges lie below all roads, so that no edge crosses a junction.
    ...paths("road", { fill: "none", stroke: "#7a6a45", "stroke-width": width + 4 }),
    ...paths("road", { fill: "none", stroke: colours["road"], "stroke-width": width }),
    ...paths("road", { fill: "none", stroke: "#b9ab85", "stroke-width": 1.2, "stroke-dasharray": "3 5" }),
    ...paths("city", { fill: colours["city"], stroke: "#4a3218", "stroke-width": 4, "stroke-linejoin": "round" }),
    ...paths("city", { fill: "url(#roofs)", stroke: "#d9b98a", "stroke-width": 1.2, "stroke-dasharray": "4 3" }),
    ...paths("monastery", { fill: colours["monastery"], stroke: "#4a3218", "stroke-width": 3 }).map((drawn) => upright(middle, drawn)),
    roads >= CROSSING && !tile.office && upright(middle, village(middle.x)),
    ...segments.flatMap(({ pennants }) => pennants.map((place) => upright(place, pennant(printed, place)))),
    tile.office && upright(tile.office, office(printed, tile.office)),
    svg("rect", { class: "tile-edge", width: size, height: size, "pointer-events": "none" }),
  );
}

/** The shape of a segment, to make it glow. */
export function drawSegment({ printed }: Table, tile: Tile, rotation: number, name: string): SVGElement {
  const { tile_size: size } = printed;
  const { kind, path } = tile.segments.find((one) => one.name === name)!;
  const turn = kind === "monastery" ? 0 : rotation * 90;
  return svg("path", { class: `glow glow-${kind}`, "data-term": kind, d: path, transform: `rotate(${turn} ${size / 2} ${size / 2})` });
}

const SIDES = "NESW";

/** The parts of a turned tile by their sides: equal if it looks alike. */
export function looks({ segments }: Tile, rotation: number): string {
  const turn = (sides: string): string => sides.replace(/[NESW]/g, (side) => SIDES[(SIDES.indexOf(side) + rotation) % SIDES.length]!);
  const parts = segments.map(({ kind, sides, halves }) => [kind, ...[...turn(sides)].sort(), ...halves.map(turn).sort()].join(" "));
  return parts.sort().join();
}

/** Three houses around a place. */
function village(middle: number): SVGElement {
  const house = (x: number, y: number, roof: string): SVGElement =>
    svg(
      "g",
      { stroke: "#4a3218", "stroke-width": 1 },
      svg("rect", { x: x - 6, y: y - 2, width: 12, height: 8, fill: "#f7ecd2" }),
      svg("path", { d: `M${x - 8} ${y - 2}l8-8 8 8Z`, fill: roof }),
    );
  return svg(
    "g",
    { "data-term": "village" },
    house(middle - 7, middle - 3, "#b5452f"),
    house(middle + 8, middle - 1, "#8a5a2b"),
    house(middle, middle + 8, "#c96a3f"),
  );
}

type Place = { x: number; y: number };

function pennant({ colours }: Book, { x, y }: Place): SVGElement {
  return svg("path", {
    "data-term": "pennant",
    d: `M${x - 6} ${y - 7}h12v8q0 5-6 7q-6-2-6-7Z`,
    fill: colours["pennant"],
    stroke: "#fff",
    "stroke-width": 1.5,
  });
}

/** The betting office: a booth with an awning. */
function office({ colours }: Book, { x, y }: Place): SVGElement {
  return svg(
    "g",
    { "data-term": "office", fill: colours["office"], stroke: "#fff", "stroke-width": 1 },
    svg("rect", { x: x - 9, y: y - 3, width: 18, height: 12 }),
    svg("path", { d: `M${x - 12} ${y - 3}l4-8h16l4 8Z` }),
  );
}

/** The badge of each seat, which its meeples wear beside their colour. */
const BADGES = ["", "M-3.5 1.5h7", "M0-2v7", "M-3.5 1.5h7M0-2v7", "M-3-1.5l6 6M3-1.5l-6 6", "M-3.5 1.5h.1M3.4 1.5h.1"];

/** A meeple of a seat: our own figure, with a head, arms and legs. */
export function meeple({ x, y }: Place, table: Table, seat: number, scale = 1): SVGElement {
  const colour = colourOf(table, seat);
  return svg(
    "g",
    { class: "meeple", transform: `translate(${x} ${y}) scale(${scale})` },
    svg("path", {
      d: "M0-10a4 4 0 0 1 3 7l8 4q1 3-2 3h-3l4 8h-7l-3-5l-3 5h-7l4-8h-3q-3 0-2-3l8-4a4 4 0 0 1 3-7Z",
      fill: colour,
      stroke: "#fff",
      "stroke-width": 1.5,
    }),
    svg("path", { d: BADGES[seat % BADGES.length], stroke: inkOn(colour), "stroke-width": 2.2, "stroke-linecap": "round" }),
  );
}

/** The distance of circles that can be pressed one by one. */
const APART = 32;
const ROUNDS = 100;

/** Move places on a tile apart, so that each can be pressed. */
export function apart(places: readonly Place[], size: number): Place[] {
  const moved = places.map((place) => ({ ...place }));
  const inside = (at: number): number => Math.min(size - APART / 2, Math.max(APART / 2, at));
  for (let round = 0; round < ROUNDS; round++)
    for (const [nth, one] of moved.entries())
      for (const other of moved.slice(nth + 1)) {
        const [x, y] = [other.x - one.x, other.y - one.y || 1];
        const distance = Math.hypot(x, y);
        const push = Math.max(0, APART - distance) / 2 / distance;
        Object.assign(one, { x: inside(one.x - x * push), y: inside(one.y - y * push) });
        Object.assign(other, { x: inside(other.x + x * push), y: inside(other.y + y * push) });
      }
  return moved;
}

/** Where a point of a tile is after it was turned clockwise. */
export function turned({ x, y }: Place, rotation: number, size: number): Place {
  let place = { x, y };
  for (let turn = 0; turn < rotation; turn++) place = { x: size - place.y, y: place.x };
  return place;
}
