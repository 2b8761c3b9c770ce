/** The table of Ready Set Bet. */
import type { Game } from "railbird-client/games/ready_set_bet";
import { h, redraw } from "../dom.ts";
import { tell } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { namesInShort } from "../second_person.ts";
import { standingOf } from "../standing.ts";
import { say, sumInWords } from "../words.ts";
import { boardPart } from "./board.ts";
import type { Token } from "./chip.ts";
import { dicePart } from "./dice.ts";
import { isAwaited, mayGetReady, moneyOf, type AtTable, type Book, type View } from "./game.ts";
import { choosing, handPart, notReady, tokenInWords } from "./hand.ts";
import { ownSum, resultsPart } from "./results.ts";
import { seatsPart } from "./seats.ts";
import { trackPart } from "./track.ts";

/** Events that the board and the results show. */
const QUIET = new Set(["bet_placed", "got_ready", "bet_settled", "bonus_token_used", "money_settled", "vip_paid"]);

/** The phases in which tokens wait for their place. */
const PLACING = new Set(["paddock", "open", "closed"]);

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
  const hand = handPart(at, (command) => void play(command), () => {
    mark();
    setting.showNow();
  });
  let isOpen = false;
  const mark = (): void => {
    const hasChosen = hand.chosen() !== undefined;
    board.element.classList.toggle("press", isOpen && hasChosen);
    hand.element.classList.toggle("press", isOpen && !hasChosen && !hand.isEmpty());
  };
  const bet = (spot: string): void => {
    const token = hand.chosen();
    if (at.seat === null) return tell(say("hand.spectator"), "bad");
    if (!token) return tell(say(hand.isEmpty() ? "hand.empty" : "hand.choose"), "bad");
    const move = `${tokenInWords(token)} · ${at.caller.name("spot", spot)}`;
    void hand.spend(token, spot, () => play({ type: "place_bet", spot, token: token.value, bonus: token.bonus ?? null }, move));
  };
  const board = boardPart(at, bet);
  const track = trackPart(at);
  const dice = dicePart();
  const results = resultsPart(at);
  const seats = seatsPart(at);
  const parts = [track, dice, board, hand, results, seats];

  const phase = h("p", { class: "phase" });
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
        phase,
      ),
      track.element,
      results.element,
      seats.element,
      setting.log,
    ),
    h("div", { class: "betting" }, board.element, hand.element),
  );

  return {
    element,
    showView({ view }): void {
      redraw(phase, [view.phase, view.race], () => [
        h("b", {}, say("race", { race: view.race, races: view.options.races ?? 4 })),
        ` · ${at.caller.name("phase", view.phase)}`,
      ]);
      for (const part of parts) part.show(view);
      isOpen = view.phase === "open";
      mark();
    },
    now: (view) => nowOf(at, view, hand.chosen()),
    tellsTime: (event) => event.type === "vip_kept" && event.by_default,
    quiet: QUIET,
  };
}

function nowOf(at: AtTable, view: View, chosen: Token | undefined): Now {
  const { phase } = view;
  const time = (seconds: string): string =>
    phase === "over" ? "" : say(AWAITED[phase] ?? "you.time", { seconds });
  /** Whether a seat may act although neither a race nor a pause waits for it. */
  const mayAct = (seat: number): boolean => (phase === "open" && tokensOf(view, seat) > 0) || mayGetReady(seat, view);
  const sums = at.players.map((_, seat) => moneyOf(view, seat));
  const standing = standingOf(at, sums, (seat) => isAwaited(seat, view) || mayAct(seat));
  if (at.seat === null) return { doing: say("hand.spectator"), isMine: false, standing, time };
  const tokens = tokensOf(view, at.seat);
  const money = say("hand.money", { money: sumInWords(moneyOf(view, at.seat), "euro") });
  const has = PLACING.has(phase) ? `${money} · ${say("hand.left", { tokens })}` : money;
  return { doing: doing(at, at.seat, view, chosen), isMine: isAwaited(at.seat, view), mayAct: mayAct(at.seat), has, standing, time };
}

/** A sentence about the others for whom a pause waits as well as for the user; empty if there are none. */
function awaited(at: AtTable, view: View): string {
  const seats = notReady(at, view);
  return seats.length > 1 && seats.includes(at.seat!) ? say("ready.awaits", { names: namesInShort(at, seats) }) : "";
}

/** The tokens in the hand of a seat, those of its VIP cards included. */
function tokensOf({ tokens, vip }: View, seat: number): number {
  return (tokens[seat]?.length ?? 0) + (vip?.bonus_tokens[seat]?.length ?? 0);
}

function doing(at: AtTable, seat: number, view: View, chosen: Token | undefined): string {
  const { phase, vip, asked, announcer, options } = view;
  if (phase === "draft") return vip?.chosen ? choosing(at, view) : say("vip.choose");
  if (asked === seat) return say("offer.doing");
  if (announcer === seat && !options.auto_roll) return say("announcer.doing");
  if (phase === "open") {
    if (!chosen) return say(tokensOf(view, seat) ? "hand.choose" : "hand.empty");
    const help = say("hand.help", { token: chosen.value });
    return chosen.loss ? `${help} ${say("hand.token_loss", { loss: chosen.loss })}.` : help;
  }
  const others = awaited(at, view);
  if (phase === "finished") return [ownSum(at, view) || say("race.finished"), others].join(" ");
  if (phase === "paddock" && others) return `${others} ${say("race.think")}`;
  return say(phase === "paddock" && mayGetReady(seat, view) ? "race.ready" : `race.${phase}`);
}
