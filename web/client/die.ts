/** A die with eyes; it tumbles when it is thrown. */
import { motionIsReduced, svg } from "./dom.ts";

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

/** A die that shows these eyes; 0 shows none. */
export function die(eyes: number): SVGElement {
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
