/** The bell in the header of every page: how many notices the user has not read. */
import type { Client } from "railbird-client";
import { h, redraw } from "./dom.ts";
import { PATH } from "./path.ts";
import { say } from "./words.ts";

const LOOK_EVERY_MS = 60_000;

export const bell = h("a", { class: "bell", href: `${PATH}/notices/` }, say("notices.title"));

/** Keep the number up to date while the page is looked at. */
export function keepBell(client: Client): void {
  const look = (): void => {
    if (!document.hidden) void client.listNotices({ limit: 1 }).then(show).catch(() => undefined);
  };
  document.addEventListener("visibilitychange", look);
  setInterval(look, LOOK_EVERY_MS);
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
