/** The page that verifies a game: its bundle from the server, or a file. It works offline. */
import { h, svg } from "./dom.ts";
import { action, attempt, explain, showPage, tell } from "./frame.ts";
import { PATH } from "./path.ts";
import type { Check, Report } from "./verifier.ts";
import { bundle, verifier } from "./verifying.ts";
import { say } from "./words.ts";

const CHECKS: readonly Check[] = ["log", "opening", "commits", "money", "end"];
/** A ring, a tick and a cross. */
const SIGNS = {
  open: "M12 5a7 7 0 1 1 0 14a7 7 0 1 1 0-14",
  passed: "M4 13l5 5L20 6",
  failed: "M6 6l12 12M18 6L6 18",
} as const;

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
const dropping = h(
  "section",
  { class: "panel drop" },
  h("label", { for: "file" }, say("verify.drop")),
  picker,
);
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
  ),
);
for (const type of ["dragover", "drop"] as const)
  document.addEventListener(type, (event) => {
    event.preventDefault();
    const file = type === "drop" ? event.dataTransfer?.files[0] : undefined;
    if (file) void attempt(() => takeFile(file));
  });
if (game) void attempt(downloadAndVerify);

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
    start(content, `${game}.bundle`);
  } catch (error) {
    outcome.replaceChildren(explain(error));
  } finally {
    download.disabled = false;
  }
}

async function takeFile(file: File): Promise<void> {
  start(new Uint8Array(await file.arrayBuffer()), file.name);
}

function start(content: Uint8Array, name: string): void {
  outcome.className = "outcome";
  outcome.replaceChildren(say("verify.running", { name }));
  checks.replaceChildren(
    ...CHECKS.map((check) =>
      h("li", { "data-check": check }, mark("open"), say(`verify.check.${check}`)),
    ),
  );
  isRunning = true;
  worker ??= begin();
  worker.postMessage(content, [content.buffer]);
}

function show(report: Report): void {
  if (report.type === "passed") return tick(report.check);
  isRunning = false;
  outcome.classList.add(report.type);
  if (report.type === "verified") {
    for (const item of checks.querySelectorAll("li:not([data-state])")) item.remove(); // a receipt
    outcome.replaceChildren(
      h("h2", {}, say("verify.verified")),
      h("p", {}, say("verify.means")),
      counts(report.summary),
      h("p", { class: "quiet" }, say("verify.keys")),
      ...report.keys.map((key) => h("p", {}, h("code", {}, key))),
    );
    return;
  }
  const failed = checks.querySelector<HTMLElement>("li:not([data-state])");
  if (failed && report.type === "diverged") setMark(failed, "failed");
  outcome.replaceChildren(
    h("h2", {}, say(`verify.${report.type}`)),
    h("p", {}, h("code", { class: "reason" }, report.reason)),
  );
  tell(say(`verify.${report.type}`), "bad");
}

/** The summary of the verifier in this language; longer ones are shown as they are. */
function counts(summary: string): HTMLElement {
  const found = /^(\d+) games, (\d+) commits, (\d+) draws(?:; (\d+) of (\d+) commands signed)?; log (\S+) at (\d+)$/.exec(summary);
  if (!found) return h("p", { lang: "en" }, summary);
  const [games = 0, commits = 0, draws = 0, signed = 0, commands = 0] = found.slice(1, 6).map((count) => Number(count ?? 0));
  const counted = say("verify.counts", { games, commits, draws, log: found[6]!, size: Number(found[7]) });
  return h("p", {}, counted, found[5] && ` ${say("verify.signed", { signed, commands })}`);
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
