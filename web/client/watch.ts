/** A game as its spectators would see it, drawn for an operator who has named a reason. */
import { Client, type View } from "railbird-client";
import { fail } from "./connection.ts";
import { h } from "./dom.ts";
import { draw, drawingOf, type Drawn } from "./drawings.ts";
import { showLoading, showPage } from "./frame.ts";
import type { AnyGame } from "./game_page.ts";
import { PATH } from "./path.ts";
import { say } from "./words.ts";

type Watched = { game: Drawn } & Pick<View<AnyGame>, "version" | "ended" | "view">;

const { game, ...view }: Watched = JSON.parse(document.getElementById("watched")!.textContent!);
void main();

async function main(): Promise<void> {
  showLoading(say("connecting"));
  try {
    // Book and titles are public, so that this needs no user.
    const shown = await drawingOf(new Client(location.origin + PATH, ""), game);
    const page = draw(shown, { play: async () => false, legal: async () => [] });
    document.documentElement.classList.add("replayed"); // without controls
    page.showView({ ...view, nextAt: null, now: new Date() });
    showPage(
      shown.title,
      h("h1", {}, shown.title),
      h("p", { class: "quiet" }, say("watch.as_spectator", { version: view.version }), " ", h("a", { href: location.href }, say("watch.again"))),
      page.element,
    );
  } catch (error) {
    fail(error);
  }
}
