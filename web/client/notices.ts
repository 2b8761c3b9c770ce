/** The notices of the user, and which of them they get on which channel. */
import type { Client } from "railbird-client";
import type { Notice, NoticeChoice, Rules } from "railbird-client/models";
import { show as showBell } from "./bell.ts";
import { fail } from "./connection.ts";
import { h } from "./dom.ts";
import { action, showLoading, showPage, tell } from "./frame.ts";
import { PATH } from "./path.ts";
import { push } from "./push.ts";
import { signIn } from "./session.ts";
import { webhooks } from "./webhooks.ts";
import { ago, inWords, say } from "./words.ts";

const SHOWN = 100;
const CHANNELS = ["inbox", "mail", "push"] as const;

showLoading(say("notices.title"));
void main();

async function main(): Promise<void> {
  try {
    const client = await signIn();
    const [user, rules, { last, read }, choices] = await Promise.all([
      client.me(),
      client.listRules(),
      client.listNotices({ limit: 1 }),
      client.listNoticeChoices(),
    ]);
    const page = await client.listNotices({ after: Math.max(0, last - SHOWN), limit: SHOWN });
    const lines = page.notices.map((notice) => line(notice, notice.number > read, rules)).reverse();
    showPage(
      say("notices.title"),
      h("h1", {}, say("notices.title")),
      lines.length > 0 ? h("ul", { class: "tables notice-list" }, ...lines) : h("p", { class: "notice-list" }, say("notices.none")),
      settings(client, choices),
      !user.is_guest && webhooks(client),
    );
    if (page.last > page.read) await client.markNoticesRead({ number: page.last });
    showBell({ ...page, read: page.last });
  } catch (error) {
    fail(error);
  }
}

/** A notice in words: the game, what happened, and the result of the user. */
function told({ kind, slug, ended, rank }: Notice, rules: readonly Rules[]): string {
  const title = rules.find((one) => one.slug === slug)?.title;
  const what = say(ended === "voided" ? "notice.voided" : `notice.${kind}`);
  return [title && inWords(title), what, rank && say("notice.rank", { rank })].filter(Boolean).join(" · ");
}

function line(notice: Notice, isNew: boolean, rules: readonly Rules[]): HTMLElement {
  const text = told(notice, rules);
  const place = notice.game ? `games/${notice.game}/` : notice.lobby && `lobbies/${notice.lobby}/`;
  return h(
    "li",
    { class: isNew ? "new" : "" },
    h(
      "span",
      {},
      place ? h("a", { href: `${PATH}/${place}` }, text) : text,
      isNew && h("span", { class: "unseen" }, say("notices.new")),
      " ",
      h("span", { class: "quiet" }, ago(notice.at)),
    ),
  );
}

/** A table of kinds and channels, each with a box to tick. */
function settings(client: Client, choices: NoticeChoice[]): HTMLElement {
  return h(
    "section",
    { class: "panel settings-panel" },
    h("h2", { id: "choices" }, say("notices.choices")),
    h("p", { class: "quiet" }, say("notices.choices.about")),
    h(
      "table",
      { class: "choices", "aria-labelledby": "choices" },
      h("thead", {}, h("tr", {}, h("th", {}, say("notices.kind")), ...CHANNELS.map((channel) => h("th", {}, say(`notices.${channel}`))))),
      h("tbody", {}, ...choices.map((choice) => row(client, choice))),
    ),
    push(client),
  );
}

function row(client: Client, { kind, channels }: NoticeChoice): HTMLElement {
  const name = say(`notice.${kind}`);
  const boxes = CHANNELS.map((channel) => {
    const label = `${name} ${say(`notices.${channel}`)}`;
    return h("input", { type: "checkbox", "aria-label": label, checked: channels.includes(channel), onchange: () => change() });
  });
  const change = action(async () => {
    const wanted = CHANNELS.filter((_, nth) => boxes[nth]!.checked);
    await client.chooseNotices({ kind, channels: wanted });
    tell(say("notices.kept"));
  });
  return h("tr", {}, h("th", { scope: "row" }, name), ...boxes.map((box) => h("td", {}, box)));
}
