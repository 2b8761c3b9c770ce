/** The mark of what the user presses next: elements have the class `press`, and drawings this ring. */
import { svg, type Attributes } from "./dom.ts";

/** Draw a ring of this shape around a piece inside of a drawing. */
export function pressRing(shape: "circle" | "rect", attributes: Attributes): SVGElement {
  return svg("g", { class: "press-ring" }, svg(shape, attributes), svg(shape, attributes));
}

/** Make a button of a piece inside of a drawing. */
export function pieceButton<E extends SVGElement>(piece: E, label: string, press: () => void): E {
  for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": label })) piece.setAttribute(name, value);
  piece.addEventListener("click", press);
  piece.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
  return piece;
}

/** Mark these buttons: the usual next step, or else all of them. */
export function markPresses(buttons: readonly HTMLElement[]): void {
  const usual = buttons.filter((button) => button.classList.contains("primary"));
  for (const button of usual.length ? usual : buttons) button.classList.add("press");
}
