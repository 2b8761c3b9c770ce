/** The end of a game: the winner, the user's rank and bets, the proof, and what comes next. */
import type { Client } from "railbird-client";
import type { Bet, GameInFull } from "railbird-client/models";
import { persist } from "./connection.ts";
import { h, motionIsReduced, svg, type Child } from "./dom.ts";
import { evidenceButton, evidenceOf } from "./evidence.ts";
import { action, attempt, explain } from "./frame.ts";
import type { DrawnGame } from "./game_page.ts";
import { PATH } from "./path.ts";
import { namesIn } from "./second_person.ts";
import type { Report } from "./verifier.ts";
import { bundle, CONTRADICTED, verifier } from "./verifying.ts";
import { say, sayIfKnown, sumInWords, winnersInWords } from "./words.ts";

const PAGE = 100;
const CONFETTI = 40;

/** What to show once a game has ended: its result, `why` it ended, and the bets of the user when they have come. */
export async function moment(client: Client, id: string, { why, winners: known }: Pick<DrawnGame, "why" | "winners">, again: () => Child): Promise<HTMLElement | undefined> {
  const game = await persist(() => client.getGame(id));
  if (!game.result || game.ended !== "finished") return undefined;
  const { ranking, scores } = game.result;
  // If no horse of L'Ascot arrives, all share the first rank with different fortunes.
  const hasWinner = scores.some(Boolean) && (ranking.length > 1 || new Set(scores).size === 1);
  const own = h("p", { class: "moment-own" }, ...(hasWinner ? rankOf(game) : []));
  const bets = h("p", { class: "moment-bets" });
  if (game.your_seat !== null) void attempt(() => showBets(client, game, bets));
  const winners = known ?? (hasWinner ? winnersInWords(namesIn(game, ranking[0] ?? []), scores) : say("results.nobody"));
  const told = h("div", { role: "status", "aria-atomic": "false" });
  // Screen readers read what is added to a part of the page, and not what comes with it.
  setTimeout(() => told.append(h("h2", {}, winners), ...(why ? [h("p", {}, why)] : []), own, bets));
  document.title = `${winners} · ${document.title}`;
  const element = h(
    "section",
    { class: "moment", "aria-label": say("moment.title") },
    laurel(),
    told,
    h("div", { class: "moment-next" }, again(), game.your_seat !== null && evidenceButton(id, game.your_seat), proof(game), h("a", { class: "button", href: `${PATH}/` }, say("moment.others"))),
  );
  if (hasWinner && game.your_seat !== null && ranking[0]?.includes(game.your_seat)) celebrate(element);
  return element;
}

function rankOf({ your_seat: seat, result, seats, unit }: GameInFull): Child[] {
  if (seat === null || !result) return [];
  const before = result.ranking.findIndex((tied) => tied.includes(seat));
  if (before < 0) return [];
  const rank = 1 + result.ranking.slice(0, before).reduce((sum, tied) => sum + tied.length, 0);
  return [h("b", {}, say("moment.rank", { rank, all: seats.length })), " ", say("moment.score", { score: sumInWords(result.scores[seat] ?? 0, unit) })];
}

/** The bets of the user and their sum, and what else their score is made of. */
async function showBets(client: Client, { id, slug, your_seat, unit, result }: GameInFull, element: HTMLElement): Promise<void> {
  const bets: Bet[] = [];
  let cursor: string | undefined;
  do {
    const query = { seat: your_seat!, limit: PAGE, ...(cursor && { cursor }) };
    const page = await persist(() => client.listBetsInGame(id, query));
    bets.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor);
  if (!bets.length) return;
  const won = bets.filter(({ outcome }) => outcome === "won").length;
  const sum = bets.reduce((total, { payout }) => total + (payout ?? 0), 0);
  const rest = (result?.scores[your_seat!] ?? sum) - sum;
  const stakes = bets.reduce((total, { stake }) => total + stake, 0);
  const sums = { bets: bets.length, won, stakes: sumInWords(stakes, unit), sum: sumInWords(sum, unit, "exceptZero") };
  const parts = [sayIfKnown(`moment.bets.${slug}`, sums) ?? say("moment.bets", sums)];
  const rests = { rest: sumInWords(rest, unit, "exceptZero") };
  if (rest) parts.push(sayIfKnown(`moment.rest.${slug}`, rests) ?? say("moment.rest", rests));
  element.textContent = parts.join(" ");
}

/** A button that verifies the game here, with the notes of its player; then it says what was proved. */
function proof({ id, your_seat: seat }: GameInFull): HTMLElement {
  const state = h("span", { class: "moment-proof", role: "status", tabindex: "-1" });
  const done = (text: string, kind: string): void => {
    state.dataset["kind"] = kind;
    state.textContent = text;
  };
  const check = async (): Promise<void> => {
    const hadFocus = document.activeElement === button;
    button.remove();
    if (hadFocus) state.focus();
    done(say("verify.downloading"), "");
    try {
      const content = await bundle(id, () => done(say("verify.sealing"), ""));
      const worker = verifier(
        (report) => {
          if (report.type === "passed") return;
          done(...proved(report));
          worker.terminate();
        },
        () => done(say("verify.broken"), "broken"),
      );
      const notes = seat === null ? undefined : await evidenceOf(id, seat)?.arrayBuffer();
      worker.postMessage({ content, notes: notes && new Uint8Array(notes) });
    } catch (error) {
      done(explain(error), "broken");
    }
  };
  const button = h("button", { onclick: action(check) }, say("moment.verify"));
  return h("span", {}, button, state);
}

/** The end of a verification in words, and its kind. */
function proved(report: Exclude<Report, { type: "passed" }>): [string, string] {
  if (report.type !== "verified") return [say(`verify.${report.type}`), report.type];
  if (report.judged?.code === CONTRADICTED) return [say("verify.notes.contradict"), "diverged"];
  return [`${say("verify.verified.bundle")}. ${say("verify.means.bundle")}`, "verified"];
}

function laurel(): SVGElement {
  const leaves = [...Array(7).keys()].flatMap((leaf) =>
    [-1, 1].map((side) => {
      const angle = 270 + side * (45 - 19 * leaf);
      const [x, y] = [40 + 27 * Math.cos((angle * Math.PI) / 180), 38 - 27 * Math.sin((angle * Math.PI) / 180)];
      return svg("ellipse", { cx: x, cy: y, rx: 7, ry: 3, transform: `rotate(${-angle + 60 * side} ${x} ${y})` });
    }),
  );
  return svg(
    "svg",
    { class: "moment-laurel", viewBox: "0 0 80 76", "aria-hidden": "true" },
    ...leaves,
    svg("path", { class: "cup", d: "M27 22h26v12q0 12-13 14q-13-2-13-14ZM36 48h8v6h7v5H29v-5h7ZM27 26h-6q0 10 8 11M53 26h6q0 10-8 11" }),
  );
}

/** Confetti, for the winner. */
function celebrate(element: HTMLElement): void {
  if (motionIsReduced()) return;
  const pieces = Array.from({ length: CONFETTI }, (_, nth) => {
    const piece = h("i", { class: "confetti", "aria-hidden": "true" });
    piece.style.setProperty("--hue", String((nth * 47) % 360));
    piece.style.left = `${(nth * 100) / CONFETTI}%`;
    element.append(piece);
    return piece;
  });
  for (const [nth, piece] of pieces.entries())
    void piece
      .animate([{ transform: "translateY(-1rem)", opacity: 1 }, { transform: `translateY(9rem) rotate(${nth * 90}deg)`, opacity: 0 }], {
        duration: 1600,
        delay: (nth % 8) * 90,
        easing: "ease-in",
        fill: "backwards",
      })
      .finished.then(() => piece.remove());
}
