/** The board: 11 by 11 squares, each of them a button. */
import { h } from "../dom.ts";
import { drawDie, faceInWords } from "./die.ts";
import { keyOf, type BoardDie, type Place, type Table, type View } from "./game.ts";
import type { Light } from "./judge.ts";
import { say } from "./words.ts";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** A die that the user has put on the board, but not yet played. */
export interface Drafted extends Place {
  die: number;
  face: string;
  isWild: boolean;
}

export interface Board {
  element: HTMLElement;
  /** `alone` are squares of dice that make no SET; `light` is about the die that is chosen, if any. */
  show(view: View, drafted: Drafted[], alone: Set<string>, light: Light | undefined): void;
  square(place: Place): HTMLElement | undefined;
}

/** The letters on the squares of the logo. */
const LOGO = "SET";

export function board(table: Table, press: (place: Place) => void): Board {
  const { size } = table.printed;
  const grid = h("div", { class: "set-board" });
  grid.style.setProperty("--size", String(size));
  const squares = new Map<string, HTMLButtonElement>();
  const drawn = new Map<string, string>();
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const place = { row, column };
      const isMiddle = row === (size - 1) / 2 && column === row;
      const square = h("button", {
        class: "square",
        tabindex: isMiddle ? "0" : "-1",
        "data-square": keyOf(place),
        onclick: () => press(place),
      });
      square.classList.toggle("logo", table.logo.has(keyOf(place)));
      square.classList.toggle("bonus", table.bonus.has(keyOf(place)));
      squares.set(keyOf(place), square);
      grid.append(square);
    }
  grid.addEventListener("keydown", (event) => moveFocus(squares, event));

  const logo = [...table.logo];
  const printed = (key: string): string =>
    String(table.bonus.get(key) ?? LOGO[logo.indexOf(key)] ?? "");

  const draw = (key: string, square: HTMLButtonElement, meaning: string, die?: BoardDie, draft?: Drafted): void => {
    const [row, column] = key.split(":").map((number) => Number(number) + 1) as [number, number];
    const points = table.bonus.get(key);
    const shown = JSON.stringify([die, draft, meaning]);
    if (drawn.get(key) === shown) return;
    drawn.set(key, shown);
    const face = draft?.face ?? die?.face;
    const isWild = draft?.isWild ?? die?.wild ?? false;
    square.classList.toggle("draft", draft !== undefined);
    square.dataset["term"] = isWild ? "wild" : face ? "die" : table.bonus.has(key) ? "bonus" : table.logo.has(key) ? "logo" : "square";
    square.replaceChildren(
      face ? drawDie(table, face, isWild) : printed(key),
    );
    const at = { row, column };
    const label = face
      ? say("square.die", { ...at, face: faceInWords(table, face, isWild) })
      : points === undefined
        ? say("square.empty", at)
        : say("square.bonus", { ...at, points });
    square.setAttribute("aria-label", [label, draft ? say("square.draft") : "", meaning].filter(Boolean).join(", "));
  };

  return {
    element: h(
      "div",
      { class: "set-field", role: "group", "aria-label": say("board") },
      grid,
      h("p", { class: "unseen" }, say("board.help")),
    ),
    square: (place) => squares.get(keyOf(place)),
    show(view, drafted, alone, light): void {
      const dice = new Map(view.board.map((die) => [keyOf(die), die]));
      const drafts = new Map(drafted.map((die) => [keyOf(die), die]));
      for (const [key, square] of squares) {
        const points = light?.now.get(key);
        const kind = points !== undefined ? "now" : light?.swaps.has(key) ? "swap" : light?.later.has(key) ? "later" : undefined;
        draw(key, square, kind ? say(`light.${kind}`, { points: points ?? 0 }) : "", dice.get(key), drafts.get(key));
        square.classList.toggle("alone", alone.has(key));
        square.classList.toggle("press", kind !== undefined && (kind === "now" || !light?.now.size));
        square.classList.toggle("later", kind === "later");
        square.classList.toggle("swap", kind === "swap");
        if (points === undefined) delete square.dataset["points"];
        else square.dataset["points"] = `+${points}`;
      }
    },
  };
}

/** Arrow keys go to the next square; Tab leaves the board. */
function moveFocus(squares: ReadonlyMap<string, HTMLButtonElement>, event: KeyboardEvent): void {
  const step = ARROWS[event.key];
  const from = event.target instanceof Element && event.target.closest<HTMLElement>(".square");
  if (!step || !from) return;
  event.preventDefault();
  const [row, column] = from.dataset["square"]!.split(":").map(Number) as [number, number];
  const next = squares.get(keyOf({ row: row + step[0], column: column + step[1] }));
  if (!next) return;
  from.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}
