/** The page of a game, to play or to watch. */
import { end, fail, persist, watch } from "./connection.ts";
import { h } from "./dom.ts";
import { draw, load } from "./drawings.ts";
import { follow } from "./follow.ts";
import { action, showPage } from "./frame.ts";
import type { AnyGame } from "./game_page.ts";
import { signIn } from "./session.ts";
import { playAgainstBots } from "./tables.ts";
import { inWords, say } from "./words.ts";

const COMMANDS_MAX = 500;

const id = location.pathname.split("/")[2]!;
void main();

async function main(): Promise<void> {
  showPage(say("connecting"));
  try {
    const client = await signIn();
    const shown = await load(client, id);
    const { rules, game } = shown;
    const table = client.table<AnyGame>(id);
    const page = draw(shown, {
      play: async (command) => void (await table.play(command)),
      legal: async () => (await persist(() => table.legalCommands(COMMANDS_MAX))).commands,
      again: action(async () => rules && playAgainstBots(client, rules)),
    });
    const title = rules ? inWords(rules.title) : game.slug;
    const verify = h("a", { href: `/verify/?game=${id}`, hidden: true }, say("verify.link"));
    const links = h(
      "nav",
      { class: "game-links", "aria-label": say("table.links") },
      h("a", { href: `/games/${id}/replay/` }, say("replay.link")),
      verify,
    );
    showPage(title, h("h1", { class: "unseen" }, title), page.element, links);
    const leave = watch(table);
    page.element.hidden = true; // until there is something to show
    await follow(client, id, table, {
      onView(view): void {
        page.showView(view);
        page.element.hidden = false;
        if (view.ended) leave(); // the server closes the socket
        if (view.ended === "voided") end(say("table.voided"));
      },
      onCommit: page.showCommit,
    });
    verify.hidden = false;
  } catch (error) {
    fail(error);
  }
}
