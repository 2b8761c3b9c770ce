/** The settings of a registered user: e-mail address, password, second factor and sessions. */
import type { Client } from "railbird-client";
import type { RecoveryCodes, Token } from "railbird-client/models";
import { h } from "./dom.ts";
import { form, type FieldOf } from "./forms.ts";
import { action } from "./frame.ts";
import { qr } from "./qr.ts";
import { ago, say } from "./words.ts";

export const PASSWORD_MIN = 12;

export function settings(client: Client): HTMLElement {
  return h(
    "section",
    { class: "panel settings-panel" },
    h("h2", {}, say("settings.title")),
    part("settings.email", () => email(client)),
    part("settings.password", () => password(client)),
    part("settings.factor", () => factor(client)),
    part("settings.sessions", () => sessions(client)),
  );
}

/** A part that is made when it is opened for the first time. */
function part(title: Parameters<typeof say>[0], make: () => HTMLElement): HTMLElement {
  const body = h("div", { class: "forms user" });
  const element = h("details", { class: "setting" }, h("summary", {}, say(title)), body);
  element.addEventListener("toggle", () => {
    if (element.open && !body.hasChildNodes()) body.append(make());
  });
  return element;
}

/** Users of a provider may have no password. */
const current = (): FieldOf => ({
  name: "password",
  label: say("settings.current"),
  type: "password",
  autocomplete: "current-password",
  isOptional: true,
});
const code = (): FieldOf => ({ name: "code", label: say("settings.code"), autocomplete: "one-time-code" });

function email(client: Client): HTMLElement {
  const steps = h("div", { class: "forms" });
  const address: FieldOf = { name: "email", label: say("settings.address"), type: "email", autocomplete: "email" };
  steps.append(
    h("p", { class: "quiet" }, say("settings.email.about")),
    form("email", [address], say("settings.email.send"), async (given) => {
      await client.askForAddressCode({ email: given["email"]! });
      next(
        steps,
        h("p", {}, say("settings.email.sent", { address: given["email"]! })),
        form("address", [code(), current()], say("settings.confirm"), async ({ code, password }) => {
          await client.confirmAddress({ code: code!, password: password!, factor: "", mailed: "" });
          done(steps);
        }),
      );
    }),
  );
  return steps;
}

function password(client: Client): HTMLElement {
  const steps = h("div", { class: "forms" });
  const wanted: FieldOf = {
    name: "new",
    label: say("settings.new"),
    type: "password",
    autocomplete: "new-password",
    least: PASSWORD_MIN,
  };
  steps.append(
    h("p", { class: "quiet" }, say("settings.password.about")),
    form("password", [current(), wanted], say("settings.password.send"), async (given) => {
      await client.changePassword({ current: given["password"]!, new: given["new"]!, factor: "", mailed: "" });
      done(steps);
    }),
  );
  return steps;
}

/** Add a second factor with a QR code, or remove it. */
function factor(client: Client): HTMLElement {
  const steps = h("div", { class: "forms" });
  const add = async (): Promise<void> => {
    const { secret, uri } = await client.createFactorSecret();
    next(
      steps,
      h("p", {}, say("settings.factor.scan")),
      qr(uri, say("settings.factor.qr")) ?? "",
      h("p", {}, say("settings.factor.secret"), " ", h("code", {}, secret)),
      form("factor", [code(), current()], say("settings.confirm"), async ({ code, password }) => {
        const codes = await client.addSecondFactor({ code: code!, password: password!, factor: "", mailed: "" });
        next(steps, ...recovery(codes));
      }),
    );
  };
  const proof = [current(), { ...code(), isOptional: true }];
  const remove = form("remove", proof, say("settings.factor.remove"), async ({ password, code }) => {
    await client.removeSecondFactor({ password: password!, factor: code!, mailed: "" });
    done(steps);
  });
  steps.append(
    h("p", { class: "quiet" }, say("settings.factor.about")),
    h("button", { class: "primary", onclick: action(add) }, say("settings.factor.add")),
    h("details", {}, h("summary", {}, say("settings.factor.have")), h("p", { class: "quiet" }, say("settings.factor.proof")), remove),
  );
  return steps;
}

function recovery({ recovery_codes }: RecoveryCodes): [HTMLElement, HTMLElement] {
  return [
    h("p", {}, say("settings.factor.codes")),
    h("ul", { class: "recovery" }, ...recovery_codes.map((one) => h("li", {}, h("code", {}, one)))),
  ];
}

/** Where the user is signed in. */
function sessions(client: Client): HTMLElement {
  const list = h("ul", { class: "tables", "aria-live": "polite" });
  const show = async (): Promise<void> => {
    const tokens = await client.listTokens();
    list.replaceChildren(...tokens.map(line));
  };
  const line = (token: Token): HTMLElement =>
    h(
      "li",
      {},
      h(
        "span",
        {},
        h("strong", {}, token.is_this_one ? say("settings.session.this") : token.name || say("settings.session")),
        " ",
        h("span", { class: "quiet" }, ago(token.created_at)),
      ),
      !token.is_this_one &&
        h(
          "button",
          {
            onclick: action(async () => {
              await client.revokeOneToken(token.id);
              await show();
            }),
          },
          say("settings.session.end"),
        ),
    );
  action(show)();
  return list;
}

/** Show the next step, and put the focus on its first words: it was on what is gone. */
function next(steps: HTMLElement, about: HTMLElement, ...step: (HTMLElement | SVGElement | "")[]): void {
  about.tabIndex = -1;
  steps.replaceChildren(about, ...step);
  about.focus();
}

function done(steps: HTMLElement): void {
  next(steps, h("p", {}, say("settings.done")));
}
