/** News that the user must not miss: in the bar for some seconds, over the last event. They cover nothing else. */
import { h } from "./dom.ts";
import { appear } from "./travel.ts";

const SHOWN_MS = 6000;
/** News that others wait for are shown for a shorter time. */
const HURRIED_MS = 3000;
const WAITING_MAX = 3;

export interface News {
  element: HTMLElement;
  /** Show these lines one after the other. A screen reader reads them here unless the log `isRead`. */
  tell(lines: readonly string[], isRead?: boolean): void;
}

export function news(): News {
  const element = h("div", { class: "news", role: "status" });
  let waiting: HTMLElement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (): void => {
    element.replaceChildren();
    const told = waiting.shift();
    timer = told && setTimeout(next, waiting.length ? HURRIED_MS : SHOWN_MS);
    if (!told) return;
    element.append(told);
    told.classList.toggle("long", told.scrollHeight > told.clientHeight);
    appear(told);
  };
  return {
    element,
    tell(lines, isRead = false): void {
      waiting = [...waiting, ...lines.map((line) => h("p", { "aria-hidden": isRead ? "true" : null }, line))].slice(-WAITING_MAX);
      if (timer === undefined) return next();
      clearTimeout(timer);
      timer = setTimeout(next, HURRIED_MS);
    },
  };
}
