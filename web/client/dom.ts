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
const FOCUSABLE = "a[href], :is(button, input, select, textarea):not(:disabled), summary, [tabindex='0']";

/** Redraw the content of an element if its data has changed. */
export function redraw(element: HTMLElement, from: unknown, draw: () => Child[]): void {
  const key = JSON.stringify(from);
  if (drawnFrom.get(element) === key) return;
  drawnFrom.set(element, key);
  replaceContent(element, draw());
}

/**
 * Replace the content of an element. Focus stays inside: at what has the same name, at the same
 * place, or at the first; or else it goes to `home`, so that the next Tab starts there.
 */
export function replaceContent(element: HTMLElement | SVGElement, content: Child[], home: HTMLElement | SVGElement = element): void {
  const focused = document.activeElement;
  const targets = (): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isDrawn);
  const hadFocus = element.contains(focused);
  const [name, before] = [focused && nameOf(focused), hadFocus ? targets() : []];
  element.replaceChildren(...shown(content));
  if (!hadFocus || (focused === element && isDrawn(element))) return;
  const now = targets();
  const same = now.length === before.length ? now[before.indexOf(focused as HTMLElement)] : undefined;
  const next = now.find((target) => nameOf(target) === name) ?? same ?? now[0];
  if (next) focusAgain(next);
  else focusAround(home);
}

/** Focus what was drawn again: the page scrolls to it for the keyboard, and stays for a pointer. */
function focusAgain(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  if (element.matches(":focus-visible")) element.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Move the focus to this element, or to the nearest one around it that has a place on the page. */
function focusAround(home: HTMLElement | SVGElement): void {
  let place = home;
  while (place.parentElement && !isDrawn(place)) place = place.parentElement;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Move the focus out of a part of this element once the part is hidden, by itself or by a phase. */
export function keepFocus(element: HTMLElement): void {
  const keep = (): void => {
    const { activeElement: focused } = document;
    const canFocus = focused instanceof HTMLElement || focused instanceof SVGElement;
    if (canFocus && element.contains(focused) && !isDrawn(focused)) focusAround(focused);
  };
  new MutationObserver(keep).observe(element, { subtree: true, attributeFilter: ["hidden", "data-phase"] });
}

/** Draw, and scroll back to the keyboard's place if drawing moved it off the screen. */
export function keepInView(draw: () => void): void {
  const wasOnScreen = keyboardIsOnScreen();
  draw();
  if (wasOnScreen && keyboardIsOnScreen() === false) document.activeElement!.scrollIntoView({ block: "nearest" });
}

/** Whether the keyboard's place is on the screen; nothing without one, so that nothing is measured for a pointer. */
function keyboardIsOnScreen(): boolean | undefined {
  const { activeElement: focused } = document;
  if (!focused?.matches(":focus-visible")) return undefined;
  const { top, bottom } = focused.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Whether an element has a place on the page: an empty or hidden one may have none. */
function isDrawn(element: Element): boolean {
  return element.getClientRects().length > 0;
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
