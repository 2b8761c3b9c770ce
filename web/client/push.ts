/** Web Push for this browser: asked for only when the user presses the button. */
import type { Client } from "railbird-client";
import { h } from "./dom.ts";
import { action, attempt, tell } from "./frame.ts";
import { PATH } from "./path.ts";
import { say } from "./words.ts";

/** A button that turns Web Push on or off here; empty where there is none. */
export function push(client: Client): HTMLElement {
  const place = h("p", {});
  if ("serviceWorker" in navigator && "PushManager" in window) void attempt(() => show(client, place));
  return place;
}

async function show(client: Client, place: HTMLElement): Promise<void> {
  const { key } = await client.getPushKey();
  if (key === null) return;
  const registration = await navigator.serviceWorker.getRegistration(`${PATH}/`);
  const subscription = await registration?.pushManager.getSubscription();
  const press = async (): Promise<void> => {
    if (subscription) await turnOff(client, subscription);
    else await turnOn(client, key);
    await show(client, place);
  };
  place.replaceChildren(h("button", { onclick: action(press) }, say(subscription ? "push.off" : "push.on")));
}

async function turnOn(client: Client, key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") return tell(say("push.denied"), "bad");
  const registration = await navigator.serviceWorker.register(`${PATH}/service-worker.js`);
  await navigator.serviceWorker.ready;
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await client.subscribePush({ url: endpoint!, p256dh: keys!["p256dh"]!, auth: keys!["auth"]! });
  tell(say("push.done"));
}

async function turnOff(client: Client, subscription: PushSubscription): Promise<void> {
  const known = await client.listPushSubscriptions();
  for (const { id, url } of known) if (url === subscription.endpoint) await client.unsubscribePush(id);
  await subscription.unsubscribe();
}
