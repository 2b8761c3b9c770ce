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
  const [subscription, known] = await Promise.all([subscriptionHere(), client.listPushSubscriptions()]);
  // A subscription of another user, or for a former key of the server, gets nothing for this one.
  const own = known.find((one) => one.url === subscription?.endpoint && one.key === key);
  const press = async (): Promise<void> => {
    if (own) await client.unsubscribePush(own.id).then(endPush);
    else await turnOn(client, key);
    await show(client, place);
  };
  place.replaceChildren(h("button", { onclick: action(press) }, say(own ? "push.off" : "push.on")));
}

async function turnOn(client: Client, key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") return tell(say("push.denied"), "bad");
  const made = await subscribed(key);
  if (!made) return tell(say("push.failed"), "bad");
  const { endpoint, keys } = made.toJSON();
  await client.subscribePush({ url: endpoint!, p256dh: keys!["p256dh"]!, auth: keys!["auth"]! });
  tell(say("push.done"));
}

/** Subscribe; undefined if the browser or its push service does not. */
async function subscribed(key: string): Promise<PushSubscription | undefined> {
  try {
    const registration = await navigator.serviceWorker.register(`${PATH}/service-worker.js`);
    await navigator.serviceWorker.ready;
    await endPush(); // one for another key is in the way
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError) return undefined; // refused, or no network
    throw error;
  }
}

/** The subscription of this browser, of whichever user. */
async function subscriptionHere(): Promise<PushSubscription | null | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration(`${PATH}/`);
  return registration?.pushManager?.getSubscription();
}

/** End the subscription of this browser. The server removes it when it meets that. */
export async function endPush(): Promise<void> {
  await (await subscriptionHere())?.unsubscribe();
}
