/** News that the user must not miss: large over the board for some seconds. The log has them too. */
import { h } from "./dom.ts";
import { appear } from "./travel.ts";

const SHOWN_MS = 6000;
const LINES_MAX = 3;

export interface News {
  element: HTMLElement;
  tell(lines: readonly string[]): void;
}

/** `attributes` say what a screen reader makes of it: the log reads most events already. */
export function news(attributes: { "aria-hidden": "true" } | { role: "status" }): News {
  const element = h("div", { class: "news", ...attributes });
  return {
    element,
    tell(lines): void {
      for (const line of lines) {
        const told = h("p", {}, line);
        element.append(told);
        appear(told);
        setTimeout(() => told.remove(), SHOWN_MS);
      }
      while (element.children.length > LINES_MAX) element.firstElementChild!.remove();
    },
  };
}
