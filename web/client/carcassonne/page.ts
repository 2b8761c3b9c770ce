/** The table of Carcassonne with The Bets: the land, the tile, the chips and the players. */
import { colourOf, inkOn, marksOf } from "../colours.ts";
import { h, redraw, svg, type Child } from "../dom.ts";
import { term } from "../explain.ts";
import { attempt } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { ranking, type Column } from "../ranking.ts";
import { listed, say } from "../words.ts";
import { board, choicesOf, featureName } from "./board.ts";
import { tableOf, type Command, type Game, type Table, type View } from "./game.ts";
import { meeple } from "./tile.ts";

export function carcassonnePage(setting: Setting<Game>): GamePage<Game> {
  const table = tableOf(setting);
  const play = (command: Command): void => void table.play(command);
  const land = board(table, play);
  const turn = h("div", { class: "turn" });
  const actions = h("div", { class: "actions" });
  const players = h("ol", { class: "seats" });
  const results = h("section", { class: "panel results", hidden: true });
  const stack = term("stack");
  let newest = 0;
  let shown: readonly number[] = [];
  let columns: Column[] = [];
  const showResults = (): void =>
    redraw(results, [shown, columns], () =>
      ranking(table, shown, (points) => say("carcassonne.points", { points }), columns),
    );
  // A line about a tile points at it.
  const point = ({ target }: Event): void =>
    land.point(target instanceof Element ? target.closest<HTMLElement>("[data-at]")?.dataset["at"] : undefined);
  setting.log.addEventListener("pointerover", point);
  setting.log.addEventListener("click", point);

  const showLegal = async (view: View, version: number): Promise<void> => {
    const isMine = table.seat !== null && view.awaited.includes(table.seat);
    const legal = isMine ? await table.legal() : [];
    if (version !== newest) return; // another view has come meanwhile
    land.show(view, legal);
    redraw(actions, legal, () => actionButtons(table, view, legal, play));
  };

  return {
    element: h(
      "div",
      { class: "carcassonne" },
      h(
        "div",
        { class: "land-column" },
        h("section", { class: "land-table" }, h("div", { class: "turn-panel" }, turn, actions), land.element),
        results,
      ),
      h(
        "div",
        { class: "side-column" },
        h("section", { class: "panel" }, h("h2", {}, say("seats.title")), players, stack),
        setting.log,
      ),
    ),
    showEvents(events): void {
      const scored = events.flatMap((event) =>
        event.type === "feature_scored" && event.complete ? [event.feature] : [],
      );
      if (scored.length) land.glow(scored);
    },
    showAll(events): void {
      columns = columnsOf(table, events);
      if (!results.hidden) showResults();
    },
    forget: () => land.glow([]),
    showView({ view, version, ended }): void {
      newest = version;
      redraw(turn, [view.stage, view.tile, view.active, view.awaited], () => turnLine(table, view));
      redraw(players, [view.points, view.meeples, view.chip_counts, view.awaited], () =>
        table.players.map((player, seat) => playerLine(table, view, player, seat)),
      );
      const left = Object.values(view.stack).reduce((sum, count) => sum + count, 0);
      stack.textContent = say("carcassonne.stack", { left });
      void attempt(() => showLegal(ended ? { ...view, awaited: [] } : view, version));
      shown = view.points;
      results.hidden = !ended;
      if (ended) showResults();
    },
    now: (view) => nowOf(table, view),
  };
}

const KINDS: string[] = ["road", "city", "monastery", "field", "bets"];

/** The parts of the points of each seat: features by kind, and bets. */
function columnsOf({ caller, players }: Table, events: Game["event"][]): Column[] {
  const columns = new Map(KINDS.map((kind) => [kind, players.map(() => 0)]));
  const add = (kind: string, seat: number, points: number): void => {
    columns.get(kind)![seat]! += points;
  };
  for (const event of events) {
    if (event.type === "feature_scored") for (const seat of event.winners) add(event.kind, seat, event.points);
    if (event.type === "bet_settled") add("bets", event.seat, event.payout);
  }
  const title = (kind: string): string => (kind === "bets" ? say("results.bets") : caller.name("kind", kind));
  return [...columns].filter(([, points]) => points.some(Boolean)).map(([kind, points]) => ({ title: title(kind), points }));
}

function nowOf(table: Table, view: View): Now {
  const { seat } = table;
  const names = listed(view.awaited.map((one) => table.players[one]!));
  const isMine = seat !== null && view.awaited.includes(seat);
  const stage = table.caller.name("stage", view.stage);
  const questions = {
    tile: "carcassonne.choose",
    bets: "carcassonne.bet",
    settlement: "carcassonne.count",
    evaluation: "carcassonne.count",
  } as const;
  const doing = isMine
    ? say(questions[view.stage as keyof typeof questions] ?? "you.turn", { stage })
    : names
      ? say("you.waits", { names })
      : stage;
  const points = say("carcassonne.points", { points: view.points[seat ?? 0] ?? 0 });
  const supply = { meeples: view.meeples[seat ?? 0] ?? 0, chips: view.chip_counts[seat ?? 0] ?? 0 };
  const has = seat === null ? undefined : `${points} · ${say("carcassonne.supply", supply)}`;
  return { doing, isMine, has };
}

function turnLine(table: Table, view: View): Child[] {
  const names = view.awaited.map((seat) => table.players[seat]).join(", ");
  const isMine = table.seat !== null && view.awaited.includes(table.seat);
  return [
    h(
      "p",
      {},
      h("b", {}, isMine ? say("generic.commands") : names),
      names && " · ",
      h("span", { class: names ? "" : "phase-name" }, table.caller.name("stage", view.stage)),
    ),
  ];
}

function actionButtons(
  table: Table,
  view: View,
  legal: Command[],
  play: (command: Command) => void,
): Child[] {
  return legal.flatMap((command): Child[] => {
    const button = (...content: Child[]): HTMLElement =>
      h("button", { onclick: () => play(command) }, ...content);
    switch (command.type) {
      case "skip_meeple":
        return [button(say("carcassonne.skip"))];
      case "pass_bet":
        return [button(say("carcassonne.pass"))];
      case "place_bet":
        return [chipButton(table, command.chip, () => play(command))];
      case "choose_feature":
        return [button(featureName(table, view, command, choicesOf(legal).indexOf(command) + 1))];
      default:
        return [];
    }
  });
}

/** A face of a chip as printed: the number of tiles. */
function signOf({ exactly, at_least }: { exactly?: number | null; at_least?: number | null }): string {
  return exactly ? String(exactly) : `${at_least}+`;
}

/** A chip with its faces. */
function chipButton(table: Table, chip: string, press: () => void): HTMLElement {
  const name = table.caller.name("chip", chip);
  const faces = table.printed.chips.find((one) => one.chip === chip)?.faces ?? [];
  const signs = faces.flatMap((face, nth) => [nth > 0 && h("small", {}, say("carcassonne.or")), h("b", {}, signOf(face))]);
  const element = h("button", { class: "bet-chip", "aria-label": name, title: name, "data-term": "chip", onclick: press }, ...signs);
  const colour = colourOf(table, table.seat!);
  element.style.setProperty("--seat", colour);
  element.style.setProperty("--on-seat", inkOn(colour));
  return element;
}

function playerLine(table: Table, view: View, player: string, seat: number): HTMLElement {
  const chips = view.chip_counts[seat] ?? 0;
  return h(
    "li",
    { class: marksOf(table, seat, view.awaited.includes(seat), view.points) },
    svg("svg", { class: "figure", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, meeple({ x: 0, y: 0 }, table, seat)),
    h(
      "span",
      { class: "player" },
      h(view.awaited.includes(seat) ? "strong" : "span", {}, player),
      seat === table.seat && h("small", {}, ` ${say("seats.you")}`),
    ),
    h(
      "span",
      { class: "quiet", "data-term": "meeple" },
      say("carcassonne.supply", { meeples: view.meeples[seat] ?? 0, chips }),
    ),
    h("strong", { class: "sum" }, say("carcassonne.points", { points: view.points[seat] ?? 0 })),
  );
}
