/** A running horse with its jockey and its number. */
import { svg } from "../dom.ts";

/** Drawn into a box of 48 by 32; `colour` names a colour of the style sheet. */
export function horse(colour: string, number: string): SVGElement {
  return svg(
    "g",
    { class: `horse horse-${colour}` },
    svg("path", { class: "tail", d: "M9 13C4 10 3 17 0 18C3 20 8 18 10 16Z" }),
    svg("path", { class: "leg back", d: "M12 17L7 22L2 22M14 18L13 25L17 30" }),
    svg("path", { class: "leg front", d: "M28 18L36 21L41 19M26 19L31 25L28 30" }),
    svg("path", {
      class: "coat",
      d: "M8 14C8 9 15 9 20 10C25 11 27 9 30 5C31 3 33 2 35 2L36 0L38 3C41 4 44 7 46 10L44 12L39 10C37 13 35 16 31 19C26 22 12 22 9 18C8 17 8 15 8 14Z",
    }),
    svg("path", { class: "jockey", d: "M15 10L20 4L25 5L28 9L22 10Z" }),
    svg("circle", { class: "cap", cx: 23.5, cy: 2.6, r: 2.6 }),
    svg("rect", { class: "cloth", x: 12, y: 10.5, width: 13, height: 8, rx: 1.5 }),
    svg("text", { class: "cloth-number", x: 18.5, y: 17 }, number),
  );
}
