/** A tile as SVG, from the paths in the book. */
import { svg } from "../dom.ts";
import type { Book, Table, Tile } from "./game.ts";

const ORDER = ["field", "road", "city", "monastery"] as const;

/** Draw a tile in its box, turned clockwise. */
export function drawTile({ printed }: Table, tile: Tile, rotation: number): SVGElement {
  const { tile_size: size, colours } = printed;
  const segments = ORDER.flatMap((kind) => tile.segments.filter((one) => one.kind === kind));
  return svg(
    "g",
    { transform: `rotate(${rotation * 90} ${size / 2} ${size / 2})` },
    svg("rect", { width: size, height: size, fill: colours["field"] }),
    ...segments.map(({ kind, path }) =>
      kind === "road"
        ? svg(
            "g",
            { fill: "none" },
            svg("path", { d: path, stroke: "#6b6247", "stroke-width": printed.road_width + 3 }),
            svg("path", { d: path, stroke: colours["road"], "stroke-width": printed.road_width }),
          )
        : svg("path", {
            d: path,
            fill: colours[kind],
            stroke: kind === "field" ? "none" : "#4a3218",
            "stroke-width": kind === "field" ? 0 : 3,
          }),
    ),
    ...segments.flatMap(({ pennants }) => pennants.map((place) => pennant(printed, place))),
    tile.office && office(printed, tile.office),
    svg("rect", { width: size, height: size, fill: "none", stroke: "#0005", "stroke-width": 1 }),
  );
}

type Place = { x: number; y: number };

function pennant({ colours }: Book, { x, y }: Place): SVGElement {
  return svg("path", {
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
    { fill: colours["office"], stroke: "#fff", "stroke-width": 1 },
    svg("rect", { x: x - 9, y: y - 3, width: 18, height: 12 }),
    svg("path", { d: `M${x - 12} ${y - 3}l4-8h16l4 8Z` }),
  );
}

/** A meeple: our own figure, with a head, arms and legs. */
export function meeple({ x, y }: Place, colour: string, scale = 1): SVGElement {
  return svg("path", {
    class: "meeple",
    transform: `translate(${x} ${y}) scale(${scale})`,
    d: "M0-10a4 4 0 0 1 3 7l8 4q1 3-2 3h-3l4 8h-7l-3-5l-3 5h-7l4-8h-3q-3 0-2-3l8-4a4 4 0 0 1 3-7Z",
    fill: colour,
    stroke: "#fff",
    "stroke-width": 1.5,
  });
}

/** Where a point of a tile is after it was turned clockwise. */
export function turned({ x, y }: Place, rotation: number, size: number): Place {
  let place = { x, y };
  for (let turn = 0; turn < rotation; turn++) place = { x: size - place.y, y: place.x };
  return place;
}
