/** The frame of every page: a header with the language switch, and a place for messages. */
import { bell } from "./bell.ts";
import { h, type Child } from "./dom.ts";
import { isScreen, PATH } from "./path.ts";
import { isNewPress } from "./presses.ts";
import { Contradicted, ServerError, Unreachable } from "railbird-client";
import {
  chooseLanguage,
  inWords,
  language,
  say,
  sayIfKnown,
  type Language,
  type Text,
} from "./words.ts";

const message = h("p", { class: "message", role: "status", "aria-live": "polite" });
/** Says that the page waits for the server, or why it cannot continue. */
export const line = h("p", { class: "connection", role: "status" });

const ICON = document.querySelector<HTMLLinkElement>("link[rel='icon']")?.href;

/** Show a page with this title. */
export function showPage(title: string, ...content: Child[]): void {
  document.documentElement.lang = language;
  document.documentElement.classList.toggle("screen", isScreen);
  document.title = `${title} · Railbird`;
  document.body.replaceChildren(
    h("a", { class: "skip", href: "#content" }, say("skip")),
    h(
      "header",
      { class: "top" },
      h("a", { class: "home", href: `${PATH}/` }, h("img", { src: ICON, alt: "", width: 24, height: 24 }), "Railbird"),
      bell,
      h("a", { class: "to-profile", href: `${PATH}/profile/` }, say("profile.title")),
      h("nav", { "aria-label": say("language") }, languageButton("en"), languageButton("fr")),
    ),
    h("main", { id: "content", tabindex: "-1" }, line, ...content),
    message,
  );
}

/** A line for a page that has nothing to show yet. */
export function loading(): HTMLElement {
  return h("p", { class: "loading", role: "status" }, say("connecting"));
}

/** Show that a page loads, until it shows itself or why it cannot. */
export function showLoading(title: string): void {
  showPage(title, loading());
}

function languageButton(tag: Language): HTMLElement {
  const name = tag === "en" ? "English" : "Français";
  return h(
    "button",
    {
      class: "language",
      lang: tag,
      "aria-pressed": String(tag === language),
      onclick: () => chooseLanguage(tag),
    },
    name,
  );
}

/** Put the message where it hides nothing that has the focus: at the top, or else at the bottom. */
function avoidFocus(): void {
  message.classList.remove("low");
  const { activeElement: focused } = document;
  if (!focused?.matches(FOCUSABLE) || !message.textContent) return;
  const [one, other] = [message.getBoundingClientRect(), focused.getBoundingClientRect()];
  const isApart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
  message.classList.toggle("low", !isApart);
}

const FOCUSABLE = "a, button, input, select, textarea, summary, [tabindex='0']";
addEventListener("focusin", () => requestAnimationFrame(avoidFocus)); // the page may scroll to the focus first

let hiding: ReturnType<typeof setTimeout> | undefined;

const SHOWN_MS = 6000;
const hide = (): void => void (message.textContent = "");

/** At a table, a message lies over the line of the last event: it hides nothing else of the bar. */
function placeMessage(): void {
  if (!message.textContent) return;
  const box = document.querySelector(".drawn:not([hidden]) .you .call")?.getBoundingClientRect();
  const isSeen = box && box.width > 0 && box.top > 0;
  message.classList.toggle("at-table", Boolean(isSeen));
  Object.assign(message.style, isSeen ? { top: `${box.top}px`, left: `${box.left}px`, width: `${box.width}px`, minHeight: `${box.height}px` } : { top: "", left: "", width: "", minHeight: "" });
  avoidFocus();
}
for (const type of ["scroll", "resize"]) addEventListener(type, placeMessage, { passive: true });

/** Show a message for some seconds; screen readers read it out. */
export function tell(text: string, kind: "good" | "bad" = "good"): void {
  message.textContent = text;
  message.dataset["kind"] = kind;
  placeMessage();
  clearTimeout(hiding);
  hiding = setTimeout(hide, SHOWN_MS);
}

/** Show a message until the user does something after some seconds: it may be about their absence. */
export function tellAbsent(text: string): void {
  tell(text, "bad");
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    const isShown = (): boolean => message.textContent === text;
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => isShown() && hide(), { once: true });
  }, SHOWN_MS);
}

/** The codes of answers that are not the server's. */
const FOREIGN = new Set(["redirected", "unreadable", "too_large"]);

/** The reason of a failure, in words; a game has `refusals` of its own. */
export function explain(error: unknown, refusals: Record<string, Text> = {}): string {
  if (!(error instanceof ServerError)) return say("broken");
  const own = refusals[error.code];
  if (own) return inWords(own);
  if (error instanceof Contradicted) return say("contradicted", { field: error.field });
  if (error instanceof Unreachable) return say(FOREIGN.has(error.code) ? "foreign" : "unreachable");
  return sayIfKnown(`refused.${error.code}`) ?? say("refused", { code: error.code });
}

/** The action of a button: a press does nothing while the one before still works. */
export function action(
  work: () => Promise<unknown>,
  refusals: Record<string, Text> = {},
): () => void {
  let isWorking = false;
  return async (): Promise<void> => {
    if (!isNewPress() || isWorking) return;
    isWorking = true;
    await attempt(work, refusals).finally(() => (isWorking = false));
  };
}

/** Do this, and show a message if it fails: then the result is undefined. */
export async function attempt<T>(
  work: () => Promise<T>,
  refusals: Record<string, Text> = {},
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    tell(explain(error, refusals), "bad");
    if (!(error instanceof ServerError)) throw error;
    return undefined;
  }
}
