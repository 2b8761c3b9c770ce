/** Types and lookups that every part of the SET Dice page uses. */
import type * as game from "railbird-client/games/set_dice";
import type { Setting } from "../game_page.ts";

export type Game = game.Game;
export type View = game.View;
export type Command = game.Command;
export type Event = game.Event;
export type Book = Required<game.Book>;
export type Die = View["hands"][number][number];
export type BoardDie = View["board"][number];
export type Place = { row: number; column: number };

export const WILD = "WILD";
export const SET_SIZE = 3;

/** The game that this page shows. */
export interface Table extends Setting<Game> {
  printed: Book;
  bonus: ReadonlyMap<string, number>;
  logo: ReadonlySet<string>;
}

export function tableOf(setting: Setting<Game>): Table {
  const printed = setting.book as unknown as Book;
  return {
    ...setting,
    printed,
    bonus: new Map(printed.bonus.map((square) => [keyOf(square), square.points])),
    logo: new Set(printed.logo.map(keyOf)),
  };
}

export function keyOf({ row, column }: Place): string {
  return `${row}:${column}`;
}

/** The dice of the user; none for a spectator. */
export function handOf(table: Table, view: View): Die[] {
  return table.seat === null ? [] : (view.hands[table.seat] ?? []);
}

/** Whether the game waits for this seat. */
export function isOnTurn({ phase, on_turn, answered }: View, seat: number): boolean {
  return phase === "turns" ? on_turn === seat : phase !== "finished" && !answered.includes(seat);
}

/** Whether the game waits for the user. */
export function isAwaited({ seat }: Table, view: View): boolean {
  return seat !== null && isOnTurn(view, seat);
}

/** Whether the user may decide something now: a SET can be called after it was not seen. */
export function mayDecide(table: Table, view: View): boolean {
  return (table.seat !== null && view.phase === "opening") || isAwaited(table, view);
}
