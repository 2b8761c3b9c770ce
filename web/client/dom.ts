/** Short calls that create elements, and lists that are redrawn only when they have changed. */

export type Child = Node | string | number | null | undefined | false;
type Attribute = string | number | boolean | undefined | null | ((event: Event) => void);
export type Attributes = Record<string, Attribute>;

/** An HTML element: `h("button", { class: "big", onclick: play }, "Play")`. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null)
      element.setAttribute(name, String(value));
  }
  element.append(...shown(children));
  return element;
}

function shown(children: Child[]): (Node | string)[] {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : child));
}

/** The elements that can have the focus, and get it back. */
const FOCUSABLE = "a[href], button, input, select, summary, textarea, [tabindex='0']";

/** Redraw the content of an element if its data has changed. Focus stays where it was inside. */
export function redraw(element: HTMLElement, from: unknown, draw: () => Child[]): void {
  const key = JSON.stringify(from);
  if (drawnFrom.get(element) === key) return;
  drawnFrom.set(element, key);
  const focused = document.activeElement;
  const hadFocus = focused !== element && element.contains(focused);
  const name = focused && nameOf(focused);
  element.replaceChildren(...shown(draw()));
  if (!hadFocus) return;
  const targets = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  (targets.find((target) => nameOf(target) === name) ?? targets[0])?.focus();
}

function nameOf(element: Element): string | null {
  const [label] = (element as Partial<HTMLInputElement>).labels ?? [];
  return element.ariaLabel ?? (label ?? element).textContent;
}

const drawnFrom = new WeakMap<HTMLElement, string>();

/** Whether the user prefers reduced motion. */
export function motionIsReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
