/** A bet token in the colour of its seat. Bonus tokens are black or white, with a coloured rim. */
import type { Book } from "../calls.ts";
import { colourOf, inkOn } from "../colours.ts";
import { h } from "../dom.ts";

export interface Token {
  value: number;
  bonus?: "black" | "white" | null;
  /** The euros that a lost bet with it costs more. */
  loss?: number;
}

/** The rims of chips; seats with the same rim have other colours. */
const RIMS = 4;

export function chip({ value, bonus }: Token, at: { book: Book }, seat: number): HTMLElement {
  const colour = colourOf(at, seat);
  const element = h(
    "span",
    { class: bonus ? `chip chip-${bonus}` : "chip", "aria-hidden": "true", "data-rim": bonus ? null : seat % RIMS, "data-term": bonus ? "bonus_token" : "token" },
    value,
  );
  element.style.setProperty("--seat", colour);
  element.style.setProperty("--on-seat", inkOn(colour));
  return element;
}
