/** The user of this browser: a guest, made at the first visit and kept, or who has signed in. */
import { Client, Misused, Problem, ServerError } from "railbird-client";
import type { Game } from "railbird-client/models";
import { keepBell } from "./bell.ts";
import { awaited, persist } from "./connection.ts";
import { tell } from "./frame.ts";
import { kept, keptNow } from "./kept.ts";
import { isScreen, PATH } from "./path.ts";
import { endPush } from "./push.ts";
import { say } from "./words.ts";

const KEPT = `railbird.token${PATH}`; // one server may stand beside another

const GAMES_MAX = 12;
const ID_LENGTH = 36;

/** A client that repeats its reads until the server answers. Buttons repeat what failed. */
class PatientClient extends Client {
  protected override call<T>(...asked: Parameters<Client["call"]>): Promise<T> {
    const send = (): Promise<T> => super.call<T>(...asked);
    return asked[0] === "GET" ? persist(send) : awaited(send);
  }
}

/** The guest that a big screen is at tables: a spectator, also in the browser of a player. */
const SCREEN = `railbird.screen${PATH}`;

let own: Promise<Client> | undefined;

/** The client of this page, signed in. The page tells users whose session has ended that they are guests. */
export function signIn(): Promise<Client> {
  own ??= begin().catch((error: unknown) => {
    own = undefined;
    throw error;
  });
  return own;
}

async function begin(): Promise<Client> {
  const client = await signedIn(KEPT, true);
  if (!isScreen) keepBell(new Client(location.origin + PATH, client.token, { entropy: false }));
  return client;
}

/** A client that sits at no table, so that the server shows it nothing of a hand. */
export async function signInAsScreen(): Promise<Client> {
  return signedIn(SCREEN, false);
}

async function signedIn(key: string, sits: boolean): Promise<Client> {
  const token = kept(key) ?? "";
  keepAs(key, token);
  const entropy = sits && localStorage; // the lobby and the table are pages of their own
  const client = new PatientClient(location.origin + PATH, token, { entropy, signs: ({ pace }) => pace === "live" }); // a slow game is played on many devices
  if (client.token) {
    try {
      await client.me();
      return client;
    } catch (error) {
      const isOver = error instanceof Problem && error.status === 401;
      if (!isOver && !(error instanceof Misused)) throw error; // what was kept may be damaged
      client.token = ""; // it has expired or was revoked, or this is another server
      tell(say("session.ended"), "bad");
    }
  }
  client.token = (await persist(() => client.createGuest())).token;
  if (sits) await keep(client.token);
  else keepAs(key, client.token);
  return client;
}

/** Become the guest whose device showed this code. A browser that keeps nothing does not take it. */
export async function comeFrom(code: string): Promise<void> {
  keepAs(KEPT, kept(KEPT) ?? "");
  const client = new PatientClient(location.origin + PATH, "", { entropy: false });
  await keep((await client.changeDevice({ code })).token);
}

/** Whether the user plays this game; a bot plays a seat to the end that they have forfeited. */
export function isPlayed({ your_seat, forfeited }: Game): boolean {
  return your_seat !== null && !forfeited.includes(your_seat);
}

/** The keys of the games that the user plays here, with which another device plays them. */
export async function keysFor(client: Client): Promise<string[]> {
  const { items } = await client.listGames({ mine: true, status: "running", limit: GAMES_MAX });
  const keys = await Promise.all(items.map(async ({ id }) => [id, await client.seatKey(id)] as const));
  return keys.flatMap(([id, key]) => (key ? [id + key.secret] : []));
}

/** Play the user's games with these keys here. Return whether any of the games is theirs. */
export async function takeKeys(client: Client, keys: readonly string[]): Promise<boolean> {
  const { items } = await client.listGames({ mine: true, status: "running", limit: GAMES_MAX });
  const own = keys.filter((key) => items.some(({ id }) => key.startsWith(id)));
  const { origin } = await client.getCheckpoint();
  for (const key of own) {
    const [id, secret] = [key.slice(0, ID_LENGTH), key.slice(ID_LENGTH)];
    const { slug, log_name: name, your_seat: seat } = await client.getGame(id);
    if (seat !== null) client.useSeatKey(id, { slug, origin, name, seat, secret });
  }
  return own.length > 0;
}

/** Keep the token of a user for later pages, or none. The browser gets no notices of the user before. */
export async function keep(token: string): Promise<void> {
  keepAs(KEPT, token);
  await endPush().catch(() => undefined); // a browser that refuses to look has no subscription
}

function keepAs(key: string, token: string): void {
  if (!keptNow(key, token)) throw new ServerError("nothing_kept");
}
