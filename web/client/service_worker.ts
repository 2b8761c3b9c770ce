/** Shows the notices that arrive by Web Push, and opens what they are about. It imports nothing. */
interface Pushed {
  title: { en: string; fr: string };
  path: string;
}
interface PushedEvent extends Event {
  readonly data: { json(): Pushed } | null;
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}
interface Scope extends EventTarget {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { openWindow(url: string): Promise<unknown> };
}
const scope = self as unknown as Scope;

function on(name: string, handle: (event: PushedEvent) => Promise<unknown>): void {
  scope.addEventListener(name, (event) => (event as PushedEvent).waitUntil(handle(event as PushedEvent)));
}

on("push", async ({ data }) => {
  if (!data) return;
  const { title, path } = data.json();
  const text = navigator.language.startsWith("fr") ? title.fr : title.en;
  await scope.registration.showNotification(text, { tag: path, data: path, icon: new URL("static/web/icon.svg", scope.registration.scope).href });
});

on("notificationclick", async ({ notification }) => {
  notification.close();
  await scope.clients.openWindow(new URL(String(notification.data).replace(/^\//, ""), scope.registration.scope).href);
});
