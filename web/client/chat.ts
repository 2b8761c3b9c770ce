/** The chat of a lobby: messages and who came and went, and a field to write. */
import type { Client, Lobby, RoomNews } from "railbird-client";
import { newId } from "railbird-client/ids";
import type { MessageSent } from "railbird-client/models";
import { h } from "./dom.ts";
import { action } from "./frame.ts";
import { isScreen } from "./path.ts";
import { nameInWords, say, sayIfKnown } from "./words.ts";

const LINES_MAX = 200;
const LENGTH_MAX = 500;

export interface Chat {
  element: HTMLElement;
  show(news: { events: RoomNews["events"]; lobby?: Lobby }): void;
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
  const audience = h(
    "select",
    { "aria-label": say("chat.to"), hidden: true },
    h("option", { value: "everyone" }, say("chat.to.everyone")),
    h("option", { value: "team" }, say("chat.to.team")),
  );
  const send = action(async () => {
    if (!text.value.trim()) return;
    const to = audience.value as "everyone" | "team";
    await client.sendMessage(lobby, { id: newId(), text: text.value, audience: to });
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
    audience,
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
    show({ events, lobby: seen }): void {
      // Once chosen, the team stays: a message to it never goes to everyone because somebody left.
      if (seen) audience.hidden = !hasTeam(seen) && audience.value === "everyone";
      for (const { event, name } of events) {
        const line = event.type === "message_sent" ? message(event, name) : told(event.type, name);
        if (line) lines.append(line);
      }
      while (lines.children.length > LINES_MAX) lines.firstElementChild!.remove();
      log.scrollTop = log.scrollHeight;
    },
  };
}

function hasTeam({ your_seat, teams }: Lobby): boolean {
  return your_seat !== null && Boolean(teams?.some((team) => team.includes(your_seat)));
}

/** A message, marked if only the team reads it. A whole room would read it on a big screen. */
function message({ text, audience }: MessageSent, name: string | null): HTMLElement | undefined {
  const isForTeam = audience === "team";
  if (isForTeam && isScreen) return undefined;
  const by = name && say(isForTeam ? "chat.by_to_team" : "chat.by", { name: nameInWords(name) });
  return h("li", { class: isForTeam ? "to-team" : "" }, h("b", {}, by), h("bdi", {}, text));
}

function told(type: string, name: string | null): HTMLElement | undefined {
  const text = sayIfKnown(`chat.${type}`, { name: name ? nameInWords(name) : say("chat.bot") });
  return text ? h("li", { class: "quiet" }, text) : undefined;
}
