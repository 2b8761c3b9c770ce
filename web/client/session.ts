/** The user of this browser: a guest, made at the first visit and kept. */
import { Client, Problem } from "railbird-client";

const KEPT = "railbird.token";

/** A client that is signed in. */
export async function signIn(): Promise<Client> {
  const client = new Client(location.origin, localStorage.getItem(KEPT) ?? "", {
    entropy: localStorage, // the lobby and the table are pages of their own
  });
  if (client.token) {
    try {
      await client.me();
      return client;
    } catch (error) {
      if (!(error instanceof Problem && error.status === 401)) throw error;
      client.token = ""; // it has expired, or this is another server
    }
  }
  client.token = (await client.createGuest()).token;
  localStorage.setItem(KEPT, client.token);
  return client;
}
