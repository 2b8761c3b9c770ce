/** The chat of a lobby: messages and who came and went, and a field to write. */
import type { Client, RoomNews } from "railbird-client";
import { newId } from "railbird-client/ids";
import { h } from "./dom.ts";
import { action } from "./frame.ts";
import { nameInWords, say, sayIfKnown } from "./words.ts";

const LINES_MAX = 200;
const LENGTH_MAX = 500;

export interface Chat {
  element: HTMLElement;
  show(news: Pick<RoomNews, "events">): void;
  /** Nobody can write here any more. */
  close(): void;
}

/** `mayWrite` is false for a spectator who may only read. */
export function chat(client: Client, lobby: string, mayWrite = true): Chat {
  const lines = h("ol", {});
  const log = h(
    "div",
    { class: "chat-log", role: "log", tabindex: "0", "aria-label": say("chat.title") },
    lines,
  );
  const write = say("chat.write");
  const text = h("input", { "aria-label": write, placeholder: write, maxlength: LENGTH_MAX });
  const send = action(async () => {
    if (!text.value.trim()) return;
    await client.sendMessage(lobby, { id: newId(), text: text.value });
    text.value = "";
  });
  const form = h(
    "form",
    {
      class: "chat-form",
      onsubmit: (event) => {
        event.preventDefault();
        send();
      },
    },
    text,
    h("button", {}, say("chat.send")),
  );
  return {
    element: h(
      "section",
      { class: "panel chat" },
      h("h2", {}, say("chat.title")),
      log,
      mayWrite ? form : h("p", { class: "quiet" }, say("chat.read")),
    ),
    close: () => form.replaceWith(h("p", { class: "quiet" }, say("chat.closed"))),
    show({ events }): void {
      for (const { event, name } of events) {
        const line =
          event.type === "message_sent"
            ? h("li", {}, h("b", {}, name && say("chat.by", { name: nameInWords(name) })), event.text)
            : told(event.type, name);
        if (line) lines.append(line);
      }
      while (lines.children.length > LINES_MAX) lines.firstElementChild!.remove();
      log.scrollTop = log.scrollHeight;
    },
  };
}

function told(type: string, name: string | null): HTMLElement | undefined {
  const text = sayIfKnown(`chat.${type}`, { name: name ? nameInWords(name) : say("chat.bot") });
  return text ? h("li", { class: "quiet" }, text) : undefined;
}
