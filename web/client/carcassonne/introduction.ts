/** Pictures for the first cards of Carcassonne, in their order. */
import { cardPieces } from "../card_picture.ts";
import { colourOf, inkOn } from "../colours.ts";
import { svg, type Child } from "../dom.ts";
import type { Setting } from "../game_page.ts";
import { signOf } from "./chips.ts";
import { tableOf, type Game, type Tile } from "./game.ts";
import { drawSegment, drawTile, meeple, textures, turned } from "./tile.ts";

const CHIP = 34;

type Segment = Tile["segments"][number];

export function introduction(setting: Setting<Game>): HTMLElement[] {
  const table = tableOf(setting);
  const { printed } = table;
  const size = printed.tile_size;
  const kindsOf = ({ segments }: Tile): string => segments.map(({ kind }) => kind).sort().join();
  const withParts = (parts: string): Tile => printed.tiles.find((one) => !one.office && kindsOf(one) === parts)!;
  const [road, city] = [withParts("field,field,road"), withParts("city,field")];
  const office = printed.tiles.find((one) => one.office)!;
  const at = (column: number, ...inside: SVGElement[]): SVGElement => svg("g", { transform: `translate(${column * size} 0)` }, ...inside);
  const picture = (columns: number, ...inside: Child[]): HTMLElement | SVGElement =>
    svg("svg", { viewBox: `-4 -4 ${columns * size + 8} ${size + 8}` }, textures(), ...inside);
  const free = svg("rect", { x: 4, y: 4, width: size - 8, height: size - 8, rx: 8, fill: "none", stroke: "currentColor", "stroke-width": 3, "stroke-dasharray": "9 6" });
  const [part, field] = ["city", "field"].map((kind) => city.segments.find((one) => one.kind === kind)!) as [Segment, Segment];
  /** The quarter turns after which the city is at the right edge, and at the left one. */
  const [right, left] = ["E", "W"].map((side) => [0, 1, 2, 3].find((turns) => sideOf(turned(part.meeple, turns, size)) === side)!) as [number, number];

  function sideOf({ x, y }: { x: number; y: number }): string {
    if (Math.abs(x - size / 2) < Math.abs(y - size / 2)) return y < size / 2 ? "N" : "S";
    return x < size / 2 ? "W" : "E";
  }
  const chip = (nth: number): SVGElement => {
    const sign = signOf(printed.chips[nth]);
    const text = svg("text", { class: "feature-sign", y: 6 }, sign);
    text.style.fontSize = sign.length > 2 ? "14px" : "24px";
    text.style.fill = inkOn(colourOf(table, nth));
    const place = { transform: `translate(${size / 2 + nth * CHIP * 2.4} ${size / 2})` };
    return svg("g", place, svg("circle", { r: CHIP, fill: colourOf(table, nth), stroke: "#fff", "stroke-width": 3 }), text);
  };

  return [
    picture(3, at(0, drawTile(table, road, 0)), at(1, drawTile(table, road, 0)), at(2, free)),
    picture(2, at(0, drawTile(table, city, 0), meeple(turned(part.meeple, 0, size), table, 0)), at(1, drawTile(table, road, 0), meeple(road.segments.find(({ kind }) => kind === "road")!.meeple, table, 1))),
    picture(2, at(0, drawTile(table, city, right), drawSegment(table, city, right, part.name)), at(1, drawTile(table, city, left), drawSegment(table, city, left, part.name))),
    picture(3, at(0, drawTile(table, office, 0)), at(1.1, chip(0), chip(1))),
    picture(2, at(0, drawTile(table, city, right), meeple(turned(field.meeple, right, size), table, 0)), at(1, drawTile(table, city, left))),
  ].map((drawn) => cardPieces(drawn));
}
