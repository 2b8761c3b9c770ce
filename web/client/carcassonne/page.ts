/** The table of Carcassonne with The Bets: the land, the tile, the chips and the players. */
import { colourOf } from "../colours.ts";
import { h, redraw, svg, type Child } from "../dom.ts";
import { attempt } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { ranking } from "../ranking.ts";
import { listed, say } from "../words.ts";
import { board } from "./board.ts";
import { tableOf, type Command, type Game, type Table, type View } from "./game.ts";
import { drawTile, meeple } from "./tile.ts";

export function carcassonnePage(setting: Setting<Game>): GamePage<Game> {
  const table = tableOf(setting);
  const play = (command: Command): void => void table.play(command);
  const land = board(table, play);
  const turn = h("div", { class: "turn" });
  const actions = h("div", { class: "actions" });
  const players = h("ol", { class: "seats" });
  const results = h("section", { class: "panel results", hidden: true });
  const stack = h("p", { class: "quiet" });
  let newest = 0;

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
        h("section", { class: "panel turn-panel" }, turn, actions),
        results,
        land.element,
      ),
      h(
        "div",
        { class: "side-column" },
        h("section", { class: "panel" }, h("h2", {}, say("seats.title")), players, stack),
        setting.log,
      ),
    ),
    showView({ view, version, ended }): void {
      newest = version;
      redraw(turn, [view.stage, view.tile, view.active, view.awaited], () => turnLine(table, view));
      redraw(players, [view.points, view.meeples, view.chip_counts, view.awaited], () =>
        table.players.map((player, seat) => playerLine(table, view, player, seat)),
      );
      const left = Object.values(view.stack).reduce((sum, count) => sum + count, 0);
      stack.textContent = say("carcassonne.stack", { left });
      void attempt(() => showLegal(ended ? { ...view, awaited: [] } : view, version));
      results.hidden = !ended;
      if (ended)
        redraw(results, view.points, () =>
          ranking(table, view.points, (points) => say("carcassonne.points", { points })),
        );
    },
    now: (view) => nowOf(table, view),
  };
}

function nowOf(table: Table, view: View): Now {
  const { seat } = table;
  const names = listed(view.awaited.map((one) => table.players[one]!));
  const isMine = seat !== null && view.awaited.includes(seat);
  const stage = table.caller.name("stage", view.stage);
  const doing = isMine
    ? say(view.stage === "tile" ? "carcassonne.choose" : "you.turn", { stage })
    : names
      ? say("you.waits", { names })
      : stage;
  const points = say("carcassonne.points", { points: view.points[seat ?? 0] ?? 0 });
  const supply = { meeples: view.meeples[seat ?? 0] ?? 0, chips: view.chip_counts[seat ?? 0] ?? 0 };
  const has = seat === null ? undefined : `${points} · ${say("carcassonne.supply", supply)}`;
  return { doing, isMine, has };
}

function turnLine(table: Table, view: View): Child[] {
  const tile = view.tile ? table.tiles.get(view.tile) : undefined;
  const size = table.printed.tile_size;
  const names = view.awaited.map((seat) => table.players[seat]).join(", ");
  const isMine = table.seat !== null && view.awaited.includes(table.seat);
  return [
    tile &&
      svg(
        "svg",
        {
          class: "next-tile",
          viewBox: `0 0 ${size} ${size}`,
          role: "img",
          "aria-label": table.caller.name("tile", tile.tile),
        },
        drawTile(table, tile, 0),
      ),
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
        return [
          button(
            chip(colourOf(table, table.seat!)),
            h("span", {}, table.caller.name("chip", command.chip)),
          ),
        ];
      case "choose_feature": {
        const feature = view.features.find((one) => one.feature === command.feature);
        const kind = table.caller.name("kind", feature?.kind ?? "");
        const tiles = feature?.tiles ?? 0;
        return [button(say("carcassonne.feature", { kind, tiles, x: command.x, y: command.y }))];
      }
      default:
        return [];
    }
  });
}

function chip(colour: string): HTMLElement {
  const element = h("span", { class: "sealed-chip", "aria-hidden": "true" }, "?");
  element.style.background = colour;
  return element;
}

function playerLine(table: Table, view: View, player: string, seat: number): HTMLElement {
  const colour = colourOf(table, seat);
  const chips = view.chip_counts[seat] ?? 0;
  return h(
    "li",
    { class: seat === table.seat ? "me" : "" },
    svg("svg", { class: "figure", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, meeple({ x: 0, y: 0 }, colour)),
    h(
      "span",
      { class: "player" },
      h(view.awaited.includes(seat) ? "strong" : "span", {}, player),
      seat === table.seat && h("small", {}, ` ${say("seats.you")}`),
    ),
    h(
      "span",
      { class: "quiet" },
      say("carcassonne.supply", { meeples: view.meeples[seat] ?? 0, chips }),
    ),
    h("strong", { class: "sum" }, say("carcassonne.points", { points: view.points[seat] ?? 0 })),
  );
}
