/** Inputs for sums of money, and buttons that mark some of several things. */
import { h, type Child } from "../dom.ts";

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

/** A button that marks one of several things, or unmarks it again. */
export function toggle<One>(marked: Set<One>, one: One, content: Child, onChange: () => void): HTMLElement {
  const press = (): void => {
    if (!marked.delete(one)) marked.add(one);
    button.setAttribute("aria-pressed", String(marked.has(one)));
    onChange();
  };
  const button = h("button", { "aria-pressed": String(marked.has(one)), onclick: press }, content);
  return button;
}
