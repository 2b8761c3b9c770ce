/** The connection of a page: a message while it is lost, and a quick return when it may be back. */
import { h } from "./dom.ts";
import { tell } from "./frame.ts";
import { say } from "./words.ts";

const LOOK_MS = 500;

interface Connected {
  readonly isConnected: boolean;
  reconnect(): void;
}

export interface Connection {
  element: HTMLElement;
  /** Show the state of this stream until the returned function is called. */
  watch(stream: Connected): () => void;
  /** Show why the page cannot go on. */
  fail(reason: string): void;
}

export function connection(): Connection {
  const element = h("p", { class: "connection", role: "status" });
  return {
    element,
    watch(stream): () => void {
      let state: "connecting" | "reconnecting" | "" = "connecting";
      const show = (): void => {
        element.textContent = state && say(state);
        element.dataset["state"] = state;
      };
      const look = (): void => {
        const before = state;
        state = stream.isConnected ? "" : before || "reconnecting";
        if (state === before) return;
        show();
        if (before === "reconnecting") tell(say("reconnected"));
      };
      const hurry = (): void => {
        if (!document.hidden) stream.reconnect();
      };
      show();
      const clock = setInterval(look, LOOK_MS);
      addEventListener("online", hurry);
      document.addEventListener("visibilitychange", hurry);
      return () => {
        clearInterval(clock);
        removeEventListener("online", hurry);
        document.removeEventListener("visibilitychange", hurry);
        element.textContent = "";
      };
    },
    fail(reason): void {
      delete element.dataset["state"];
      element.replaceChildren(reason, " ", h("a", { href: "/" }, say("start.go")));
    },
  };
}
