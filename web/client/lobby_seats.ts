/** The seats of a lobby, with a menu of what the host may do with each. */
import { ServerError, type Client, type Lobby } from "railbird-client";
import type { BannedUser, MutedUser } from "railbird-client/models";
import type { Book } from "./calls.ts";
import { persist } from "./connection.ts";
import { confirmed } from "./dialog.ts";
import { h, type Child } from "./dom.ts";
import { action } from "./frame.ts";
import { isScreen } from "./path.ts";
import { inWords, nameInWords, say } from "./words.ts";

type Seat = Lobby["seats"][number];
export type Colours = NonNullable<Book["seat_colours"]>;

/** The seat whose menu is open, also after the seats are drawn again. */
let opened: string | null = null;

/** A large table lists as many free seats; the others are folded, or shown also after they are drawn again. */
const FREE_SHOWN = 2;
let areShown = false;

/** The users whom the host, who alone knows them, has muted or banned. */
export interface Barred {
  mutes: MutedUser[];
  bans: BannedUser[];
}

/** The mutes and bans of a lobby; none for those who do not host it. */
export async function barredIn(client: Client, { id, host }: Lobby, me: string): Promise<Barred> {
  // The room reads a big screen, and needs not know.
  if (host !== me || isScreen) return { mutes: [], bans: [] };
  try {
    const [mutes, bans] = await persist(() => Promise.all([client.listMutes(id), client.listBans(id)]));
    return { mutes, bans };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return { mutes: [], bans: [] }; // another user has become the host
  }
}

export function seatLines(client: Client, lobby: Lobby, me: string, colours: Colours, { mutes }: Barred): HTMLElement[] {
  const lines = Array.from({ length: lobby.capacity }, (_, number) => {
    const seat = lobby.seats.find((one) => one.number === number);
    const mute = mutes.find(({ user }) => user === seat?.user);
    return seat ? taken(client, lobby, seat, me, colours, mute) : free(client, lobby, number);
  });
  const last = Math.max(...[...lobby.seats, ...lobby.held].map(({ number }) => number), 0);
  return folded(lines, last + 1 + FREE_SHOWN);
}

/** Fold the free seats from this place on, if there are several. */
function folded(lines: HTMLElement[], from: number): HTMLElement[] {
  const more = lines.slice(from);
  if (more.length < 2) return lines;
  const title = say("lobby.more_free", { seats: more.length });
  if (isScreen) return [...lines.slice(0, from), h("li", { class: "quiet" }, title)];
  const fold = h("details", { open: areShown }, h("summary", {}, title), h("ol", { class: "tables" }, ...more));
  fold.addEventListener("toggle", () => fold.isConnected && (areShown = fold.open));
  return [...lines.slice(0, from), h("li", { class: "quiet" }, fold)];
}

/** Those who are muted or banned and have no seat, with the way back. */
export function barredLines(client: Client, { id, seats }: Lobby, { mutes, bans }: Barred): HTMLElement[] {
  const away = mutes.filter(({ user }) => !seats.some((seat) => seat.user === user));
  return [
    ...bans.map(({ user, name }) => barredLine("banned", name, () => client.unban(id, user))),
    ...away.map(({ user, name, by_operator }) =>
      by_operator
        ? barredLine("muted_by_operator", name)
        : barredLine("muted", name, () => client.unmute(id, user)),
    ),
  ];
}

function barredLine(kind: "banned" | "muted" | "muted_by_operator", name: string, lift?: () => Promise<unknown>): HTMLElement {
  const shown = nameInWords(name);
  const back = kind === "banned" ? "lobby.unban" : "lobby.menu.unmute";
  return h(
    "li",
    { class: "quiet" },
    h("span", {}, h("strong", {}, shown), ` ${say(`lobby.is_${kind}`)}`),
    lift && h("button", { "aria-label": `${say(back)}: ${shown}`, onclick: action(lift) }, say(back)),
  );
}

function free(client: Client, lobby: Lobby, number: number): HTMLElement {
  const isHeld = lobby.held.some((seat) => seat.number === number);
  return h(
    "li",
    { class: "quiet" },
    h("span", {}, say(isHeld ? "lobby.held" : "lobby.free")),
    lobby.your_seat !== null &&
      !isHeld &&
      !isScreen &&
      h("button", { onclick: action(() => client.takeSeat(lobby.id, number)) }, say("lobby.move")),
  );
}

function taken(client: Client, lobby: Lobby, seat: Seat, me: string, colours: Colours, mute?: MutedUser): HTMLElement {
  const isMine = seat.user === me && !isScreen; // which many people read
  const name = h("strong", { class: colours.length ? "player-name" : "" }, nameInWords(seat.name));
  name.style.setProperty("--seat", colours[seat.colour]?.hex ?? "");
  return h(
    "li",
    {},
    h("span", {}, name, isMine && ` ${say("seats.you")}`),
    h("span", { class: "quiet" }, stateOf(lobby, seat), mute && ` · ${say(mute.by_operator ? "lobby.is_muted_by_operator" : "lobby.is_muted")}`),
    isMine && colours.length > 0 && colourMenu(client, lobby, seat, colours),
    lobby.host === me && !isMine && !isScreen && menu(client, lobby, seat, mute),
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

/** Whether a start waits for nothing of this seat: bots are always ready, and the host starts. */
export function isReady({ host }: Lobby, { is_bot, user, is_ready }: Seat): boolean {
  return is_bot || user === host || is_ready;
}

function stateOf({ host }: Lobby, { is_bot, user, is_ready }: Seat): string {
  if (is_bot) return say("lobby.bot");
  if (user === host) return say("lobby.host");
  return is_ready ? say("lobby.is_ready") : say("lobby.is_not_ready");
}

function menu(client: Client, { id, your_seat }: Lobby, { number, user, name, is_bot }: Seat, mute?: MutedUser): HTMLElement {
  const shown = nameInWords(name);
  const item = (key: "remove" | "ban" | "host" | "swap" | "mute" | "unmute", work: () => Promise<unknown>): Child =>
    h("button", { onclick: action(work) }, say(`lobby.menu.${key}`));
  const ban = async (): Promise<void> => {
    if (await confirmed(say("lobby.menu.ban.consequence", { name: shown }), say("lobby.menu.ban")))
      await client.ban(id, user!);
  };
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
      !is_bot && !mute && item("mute", () => client.mute(id, user!)),
      mute && !mute.by_operator && item("unmute", () => client.unmute(id, user!)),
      !is_bot && item("ban", ban),
    ),
  );
  element.addEventListener("toggle", () => {
    if (element.open) opened = key;
    else if (opened === key && element.isConnected) opened = null;
  });
  return element;
}
