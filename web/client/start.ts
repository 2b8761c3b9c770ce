/** The start page: a race to watch, the user's games, all games, open tables and running games. */
import type { Client, Lobby } from "railbird-client";
import type { Game, Rules, RulesInFull } from "railbird-client/models";
import { sleep } from "railbird-client/patience";
import { aboutServer } from "./about.ts";
import { followBell } from "./bell.ts";
import type { Book } from "./calls.ts";
import { fail, watch } from "./connection.ts";
import { h, redraw, type Child } from "./dom.ts";
import { action, showPage } from "./frame.ts";
import { about, openRules } from "./learn.ts";
import { once } from "./once.ts";
import { PATH } from "./path.ts";
import { picture } from "./pictures.ts";
import { race, showRace } from "./live_race.ts";
import { isPlayed, signIn } from "./session.ts";
import { goToGame, goToLobby, guidedRound, playAgainstBots } from "./tables.ts";
import { optionsInWords } from "./terms.ts";
import { ago, inWords, listed, nameInWords, say } from "./words.ts";

const GAMES_AGAIN_MS = 60_000;
const GAMES_MAX = 12;
const OPTIONS_MAX = 3;
/** The game that one press begins: it needs no explanation. */
const FIRST = "ready_set_bet";

const first = h("button", { class: "primary big", disabled: true }, say("start.first"));
const people = h("span", { class: "quiet" });
const mine = h("section", { class: "mine", hidden: true });
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

/** All that comes after the first lines, shown at once, so that nothing moves while it arrives. */
const below = h(
  "div",
  { class: "arriving" },
  h("section", {}, h("h2", {}, say("start.games")), games),
  h(
    "div",
    { class: "columns" },
    h("section", {}, h("h2", {}, say("start.open")), !code.value && invitation, lobbies),
    h("section", {}, h("h2", {}, say("start.watch")), running),
  ),
  h("section", { class: "quiet-links" }, h("h2", {}, say("start.more")), links),
);

showPage(
  say("start.title"),
  h(
    "section",
    { class: "hero" },
    h("div", {}, h("h1", {}, say("start.title")), h("p", {}, say("start.lead")), h("p", { class: "begin" }, first, people), code.value && invitation),
    race,
    mine,
  ),
  below,
);
void showLinks().catch(fail);
void main();

async function main(): Promise<void> {
  try {
    const client = await signIn();
    const rules = await client.listRules();
    const join = action(() => joinByCode(client));
    invitation.addEventListener("submit", (event) => {
      event.preventDefault();
      join();
    });
    const titles = new Map(rules.map(({ slug, title }) => [slug, inWords(title)]));
    games.replaceChildren(...rules.map((about) => gameCard(client, about)));
    const begins = rules.find(({ slug }) => slug === FIRST) ?? rules[0];
    if (begins) first.addEventListener("click", action(() => playAgainstBots(client, begins)));
    first.disabled = !begins;
    void keepGames(client, titles).catch(fail).finally(() => below.classList.remove("arriving"));
    const open = client.lobbies();
    watch(open);
    const schemas = once((slug) => client.getRules(slug).then(({ json_schema }) => json_schema));
    for await (const found of open) {
      showLobbies(client, schemas, found, titles);
      showPeople({ lobbies: found });
    }
  } catch (error) {
    fail(error);
  }
}

async function joinByCode(client: Client): Promise<void> {
  const { id, game } = await client.joinByCode({ invite_code: code.value.toUpperCase() });
  if (game) goToGame(game);
  else goToLobby(id);
}

/** Ask the server what it offers; the documentation may not be built. */
async function showLinks(): Promise<void> {
  const { links: addresses } = await aboutServer();
  const known = {
    documentation: say("start.docs"),
    disputes: say("start.disputes"),
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
  const match = async (): Promise<void> => {
    const { id, game } = await client.quickMatch({ slug } as Parameters<Client["quickMatch"]>[0]);
    if (game) goToGame(game);
    else goToLobby(id);
  };
  const read = async (): Promise<void> => {
    const { guide } = (await client.getBook(slug)) as Book;
    if (guide) openRules(inWords(title), guide);
  };
  return h(
    "article",
    { class: "card", "aria-labelledby": `game-${slug}` },
    picture(slug),
    h("h3", { id: `game-${slug}` }, inWords(title)),
    rules.summary && h("p", { class: "about" }, inWords(rules.summary)),
    h("p", { class: "quiet" }, say("seats", { least: seats.least, most: seats.most }), factsOf(rules)),
    h("button", { class: "primary", onclick: action(() => playAgainstBots(client, rules)) }, say("start.play")),
    h("button", { onclick: action(match) }, say("start.match")),
    h("a", { class: "button", href: `${PATH}/open/?game=${slug}` }, say("start.new_table")),
    rules.summary && h("button", { class: "link", onclick: action(read) }, say("learn.open")),
    rules.summary && h("button", { class: "link", onclick: action(() => guidedRound(client, rules)) }, say("learn.guided")),
  );
}

function factsOf({ minutes, weight }: Rules): string {
  return minutes && weight ? ` · ${about({ minutes, weight })}` : "";
}

/** The options of each game. */
type Schemas = (slug: string) => Promise<RulesInFull["json_schema"]>;

function showLobbies(client: Client, schemas: Schemas, open: Lobby[], titles: Map<string, string>): void {
  redraw(
    lobbies,
    open.map(({ id, version }) => [id, version]),
    () =>
      open.length
        ? open.map((lobby) => lobbyLine(client, schemas, lobby, titles))
        : [nothing("start.no_tables")],
  );
}

/** Live tables. People at slow ones may be anywhere. */
const seen: { lobbies?: Lobby[]; games?: Game[]; areAll?: boolean } = {};

/** Show how many people the lists name at tables. */
function showPeople(news: typeof seen): void {
  const { lobbies: open, games: played, areAll } = Object.assign(seen, news);
  if (!open || !played) return;
  const sitting = [...open, ...played].filter(({ pace }) => pace === "live").flatMap((table) => {
    const gone = "forfeited" in table ? table.forfeited : [];
    return table.seats.filter(({ is_bot, number }) => !is_bot && !gone.includes(number));
  });
  const count = new Set(sitting.map(({ user }) => user)).size;
  people.textContent = count ? say(areAll ? "start.people" : "start.more_people", { people: count }) : "";
}

function lobbyLine(client: Client, schemas: Schemas, lobby: Lobby, titles: Map<string, string>): HTMLElement {
  const taken = lobby.seats.length;
  const join = async (): Promise<void> => {
    if (lobby.your_seat === null && taken < lobby.capacity) await client.joinLobby(lobby.id);
    goToLobby(lobby.id);
  };
  const names = listed(lobby.seats.map(({ name }) => nameInWords(name)));
  const about = h("span", { class: "quiet" }, [names, ago(lobby.created_at)].join(" · "));
  const tell = async (): Promise<void> => {
    const options = optionsInWords(lobby.options as object, await schemas(lobby.slug)).slice(0, OPTIONS_MAX);
    about.textContent = [names, ...options, ago(lobby.created_at)].join(" · ");
  };
  void tell().catch(() => undefined); // the line says enough without its options
  return h(
    "li",
    {},
    h(
      "span",
      {},
      h("strong", {}, lobby.title || titles.get(lobby.slug) || lobby.slug),
      " ",
      about,
    ),
    lobby.status === "starting"
      ? h("span", { class: "quiet" }, say("lobby.starting"))
      : seatDots(taken, lobby.capacity),
    h("button", { onclick: action(join) }, say("start.join")),
  );
}

/** How many seats are taken, as dots. */
function seatDots(taken: number, capacity: number): HTMLElement {
  const dots = Array.from({ length: capacity }, (_, seat) =>
    h("span", { class: seat < taken ? "seat-dot taken" : "seat-dot" }),
  );
  return h("span", { class: "seat-dots", role: "img", "aria-label": `${taken}/${capacity}` }, ...dots);
}

/** Show the running games, and those of the user first. Notices say when these change. */
async function keepGames(client: Client, titles: Map<string, string>): Promise<void> {
  let own = ownGames(client);
  let isFollowed = true;
  const showAgain = (): void => {
    own = ownGames(client);
    void showGames(client, titles, own).catch(fail);
  };
  void followBell(client, showAgain).catch(() => (isFollowed = false)); // the list shows them within a minute
  for (;;) {
    if (!document.hidden) await showGames(client, titles, own);
    below.classList.remove("arriving");
    await sleep(GAMES_AGAIN_MS);
    if (!isFollowed) own = ownGames(client);
  }
}

async function ownGames(client: Client): Promise<Game[]> {
  return (await client.listGames({ status: "running", mine: true, limit: GAMES_MAX })).items;
}

async function showGames(client: Client, titles: Map<string, string>, own: Promise<Game[]>): Promise<void> {
  const [{ items, next }, known] = await Promise.all([client.listGames({ status: "running", limit: GAMES_MAX }), own]);
  showPeople({ games: items, areAll: next === null });
  const others = items.filter((game) => !isPlayed(game));
  const isListed = (list: Game[], { id }: Game): boolean => list.some((game) => game.id === id);
  // A list that is complete also says which games have ended.
  const played = [...known.filter((game) => next !== null || isListed(items, game)), ...items.filter((game) => !isListed(known, game))].filter(isPlayed);
  redraw(running, others.map(({ id }) => id), () =>
    others.length ? others.map((game) => gameLine(game, titles)) : [nothing("start.no_games")],
  );
  const lines = played.map((game) => gameLine(game, titles));
  mine.hidden = !lines.length;
  redraw(mine, played.map(({ id }) => id), () =>
    lines.length ? [h("h2", {}, say("start.mine", { games: lines.length })), h("ul", { class: "tables" }, ...lines)] : [],
  );
  const shown = others.find(({ slug }) => slug === FIRST);
  if (shown) showRace(client, shown.id);
}

function gameLine(game: Game, titles: Map<string, string>): HTMLElement {
  const names = listed(game.seats.map(({ name }) => nameInWords(name)));
  const isMine = isPlayed(game);
  return h(
    "li",
    {},
    h(
      "span",
      {},
      h("strong", {}, titles.get(game.slug) ?? game.slug),
      " ",
      h("span", { class: "quiet" }, `${names} · ${ago(game.started_at)}`),
    ),
    h(
      "a",
      {
        class: isMine ? "button primary" : "button",
        href: `${PATH}/games/${game.id}/`,
        "aria-label": say(isMine ? "start.back_to" : "start.watch_of", { names }),
      },
      say(isMine ? "start.back" : "start.watch_one"),
    ),
  );
}

function nothing(key: "start.no_tables" | "start.no_games"): Child {
  return h("li", { class: "quiet" }, say(key));
}
