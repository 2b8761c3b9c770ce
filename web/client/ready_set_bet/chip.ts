/** A bet token in the colour of its seat. Bonus tokens are black or white, with a coloured rim. */
import { h } from "../dom.ts";

export interface Token {
  value: number;
  bonus?: "black" | "white" | null;
}

export function chip({ value, bonus }: Token, colour: string): HTMLElement {
  const element = h(
    "span",
    { class: bonus ? `chip chip-${bonus}` : "chip", "aria-hidden": "true" },
    value,
  );
  element.style.setProperty("--seat", colour);
  element.style.setProperty("--on-seat", isLight(colour) ? "#000" : "#fff");
  return element;
}

function isLight(hex: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return red! * 0.299 + green! * 0.587 + blue! * 0.114 > 140;
}
