/** The SETs and points of dice on the board before they are played, as `set_dice/board.py` judges them. */
import type { Drafted } from "./board.ts";
import { keyOf, SET_SIZE, type Place, type Table, type View } from "./game.ts";

export const FEATURES = ["colour", "shape", "number"] as const;

export interface Judgement {
  sets: number;
  /** Points of gold squares. */
  bonus: number;
  points: number;
  /** The squares of dice that are in no SET. */
  alone: Set<string>;
  /** Whether a SET has a die that was there before. */
  joins: boolean;
}

export function judge(table: Table, view: View, drafted: Drafted[]): Judgement {
  const drafts = new Map(drafted.map((die) => [keyOf(die), die]));
  const faces = new Map([...view.board, ...drafted].map((die) => [keyOf(die), die.face]));
  const lines = drafted.flatMap(linesThrough).map((line) => line.map(keyOf));
  const made = [...new Map(lines.filter((line) => isSet(table, line.map((key) => faces.get(key)))).map((line) => [line.join(), line])).values()];
  const keys = made.flat();
  const bonus = drafted.reduce((sum, die) => sum + (table.bonus.get(keyOf(die)) ?? 0), 0);
  return {
    sets: made.length,
    bonus,
    points: bonus + keys.filter((key) => !drafts.get(key)?.isWild).length,
    alone: new Set([...drafts.keys()].filter((key) => !keys.includes(key))),
    joins: keys.some((key) => !drafts.has(key)),
  };
}

/** The empty squares where a die would complete three in a line; whether they are a SET is for the player to see. */
export function thirdSquares({ printed: { size } }: Table, view: View, drafted: Drafted[]): Set<string> {
  const laid = new Set([...view.board, ...drafted].map(keyOf));
  const squares = [...Array(size * size).keys()].map((cell) => ({ row: Math.floor(cell / size), column: cell % size }));
  const isThird = (line: Place[]): boolean => line.filter((place) => laid.has(keyOf(place))).length === SET_SIZE - 1;
  return new Set(squares.filter((square) => !laid.has(keyOf(square)) && linesThrough(square).some(isThird)).map(keyOf));
}

/** All lines of three squares through this one, across and down; some lie partly outside of the board. */
function linesThrough({ row, column }: Place): Place[][] {
  const steps = [...Array(SET_SIZE).keys()];
  return steps.flatMap((back) => [
    steps.map((step) => ({ row, column: column - back + step })),
    steps.map((step) => ({ row: row - back + step, column })),
  ]);
}

function isSet({ printed }: Table, shown: (string | undefined)[]): boolean {
  const faces = shown.flatMap((name) => printed.faces.find(({ face }) => face === name) ?? []);
  return faces.length === SET_SIZE && FEATURES.every((feature) => new Set(faces.map((face) => face[feature])).size !== 2);
}
