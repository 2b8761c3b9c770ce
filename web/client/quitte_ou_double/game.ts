/** Types and lookups that every part of the Quitte ou double page uses. */
import type * as game from "railbird-client/games/quitte_ou_double";
import { inkOn } from "../colours.ts";
import { h } from "../dom.ts";
import type { Setting } from "../game_page.ts";
import { namesOf } from "../second_person.ts";
import { listed } from "../words.ts";

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

/** A team by its colour and its players, the same wherever it is named. */
export function teamInWords(table: Table, { team, seats }: Team): string {
  return `${table.caller.name("team", team)} (${listed(namesOf(table, seats))})`;
}

/** Whether the team of the user plays this question and may still change something. */
export function mayAct(view: View): boolean {
  const team = ownTeam(view);
  const plays = team && (!view.tiebreak.length || view.tiebreak.includes(team.team));
  return !!plays && !team.locked;
}

/** A mark in the colour of a team, with its number for those who do not see the colour. */
export function teamMark({ printed }: Table, team: number): HTMLElement {
  const hex = printed.team_colours[team]!.hex;
  const mark = h("span", { class: "team-mark", "aria-hidden": "true", "data-term": "team" }, team + 1);
  mark.style.setProperty("--seat", hex);
  mark.style.setProperty("--on-seat", inkOn(hex));
  return mark;
}
