/** The actions of the user: buttons, bids, bets and choices. */
import { die } from "../die.ts";
import { h, type Child } from "../dom.ts";
import { markPresses } from "../next_press.ts";
import { inWords, listed, say as sayToAll } from "../words.ts";
import { colourAt, inscriptionAt, targetName } from "./field.ts";
import { sumInput, toggle } from "./fields.ts";
import { francs, horsesOf, priceOf, type ColourChoice, type Command, type Table, type View } from "./game.ts";
import { colourCard, horseName, lease, reportCard, type Choice } from "./pieces.ts";
import { say } from "./words.ts";

type Play = (command: Command, move?: string) => void;

/** The commands that are the usual next step, whatever else may be done. */
const USUAL: ReadonlySet<string> = new Set(["throw", "confirm", "ready"]);

/** The state that the actions depend on. */
export function actionState(view: View, legal: Command[]): unknown {
  const { lot, debt, own, training, race, called, answered, offers, contracts } = view;
  return [view.phase, lot, debt, own, training, race, called, answered, offers, contracts, legal];
}

export function actions(table: Table, view: View, legal: Command[], play: Play): Child[] {
  const mine = table.seat;
  if (view.lot) return bids(table, view, legal, play);
  if (view.debt) return debt(table, view, play);
  if (mine === null) return [];
  const buttons = legal.flatMap((command) => button(table, view, command, play));
  if (view.awaited.includes(mine)) markPresses(buttons);
  switch (view.phase) {
    case "nomination":
      return titled(say("vote"), buttons, about(table, "auctioneer"));
    case "exchange":
      return titled(say("exchange"), buttons, about(table, "horse"), pointing());
    case "discard":
      return discard(table, view, legal, play);
    case "training":
      return training(table, view, legal, buttons);
    case "preliminaries":
      return titled(say(view.answered.includes(mine) ? "ready.done" : "trade"), buttons, entryDue(table, view, mine));
    case "favourites":
      return titled(say("favourite"), buttons, about(table, "favourite"));
    case "betting":
      return betting(table, view, play);
    case "race":
      return titled(raceQuestion(table, view) ?? "", buttons, view.race?.step === "assign" && h("p", { class: "quiet" }, say("race.order")));
    default:
      return buttons;
  }
}

/** The choices that are made on a horse of a board. */
export function choicesOnHorses(table: Table, view: View, legal: Command[], play: Play): Map<number, Choice> {
  const found = new Map<number, Choice>();
  const { caller } = table;
  const add = (horse: number, command: Command, label = caller.name("horse", horse)): void =>
    void found.set(horse, { label, press: () => play(command, label) });
  for (const command of legal) {
    if (command.type === "apply_report") add(command.horse, command);
    if (command.type === "assign") add(command.horse, command, [caller.name("horse", command.horse), outlookOf(table, view, command.horse)].filter(Boolean).join(": "));
    if (command.type === "name_favourite" && command.horse !== null) add(command.horse, command);
    if (command.type === "object") add(command.horse, command, say("race.object", { horse: caller.name("horse", command.horse) }));
  }
  return found;
}

/** A question and its buttons; what explains them comes after, so that the buttons stay where they are. */
function titled(title: string, buttons: HTMLElement[], ...after: Child[]): Child[] {
  return buttons.length ? [h("p", { class: "ask" }, title), ...buttons, ...after] : [];
}

/** The price of the entries that the user will pay, once the trading ends. */
function entryDue({ printed }: Table, view: View, seat: number): Child {
  const fee = printed.tariff.entry_fee;
  const owned = horsesOf(view).filter(([, { owner, fate }]) => owner === seat && fate === "home").length;
  const runners = Math.min(owned, view.players[seat]!.share);
  return runners > 0 && h("p", { class: "quiet" }, say("entry.due", { fee: francs(fee), sum: francs(runners * fee), runners }));
}

/** The words of the book on the term that a choice is about. */
function about({ book }: Table, term: string): Child {
  const passage = book.guide?.terms[term];
  return !!passage && h("p", { class: "quiet" }, inWords(passage.text));
}

/** How to read what a card earns: a press of it is a move. */
function pointing(): Child {
  return h("p", { class: "quiet" }, say("cards.about"));
}

/** The button of a command that needs nothing but a click. */
function button(table: Table, view: View, command: Command, play: Play): HTMLElement[] {
  const { caller } = table;
  const press = (...content: Child[]): HTMLElement[] => [
    h("button", { class: USUAL.has(command.type) ? "primary" : "", "data-command": command.type, onclick: () => play(command) }, ...content),
  ];
  switch (command.type) {
    case "nominate":
      return press(h("span", { "data-term": "auctioneer" }, table.players[command.candidate], command.candidate === table.seat && ` ${sayToAll("seats.you")}`));
    case "exchange":
      return press(lease(table, command.card));
    case "take_report":
      return press(reportCard(command.pack, say("training.report", { pack: caller.name("pack", command.pack) })));
    case "apply_report":
      return press(horseName(table, view, command.horse));
    case "assign":
      return press(horseName(table, view, command.horse), h("small", { class: "outlook" }, outlookOf(table, view, command.horse)));
    case "throw":
      return press(h("span", { class: "dice", "data-term": "dice" }, die(6), die(1)), say("training.throw"));
    case "join_club":
      return press(say("training.join", { fee: francs(view.training?.fee ?? 0) }));
    case "decline_club":
      return press(say("training.decline"));
    case "name_favourite":
      return command.horse === null
        ? press(say("favourite.none"))
        : press(horseName(table, view, command.horse));
    case "move": {
      const end = view.race?.ways[command.lane]?.at(-1);
      return end ? press(targetName(table, view, end)) : [];
    }
    case "choose_colour":
      return press(colourCard(table, view.race!.horse, command.choice, choiceName(table, view, command.choice)));
    case "use_report":
      return press(lease(table, `report:${view.race?.hazard}`, h("small", {}, say("race.use"))));
    case "decline_report":
      return press(say("race.suffer"));
    case "object":
      return press(say("race.object", { horse: caller.name("horse", command.horse) }));
    case "confirm":
      return press(say("race.confirm"));
    case "ready":
      return press(say("ready"));
    case "not_ready":
      return press(say("ready.undo"));
    default:
      return [];
  }
}

/** The effect of the throw on a horse, in words: whether it is wasted, and whether it ends in a danger. */
function outlookOf(table: Table, view: View, number: number): string {
  const { printed, horses } = table;
  const outlook = view.race?.outlooks[number];
  if (!outlook) return ""; // the choices are those of a newer view, which comes
  const { use, ends } = outlook;
  const { row } = view.horses[number]!;
  const { disadvantages, reports } = view.players[view.race!.seat]!;
  if (use === "too_high") return say("outlook.too_high", { exact: printed.field.length + 1 - row });
  if (use === "passes") return disadvantages ? say("outlook.disqualified", { cards: disadvantages }) : say("outlook.passes");
  if (use === "jostled") return ends[0]![0] === row ? say("outlook.blocked") : say("outlook.jostled", { row: ends[0]![0] });
  if (use !== "run") return say(`outlook.${use}`);
  const signs = ends.map((end) => inscriptionAt(table, end));
  const dangers = [...new Set(signs.flatMap((sign) => (sign && DANGERS.has(sign.effect) ? [sign] : [])))];
  const isSaved = dangers.every(({ report }) => report && reports.includes(report));
  if (dangers.length && signs.every((sign) => sign && DANGERS.has(sign.effect)))
    return say(isSaved ? "outlook.saved" : "outlook.danger", { danger: listed(dangers.map(inWords)) });
  const isOwn = ends.some((end) => colourAt(printed, end) === horses.get(number)!.colour);
  return say(isOwn ? "outlook.own" : "outlook.run", { row: ends[0]![0] });
}

const DANGERS: ReadonlySet<string> = new Set(["ruin", "fall", "wait", "back"]);

function discard(table: Table, view: View, legal: Command[], play: Play): Child[] {
  const { own } = view;
  if (!own) return [];
  if (own.discards) return [h("p", {}, say("discard.done"))];
  const chosen = table.unsent.discards;
  const send = h("button", { class: "primary", "data-command": "discard" });
  const why = h("p", { class: "quiet", role: "status" });
  const priced = (): void => {
    const kept = own.hand.filter((card) => !chosen.has(card));
    const price = kept.reduce((sum, card) => sum + (priceOf(table, card) ?? 0), 0);
    const mayKeep = legal.some((one) => one.type === "discard" && one.cards.length === chosen.size && one.cards.every((card) => chosen.has(card)));
    send.textContent = say("discard.do", { cards: chosen.size, price: francs(price) });
    send.disabled = !mayKeep;
    why.textContent = mayKeep ? "" : refusal(table, "both_stables");
    send.classList.toggle("press", mayKeep);
    for (const [nth, card] of own.hand.entries())
      cards[nth]!.classList.toggle("press", mayKeep || (!chosen.has(card) && STABLES.has(card)));
  };
  send.addEventListener("click", () => play({ type: "discard", cards: [...chosen] }));
  const cards = own.hand.map((card) => toggle(chosen, card, lease(table, card), priced));
  priced();
  return [h("p", { class: "ask" }, say("discard")), ...cards, send, why, pointing()];
}

const STABLES: ReadonlySet<string> = new Set(["office:walroy", "office:stevens"]);

/** The reason for which the game would refuse a command. */
function refusal({ book }: Table, code: string): string {
  const text = book.refusals?.[code];
  return text ? inWords(text) : "";
}

/** A bid takes two presses: one on a sum, and one on the gavel. */
function bids(table: Table, view: View, legal: Command[], play: Play): Child[] {
  const lot = view.lot!;
  const { seat } = table;
  if (seat === null || !view.own) return [];
  if (lot.seller === seat) return [h("p", { class: "ask" }, say("lot.own"))];
  if (lot.bidder === seat) return [h("p", { class: "ask" }, say("lot.leads"))];
  if (!lot.open_to.includes(seat)) return [h("p", { class: "quiet" }, say("lot.out"))];
  const leave = h("button", { "data-command": "pass", onclick: () => play({ type: "pass", asset: lot.asset }) }, say("lot.pass"));
  const most = view.own.bid_limit;
  if (!legal.some(({ type }) => type === "bid")) {
    leave.classList.add("press");
    const why = lot.least > most ? say("lot.beyond", { least: francs(lot.least), limit: francs(most) }) : refusal(table, "both_stables");
    return [h("p", { class: "ask" }, why), leave];
  }
  const note = table.printed.tariff.smallest_note;
  const whole = priceOf(table, lot.asset) ?? 10 * note;
  const offered = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2].map((share) => Math.ceil((whole * share) / note) * note);
  if (table.unsent.bid.asset !== lot.asset) table.unsent.bid = { asset: lot.asset, sum: 0 };
  const { bid } = table.unsent;
  const own = sumInput(say("lot.amount"), note, lot.least, most, bid.sum || null);
  const told = h("p", { class: "quiet", role: "status" });
  const knock = h("button", { class: "primary knock", "data-command": "bid", onclick: () => play({ type: "bid", asset: lot.asset, amount: bid.sum }) });
  const want = (sum: number): void => {
    bid.sum = sum;
    const mayBid = sum >= lot.least && sum <= most && sum % note === 0;
    const fee = commission(table, view, sum);
    knock.disabled = !mayBid;
    knock.textContent = sum ? say("lot.bid", { price: francs(sum) }) : say("lot.choose");
    knock.classList.toggle("press", mayBid);
    told.textContent = !sum || sum > most
      ? say("lot.limit", { limit: francs(most) })
      : sum < lot.least
        ? say("lot.raised", { sum: francs(sum), least: francs(lot.least) })
        : fee
          ? say("lot.commission", { fee: francs(fee), total: francs(sum + fee) })
          : say("lot.limit", { limit: francs(most) });
    markChips(chips, sum, mayBid);
    own.element.classList.toggle("press", !mayBid && chips.every(({ button }) => button.disabled));
  };
  const chips = sumChips(offered, lot.least, most, own, want);
  want(bid.sum);
  return [
    h("p", { class: "ask" }, say("lot.ask", { asset: table.caller.name("asset", lot.asset), least: francs(lot.least) })),
    sumsOf(chips), own.element, knock, leave, told,
    view.phase === "surplus" && h("p", { class: "quiet" }, say("lot.surplus")),
  ];
}

interface Chip {
  sum: number;
  button: HTMLButtonElement;
}

/** Chips that choose the least sum or another, and the input for any. The others stay the same while the least one rises. Only the button beside them sends it. */
function sumChips(sums: number[], least: number, most: number, input: ReturnType<typeof sumInput>, want: (sum: number) => void): Chip[] {
  input.element.addEventListener("input", () => want(input.value()));
  return [least, ...sums].map((sum, nth) => {
    const choose = (): void => {
      input.set(sum);
      want(sum);
    };
    const text = nth ? francs(sum) : say("lot.least", { sum: francs(sum) });
    const button = h("button", { class: nth ? "sum-chip" : "sum-chip least", "aria-pressed": "false", disabled: sum < least || sum > most, onclick: choose }, text);
    return { sum, button };
  });
}

function sumsOf(chips: Chip[]): HTMLElement {
  return h("div", { class: "sums" }, ...chips.map(({ button }) => button));
}

/** Show the chip that is chosen, or that one of them is pressed next. */
function markChips(chips: Chip[], chosen: number, isValid: boolean): void {
  for (const { sum, button } of chips) {
    button.setAttribute("aria-pressed", String(sum === chosen));
    button.classList.toggle("press", !isValid && !button.disabled);
  }
}

/** The commission on a price of the auction, which its winner pays to the Auctioneer, or to the Bank for want of one. */
function commission({ printed, seat }: Table, { phase, offices }: View, price: number): number {
  if (phase !== "auction" || offices["auctioneer"] === seat) return 0;
  return Math.floor((price * printed.tariff.commission_percent) / 10_000 + 0.5) * 100;
}

function debt(table: Table, view: View, play: Play): Child[] {
  const { seat, amount, for_sale } = view.debt!;
  if (seat !== table.seat)
    return [
      h("p", {}, say("debt.other", { name: table.players[seat]!, amount: francs(amount) })),
    ];
  return titled(
    say("debt", { amount: francs(amount) }),
    for_sale.map((asset) =>
      h(
        "button",
        { class: "press", "data-command": "put_up", onclick: () => play({ type: "put_up", asset }) },
        lease(table, asset),
      ),
    ),
  );
}

function training(table: Table, view: View, legal: Command[], buttons: HTMLElement[]): Child[] {
  const asked = trainingQuestion(view);
  const turn = view.training;
  if (turn?.step === "club") return titled(asked, buttons, about(table, "club"));
  if (legal.some(({ type }) => type === "take_report")) return titled(asked, buttons, h("p", { class: "quiet" }, say("training.choose.about")));
  const report = table.printed.reports.find(
    ({ pack, code }) =>
      code === turn?.card && (pack === "veterinary") === (turn.pack === "veterinary"),
  );
  return titled(asked, buttons, report && reportCard(turn!.pack!, inWords(report)));
}

/** The question of the training to the player whose turn it is. */
export function trainingQuestion({ training: turn, players }: View): string {
  const titles: Partial<Record<string, string>> = {
    target: say("training.apply"),
    club: say("training.club"),
    before_throw: say(turn && players[turn.seat]?.is_member && !turn.has_drawn ? "training.choose" : "training.throw"),
  };
  return titles[turn?.step ?? ""] ?? "";
}

/** The question of the race to the player whose turn it is; none if one button says it. */
export function raceQuestion(table: Table, view: View): string | undefined {
  const { race: turn } = view;
  if (!turn) return undefined;
  const horse = table.caller.name("horse", turn.horse);
  if (turn.step === "colour") return colourQuestion(table, turn.horse, horse, view);
  const titles: Partial<Record<typeof turn.step, string>> = {
    assign: say("race.assign"),
    move: say("race.move", { horse }),
    hazard: say("race.hazard", { horse }),
  };
  return titles[turn.step];
}

function colourQuestion({ caller, printed, horses }: Table, number: number, horse: string, view: View): string {
  const { row, lane } = view.horses[number] ?? { row: 0, lane: 0 };
  const colour = colourAt(printed, [row, lane]);
  const own = horses.get(number)!.colour;
  if (colour === own) return say("race.own", { horse });
  return say(colour ? "race.other" : "race.bend", { horse, own: caller.name("colour", own), colour: colour ? caller.name("colour", colour) : "" });
}

/** A use of a colour in words: the rows that it gives, and the cards that it takes. */
function choiceName({ caller, printed, horses }: Table, { race, horses: placed, players }: View, choice: ColourChoice): string {
  const { horse, seat } = race!;
  const { colour } = horses.get(horse)!;
  const all = printed.colours.find((one) => one.colour === colour)!.extra_rows;
  const rows = Math.min(all, printed.field.length - placed[horse]!.row);
  const { advantages, disadvantages } = players[seat]!;
  const run = rows === 1 ? say("choice.row") : say("choice.rows", { rows });
  switch (choice) {
    case "extra_rows":
      return run;
    case "advantage_for_rows":
      return say("choice.advantage", { use: run, cards: advantages[colour] ?? 0 });
    case "drop_disadvantage":
      return say("choice.drop", { cards: disadvantages });
    case "advantage_to_drop":
      return say("choice.advantage", { use: say("choice.drop", { cards: disadvantages }), cards: advantages[colour] ?? 0 });
    default:
      return caller.name("choice", choice);
  }
}

function betting(table: Table, view: View, play: Play): Child[] {
  const horse = view.called;
  if (horse === null || table.seat === null) return [];
  if (view.answered.includes(table.seat)) return [h("p", {}, say("tote.answered"))];
  const runners = horsesOf(view).flatMap(([number, { fate }]) => (fate === "running" ? [number] : []));
  const note = table.printed.tariff.smallest_note;
  const cash = view.players[table.seat]?.cash ?? 0;
  const most = Math.floor(cash / note) * note;
  if (table.unsent.bid.asset !== `bet:${horse}`) table.unsent.bid = { asset: `bet:${horse}`, sum: 0 };
  const { bid } = table.unsent;
  const own = sumInput(say("tote.stake"), note, note, most, bid.sum || null);
  const send = h("button", {
    class: "primary",
    "data-command": "place_bet",
    onclick: () => play({ type: "place_bet", horse, stake: bid.sum }, say("tote.bet", { stake: francs(bid.sum) })),
  });
  const want = (sum: number): void => {
    bid.sum = sum;
    const mayBet = sum >= note && sum <= most && sum % note === 0;
    send.disabled = !mayBet;
    send.textContent = sum ? say("tote.bet", { stake: francs(sum) }) : say("lot.choose");
    send.classList.toggle("press", mayBet);
    markChips(chips, sum, mayBet);
  };
  const chips = sumChips([2_000, 10_000], note, most, own, want);
  want(bid.sum);
  return [
    h("p", { class: "ask" }, `${say("tote.called", { nth: runners.indexOf(horse) + 1, all: runners.length })} `, horseName(table, view, horse)),
    ...(most > 0 ? [sumsOf(chips), own.element, send] : []),
    h(
      "button",
      { class: most > 0 ? "" : "press", "data-command": "no_bet", onclick: () => play({ type: "no_bet", horse }) },
      say("tote.no"),
    ),
    about(table, "tote"),
  ];
}
