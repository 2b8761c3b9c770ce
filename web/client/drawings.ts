/** Which drawing shows which game; any other game is shown as lists. */
import type { Client } from "railbird-client";
import type { GameInFull, Rules } from "railbird-client/models";
import { Caller, spoken, type Book } from "./calls.ts";
import { inTheirColours } from "./colours.ts";
import { loaded } from "./connection.ts";
import { h, keepFocus, keepInView } from "./dom.ts";
import { eventLog } from "./event_log.ts";
import { attempt } from "./frame.ts";
import type { AnyGame, DrawnGame, GamePage, Setting } from "./game_page.ts";
import { explain } from "./explain.ts";
import { genericPage } from "./generic.ts";
import { rulesButton } from "./learn.ts";
import { news } from "./news.ts";
import { isNewPress } from "./presses.ts";
import { still } from "./travel.ts";
import { inWords, nameInWords, say } from "./words.ts";
import { youBar } from "./you_bar.ts";

/** The sentences about what time has decided. */
const LATE_MAX = 3;

type Drawing = (setting: Setting) => GamePage<AnyGame>;

/** Each drawing is a file of its own, loaded when it is needed. */
const DRAWINGS: Record<string, () => Promise<unknown>> = {
  ascot: async () => (await import("./ascot/page.ts")).ascotPage,
  carcassonne: async () => (await import("./carcassonne/page.ts")).carcassonnePage,
  quitte_ou_double: async () => (await import("./quitte_ou_double/page.ts")).quitteOuDoublePage,
  ready_set_bet: async () => (await import("./ready_set_bet/page.ts")).readySetBetPage,
  set_dice: async () => (await import("./set_dice/page.ts")).setDicePage,
};

/** The parts of a game that a drawing needs. */
export type Drawn = Pick<GameInFull, "slug" | "your_seat"> & {
  seats: Pick<GameInFull["seats"][number], "number" | "name" | "colour">[];
};

/** A game, its rules and its book. */
export interface Shown<G extends Drawn = GameInFull> {
  game: G;
  /** The name of the game in words. */
  title: string;
  rules: Rules | undefined;
  book: Book;
  drawing: Drawing;
}

export async function load(client: Client, id: string): Promise<Shown> {
  return drawingOf(client, await client.getGame(id));
}

export async function drawingOf<G extends Drawn>(client: Client, game: G): Promise<Shown<G>> {
  const [all, book, drawing] = await Promise.all([
    client.listRules(),
    client.getBook(game.slug),
    loaded(DRAWINGS[game.slug] ?? (async () => genericPage)),
  ]);
  const rules = all.find(({ slug }) => slug === game.slug);
  return {
    game,
    title: rules ? inWords(rules.title) : game.slug,
    rules,
    book: inTheirColours(book as Book, game.seats),
    drawing: drawing as Drawing,
  };
}

/** Time that runs while the game waits for the user. */
interface Due {
  at: Date;
  /** The result of its end, if the drawing knows; nothing worth a word if empty. */
  late: string | undefined;
}

/**
 * Draw a game. `actions` are what its user can do, and what tells them of decisions that time has
 * made for them: in a replay nothing does; `beside` stands below its events. A user who
 * `hasForfeited` the seat only watches.
 */
export function draw(
  { game, title, book, drawing }: Shown<Drawn>,
  actions: Pick<Setting, "play" | "legal"> & { decided?: (text: string) => void },
  beside?: HTMLElement,
  hasForfeited = () => false,
): DrawnGame {
  const { slug, your_seat: seat } = game;
  const players = [...game.seats]
    .sort((one, other) => one.number - other.number)
    .map(({ name }) => nameInWords(name));
  const caller = new Caller(book, players, seat);
  const log = eventLog({ book, caller, seat }, (text) => bar.notify(text));
  const { guide } = book;
  const great = news();
  const bar = youBar(log.last, great.element, guide && rulesButton(title, guide));
  const unanswered = new Set<string>();
  let showNow = (): void => undefined; // until there is a view
  let withheld: Parameters<DrawnGame["retell"]>[0][] = [];
  let due: Due | undefined;
  const release = (): void => {
    if (!drawnBy((page) => page.withholds?.(withheld.flatMap(({ events }) => events)))) for (const commit of withheld.splice(0)) drawn.retell(commit);
  };
  /** Say what the server has decided for the user, whose time was up. */
  const tellLate = ({ events, at, nextAt }: Parameters<DrawnGame["showCommit"]>[0]): void => {
    if (!due || !at) return;
    const { at: end, late } = due;
    if (at < end && nextAt?.getTime() === end.getTime()) return; // somebody else has acted
    due = undefined;
    if (at < end || late === "" || !events.length) return; // without events, the server was late itself and waits longer
    const told = events.flatMap((event) => caller.calls(event).map((parts) => ({ event, parts })));
    const own = told.filter(({ parts }) => parts.some((part) => typeof part === "object" && part.seat === seat));
    const first = (own.length ? own : told.slice(0, 1)).slice(0, LATE_MAX);
    const what = late ?? first.map(({ parts }) => spoken(parts)).join(" ");
    const tellsTime = late === undefined && first[0] && drawnBy((page) => page.tellsTime?.(first[0]!.event));
    actions.decided?.(tellsTime ? what : say("late", { what }));
  };
  const setting: Setting = {
    ...actions,
    book,
    caller,
    players,
    seat,
    showNow: () => showNow(),
    news: great.tell,
    log: h("div", { class: "beside" }, log.panel, beside),
    async play(command, move, counts = false): Promise<boolean> {
      const sent = JSON.stringify(command);
      due = undefined; // if it counts; else the refusal gives the reason
      if ((!isNewPress() && !counts) || unanswered.has(sent)) return false;
      unanswered.add(sent);
      const isAccepted = await attempt(() => actions.play(command, move), book.refusals).finally(() =>
        unanswered.delete(sent),
      );
      return isAccepted ?? false;
    },
  };
  /** A newer server may send more than the drawing of this page knows: lists show any game, and why. */
  const listsInstead = (error: unknown): GamePage<AnyGame> => {
    console.error(`The drawing of ${slug} failed, so lists show the game:`, error);
    const lists = genericPage(setting);
    lists.element.prepend(h("p", { class: "undrawn", role: "alert" }, say("table.undrawn")));
    return lists;
  };
  const begun = (): GamePage<AnyGame> => {
    try {
      return drawing(setting);
    } catch (error) {
      return listsInstead(error);
    }
  };
  let page = begun();
  let hasJumped = false;
  const drawnBy = <T>(work: (page: GamePage<AnyGame>) => T): T => {
    try {
      return work(page);
    } catch (error) {
      const lists = listsInstead(error);
      page.element.replaceWith(lists.element);
      page = lists;
      return work(page);
    }
  };
  const showNext: DrawnGame["showView"] = (shown) => {
    const since = performance.now();
    showNow = () => {
      const now = drawnBy((page) => page.now(shown.view));
      drawn.why = now.why;
      drawn.winners = now.winners;
      const watches = hasForfeited() && !shown.ended;
      drawn.element.classList.toggle("replayed", watches); // without controls
      const at = new Date(shown.now.getTime() + performance.now() - since);
      bar.show(watches ? { ...now, doing: say("refused.seat_forfeited"), isMine: false, mayAct: false } : now, shown.nextAt, at);
      const isMine = now.isMine && !shown.ended && !watches;
      due = isMine && shown.nextAt ? { at: shown.nextAt, late: now.late } : undefined;
      drawn.onTurn?.(isMine);
      release();
    };
    page.element.dataset["phase"] = String(shown.view["phase"] ?? "");
    page.element.dataset["version"] = String(shown.version);
    keepInView(() => {
      drawnBy((page) => page.showView(shown));
      showNow();
    });
  };
  const drawn: DrawnGame = {
    element: h("div", { class: "drawn" }, bar.element, page.element),
    showView(shown): void {
      if (!hasJumped) return showNext(shown);
      hasJumped = false;
      still(() => showNext(shown));
    },
    tellAll: page.showAll && ((commits) => drawnBy((page) => page.showAll?.(commits.flatMap(({ events }) => events)))),
    tellEarlier: (commits) => log.addEarlier(commits, page.quiet),
    retell: ({ events }) => log.add(events, page.quiet),
    showCommit(commit): void {
      withheld.push(commit);
      tellLate(commit);
      release();
      drawnBy((page) => page.showEvents?.(commit.events));
    },
    clear(): void {
      withheld = [];
      log.clear();
      hasJumped = true;
      page.forget?.();
    },
  };
  keepFocus(drawn.element);
  if (guide) explain(drawn.element, guide);
  return drawn;
}
