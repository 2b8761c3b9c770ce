/** Inputs for sums of money. */
import { h } from "../dom.ts";

/** A sum in whole notes, with its label. */
export function sumInput(
  label: string,
  note: number,
  least: number,
  most: number,
  value: number | null,
): { element: HTMLElement; value(): number; set(value: number): void } {
  const input = h("input", {
    type: "number",
    inputmode: "numeric",
    min: least,
    max: Math.max(least, most),
    step: note,
    value,
  });
  return {
    element: h("label", { class: "sum-input" }, h("span", {}, label), input),
    value: () => Math.round(Number(input.value) || 0),
    set: (chosen) => (input.value = String(chosen)),
  };
}
