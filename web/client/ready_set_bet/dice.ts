/** The two dice of the last roll. */
import { h, motionIsReduced, redraw, svg } from "../dom.ts";
import { say } from "../words.ts";
import type { Part, View } from "./game.ts";

const PIPS: Record<number, [number, number][]> = {
  1: [[2, 2]],
  2: [
    [1, 1],
    [3, 3],
  ],
  3: [
    [1, 1],
    [2, 2],
    [3, 3],
  ],
  4: [
    [1, 1],
    [1, 3],
    [3, 1],
    [3, 3],
  ],
  5: [
    [1, 1],
    [1, 3],
    [2, 2],
    [3, 1],
    [3, 3],
  ],
  6: [
    [1, 1],
    [1, 2],
    [1, 3],
    [3, 1],
    [3, 2],
    [3, 3],
  ],
};
const ROLLING_MS = 350;

export function dicePart(): Part {
  const element = h("div", { class: "dice", role: "img" });
  return {
    element,
    show({ dice, race, roll }: View): void {
      redraw(element, [dice, race, roll], () => (dice ? dice.map(die) : [die(0), die(0)]));
      element.setAttribute(
        "aria-label",
        dice ? say("dice", { one: dice[0], two: dice[1] }) : say("dice.none"),
      );
    },
  };
}

function die(eyes: number): SVGElement {
  const pips = (PIPS[eyes] ?? []).map(([x, y]) => svg("circle", { cx: x * 10, cy: y * 10, r: 4 }));
  const element = svg(
    "svg",
    { class: "die", viewBox: "0 0 40 40" },
    svg("rect", { x: 1, y: 1, width: 38, height: 38, rx: 8 }),
    ...pips,
  );
  if (eyes && !motionIsReduced())
    element.animate([{ transform: "rotate(-150deg) scale(.5)" }, { transform: "none" }], {
      duration: ROLLING_MS,
      easing: "ease-out",
    });
  return element;
}
