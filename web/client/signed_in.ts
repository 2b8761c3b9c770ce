/** The return from the OpenID Connect provider: exchange its session for a token, and keep that. */
import { ServerError } from "railbird-client";
import { tokenOfSession } from "./about.ts";
import { h } from "./dom.ts";
import { showPage } from "./frame.ts";
import { PATH } from "./path.ts";
import { keep } from "./session.ts";
import { say } from "./words.ts";

const message = h("p", { role: "status" }, say("connecting"));
showPage(say("profile.title"), message);
void main();

async function main(): Promise<void> {
  const csrf = /(?:^|; )(?:__Host-|__Secure-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
  try {
    await keep(await tokenOfSession(csrf));
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
  }
  location.replace(`${PATH}/profile/`); // a failed exchange leaves the user as before
}
