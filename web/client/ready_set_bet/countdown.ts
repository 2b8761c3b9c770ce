/** The time until the server rolls, starts or goes on, from the options of the game. */
import { h } from "../dom.ts";
import { say } from "../words.ts";
import type { Part, View } from "./game.ts";

const AGAIN_MS = 100;

export function countdownPart(): Part {
  const bar = h("progress", { max: 1, value: 0, "aria-hidden": "true" });
  const text = h("span", {});
  const element = h("p", { class: "countdown" }, text, bar);
  let awaited = "";
  let startedAt = 0;
  let lastsMs = 0;
  let what: keyof typeof WHAT = "paddock";

  setInterval(() => {
    const leftMs = Math.max(0, startedAt + lastsMs - performance.now());
    element.classList.toggle("idle", !leftMs);
    bar.value = lastsMs ? leftMs / lastsMs : 0;
    text.textContent = leftMs ? say(WHAT[what], { seconds: (leftMs / 1000).toFixed(1) }) : "";
  }, AGAIN_MS);

  return {
    element,
    show(view: View): void {
      const { race, roll, phase } = view;
      const now = `${race} ${roll} ${phase}`;
      // Nobody knows how long the first thing that one sees has lasted already.
      const isFirst = !awaited;
      const wasOpen = awaited === `${race} ${roll} open`;
      if (now === awaited || (phase === "closed" && wasOpen)) return;
      awaited = now;
      startedAt = performance.now();
      lastsMs = isFirst || phase === "over" ? 0 : durationMs(view);
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

function durationMs({ phase, options }: View): number {
  const rollMs = options.roll_ms ?? 2000;
  if (phase === "paddock" || phase === "finished") return options.pause_ms ?? 2.5 * rollMs;
  if (phase === "draft" || phase === "offer") return options.think_ms ?? 15 * rollMs;
  return rollMs;
}
