/** The race field: 6 lanes of 44 squares, the horses, and the squares that a horse can reach. */
import { h, replaceContent, svg, type Child } from "../dom.ts";
import { pieceButton, pressRing } from "../next_press.ts";
import { inWords } from "../words.ts";
import { horsesOf, type Book, type Command, type Table, type View } from "./game.ts";
import type { BoardPart } from "./loop.ts";
import { CELL, disc, legend, pressedDiscs, running } from "./pieces.ts";
import { say } from "./words.ts";

/** Columns before row 1: the start line has two ranks. */
const START = 2;
/** The course is folded: its second half lies below the first, and runs back. */
const INFIELD = 44;
const TURN = 3 * CELL;
const BROKEN_RING = "M13 8A7 7 0 0 0 12 22 M17 22A7 7 0 0 0 18 8 M15 3V8 M15 22V27";
const DROP = "M15 4Q23 14 23 18A8 8 0 0 1 7 18Q7 14 15 4Z M12 15l6 6 M18 15l-6 6";
type Inscription = Book["inscriptions"][number];
type Square = readonly [row: number, lane: number];

export function fieldPart(table: Table, play: (command: Command) => void): BoardPart {
  const { printed } = table;
  const rows = printed.field.length;
  const lanes = printed.start_lanes.reduce((most, lane) => Math.max(most, lane), 0);
  const place = placesOf(rows, lanes);
  const half = Math.ceil(rows / 2);
  const [edge, height] = [(half + START) * CELL, 2 * lanes * CELL + INFIELD];
  const depth = lanes * CELL;
  const live = svg("g", {});
  const ways = svg("g", {});
  const [bendLeft] = place([printed.bend_last, 1]);
  const [bendRight] = place([printed.bend_first, 1]);
  const at = (square: Square, ...inside: SVGElement[]): SVGElement =>
    svg("g", { transform: `translate(${place(square).join(" ")})` }, ...inside);
  const board = svg(
    "svg",
    { viewBox: `-6 -6 ${edge + TURN + 12} ${height + 12}`, role: "group", "aria-label": say("field") },
    svg("path", {
      class: "lawn",
      d: `M0 0H${edge}A${TURN} ${height / 2} 0 0 1 ${edge} ${height}H0Z`,
    }),
    svg("rect", { class: "infield", y: depth, width: edge, height: INFIELD }),
    svg("path", { class: "infield", d: `M${edge} ${depth}a12 ${INFIELD / 2} 0 0 1 0 ${INFIELD}Z` }),
    svg("path", { class: "turn-way", d: `M${edge + 8} ${depth / 2}A${TURN / 2} ${(height - depth) / 2} 0 0 1 ${edge + 8} ${height - depth / 2}l8 -9m-8 9l9 7` }),
    svg("text", { class: "infield-name", x: edge / 2, y: depth + INFIELD / 2 + 6 }, "L’ASCOT"),
    svg("rect", {
      class: "bend",
      x: bendLeft,
      y: depth + INFIELD,
      width: bendRight - bendLeft + CELL,
      height: depth,
    }),
    ...printed.field.flatMap((codes, row) => codes.map((code, lane) => square(code, [row + 1, lane + 1]))),
    ways,
    // Signs lie above the ways, so that no line runs over a number.
    ...printed.field.flatMap((codes, row) => codes.flatMap((code, lane) => signAt(code, [row + 1, lane + 1]))),
    svg("path", { class: "post", "data-term": "post", d: `M${START * CELL - 2} ${depth + INFIELD - 4}V${height + 4}` }),
    svg("path", { class: "start-line", "data-term": "start", d: `M${START * CELL} 0V${depth}` }),
    live,
  );
  const element = h("div", { class: "field" }, board);
  const run = running();
  const discs = new Map<number, SVGElement>();

  function square(code: string, where: Square): SVGElement {
    const drawn = at(where, svg("rect", { class: "cell", width: CELL, height: CELL, fill: fillOf(printed, code) }));
    Object.assign(drawn.dataset, { term: termAt(table, where), name: squareName(table, where) });
    return drawn;
  }

  function signAt(code: string, where: Square): SVGElement[] {
    const inscription = printed.inscriptions.find((one) => one.code === code);
    if (!inscription) return [];
    const [[, inner], [, outer]] = [place([where[0], 1]), place([where[0], lanes])];
    const drawn = at(where, ...signOf(inscription, inner < outer));
    drawn.setAttribute("class", "sign-of-square");
    return [drawn];
  }

  return {
    element,
    legend: fieldLegend(table),
    choose: (choices) => pressedDiscs(discs, choices),
    show(view): void {
      discs.clear();
      const drawn = horsesOf(view).flatMap(([number, horse]): SVGElement[] => {
        const isThere = horse.fate === "running" || horse.fate === "passed";
        if (!isThere) return [];
        const lane = horse.lane || printed.start_lanes[number - 1]!;
        const row = horse.row || (number > lanes ? -1 : 0);
        const where: Square = [horse.fate === "passed" ? rows + 1 : row, lane];
        const group = at(where, disc(table, view, number, 13));
        run(group.lastElementChild!, number, place(where));
        group.lastElementChild!.setAttribute("transform", `translate(${CELL / 2} ${CELL / 2})`);
        if (horse.is_down) group.classList.add("down");
        const isActive = view.race?.horse === number && view.race.step !== "served";
        group.classList.toggle("active", isActive);
        discs.set(number, group);
        return [group];
      });
      const mine = view.race?.seat === table.seat && view.race?.step === "move";
      const found = mine ? Object.entries(view.race!.ways) : [];
      const start = view.race ? view.horses[view.race.horse] : undefined;
      const lines = found.map(([, path]) => {
        const from: Square = [start?.row ?? 0, start?.lane ?? 1];
        const points = [from, ...path].map(([row, lane]) =>
          place([row, lane])
            .map((edge) => edge + CELL / 2)
            .join(" "),
        );
        return svg("path", { class: "way", d: `M${points.join("L")}` });
      });
      const targets = found.map(([lane, path]) => target(table, view, at, path.at(-1)!, () => play({ type: "move", lane: Number(lane) })));
      ways.replaceChildren(...lines);
      replaceContent(live, [...drawn, ...targets], element);
    },
  };
}

/** The corner of each square: out on the first half, and back on the second, with lane 1 inside. */
function placesOf(rows: number, lanes: number): (square: Square) => [number, number] {
  const half = Math.ceil(rows / 2);
  return ([row, lane]) =>
    row <= half
      ? [(row + START - 1) * CELL, (lanes - lane) * CELL]
      : [(START + 2 * half - row) * CELL, (lanes + lane - 1) * CELL + INFIELD];
}

/** A square that the horse can reach, as a button. */
function target(
  table: Table,
  view: View,
  at: (square: Square, ...inside: SVGElement[]) => SVGElement,
  place: Square,
  press: () => void,
): SVGElement {
  const shape = { x: 2, y: 2, width: CELL - 4, height: CELL - 4, rx: 6 };
  const spent = isSpent(table, view, place) ? [svg("path", { class: "spent-line", d: `M5 ${CELL - 5}L${CELL - 5} 5` })] : [];
  const element = at(place, svg("rect", shape), ...spent, pressRing("rect", shape));
  const name = targetName(table, view, place);
  element.setAttribute("class", "target press");
  Object.assign(element.dataset, { term: termAt(table, place), name });
  return pieceButton(element, name, press);
}

/** A square in words: its lane, its row, what is printed there, and whether it still counts. */
export function targetName(table: Table, view: View, [row, lane]: Square): string {
  const to = say("field.to", { lane, row, square: squareName(table, [row, lane]) });
  return isSpent(table, view, [row, lane]) ? `${to} (${say("field.spent")})` : to;
}

/** The sign that a horse obeys on a square; a coloured square and the last bend have none. */
export function inscriptionAt({ printed }: Table, square: Square): Inscription | undefined {
  const code = codeAt(printed, square);
  return printed.inscriptions.find((one) => one.code === code && one.effect !== "bend");
}

function termAt(table: Table, where: Square): string {
  return inscriptionAt(table, where) ? "inscription" : "square";
}

/** Whether a square no longer counts: a horse uses one colour and obeys one sign in a turn. */
function isSpent(table: Table, { race }: View, where: Square): boolean {
  return Boolean(inscriptionAt(table, where) ? race?.has_used_inscription : race?.has_used_colour);
}

/** The letter of a colour, or the sign, that a square shows; "" for a square without one. */
function codeAt({ field }: Book, [row, lane]: Square): string {
  return field[row - 1]?.[lane - 1] ?? "";
}

function colourOf({ colours }: Book, code: string): string | undefined {
  return colours.find(({ letter }) => letter === code)?.colour;
}

/** The colour of a square, if it has one. */
export function colourAt(printed: Book, square: Square): string | undefined {
  return colourOf(printed, codeAt(printed, square));
}

function squareName(table: Table, square: Square): string {
  const { printed, caller } = table;
  const colour = colourAt(printed, square);
  if (colour) return say("field.colour", { colour: caller.name("colour", colour) });
  const name = caller.name("code", codeAt(printed, square));
  const effect = inscriptionAt(table, square)?.effect;
  return effect === "ruin" || effect === "fall" ? say("field.danger", { name, effect: caller.name("effect", effect) }) : name;
}

function fieldLegend(table: Table): HTMLElement {
  const { printed, caller } = table;
  const sign = (code: string, inscription?: Inscription): SVGElement[] => [
    svg("rect", { class: "cell", width: CELL, height: CELL, fill: fillOf(printed, code) }),
    ...(inscription ? signOf(inscription) : []),
  ];
  return legend(say("field.legend"), [
    ...printed.colours.map(
      ({ letter, colour, extra_rows }) =>
        [sign(letter), say("field.own", { colour: caller.name("colour", colour), rows: extra_rows })] as const,
    ),
    ...printed.inscriptions.map((one) => [sign(one.code, one), inWords(one)] as const),
  ]);
}

function fillOf(printed: Book, code: string): string {
  return printed.screen_colours[colourOf(printed, code) ?? "white"]!;
}

/** The sign of a white square. On the straight whose inner lane is the lowest, inwards is down. */
function signOf({ effect, rows = 0, lane_from, report }: Inscription, isInnerAbove = true): SVGElement[] {
  const text = (words: Child, className = ""): SVGElement =>
    svg("text", { class: `sign ${className}`, x: CELL / 2, y: 20 }, words);
  const path = (d: string, className: string): SVGElement => svg("path", { class: className, d });
  switch (effect) {
    case "advance":
      if (!lane_from) return [text(`+${rows}`)];
      return [
        text(`+${rows}`),
        path((lane_from === 1) === isInnerAbove ? "M10 7l5-5 5 5" : "M10 24l5 5 5-5", "sign-line"),
      ];
    case "back":
      return [text(`−${rows}`, "sign-bad")];
    case "overtake":
      return [path("M8 9l6 6-6 6 M16 9l6 6-6 6", "sign-line")];
    case "ruin":
      return [path(report === "vessel" ? DROP : BROKEN_RING, "sign-line sign-bad-line")];
    case "fall":
      return [path("M15 6L26 24H4Z M15 13V18 M15 20.500V21.500", "sign-line sign-bad-line")];
    case "wait":
      return [path("M11 8V22 M19 8V22", "sign-line sign-bad-line")];
    case "bend":
      return [path("M7 21C7 11 12 9 20 9 M16 5l5 4-5 4", "sign-line")];
    case "whip":
      return [text(`+${rows}`), path("M5 26Q14 28 25 24", "sign-line")];
  }
}
