/** What happened: the last event as one line, all of them as a list with a filter, and read out. */
import { spoken, type Book, type Caller, type Part } from "./calls.ts";
import { colourOf } from "./colours.ts";
import { h } from "./dom.ts";
import { say, template } from "./words.ts";

const LINES_MAX = 200;
/** Letters may reach this far out of their line. */
const EDGE_PX = 4;
const FILTERS = ["all", "bets", "mine"] as const;

/** Any event, with the fields of those that every game has. */
interface Told {
  type: string;
  bet?: number;
  seat?: number;
  x?: number;
  y?: number;
  feature?: number;
  spot?: string;
  stake?: number;
  outcome?: string;
  payout?: number;
  reason?: string;
  by?: string | null;
}

interface At {
  book: Book;
  caller: Caller;
  seat: number | null;
}

export interface EventLog {
  /** The last event. */
  last: HTMLElement;
  /** A panel with the last events. */
  panel: HTMLElement;
  /** `quiet` events are in the list alone, and read out if they are the user's. */
  add(events: { type: string }[], quiet?: ReadonlySet<string>): void;
  /** Add commits from before all that are shown. */
  addEarlier(commits: { events: { type: string }[] }[], quiet?: ReadonlySet<string>): void;
  clear(): void;
}

/** `notify` is called with what operators and the server have done to the game. */
export function eventLog(at: At, notify: (text: string) => void): EventLog {
  const last = h("p", { class: "call" });
  const aloud = h("p", { class: "unseen", role: "log", "aria-live": "polite", "aria-label": say("calls") });
  const lines = h("ol", { class: "calls", tabindex: "0", "aria-label": say("calls") });
  const filter = h(
    "select",
    { "aria-label": say("calls.filter"), onchange: () => (lines.dataset["filter"] = filter.value) },
    ...FILTERS.filter((value) => value !== "bets" || at.book.calls?.some(({ event }) => event === "bet_placed")).map((value) => h("option", { value }, say(`calls.filter.${value}`))),
  );
  lines.addEventListener("keydown", (event) => moveFocus(lines, event));
  /** The bets that were seen, for events that name only their number. */
  const bets = new Map<number, Told>();

  const sentences = (event: Told): Part[][] => {
    if (event.type === "bet_placed") bets.set(event.bet!, event);
    const common = commonSentence(event, bets);
    return common ? [at.caller.sentence(common, { ...bets.get(event.bet!), ...event })] : at.caller.calls(event);
  };
  const told = (events: { type: string }[]): Line[] =>
    (events as Told[]).flatMap((event) => sentences(event).map((parts) => ({ event, parts }))).reduce(joined, []);
  let newest: Line | undefined;
  const showLast = (shown = newest): void => {
    newest = shown;
    if (!shown) return;
    last.replaceChildren(...line(shown).childNodes);
    // The list has the rest of what does not fit.
    if (last.scrollHeight > last.clientHeight + EDGE_PX) last.replaceChildren(...line({ ...shown, parts: firstSentence(shown.parts) }).childNodes);
  };
  new ResizeObserver(() => showLast()).observe(last);
  const isMine = ({ parts }: Line): boolean => parts.some((part) => typeof part === "object" && part.seat === at.seat);
  const line = (told: Line): HTMLElement => {
    const { event, parts } = told;
    const kind = event.type === "bet_settled" ? event.outcome : KINDS[event.type];
    return h(
      "li",
      {
        "data-kind": kind,
        "data-mine": isMine(told),
        "data-at": event.x === undefined ? null : `${event.x},${event.y}`,
        "data-feature": event.feature,
        tabindex: event.x === undefined && event.feature === undefined ? null : "-1",
      },
      ...parts.map((part) => (typeof part === "string" ? part : nameOf(at, part))),
    );
  };

  return {
    last,
    panel: h(
      "section",
      { class: "panel calls-panel" },
      h("div", { class: "calls-head" }, h("h2", {}, say("calls")), filter),
      lines,
      aloud,
    ),
    add(events, quiet = new Set()): void {
      const added = told(events);
      if (!added.length) return;
      const loud = added.filter(({ event }) => !quiet.has(event.type));
      aloud.textContent = added.filter((each) => loud.includes(each) || isMine(each)).map(({ parts }) => spoken(parts)).join(" ");
      showLast(loud.at(-1));
      for (const each of added) {
        lines.prepend(line(each));
        if (KINDS[each.event.type] === "notice") notify(spoken(each.parts));
      }
      while (lines.children.length > LINES_MAX) lines.lastElementChild!.remove();
    },
    addEarlier(commits, quiet = new Set()): void {
      const added = commits.flatMap(({ events }) => told(events));
      if (!last.hasChildNodes()) showLast(added.filter(({ event }) => !quiet.has(event.type)).at(-1));
      const room = LINES_MAX - lines.children.length;
      lines.append(...added.reverse().slice(0, room).map(line));
    },
    clear(): void {
      aloud.textContent = "";
      newest = undefined;
      last.replaceChildren();
      lines.replaceChildren();
    },
  };
}

/** Arrow keys go from line to line, of those that are about a place. */
function moveFocus(lines: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const placed = [...lines.querySelectorAll<HTMLElement>("[tabindex]")].filter((line) => line.getClientRects().length > 0); // the filter hides some
  if (!step || !placed.length) return;
  event.preventDefault();
  placed[Math.max(0, placed.indexOf(document.activeElement as HTMLElement) + step)]?.focus();
}

interface Line {
  event: Told;
  parts: Part[];
}

/** The parts up to the end of the first sentence. */
function firstSentence(parts: readonly Part[]): Part[] {
  const end = parts.findIndex((part) => typeof part === "string" && part.includes(". "));
  return end < 0 ? [...parts] : [...parts.slice(0, end), (parts[end] as string).replace(/\. .*/su, ".")];
}

/** Add a line to those of its commit: "Bets lost: Ann." and "Bets lost: Bob." are one line. */
function joined(lines: Line[], line: Line): Line[] {
  const [before, player, after, more] = line.parts;
  if (!before || typeof player !== "object" || more !== undefined) return [...lines, line];
  const twin = lines.find(({ event, parts }) => event.type === line.event.type && parts[0] === before && parts.at(-1) === after);
  if (!twin) return [...lines, line];
  if (!twin.parts.some((part) => typeof part === "object" && part.seat === player.seat)) twin.parts.splice(-1, 0, ", ", player);
  return lines;
}

const KINDS: Record<string, string> = { bet_placed: "bet", bet_voided: "notice", intervened: "notice" };

/** Events that no book puts into words, because every game has them. */
function commonSentence(event: Told, bets: ReadonlyMap<number, Told>): string | undefined {
  if (event.type === "intervened") return template(event.by ? "calls.intervened" : "calls.server");
  if (event.type !== "bet_voided") return undefined;
  return template(bets.has(event.bet!) ? "calls.voided" : "calls.voided.number");
}

function nameOf(at: At, { seat, name }: { seat: number; name: string }): HTMLElement {
  const element = h("b", { class: "player-name" }, name);
  element.style.setProperty("--seat", colourOf(at, seat));
  return element;
}
