/** Explanations of the book for what has `data-term`, where it is hovered, focused or touched; the page itself explains what has `data-told`. */
import type { Guide, Passage } from "./calls.ts";
import { h, type Child } from "./dom.ts";
import { inWords, say } from "./words.ts";

const HOVER_MS = 600;
const HOLD_MS = 450;
const MARGIN_PX = 8;
/** Presses that do something in the game, and do not only explain a word. */
export const MOVES = "button:not(.term), [role=button]";

/** The marks that all tables have, as a guide explains its terms. */
export function marks(): Record<"leader" | "player" | "press", Passage> {
  return {
    press: passage(say("marks.press"), say("marks.press.about")),
    player: passage(say("marks.player"), say("marks.player.about")),
    leader: passage(say("marks.leader"), say("marks.leader.about")),
  };
}

/** A text of the pages, which have the language of their user alone. */
function passage(title: string, text: string): Passage {
  return { title: { en: title, fr: title }, text: { en: text, fr: text } };
}

/** A word that explains itself. */
export function term(key: string, ...content: Child[]): HTMLElement {
  return h("button", { class: "term", type: "button", "data-term": key }, ...content);
}

/** Explain the terms inside this element. */
export function explain(root: HTMLElement, { terms }: Guide): void {
  const explained: Guide["terms"] = { ...marks(), ...terms };
  const tip = h("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });
  let owner: Element | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let lastAt = "";
  /** The term that the mouse points to, and since when: drawn again below it, it is still the same. */
  let pointed = { key: "", since: 0 };
  const hide = (): void => {
    clearTimeout(waiting);
    owner?.removeAttribute("aria-describedby");
    owner = null;
    tip.hidden = true;
  };
  const show = (element: Element): void => {
    const { term, name, text = "" } = (element as HTMLElement | SVGElement).dataset;
    const about = explained[term!];
    if (!about) return;
    hide();
    owner = element;
    tip.replaceChildren(h("b", {}, name ?? inWords(about.title)), ` ${text} ${inWords(about.text)}`);
    tip.hidden = false;
    element.setAttribute("aria-describedby", tip.id);
    place(tip, element, root);
  };
  /** The keyboard is at the term. A mouse changes nothing then: one that rests reports each redraw below it. */
  const isHeld = (): boolean => owner?.matches(":focus-visible") ?? false;
  /** Whether the pointer is where it was: what is below it was drawn again, and nobody pointed to it. */
  const rests = ({ clientX, clientY }: PointerEvent): boolean => {
    const before = lastAt;
    lastAt = `${clientX} ${clientY}`;
    return lastAt === before;
  };
  const keyOf = (element: Element): string => {
    const { term = "", name = "" } = (element as HTMLElement | SVGElement).dataset;
    return `${term} ${name || element.textContent}`;
  };
  const later = (element: Element, ms: number): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => show(element), ms);
  };
  const termAt = ({ target }: Event): Element | null =>
    target instanceof Element ? target.closest("[data-term]:not([data-told])") : null;

  root.addEventListener("pointerover", (event) => {
    const isMove = !rests(event);
    if (isHeld()) return;
    // A term that was drawn again under its tip sends no event of its own.
    if (owner && !owner.isConnected && !tip.contains(event.target as Node)) hide();
    const element = termAt(event);
    if (event.pointerType === "mouse" && element && element !== owner) {
      const key = keyOf(element);
      if (isMove && key !== pointed.key) pointed = { key, since: performance.now() };
      if (key === pointed.key) later(element, Math.max(0, HOVER_MS - performance.now() + pointed.since));
    }
  });
  root.addEventListener("pointermove", rests);
  root.addEventListener("pointerout", ({ relatedTarget }) => {
    clearTimeout(waiting);
    if (isHeld()) return;
    const isKept = relatedTarget instanceof Node && (tip.contains(relatedTarget) || (owner && wholeOf(owner).contains(relatedTarget)));
    if (!isKept) hide();
  });
  tip.addEventListener("pointerleave", () => isHeld() || hide());
  root.addEventListener("pointerdown", (event) => {
    const element = termAt(event);
    // A tap on a button of the game is a move: it explains itself only while it is held.
    if (event.pointerType !== "mouse" && element && element.closest(MOVES)) later(element, HOLD_MS);
  });
  root.addEventListener("pointerup", () => clearTimeout(waiting));
  root.addEventListener("click", (event) => {
    const element = termAt(event);
    if (element && !element.closest(MOVES)) show(element);
    else hide();
  });
  root.addEventListener("focusin", (event) => {
    const element = termAt(event);
    if (element?.matches(":focus-visible")) show(element);
  });
  root.addEventListener("focusout", hide);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  // It stays beside its term, and covers nothing else.
  const follow = (): void => {
    if (owner?.isConnected) place(tip, owner, root);
  };
  for (const type of ["scroll", "resize"]) addEventListener(type, follow, { capture: true, passive: true });
  root.append(tip);
}

/** Where a term is; a label whose parts stand in the layout around it is where its text is. */
function boxOf(element: Element): DOMRect {
  const drawn = element.getClientRects().length ? element : (element.firstElementChild ?? element);
  return drawn.getBoundingClientRect();
}

/** The button of the game that a term is a part of, or the term itself. */
function wholeOf(element: Element): Element {
  return element.closest(MOVES) ?? element;
}

/** Put the tip beside its term, where it covers the least that can be pressed, and of its own group nothing if it can. */
function place(tip: HTMLElement, owner: Element, root: HTMLElement): void {
  const element = wholeOf(owner);
  const { left, right, top, bottom, width, height } = boxOf(element);
  const { width: tipWidth, height: tipHeight } = tip.getBoundingClientRect(); // offsets are rounded
  const most = { x: document.documentElement.clientWidth - tipWidth - MARGIN_PX, y: innerHeight - tipHeight };
  const [middle, centre] = [left + width / 2 - tipWidth / 2, top + height / 2 - tipHeight / 2];
  const near = [...(element.parentElement?.querySelectorAll(`${CONTROLS}, :scope > [data-term]`) ?? [])].filter((one) => !one.contains(element) && !element.contains(one));
  const group = near.map((one) => one.getBoundingClientRect()).filter((one) => one.top - bottom < NEAR_PX && top - one.bottom < NEAR_PX);
  const [above, below] = [Math.min(top, ...group.map((one) => one.top)), Math.max(bottom, ...group.map((one) => one.bottom))];
  const beside = [[middle, bottom], [middle, top - tipHeight], [right, centre], [left - tipWidth, centre]];
  const around = [[middle, below], [middle, above - tipHeight]];
  const places = [...beside, ...(below - bottom + top - above < NEAR_PX ? around : [])]
    .map(([x, y]) => new DOMRect(Math.max(MARGIN_PX, Math.min(x!, most.x)), Math.max(0, Math.min(y!, most.y)), tipWidth, tipHeight));
  const controls = [...root.querySelectorAll(`${CONTROLS}, ${QUESTIONS}`)];
  const cost = (at: DOMRect): number =>
    [...new Set([...controls, ...near])].reduce((sum, one) => sum + (near.includes(one) || one.matches(QUESTIONS) ? GROUP : 1) * common(at, one.getBoundingClientRect()), OWN * common(at, boxOf(element)));
  const best = places.reduce((one, other) => (cost(other) < cost(one) ? other : one));
  tip.style.left = `${best.left}px`;
  tip.style.top = `${best.top}px`;
}

const QUESTIONS = ".you-doing, .ask, .actions button, [role='radio']";
const CONTROLS = `:is(${MOVES}):not(:disabled)`;
/** A tip is at most so far from its term: beyond a second row of dice in a hand. */
const NEAR_PX = 128;
/** How much worse than any other control it is to cover what is asked, its answers or a piece of the same group, even their edge, and the term itself. */
const GROUP = 1000;
const OWN = 10_000;

/** The area that two boxes have in common. */
function common(one: DOMRect, other: DOMRect): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}
