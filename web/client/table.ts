/** The page of a game, to play or to watch. */
import type { View } from "railbird-client";
import { company, lobbyOf, type Company } from "./company.ts";
import { end, fail, persist, watch } from "./connection.ts";
import { h } from "./dom.ts";
import { draw, load } from "./drawings.ts";
import { follow } from "./follow.ts";
import { showPage } from "./frame.ts";
import type { AnyGame } from "./game_page.ts";
import { firstCards } from "./learn.ts";
import { moment } from "./moment.ts";
import { parts, PATH } from "./path.ts";
import { signIn } from "./session.ts";
import { say } from "./words.ts";

const COMMANDS_MAX = 500;

const id = parts[2]!;
void main();

async function main(): Promise<void> {
  showPage(say("connecting"));
  try {
    const client = await signIn();
    const shown = await load(client, id);
    const { game, title } = shown;
    const lobby = await lobbyOf(client, shown);
    const people = lobby && company(client, shown, lobby);
    const table = client.table<AnyGame>(id);
    const actions = {
      play: async (command: AnyGame["command"]) => void (await table.play(command)),
      legal: async () => (await persist(() => table.legalCommands(COMMANDS_MAX))).commands,
    };
    const page = draw(shown, actions, people?.element);
    const { guide } = shown.book;
    if (guide) page.element.firstElementChild!.after(firstCards(game.slug, guide) ?? "");
    const links = moreAbout(people);
    showPage(title, h("h1", { class: "unseen" }, title), page.element, links.element);
    page.onTurn = (isMine) => (document.title = `${isMine ? `● ${say("turn")} · ` : ""}${title} · Railbird`);
    const leave = watch(table);
    page.element.hidden = true; // until there is something to show
    await follow(client, id, table, {
      onView(view: View<AnyGame>): void {
        page.showView(view);
        page.element.hidden = false;
        if (!view.ended) return;
        leave(); // the server closes the socket
        people?.end();
        if (view.ended === "voided") end(say("table.voided"));
      },
      onCommit: page.showCommit,
    });
    links.verify.hidden = false;
    const last = await moment(client, id, () => people?.again() ?? null);
    if (last) page.element.firstElementChild!.after(last);
  } catch (error) {
    fail(error);
  }
}

function moreAbout(people: Company | undefined): { element: HTMLElement; verify: HTMLElement } {
  const verify = h("a", { href: `${PATH}/verify/?game=${id}`, hidden: true }, say("verify.link"));
  const element = h(
    "nav",
    { class: "game-links", "aria-label": say("table.links") },
    h("a", { href: `${PATH}/games/${id}/replay/` }, say("replay.link")),
    verify,
    people?.exits,
  );
  return { element, verify };
}
