/** Types and lookups that every part of the Carcassonne page uses. */
import type * as game from "railbird-client/games/carcassonne";
import type { Setting } from "../game_page.ts";

export type Game = game.Game;
export type View = game.View;
export type Command = game.Command;
export type PlaceTile = Extract<Command, { type: "place_tile" }>;
export type PlaceMeeple = Extract<Command, { type: "place_meeple" }>;
export type ChooseFeature = Extract<Command, { type: "choose_feature" }>;
export type Tile = game.PrintedTile;
export type Book = game.Book;

/** The game that this page shows. */
export interface Table extends Setting<Game> {
  printed: Book;
  tiles: ReadonlyMap<string, Tile>;
}

export function tableOf(setting: Setting<Game>): Table {
  const printed = setting.book as Book;
  return { ...setting, printed, tiles: new Map(printed.tiles.map((tile) => [tile.tile, tile])) };
}
