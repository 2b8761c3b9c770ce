/** The table of Ready Set Bet. */
import type { Table, Commit } from "railbird-client";
import type { Game } from "railbird-client/games/ready_set_bet";
import { h, redraw } from "../dom.ts";
import { explain, tell } from "../frame.ts";
import type { GamePage } from "../game_page.ts";
import { say } from "../words.ts";
import { boardPart } from "./board.ts";
import { countdown } from "./countdown.ts";
import { dicePart } from "./dice.ts";
import type { AtTable, Command, View } from "./game.ts";
import { handPart } from "./hand.ts";
import { resultsPart } from "./results.ts";
import { seatsPart } from "./seats.ts";
import { trackPart } from "./track.ts";

const LINES_MAX = 60;
/** Events that the board shows; their sentences would drown the announcer's calls. */
const SILENT = new Set(["bet_placed", "bet_settled", "bonus_token_used"]);
/** Events that the results show; they are never the newest call. */
const QUIET = new Set(["money_settled", "vip_paid"]);

/** Draw the table, and send the user's commands to the server. */
export function readySetBetPage(
  at: AtTable,
  table: Table<Game>,
  again: () => void,
): GamePage<Game> {
  const play = async (command: Command): Promise<void> => {
    try {
      await table.play(command);
    } catch (error) {
      tell(explain(error), "bad");
    }
  };
  const hand = handPart(at, (command) => void play(command));
  const bet = (spot: string): void => {
    const token = hand.chosen();
    if (at.seat === null) return tell(say("hand.spectator"), "bad");
    if (!token) return tell(say("hand.empty"), "bad");
    void play({ type: "place_bet", spot, token: token.value, bonus: token.bonus ?? null });
  };
  const board = boardPart(at, bet);
  const track = trackPart(at);
  const dice = dicePart();
  const clock = countdown();
  const results = resultsPart(at, again);
  const seats = seatsPart(at);
  const parts = [track, dice, board, hand, results, seats];

  const phase = h("p", { class: "phase" });
  const newest = h("p", { class: "call" });
  const aloud = h("p", { class: "unseen", role: "log", "aria-live": "polite" });
  const calls = h("ol", { class: "calls", "aria-label": say("calls") });
  const element = h(
    "div",
    { class: "ready-set-bet" },
    h(
      "div",
      { class: "race" },
      h(
        "div",
        { class: "race-head" },
        dice.element,
        h("div", {}, phase, newest, aloud),
        clock.element,
      ),
      track.element,
      results.element,
      seats.element,
      h("section", { class: "panel calls-panel" }, h("h2", {}, say("calls")), calls),
    ),
    h("div", { class: "betting" }, board.element, hand.element),
  );

  return {
    element,
    showView({ view, nextAt, now }: { view: View; nextAt: Date | null; now: Date }): void {
      clock.show(view.phase, nextAt, now);
      element.dataset["phase"] = view.phase;
      redraw(phase, [view.phase, view.race], () => [
        h("b", {}, say("race", { race: view.race, races: view.options.races ?? 4 })),
        ` · ${at.caller.name("phase", view.phase)}`,
      ]);
      for (const part of parts) part.show(view);
    },
    showCommit({ events }: Commit<Game>): void {
      const heard = events.filter(({ type }) => !SILENT.has(type));
      const said = heard.flatMap((event) => at.caller.calls(event));
      if (!said.length) return;
      aloud.textContent = said.join(" ");
      const loud = heard
        .filter(({ type }) => !QUIET.has(type))
        .flatMap((event) => at.caller.calls(event));
      if (loud.length) newest.textContent = loud.join(" ");
      for (const line of said) calls.prepend(h("li", {}, line));
      while (calls.children.length > LINES_MAX) calls.lastElementChild!.remove();
    },
  };
}
