/** The answers of all teams in a row, the gaps between them, which take bet tokens, and a line with true distances. */
import { h, redraw, type Child } from "../dom.ts";
import { fly, travel } from "../travel.ts";
import { decimal, type Text } from "../words.ts";
import { mayAct, ownTeam, teamInWords, teamMark, type Table, type Team, type View } from "./game.ts";
import { say } from "./words.ts";

/** The line ends this far outside the answers, as a part of their distance. */
const MARGIN = 0.12;

/** The width of the mark of a team on the line of a phone, in percent of the line. */
const MARK_WIDTH = 7;

/** Questions for a year have no unit. Its answers lie before or after another, and are not less or more. */
const YEARS = /\b(?:year|année)\b/i;

/** The name of a bet token: numbers are those of teams. */
export const letter = (token: number): string => String.fromCharCode(64 + token);

/** Bet on a gap, of this name. */
type Bet = (zone: number, name: string) => void;

export interface Row {
  element: HTMLElement;
  /** `step` is how much of the answer is revealed: the gap, the number, the gains. */
  show(view: View, step: number): void;
}

/** A row whose gaps call `bet` when they are chosen. `home` is where a token of a team comes from. */
export function answerRow(
  table: Table,
  bet: Bet,
  home: (team: number, token: number) => DOMRect | undefined,
): Row {
  const row = h("div", { class: "answer-row" });
  const line = h("div", { class: "true-line", "aria-hidden": "true", "data-term": "line" });
  const element = h("section", { class: "row-panel", role: "group", "aria-label": say("row") }, row, line);
  let before = new Map<string, number>();
  let tiles = 0;
  return {
    element,
    show(view, step): void {
      const lay = [...row.querySelectorAll<HTMLElement>("[data-token]")].map((mark) => ({ mark, from: mark.getBoundingClientRect() }));
      element.hidden = !view.tiles.length;
      const state = [view.tiles, view.teams, view.reveal, view.phase, step];
      redraw(row, state, () => parts(table, view, step, bet));
      redraw(line, [view.tiles, view.reveal, view.phase, step], () => trueLine(line, table, view, step, bet));
      const placed = new Map<string, number>();
      for (const { team, tokens } of view.teams)
        for (const { number: token, zone } of tokens ?? []) {
          const key = `${team}:${token}`;
          placed.set(key, zone);
          if (before.get(key) === zone) continue;
          for (const mark of row.querySelectorAll(`[data-token="${key}"]`)) travel(mark, home(team, token));
        }
      for (const { mark, from } of lay) {
        const [team, token] = mark.dataset["token"]!.split(":").map(Number) as [number, number];
        if (!placed.has(mark.dataset["token"]!)) fly(mark, from, home(team, token));
      }
      if (!tiles) for (const [nth, tile] of [...row.querySelectorAll(".answer-tile")].entries()) travel(tile, home(view.tiles[nth]!.teams[0]!, 0));
      tiles = view.tiles.length;
      before = placed;
    },
  };
}

function parts(table: Table, view: View, step: number, bet: Bet): Child[] {
  const zones = [...Array(view.tiles.length + 1).keys()];
  return zones.flatMap((zone): Child[] => {
    const tile = view.tiles[zone];
    return [gap(table, view, step, zone, bet), tile && answerTile(table, view, step, tile)];
  });
}

/** The name of a gap. */
export function nameOf(view: View, zone: number): string {
  const [below, above] = [view.tiles[zone - 1], view.tiles[zone]].map((tile) => tile && decimal(tile.value));
  const { en = "", fr = "", unit } = view.question ?? {};
  const isYear = !unit?.en && !unit?.fr && YEARS.test(`${en} ${fr}`);
  if (below === undefined) return say(isYear ? "zone.before" : "zone.below", { above: above! });
  return above === undefined ? say(isYear ? "zone.after" : "zone.above", { below }) : say("zone.between", { below, above });
}

/** The names of the gaps by their spots, as the log writes them: the board calls them the same. */
export function spotNames(view: View): Record<string, Text> {
  const { tiles } = view;
  return Object.fromEntries([...Array(tiles.length + 1).keys()].map((zone) => {
    const [below, above] = [tiles[zone - 1]?.value, tiles[zone]?.value];
    const spot = below === undefined ? `<${above}` : above === undefined ? `>${below}` : `${below}..${above}`;
    const name = nameOf(view, zone).replace(/^./, (letter) => letter.toLowerCase());
    return [spot, { en: name, fr: name }];
  }));
}

/** The level of each mark above the line, so that none covers another; `places` are in order. */
function levelsOf(places: readonly number[], widths: readonly number[]): number[] {
  const right: number[] = []; // of the last mark of each level
  return places.map((place, nth) => {
    const half = (widths[nth]! * MARK_WIDTH) / 2;
    const free = right.findIndex((end) => end <= place - half);
    const level = free < 0 ? right.length : free;
    right[level] = place + half;
    return level;
  });
}

function paysNow(view: View, step: number, zone: number): boolean {
  return step > 0 && (view.reveal?.paying_zones.includes(zone) ?? false);
}

function gap(table: Table, view: View, step: number, zone: number, bet: Bet): HTMLElement {
  const pays = paysNow(view, step, zone);
  const mayBet = view.phase === "bet" && mayAct(view);
  const isNext = mayBet && (ownTeam(view)?.tokens ?? []).length < table.printed.tokens_per_team;
  const all = view.teams.flatMap((team) => (team.tokens ?? []).map((token) => ({ team, token })));
  const placed = all.filter(({ token }) => token.zone === zone);
  const words = placed.map(({ team, token: { number, stake } }) => {
    const token = letter(number);
    const name = teamInWords(table, team);
    return stake ? say("zone.staked", { token, team: name, stake }) : say("zone.token", { token, team: name });
  });
  const { gain, loss } = atStake(view, zone);
  return h(
    "button",
    {
      class: pays ? "zone pays" : isNext ? "zone press" : "zone",
      "data-zone": zone,
      "data-term": "gap",
      disabled: !mayBet,
      onclick: () => bet(zone, nameOf(view, zone)),
    },
    h("span", { class: "zone-name" }, nameOf(view, zone)),
    h("span", { class: "unseen" }, [pays && say("zone.pays"), ...words].filter(Boolean).join(", ")),
    h("span", { class: "zone-tokens" }, ...placed.map(({ team, token }) => betToken(table, view, team, token))),
    h("span", { class: "zone-odds", "data-term": "odds" }, all.length > 0 && h("span", {}, say("zone.share", { placed: placed.length, all: all.length })), gain > 0 && h("b", {}, say(loss ? "zone.gain_or_loss" : "zone.gain", { gain, loss }))),
  );
}

/** The gain and the loss of the tokens of the user's team in this zone, if the right answer lies there or not; 0 once it is known. */
function atStake(view: View, zone: number): { gain: number; loss: number } {
  const own = view.reveal ? [] : (ownTeam(view)?.tokens ?? []).filter((token) => token.zone === zone);
  const loss = own.reduce((sum, { stake }) => sum + stake, 0);
  return { gain: own.length + loss, loss };
}

/** A bet token with its stake: the user's by its letter, as it is chosen, and others by the number of their team. */
function betToken(table: Table, { your_team }: View, { team }: Team, { number, stake }: { number: number; stake: number }): HTMLElement {
  const mark = teamMark(table, team);
  mark.textContent = `${team === your_team ? letter(number) : team + 1}${stake ? ` +${stake}` : ""}`;
  mark.classList.add("bet-token");
  Object.assign(mark.dataset, { token: `${team}:${number}`, term: stake ? "stake" : "token" });
  return mark;
}

function answerTile(table: Table, view: View, step: number, tile: View["tiles"][number]): HTMLElement {
  const isRight = step > 1 && view.reveal?.answer === tile.value;
  const teams = tile.teams.map((team) => teamInWords(table, view.teams[team]!)).join(", ");
  return h(
    "div",
    {
      class: isRight ? "answer-tile right" : "answer-tile",
      role: "img",
      "aria-label": say("row.tile", { answer: decimal(tile.value), teams }),
      "data-term": "tile",
    },
    h("b", {}, decimal(tile.value)),
    h("span", { class: "tile-teams" }, ...tile.teams.map((team) => teamMark(table, team))),
  );
}

/** The same answers where they lie on a line; a press on it bets on the gap there. */
function trueLine(line: HTMLElement, table: Table, view: View, step: number, bet: Bet): Child[] {
  const values = view.tiles.map(({ value }) => Number(value));
  const answer = view.reveal && step > 1 ? Number(view.reveal.answer) : undefined;
  const known = answer === undefined ? values : [...values, answer];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const margin = (most - least || Math.abs(most) || 1) * MARGIN;
  const at = (value: number): number => (100 * (value - least + margin)) / (most - least + 2 * margin);
  const places = values.map(at);
  const mayBet = view.phase === "bet" && mayAct(view);
  const ends = [0, ...places, 100];
  const segments = ends.slice(1).map((end, zone) => {
    const segment = h("span", {
      class: `segment${paysNow(view, step, zone) ? " pays" : ""}${mayBet ? " open" : ""}`,
      title: nameOf(view, zone),
      onclick: () => mayBet && bet(zone, nameOf(view, zone)),
    });
    segment.style.left = `${ends[zone]}%`;
    segment.style.width = `${end - ends[zone]!}%`;
    return segment;
  });
  const levels = levelsOf(places, view.tiles.map(({ teams }) => teams.length));
  line.style.setProperty("--levels", String(Math.max(0, ...levels) + 1));
  const marks = view.tiles.map((tile, nth) => {
    const mark = h("span", { class: "line-mark" }, ...tile.teams.map((team) => teamMark(table, team)));
    mark.style.left = `${places[nth]}%`;
    mark.style.setProperty("--level", String(levels[nth]));
    return mark;
  });
  if (answer !== undefined) {
    const star = h("span", { class: "line-answer", "data-term": "truth" }, decimal(view.reveal!.answer));
    star.style.left = `${at(answer)}%`;
    marks.push(star);
  }
  return [h("span", { class: "segments" }, ...segments), ...marks];
}
