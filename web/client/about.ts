/** Requests beside the API. Errors are those of the client. */
import { ask, download } from "railbird-client/http";
import { persist } from "./connection.ts";
import { PATH } from "./path.ts";

const WITHIN_MS = 30_000;
const FILE_WITHIN_MS = 600_000;

/** The description of the server at its root. */
export interface About {
  links: Record<string, string>;
  provider: string | null;
}

export async function aboutServer(): Promise<About> {
  const asked = { method: "GET", headers: { Accept: "application/json" } };
  const shape = { links: { "": "s" }, provider: "s?" };
  return (await persist(() => ask(`${PATH}/`, asked, shape, WITHIN_MS))) as About;
}

/** Exchange the session of the OpenID Connect provider for a token. */
export async function tokenOfSession(csrf: string): Promise<string> {
  const asked = { method: "POST", headers: { "X-CSRFToken": csrf } };
  const answer = await persist(() => ask(`${PATH}/oauth/openid/token/`, asked, { token: "s" }, WITHIN_MS));
  return (answer as { token: string }).token;
}

/** The document of all sockets. */
export function socketDocument(): Promise<unknown> {
  const shape = { channels: {}, operations: {} };
  return persist(() => ask(`${PATH}/asyncapi.json`, { method: "GET", headers: {} }, shape, WITHIN_MS));
}

/** A file of the API, for the user with this token. */
export function downloaded(path: string, token: string): Promise<Blob> {
  const asked = { method: "GET", headers: { Authorization: `Bearer ${token}` } };
  return persist(() => download(PATH + path, asked, FILE_WITHIN_MS));
}
