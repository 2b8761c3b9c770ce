/** The table of Carcassonne with The Bets: the land, the tile, the chips and the players. */
import { legalChoices } from "../choices.ts";
import { colourOf, inkOn, marksOf } from "../colours.ts";
import { h, redraw, svg, type Child } from "../dom.ts";
import { term } from "../explain.ts";
import { attempt } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { ranking, type Column } from "../ranking.ts";
import { namesOf } from "../second_person.ts";
import { standingOf } from "../standing.ts";
import { listed, say } from "../words.ts";
import { board, choicesOf, featureName } from "./board.ts";
import { chipsOut, numberOf, signOf } from "./chips.ts";
import { newlyShared, sharedInWords } from "./joins.ts";
import { tableOf, type Command, type Game, type Table, type View } from "./game.ts";
import { meeple } from "./tile.ts";

export function carcassonnePage(setting: Setting<Game>): GamePage<Game> {
  const table = tableOf(setting);
  const play = async (command: Command): Promise<void> => {
    // The log of all says that the user has decided, and not what.
    if ((await choices.play(command)) && command.type === "pass_bet") setting.news([say("carcassonne.passed")]);
  };
  const land = board(table, play);
  const turn = h("div", { class: "turn" });
  const actions = h("div", { class: "actions" });
  const players = h("ol", { class: "seats" });
  const results = h("section", { class: "panel results", hidden: true });
  const stack = term("stack");
  let before: View | undefined;
  let shown: readonly number[] = [];
  let columns: Column[] = [];
  let bets: string[] = [];
  const showResults = (): void =>
    redraw(results, [shown, columns, bets], () => [
      ...ranking(table, shown, (points) => say("carcassonne.points", { points }), columns),
      bets.length > 0 && h("h3", {}, say("carcassonne.bets")),
      h("ul", { class: "own-bets" }, ...bets.map((bet) => h("li", {}, bet))),
    ]);
  // A line about a tile, a road or a city points at it.
  const point = ({ target }: Event): void =>
    land.point(target instanceof Element ? (target.closest<HTMLElement>("[data-at], [data-feature]")?.dataset ?? {}) : {});
  for (const type of ["pointerover", "click", "focusin"]) setting.log.addEventListener(type, point);
  for (const type of ["pointerleave", "focusout"]) setting.log.addEventListener(type, () => land.point({}));

  const choices = legalChoices<Game>(table, actions, (view, legal) => {
    // The others bet meanwhile.
    if (!legal.some((command) => isPicked(command, picked))) picked = undefined;
    showActions(view, legal);
    // The land has the room that the question leaves.
    land.show(view, legal);
  });
  /** The chip that the user would bet, or that they would not bet. */
  let picked: string | undefined;
  const showActions = (view: View, legal: Command[]): void => {
    const pick = (chip: string): void => {
      picked = chip;
      showActions(view, legal);
    };
    redraw(actions, [legal, picked], () =>
      legal.some(({ type }) => type === "place_bet")
        ? betControls(table, legal, picked, pick, play)
        : actionButtons(table, view, legal, play),
    );
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
      bets = betsOf(table, events);
      if (!results.hidden) showResults();
    },
    forget(): void {
      land.forget();
      before = undefined;
    },
    showView({ view, version, ended }): void {
      const shared = before ? newlyShared(table, before, view) : [];
      if (shared.length) setting.news([sharedInWords(table, "carcassonne.shared", shared)]);
      const skipped = before && whySkipped(table, before, view);
      if (skipped) setting.news([skipped]);
      before = view;
      redraw(turn, [view.stage, view.tile, view.active, view.awaited], () => turnLine(table, view));
      redraw(players, [view.points, view.meeples, view.chip_counts, view.awaited], () =>
        table.players.map((player, seat) => playerLine(table, view, player, seat)),
      );
      const left = Object.values(view.stack).reduce((sum, count) => sum + count, 0);
      stack.textContent = say("carcassonne.stack", { left });
      const hasAny = table.seat !== null && !ended && view.awaited.includes(table.seat);
      void attempt(() => choices.show(view, version, hasAny));
      shown = view.points;
      results.hidden = !ended;
      if (ended) showResults();
    },
    now: (view) => nowOf(table, view),
    tellsTime: ({ type }) => type === "deadline_passed",
  };
}

/** The bets of the user that were settled, in words. */
function betsOf({ caller, printed, seat }: Table, events: Game["event"][]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "chip_turned" || event.seat !== seat) return [];
    const { kind, tiles, points } = event;
    const chip = signOf(printed.chips.find((one) => one.chip === event.chip));
    return [say("carcassonne.own_bet", { chip, kind: caller.name("kind", kind), tiles, points })];
  });
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

/** Why the user was not asked for a meeple on the tile that they have just placed. */
function whySkipped({ seat }: Table, before: View, { laid, stage }: View): string | undefined {
  const isPlaced = before.stage === "tile" && before.active === seat && String(before.laid) !== String(laid);
  if (!isPlaced || stage === "meeple") return undefined;
  return say(before.meeples[seat ?? -1] ? "carcassonne.all_taken" : "carcassonne.no_meeple");
}

function nowOf(table: Table, view: View): Now {
  const { seat } = table;
  const names = listed(view.awaited.map((one) => table.players[one]!));
  const isMine = seat !== null && view.awaited.includes(seat);
  const stage = table.caller.name("stage", view.stage);
  const questions = {
    tile: "carcassonne.choose",
    meeple: "carcassonne.may_place",
    bets: "carcassonne.bet",
    settlement: "carcassonne.count",
    evaluation: "carcassonne.count_last",
  } as const;
  const doing = isMine
    ? say(questions[view.stage as keyof typeof questions] ?? "you.turn", { stage })
    : names
      ? say("you.waits", { names })
      : stage;
  const points = say("carcassonne.points", { points: view.points[seat ?? 0] ?? 0 });
  const meeples = { term: "meeple", text: say("carcassonne.meeples", { meeples: view.meeples[seat ?? 0] ?? 0 }) };
  const chips = { term: "chip", text: say("carcassonne.chips", { chips: view.chip_counts[seat ?? 0] ?? 0 }) };
  const has = seat === null ? undefined : [`${points} · `, meeples, ", ", chips];
  const standing = standingOf(table, view.points, (one) => view.awaited.includes(one));
  return { doing, isMine, has, standing };
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
  const button = (command: Command, text: string, className = ""): HTMLElement =>
    h("button", { class: className, onclick: () => play(command) }, text);
  const choices = choicesOf(legal);
  const asked = new Set(legal.map((command) => command.type === "choose_feature" && `${command.x},${command.y}`));
  const owners = view.offices.find(({ x, y }) => x === choices[0]?.x && y === choices[0].y)?.seats ?? [];
  return [
    ...legal.filter(({ type }) => type === "skip_meeple").map((command) => button(command, say("carcassonne.skip"))),
    ...choices.map((command, nth) => button(command, featureName(table, view, command, nth + 1), "press")),
    choices.length > 0 &&
      h("p", { class: "told" }, say("carcassonne.asked", { names: listed(namesOf(table, owners)), left: asked.size })),
  ];
}

/** Stands for no chip among the chips that can be picked. */
const NO_BET = "none";

function isPicked(command: Command, picked: string | undefined): boolean {
  return command.type === "place_bet" ? command.chip === picked : command.type === "pass_bet" && picked === NO_BET;
}

/** All chips of the user at fixed places: a press chooses one, or none, and says what it means; another bets it. */
function betControls(
  table: Table,
  legal: Command[],
  picked: string | undefined,
  pick: (chip: string) => void,
  play: (command: Command) => void,
): Child[] {
  const told = h("p", { class: "told", role: "status" });
  const tellOf = (chip: string | undefined): void => {
    told.textContent = chip ? say("carcassonne.bet_pays", { chip: table.caller.name("chip", chip) }) : say("carcassonne.bet_counts");
  };
  const chosen = legal.find((command) => isPicked(command, picked));
  const pickedChip = chosen?.type === "place_bet" ? chosen.chip : undefined;
  tellOf(pickedChip);
  const chips = table.printed.chips.map(({ chip, faces }) => {
    const pays = faces.flatMap((face) => [h("span", {}, say("carcassonne.face", { number: numberOf(face), points: face.points })), " "]);
    const isHeld = legal.some((command) => isPicked(command, chip));
    const element = h(
      "button",
      {
        class: picked || !isHeld ? "bet-chip" : "bet-chip press",
        "aria-pressed": String(chip === picked),
        "data-term": "chip",
        "data-told": "",
        disabled: !isHeld,
        onclick: () => pick(chip),
        onpointerenter: () => tellOf(chip),
        onpointerleave: () => tellOf(pickedChip),
        onfocus: () => tellOf(chip),
        onblur: () => tellOf(pickedChip),
      },
      ...pays,
    );
    const colour = colourOf(table, table.seat!);
    element.style.setProperty("--seat", colour);
    element.style.setProperty("--on-seat", inkOn(colour));
    return element;
  });
  return [
    ...chips,
    h("button", { "aria-pressed": String(picked === NO_BET), onclick: () => pick(NO_BET) }, say("carcassonne.pass")),
    chosen &&
      h(
        "button",
        { class: "primary press", "data-command": chosen.type, "data-term": "chip", onclick: () => play(chosen) },
        pickedChip ? say("carcassonne.bet_this", { chip: signOf(table.printed.chips.find((one) => one.chip === pickedChip)) }) : say("carcassonne.pass_this"),
      ),
    told,
  ];
}

function playerLine(table: Table, view: View, player: string, seat: number): HTMLElement {
  const chips = view.chip_counts[seat] ?? 0;
  const out = seat === table.seat ? chipsOut(table, view).map(signOf).join(", ") : "";
  return h(
    "li",
    { class: marksOf(table, seat, view.awaited.includes(seat), view.points) },
    svg("svg", { class: "figure", viewBox: "-14 -14 28 28", "aria-hidden": "true", "data-term": "player" }, meeple({ x: 0, y: 0 }, table, seat)),
    h(
      "span",
      { class: "player" },
      h(view.awaited.includes(seat) ? "strong" : "span", {}, player),
      seat === table.seat && h("small", {}, ` ${say("seats.you")}`),
    ),
    h(
      "span",
      { class: "quiet" },
      h("span", { "data-term": "meeple" }, say("carcassonne.meeples", { meeples: view.meeples[seat] ?? 0 })),
      ", ",
      h("span", { "data-term": "chip" }, say("carcassonne.chips", { chips })),
      out && h("span", { class: "out", "data-term": "chip" }, say("carcassonne.out", { chips: out })),
    ),
    h("strong", { class: "sum", "data-term": "player" }, say("carcassonne.points", { points: view.points[seat] ?? 0 })),
  );
}
