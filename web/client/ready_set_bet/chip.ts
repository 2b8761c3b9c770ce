/** A bet token in the colour of its seat. Bonus tokens are black or white, with a coloured rim. */
import { inkOn } from "../colours.ts";
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
  element.style.setProperty("--on-seat", inkOn(colour));
  return element;
}
