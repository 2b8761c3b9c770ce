/** The table of Ready Set Bet. */
import type { Game } from "railbird-client/games/ready_set_bet";
import { callList } from "../call_list.ts";
import { countdown } from "../countdown.ts";
import { h, redraw } from "../dom.ts";
import { tell } from "../frame.ts";
import type { GamePage, Setting } from "../game_page.ts";
import { say } from "../words.ts";
import { boardPart } from "./board.ts";
import { dicePart } from "./dice.ts";
import type { AtTable, Book } from "./game.ts";
import { handPart } from "./hand.ts";
import { resultsPart } from "./results.ts";
import { seatsPart } from "./seats.ts";
import { trackPart } from "./track.ts";

/** Events that the board shows; their sentences would drown the announcer's calls. */
const SILENT = new Set(["bet_placed", "bet_settled", "bonus_token_used"]);
/** Events that the results show; they are never the newest call. */
const QUIET = new Set(["money_settled", "vip_paid"]);

/** The texts of the countdown in each phase. */
const AWAITED = {
  paddock: "countdown.start",
  open: "countdown.roll",
  closed: "countdown.roll",
  finished: "countdown.next",
  draft: "countdown.choice",
  offer: "countdown.choice",
} as const;

/** Draw the table, and send the user's commands to the server. */
export function readySetBetPage(setting: Setting<Game>): GamePage<Game> {
  const at: AtTable = { ...setting, book: setting.book as Book };
  const { play } = setting;
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
  const results = resultsPart(at, setting.again);
  const seats = seatsPart(at);
  const parts = [track, dice, board, hand, results, seats];

  let awaited: (typeof AWAITED)[keyof typeof AWAITED] = AWAITED.paddock;
  const phase = h("p", { class: "phase" });
  const calls = callList(at.caller, SILENT, QUIET);
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
        h("div", {}, phase, calls.newest),
        clock.element,
      ),
      track.element,
      results.element,
      seats.element,
      calls.panel,
    ),
    h("div", { class: "betting" }, board.element, hand.element),
  );

  return {
    element,
    showView({ view, nextAt, now }): void {
      if (view.phase !== "over") awaited = AWAITED[view.phase];
      clock.show((seconds) => say(awaited, { seconds }), nextAt, now);
      element.dataset["phase"] = view.phase;
      redraw(phase, [view.phase, view.race], () => [
        h("b", {}, say("race", { race: view.race, races: view.options.races ?? 4 })),
        ` · ${at.caller.name("phase", view.phase)}`,
      ]);
      for (const part of parts) part.show(view);
    },
    showCommit: ({ events }) => calls.add(events),
    clear: calls.clear,
  };
}
