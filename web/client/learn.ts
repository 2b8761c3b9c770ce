/** Learn a game: five cards for the first time, and all rules in a drawer, found by word. */
import { Caller, type Book, type Guide, type Passage } from "./calls.ts";
import { loaded } from "./connection.ts";
import { h, redraw, type Child } from "./dom.ts";
import { marks, MOVES } from "./explain.ts";
import type { Setting } from "./game_page.ts";
import { kept, keptNow } from "./kept.ts";
import { inWords, say, sayOrName } from "./words.ts";

/** A button that opens the rules; so does the key `?`. */
export function rulesButton(title: string, guide: Guide): HTMLElement {
  const open = (): void => openRules(title, guide);
  document.addEventListener("keydown", ({ key, target }) => {
    const isTyped = target instanceof HTMLElement && target.matches("input, textarea, select");
    if (key === "?" && !isTyped) open();
  });
  return h("button", { class: "rules-button", "aria-label": say("learn.open"), title: say("learn.open"), onclick: open }, "?");
}

/** Open the drawer, unless it is open. */
export function openRules(title: string, guide: Guide): void {
  if (document.querySelector(".drawer")) return;
  const found = h("div", { class: "rules" });
  const count = h("p", { class: "quiet", role: "status" });
  const wanted = h("input", { type: "search", "aria-label": say("learn.find"), placeholder: say("learn.find") });
  const show = (): void => {
    const word = plain(wanted.value.trim());
    const parts: [Parameters<typeof say>[0], readonly Passage[]][] = [
      ["learn.first", guide.cards],
      ["learn.rules", guide.rules],
      ["learn.terms", Object.values(guide.terms)],
      ["learn.marks", Object.entries(marks()).flatMap(([key, one]) => (key in guide.terms ? [] : [one]))],
    ];
    const fitting = parts.map(([name, all]) => [name, all.filter((one) => has(one, word))] as const);
    const sum = fitting.reduce((passages, [, some]) => passages + some.length, 0);
    count.textContent = word ? say("learn.found", { sum }) : "";
    found.replaceChildren(
      ...fitting.filter(([, some]) => some.length).map(([name, some]) => section(say(name), some, word)),
    );
  };
  wanted.addEventListener("input", show);
  const dialog = h(
    "dialog",
    { class: "drawer", "aria-label": say("learn.open") },
    h(
      "form",
      { method: "dialog", class: "drawer-head" },
      h("h2", {}, title),
      h("button", {}, say("you.read")),
      wanted,
    ),
    h("p", {}, inWords(guide.summary)),
    h("p", { class: "quiet" }, about(guide), ". ", inWords(guide.liked_by)),
    count,
    found,
  );
  show();
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function section(title: string, passages: readonly Passage[], word: string): HTMLElement {
  return h(
    "section",
    {},
    h("h3", {}, title),
    ...passages.map((one) =>
      h("div", {}, h("h4", {}, ...marked(inWords(one.title), word)), h("p", {}, ...marked(inWords(one.text), word))),
    ),
  );
}

function has(passage: Passage, word: string): boolean {
  return plain(`${inWords(passage.title)} ${inWords(passage.text)}`).includes(word);
}

/** Letters without case and accents; each stays one character. */
function plain(text: string): string {
  return [...text.toLowerCase()].map((letter) => letter.normalize("NFD")[0]).join("");
}

function marked(text: string, word: string): Child[] {
  const at = word ? plain(text).indexOf(word) : -1;
  if (at < 0) return [text];
  const end = at + word.length;
  return [text.slice(0, at), h("mark", {}, text.slice(at, end)), ...marked(text.slice(end), word)];
}

/** The usual time and the weight of a game. */
export function about({ minutes, weight }: { minutes: number; weight: number }): string {
  return `${say("learn.minutes", { minutes })} · ${sayOrName(`learn.weight.${weight}`)}`;
}

/** Whether this table is a guided round. */
const isGuided = new URLSearchParams(location.search).has("guided");

const learned = (slug: string): string => `railbird.learned.${slug}`;

/** Whether this browser has never shown the game to its user. */
export function isNew(slug: string): boolean {
  return !kept(learned(slug));
}

/** Remove a strip. The next Tab starts at the table. */
function leave(strip: HTMLElement): void {
  const hadFocus = strip.contains(document.activeElement);
  strip.remove();
  if (hadFocus) document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}

/** The cards of the guide at a table, until the user is ready; nothing if they were before. */
export function firstCards(slug: string, guide: Guide): HTMLElement | null {
  if (!isNew(slug)) return null;
  const strip = cardsOf(slug, guide, () => leave(strip));
  return strip;
}

/** The pictures of the first cards of each game; each file is loaded when it is needed. */
const PICTURES: Record<string, () => Promise<{ introduction(setting: never): Child[] }>> = {
  ascot: () => import("./ascot/introduction.ts"),
  carcassonne: () => import("./carcassonne/introduction.ts"),
  quitte_ou_double: () => import("./quitte_ou_double/introduction.ts"),
  ready_set_bet: () => import("./ready_set_bet/introduction.ts"),
  set_dice: () => import("./set_dice/introduction.ts"),
};

async function picturesOf(slug: string, book: Book): Promise<Child[]> {
  const pictures = PICTURES[slug];
  if (!pictures) return [];
  const setting: Partial<Setting> = { book, caller: new Caller(book, []), players: [], seat: null };
  const { introduction } = await loaded(pictures);
  return introduction(setting as never);
}

/** Show the cards of the guide before a table begins. Whether the user is ready, and has not gone back. */
export async function introduced(slug: string, title: string, guide: Guide, book: Book): Promise<boolean> {
  const pictures = await picturesOf(slug, book);
  return new Promise((done) => {
    const dialog = h(
      "dialog",
      { class: "panel introduction", "aria-label": title },
      h("h2", {}, title),
      cardsOf(slug, guide, () => dialog.close("ready"), (nth) => pictures[nth]),
      h("form", { method: "dialog" }, h("button", { class: "link" }, say("dialog.no"))),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "ready");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** The cards of a guide, one at a time; `ready` is called once the user has read them, or wants no more. */
function cardsOf(slug: string, { cards }: Guide, ready: () => void, pictureOf: (nth: number) => Child = () => null): HTMLElement {
  const strip = h("section", { class: "first-cards", "aria-label": say("learn.first") });
  const end = (): void => {
    keptNow(learned(slug), "1");
    ready();
  };
  const show = (nth: number): void => {
    const { title, text } = cards[nth]!;
    const isLast = nth === cards.length - 1;
    const hadFocus = strip.contains(document.activeElement);
    redraw(strip, nth, () => [
      pictureOf(nth),
      h("p", { role: "status" }, h("b", {}, `${nth + 1}/${cards.length} · ${inWords(title)}`), " ", inWords(text)),
      h(
        "div",
        { class: "actions" },
        // The first card has it too, so that the next button stays in its place.
        h("button", { disabled: nth === 0, onclick: () => show(nth - 1) }, say("learn.back")),
        !isLast && h("button", { class: "primary", onclick: () => show(nth + 1) }, say("learn.next")),
        h("button", { class: isLast ? "primary" : "", onclick: end }, say(isLast ? "learn.ready" : "learn.skip")),
      ),
    ]);
    // The key that led to the last card leads on, and not back.
    if (hadFocus && isLast) strip.querySelector<HTMLElement>(".primary")!.focus();
  };
  show(0);
  return strip;
}

/** The controls that the user can press, and what in them has a term. */
const CONTROLS = `:is(${MOVES}):not(:disabled)`;
const TERMS = `${CONTROLS}[data-term], ${CONTROLS} [data-term]`;

/** The controls of a game. */
const PRESSED = `${MOVES}, input, select, summary`;

/** In a guided round: explain what can be pressed, one term after each press, each once. */
export function guidedHints(page: HTMLElement, { terms }: Guide): HTMLElement | null {
  if (!isGuided) return null;
  const told = new Set<string>();
  const text = h("p", { role: "status" }, say("learn.wait"));
  let waits = false;
  const end = (): void => {
    changes.disconnect();
    leave(strip);
  };
  const skip = h("div", { class: "actions" }, h("button", { onclick: end }, say("learn.skip")));
  const strip = h("section", { class: "first-cards", "aria-label": say("learn.guided") }, text, skip);
  const look = (): void => {
    if (!strip.isConnected) return end(); // the game has ended
    if (waits) return;
    const shown = [...page.querySelectorAll<HTMLElement>(TERMS)].map((control) => control.dataset["term"]!);
    const term = shown.find((one) => terms[one] && !told.has(one));
    if (!term) return;
    told.add(term);
    waits = true;
    text.replaceChildren(h("b", {}, inWords(terms[term]!.title)), " ", inWords(terms[term]!.text));
  };
  // The countdown changes ten times a second, and no control.
  const isBar = ({ target }: MutationRecord): boolean => target instanceof Element && target.closest(".you") !== null;
  const changes = new MutationObserver((records) => records.every(isBar) || look());
  changes.observe(page, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  // Keys press a control too: the browser clicks it.
  page.addEventListener("click", ({ target }) => {
    const control = target instanceof Element && target.closest(PRESSED);
    if (control && !control.closest(".first-cards, .you")) waits = false;
  });
  return strip;
}
