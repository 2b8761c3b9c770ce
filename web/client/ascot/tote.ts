/** The tote: the tickets on each runner, and private place bets with the Bookmaker. */
import { dot } from "../colours.ts";
import { h, redraw, type Child } from "../dom.ts";
import { term } from "../explain.ts";
import { sumInput } from "./fields.ts";
import { francs, horsesOf, type Command, type Table, type View } from "./game.ts";
import { horseName } from "./pieces.ts";
import { say } from "./words.ts";

type Play = (command: Command, move?: string) => void;

export interface TotePart {
  element: HTMLElement;
  show(view: View, legal: Command[]): void;
}

export function totePart(table: Table, play: Play): TotePart {
  const focusable = { tabindex: "0", role: "group", "aria-label": say("tote") };
  const board = h("div", { class: "scroll", ...focusable });
  const total = h("p", { class: "quiet" });
  const place = h("div", { class: "place-bets" });
  const title = h("h2", {}, term("tote", say("tote")));
  const element = h("section", { class: "panel tote" }, title, board, total, place);
  return {
    element,
    show(view, legal): void {
      element.hidden = !["betting", "race", "finished"].includes(view.phase);
      if (element.hidden) return;
      total.textContent = say("tote.total", { total: francs(view.totalisator) });
      redraw(board, [view.tickets, view.called, view.horses, view.players], () => [
        tickets(table, view),
      ]);
      redraw(place, [view.contracts, legal], () => placeBets(table, view, legal, play));
    },
  };
}

function tickets(table: Table, view: View): HTMLElement {
  const slots = [...Array(table.printed.tariff.tickets_per_horse).keys()];
  const runners = horsesOf(view).filter(
    ([number, { fate }]) =>
      ["running", "lost", "passed", "disqualified"].includes(fate) || view.placed.includes(number),
  );
  return h(
    "table",
    { class: "tickets" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, say("tote.horse")),
        ...slots.map((slot) =>
          h("th", { scope: "col", "data-term": "ticket" }, say("tote.ticket", { number: slot + 1 })),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      ...runners.map(([number]) => {
        const bought = view.tickets.filter(({ horse }) => horse === number);
        return h(
          "tr",
          { class: number === view.called ? "called" : "" },
          h("th", { scope: "row" }, horseName(table, view, number), star(view, number)),
          ...slots.map((slot) => h("td", {}, ticket(table, bought[slot]))),
        );
      }),
    ),
  );
}

/** The tickets on the horse that is called, and all stakes. */
export function stakedOn(table: Table, { called, tickets, totalisator }: View): Child[] {
  if (called === null) return [];
  const bought = tickets.filter(({ horse }) => horse === called);
  const own = tickets.filter(({ seat }) => seat === table.seat);
  return [
    term("ticket", say("tote.staked", { horse: table.caller.name("horse", called) })),
    ...(bought.length ? bought.map((one) => ticket(table, one)) : [say("tote.none")]),
    term("tote", say("tote.total", { total: francs(totalisator) })),
    ...(own.length ? [say("tote.mine"), ...own.map((one) => h("span", {}, `${table.caller.name("horse", one.horse)} `, ticket(table, one)))] : []),
  ];
}

function star(view: View, number: number): Child {
  const isFavourite = view.players.some(({ favourite }) => favourite === number);
  return isFavourite && h("span", { class: "favourite", "data-term": "favourite" }, say("favourite.named"));
}

function ticket(table: Table, ticket: View["tickets"][number] | undefined): Child {
  return (
    ticket &&
    h(
      "span",
      { class: "ticket", "data-term": "ticket" },
      dot(table, ticket.seat),
      h("span", { "aria-hidden": "true" }, francs(ticket.stake)),
      h(
        "span",
        { class: "unseen" },
        say("tote.of", { stake: francs(ticket.stake), player: table.players[ticket.seat]! }),
      ),
    )
  );
}

function placeBets(table: Table, view: View, legal: Command[], play: Play): Child[] {
  const { caller, players, printed, seat } = table;
  const contracts = view.contracts ?? [];
  const form = legal.some(({ type }) => type === "propose_place_bet");
  if (!contracts.length && !form) return [];
  const answers = {
    accept_place_bet: say("place.accept"),
    decline_place_bet: say("place.decline"),
  };
  const lines = contracts.map((contract) =>
    h(
      "li",
      {},
      say("place.line", {
        name: players[contract.seat]!,
        stake: francs(contract.stake),
        payout: francs(contract.payout),
        horse: caller.name("horse", contract.horse),
      }),
      contract.is_agreed && ` · ${say("place.agreed")}`,
      ...legal.flatMap((command) =>
        (command.type === "accept_place_bet" || command.type === "decline_place_bet") &&
        command.contract === contract.contract
          ? [h("button", { onclick: () => play(command) }, answers[command.type])]
          : [],
      ),
    ),
  );
  const note = printed.tariff.smallest_note;
  const most = (seat !== null && view.players[seat]?.cash) || note;
  const stake = sumInput(say("tote.stake"), note, note, most, note);
  const payout = sumInput(say("place.payout"), note, note, 1_000_000, 2 * note);
  const propose = (): void => {
    const sums = { stake: stake.value(), payout: payout.value() };
    const words = [
      say("place.propose"),
      `${say("tote.stake")}: ${francs(sums.stake)}`,
      `${say("place.payout")}: ${francs(sums.payout)}`,
    ];
    play({ type: "propose_place_bet", horse: view.called!, ...sums }, words.join(" · "));
  };
  return [
    h("h3", {}, term("place_bet", say("place"))),
    h("ul", { class: "deals" }, ...lines),
    form &&
      h(
        "div",
        { class: "actions" },
        stake.element,
        payout.element,
        h("button", { onclick: propose }, say("place.propose")),
      ),
  ];
}
