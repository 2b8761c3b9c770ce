/** An app without a secret: it asks people to let it act for them, and is answered on this same page. */
const back = `${location.origin}${location.pathname}`;
const told = new URLSearchParams(location.search);
document.querySelector("#told").textContent = told.get("error") ?? (told.has("code") ? "allowed" : "");

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

window.app = {
  /** Send whoever sits here to the server, with a question. */
  async ask(server, client_id, scope) {
    const metadata = await (await fetch(`${server}/.well-known/oauth-authorization-server`)).json();
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const state = crypto.randomUUID();
    sessionStorage.setItem("asked", JSON.stringify({ client_id, verifier, state, issuer: metadata.issuer, tokens: metadata.token_endpoint }));
    const asked = { response_type: "code", client_id, redirect_uri: back, scope, state };
    const proof = { code_challenge: base64url(new Uint8Array(hash)), code_challenge_method: "S256" };
    location.href = `${metadata.authorization_endpoint}?${new URLSearchParams({ ...asked, ...proof })}`;
  },

  /** Who it acts for now, as the server says. */
  async actsFor(server) {
    const { client_id, verifier, state, issuer, tokens } = JSON.parse(sessionStorage.getItem("asked"));
    if (told.get("state") !== state || told.get("iss") !== issuer) throw new Error("this is not the answer to what was asked");
    const said = { grant_type: "authorization_code", code: told.get("code"), redirect_uri: back, client_id, code_verifier: verifier };
    const answer = await fetch(tokens, { method: "POST", body: new URLSearchParams(said) });
    const { access_token } = await answer.json();
    const me = await fetch(`${server}/api/v1/auth/me/`, { headers: { Authorization: `Bearer ${access_token}` } });
    return (await me.json()).id;
  },
};
