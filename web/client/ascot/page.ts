/** The table of L'Ascot: auction, training, deals, tote and race, each with its own board. */
import { legalChoices } from "../choices.ts";
import { die } from "../die.ts";
import { h, redraw } from "../dom.ts";
import { attempt } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { actions, actionState, choicesOnHorses, raceQuestion, trainingQuestion } from "./actions.ts";
import { movingCards } from "./cards.ts";
import { dealsPart } from "./deals.ts";
import { feltPart } from "./felt.ts";
import { fieldPart } from "./field.ts";
import { francs, hasNoArrival, leadInWords, leadOf, tableOf, type Command, type Game, type Table, type View } from "./game.ts";
import { loopPart } from "./loop.ts";
import { ownNews } from "./own_news.ts";
import { lease } from "./pieces.ts";
import { playersPart } from "./players.ts";
import { resultsPart } from "./results.ts";
import { factsOf } from "./facts.ts";
import { totePart } from "./tote.ts";
import { standingOf } from "../standing.ts";
import { listed } from "../words.ts";
import { say } from "./words.ts";

const HANDS = new Set(["nomination", "exchange", "discard", "auction", "settlement"]);
const CHOSEN = new Set(["exchange", "discard"]);
const FIELDS = new Set(["surplus", "entry", "favourites", "betting", "race", "finished"]);
/** Events that the boards show, and that would drown the others. */
const QUIET = new Set(["bidder_left", "bet_refrained", "offer_made", "offer_closed", "fortunes_published"]);

export function ascotPage(setting: Setting<Game>): GamePage<Game> {
  const table = tableOf(setting);
  const play = (command: Command, move?: string): void => void chosen.play(command, move);
  const turn = h("p", { class: "turn" });
  const choices = h("div", { class: "actions" });
  const facts = h("div", { class: "facts" });
  const hand = h("section", { class: "own-hand", hidden: true });
  const felt = feltPart(table);
  const loop = loopPart(table);
  const field = fieldPart(table, play);
  const tote = totePart(table, play);
  const deals = dealsPart(table, play);
  const players = playersPart(table);
  const results = resultsPart(table);
  let shown: View | undefined;
  const chosen = legalChoices<Game>(table, choices, (view, legal) => {
    redraw(choices, actionState(view, legal), () => actions(table, view, legal, play));
    const onHorses = choicesOnHorses(table, view, legal, play);
    for (const board of [loop, field]) board.choose(onHorses);
    deals.show(view, legal);
    tote.show(view, legal);
  });

  const element = h(
    "div",
    { class: "ascot" },
    h(
      "div",
      { class: "main-column" },
      h(
        "section",
        { class: "felt" },
        results.element,
        turn,
        felt.element,
        field.element,
        loop.element,
        h("div", { class: "turn-panel" }, choices, facts),
        hand,
        deals.element,
        field.legend,
        loop.legend,
        tote.element,
      ),
    ),
    h("div", { class: "side-column" }, players.element, setting.log),
  );

  const cards = movingCards(table, element);
  return {
    element,
    showEvents(events): void {
      cards.note(events);
      table.news(ownNews(table, shown, events), true);
    },
    showView({ view, version, ended }): void {
      shown = view;
      redraw(turn, [view.phase, view.awaited, view.race?.die, view.race?.seat], () =>
        turnLine(table, view),
      );
      const held = view.own?.hand ?? [];
      // While the user chooses among the cards, they are buttons.
      const isChosen = CHOSEN.has(view.phase) && view.awaited.includes(table.seat ?? -1);
      hand.hidden = !held.length || isChosen || !HANDS.has(view.phase);
      cards.show(view, () => {
        felt.show(view);
        redraw(hand, [view.own, view.pile], () => handOf(table, view));
      });
      // A sale has the table of the auction as its board.
      loop.element.hidden = loop.legend.hidden = view.phase !== "training" || view.lot !== null;
      field.element.hidden = field.legend.hidden = !FIELDS.has(view.phase) || view.lot !== null;
      redraw(facts, [view.called, view.tickets, view.totalisator, view.horses, view.race?.arrivals, view.phase], () => factsOf(table, view));
      loop.show(view);
      field.show(view);
      players.show(view);
      results.show(view);
      void attempt(() => chosen.show(view, version, table.seat !== null && !ended));
    },
    forget(): void {
      players.forget();
      shown = undefined;
    },
    now: (view) => nowOf(table, view),
    quiet: QUIET,
  };
}

function nowOf(table: Table, view: View): Now {
  const { seat } = table;
  const mayAnswer = view.offers.some(({ to }) => to !== null && to === seat);
  const isMine = seat !== null && (view.awaited.includes(seat) || mayAnswer);
  const cash = seat === null ? null : (view.players[seat]?.cash ?? null);
  const has = cash === null ? undefined : say("you.has", { cash: francs(cash) });
  const standing = standingOf(table, view.players.map((player) => player.cash), (one) => view.awaited.includes(one), leadOf(view), leadInWords(table, view));
  return { doing: isMine ? asked(table, view) : elsewhere(table, view), isMine, late: late(table, view), has, standing, why: hasNoArrival(view) ? say("results.none") : undefined };
}

/** The result without an answer in time, where no event says it of the user. */
function late({ caller }: Table, { lot, phase, called }: View): string | undefined {
  if (lot) return say("late.bid", { asset: caller.name("asset", lot.asset) });
  if (phase === "favourites") return say("late.favourite");
  return phase === "betting" && called !== null ? say("late.bet", { horse: caller.name("horse", called) }) : undefined;
}

/** The question of the game to the user. */
function asked(table: Table, view: View): string {
  const { caller, seat } = table;
  const { lot, debt, phase } = view;
  if (!view.awaited.includes(seat!)) return say("you.offers");
  if (lot) return say("you.lot", { asset: caller.name("asset", lot.asset), least: francs(lot.least) });
  if (debt) return say("debt", { amount: francs(debt.amount) });
  const question = phase === "training" ? trainingQuestion(view) : phase === "race" && raceQuestion(table, view);
  if (question) return question;
  if (phase === "betting" && view.called !== null)
    return say("you.bet", { horse: caller.name("horse", view.called) });
  const asks = { nomination: "vote", exchange: "exchange", discard: "discard", preliminaries: "trade", favourites: "favourite" } as const;
  return phase in asks
    ? say(asks[phase as keyof typeof asks])
    : say("you.turn", { phase: caller.name("phase", phase) });
}

function elsewhere(table: Table, view: View): string {
  const phase = table.caller.name("phase", view.phase);
  const names = listed(view.awaited.map((seat) => table.players[seat]!));
  return names ? `${phase} · ${say("awaited", { names })}` : phase;
}

function turnLine(table: Table, view: View): (HTMLElement | SVGElement | string | false)[] {
  const eyes = view.phase === "race" && view.race?.die;
  return [
    ...(eyes
      ? [
          h(
            "span",
            { class: "dice", role: "img", "data-term": "dice", "aria-label": say("race.die", { die: eyes }) },
            die(eyes),
          ),
        ]
      : []),
    h("b", { class: "phase-name" }, table.caller.name("phase", view.phase)),
  ];
}

function handOf(table: Table, view: View): HTMLElement[] {
  const { own } = view;
  if (!own) return [];
  return [
    h("h2", {}, say("hand")),
    h("div", { class: "hand-cards" }, ...own.hand.map((card) => lease(table, card))),
    h(
      "p",
      { class: "quiet" },
      say("hand.reserved", { price: francs(own.reserved), limit: francs(own.bid_limit) }),
    ),
  ];
}
