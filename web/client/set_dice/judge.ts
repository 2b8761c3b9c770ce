/** The SETs and points of dice on the board before they are played, as `set_dice/board.py` judges them. */
import type { Drafted } from "./board.ts";
import { keyOf, SET_SIZE, WILD, type BoardDie, type Die, type Place, type Table, type View } from "./game.ts";

export const FEATURES = ["colour", "shape", "number"] as const;

export interface Judgement {
  sets: number;
  /** Points of gold squares, for dice in a SET. */
  bonus: number;
  points: number;
  /** The squares of dice that are in no SET. */
  alone: Set<string>;
  /** Whether a SET has a die that was there before. */
  joins: boolean;
}

export function judge(table: Table, view: Pick<View, "board">, drafted: Drafted[]): Judgement {
  const drafts = new Map(drafted.map((die) => [keyOf(die), die]));
  const faces = facesOf(view, drafted);
  const lines = drafted.flatMap(linesThrough).map((line) => line.map(keyOf));
  const made = [...new Map(lines.filter((line) => isSet(table, line.map((key) => faces.get(key)))).map((line) => [line.join(), line])).values()];
  const keys = made.flat();
  const inSet = drafted.filter((die) => keys.includes(keyOf(die)));
  const bonus = inSet.reduce((sum, die) => sum + (table.bonus.get(keyOf(die)) ?? 0), 0);
  return {
    sets: made.length,
    bonus,
    points: bonus + keys.filter((key) => !drafts.get(key)?.isWild).length,
    alone: new Set([...drafts.keys()].filter((key) => !keys.includes(key))),
    joins: keys.some((key) => !drafts.has(key)),
  };
}

/** The meaning of each square for the die that the user has chosen. */
export interface Light {
  /** Where it makes a SET now, and the points that this adds. */
  now: Map<string, number>;
  /** Where it makes a SET with a further die of the hand. */
  later: Set<string>;
  /** The Wilds on the board that it may replace. */
  swaps: Set<string>;
}

/** `rest` is what the dice show that may still be laid after the chosen one. */
export function lightFor(table: Table, view: View, drafted: Drafted[], { number, shows }: Die, rest: string[]): Light {
  const faces = facesOf(view, drafted);
  const light: Light = { now: new Map(), later: new Set(), swaps: new Set() };
  const before = judge(table, view, drafted).points;
  for (const square of squaresOf(table).filter((one) => !faces.has(keyOf(one)))) {
    const fits = [...completing(table, faces, square)].filter((face) => shows === WILD || face === shows);
    const points = fits.map((face) => judge(table, view, [...drafted, { ...square, die: number, face, isWild: shows === WILD }]).points);
    if (points.length) light.now.set(keyOf(square), Math.max(...points) - before);
    else if (linesOf(table, square).some((line) => mayComplete(table, line.flatMap((one) => faces.get(keyOf(one)) ?? []), shows, rest)))
      light.later.add(keyOf(square));
  }
  for (const wild of swapsFor(view, shows)) light.swaps.add(keyOf(wild));
  return light;
}

/** The Wilds on the board that a die which shows this may replace. */
export function swapsFor({ board, wild_replaced }: View, shows: string): BoardDie[] {
  return wild_replaced ? [] : board.filter(({ wild, face }) => wild && face === shows);
}

/** Whether a further die makes a SET with this one and the only other die in a line. */
function mayComplete(table: Table, others: string[], shows: string, rest: string[]): boolean {
  const [other] = others;
  if (others.length !== 1 || other === undefined) return false;
  return rest.some((face) => shows === WILD || face === WILD || isSet(table, [other, shows, face]));
}

/** The faces with which a die on this square makes a SET. */
export function completing(table: Table, faces: ReadonlyMap<string, string>, square: Place): Set<string> {
  const pairs = linesOf(table, square)
    .map((line) => line.flatMap((one) => (keyOf(one) === keyOf(square) ? [] : (faces.get(keyOf(one)) ?? []))))
    .filter((others) => others.length === SET_SIZE - 1);
  return new Set(table.printed.faces.map(({ face }) => face).filter((face) => pairs.some((pair) => isSet(table, [...pair, face]))));
}

/** A die as it is to be laid; a Wild without a face has not been given one by the user. */
export interface Lay extends Place {
  die: number;
  face: string | undefined;
  isWild: boolean;
}

/** Give each Wild without a face one that makes a SET where it lies, and the most points. */
export function faced(table: Table, view: Pick<View, "board">, dice: Lay[]): Drafted[] {
  const known: Drafted[] = dice.flatMap(({ face, ...die }) => (face === undefined ? [] : { ...die, face }));
  const usual = table.printed.faces[0]!.face;
  for (const die of dice.filter(({ face }) => face === undefined)) {
    const pointsAs = (face: string): number => judge(table, view, [...known, { ...die, face }]).points;
    const [best] = [...completing(table, facesOf(view, known), die)].sort((one, other) => pointsAs(other) - pointsAs(one));
    known.push({ ...die, face: best ?? usual });
  }
  return dice.map(({ die }) => known.find((one) => one.die === die)!);
}

export function facesOf(view: Pick<View, "board">, drafted: Drafted[]): Map<string, string> {
  return new Map([...view.board, ...drafted].map((die) => [keyOf(die), die.face]));
}

function squaresOf({ printed: { size } }: Table): Place[] {
  return [...Array(size * size).keys()].map((cell) => ({ row: Math.floor(cell / size), column: cell % size }));
}

/** The lines of three through a square that lie on the board. */
function linesOf({ printed: { size } }: Table, square: Place): Place[][] {
  return linesThrough(square).filter((line) => line.every(({ row, column }) => Math.min(row, column) >= 0 && Math.max(row, column) < size));
}

/** All lines of three squares through this one, across and down; some lie partly outside of the board. */
function linesThrough({ row, column }: Place): Place[][] {
  const steps = [...Array(SET_SIZE).keys()];
  return steps.flatMap((back) => [
    steps.map((step) => ({ row, column: column - back + step })),
    steps.map((step) => ({ row: row - back + step, column })),
  ]);
}

function isSet(table: Table, shown: (string | undefined)[]): boolean {
  return featuresOfTwo(table, shown)?.length === 0;
}

/** The features in which two of three faces are alike, and the third is not; nothing unless there are three. */
export function featuresOfTwo({ printed }: Table, shown: (string | undefined)[]): (typeof FEATURES)[number][] | undefined {
  const faces = shown.flatMap((name) => printed.faces.find(({ face }) => face === name) ?? []);
  return faces.length === SET_SIZE ? FEATURES.filter((feature) => new Set(faces.map((face) => face[feature])).size === 2) : undefined;
}
