/** The user of this browser: a guest, made at the first visit and kept, or who has signed in. */
import { Client, Misused, Problem, ServerError } from "railbird-client";
import { keepBell } from "./bell.ts";
import { awaited, persist } from "./connection.ts";
import { tell } from "./frame.ts";
import { kept, keptNow } from "./kept.ts";
import { PATH } from "./path.ts";
import { say } from "./words.ts";

const KEPT = `railbird.token${PATH}`; // one server may stand beside another

/** A client that repeats its reads until the server answers. Buttons repeat what failed. */
class PatientClient extends Client {
  protected override call<T>(...asked: Parameters<Client["call"]>): Promise<T> {
    const send = (): Promise<T> => super.call<T>(...asked);
    return asked[0] === "GET" ? persist(send) : awaited(send);
  }
}

/** The guest that a big screen is at tables: a spectator, also in the browser of a player. */
const SCREEN = `railbird.screen${PATH}`;

/** A client that is signed in. The page tells users whose session has ended that they are guests. */
export async function signIn(): Promise<Client> {
  return signedIn(KEPT, true);
}

/** A client that sits at no table, so that the server shows it nothing of a hand. */
export async function signInAsScreen(): Promise<Client> {
  return signedIn(SCREEN, false);
}

async function signedIn(key: string, sits: boolean): Promise<Client> {
  const token = kept(key) ?? "";
  if (!keptNow(key, token)) throw new ServerError("nothing_kept");
  const entropy = sits && localStorage; // the lobby and the table are pages of their own
  const client = new PatientClient(location.origin + PATH, token, { entropy });
  if (client.token) {
    try {
      await client.me();
      keepBell(new Client(location.origin + PATH, client.token, { entropy: false }));
      return client;
    } catch (error) {
      const isOver = error instanceof Problem && error.status === 401;
      if (!isOver && !(error instanceof Misused)) throw error; // what was kept may be damaged
      client.token = ""; // it has expired or was revoked, or this is another server
      tell(say("session.ended"), "bad");
    }
  }
  client.token = (await persist(() => client.createGuest())).token;
  keep(client.token, key);
  keepBell(new Client(location.origin + PATH, client.token, { entropy: false }));
  return client;
}

/** Keep the token of a user for later pages, or none. */
export function keep(token: string, key = KEPT): void {
  if (!keptNow(key, token)) throw new ServerError("nothing_kept");
}
