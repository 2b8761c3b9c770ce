/** Types and lookups that every part of the L'Ascot page uses. */
import type * as game from "railbird-client/games/ascot";
import type { Setting } from "../game_page.ts";
import { language, listed } from "../words.ts";
import { say } from "./words.ts";

export type Game = game.Game;
export type View = game.View;
export type Command = game.Command;
export type Event = game.Event;
export type Book = Required<game.Book>;
type HorseLease = game.HorseLease;
export type Horse = game.Horse;
export type Pack = Extract<Command, { type: "take_report" }>["pack"];
export type ColourChoice = Extract<Command, { type: "choose_colour" }>["choice"];

/** The game that this page shows. */
export interface Table extends Setting<Game> {
  printed: Book;
  horses: ReadonlyMap<number, HorseLease>;
  /** The cards marked to throw away, and the bid chosen, before they are sent. Moves of others do not change them. */
  unsent: { discards: Set<string>; bid: { asset: string; sum: number } };
}

export function tableOf(setting: Setting<Game>): Table {
  const printed = setting.book as unknown as Book;
  return {
    ...setting,
    printed,
    horses: new Map(printed.horses.map((horse) => [horse.number, horse])),
    unsent: { discards: new Set(), bid: { asset: "", sum: 0 } },
  };
}

/** Whether nobody has won, because no horse arrived. */
export function hasNoArrival({ phase, options, placed }: View): boolean {
  return phase === "finished" && options.victory !== "money" && !placed.length;
}

/** The horses past the post, in order. Until the end an objection may still take one of them out. */
export function arrivedOf({ placed, race }: View): readonly number[] {
  return placed.length ? placed : (race?.arrivals ?? []).map(({ horse }) => horse);
}

/** The lead of each seat: the place of its best horse, or its money if the table plays for money; null while nobody leads. */
export function leadOf(view: View): (number | null)[] {
  const { options, horses, players, race } = view;
  if (options.victory === "money") return players.map(({ cash }) => cash);
  const [first] = arrivedOf(view);
  return players.map((_, seat) => {
    if (first !== undefined) return Number(horses[first]!.owner === seat);
    if (!race) return null;
    const own = Object.values(horses).filter(({ owner, fate }) => owner === seat && fate === "running");
    return Math.max(0, ...own.map(({ row }) => row));
  });
}

/** The meaning of the crown in this view, in words. */
export function leadInWords({ caller }: Table, view: View): string {
  if (view.options.victory === "money") return say("lead.money");
  const [first] = arrivedOf(view);
  if (first !== undefined) return say("lead.post", { horse: caller.name("horse", first) });
  const running = horsesOf(view).filter(([, { fate }]) => fate === "running");
  const most = Math.max(...running.map(([, { row }]) => row));
  const ahead = running.filter(([, { row }]) => row === most).map(([number]) => caller.name("horse", number));
  return say("lead.front", { horse: listed(ahead) });
}

/** The screen colour of a horse. */
export function coatOf({ printed, horses }: Table, number: number): string {
  return printed.screen_colours[horses.get(number)?.colour ?? "white"]!;
}

/** The horses of the game in number order. */
export function horsesOf(view: View): [number, Horse][] {
  return Object.entries(view.horses).map(([number, horse]) => [Number(number), horse]);
}

export function francs(amount: number): string {
  return `${amount.toLocaleString(language)} F`;
}

/** The printed price of an asset such as `horse:7`; none for a report. */
export function priceOf({ printed }: Table, asset: string): number | undefined {
  const [kind, name] = asset.split(":");
  return kind === "horse"
    ? printed.horses.find(({ number }) => String(number) === name)?.price
    : printed.offices.find(({ office }) => office === name)?.price;
}
