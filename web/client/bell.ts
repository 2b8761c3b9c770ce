/** The bell in the header of every page: how many notices the user has not read. */
import type { Client } from "railbird-client";
import type { Notice, Notices } from "railbird-client/models";
import { h, redraw } from "./dom.ts";
import { kept, keptNow } from "./kept.ts";
import { PATH } from "./path.ts";
import { say } from "./words.ts";

const LOOK_EVERY_MS = 60_000;
const UNREAD_MAX = 20;

export const bell = h("a", { class: "bell", href: `${PATH}/notices/` }, say("notices.title"));

/** Notices of these subjects and kinds are no news: this browser has shown what they tell. */
const KEPT = "railbird.shown";
const KEPT_MAX = 60;
const shown = (): string[] => (kept(KEPT) ?? "").split(" ");

/** Remember that a page shows what notices of these kinds tell of a game or lobby. */
export function hasShown(subject: string, ...kinds: Notice["kind"][]): void {
  keptNow(KEPT, [...shown(), ...kinds.map((kind) => `${kind}:${subject}`)].slice(-KEPT_MAX).join(" "));
  look();
}

let look = (): void => undefined;
/** The clock that looks; none on a page that follows the notices. */
let clock: ReturnType<typeof setInterval> | undefined;

/**
 * Learn of notices at once, by a socket that asks nothing meanwhile. `onNews` is called at each.
 * When the server has closed the socket, the page looks again.
 */
export async function followBell(client: Client, onNews: () => void): Promise<void> {
  clearInterval(clock);
  let isFirst = true; // which says what the page has read itself
  try {
    for await (const _ of client.inbox()) {
      if (!isFirst) onNews();
      isFirst = false;
      look();
    }
  } finally {
    clock = setInterval(() => look(), LOOK_EVERY_MS);
  }
}

/** Keep the number up to date while the page is looked at. */
export function keepBell(client: Client): void {
  look = () => {
    if (!document.hidden) void read().then(show).catch(() => undefined);
  };
  /** The notices, read if this browser has shown what they tell. */
  const read = async (): Promise<Notices> => {
    const found = await client.listNotices({ limit: 1 });
    if (found.last <= found.read) return found;
    const { notices } = await client.listNotices({ after: found.read, limit: UNREAD_MAX });
    const known = new Set(shown());
    const isShown = ({ kind, game, lobby }: Notice): boolean => known.has(`${kind}:${game ?? lobby}`);
    const news = notices.findIndex((notice) => !isShown(notice));
    const number = notices.at(news < 0 ? -1 : news - 1)?.number;
    if (number === undefined || news === 0) return found;
    await client.markNoticesRead({ number });
    return { ...found, read: number };
  };
  document.addEventListener("visibilitychange", () => look());
  clock = setInterval(() => look(), LOOK_EVERY_MS);
  look();
}

/** Show how many notices are new. Those that the server has deleted do not count. */
export function show({ first, last, read }: { first: number; last: number; read: number }): void {
  const count = Math.max(0, last - Math.max(read, first - 1));
  redraw(bell, count, () => [
    say("notices.title"),
    count > 0 && h("span", { class: "bell-count", "aria-hidden": "true" }, count),
    count > 0 && h("span", { class: "unseen" }, say("notices.unread", { count })),
  ]);
}
