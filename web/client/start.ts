/** The start page: the games, the open tables, and the games to watch. */
import type { Client, Lobby } from "railbird-client";
import type { Game, Rules } from "railbird-client/models";
import { aboutServer } from "./about.ts";
import { fail, watch } from "./connection.ts";
import { h, redraw, type Child } from "./dom.ts";
import { action, showPage } from "./frame.ts";
import { picture } from "./pictures.ts";
import { signIn } from "./session.ts";
import { goToGame, goToLobby, playAgainstBots } from "./tables.ts";
import { inWords, nameInWords, say } from "./words.ts";

const GAMES_AGAIN_MS = 5000;

const status = h("p", { class: "status", role: "status" }, say("connecting"));
const games = h("div", { class: "games" });
const lobbies = h("ul", { class: "tables" });
const running = h("ul", { class: "tables" });
const links = h("ul", { class: "links" });
const code = h("input", {
  id: "code",
  maxlength: 12,
  pattern: "[0-9A-Za-z]+",
  autocapitalize: "characters",
  autocomplete: "off",
  required: true,
  value: new URLSearchParams(location.search).get("code"),
});
const invitation = h(
  "form",
  { class: "invitation" },
  h("label", { for: "code" }, say("start.code")),
  code,
  h("button", { class: code.value ? "primary" : "" }, say("start.join")),
);

showPage(
  say("start.title"),
  h(
    "section",
    { class: "hero" },
    h("h1", {}, say("start.title")),
    h("p", {}, say("start.lead")),
    status,
    invitation,
  ),
  h("section", {}, h("h2", {}, say("start.games")), games),
  h(
    "div",
    { class: "columns" },
    h("section", {}, h("h2", {}, say("start.open")), lobbies),
    h("section", {}, h("h2", {}, say("start.watch")), running),
  ),
  h("section", {}, h("h2", {}, say("start.more")), links),
);
void showLinks().catch(fail);
void main();

async function main(): Promise<void> {
  try {
    const client = await signIn();
    const [rules] = await Promise.all([client.listRules(), client.ready()]);
    const join = action(() => joinByCode(client));
    invitation.addEventListener("submit", (event) => {
      event.preventDefault();
      join();
    });
    status.textContent = say("start.ready");
    status.dataset["kind"] = "good";
    const titles = new Map(rules.map(({ slug, title }) => [slug, inWords(title)]));
    games.replaceChildren(...rules.map((about) => gameCard(client, about)));
    void keepGames(client, titles).catch(fail);
    const open = client.lobbies();
    watch(open);
    for await (const found of open) showLobbies(client, found, titles);
  } catch (error) {
    fail(error);
  }
}

async function joinByCode(client: Client): Promise<void> {
  const { id, game } = await client.joinByCode({ invite_code: code.value });
  if (game) goToGame(game);
  else goToLobby(id);
}

/** Ask the server what it offers; the documentation may not be built. */
async function showLinks(): Promise<void> {
  const { links: addresses } = await aboutServer();
  const known = {
    documentation: say("start.docs"),
    sdks: say("start.sdks"),
    reference: say("start.reference"),
    sockets: say("sockets.title"),
    graphql: say("start.graphql"),
    admin: say("start.admin"),
  };
  for (const [name, text] of Object.entries(known))
    if (addresses[name]) links.append(h("li", {}, h("a", { href: addresses[name] }, text)));
}

function gameCard(client: Client, rules: Rules): HTMLElement {
  const { slug, title, seats } = rules;
  const play = h(
    "button",
    { class: "primary", onclick: action(() => playAgainstBots(client, rules)) },
    say("start.play"),
  );
  return h(
    "article",
    { class: "card", "aria-labelledby": `game-${slug}` },
    picture(slug),
    h("h3", { id: `game-${slug}` }, inWords(title)),
    h("p", { class: "quiet" }, say("seats", { least: seats.least, most: seats.most })),
    play,
    h("a", { class: "button", href: `/open/?game=${slug}` }, say("start.new_table")),
  );
}

function showLobbies(client: Client, open: Lobby[], titles: Map<string, string>): void {
  redraw(
    lobbies,
    open.map(({ id, version }) => [id, version]),
    () =>
      open.length
        ? open.map((lobby) => lobbyLine(client, lobby, titles))
        : [nothing("start.no_tables")],
  );
}

function lobbyLine(client: Client, lobby: Lobby, titles: Map<string, string>): HTMLElement {
  const taken = lobby.seats.length;
  const join = async (): Promise<void> => {
    if (lobby.your_seat === null && taken < lobby.capacity) await client.joinLobby(lobby.id);
    goToLobby(lobby.id);
  };
  return h(
    "li",
    {},
    h(
      "span",
      {},
      h("strong", {}, lobby.title || titles.get(lobby.slug) || lobby.slug),
      " ",
      h("span", { class: "quiet" }, lobby.seats.map(({ name }) => nameInWords(name)).join(", ")),
    ),
    h(
      "span",
      { class: "quiet" },
      lobby.status === "starting" ? say("lobby.starting") : `${taken}/${lobby.capacity}`,
    ),
    h("button", { onclick: action(join) }, say("start.join")),
  );
}

async function keepGames(client: Client, titles: Map<string, string>): Promise<void> {
  const look = async (): Promise<void> => {
    if (document.hidden) return;
    const { items } = await client.listGames({ status: "running", limit: 12 });
    redraw(
      running,
      items.map(({ id }) => id),
      () =>
        items.length ? items.map((game) => gameLine(game, titles)) : [nothing("start.no_games")],
    );
  };
  for (;;) {
    await look();
    await new Promise((done) => setTimeout(done, GAMES_AGAIN_MS));
  }
}

function gameLine(game: Game, titles: Map<string, string>): HTMLElement {
  const names = game.seats.map(({ name }) => nameInWords(name)).join(", ");
  return h(
    "li",
    {},
    h(
      "span",
      {},
      h("strong", {}, titles.get(game.slug) ?? game.slug),
      " ",
      h("span", { class: "quiet" }, names),
    ),
    h(
      "a",
      {
        class: "button",
        href: `/games/${game.id}/`,
        "aria-label": say("start.watch_of", { names }),
      },
      game.your_seat === null ? say("start.watch_one") : say("start.back"),
    ),
  );
}

function nothing(key: "start.no_tables" | "start.no_games"): Child {
  return h("li", { class: "quiet" }, say(key));
}
