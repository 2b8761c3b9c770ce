/** The track: one lane for each horse, the red line and the finish. */
import { h, svg } from "../dom.ts";
import { inWords, say } from "../words.ts";
import { horse } from "./horse.ts";
import type { AtTable, Part, View } from "./game.ts";
import { grandstand } from "./stand.ts";

const GALLOP_MS = 900;

export function trackPart({ book, caller }: AtTable): Part {
  const { finish, red_line } = book.track;
  const lanes = book.horses.map((about) => {
    const runner = h(
      "div",
      { class: "runner", "data-term": "horse" },
      svg("svg", { viewBox: "0 0 64 42", "aria-hidden": "true" }, horse(about.colour, about.horse)),
    );
    const state = h("span", { class: "unseen" });
    const place = h("span", { class: "rank" });
    const bonus = about.bonus ? `+${about.bonus}` : "";
    const element = h(
      "li",
      { class: `lane lane-${about.colour}` },
      h(
        "span",
        { class: "lane-name", "data-term": "horse" },
        h("b", {}, about.horse),
        h("span", {}, inWords(about.name)),
        h("small", { "data-term": "bonus" }, h("span", { "aria-hidden": "true" }, bonus), bonus && h("span", { class: "unseen" }, say("track.bonus", { bonus }))),
      ),
      h("span", { class: "turf", "data-term": "red_line" }, runner),
      place,
      state,
    );
    return { element, runner, state, place, position: 0 };
  });
  const stand = grandstand();
  const list = h(
    "ol",
    { class: "lanes", "aria-label": say("track") },
    ...lanes.map(({ element }) => element),
  );
  const element = h("section", { class: "track" }, stand, list);
  element.style.setProperty("--spaces", String(finish + 1));
  element.style.setProperty("--red-line", String(red_line));

  return {
    element,
    show(view: View): void {
      stand.classList.toggle("cheers", view.phase === "finished");
      lanes.forEach((lane, number) => {
        const position = view.positions[number] ?? 0;
        const { horse: name } = book.horses[number]!;
        lane.runner.style.setProperty("--at", String(position));
        lane.state.textContent = say("track.at", { position, finish });
        lane.element.classList.toggle("crossed", position >= red_line);
        lane.element.classList.toggle("moved", view.last_horse === name && view.roll > 0);
        const kind = kindOf(view, name);
        lane.place.dataset["term"] = kind;
        lane.place.textContent = kind ? caller.name("kind", kind) : "";
        if (position > lane.position) gallop(lane.runner);
        lane.position = position;
      });
    },
  };
}

/** The kind of bet that this horse wins, once the race is over. */
function kindOf({ podium }: View, name: string): "win" | "place" | "show" | undefined {
  return (["win", "place", "show"] as const).find((one) => podium?.[one].includes(name));
}

/** The legs move with the horse; the style sheet defines how, and respects reduced motion. */
function gallop(runner: HTMLElement): void {
  runner.classList.add("gallops");
  setTimeout(() => runner.classList.remove("gallops"), GALLOP_MS);
}
