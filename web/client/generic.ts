/** Any game as lists: the view, the legal commands and the events. */
import type { Caller } from "./calls.ts";
import { h, redraw, type Child } from "./dom.ts";
import { attempt } from "./frame.ts";
import type { AnyGame, GamePage, Setting } from "./game_page.ts";
import { say } from "./words.ts";

const ROWS_MAX = 100;

export function genericPage(setting: Setting): GamePage<AnyGame> {
  const { caller, play, seat } = setting;
  const players = h("p", { class: "quiet" }, setting.players.join(", "));
  const commands = h("div", { class: "commands" });
  const own = h("textarea", { rows: 3, "aria-label": say("generic.own"), spellcheck: "false" });
  const send = h("button", {}, say("generic.send"));
  const seen = h("div", { class: "seen" });
  send.addEventListener("click", () => void attempt(async () => play(parse(own.value))));

  const showCommands = async (): Promise<void> => {
    const legal = await setting.legal();
    redraw(commands, legal, () =>
      legal.length
        ? legal.map((command) =>
            h(
              "button",
              {
                onclick: () => {
                  own.value = JSON.stringify(command);
                  void play(command);
                },
              },
              commandInWords(command, caller),
            ),
          )
        : [say("generic.wait")],
    );
    if (!own.value && legal[0]) own.value = JSON.stringify(legal[0]);
  };

  return {
    element: h(
      "div",
      { class: "generic" },
      h(
        "section",
        { class: "panel" },
        players,
        seat === null
          ? h("p", {}, say("hand.spectator"))
          : h(
              "div",
              {},
              h("h2", {}, say("generic.commands")),
              commands,
              h("details", {}, h("summary", {}, say("generic.own")), own, send),
            ),
        setting.log,
      ),
      h("section", { class: "panel" }, h("h2", {}, say("generic.view")), seen),
    ),
    showView({ view, ended }): void {
      redraw(seen, view, () => [shown(view, "", caller)]);
      if (seat !== null && !ended) void attempt(showCommands);
    },
    now: () => ({ doing: say(seat === null ? "hand.spectator" : "generic.now"), isMine: false }),
  };
}

function parse(text: string): AnyGame["command"] {
  try {
    return JSON.parse(text) as AnyGame["command"];
  } catch {
    return { type: text };
  }
}

function commandInWords(command: object, caller: Caller): string {
  const { type, ...fields } = command as { type: string };
  const values = Object.entries(fields)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && !value.length))
    .map(([field, value]) => `${spaced(field)}: ${inLine(value, field, caller)}`);
  return [spaced(type), ...values].join(" · ");
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

function inLine(value: unknown, field: string, caller: Caller): string {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : caller.name(field, value);
}

/** A value of the view: objects as lists of fields, lists of objects as tables. */
function shown(value: unknown, field: string, caller: Caller): HTMLElement {
  if (Array.isArray(value)) {
    const items = value.slice(0, ROWS_MAX) as unknown[];
    if (!items.length) return h("span", { class: "quiet" }, "—");
    if (items.every(isObject)) return tableOf(items, caller);
    if (items.some((item) => typeof item === "object" && item !== null))
      return h("ol", {}, ...items.map((item) => h("li", {}, shown(item, field, caller))));
    return h("span", {}, items.map((item) => caller.name(field, item)).join(", "));
  }
  if (isObject(value)) {
    if ("en" in value && "fr" in value) return h("span", {}, caller.name(field, value));
    if (!Object.keys(value).length) return h("span", { class: "quiet" }, "—");
    const lines = Object.entries(value).map(([name, inside]): Child => {
      const isLong = typeof inside === "object" && JSON.stringify(inside).length > 400;
      const content = shown(inside, name, caller);
      return h(
        "div",
        {},
        h("dt", {}, caller.name(field, name) === name ? spaced(name) : caller.name(field, name)),
        h(
          "dd",
          {},
          isLong ? h("details", {}, h("summary", {}, say("generic.show")), content) : content,
        ),
      );
    });
    return h("dl", {}, ...lines);
  }
  if (value === null) return h("span", { class: "quiet" }, "—");
  return h("span", {}, caller.name(field, value));
}

function tableOf(items: Record<string, unknown>[], caller: Caller): HTMLElement {
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, spaced(name)))),
      ),
      h(
        "tbody",
        {},
        ...items.map((item) =>
          h(
            "tr",
            {},
            ...columns.map((name) => h("td", {}, shown(item[name] ?? null, name, caller))),
          ),
        ),
      ),
    ),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
