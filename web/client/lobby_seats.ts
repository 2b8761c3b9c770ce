/** The seats of a lobby, with a menu of what the host may do with each. */
import type { Client, Lobby } from "railbird-client";
import type { Book } from "./calls.ts";
import { confirmed } from "./dialog.ts";
import { h, type Child } from "./dom.ts";
import { action } from "./frame.ts";
import { inWords, nameInWords, say } from "./words.ts";

type Seat = Lobby["seats"][number];
export type Colours = NonNullable<Book["seat_colours"]>;

/** The seat whose menu is open, also after the seats are drawn again. */
let opened: string | null = null;
/** The users whom this page has muted. */
const muted = new Set<string>();

function setMuted(user: string, isMuted: boolean): void {
  if (isMuted) muted.add(user);
  else muted.delete(user);
}

export function seatLines(client: Client, lobby: Lobby, me: string, colours: Colours): HTMLElement[] {
  return Array.from({ length: lobby.capacity }, (_, number) => {
    const seat = lobby.seats.find((one) => one.number === number);
    return seat ? taken(client, lobby, seat, me, colours) : free(client, lobby, number);
  });
}

function free(client: Client, lobby: Lobby, number: number): HTMLElement {
  const isHeld = lobby.held.some((seat) => seat.number === number);
  return h(
    "li",
    { class: "quiet" },
    h("span", {}, say(isHeld ? "lobby.held" : "lobby.free")),
    lobby.your_seat !== null &&
      !isHeld &&
      h("button", { onclick: action(() => client.takeSeat(lobby.id, number)) }, say("lobby.move")),
  );
}

function taken(client: Client, lobby: Lobby, seat: Seat, me: string, colours: Colours): HTMLElement {
  const isMine = seat.user === me;
  const name = h("strong", { class: colours.length ? "player-name" : "" }, nameInWords(seat.name));
  name.style.setProperty("--seat", colours[seat.colour]?.hex ?? "");
  return h(
    "li",
    {},
    h("span", {}, name, isMine && ` ${say("seats.you")}`),
    h("span", { class: "quiet" }, stateOf(lobby, seat)),
    isMine && colours.length > 0 && colourMenu(client, lobby, seat, colours),
    lobby.host === me && !isMine && menu(client, lobby, seat),
  );
}

/** The colours of the game. Those of other people cannot be chosen. */
function colourMenu(client: Client, { id, seats }: Lobby, mine: Seat, colours: Colours): HTMLElement {
  const isTaken = (colour: number): boolean =>
    seats.some((seat) => seat.colour === colour && seat.user !== null && seat !== mine);
  const chosen: HTMLSelectElement = h(
    "select",
    { "aria-label": say("lobby.colour"), onchange: action(() => client.takeColour(id, Number(chosen.value))) },
    ...colours.map(({ name }, colour) =>
      h("option", { value: colour, selected: colour === mine.colour, disabled: isTaken(colour) }, inWords(name)),
    ),
  );
  return chosen;
}

function stateOf({ host }: Lobby, { is_bot, user, is_ready }: Seat): string {
  if (is_bot) return say("lobby.bot");
  if (user === host) return say("lobby.host");
  return is_ready ? say("lobby.is_ready") : say("lobby.is_not_ready");
}

function menu(client: Client, { id, your_seat }: Lobby, { number, user, name, is_bot }: Seat): HTMLElement {
  const shown = nameInWords(name);
  const item = (key: "remove" | "ban" | "host" | "swap", work: () => Promise<unknown>): Child =>
    h("button", { onclick: action(work) }, say(`lobby.menu.${key}`));
  const ban = async (): Promise<void> => {
    if (await confirmed(say("lobby.menu.ban.consequence", { name: shown }), say("lobby.menu.ban")))
      await client.ban(id, user!);
  };
  const talk = async (): Promise<void> => {
    const wasMuted = muted.has(user!);
    setMuted(user!, !wasMuted); // at once: the event may draw the seats before the answer
    try {
      await (wasMuted ? client.unmute(id, user!) : client.mute(id, user!));
    } catch (error) {
      setMuted(user!, wasMuted);
      throw error;
    } finally {
      mute.textContent = muteText();
    }
  };
  const muteText = (): string => say(muted.has(user!) ? "lobby.menu.unmute" : "lobby.menu.mute");
  const mute = h("button", { onclick: action(talk) }, muteText());
  const key = user ?? String(number);
  const element = h(
    "details",
    { class: "lobby-menu", open: opened === key },
    h("summary", { "aria-label": say("lobby.menu", { name: shown }) }, "•••"),
    h(
      "div",
      { class: "actions" },
      your_seat !== null && item("swap", () => client.swapSeats(id, { seats: [your_seat, number] })),
      item("remove", () => client.removeSeat(id, number)),
      !is_bot && item("host", () => client.handOver(id, { user: user! })),
      !is_bot && mute,
      !is_bot && item("ban", ban),
    ),
  );
  element.addEventListener("toggle", () => {
    if (element.open) opened = key;
    else if (opened === key && element.isConnected) opened = null;
  });
  return element;
}
