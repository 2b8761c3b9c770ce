/** The land: all tiles and meeples, the places for the next tile, and for a meeple. */
import { colourOf } from "../colours.ts";
import { h, redraw, svg } from "../dom.ts";
import { say } from "../words.ts";
import type { Command, PlaceMeeple, PlaceTile, Table, View } from "./game.ts";
import { drawTile, meeple, turned } from "./tile.ts";

const OFFICE_CHIP = 6;

export interface Board {
  element: HTMLElement;
  /** `legal` are the commands that the user may give. */
  show(view: View, legal: Command[]): void;
}

export function board(table: Table, play: (command: Command) => void): Board {
  const size = table.printed.tile_size;
  const land = h("div", {
    class: "land",
    role: "group",
    tabindex: "0",
    "aria-label": say("carcassonne.land"),
  });
  const chosenLine = h("p", { class: "actions chosen" });
  let chosen: PlaceTile | undefined;
  let newest = "";
  let shown: [View, Command[]] | undefined;

  const choose = (command: PlaceTile | undefined): void => {
    chosen = command;
    if (shown) draw(...shown);
  };

  const draw = (view: View, legal: Command[]): void => {
    const places = legal.filter((one) => one.type === "place_tile");
    if (!places.some((one) => isSame(one, chosen))) chosen = undefined;
    redraw(land, [view.board, view.features, view.offices, places, meeplesOf(legal), chosen], () => [
      picture(view, legal, places),
    ]);
    showNewest(view);
    redraw(chosenLine, [chosen, places], () => {
      if (!chosen) return places.length ? [say("carcassonne.choose")] : [];
      const turns = places.filter((one) => one.x === chosen!.x && one.y === chosen!.y);
      const next = turns[(turns.findIndex((one) => isSame(one, chosen)) + 1) % turns.length]!;
      return [
        h("button", { class: "primary", onclick: () => play(chosen!) }, say("carcassonne.place")),
        turns.length > 1 &&
          h("button", { onclick: () => choose(next) }, say("carcassonne.turn")),
        h("button", { onclick: () => choose(undefined) }, say("carcassonne.elsewhere")),
      ];
    });
  };

  /** Scroll to the newest tile, once. */
  const showNewest = ({ laid }: View): void => {
    const tile = land.querySelector(".newest")?.getBoundingClientRect();
    if (!tile || String(laid) === newest) return;
    newest = String(laid);
    const { left, top } = land.getBoundingClientRect();
    land.scrollLeft += tile.left + tile.width / 2 - left - land.clientWidth / 2;
    land.scrollTop += tile.top + tile.height / 2 - top - land.clientHeight / 2;
  };

  const picture = (view: View, legal: Command[], places: PlaceTile[]): SVGElement => {
    const cells = [...view.board, ...places];
    const [left, right] = [cells.map(({ x }) => x), cells.map(({ x }) => x)].map((xs, at) =>
      at ? Math.max(...xs) : Math.min(...xs),
    ) as [number, number];
    const [top, bottom] = [
      Math.min(...cells.map(({ y }) => y)),
      Math.max(...cells.map(({ y }) => y)),
    ];
    const [columns, rows] = [right - left + 1, bottom - top + 1];
    const element = svg("svg", {
      viewBox: `${left * size - 4} ${top * size - 4} ${columns * size + 8} ${rows * size + 8}`,
    });
    element.style.setProperty("--columns", String(columns));
    for (const { x, y, tile, rotation } of view.board) {
      const drawn = at(x, y, drawTile(table, table.tiles.get(tile)!, rotation));
      drawn.append(svg("title", {}, `${table.caller.name("tile", tile)}: ${x}, ${y}`));
      element.append(drawn);
    }
    const [lastX, lastY] = view.laid;
    element.append(
      at(lastX, lastY, svg("rect", { class: "newest", width: size, height: size })),
      ...view.features.flatMap(({ meeples }) =>
        meeples.map(({ seat, x, y, segment }) => {
          const place = placeOf(view, x, y, segment);
          return at(x, y, meeple(place, colourOf(table, seat)));
        }),
      ),
      ...view.offices.flatMap(({ x, y, seats }) =>
        seats.map((seat, number) =>
          at(
            x,
            y,
            svg("circle", {
              cx: size / 2 + (number - (seats.length - 1) / 2) * OFFICE_CHIP * 2.2,
              cy: size - OFFICE_CHIP - 3,
              r: OFFICE_CHIP,
              fill: colourOf(table, seat),
              stroke: "#fff",
              "stroke-width": 1.5,
            }),
          ),
        ),
      ),
      ...freeCells(places).map((place) => free(view, place)),
      ...meeplesOf(legal).map((command) => spot(view, command)),
    );
    return element;
  };

  const at = (x: number, y: number, ...inside: SVGElement[]): SVGElement =>
    svg("g", { transform: `translate(${x * size} ${y * size})` }, ...inside);

  const placeOf = (view: View, x: number, y: number, segment: string): { x: number; y: number } => {
    const placed = view.board.find((one) => one.x === x && one.y === y)!;
    const printed = table.tiles.get(placed.tile)!.segments.find(({ name }) => name === segment)!;
    return turned(printed.meeple, placed.rotation, size);
  };

  /** A cell where the tile fits: it shows the tile once it is chosen. */
  const free = (view: View, place: PlaceTile): SVGElement => {
    const isChosen = chosen?.x === place.x && chosen.y === place.y;
    const tile = view.tile ? table.tiles.get(view.tile) : undefined;
    const inside =
      isChosen && tile
        ? [drawTile(table, tile, chosen!.rotation)]
        : [svg("rect", { x: 4, y: 4, width: size - 8, height: size - 8, rx: 8 })];
    const cell = at(place.x, place.y, ...inside);
    return button(
      cell,
      isChosen ? "free chosen-cell" : "free",
      say("carcassonne.cell", { x: place.x, y: place.y }),
      () => choose(isChosen ? undefined : place),
    );
  };

  /** A segment of the tile just laid that may take a meeple. */
  const spot = (view: View, command: PlaceMeeple): SVGElement => {
    const [x, y] = view.laid;
    const place = placeOf(view, x, y, command.segment);
    const tile = view.board.find((one) => one.x === x && one.y === y)!;
    const printed = table.tiles.get(tile.tile)!.segments;
    const kind = printed.find(({ name }) => name === command.segment)!.kind;
    const spotted = at(
      x,
      y,
      svg("circle", { cx: place.x, cy: place.y, r: 11 }),
      meeple(place, colourOf(table, table.seat ?? 0), 0.8),
    );
    const label = say("carcassonne.meeple", { kind: table.caller.name("kind", kind) });
    return button(spotted, "meeple-spot", label, () => play(command));
  };

  return {
    element: h("section", { class: "panel board-panel" }, land, chosenLine),
    show(view, legal): void {
      shown = [view, legal];
      draw(view, legal);
    },
  };
}

function button(
  element: SVGElement,
  className: string,
  label: string,
  press: () => void,
): SVGElement {
  for (const [name, value] of Object.entries({
    class: className,
    role: "button",
    tabindex: "0",
    "aria-label": label,
  }))
    element.setAttribute(name, value);
  element.addEventListener("click", press);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
  return element;
}

function isSame(one: PlaceTile, other: PlaceTile | undefined): boolean {
  return one.x === other?.x && one.y === other.y && one.rotation === other.rotation;
}

function meeplesOf(legal: Command[]): PlaceMeeple[] {
  return legal.filter((one) => one.type === "place_meeple");
}

/** The first placement of each cell. */
function freeCells(places: PlaceTile[]): PlaceTile[] {
  return [...new Map([...places].reverse().map((one) => [`${one.x},${one.y}`, one])).values()];
}
