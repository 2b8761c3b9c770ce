/** Types and values that every part of the Ready Set Bet page uses. */
import type * as game from "railbird-client/games/ready_set_bet";
import type { Caller } from "../calls.ts";

export type View = game.View;
export type Command = game.Command;
export type Event = game.Event;
export type Spot = game.Spot;
export type Bet = game.Bet;
export type Text = game.Text;

// The schema of the book gives defaults for a few fields; the server always sends them.
export type Book = Required<game.Book>;

/** A part of the page: an element that follows the view. */
export interface Part {
  element: HTMLElement;
  show(view: View): void;
}

/** The game at which this page sits. */
export interface AtTable {
  book: Book;
  caller: Caller;
  /** Names by seat. */
  players: string[];
  /** The user's own seat; none for a spectator. */
  seat: number | null;
}

/** Whether the game waits for this seat: to choose a VIP card, to answer an offer, or to roll. */
export function isAwaited(seat: number, { phase, vip, asked, announcer, options, dice_ready }: View): boolean {
  if (phase === "draft") return Boolean(vip?.choosing.includes(seat));
  const rolls = announcer === seat && !options.auto_roll;
  return asked === seat || (rolls && (phase === "paddock" || dice_ready));
}

/** Whether this seat may end a pause, as far as it can. */
export function mayGetReady(seat: number, { ready }: View): boolean {
  return ready !== null && !ready.includes(seat);
}

/** The money that a seat holds. */
export function moneyOf(view: View, seat: number): number {
  return view.purses[`seat:${seat}`] ?? 0;
}
