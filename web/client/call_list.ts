/** What happened, in words: the newest sentences as text, all of them as a list, and read out. */
import type { Caller } from "./calls.ts";
import { h } from "./dom.ts";
import { say } from "./words.ts";

const LINES_MAX = 60;

export interface CallList {
  /** The newest sentences. */
  newest: HTMLElement;
  /** A panel with the last sentences. */
  panel: HTMLElement;
  add(events: { type: string }[]): void;
  clear(): void;
}

/** `silent` events have no sentences here; `quiet` ones are never the newest. */
export function callList(
  caller: Caller,
  silent: ReadonlySet<string> = new Set(),
  quiet: ReadonlySet<string> = new Set(),
): CallList {
  const newest = h("p", { class: "call" });
  const aloud = h("p", {
    class: "unseen",
    role: "log",
    "aria-live": "polite",
    "aria-label": say("calls"),
  });
  const lines = h("ol", { class: "calls", tabindex: "0", "aria-label": say("calls") });
  return {
    newest,
    panel: h("section", { class: "panel calls-panel" }, h("h2", {}, say("calls")), lines, aloud),
    add(events): void {
      const heard = events.filter(({ type }) => !silent.has(type));
      const said = heard.flatMap((event) => caller.calls(event));
      if (!said.length) return;
      aloud.textContent = said.join(" ");
      const loud = heard.filter(({ type }) => !quiet.has(type));
      const loudest = loud.flatMap((event) => caller.calls(event));
      if (loudest.length) newest.textContent = loudest.join(" ");
      for (const line of said) lines.prepend(h("li", {}, line));
      while (lines.children.length > LINES_MAX) lines.lastElementChild!.remove();
    },
    clear(): void {
      newest.textContent = aloud.textContent = "";
      lines.replaceChildren();
    },
  };
}
