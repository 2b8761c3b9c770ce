/** The time until the server rolls, starts the race or continues. */
import { h } from "../dom.ts";
import { say } from "../words.ts";
import type { View } from "./game.ts";

const AGAIN_MS = 100;

export interface Countdown {
  element: HTMLElement;
  /** Count down to the server's next action in this phase; both times are the server's. */
  show(phase: View["phase"], nextAt: Date | null, now: Date): void;
}

export function countdown(): Countdown {
  const bar = h("progress", { max: 1, value: 0, "aria-hidden": "true" });
  const text = h("span", {});
  const element = h("p", { class: "countdown" }, text, bar);
  let awaited: number | undefined;
  let endsAt = 0;
  let lastsMs = 0;
  let what: keyof typeof WHAT = "paddock";

  setInterval(() => {
    const leftMs = Math.max(0, endsAt - performance.now());
    element.classList.toggle("idle", !leftMs);
    bar.value = lastsMs ? leftMs / lastsMs : 0;
    text.textContent = leftMs ? say(WHAT[what], { seconds: (leftMs / 1000).toFixed(1) }) : "";
  }, AGAIN_MS);

  return {
    element,
    show(phase, nextAt, now): void {
      const leftMs = nextAt ? nextAt.getTime() - now.getTime() : 0;
      if (nextAt?.getTime() !== awaited) lastsMs = leftMs;
      awaited = nextAt?.getTime();
      endsAt = performance.now() + leftMs;
      if (phase !== "over") what = phase;
    },
  };
}

const WHAT = {
  paddock: "countdown.start",
  open: "countdown.roll",
  closed: "countdown.roll",
  finished: "countdown.next",
  draft: "countdown.choice",
  offer: "countdown.choice",
} as const;
