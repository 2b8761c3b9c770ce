/** The people at a table: chat beside the game, who is away, and the next game with the same people. */
import type { Client, Lobby, Presence } from "railbird-client";
import { hasShown } from "./bell.ts";
import { chat } from "./chat.ts";
import { persist } from "./connection.ts";
import { confirmed, withdraw } from "./dialog.ts";
import { h, redraw, type Child } from "./dom.ts";
import { action } from "./frame.ts";
import type { Shown } from "./drawings.ts";
import { isScreen, PATH } from "./path.ts";
import { namesIn } from "./second_person.ts";
import { goToLobby, playAgain } from "./tables.ts";
import { listed, nameInWords, say } from "./words.ts";

export interface Company {
  element: HTMLElement;
  /** Buttons for the time after the game. */
  again(): Child;
  /** Buttons to give up or leave a game that runs. */
  exits: HTMLElement;
  /** Whether a bot plays the user's seat to the end. */
  hasForfeited(): boolean;
  /** The game has ended. */
  end(): void;
}

/** Follow the room of a game. A user who may not see it gets none of this. */
export function company(client: Client, { game }: Shown, lobby: Lobby): Company {
  const messages = chat(client, lobby.id, mayWrite(game.your_seat, lobby));
  const away = h("p", { class: "quiet", role: "status" });
  const watching = h("p", { class: "quiet" });
  const next = h("div", { class: "actions" });
  const isSeated = game.your_seat !== null;
  let forfeited = new Set(game.forfeited);
  const hasForfeited = (): boolean => isSeated && forfeited.has(game.your_seat!);

  const offerRematch = (rematch: string): void =>
    redraw(next, rematch, () => [
      h("p", {}, say("again.open")),
      h("button", { class: "primary", onclick: action(async () => join()) }, say("again.join")),
    ]);
  const join = async (): Promise<void> => goToLobby((await client.rematch(lobby.id)).id);
  const follow = async (): Promise<void> => {
    if (lobby.rematch && isSeated) offerRematch(lobby.rematch);
    const room = client.room(lobby.id, { after: 0 });
    for await (const news of room) {
      if (news.type === "presence") {
        forfeited = new Set(news.people.filter((one) => one.forfeited).map(({ seat }) => seat));
        exits.hidden = hasForfeited();
        const bots = news.people.filter(({ bot_plays }) => bot_plays);
        const gone = news.people.filter(({ connected, bot_plays }) => !connected && !bot_plays);
        away.textContent = [awayInWords("away.bot", bots), awayInWords("away", gone)].join(" ");
        watching.textContent = spectatorsInWords(news);
      } else {
        messages.show(news);
        const { rematch } = news.lobby;
        if (rematch && isScreen) goToLobby(rematch);
        else if (rematch && isSeated) offerRematch(rematch);
      }
    }
  };
  const awayInWords = (key: "away" | "away.bot", people: { seat: number }[]): string => {
    const names = namesIn(game, people.map(({ seat }) => seat));
    return names.length ? say(key, { names: listed(names) }) : "";
  };
  // The table needs no room.
  void follow().catch(() => messages.close());

  const resign = async (): Promise<void> => {
    if (!(await confirmed(say("exits.resign.consequence"), say("exits.resign")))) return;
    await client.resign(game.id);
    hasShown(game.id, "seat_replaced");
    location.assign(`${PATH}/`);
  };
  const leave = async (): Promise<void> => {
    const consequence = say(`exits.leave.${lobby.absence}`, { seconds: lobby.absence_s });
    if (await confirmed(consequence, say("exits.leave"))) location.assign(`${PATH}/`);
  };
  const exits = h("div", { class: "actions" });
  if (isSeated && !hasForfeited())
    exits.append(
      h("button", { onclick: action(leave) }, say("exits.leave")),
      h("button", { onclick: action(resign) }, say("exits.resign")),
    );
  const others = game.seats.filter(({ is_bot }) => !is_bot).length > 1;
  // A table has its bots by their names: they are the same at the next one.
  const names = listed(game.seats.filter(({ number }) => number !== game.your_seat).map(({ name }) => nameInWords(name)));
  return {
    element: h("aside", { class: "company", "aria-label": say("company") }, next, away, watching, messages.element),
    exits,
    hasForfeited,
    again: () =>
      isSeated &&
      h(
        "button",
        { class: "primary", onclick: action(others ? join : () => playAgain(client, lobby)) },
        say("results.again", { names }),
      ),
    end(): void {
      exits.replaceChildren();
      withdraw(); // a question about a game that has ended is none
    },
  };
}

/** How many watch; nothing if nobody does. */
function spectatorsInWords({ spectators }: Presence): string {
  return spectators ? say("spectators", { spectators }) : "";
}

function mayWrite(seat: number | null, { spectators }: Lobby): boolean {
  return seat !== null || spectators === "chat";
}

/** The lobby of a game; none for a spectator who may not see it. */
export async function lobbyOf(client: Client, { game }: Shown): Promise<Lobby | undefined> {
  return persist(() => client.getLobby(game.lobby)).catch(() => undefined);
}
