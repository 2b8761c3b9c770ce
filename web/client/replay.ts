/** The page that replays a game: any version, forwards, backwards, at any speed. */
import { sleep } from "railbird-client/patience";
import { fail } from "./connection.ts";
import { h, svg } from "./dom.ts";
import { draw, load } from "./drawings.ts";
import { evidenceButton } from "./evidence.ts";
import { attempt, showLoading, showPage, tell } from "./frame.ts";
import { History, type Moment } from "./history.ts";
import { parts, PATH } from "./path.ts";
import { signIn } from "./session.ts";
import { language, say } from "./words.ts";

const SPEEDS = [0.5, 1, 2, 4, 8];
const PAUSE_MAX_MS = 2500;
/** The commits whose events are shown again after a jump. */
const RETOLD = 40;
/** The events at which a replay can stop, with the button that leads to the next one and their marks on the slider. */
const STOPS = [
  { button: "replay.bet", mark: "bet", top: 6, events: new Set<string>(["bet_placed"]) },
  { button: "replay.finish", mark: "payout", top: 3, events: new Set<string>(["bet_settled", "bet_voided"]) },
  { button: "replay.round", mark: "round", top: 0, events: new Set<string>(["race_started", "question_asked", "lot_opened", "betting_opened"]) },
] as const;

const id = parts[2]!;
void main();

async function main(): Promise<void> {
  showLoading(say("replay.title"));
  try {
    const client = await signIn();
    const shown = await load(client, id);
    const { game } = shown;
    const history = await History.of(client, id);
    const page = draw(shown, {
      play: async () => {
        tell(say("replay.only"), "bad");
        return false;
      },
      legal: async () => [],
    });
    if (game.ended) page.tellAll?.(history.commits);
    const title = say("replay.title_of", { game: shown.title });
    const replay = new Replay(history, page);
    document.documentElement.classList.add("replayed"); // without the controls of a game that runs
    showPage(
      title,
      h("h1", { class: "unseen" }, title),
      replay.element,
      page.element,
      h(
        "nav",
        { class: "game-links", "aria-label": say("table.links") },
        h("a", { href: `${PATH}/games/${id}/` }, say("replay.back")),
        game.ended && h("a", { href: `${PATH}/verify/?game=${id}` }, say("verify.link")),
        game.your_seat !== null && evidenceButton(id, game.your_seat),
      ),
    );
    const asked = Number(new URLSearchParams(location.search).get("version"));
    await replay.go(Number.isInteger(asked) && asked > 0 ? asked : 1);
  } catch (error) {
    fail(error);
  }
}

/** Where bets, payouts and rounds are on the slider; the buttons lead there. */
function marks(history: History): SVGElement {
  const lines = STOPS.map(({ mark, top, events }) =>
    svg("path", { class: mark, d: history.all(events).map((version) => `M${version - 1} ${top}V10`).join("") }),
  );
  return svg(
    "svg",
    { class: "replay-marks", viewBox: `0 0 ${Math.max(history.last - 1, 1)} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...lines,
  );
}

/** The controls, and the version that they show. */
class Replay {
  readonly element: HTMLElement;
  readonly #history: History;
  readonly #page: ReturnType<typeof draw>;
  readonly #slider: HTMLInputElement;
  readonly #text = h("output", { class: "replay-text" });
  readonly #toggle = h("button", { class: "primary", onclick: () => this.#playOrPause() });
  #version = 0;
  #wanted = 0;
  #speed = 1;
  #isPlaying = false;
  #isGoing = false;

  constructor(history: History, page: ReturnType<typeof draw>) {
    this.#history = history;
    this.#page = page;
    this.#slider = h("input", {
      type: "range",
      min: 1,
      max: history.last,
      value: 1,
      "aria-label": say("replay.version"),
      oninput: () => this.#jump(Number(this.#slider.value)),
    });
    const speed = h(
      "select",
      { onchange: () => (this.#speed = Number(speed.value)) },
      ...SPEEDS.map((value) =>
        h("option", { value, selected: value === 1 }, `${value.toLocaleString(language)} ×`),
      ),
    );
    this.element = h(
      "section",
      { class: "panel replay", "aria-label": say("replay.title") },
      h("div", {}, marks(history), this.#slider),
      h(
        "div",
        { class: "replay-buttons" },
        this.#button("replay.step_back", () => this.#version - 1),
        this.#toggle,
        this.#button("replay.step", () => this.#version + 1),
        ...STOPS.map(({ button, events }) => history.all(events).length > 0 && this.#button(button, () => history.next(this.#version, events))),
        h("label", {}, `${say("replay.speed")} `, speed),
        h("button", { onclick: () => attempt(() => this.#copy()) }, say("replay.copy")),
      ),
      this.#text,
    );
    this.#showState();
  }

  /** Show a version. While one is loading, only the newest wish counts. */
  async go(version: number): Promise<void> {
    this.#wanted = Math.min(Math.max(version, 1), this.#history.last);
    if (this.#isGoing) return;
    this.#isGoing = true;
    try {
      while (this.#version !== this.#wanted) {
        const wanted = this.#wanted;
        this.#show(await this.#history.at(wanted), wanted === this.#version + 1);
      }
    } finally {
      this.#isGoing = false;
    }
  }

  #show({ view, commit }: Moment, isNext: boolean): void {
    if (!isNext) {
      this.#page.clear();
      for (const told of this.#history.before(view.version, RETOLD)) this.#page.retell(told);
    }
    this.#version = view.version;
    this.#page.showCommit(commit);
    this.#page.showView(view);
    this.#showState();
  }

  #showState(): void {
    this.#slider.value = String(this.#version);
    const { at } = this.#history.commit(this.#version) ?? {};
    const texts = { version: this.#version, last: this.#history.last };
    this.#slider.setAttribute("aria-valuetext", say("replay.at", texts));
    const time = at ? ` · ${at.toLocaleTimeString(language)}` : "";
    this.#text.textContent = say("replay.at", texts) + time;
    this.#toggle.textContent = say(this.#isPlaying ? "replay.pause" : "replay.play");
    if (this.#version && !this.#isPlaying)
      history.replaceState(null, "", `?version=${this.#version}`);
  }

  #button(text: Parameters<typeof say>[0], target: () => number): HTMLElement {
    return h("button", { onclick: () => this.#jump(target()) }, say(text));
  }

  #jump(version: number): void {
    this.#isPlaying = false;
    void attempt(() => this.go(version).then(() => this.#showState()));
  }

  #playOrPause(): void {
    this.#isPlaying = !this.#isPlaying;
    this.#showState();
    if (this.#isPlaying) void attempt(() => this.#play());
  }

  async #play(): Promise<void> {
    try {
      if (this.#version === this.#history.last) await this.go(1);
      await this.#goOn();
    } finally {
      this.#isPlaying = false;
      this.#showState();
    }
  }

  async #goOn(): Promise<void> {
    while (this.#isPlaying && this.#version < this.#history.last) {
      const next = this.#version + 1;
      const pauseMs = this.#history.pauseMs(next);
      await sleep(Math.min(pauseMs, PAUSE_MAX_MS) / this.#speed);
      if (this.#isPlaying) await this.go(next);
    }
  }

  async #copy(): Promise<void> {
    await navigator.clipboard.writeText(
      `${location.origin}${location.pathname}?version=${this.#version}`,
    );
    tell(say("lobby.copied"));
  }
}
