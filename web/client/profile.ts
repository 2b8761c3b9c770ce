/** The profile: who this browser plays as, and the user's money, bets and transfers. */
import type { Client } from "railbird-client";
import type { Account, ArchivedMonth, Bet, CurrentUser, Game, Rules, Transfer } from "railbird-client/models";
import { aboutServer, downloaded, type About } from "./about.ts";
import { avatar } from "./avatar.ts";
import { Caller, type Book } from "./calls.ts";
import { fail } from "./connection.ts";
import { h, type Child } from "./dom.ts";
import { form, type FieldOf } from "./forms.ts";
import { confirmed } from "./dialog.ts";
import { evidenceButton, saveFile } from "./evidence.ts";
import { action, attempt, showLoading, showPage, tell } from "./frame.ts";
import { once } from "./once.ts";
import { PATH } from "./path.ts";
import { qr } from "./qr.ts";
import { comeFrom, isPlayed, keep, keysFor, signIn, takeKeys } from "./session.ts";
import { PASSWORD_MIN, settings } from "./settings.ts";
import { sparkline } from "./sparkline.ts";
import { inWords, language, listed, nameInWords, say, sayIfKnown, sayOrName, sumInWords } from "./words.ts";

const ROWS = 25;
const GAMES = 10;
const BALANCES = 100;
const FORMATS = ["csv", "jsonl"] as const;
/** Before the code with which a guest comes from another device. */
const ARRIVAL = "#device=";
/** Before the keys with which a user who signs in also plays on another device. */
const KEYS = "#keys=";
const CODE_LASTS_MS = 300_000;

interface Rows<Row> {
  items: Row[];
  next: string | null;
}

showLoading(say("profile.title"));
void main();

async function main(): Promise<void> {
  try {
    const keys = await arrive();
    const client = await signIn();
    if (keys.length) await takeKeys(client, keys);
    const [user, accounts, rules, archived, about, games] = await Promise.all([
      client.me(),
      client.listAccounts(),
      client.listRules(),
      client.listArchivedMonths(),
      aboutServer(),
      client.listGames({ mine: true, limit: GAMES }),
    ]);
    const titles = new Map(rules.map(({ slug, title }) => [slug, inWords(title)]));
    const rulesOf = new Map(rules.map((each) => [each.slug, each]));
    const books = booksOf(client);
    const bets = history(client, "bets", ["game", "spot", "stake", "odds", "outcome", "payout"], {
      read: (cursor) => client.listBets({ cursor, limit: ROWS }),
      cells: (bet) => betCells(bet, rulesOf, books),
    });
    const transfers = history(client, "transfers", ["at", "reason", "from", "to", "amount"], {
      read: (cursor) => client.listTransfers({ cursor, limit: ROWS }),
      cells: async (transfer) => transferCells(transfer),
    });
    showPage(
      say("profile.title"),
      h("div", { class: "who" }, avatar(user.display_name), h("h1", {}, nameInWords(user.display_name))),
      h("div", { class: "columns" }, userPanel(client, user, about), moneyPanel(client, accounts.items)),
      !user.is_guest && settings(client),
      gamesPanel(games.items, titles),
      bets,
      transfers,
      archived.length > 0 && h("p", { class: "quiet" }, say("profile.archived", monthOf(archived))),
    );
    if (location.hash.startsWith(KEYS)) await attempt(() => takeGames(client, user));
  } catch (error) {
    fail(error);
  }
}

// The user

/**
 * Take over the guest of another device, if the address has a code of it and the user wants that.
 * Return the keys of the guest's games.
 */
async function arrive(): Promise<string[]> {
  const { hash, pathname } = location;
  if (!hash.startsWith(ARRIVAL)) return [];
  window.history.replaceState(null, "", pathname); // the code works once
  const [code, ...keys] = hash.slice(ARRIVAL.length).split("&");
  if (!(await confirmed(say("device.question"), say("device.go")))) return [];
  const hasCome = await attempt(() => comeFrom(code!).then(() => true));
  return hasCome ? keys : [];
}

/** Play the games here whose keys the address has. Until the user has signed in, it keeps them. */
async function takeGames(client: Client, user: CurrentUser): Promise<void> {
  const { hash, pathname } = location;
  if (user.is_guest) return tell(say("keys.sign_in"), "bad");
  window.history.replaceState(null, "", pathname);
  if (!(await confirmed(say("keys.question"), say("device.go")))) return;
  const areTaken = await takeKeys(client, hash.slice(KEYS.length).split("&"));
  tell(say(areTaken ? "keys.taken" : "keys.foreign"), areTaken ? "good" : "bad");
}

/** A button that shows a QR code for another device: a guest moves there, others also play there. */
function otherDevice(client: Client, { is_guest }: CurrentUser): HTMLElement {
  const place = h("div", { role: "status" });
  let end: ReturnType<typeof setTimeout> | undefined;
  const show = async (): Promise<void> => {
    const [codes, keys] = await Promise.all([is_guest ? client.createDeviceCode().then(({ code }) => [code]) : [], keysFor(client)]);
    const all = [...codes, ...keys];
    if (!all.length) return tell(say("keys.none"));
    clearTimeout(end);
    end = setTimeout(() => place.replaceChildren(), CODE_LASTS_MS);
    const address = `${location.origin}${PATH}/profile/${is_guest ? ARRIVAL : KEYS}${all.join("&")}`;
    const what = say(is_guest ? "device.scan" : "keys.scan");
    place.replaceChildren(h("p", {}, what), qr(address, say("device.qr")) ?? h("code", {}, address));
  };
  const label = say(is_guest ? "device.show" : "keys.show");
  return h("div", {}, h("button", { onclick: action(show) }, label), place);
}

function userPanel(client: Client, user: CurrentUser, about: About): HTMLElement {
  const signOut = async (): Promise<void> => {
    await client.revokeToken();
    await keep("");
    location.assign(`${PATH}/`);
  };
  return h(
    "section",
    { class: "panel user" },
    h("h2", {}, say("profile.user")),
    user.is_guest
      ? h(
          "div",
          { class: "forms" },
          h("p", {}, say("profile.guest")),
          otherDevice(client, user),
          credentials("register", ["display_name", "username", "password"], async (given) => {
            await client.registerGuest(given as Parameters<Client["registerGuest"]>[0]);
          }),
          credentials("sign_in", ["username", "password", "factor"], async (given) => {
            await keep((await client.signIn(given as Parameters<Client["signIn"]>[0])).token);
          }),
          about.provider &&
            h(
              "a",
              { class: "button", href: `${about.links["openid"]}?next=/profile/signed-in/` },
              say("profile.sign_in.with", { provider: about.provider }),
            ),
        )
      : h(
          "div",
          { class: "forms" },
          h("p", {}, say("profile.signed_in", { name: user.username ?? user.display_name })),
          otherDevice(client, user),
          h("button", { onclick: action(signOut) }, say("profile.sign_out")),
        ),
  );
}

type Field = "display_name" | "username" | "password" | "factor";

/** A form that sends these fields, and shows the page again. One of the two is open. */
function credentials(
  what: "register" | "sign_in",
  names: Field[],
  send: (given: Record<string, string>) => Promise<void>,
): HTMLElement {
  const fill = { display_name: "nickname", username: "username", password: "current-password", factor: "one-time-code" };
  const isNew = what === "register";
  const fields = names.map((name): FieldOf => {
    const field: FieldOf = { name, label: say(`profile.${name}`), autocomplete: fill[name], isOptional: name === "factor" };
    if (name !== "password") return field;
    const password: FieldOf = { ...field, type: "password" };
    return isNew ? { ...password, autocomplete: "new-password", least: PASSWORD_MIN } : password;
  });
  const fillIn = form(what, fields, say(`profile.${what}.send`), async (given) => {
    await send(given);
    location.reload();
  });
  return h("details", { class: "setting", name: "credentials", open: isNew !== location.hash.startsWith(KEYS) }, h("summary", {}, say(isNew ? "profile.register" : "profile.known")), fillIn);
}

function moneyPanel(client: Client, accounts: Account[]): HTMLElement {
  const wallets = accounts.filter(({ unit }) => unit === "coin");
  const [wallet] = wallets;
  const line = h("div", {});
  if (wallet) void attempt(async () => line.replaceChildren(...(await balanceLine(client, wallet))));
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, say("profile.money")),
    ...wallets.map(({ balance }) =>
      h("p", { class: "balance" }, say("profile.coins", { coins: balance.toLocaleString(language) })),
    ),
    line,
    h("p", { class: "quiet" }, say("profile.coins.about")),
    !wallets.length && h("p", { class: "quiet" }, say("profile.no_wallet")),
  );
}

/** The balance after each of the last transfers of a wallet. */
async function balanceLine(client: Client, { key, unit, balance }: Account): Promise<SVGElement[]> {
  const { items } = await client.listTransfers({ limit: BALANCES });
  const balances = [balance];
  for (const { debit, credit, amount, unit: moved } of items) {
    if (moved !== unit || (debit.key !== key && credit.key !== key)) continue;
    balances.unshift(balances[0]! + (debit.key === key ? amount : -amount));
  }
  return balances.length > 2 ? [sparkline(balances, say("profile.balances"))] : [];
}

// Bets and transfers

interface Source<Row> {
  read(cursor: string | undefined): Promise<Rows<Row>>;
  cells(row: Row): Promise<Child[]>;
}

/** A table that reads further rows on demand, with buttons that download all of them. */
function history<Row>(
  client: Client,
  name: "bets" | "transfers",
  columns: string[],
  { read, cells }: Source<Row>,
): HTMLElement {
  const body = h("tbody", {});
  const none = h("p", { class: "quiet", hidden: true }, say("profile.nothing"));
  const more = h("button", { hidden: true }, say("profile.more"));
  let cursor: string | undefined;
  const section = h("section", { class: "panel history", "aria-label": say(`profile.${name}`) });
  const readOn = async (): Promise<void> => {
    more.disabled = true;
    section.ariaBusy = "true";
    try {
      const { items, next } = await read(cursor);
      for (const row of items)
        body.append(h("tr", {}, ...(await cells(row)).map((cell) => h("td", {}, cell))));
      cursor = next ?? undefined;
      more.hidden = next === null;
      none.hidden = body.childElementCount > 0;
    } finally {
      more.disabled = false;
      section.ariaBusy = "false";
    }
  };
  more.addEventListener("click", () => void attempt(readOn));
  void attempt(readOn);
  const heads = columns.map((column) =>
    h("th", { scope: "col" }, sayIfKnown(`profile.column.${column}`)),
  );
  section.append(
    h(
      "div",
      { class: "history-head" },
      h("h2", {}, say(`profile.${name}`)),
      ...FORMATS.map((format) =>
        h(
          "button",
          {
            "aria-label": say(`profile.download.${name}`, { format: format.toUpperCase() }),
            onclick: action(() => download(client, name, format)),
          },
          format.toUpperCase(),
        ),
      ),
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": say(`profile.${name}`) },
      h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body),
    ),
    none,
    more,
  );
  return section;
}

async function betCells(bet: Bet, rules: Map<string, Rules>, books: Books): Promise<Child[]> {
  const { game, slug, version, stake, outcome, payout, placed_at } = bet;
  const { title, unit = null } = rules.get(slug) ?? {};
  const caller = await books(slug);
  const [about, odds] = [caller.name("spot", bet.spot), caller.name("odds", bet.odds)];
  return [
    h(
      "span",
      {},
      h("a", { href: `${PATH}/games/${game}/replay/?version=${version}` }, title ? inWords(title) : slug),
      h("small", { class: "quiet" }, ` ${moment(placed_at)}`),
    ),
    about,
    stake > 0 && sumInWords(stake, null),
    about === odds ? "" : odds,
    say(`profile.outcome.${outcome}`),
    payout !== null && sumInWords(payout, unit, "exceptZero"),
  ];
}

/** The user's last games: to continue, or to replay. */
function gamesPanel(games: Game[], titles: Map<string, string>): HTMLElement {
  const line = (game: Game): HTMLElement => {
    const { id, slug, seats, ended, started_at, your_seat: seat } = game;
    const names = listed(seats.map(({ name }) => nameInWords(name)));
    const state = say(`profile.games.${ended === "finished" ? "ended" : ended || "running"}`);
    const about = `${names} · ${moment(started_at)} · ${state}`;
    const link = ended
      ? h("a", { class: "button", href: `${PATH}/games/${id}/replay/` }, say("replay.link"))
      : h("a", { class: "button primary", href: `${PATH}/games/${id}/` }, say(isPlayed(game) ? "start.back" : "start.watch_one"));
    link.setAttribute("aria-label", `${link.textContent}: ${about}`);
    const title = h("strong", {}, titles.get(slug) ?? slug);
    return h("li", {}, h("span", {}, title, " ", h("span", { class: "quiet" }, about)), seat !== null && evidenceButton(id, seat, about), link);
  };
  return h(
    "section",
    { class: "panel", "aria-label": say("profile.games") },
    h("h2", {}, say("profile.games")),
    games.length
      ? h("ul", { class: "tables" }, ...games.map(line))
      : h("p", { class: "quiet" }, say("profile.nothing")),
  );
}

/** The last archived month. Lists over several games leave archived ones out. */
function monthOf(archived: ArchivedMonth[]): { month: string } {
  const first = new Date(`${archived.at(-1)!.month}-01T00:00:00Z`);
  return {
    month: first.toLocaleString(language, { month: "long", year: "numeric", timeZone: "UTC" }),
  };
}

function transferCells({ at, reason, debit, credit, amount, unit }: Transfer): Child[] {
  return [
    moment(at),
    sayOrName(`reason.${reason}`),
    accountInWords(debit.key),
    accountInWords(credit.key),
    sumInWords(amount, unit),
  ];
}

function accountInWords(key: string): string {
  const [kind = "", seat] = key.split(":");
  return sayIfKnown(`account.${kind}`, { seat: String(Number(seat) + 1) }) ?? key;
}

function moment(text: string): string {
  return new Date(text).toLocaleString(language, { dateStyle: "short", timeStyle: "short" });
}

type Books = (slug: string) => Promise<Caller>;

/** Read the book of each game once. A game that the server no longer has leaves the names as they are. */
function booksOf(client: Client): Books {
  return once((slug) => client.getBook(slug).then((book) => new Caller(book as Book, []), () => new Caller({}, [])));
}

/** Save all rows as a file. The request needs the token, so a plain link would not do. */
async function download(client: Client, name: string, format: string): Promise<void> {
  saveFile(await downloaded(`/api/v1/${name}/export/?format=${format}`, client.token), `${name}.${format}`);
}
