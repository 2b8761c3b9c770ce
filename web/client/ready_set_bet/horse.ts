/** A galloping horse with its jockey and its number. */
import { svg } from "../dom.ts";

/** Drawn into a box of 64 by 42; `colour` names a colour of the style sheet. */
export function horse(colour: string, number: string): SVGElement {
  return svg(
    "g",
    { class: `horse horse-${colour}` },
    svg("path", { class: "leg far back", d: "M18 23C19 28 15 30 14 34L10 38" }),
    svg("path", { class: "leg far front", d: "M40 23C44 27 49 28 47 33L50 37" }),
    svg("path", { class: "tail", d: "M12 15C6 10 4 17 -1 17C1 22 7 22 12 20Z" }),
    svg("path", { class: "leg back", d: "M14 21C11 26 8 26 6 31L1 33" }),
    svg("path", { class: "leg front", d: "M43 21C49 22 52 23 55 27L60 26" }),
    svg("path", {
      class: "coat",
      d:
        "M9 19C9 12 16 10 24 12C30 13 36 13 40 10C44 7 46 4 50 2L52-1L54 2C58 5 61 9 63 12" +
        "C64 14 62 16 59 15C56 14 54 12 52 12C50 15 49 19 46 22C43 26 38 26 33 25" +
        "C27 24 22 25 18 26C13 26 9 24 9 19Z",
    }),
    svg("path", { class: "mane", d: "M51 1C45 3 41 8 39 11C43 12 47 9 51 5Z" }),
    svg("circle", { class: "eye", cx: 56, cy: 8, r: 0.9 }),
    svg("path", { class: "boot", d: "M31 12L37 14L36 20" }),
    svg("rect", { class: "cloth", x: 17, y: 12.5, width: 17, height: 10.5, rx: 2 }),
    svg(
      "text",
      { class: number.length > 2 ? "cloth-number long" : "cloth-number", x: 25.5, y: 20.6 },
      number,
    ),
    svg("path", { class: "jockey", d: "M24 11C24 6 29 2 36 3L39 8C35 8 32 10 30 13Z" }),
    svg("path", { class: "sleeve", d: "M35 5L37 10L42 11" }),
    svg("circle", { class: "face", cx: 39, cy: 2, r: 2.6 }),
    svg("path", { class: "cap", d: "M36 2.4A3.2 3.2 0 0 1 41.8 .2L44 2L36.4 3.2Z" }),
  );
}
