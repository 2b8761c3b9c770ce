/** The page of a lobby: seats, bots and the start. It leads to the game. */
import type { Client, Lobby } from "railbird-client";
import { chat } from "./chat.ts";
import { end, fail, watch } from "./connection.ts";
import { h, redraw, type Child } from "./dom.ts";
import { action, showPage, tell } from "./frame.ts";
import { picture } from "./pictures.ts";
import { signIn } from "./session.ts";
import { goToGame } from "./tables.ts";
import { inWords, nameInWords, say } from "./words.ts";

const id = location.pathname.split("/")[2]!;
const heading = h("h1", {}, say("lobby.title"));
const game = h("p", { class: "lobby-game" });
const seats = h("ol", { class: "tables" });
const status = h("p", { class: "quiet", role: "status" });
const invitation = h("p", { class: "quiet invitation" });
const actions = h("div", { class: "actions" });
const talk = h("div", {});
let starting: Promise<unknown> = Promise.resolve();

showPage(
  say("lobby.title"),
  h(
    "section",
    { class: "narrow" },
    heading,
    game,
    h("p", { class: "quiet" }, say("lobby.lead")),
    seats,
    status,
    invitation,
    actions,
    talk,
  ),
);
void main();

async function main(): Promise<void> {
  try {
    const client = await signIn();
    const me = (await client.me()).id;
    const { slug } = await client.returnTo(await client.getLobby(id));
    const rules = (await client.listRules()).find((one) => one.slug === slug);
    const title = rules ? inWords(rules.title) : slug;
    game.replaceChildren(picture(slug), h("strong", {}, title));
    const room = client.room(id);
    const leave = watch(room);
    const messages = chat(client, id);
    messages.show(await client.listLobbyEvents(id));
    talk.replaceChildren(messages.element);
    for await (const news of room) {
      if (news.type !== "news") continue;
      heading.textContent = news.lobby.title || title;
      messages.show(news);
      if (news.lobby.game) {
        await starting; // it also checks how the game began
        return goToGame(news.lobby.game);
      }
      show(client, news.lobby, me, rules?.seats.least ?? 1);
    }
    leave();
    actions.replaceChildren();
    end(say("lobby.closed"));
  } catch (error) {
    fail(error);
  }
}

function show(client: Client, lobby: Lobby, me: string, least: number): void {
  status.textContent = lobby.status === "starting" ? say("lobby.starting") : "";
  const isHost = lobby.host === me;
  const mine = lobby.seats.find(({ user }) => user === me);
  redraw(seats, lobby.version, () =>
    Array.from({ length: lobby.capacity }, (_, number) => {
      const seat = lobby.seats.find((one) => one.number === number);
      if (!seat) return h("li", { class: "quiet" }, say("lobby.free"));
      const state = seat.is_bot
        ? say("lobby.bot")
        : seat.user === lobby.host
          ? say("lobby.host")
          : seat.is_ready
            ? say("lobby.is_ready")
            : "";
      const name = h("span", {}, h("strong", {}, nameInWords(seat.name)), seat === mine && ` ${say("seats.you")}`);
      return h("li", {}, name, h("span", { class: "quiet" }, state));
    }),
  );
  redraw(actions, lobby.version, () => {
    const buttons: Child[] = [];
    const add = (text: string, work: () => Promise<unknown>, disabled = false, kind = ""): void => {
      buttons.push(h("button", { class: kind, disabled, onclick: action(work) }, text));
    };
    const isFull = lobby.seats.length >= lobby.capacity;
    if (!mine) add(say("start.join"), () => client.joinLobby(id), isFull, "primary");
    if (isHost) {
      const isTooFew = lobby.seats.length < least;
      add(say("lobby.start"), () => start(client), isTooFew, isTooFew ? "" : "primary");
      add(say("lobby.add_bot"), () => client.addBot(id), isFull, isTooFew ? "primary" : "");
    } else if (mine) {
      const ready = !mine.is_ready;
      const text = ready ? say("lobby.ready") : say("lobby.not_ready");
      add(text, () => client.setReady(id, { ready }), false, ready ? "primary" : "");
    }
    if (mine) add(say("lobby.leave"), () => client.leaveLobby(id).then(() => location.assign("/")));
    add(say("lobby.invite"), async () => {
      await navigator.clipboard.writeText(invitationTo(lobby));
      tell(say("lobby.copied"));
    });
    return buttons;
  });
  redraw(invitation, lobby.version, () => [
    lobby.visibility === "public"
      ? say("lobby.public")
      : lobby.visibility === "unlisted"
        ? say("lobby.unlisted")
        : say("lobby.by_code"),
    lobby.visibility === "invite" && lobby.invite_code && h("code", {}, lobby.invite_code),
  ]);
}

/** The address for those who may join. By invitation, it is the start page with the code. */
function invitationTo({ visibility, invite_code }: Lobby): string {
  return visibility === "invite" ? `${location.origin}/?code=${invite_code ?? ""}` : location.href;
}

function start(client: Client): Promise<unknown> {
  const work = client.startGame(id);
  starting = work.catch(() => undefined); // the button shows why it failed
  return work;
}
