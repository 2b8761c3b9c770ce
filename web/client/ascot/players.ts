/** The players: money, roles, offices, cards and horses with what they do. */
import { dot, marksOf } from "../colours.ts";
import { h, redraw, type Child } from "../dom.ts";
import { arrivedOf, horsesOf, francs, leadOf, type Horse, type Table, type View } from "./game.ts";
import { sparkline } from "../sparkline.ts";
import { term } from "../explain.ts";
import { horseName, termOf } from "./pieces.ts";
import { say as sayToAll } from "../words.ts";
import { say } from "./words.ts";

const LAP = 60;
/** The fates of horses that run no more, without a place. */
const OUT: ReadonlySet<Horse["fate"]> = new Set(["eliminated", "scratched", "lost", "disqualified"]);

export interface Players {
  element: HTMLElement;
  show(view: View): void;
  /** Forget the money before: a replay has jumped. */
  forget(): void;
}

export function playersPart(table: Table): Players {
  const list = h("ol", { class: "seats ascot-players" });
  /** The money of each seat after each change that this page has seen. */
  let wealth = table.players.map((): number[] => []);
  const bank = term("bank");
  const tote = term("tote");
  const fund = h("p", { class: "quiet" }, bank, " · ", tote);
  return {
    element: h("section", { class: "panel" }, h("h2", {}, say("players")), list, fund),
    forget(): void {
      wealth = wealth.map(() => []);
    },
    show(view): void {
      bank.textContent = say("prizes", { fund: francs(view.prize_fund) });
      tote.textContent = say("tote.total", { total: francs(view.totalisator) });
      for (const [seat, { cash }] of view.players.entries())
        if (cash !== null && cash !== wealth[seat]!.at(-1)) wealth[seat]!.push(cash);
      const changes = wealth.map(({ length }) => length);
      redraw(list, [view.players, view.horses, view.offices, view.awaited, view.phase, view.race?.arrivals, changes], () =>
        table.players.map((_, seat) => player(table, view, seat, wealth[seat]!)),
      );
    },
  };
}

function player(table: Table, view: View, seat: number, wealth: number[]): HTMLElement {
  const { cash, hand, is_member, reports, favourite, advantages, disadvantages } =
    view.players[seat]!;
  const { caller } = table;
  const offices = Object.entries(view.offices)
    .filter(([, holder]) => holder === seat)
    .map(([office]) => role(termOf(office), caller.name("office", office)));
  const roles: Child[] = [
    seat === (view.options.banker ?? 0) && role("banker", say("banker")),
    seat === (view.options.dealer ?? 0) && role("dealer", say("dealer")),
    ...offices,
    is_member && role("club", say("member")),
    ...reports.map((report) => role(report, say("player.report", { report: caller.name("report", report) }))),
    hand > 0 && role("hand", say("player.hand", { cards: hand })),
    view.race && disadvantages > 0 && role("disadvantage", say("disadvantages", { cards: disadvantages })),
    ...Object.entries(advantages)
      .filter(([, cards]) => cards > 0)
      .map(([colour, cards]) =>
        role("advantage", say("advantages.of", { cards, colour: caller.name("colour", colour) })),
      ),
  ].filter(Boolean);
  const horses = horsesOf(view).filter(([, horse]) => horse.owner === seat);
  return h(
    "li",
    { class: marksOf(table, seat, view.awaited.includes(seat), leadOf(view)) },
    dot(table, seat),
    h(
      view.awaited.includes(seat) ? "strong" : "span",
      { class: "player" },
      table.players[seat],
      seat === table.seat && h("small", {}, ` ${sayToAll("seats.you")}`),
    ),
    h(
      "strong",
      { class: "sum", "data-term": "player" },
      cash === null ? h("span", { class: "unseen" }, say("player.hidden")) : francs(cash),
    ),
    wealth.length > 2 && h("div", { class: "wealth", "data-term": "wealth" }, sparkline(wealth, say("player.wealth"))),
    roles.length > 0 && h("p", { class: "quiet roles" }, ...roles.flatMap((one, nth) => (nth ? [" · ", one] : [one]))),
    horses.length > 0 &&
      h(
        "ul",
        { class: "stable" },
        ...horses.map(([number, horse]) =>
          h(
            "li",
            { class: `fate-${horse.fate}` },
            horseName(table, view, number),
            OUT.has(horse.fate) && h("b", { class: "fate-mark", "data-term": "out" }, table.caller.name("fate", horse.fate)),
            ...cards(horse),
            number === favourite && h("span", { class: "favourite", "data-term": "favourite" }, say("favourite.named")),
            h("small", { class: "quiet" }, stateOf(table, view, number, horse)),
            horse.fate === "training" &&
              h("progress", { max: LAP, value: horse.progress, "aria-hidden": "true" }),
          ),
        ),
      ),
  );
}

function role(key: string, text: string): HTMLElement {
  return h("span", { "data-term": key }, text);
}

function cards({ advantages, disadvantages }: Horse): Child[] {
  const mark = (kind: string, count: number, text: string): Child =>
    count > 0 && h(
      "span",
      { class: `mark mark-${kind}`, role: "img", "aria-label": text, "data-term": kind === "good" ? "advantage" : "disadvantage" },
      count,
    );
  return [
    mark("good", advantages, say("advantages", { cards: advantages })),
    mark("bad", disadvantages, say("disadvantages", { cards: disadvantages })),
  ];
}

function stateOf(table: Table, view: View, number: number, horse: Horse): string {
  const { caller, printed } = table;
  if (horse.fate === "training" && horse.square !== null)
    return [
      say("training.square", { square: horse.square, name: caller.name("square", horse.square) }),
      horse.is_frozen && say("training.frozen"),
    ]
      .filter(Boolean)
      .join(", ");
  if (horse.fate === "training") return say("training.box");
  if (horse.fate === "running" && view.race)
    return [
      horse.row
        ? say("field.at", { row: horse.row, rows: printed.field.length, lane: horse.lane })
        : say("field.start"),
      horse.is_down && say("field.down"),
      horse.is_waiting && say("field.waiting"),
    ]
      .filter(Boolean)
      .join(", ");
  if (OUT.has(horse.fate)) return "";
  const place = arrivedOf(view).indexOf(number);
  if (place >= 0) return say("results.place", { place: place + 1 });
  return caller.name("fate", horse.fate);
}
