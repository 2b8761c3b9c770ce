/** Private deals before and during the race, and the choice of the runners. */
import { h, redraw, type Child } from "../dom.ts";
import { sumInput, toggle } from "./fields.ts";
import { francs, horsesOf, type Command, type Table, type View } from "./game.ts";
import { horseName } from "./pieces.ts";
import { THEM } from "../second_person.ts";
import { say } from "./words.ts";

type Play = (command: Command) => void;
type Offer = View["offers"][number];

export interface DealsPart {
  element: HTMLElement;
  show(view: View, legal: Command[]): void;
}

export function dealsPart(table: Table, play: Play): DealsPart {
  const title = h("h2", {}, say("deals"));
  const runners = h("p", { class: "quiet" });
  const list = h("ul", { class: "deals" });
  const own = h("div", {});
  const entry = h("div", { class: "actions" });
  const element = h("section", { class: "panel deals-panel" }, title, runners, entry, list, own);
  return {
    element,
    show(view, legal): void {
      const isTrading = view.phase === "preliminaries";
      const mayOffer = legal.some(({ type }) => type === "offer");
      element.hidden = !isTrading && !view.offers.length && !mayOffer;
      if (element.hidden) return;
      runners.hidden = !isTrading;
      const share = view.players[table.seat ?? -1]?.share ?? view.runners_each;
      runners.textContent = [
        say("deals.runners", { runners: view.runners_each }),
        share < view.runners_each && say("deals.share", { share }),
      ].filter(Boolean).join(" ");
      redraw(list, [view.offers, legal], () =>
        view.offers.length
          ? view.offers.map((offer) => dealLine(table, offer, legal, play))
          : [h("li", { class: "quiet" }, say("deals.none"))],
      );
      redraw(own, [mayOffer, assetsOf(view)], () => (mayOffer ? [form(table, view, play)] : []));
      const state = isTrading && entryState(table, view, legal);
      redraw(entry, state, () => (state ? entries(table, view, state, play) : []));
    },
  };
}

/** A deal in words: each side of it. */
export function dealInWords({ caller, players, seat }: Table, offer: Offer): string {
  const side = (assets: readonly string[], money: number): string => {
    const names = assets.map((asset) => caller.name("asset", asset));
    if (money) names.push(francs(money));
    return names.join(" + ") || say("deals.nothing");
  };
  return say(offer.seat === seat ? "deals.own" : "deals.line", {
    name: players[offer.seat]!,
    gives: side(offer.gives, offer.pays),
    takes: side(offer.takes, offer.asks),
  });
}

function dealLine(table: Table, offer: Offer, legal: Command[], play: Play): HTMLElement {
  const { players } = table;
  const answers = {
    accept: say("deals.accept"),
    decline: say("deals.decline"),
    withdraw: say("deals.withdraw"),
  };
  const buttons = legal.flatMap((command) =>
    (command.type === "accept" || command.type === "decline" || command.type === "withdraw") &&
    command.offer === offer.number
      ? [
          h(
            "button",
            { class: offer.to === table.seat ? "press" : "", "data-command": command.type, onclick: () => play(command) },
            answers[command.type],
          ),
        ]
      : [],
  );
  return h(
    "li",
    {},
    h(
      "span",
      {},
      dealInWords(table, offer),
      offer.to !== null && say("deals.to", { name: offer.to === table.seat ? THEM : players[offer.to]! }),
    ),
    ...buttons,
  );
}

/** The tradeable assets of each seat: its horses, and the reports that it keeps. */
function assetsOf(view: View): string[][] {
  return view.players.map(({ reports }, seat) => [
    ...horsesOf(view)
      .filter(([, { owner, fate }]) => owner === seat && fate === "home")
      .map(([number]) => `horse:${number}`),
    ...reports.map((report) => `report:${report}`),
  ]);
}

function form(table: Table, view: View, play: Play): HTMLElement {
  const assets = assetsOf(view);
  const { seat, players, printed } = table;
  const note = printed.tariff.smallest_note;
  const most = Math.floor((view.players[seat!]?.cash ?? 0) / note) * note;
  const partner = h(
    "select",
    {},
    h("option", { value: "" }, say("deals.anyone")),
    ...players.flatMap((name, other) =>
      other === seat ? [] : [h("option", { value: other }, name)],
    ),
  );
  const choice = (names: readonly string[]): HTMLSelectElement =>
    h(
      "select",
      {},
      h("option", { value: "" }, say("deals.nothing")),
      ...[...new Set(names)].map((asset) =>
        h("option", { value: asset }, table.caller.name("asset", asset)),
      ),
    );
  const gives = choice(assets[seat!] ?? []);
  const takes = h("div", { class: "takes" });
  let taken = choice([]);
  const showTaken = (): void => {
    taken = choice(partner.value ? (assets[Number(partner.value)] ?? []) : []);
    takes.replaceChildren(h("label", {}, h("span", {}, say("deals.take")), taken));
  };
  partner.addEventListener("change", showTaken);
  showTaken();
  const pays = sumInput(say("deals.pay"), note, 0, most, 0);
  const asks = sumInput(say("deals.ask"), note, 0, 1_000_000, 0);
  const send = (): void =>
    play({
      type: "offer",
      to: partner.value ? Number(partner.value) : null,
      gives: gives.value ? [gives.value] : [],
      takes: taken.value ? [taken.value] : [],
      pays: pays.value(),
      asks: asks.value(),
    });
  return h(
    "details",
    {},
    h("summary", {}, say("deals.new")),
    h(
      "div",
      { class: "deal-form" },
      h("label", {}, h("span", {}, say("deals.partner")), partner),
      h("label", {}, h("span", {}, say("deals.give")), gives),
      pays.element,
      takes,
      asks.element,
      h("button", { class: "primary", onclick: send }, say("deals.send")),
    ),
  );
}

/** The state that the choice of runners depends on: nothing of the others, so that marked horses stay marked. */
interface EntryState {
  isReady: boolean;
  mayChange: boolean;
  share: number;
  owned: number[];
  entered: readonly number[];
}

function entryState({ seat }: Table, view: View, legal: Command[]): EntryState {
  const mine = seat ?? -1;
  return {
    isReady: view.answered.includes(mine),
    mayChange: legal.some(({ type }) => type === "enter"),
    share: view.players[mine]?.share ?? 0,
    owned: horsesOf(view)
      .filter(([, { owner, fate }]) => owner === mine && fate === "home")
      .map(([number]) => number),
    entered: view.entries[mine] ?? [],
  };
}

/** The choice of runners if the user has too many. */
function entries(table: Table, view: View, { isReady, mayChange, share, owned, entered }: EntryState, play: Play): Child[] {
  if (entered.length) {
    const horses = entered.map((horse) => table.caller.name("horse", horse)).join(", ");
    return [h("p", { class: "ask" }, say("enter.chosen", { horses }))];
  }
  if (owned.length <= share || isReady || !mayChange) return [];
  const chosen = new Set<number>(owned.slice(0, share));
  const send = h("button", { "data-command": "enter", onclick: () => play({ type: "enter", horses: [...chosen] }) });
  const count = (): void => {
    send.disabled = chosen.size !== share;
    send.classList.toggle("press", !send.disabled);
    send.textContent = say("enter.do", { chosen: chosen.size, share });
  };
  const toggles = owned.map((horse) => toggle(chosen, horse, horseName(table, view, horse), count));
  for (const one of toggles) one.className = "runner-choice";
  count();
  return [h("p", { class: "ask" }, say("enter", { share, owned: owned.length })), ...toggles, send];
}
