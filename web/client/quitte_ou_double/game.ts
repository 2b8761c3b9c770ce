/** Types and lookups that every part of the Quitte ou double page uses. */
import type * as game from "railbird-client/games/quitte_ou_double";
import { inkOn } from "../colours.ts";
import { h } from "../dom.ts";
import type { Setting } from "../game_page.ts";
import { language } from "../words.ts";

export type Game = game.Game;
export type View = game.View;
export type Command = game.Command;
export type Book = Required<game.Book>;
export type Team = View["teams"][number];

/** The game that this page shows. */
export interface Table extends Setting<Game> {
  printed: Book;
}

export function tableOf(setting: Setting<Game>): Table {
  return { ...setting, printed: setting.book as unknown as Book };
}

/** The team of the user; none for a spectator. */
export function ownTeam(view: View): Team | undefined {
  return view.your_team === null ? undefined : view.teams[view.your_team];
}

/** Whether the team of the user plays this question and may still change something. */
export function mayAct(view: View): boolean {
  const team = ownTeam(view);
  const plays = team && (!view.tiebreak.length || view.tiebreak.includes(team.team));
  return !!plays && !team.locked;
}

/** A decimal number of the server as people read it. */
export function number(text: string): string {
  const [whole = "", decimals] = text.split(".");
  const separators = language === "fr" ? ["\u202f", ","] : [",", "."];
  const grouped =
    whole.replace("-", "").length > 4
      ? whole.replace(/\B(?=(\d{3})+$)/g, separators[0]!)
      : whole; // so that years look like years
  return decimals ? grouped + separators[1] + decimals : grouped;
}

/** A mark in the colour of a team, with its number for those who do not see the colour. */
export function teamMark({ printed }: Table, team: number, text = ""): HTMLElement {
  const hex = printed.team_colours[team]!.hex;
  const mark = h("span", { class: "team-mark", "aria-hidden": "true" }, `${team + 1}${text}`);
  mark.style.setProperty("--seat", hex);
  mark.style.setProperty("--on-seat", inkOn(hex));
  return mark;
}
