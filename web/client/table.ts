/** The page of a game, to play or to watch. */
import { Contradicted, Misused, NoEvidence, Problem, type Commit, type View } from "railbird-client";
import { hasShown } from "./bell.ts";
import { company, lobbyOf, type Company } from "./company.ts";
import { end, fail, loaded, persist, watch } from "./connection.ts";
import { confirmed } from "./dialog.ts";
import { h, type Child } from "./dom.ts";
import { draw, load } from "./drawings.ts";
import { evidenceButton, keepEvidence, setAside } from "./evidence.ts";
import { follow } from "./follow.ts";
import { attempt, loading, showLoading, showPage, tellAbsent } from "./frame.ts";
import type { AnyGame } from "./game_page.ts";
import { History } from "./history.ts";
import { firstCards, guidedHints } from "./learn.ts";
import { warnOfLeaving } from "./leaving.ts";
import { moment } from "./moment.ts";
import { isScreen, parts, PATH } from "./path.ts";
import { preference, type Preference } from "./preferences.ts";
import { pressed } from "./presses.ts";
import { signIn, signInAsScreen } from "./session.ts";
import type { Player } from "./sounds.ts";
import { say } from "./words.ts";

const COMMANDS_MAX = 500;
/** The commits whose events are listed again after a reload. */
const EARLIER_MAX = 100;

type Told = Pick<Commit<AnyGame>, "version" | "events">;

const id = parts[2]!;
/** The user's seat; null for spectators. */
let seat: number | null = null;
void main();

async function main(): Promise<void> {
  showLoading(say("connecting"));
  try {
    const client = await (isScreen ? signInAsScreen() : signIn());
    const shown = await load(client, id);
    const { game, title } = shown;
    seat = game.your_seat;
    hasShown(game.lobby, "table_full");
    hasShown(id, "game_starts", ...(game.ended ? ["game_over" as const] : []));
    const lobby = await lobbyOf(client, shown);
    const people = lobby && company(client, shown, lobby);
    const acknowledgements = await keepEvidence(client, game);
    const table = client.table<AnyGame>(id, acknowledgements && { acknowledgements });
    const asks = preference("confirm");
    const sound = soundOf(game.slug);
    const actions = {
      decided: tellAbsent,
      play: async (command: AnyGame["command"], move = pressed()) => {
        if (asks.isOn && !(await confirmed(say("confirm.question", { move }), say("confirm.play")))) return false;
        await table.play(command);
        return true;
      },
      legal: async () => {
        try {
          return (await persist(() => table.legalCommands(COMMANDS_MAX))).commands;
        } catch (error) {
          if (error instanceof Misused) return []; // the table has closed: the end of the stream says why
          throw error;
        }
      },
    };
    const page = draw(shown, actions, people?.element, people?.hasForfeited);
    const { guide } = shown.book;
    if (guide) page.element.firstElementChild!.after(firstCards(game.slug, guide) ?? "", guidedHints(page.element, guide) ?? "");
    const links = moreAbout(people, game.your_seat !== null && asks.element, sound.element);
    const dice = game.dice_of_server && h("p", { class: "quiet" }, say("table.dice"));
    const waiting = loading();
    showPage(title, h("h1", { class: "unseen" }, title), waiting, page.element, dice || "", links.element);
    page.onTurn = (isMine) => showTurn(isMine, title);
    const leave = watch(table);
    let isTimed = false;
    if (lobby && seat !== null && game.pace === "live")
      warnOfLeaving(id, say(`exits.leave.${lobby.absence}`, { seconds: lobby.absence_s }), () => isTimed && !people?.hasForfeited());
    page.element.hidden = true; // until there is something to show
    /** List what happened before the first view. */
    const tellEarlier = async (version: number): Promise<void> => {
      const { commits } = await client.listCommits(id, { after: Math.max(0, version - EARLIER_MAX), limit: EARLIER_MAX });
      page.tellEarlier((commits as Told[]).filter((commit) => commit.version <= version));
    };
    await follow(client, id, table, {
      onView(view: View<AnyGame>): void {
        page.showView(view);
        isTimed = view.nextAt !== null && !view.ended;
        if (page.element.hidden) void attempt(() => tellEarlier(view.version));
        page.element.hidden = false;
        waiting.remove();
        if (!view.ended) return;
        hasShown(id, "game_over");
        leave(); // the server closes the socket
        people?.end();
        for (const strip of page.element.querySelectorAll(".first-cards")) strip.remove();
        if (view.ended === "voided") end(say("table.voided"), ...evidence());
      },
      onCommit(commit): void {
        page.showCommit(commit);
        sound.play(commit);
      },
    });
    delete page.onTurn; // the title tells the winners from now on
    links.verify.hidden = false;
    if (page.tellAll) void attempt(async () => page.tellAll!((await History.of(client, id)).commits));
    const last = await moment(client, id, page, () => people?.again() ?? null);
    if (last) page.element.firstElementChild!.after(last);
  } catch (error) {
    const isLost = error instanceof Problem && error.code === "history_lost";
    if (isLost) setAside(id, error);
    const isDisputed = isLost || error instanceof Contradicted || error instanceof NoEvidence;
    if (isScreen && error instanceof Problem && error.status === 404) end(say("table.no_screen"));
    else fail(error, ...(isDisputed ? evidence() : []));
  }
}

/** The button that saves the notes of the user's seat, if this browser keeps any. */
function evidence(): HTMLElement[] {
  const button = seat === null ? undefined : evidenceButton(id, seat);
  return button ? [button] : [];
}

const icon = document.querySelector<HTMLLinkElement>("link[rel='icon']")!;
const USUAL_ICON = icon.href;
const TURN_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f5132"/><circle cx="16" cy="16" r="10" fill="#22e6ff"/></svg>',
)}`;

/** Show in the title and the icon, which a hidden tab shows as well, that the game waits for the user. */
function showTurn(isMine: boolean, title: string): void {
  document.title = `${isMine ? `● ${say("turn")} · ` : ""}${title} · Railbird`;
  const wanted = isMine ? TURN_ICON : USUAL_ICON;
  if (icon.href !== wanted) icon.href = wanted;
}

/** The sounds of a game, loaded once they are wanted. */
function soundOf(slug: string): { element: HTMLElement; play: Player["play"] } {
  let playing: Player | undefined;
  const wanted: Preference = preference("sound", async () => {
    const { player } = await loaded(() => import("./sounds.ts"));
    // The box may have changed meanwhile.
    if (wanted.isOn) {
      playing ??= player(slug);
    } else {
      playing?.close();
      playing = undefined;
    }
  });
  return {
    element: wanted.element,
    play: (commit) => playing?.play(commit),
  };
}

function moreAbout(
  people: Company | undefined,
  ...preferences: Child[]
): { element: HTMLElement; verify: HTMLElement } {
  const verify = h("a", { href: `${PATH}/verify/?game=${id}`, hidden: true }, say("verify.link"));
  const element = h(
    "nav",
    { class: "game-links", "aria-label": say("table.links") },
    h("a", { href: `${PATH}/games/${id}/replay/` }, say("replay.link")),
    verify,
    people?.exits,
    ...preferences,
  );
  return { element, verify };
}
