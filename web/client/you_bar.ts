/** The bar at the top of every table: what the user does now, what it costs, and how long they have. */
import { countdown } from "./countdown.ts";
import { h, redraw } from "./dom.ts";
import { term } from "./explain.ts";
import type { Now } from "./game_page.ts";
import { standing } from "./standing.ts";
import { say } from "./words.ts";

export interface YouBar {
  element: HTMLElement;
  show(now: Now, nextAt: Date | null, at: Date): void;
  /** Show what the user must read until they close it. */
  notify(text: string): void;
}

/** `last` is the line for the last event, over which `news` are shown, and `help` opens the rules. */
export function youBar(last: HTMLElement, news: HTMLElement, help?: HTMLElement | null): YouBar {
  const doing = h("p", { class: "you-doing" });
  const cost = h("p", { class: "you-cost" });
  const notices = h("ul", { class: "notices" });
  const clock = countdown();
  const all = standing();
  const element = h(
    "section",
    { class: "you", "aria-label": say("you") },
    h("div", { class: "you-now" }, doing, cost, clock.element, help ?? ""),
    h("div", { class: "you-row" }, all.element, h("div", { class: "happened" }, last, news)),
    notices,
  );
  return {
    element,
    show({ doing: text, isMine, mayAct, has, standing = [], time }, nextAt, at): void {
      element.classList.toggle("mine", isMine || Boolean(mayAct));
      // Screen readers say what the user must do, and leave out what others do: the log says that.
      doing.setAttribute("aria-live", isMine || mayAct ? "polite" : "off");
      redraw(doing, text, () => [text.replace(/\s*:$/, "")]);
      redraw(cost, has, () => [has ?? []].flat().map((part) => (typeof part === "string" ? part : term(part.term, part.text))));
      all.show(standing);
      clock.show((seconds) => (time ?? ((left) => say("you.time", { seconds: left })))(seconds), nextAt, at);
    },
    notify(text): void {
      const notice = h(
        "li",
        { role: "alert" },
        h("span", {}, text),
        h("button", { onclick: () => notice.remove() }, say("you.read")),
      );
      notices.append(notice);
    },
  };
}
