/** The time until the server acts: until it rolls, or decides for a player. */
import { h } from "./dom.ts";
import { language } from "./words.ts";

const AGAIN_MS = 100;

export interface Countdown {
  element: HTMLElement;
  /** Count down to the server's next action; both times are the server's. */
  show(text: (seconds: string) => string, nextAt: Date | null, now: Date): void;
}

export function countdown(): Countdown {
  const bar = h("progress", { max: 1, value: 0, "aria-hidden": "true" });
  const text = h("span", {});
  const element = h("p", { class: "countdown" }, text, bar);
  let awaited: number | undefined;
  let endsAt = 0;
  let lastsMs = 0;
  let words: (seconds: string) => string = (seconds) => seconds;

  setInterval(() => {
    const leftMs = Math.max(0, endsAt - performance.now());
    element.classList.toggle("idle", !leftMs);
    bar.value = lastsMs ? leftMs / lastsMs : 0;
    const digits = lastsMs > LONG_MS ? 0 : 1;
    const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const unitMs = 1000 / 10 ** digits;
    // Up: it never says that no time is left while some is.
    const seconds = ((Math.ceil(leftMs / unitMs) * unitMs) / 1000).toLocaleString(language, places);
    text.textContent = leftMs ? words(seconds) : "\u00a0"; // as high as a text
  }, AGAIN_MS);

  return {
    element,
    show(text, nextAt, now): void {
      const leftMs = nextAt ? nextAt.getTime() - now.getTime() : 0;
      if (nextAt?.getTime() !== awaited) lastsMs = leftMs;
      awaited = nextAt?.getTime();
      endsAt = performance.now() + leftMs;
      element.classList.toggle("untimed", !nextAt);
      words = text;
    },
  };
}

/** Longer times are shown without tenths of a second. */
const LONG_MS = 10_000;
