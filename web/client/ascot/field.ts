/** The race field: 6 lanes of 44 squares, the horses, and the squares that a horse can reach. */
import { h, svg, type Child } from "../dom.ts";
import { inWords } from "../words.ts";
import { horsesOf, type Book, type Command, type Table, type View } from "./game.ts";
import type { Part } from "./loop.ts";
import { disc } from "./pieces.ts";
import { say } from "./words.ts";

const CELL = 30;
/** Columns before row 1: the start line has two ranks. */
const START = 2;
type Inscription = Book["inscriptions"][number];
type Square = readonly [row: number, lane: number];

export function fieldPart(table: Table, play: (command: Command) => void): Part {
  const { printed } = table;
  const rows = printed.field.length;
  const lanes = printed.start_lanes.reduce((most, lane) => Math.max(most, lane), 0);
  const width = (rows + START + 2) * CELL;
  const live = svg("g", {});
  const board = svg(
    "svg",
    {
      viewBox: `0 -8 ${width} ${lanes * CELL + 16}`,
      role: "group",
      "aria-label": say("field"),
    },
    svg("rect", { class: "lawn", y: -8, width, height: lanes * CELL + 16 }),
    svg("rect", {
      class: "bend",
      x: columnOf(printed.bend_first),
      y: -8,
      width: (printed.bend_last - printed.bend_first + 1) * CELL,
      height: lanes * CELL + 16,
    }),
    ...printed.field.flatMap((codes, row) =>
      codes.map((code, lane) => square(code, [row + 1, lane + 1])),
    ),
    svg("path", { class: "post", d: `M${columnOf(rows + 1) + 2} -8V${lanes * CELL + 8}` }),
    svg("path", { class: "start-line", d: `M${columnOf(1)} 0V${lanes * CELL}` }),
    live,
  );
  const scroll = h(
    "div",
    { class: "scroll field", tabindex: "0", role: "group", "aria-label": say("field.scroll") },
    board,
  );
  const element = h("section", { class: "panel field-panel" }, scroll, legend(table));

  function square(code: string, place: Square): SVGElement {
    const inscription = printed.inscriptions.find((one) => one.code === code);
    return at(
      place,
      svg("title", {}, squareName(table, place)),
      svg("rect", { class: "cell", width: CELL, height: CELL, fill: fillOf(printed, code) }),
      ...(inscription ? signOf(inscription) : []),
    );
  }

  return {
    element,
    show(view): void {
      const drawn = horsesOf(view).flatMap(([number, horse]): SVGElement[] => {
        const isThere = horse.fate === "running" || horse.fate === "passed";
        if (!isThere) return [];
        const lane = horse.lane || printed.start_lanes[number - 1]!;
        const row = horse.row || (number > lanes ? -1 : 0);
        const place: Square = [horse.fate === "passed" ? rows + 1 : row, lane];
        const group = at(place, disc(table, view, number, 12));
        group.lastElementChild!.setAttribute("transform", `translate(${CELL / 2} ${CELL / 2})`);
        if (horse.is_down) group.classList.add("down");
        const isActive = view.race?.horse === number && view.race.step !== "served";
        group.classList.toggle("active", isActive);
        return [group];
      });
      const mine = view.race?.seat === table.seat && view.race?.step === "move";
      const ways = mine ? Object.entries(view.race!.ways) : [];
      const start = view.race ? view.horses[view.race.horse] : undefined;
      const targets = ways.flatMap(([lane, path]): SVGElement[] => {
        const from: Square = [start?.row ?? 0, start?.lane ?? 1];
        const points = [from, ...path].map(([row, lane]) => middle([row, lane]).join(" "));
        return [
          svg("path", { class: "way", d: `M${points.join("L")}` }),
          target(table, path.at(-1)!, () => play({ type: "move", lane: Number(lane) })),
        ];
      });
      live.replaceChildren(...drawn, ...targets);
      follow(scroll, view, rows);
    },
  };
}

/** Keep the horse that moves, or else the leader, in sight. */
function follow(scroll: HTMLElement, view: View, rows: number): void {
  const running = horsesOf(view).filter(([, { fate }]) => fate === "running");
  const active = view.race && view.horses[view.race.horse];
  const row = active?.row ?? Math.max(0, ...running.map(([, horse]) => horse.row));
  const share = (row + START) / (rows + START + 2);
  scroll.scrollLeft = share * scroll.scrollWidth - scroll.clientWidth / 2;
}

/** A square that the horse can reach, as a button. */
function target(table: Table, place: Square, press: () => void): SVGElement {
  const element = at(place, svg("rect", { x: 2, y: 2, width: CELL - 4, height: CELL - 4, rx: 6 }));
  element.setAttribute("class", "target");
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.setAttribute("aria-label", targetName(table, place));
  element.addEventListener("click", press);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
  return element;
}

/** A square in words: its lane, its row and what is printed there. */
export function targetName(table: Table, [row, lane]: Square): string {
  const name = squareName(table, [row, lane]);
  return say("field.to", { lane, row, square: name });
}

export function squareName({ printed, caller }: Table, [row, lane]: Square): string {
  const code = printed.field[row - 1]?.[lane - 1] ?? "";
  const colour = printed.colours.find(({ letter }) => letter === code)?.colour;
  return colour
    ? say("field.colour", { colour: caller.name("colour", colour) })
    : caller.name("code", code);
}

function legend(table: Table): HTMLElement {
  const { printed, caller } = table;
  const line = (picture: SVGElement[], text: string): HTMLElement =>
    h(
      "li",
      {},
      svg("svg", { viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": "true" }, ...picture),
      h("span", {}, text),
    );
  const sign = (code: string, inscription?: Inscription): SVGElement[] => [
    svg("rect", { class: "cell", width: CELL, height: CELL, fill: fillOf(printed, code) }),
    ...(inscription ? signOf(inscription) : []),
  ];
  return h(
    "details",
    {},
    h("summary", {}, say("field.legend")),
    h(
      "ul",
      { class: "legend" },
      ...printed.colours.map(({ letter, colour, extra_rows }) =>
        line(
          sign(letter),
          say("field.own", { colour: caller.name("colour", colour), rows: extra_rows }),
        ),
      ),
      ...printed.inscriptions.map((one) => line(sign(one.code, one), inWords(one))),
    ),
  );
}

function fillOf(printed: Book, code: string): string {
  const colour = printed.colours.find(({ letter }) => letter === code)?.colour;
  return printed.screen_colours[colour ?? "white"]!;
}

/** The sign of a white square. */
function signOf({ effect, rows = 0, lane_from }: Inscription): SVGElement[] {
  const text = (words: Child, className = ""): SVGElement =>
    svg("text", { class: `sign ${className}`, x: CELL / 2, y: 20 }, words);
  const path = (d: string, className: string): SVGElement => svg("path", { class: className, d });
  switch (effect) {
    case "advance":
      if (!lane_from) return [text(`+${rows}`)];
      return [
        text(`+${rows}`),
        path(lane_from === 1 ? "M10 7l5-5 5 5" : "M10 24l5 5 5-5", "sign-line"),
      ];
    case "back":
      return [text(`−${rows}`, "sign-bad")];
    case "overtake":
      return [path("M8 9l6 6-6 6 M16 9l6 6-6 6", "sign-line")];
    case "ruin":
      return [path("M9 9l12 12 M21 9l-12 12", "sign-line sign-bad-line")];
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

function columnOf(row: number): number {
  return (row + START - 1) * CELL;
}

function middle([row, lane]: Square): [number, number] {
  return [columnOf(row) + CELL / 2, (lane - 0.5) * CELL];
}

function at([row, lane]: Square, ...inside: SVGElement[]): SVGElement {
  return svg(
    "g",
    { transform: `translate(${columnOf(row)} ${(lane - 1) * CELL})` },
    ...inside,
  );
}
