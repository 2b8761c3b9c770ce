/** Opening tables: a game against bots in one click. */
import type { Client, Lobby } from "railbird-client";
import type { NewLobby, Rules } from "railbird-client/models";
import { isNew } from "./learn.ts";
import { isScreen, PATH } from "./path.ts";

const BOTS = 3;
const KEPT = isScreen ? "?screen" : "";
/** Choices that suit a first game better than the defaults. */
const OPTIONS: Record<string, object> = { ready_set_bet: { pause_ms: 8000 } };
/** The clocks that wait for somebody who reads what the game is about. */
const FIRST_GAME: Record<string, object> = { ascot: { nomination_s: 0, exchange_s: 0, discard_s: 0 } };

/** Start a game against bots, and go there. */
export async function playAgainstBots(client: Client, { slug, seats }: Rules): Promise<void> {
  const bots = Math.min(Math.max(BOTS, seats.least - 1), seats.most - 1);
  const body = { slug, options: { ...OPTIONS[slug], ...(isNew(slug) && FIRST_GAME[slug]) }, capacity: bots + 1 };
  await startAgainstBots(client, body as NewLobby, bots);
}

/** Play the same game again against bots: with the same options, at once. */
export async function playAgain(client: Client, { slug, options, capacity, title }: Lobby): Promise<void> {
  const body = { slug, options, capacity, title } as NewLobby;
  await startAgainstBots(client, body, capacity - 1);
}

async function startAgainstBots(
  client: Client,
  body: NewLobby,
  bots: number,
): Promise<void> {
  const lobby = await client.createLobby(body);
  for (let bot = 0; bot < bots; bot++) await client.addBot(lobby.id);
  goToGame((await client.startGame(lobby.id)).id);
}

export function goToGame(game: string): void {
  location.assign(`${PATH}/games/${game}/${KEPT}`);
}

export function goToLobby(lobby: string): void {
  location.assign(`${PATH}/lobbies/${lobby}/${KEPT}`);
}
