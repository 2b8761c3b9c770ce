/** The SETs that were just made: their dice shine, and a line says why they are SETs. */
import { h, motionIsReduced } from "../dom.ts";
import { appear, travel } from "../travel.ts";
import type { Board } from "./board.ts";
import { drawDie, faceInWords } from "./die.ts";
import { keyOf, type BoardDie, type Event, type Table, type View } from "./game.ts";
import { FEATURES } from "./judge.ts";
import { say } from "./words.ts";

const SHINE_MS = 1500;
const REASON_MS = 7000;

export interface Shine {
  element: HTMLElement;
  /** Remember what was laid; the next view has it on the board. */
  note(events: Event[]): void;
  /** Show it. `from` is where the dice of a seat come from. */
  show(view: View, board: Board, from: (seat: number) => DOMRect | undefined): void;
}

export function shine(table: Table): Shine {
  const element = h("div", { class: "set-reasons", role: "status" });
  let noted: LaidEvent[] = [];
  let hiding: ReturnType<typeof setTimeout> | undefined;
  return {
    element,
    note: (events) => void (noted = [...noted, ...events.filter(isLaid)]),
    show(view, board, from): void {
      const at = new Map(view.board.map((die) => [keyOf(die), die]));
      for (const event of noted) {
        const lines = event.type === "set_called" ? [event.dice] : event.sets.map(({ squares }) => squares.flatMap(([row, column]) => at.get(`${row}:${column}`) ?? []));
        for (const die of event.dice) {
          const shown = board.square(die)?.querySelector(".set-die");
          if (shown && event.seat !== table.seat) travel(shown, from(event.seat));
        }
        for (const die of lines.flat()) glow(board.square(die));
        element.replaceChildren(...lines.map((dice) => reason(table, dice)));
        if (event.type === "dice_placed" && event.bonus)
          element.append(h("p", {}, say("shine.bonus", { points: event.bonus })));
        appear(element);
        clearTimeout(hiding);
        hiding = setTimeout(() => element.replaceChildren(), REASON_MS);
      }
      noted = [];
    },
  };
}

type LaidEvent = Extract<Event, { type: "set_called" | "dice_placed" }>;

function isLaid(event: Event): event is LaidEvent {
  return event.type === "set_called" || event.type === "dice_placed";
}

const shining = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

function glow(square: HTMLElement | undefined): void {
  if (!square) return;
  square.classList.add("shines");
  clearTimeout(shining.get(square)); // of a SET with the same die
  shining.set(square, setTimeout(() => square.classList.remove("shines"), SHINE_MS));
  if (!motionIsReduced())
    square.animate([{ filter: "brightness(1.6)" }, { filter: "none" }], { duration: SHINE_MS, easing: "ease-out" });
}

/** Where three dice lie in a line. */
function lineInWords(dice: BoardDie[]): string {
  const { row, column } = dice[0]!;
  const isRow = dice.every((die) => die.row === row);
  const along = dice.map((die) => (isRow ? die.column : die.row) + 1);
  const ends = { from: Math.min(...along), to: Math.max(...along) };
  return isRow ? say("shine.row", { row: row + 1, ...ends }) : say("shine.column", { column: column + 1, ...ends });
}

/** Three dice, and each feature: the same, or all different. */
function reason(table: Table, dice: BoardDie[]): HTMLElement {
  const faces = dice.map(({ face }) => table.printed.faces.find((one) => one.face === face)!);
  return h(
    "p",
    {},
    h("span", { class: "reason-dice" }, ...dice.map(({ face, wild }) => drawDie(table, face, wild))),
    h("span", { class: "unseen" }, lineInWords(dice), dice.map(({ face, wild }) => faceInWords(table, face, wild)).join(", "), ". "),
    ...FEATURES.map((feature) => {
      const values = new Set(faces.map((face) => face[feature]));
      const kind = values.size === 1 ? "same" : "different";
      return h("span", { class: `reason reason-${kind}`, "data-term": "set" }, say(`shine.${feature}`), h("span", { class: "reason-kind" }, say("shine.is", { kind: say(`shine.${kind}`) })));
    }),
  );
}
