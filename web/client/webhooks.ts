/** The user's webhooks: create, test, renew and delete them, and send what failed again. */
import type { Client } from "railbird-client";
import type { Delivery, Webhook } from "railbird-client/models";
import { confirmed } from "./dialog.ts";
import { h } from "./dom.ts";
import { form } from "./forms.ts";
import { action, attempt, tell } from "./frame.ts";
import { ago, say, sayOrName } from "./words.ts";

export function webhooks(client: Client): HTMLElement {
  const list = h("ul", { class: "tables" });
  const secret = h("p", { role: "status" });
  const shown = (text: string): void => secret.replaceChildren(say("webhooks.secret"), " ", h("code", {}, text));
  const refresh = async (): Promise<void> => {
    const found = await client.listWebhooks();
    list.replaceChildren(...found.map((webhook) => line(client, webhook, refresh, shown)));
  };
  const create = form("webhook", [{ name: "url", label: say("webhooks.url"), autocomplete: "off" }], say("webhooks.create"), async ({ url }) => {
    shown((await client.createWebhook({ url: url!, kinds: [] })).secret);
    create.reset();
    await refresh();
  });
  void attempt(refresh);
  return h(
    "section",
    { class: "panel settings-panel user" },
    h("h2", {}, say("webhooks.title")),
    h("p", { class: "quiet" }, say("webhooks.about")),
    list,
    secret,
    h("div", { class: "forms" }, create),
  );
}

function line(client: Client, webhook: Webhook, refresh: () => Promise<void>, shown: (secret: string) => void): HTMLElement {
  const { id, url, kinds, disabled } = webhook;
  const sent = h("ul", { class: "tables" });
  const list = async (): Promise<void> => {
    const found = await client.listDeliveries(id, { limit: 20 });
    sent.replaceChildren(...found.map((delivery) => deliveryLine(client, id, delivery, list)));
  };
  const details = h("details", {}, h("summary", {}, say("webhooks.deliveries")), sent);
  details.addEventListener("toggle", () => details.open && void attempt(list));
  const press = (text: Parameters<typeof say>[0], work: () => Promise<unknown>): HTMLElement =>
    h("button", { onclick: action(async () => { await work(); await refresh(); }) }, say(text));
  return h(
    "li",
    { class: "webhook" },
    h("span", {}, h("code", {}, url), disabled && h("strong", {}, ` ${sayOrName(`webhooks.${disabled}`)}`)),
    h(
      "span",
      { class: "actions" },
      disabled && disabled !== "unproved"
        ? press("webhooks.enable", () => client.changeWebhook(id, { url, kinds, is_enabled: true }))
        : press("webhooks.test", () => client.testWebhook(id).then(() => tell(say("webhooks.tested")))),
      press("webhooks.rotate", async () => shown((await client.rotateWebhookSecret(id)).secret)),
      press("webhooks.delete", async () => {
        if (await confirmed(say("webhooks.delete.sure"), say("webhooks.delete"))) await client.deleteWebhook(id);
      }),
    ),
    details,
  );
}

function deliveryLine(client: Client, webhook: string, delivery: Delivery, list: () => Promise<void>): HTMLElement {
  const { id, kind, state, status, error, at } = delivery;
  const again = action(async () => {
    await client.sendDeliveriesAgain(webhook, { first: id, last: id });
    await list();
  });
  return h(
    "li",
    {},
    h("span", {}, kind === "test" ? say("webhooks.test") : sayOrName(`notice.${kind}`), " ", h("span", { class: "quiet" }, ago(at))),
    h("span", {}, say(`webhooks.state.${state}`), " ", error === "refused" ? status : error),
    state !== "waiting" && h("button", { onclick: again }, say("webhooks.again")),
  );
}
