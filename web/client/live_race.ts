/** A race that runs now, to watch on the start page. */
import { ServerError, type Client } from "railbird-client";
import type { Game } from "railbird-client/games/ready_set_bet";
import { Caller } from "./calls.ts";
import { inTheirColours } from "./colours.ts";
import { loaded } from "./connection.ts";
import { h } from "./dom.ts";
import { follow } from "./follow.ts";
import { PATH } from "./path.ts";
import { nameInWords, say } from "./words.ts";
import type { Book } from "./ready_set_bet/game.ts";

/** Show the track of this game in the element until the game ends. */
export function showRace(client: Client, game: string, element: HTMLElement): void {
  element.hidden = false;
  void followRace(client, game, element)
    // The page is whole without it: for instance, the game has ended meanwhile.
    .catch((error: unknown) => {
      if (!(error instanceof ServerError)) throw error;
    })
    .finally(() => {
      element.hidden = true;
      element.replaceChildren();
    });
}

async function followRace(client: Client, id: string, element: HTMLElement): Promise<void> {
  const [{ trackPart }, book, { seats }] = await Promise.all([
    loaded(() => import("./ready_set_bet/track.ts")),
    client.getBook("ready_set_bet"),
    client.getGame(id),
  ]);
  const players = seats.map(({ name }) => nameInWords(name));
  const printed = inTheirColours(book as unknown as Book, seats);
  const track = trackPart({ book: printed, caller: new Caller(printed, players), players, seat: null });
  const about = h("p", { class: "quiet" });
  const watch = h("a", { class: "button", href: `${PATH}/games/${id}/` }, say("start.watch_one"));
  element.replaceChildren(track.element, h("p", { class: "live-about" }, about, watch));
  await follow<Game>(client, id, client.table<Game>(id), {
    onView({ view }): void {
      track.show(view);
      const race = say("race", { race: view.race, races: view.options.races ?? 4 });
      about.textContent = `${race} · ${players.join(", ")}`;
    },
    onCommit: () => undefined,
  });
}
