/** The page that verifies a game: its bundle from the server, or a file. It works offline. */
import { aboutServer } from "./about.ts";
import { h, svg } from "./dom.ts";
import { evidenceButton, evidenceOf } from "./evidence.ts";
import { action, attempt, explain, showPage, tell } from "./frame.ts";
import { PATH } from "./path.ts";
import type { Check, Game, Judged, Report } from "./verifier.ts";
import { bundle, CONTRADICTED, verifier } from "./verifying.ts";
import { listed, say } from "./words.ts";

const CHECKS: readonly Check[] = ["log", "opening", "commits", "money", "end"];
/** A ring, a tick and a cross. */
const SIGNS = {
  open: "M12 5a7 7 0 1 1 0 14a7 7 0 1 1 0-14",
  passed: "M4 13l5 5L20 6",
  failed: "M6 6l12 12M18 6L6 18",
} as const;

/** The fields of divergences that belong to the money of a game. */
const MONEY = ["rows of bets", "rows of settlements", "rows of transfers", "transfers", "purses", "bet", "outcomes"];
const GAMES_MAX = 10;

const game = new URLSearchParams(location.search).get("game");
// The worker starts with the page, so that it is there when the network is not.
let worker: Worker | undefined = begin();
let isRunning = false;
const checks = h("ol", { class: "checks" });
const outcome = h("div", { class: "outcome", role: "status" });
const picker = h("input", {
  type: "file",
  id: "file",
  onchange: () => picker.files?.[0] && void attempt(() => takeFile(picker.files![0]!)),
});
let last: [content: Uint8Array, name: string, own?: Uint8Array] | undefined;
let notes: Uint8Array | undefined;
const notesPicker = h("input", {
  type: "file",
  id: "notes",
  onchange: () => void attempt(takeNotes),
});
const dropping = h(
  "section",
  { class: "panel drop" },
  h("label", { for: "file" }, say("verify.drop")),
  picker,
  h("label", { for: "notes" }, say("verify.notes")),
  notesPicker,
);
const guide = h("p", { class: "quiet", hidden: true });
const download = h("button", { class: "primary", onclick: action(downloadAndVerify) });
download.textContent = say("verify.download");

showPage(
  say("verify.title"),
  h(
    "div",
    { class: "narrow" },
    h("h1", {}, say("verify.title")),
    h("p", {}, say("verify.lead")),
    game && h("p", {}, download, " ", h("a", { href: `${PATH}/games/${game}/` }, say("replay.back"))),
    dropping,
    checks,
    outcome,
    h("p", { class: "quiet" }, say("verify.about")),
    guide,
  ),
);
for (const type of ["dragover", "drop"] as const)
  document.addEventListener(type, (event) => {
    event.preventDefault();
    const file = type === "drop" ? event.dataTransfer?.files[0] : undefined;
    if (file) void attempt(() => takeFile(file));
  });
if (game) void attempt(downloadAndVerify);
void attempt(showGuide);

/** The documentation may not be built. */
async function showGuide(): Promise<void> {
  const { disputes } = (await aboutServer()).links;
  guide.hidden = !disputes;
  guide.replaceChildren(h("a", { href: disputes }, say("start.disputes")));
}

/** The worker is given up when it cannot be loaded or fails. */
function begin(): Worker {
  return verifier(show, () => {
    worker = undefined;
    if (isRunning) outcome.replaceChildren(h("p", {}, say("verify.broken")), againButton());
    isRunning = false;
  });
}

function againButton(): HTMLElement {
  return h("button", { onclick: () => location.reload() }, say("connection.again"));
}

async function downloadAndVerify(): Promise<void> {
  download.disabled = true;
  try {
    outcome.replaceChildren(say("verify.downloading"));
    const content = await bundle(game!, () => outcome.replaceChildren(say("verify.sealing")));
    const own = await evidenceOf(game!)?.arrayBuffer();
    start(content, `${game}.bundle`, own && new Uint8Array(own));
  } catch (error) {
    outcome.replaceChildren(explain(error));
  } finally {
    download.disabled = false;
  }
}

async function takeFile(file: File): Promise<void> {
  start(new Uint8Array(await file.arrayBuffer()), file.name);
}

async function takeNotes(): Promise<void> {
  const file = notesPicker.files?.[0];
  notes = file && new Uint8Array(await file.arrayBuffer());
  if (last) start(...last);
}

/** Verify a file, and compare it with the notes that were chosen, or with the user's own. */
function start(content: Uint8Array, name: string, own?: Uint8Array): void {
  last = own ? [content, name, own] : [content, name];
  outcome.className = "outcome";
  outcome.replaceChildren(say("verify.running", { name }));
  checks.replaceChildren(
    ...CHECKS.map((check) =>
      h("li", { "data-check": check }, mark("open"), say(`verify.check.${check}`)),
    ),
  );
  isRunning = true;
  worker ??= begin();
  worker.postMessage({ content, notes: notes ?? own });
}

function show(report: Report): void {
  if (report.type === "passed") return tick(report.check);
  isRunning = false;
  outcome.classList.add(report.type);
  if (report.type === "verified") {
    for (const item of checks.querySelectorAll("li:not([data-state])")) item.remove(); // a receipt
    const kind = report.summary.startsWith("bet ") || report.summary.startsWith("game ") ? "receipt" : "bundle";
    outcome.replaceChildren(
      h("h2", {}, say(`verify.verified.${kind}`)),
      h("p", {}, say(`verify.means.${kind}`)),
      ...report.games.slice(0, GAMES_MAX).flatMap(described),
      h("p", { lang: "en" }, h("code", {}, report.summary)),
      ...(report.judged ? compared(report.judged) : [h("p", {}, say("verify.open"))]),
      h("p", { class: "quiet" }, say("verify.keys")),
      ...report.keys.map((key) => h("p", {}, h("code", {}, key))),
    );
    return;
  }
  const check = report.type === "diverged" ? failedIn(report.reason) : undefined;
  const failed = check && checks.querySelector<HTMLElement>(`[data-check="${check}"]`);
  if (failed) setMark(failed, "failed");
  const isCut = report.type === "diverged" && !check;
  outcome.replaceChildren(
    h("h2", {}, say(isCut ? "verify.cut" : `verify.${report.type}`)),
    ...(report.type === "diverged" ? [h("p", {}, say(isCut ? "verify.again" : "verify.changed"))] : []),
    h("p", { lang: "en" }, h("code", { class: "reason" }, report.reason)),
  );
  tell(say(`verify.${report.type}`), "bad");
}

/** The check that a divergence belongs to; none if the file is cut or malformed. */
function failedIn(reason: string): Check | undefined {
  const [, where = "", field = ""] = /^(?:game \S+ )?([^:]+): ([^:]+): expected /.exec(reason) ?? [];
  if (field.startsWith("line ")) return undefined;
  if (where === "log") return "log";
  if (where === "version 0") return "opening";
  if (MONEY.includes(field)) return "money";
  return field === "end" ? "end" : "commits";
}

/** The people and witnesses who added to the dice of a game, and its abandoned starts. */
function described({ game: id, seats, witnesses, silent }: Game): HTMLElement[] {
  const names = [
    ...seats.map((seat) => say("verify.seat", { seat: seat + 1 })),
    ...witnesses.map((text) => say("verify.witness", { name: text.slice(0, text.lastIndexOf("+")) })),
  ];
  const who = names.length ? say("verify.dice", { names: listed(names) }) : say("verify.dice_alone");
  const places = [...new Set(silent.flat())].sort((one, other) => one - other);
  const seated = places.map((seat) => say("verify.seat", { seat: seat + 1 }));
  return [
    h("p", {}, say("verify.game", { game: id })),
    h("p", {}, who),
    ...(silent.length ? [h("p", {}, say("verify.abandoned", { count: silent.length }), seated.length ? ` ${say("verify.silent", { names: listed(seated) })}` : "")] : []),
  ];
}

/** The result of the comparison with the notes of a player. */
function compared({ lines, summary, code }: Judged): HTMLElement[] {
  const key = code === 0 ? "fit" : code === CONTRADICTED ? "contradict" : "unproved";
  return [
    ...(notes ? [] : [h("p", {}, say("verify.notes.own"), " ", (game && evidenceButton(game, undefined)) || "")]),
    h("p", { class: `notes ${key}` }, say(`verify.notes.${key}`)),
    h("ul", { lang: "en" }, ...[...lines, summary].filter(Boolean).map((line) => h("li", {}, h("code", {}, line)))),
  ];
}

function tick(check: Check): void {
  const item = checks.querySelector<HTMLElement>(`[data-check="${check}"]`);
  if (item) setMark(item, "passed");
}

function setMark(item: HTMLElement, state: "passed" | "failed"): void {
  item.dataset["state"] = state;
  item.firstElementChild!.replaceWith(mark(state));
}

function mark(state: "open" | "passed" | "failed"): HTMLElement {
  return h(
    "span",
    { class: "mark" },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS[state] })),
    h("span", { class: "unseen" }, say(`verify.mark.${state}`)),
  );
}
