/** The training loop: 60 squares around a lawn with the boxes, the horses and the dice. */
import { die } from "../die.ts";
import { h, redraw, replaceContent, svg } from "../dom.ts";
import { inWords } from "../words.ts";
import { francs, horsesOf, type Book, type Table, type View } from "./game.ts";
import { CELL, disc, legend, pressedDiscs, running, type Choice } from "./pieces.ts";
import { say } from "./words.ts";

type Square = Book["squares"][number];

export interface Part {
  element: HTMLElement;
  show(view: View): void;
}

/** A board with its legend, whose horses are buttons while the user chooses one of them. */
export interface BoardPart extends Part {
  legend: HTMLElement;
  choose(choices: ReadonlyMap<number, Choice>): void;
}

export function loopPart(table: Table): BoardPart {
  const { printed } = table;
  const { columns, rows, squares, boxes } = printed.loop;
  const horses = svg("g", {});
  const run = running();
  const discs = new Map<number, SVGElement>();
  const stables = Object.entries(boxes).map(([stable, { column, row }]) =>
    at(
      column,
      row,
      svg("rect", { class: "box", width: CELL * 4, height: CELL * 2, rx: 5, "data-term": "box" }),
      svg(
        "text",
        { class: "box-name", x: CELL * 2, y: row > 1 ? -5 : CELL * 2 + 12 },
        table.caller.name("office", stable),
      ),
    ),
  );
  const board = svg(
    "svg",
    { viewBox: `-2 -2 ${columns * CELL + 4} ${rows * CELL + 4}` },
    svg(
      "g",
      { "aria-hidden": "true" },
      svg("rect", {
        class: "lawn",
        x: CELL,
        y: CELL,
        width: (columns - 2) * CELL,
        height: (rows - 2) * CELL,
      }),
      ...stripes(columns, rows),
      ...colours(table),
      ...stables,
      ...printed.squares.map((square, number) => cell(square, squares[number]!)),
    ),
    horses,
  );
  const dice = h("div", { class: "dice", role: "img", hidden: true, "data-term": "dice" });
  const scroll = h(
    "div",
    { class: "scroll loop", tabindex: "0", role: "group", "aria-label": say("training.scroll") },
    board,
  );
  const element = h(
    "section",
    { class: "loop-panel" },
    h("div", { class: "loop-head" }, h("h2", {}, say("training.board")), dice),
    scroll,
  );

  function cell(square: Square, { column, row }: { column: number; row: number }): SVGElement {
    const drawn = at(
      column,
      row,
      ...ground(table, square),
      svg("text", { class: "cell-number", x: 3, y: 8 }, square.number),
      ...signOf(square),
    );
    const office = square.header ? [table.caller.name("header", square.header)] : [];
    const name = [`${square.number}. ${inWords(square)}`, ...office, effectOf(table, square)].join(" · ");
    Object.assign(drawn.dataset, { term: "training_square", name });
    return drawn;
  }

  return {
    element,
    legend: legend(say("training.legend"), signs(table)),
    choose: (choices) => pressedDiscs(discs, choices),
    show(view): void {
      discs.clear();
      const places = new Map<string, number[]>();
      for (const [number, horse] of horsesOf(view)) {
        if (horse.fate !== "training" && horse.fate !== "home") continue;
        const key = horse.square === null ? stableOf(table, number) : String(horse.square);
        places.set(key, [...(places.get(key) ?? []), number]);
      }
      replaceContent(
        horses,
        [...places].flatMap(([key, numbers]) =>
          numbers.map((number, nth) => {
            const square = squares[Number(key) - 1];
            const { column, row } = square ?? boxes[key]!;
            const drawn = disc(table, view, number, square ? 10 : 12);
            const [x, y] = square ? spread(nth, numbers.length) : inBox(nth);
            drawn.setAttribute("transform", `translate(${x} ${y})`);
            run(drawn, number, [column * CELL + x, row * CELL + y]);
            const piece = at(column, row, drawn);
            piece.setAttribute("aria-hidden", "true"); // the list of players says where it is
            discs.set(number, piece);
            return piece;
          }),
        ),
        scroll,
      );
      const thrown = view.training?.dice;
      redraw(dice, thrown ?? null, () => (thrown ? thrown.map(die) : []));
      dice.hidden = !thrown;
      if (thrown)
        dice.setAttribute("aria-label", say("training.dice", { one: thrown[0], two: thrown[1] }));
    },
  };
}

function ground({ printed }: Table, { header }: Square): SVGElement[] {
  return [svg("rect", { class: "cell", width: CELL, height: CELL, fill: printed.screen_colours[header ?? "free"] })];
}

/** Each effect with its sign, as on the first square that has it. */
function signs(table: Table): [SVGElement[], string][] {
  const { squares } = table.printed;
  const firsts = squares.filter(({ effect }, nth) => squares.findIndex((one) => one.effect === effect) === nth);
  return firsts.map((square) => [[...ground(table, square), ...signOf(square)], effectOf(table, square)]);
}

/** The duty of a horse on a square, in words. */
function effectOf({ caller }: Table, { effect, amount, header }: Square): string {
  const name = caller.name("effect", effect);
  return amount && header ? `${name} (${francs(amount)})` : name;
}

/** The mown lawn. */
function stripes(columns: number, rows: number): SVGElement[] {
  return [...Array(Math.floor((columns - 2) / 2)).keys()].map((stripe) =>
    svg("rect", {
      class: "stripe",
      x: (stripe * 2 + 1) * CELL,
      y: CELL,
      width: CELL,
      height: (rows - 2) * CELL,
    }),
  );
}

/** The colours of the squares, on the lawn between the boxes. */
function colours({ printed, caller }: Table): SVGElement[] {
  const headers = ["stable", "forage", "farrier", "veterinary", "club", "free"] as const;
  const name = (header: (typeof headers)[number]): string =>
    header === "stable" || header === "free"
      ? say(`training.${header}`)
      : caller.name("office", header);
  return headers.flatMap((header, number) => {
    const x = (number % 2 ? 10.4 : 4.4) * CELL;
    const y = (4.3 + Math.floor(number / 2) * 1.05) * CELL;
    return [
      svg("rect", {
        class: "cell",
        "data-term": "training_square",
        x,
        y,
        width: 18,
        height: 18,
        fill: printed.screen_colours[header],
      }),
      svg("text", { class: "loop-legend", x: x + 25, y: y + 13 }, name(header)),
    ];
  });
}

function stableOf({ printed, horses }: Table, number: number): string {
  const colour = horses.get(number)?.colour;
  return printed.colours.find((one) => one.colour === colour)?.stable ?? "walroy";
}

function at(column: number, row: number, ...inside: SVGElement[]): SVGElement {
  return svg("g", { transform: `translate(${column * CELL} ${row * CELL})` }, ...inside);
}

/** Where the horses of one square stand: none hides the middle of another. */
function spread(nth: number, count: number): [number, number] {
  const middle = CELL / 2 + 2;
  const angle = (nth / count) * 2 * Math.PI;
  const away = count === 1 ? 0 : Math.max(9, 1.8 * count);
  return [middle + Math.cos(angle) * away, middle + Math.sin(angle) * away];
}

function inBox(nth: number): [number, number] {
  return [CELL * 0.55 + (nth % 4) * CELL * 0.97, CELL * 0.5 + Math.floor(nth / 4) * CELL];
}

/** A small sign for the effect of a square. */
function signOf({ effect, amount = 0 }: Square): SVGElement[] {
  const [x, y] = [CELL / 2, CELL / 2 + 5];
  const path = (name: string, d: string): SVGElement => svg("path", { class: name, d });
  switch (effect) {
    case "pay":
    case "dues":
      return [
        svg("circle", { class: "coin", cx: x, cy: y - 3, r: 7 }),
        svg("text", { class: "coin-text", x, y: y - 0.5 }, `${amount / 1000}k`),
      ];
    case "report":
      return [path("sheet", "M10 9h8l4 4v12h-12Z M12 16h8 M12 19h8 M12 22h5")];
    case "advantage":
      return [path("good-sign", "M15 9l2.4 5 5.6.6-4.2 3.8 1.2 5.6-5-2.9-5 2.9 1.2-5.6L7 14.6l5.6-.6Z")];
    case "disadvantage":
      return [path("bad-sign", "M9 11l12 12 M21 11l-12 12")];
    case "join":
      return [path("sheet", "M10 22V11q5-2 10 0v11Z M6 22q9 4 18 0 M10 18q5 2 10 0")];
    case "frost":
      return [path("frost", "M15 8v17 M7.5 12.5l15 8 M22.5 12.5l-15 8")];
    case "free":
      return [];
  }
}
