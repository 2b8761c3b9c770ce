/** Opening tables: a game against bots in one click. */
import type { Client, Lobby } from "railbird-client";
import type { NewLobby, Rules } from "railbird-client/models";
import type { Book } from "./calls.ts";
import { introduced, isNew } from "./learn.ts";
import { isScreen, PATH } from "./path.ts";
import { inWords } from "./words.ts";

const BOTS = 3;
/** Suits every game with its default options. */
const PLAYERS = 4;
const KEPT = isScreen ? "?screen" : "";
/** Choices that suit a first game better than the defaults. */
const OPTIONS: Record<string, object> = { ready_set_bet: { pause_ms: 12_000 } };
/** Options without limits of time, or with the longest: for those who still learn the game. */
const UNLIMITED: Record<string, object> = {
  ascot: Object.fromEntries(
    ["nomination", "exchange", "discard", "bid", "training", "sale", "trade", "favourite", "bet", "race", "hazard"].map(
      (what) => [`${what}_s`, 0],
    ),
  ),
  quitte_ou_double: { hourglass_s: 0, level_s: 0, reveal_s: 0 },
  ready_set_bet: { races: 1, roll_ms: 6000, pause_ms: 30_000, think_ms: 600_000 },
  set_dice: { opening_s: 0, turn_s: 0, reroll_s: 0 },
};
/** A first game does not hurry its player; a race waits longer before its start. */
const FIRST_GAME: Record<string, object> = { ...UNLIMITED, ready_set_bet: { pause_ms: 30_000 }, set_dice: { ...UNLIMITED["set_dice"], bots: "casual" } };

/** How many seats a table has unless its host wishes others: nobody waits for nineteen players. */
export function usualSeats({ least, most }: Rules["seats"]): number {
  return Math.min(Math.max(PLAYERS, least), most);
}

/** Start a game against bots, and go there. Neither bots nor a clock begin before a new player is ready. */
export async function playAgainstBots(client: Client, rules: Rules): Promise<void> {
  const { slug } = rules;
  const isFirst = isNew(slug);
  if (isFirst && !(await isReady(client, rules))) return;
  await startAgainstBots(client, againstBots(rules, { ...OPTIONS[slug], ...(isFirst && FIRST_GAME[slug]) }));
}

/** Start a game against bots that explains itself and does not hurry. */
export async function guidedRound(client: Client, rules: Rules): Promise<void> {
  if (await isReady(client, rules)) await startAgainstBots(client, againstBots(rules, UNLIMITED[rules.slug] ?? {}), "?guided");
}

/** Show the first cards of a game, if it has any, until the user is ready. */
async function isReady(client: Client, { slug, title }: Rules): Promise<boolean> {
  const book = (await client.getBook(slug)) as Book;
  return !book.guide || introduced(slug, inWords(title), book.guide, book);
}

function againstBots({ slug, seats }: Rules, options: object): NewLobby {
  const bots = Math.min(Math.max(BOTS, seats.least - 1), seats.most - 1);
  return { slug, options, capacity: bots + 1 } as NewLobby;
}

/** Play the same game again against bots: with the same options, at once. */
export async function playAgain(client: Client, { slug, options, capacity, title }: Lobby): Promise<void> {
  await startAgainstBots(client, { slug, options, capacity, title } as NewLobby);
}

async function startAgainstBots(client: Client, body: NewLobby, query = KEPT): Promise<void> {
  const lobby = await client.createLobby(body);
  for (let seat = 1; seat < lobby.capacity; seat++) await client.addBot(lobby.id);
  goToGame((await client.startGame(lobby.id)).id, query);
}

export function goToGame(game: string, query = KEPT): void {
  location.assign(`${PATH}/games/${game}/${query}`);
}

export function goToLobby(lobby: string): void {
  location.assign(`${PATH}/lobbies/${lobby}/${KEPT}`);
}
