/** The result of the race for each player, and at the end the winner of the game. */
import { h, redraw, svg, type Child } from "../dom.ts";
import { namesOf } from "../second_person.ts";
import { inWords, say, sumInWords, winnersInWords } from "../words.ts";
import { chip } from "./chip.ts";
import { horse } from "./horse.ts";
import { moneyOf, type AtTable, type Bet, type Part, type View } from "./game.ts";

export function resultsPart(at: AtTable): Part {
  const element = h("section", { class: "panel results", hidden: true });
  return {
    element,
    show(view: View): void {
      const isOver = view.phase === "over";
      element.hidden = !view.podium;
      if (view.podium)
        redraw(element, [view.race, view.bets, view.purses, view.vip?.paid, isOver], () => [
          h("h2", {}, isOver ? winners(at, view) : say("results.title", { race: view.race })),
          ...winnersOfRace(at, view),
          podium(at, view),
          ...own(at, view),
          table(at, view),
        ]);
    },
  };
}

function winners(at: AtTable, view: View): string {
  const money = at.players.map((_, seat) => moneyOf(view, seat));
  return winnersInWords(namesOf(at, view.ranking?.[0] ?? []), money);
}

/** The first horse, or more after a tie, with a laurel wreath. */
function winnersOfRace({ book }: AtTable, { podium }: View): HTMLElement[] {
  const first = book.horses.filter(({ horse }) => podium?.win.includes(horse));
  return first.map(({ colour, horse: number, name }) =>
    h(
      "figure",
      { class: "winner", "data-term": "horse" },
      svg(
        "svg",
        { viewBox: "-14 -8 92 56", "aria-hidden": "true" },
        svg("path", { class: "laurel", d: "M6 44C-14 34 -14 10 2 -2M58 44C78 34 78 10 62 -2" }),
        horse(colour, number),
      ),
      h("figcaption", {}, inWords(name)),
    ),
  );
}

/** The bets of the user in a race that is over. */
export function settledBets({ seat }: AtTable, { bets }: View): Bet[] {
  return bets.filter((bet) => bet.seat === seat && bet.outcome);
}

/** The money of the user's bets and VIP cards in a race that is over; empty if they had neither. */
export function ownSum(at: AtTable, view: View): string {
  const settled = settledBets(at, view);
  const sum = settled.reduce((total, { payout }) => total + (payout ?? 0), 0);
  const vip = (at.seat !== null && view.vip?.paid[at.seat]) || 0;
  if (!settled.length && !vip) return "";
  const sums = { sum: sumInWords(sum, "euro", "exceptZero"), vip: sumInWords(vip, "euro", "exceptZero") };
  return say(vip ? "results.own_and_vip" : "results.own", sums);
}

function own(at: AtTable, view: View): HTMLElement[] {
  const sum = ownSum(at, view);
  return sum ? [h("p", { class: "own" }, sum)] : [];
}

function podium({ caller }: AtTable, { podium, exotics, came_true }: View): HTMLElement {
  const kinds = ["win", "place", "show"] as const;
  return h(
    "dl",
    { class: "podium" },
    ...kinds.map((kind) =>
      h(
        "div",
        {},
        h("dt", { "data-term": kind }, caller.name("kind", kind)),
        h("dd", {}, ...(podium?.[kind] ?? []).flatMap((name): Child[] => [h("b", {}, name), " "])),
      ),
    ),
    ...exotics
      .filter(({ card }) => came_true.includes(card))
      .map(({ title, text }) => h("div", {}, h("dt", {}, caller.name("kind", "exotic")), h("dd", {}, h("b", {}, inWords(title)), ` ${inWords(text)}`))),
  );
}

function table(at: AtTable, view: View): HTMLElement {
  const order = at.players.map((_, seat) => seat);
  order.sort((one, other) => moneyOf(view, other) - moneyOf(view, one) || one - other);
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, say("results.player")),
        h("th", { scope: "col" }, say("results.bets")),
        h("th", { scope: "col", class: "number" }, say("results.money")),
      ),
    ),
    h("tbody", {}, ...order.map((seat) => row(at, view, seat))),
  );
}

function row(at: AtTable, view: View, seat: number): HTMLElement {
  const bets = view.bets.filter((bet) => bet.seat === seat);
  return h(
    "tr",
    { class: seat === at.seat ? "me" : "" },
    h("th", { scope: "row" }, at.players[seat]),
    h("td", {}, h("ul", { class: "bets" }, ...bets.map((bet) => betLine(at, bet)))),
    h("td", { class: "number" }, sumInWords(moneyOf(view, seat), "euro")),
  );
}

/** A settled bet: its chip, its spot if it is the user's, and what it brought. */
export function betLine(at: AtTable, { token, bonus, spot, outcome, payout, seat }: Bet): HTMLElement {
  const amount = payout ?? 0;
  const result = outcome ? at.caller.name("outcome", outcome) : "";
  return h(
    "li",
    { "data-outcome": outcome ?? "" },
    chip({ value: token, bonus }, at, seat),
    h("span", { class: seat === at.seat ? "bet-name" : "unseen" }, at.caller.name("spot", spot)),
    h("b", {}, amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : result),
    amount !== 0 && h("span", { class: "unseen" }, result),
  );
}
