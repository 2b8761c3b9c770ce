/** The page of a lobby: seats, bots and the start. It leads to the game. */
import { decidedWithinMs, RevealedInVain, ServerError, type Client, type Lobby, type Presence } from "railbird-client";
import type { RulesInFull } from "railbird-client/models";
import type { Book } from "./calls.ts";
import { chat } from "./chat.ts";
import { end, fail, watch } from "./connection.ts";
import { confirmed } from "./dialog.ts";
import { h, redraw, type Child } from "./dom.ts";
import { action, attempt, loading, showPage, tell } from "./frame.ts";
import { openRules } from "./learn.ts";
import { barredIn, barredLines, isReady, seatLines, type Barred, type Colours } from "./lobby_seats.ts";
import { isScreen, parts, PATH } from "./path.ts";
import { qr } from "./qr.ts";
import { roundTable } from "./round_table.ts";
import { signIn } from "./session.ts";
import { goToGame } from "./tables.ts";
import { termsInWords } from "./terms.ts";
import { inWords, language, listed, nameAt, nameInWords, say } from "./words.ts";

const id = parts[2]!;
const heading = h("h1", {}, say("lobby.title"));
const waiting = loading();
const game = h("p", { class: "lobby-game" });
const above = h("div", {});
const seats = h("ol", { class: "tables" });
const barred = h("ul", { class: "tables", "aria-label": say("lobby.barred") });
const status = h("p", { class: "quiet", role: "status" });
const away = h("div", { class: "quiet", role: "status" });
const inVain = h("div", { role: "alert" });
const overdue = h("div", { role: "alert" });
const invitation = h("p", { class: "quiet invitation" });
const code = h("details", { class: "qr-code", open: isScreen });
const actions = h("div", { class: "actions" });
const terms = h("ul", { class: "terms" });
const played = h("section", { class: "panel" }, h("h2", {}, say("terms.title")), terms);
const talk = h("div", { class: "talk" });
/** The events after which others are muted or banned, or another user sees who is. */
const CHANGES_BARRED = new Set(["muted", "unmuted", "banned", "unbanned", "host_changed"]);
/** How much longer than its terms allow a start may take before the page says so. */
const GRACE_MS = 10_000;
const LONGEST_MS = 2 ** 31 - 1;
let late: number | undefined;
/** The attempt to start that the page awaits, by the hash of its opening. */
let awaited: string | undefined;
let starting: Promise<unknown> = Promise.resolve();

showPage(
  say("lobby.title"),
  h(
    "section",
    { class: "narrow lobby waits" },
    heading,
    waiting,
    game,
    status,
    inVain,
    overdue,
    actions,
    above,
    seats,
    barred,
    away,
    invitation,
    code,
    played,
    talk,
  ),
);
void main();

async function main(): Promise<void> {
  try {
    const client = await signIn();
    const me = (await client.me()).id;
    let lobby = await client.getLobby(id);
    let people: Presence["people"] = [];
    let known: Barred | undefined;
    await addEntropy(client, lobby);
    const { slug } = lobby;
    const [rules, book] = await Promise.all([client.getRules(slug), client.getBook(slug)]);
    const { seat_colours: colours = [], guide } = book as Book;
    const title = inWords(rules.title);
    const name = h("strong", {}, title);
    const learn = guide && h("button", { class: "link", onclick: () => openRules(title, guide) }, say("learn.open"));
    game.replaceChildren(h("span", {}, name, " ", guide && inWords(guide.summary), " ", learn));
    const room = client.room(id, { after: 0 });
    const leave = watch(room);
    const messages = chat(client, id);
    talk.replaceChildren(messages.element);
    for await (const news of room) {
      if (news.type === "presence") {
        people = news.people;
        showAway(lobby.seats, people);
        continue;
      }
      ({ lobby } = news);
      showAway(lobby.seats, people);
      heading.textContent = news.lobby.title || title;
      name.hidden = !news.lobby.title; // the heading says it
      messages.show(news);
      if (news.lobby.game) {
        await starting; // it also checks how the game began
        return goToGame(news.lobby.game);
      }
      if (!known || news.events.some(({ event }) => CHANGES_BARRED.has(event.type))) known = await barredIn(client, lobby, me);
      show(client, news.lobby, me, rules, colours, known);
      awaitStart(client, news.lobby);
      void attempt(() => addEntropy(client, news.lobby));
    }
    leave();
    actions.replaceChildren();
    end(say("lobby.closed"));
  } catch (error) {
    if (!(error instanceof ServerError) || error.code !== "not_found") return fail(error);
    const wasShown = seats.hasChildNodes();
    heading.parentElement!.replaceChildren(heading); // the rest promises what cannot be
    end(say(wasShown ? "lobby.gone" : "lobby.hidden"));
  }
}

function show(client: Client, lobby: Lobby, me: string, { seats: { least }, json_schema: schema }: RulesInFull, colours: Colours, known: Barred): void {
  const isHost = lobby.host === me;
  redraw(status, lobby.version, () => [waitsFor(lobby, least, isHost)]);
  const mine = lobby.seats.find(({ user }) => user === me);
  redraw(above, lobby.version, () => [roundTable(lobby, colours)]);
  redraw(seats, lobby.version, () => seatLines(client, lobby, me, colours, known));
  redraw(barred, [lobby.seats, known], () => barredLines(client, lobby, known));
  waiting.remove();
  heading.parentElement!.classList.remove("waits");
  redraw(terms, lobby.version, () => termsInWords(lobby, schema).map((term) => h("li", {}, term)));
  redraw(actions, lobby.version, () => {
    const buttons: Child[] = [];
    const add = (text: string, work: () => Promise<unknown>, disabled = false, kind = "", isOff = false): void => {
      const press = async (): Promise<void> => {
        button.className = ""; // it is no longer the next press
        await work().catch((error: unknown) => {
          button.className = kind;
          throw error;
        });
      };
      const button = h("button", { class: kind, disabled, "aria-disabled": isOff && "true", onclick: action(press) }, text);
      buttons.push(button);
    };
    // A start that is under way allows no change. The button keeps the focus, so that a second press meets no other.
    const isStarting = lobby.status === "starting";
    const change: typeof add = (text, work, disabled, kind) =>
      isStarting ? add(text, async () => tell(say("lobby.starting")), disabled, "", true) : add(text, work, disabled, kind);
    const isFull = lobby.seats.length >= lobby.capacity;
    if (!mine) change(say("start.join"), () => client.joinLobby(id), isFull, "primary");
    if (isHost) {
      const isTooFew = lobby.seats.length < least;
      const mayStart = !isTooFew && !unready(lobby).length;
      change(say("lobby.start"), () => start(client), !mayStart, mayStart ? "primary" : "");
      change(say("lobby.add_bot"), () => client.addBot(id), isFull, isTooFew ? "primary" : "");
    } else if (mine) {
      const ready = !mine.is_ready;
      const text = ready ? say("lobby.ready") : say("lobby.not_ready");
      change(text, () => client.setReady(id, { ready }), false, ready ? "primary" : "");
    }
    if (mine) add(say("lobby.leave"), () => leave(client, isHost));
    add(say("lobby.invite"), async () => {
      await navigator.clipboard.writeText(invitationTo(lobby));
      tell(say("lobby.copied"));
    });
    buttons.push(h("a", { class: "button", href: "?screen", target: "_blank" }, say("lobby.screen")));
    if ("share" in navigator) add(say("lobby.share"), () => share(lobby));
    return buttons;
  });
  redraw(code, invitationTo(lobby), () => qrCode(lobby));
  redraw(invitation, lobby.version, () => [
    lobby.visibility === "public"
      ? say("lobby.public")
      : lobby.visibility === "unlisted"
        ? say("lobby.unlisted")
        : say("lobby.by_code"),
    lobby.visibility === "invite" && lobby.invite_code && h("code", {}, lobby.invite_code),
  ]);
}

/** Show who is away, and until when they keep their seats. */
function showAway(seats: Lobby["seats"], people: Presence["people"]): void {
  const gone = people.filter(({ connected, seat_until }) => !connected && seat_until);
  redraw(away, [seats, gone], () =>
    gone.map(({ seat, seat_until }) => {
      const time = new Date(seat_until!).toLocaleTimeString(language, { timeStyle: "short" });
      return h("p", {}, say("lobby.away", { name: nameAt(seats, seat), time }));
    }),
  );
}

/** The invitation as a QR code, for people in the same room. */
function qrCode(lobby: Lobby): Child[] {
  const drawn = qr(invitationTo(lobby), say("lobby.qr.label"));
  return drawn ? [h("summary", {}, say("lobby.qr")), drawn] : [];
}

/** Add entropy for the seat of this user. After too many starts that were given up, the user decides. */
async function addEntropy(client: Client, lobby: Lobby): Promise<void> {
  try {
    await client.returnTo(lobby);
  } catch (error) {
    if (!(error instanceof RevealedInVain)) throw error;
    inVain.replaceChildren(
      h("p", {}, say("refused.revealed_in_vain")),
      h("button", { class: "primary", onclick: action(() => goOn(client)) }, say("lobby.go_on")),
    );
  }
}

async function goOn(client: Client): Promise<void> {
  client.goOn();
  inVain.replaceChildren();
  await addEntropy(client, await client.getLobby(id));
}

/** Tell the user of a start that takes longer than its terms allow: an event was lost, or the server does not decide. */
function awaitStart(client: Client, { status, opening }: Lobby): void {
  const current = status === "starting" ? opening.hash : undefined;
  if (current === awaited) return;
  awaited = current;
  clearTimeout(late);
  overdue.replaceChildren();
  if (current === undefined) return;
  late = setTimeout(() => void attempt(() => showOverdue(client)), Math.min(decidedWithinMs(opening) + GRACE_MS, LONGEST_MS));
}

async function showOverdue(client: Client): Promise<void> {
  const { status, opening, game: started } = await client.getLobby(id).finally(() =>
    overdue.replaceChildren(
      h("p", {}, say("refused.start_overdue")),
      h("button", { class: "primary", onclick: action(() => showOverdue(client)) }, say("lobby.look_again")),
    ),
  );
  if (started) return goToGame(started);
  if (status !== "starting" || opening.hash !== awaited) location.reload();
}

/** Why the game does not start yet. */
function waitsFor(lobby: Lobby, least: number, isHost: boolean): string {
  const { status, seats, start_when_full, capacity } = lobby;
  if (status === "starting") return say("lobby.starting");
  if (start_when_full && seats.length < capacity)
    return say("lobby.needs_full", { players: capacity - seats.length });
  if (seats.length < least) return say("lobby.needs", { players: least - seats.length });
  const names = unready(lobby);
  if (names.length) return say("lobby.unready", { names: listed(names) });
  return say(isHost ? "lobby.you_can_start" : "lobby.can_start");
}

/** The players for whom the host has to wait. */
function unready(lobby: Lobby): string[] {
  return lobby.seats.filter((seat) => !isReady(lobby, seat)).map(({ name }) => nameInWords(name));
}

/** The address for those who may join. By invitation, it is the start page with the code. */
function invitationTo({ visibility, invite_code }: Lobby): string {
  return visibility === "invite" ? `${location.origin}${PATH}/?code=${invite_code ?? ""}` : location.origin + location.pathname;
}

async function leave(client: Client, isHost: boolean): Promise<void> {
  if (isHost && !(await confirmed(say("lobby.leave.consequence"), say("lobby.leave")))) return;
  await client.leaveLobby(id);
  location.assign(`${PATH}/`);
}

async function share(lobby: Lobby): Promise<void> {
  const title = heading.textContent ?? "";
  // Closing the sheet is no failure.
  await navigator.share({ title, url: invitationTo(lobby) }).catch(() => undefined);
}

function start(client: Client): Promise<unknown> {
  const work = client.startGame(id);
  starting = work.catch(() => undefined); // the button shows why it failed
  return work;
}
