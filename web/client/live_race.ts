/** A race that runs now, to watch on the start page. */
import { ServerError, type Client } from "railbird-client";
import type { Game } from "railbird-client/games/ready_set_bet";
import { Caller } from "./calls.ts";
import { inTheirColours } from "./colours.ts";
import { loaded } from "./connection.ts";
import { h, redraw, type Child } from "./dom.ts";
import { follow } from "./follow.ts";
import { PATH } from "./path.ts";
import { picture } from "./pictures.ts";
import { nameInWords, say } from "./words.ts";
import type { Book } from "./ready_set_bet/game.ts";

/** The place of the race, of the same size whether or not one runs: nothing below it ever moves. */
export const race = h("div", { class: "live-race" }, ...noRace());
let isShown = false;

function noRace(): Child[] {
  return [picture("ready_set_bet"), h("p", { class: "quiet live-about" }, say("start.no_race"))];
}

/** Show the track of this game until the game ends. */
export function showRace(client: Client, game: string): void {
  if (isShown) return;
  isShown = true;
  void followRace(client, game)
    // The page is whole without it: for instance, the game has ended meanwhile.
    .catch((error: unknown) => {
      if (!(error instanceof ServerError)) throw error;
    })
    .finally(() => {
      isShown = false;
      redraw(race, null, noRace);
    });
}

async function followRace(client: Client, id: string): Promise<void> {
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
  redraw(race, id, () => [track.element, h("p", { class: "live-about" }, about, watch)]);
  await follow<Game>(client, id, client.table<Game>(id), {
    onView({ view }): void {
      track.show(view);
      const race = say("race", { race: view.race, races: view.options.races ?? 4 });
      about.textContent = `${race} · ${players.join(", ")}`;
    },
    onCommit: () => undefined,
  });
}
