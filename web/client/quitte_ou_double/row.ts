/** The answers of all teams in a row, and the gaps between them, which take bet tokens. */
import { h, redraw, type Child } from "../dom.ts";
import { mayAct, number, teamMark, type Table, type Team, type View } from "./game.ts";
import { say } from "./words.ts";

export interface Row {
  element: HTMLElement;
  show(view: View): void;
}

/** A row whose gaps call `bet` when they are chosen. */
export function answerRow(table: Table, bet: (zone: number) => void): Row {
  const row = h("div", { class: "answer-row" });
  const element = h(
    "section",
    { class: "panel row-panel", role: "group", "aria-label": say("row") },
    row,
  );
  return {
    element,
    show(view): void {
      element.hidden = !view.tiles.length;
      const state = [view.tiles, view.teams, view.reveal, view.phase];
      redraw(row, state, () => parts(table, view, bet));
    },
  };
}

function parts(table: Table, view: View, bet: (zone: number) => void): Child[] {
  const zones = [...Array(view.tiles.length + 1).keys()];
  return zones.flatMap((zone): Child[] => {
    const tile = view.tiles[zone];
    return [gap(table, view, zone, bet), tile && answerTile(table, view, tile)];
  });
}

function gap(table: Table, view: View, zone: number, bet: (zone: number) => void): HTMLElement {
  const [below, above] = [view.tiles[zone - 1], view.tiles[zone]].map(
    (tile) => tile && number(tile.value),
  );
  const name =
    below === undefined
      ? say("zone.below", { above: above! })
      : above === undefined
        ? say("zone.above", { below })
        : say("zone.between", { below, above });
  const pays = view.reveal?.paying_zones.includes(zone) ?? false;
  const placed = view.teams.flatMap((team) =>
    (team.tokens ?? []).filter((token) => token.zone === zone).map((token) => ({ team, token })),
  );
  const words = placed.map(({ team, token: { number: token, stake } }) => {
    const name = table.caller.name("team", team.team);
    return stake
      ? say("zone.staked", { token, team: name, stake })
      : say("zone.token", { token, team: name });
  });
  return h(
    "button",
    {
      class: pays ? "zone pays" : "zone",
      "data-zone": zone,
      disabled: view.phase !== "bet" || !mayAct(view),
      onclick: () => bet(zone),
    },
    h("span", { class: "zone-name" }, name),
    h("span", { class: "unseen" }, [pays && say("zone.pays"), ...words].filter(Boolean).join(", ")),
    h(
      "span",
      { class: "zone-tokens" },
      ...placed.map(({ team, token }) => betToken(table, team, token)),
    ),
  );
}

function betToken(table: Table, { team }: Team, { stake }: { stake: number }): HTMLElement {
  const mark = teamMark(table, team, stake ? ` +${stake}` : "");
  mark.classList.add("bet-token");
  return mark;
}

function answerTile(
  table: Table,
  view: View,
  tile: View["tiles"][number],
): HTMLElement {
  const isRight = view.reveal?.answer === tile.value;
  const teams = tile.teams.map((team) => table.caller.name("team", team)).join(", ");
  return h(
    "div",
    {
      class: isRight ? "answer-tile right" : "answer-tile",
      role: "img",
      "aria-label": say("row.tile", { answer: number(tile.value), teams }),
    },
    h("b", {}, number(tile.value)),
    h("span", { class: "tile-teams" }, ...tile.teams.map((team) => teamMark(table, team))),
  );
}
