/** Pictures for the first cards of Ready Set Bet, in their order. */
import { arrow, cardPicture, coin, word } from "../card_picture.ts";
import { die } from "../die.ts";
import { svg } from "../dom.ts";
import { horse } from "./horse.ts";

const TURF = "#2e7d4f";

export function introduction(): SVGElement[] {
  return [
    cardPicture(TURF, thrown(10, 3), thrown(60, 4), arrow(112, 40), at(146, 14, 1.2, horse("blue", "7"))),
    cardPicture(TURF, ...["5×", "4×", "3×"].map((text, place) => spot(20 + 70 * place, text, "−1")), coin(138, 58, "3", "#f2c400")),
    cardPicture(TURF, spot(12, "5×", "−2"), coin(66, 24, "3", "#f2c400"), word(134, 36, "5 × 3 = +15", "#ffe45c"), word(134, 66, "−2", "#ffb3b3")),
    cardPicture(
      TURF,
      ...(["9", "6", "8"] as const).map((number, place) => at(128 - 60 * place, 4, 0.88, horse(["orange", "blue", "pink"][place]!, number))),
      ...[1, 2, 3].flatMap((all) => [
        svg("path", { d: `M188 ${46 + 13 * (all - 1)}H${196 - 60 * all}`, stroke: "#ffe45c", "stroke-width": 5, "stroke-linecap": "round" }),
        svg("text", { x: 198, y: 50 + 13 * (all - 1), fill: "#fff", "font-size": 12, "font-weight": 700 }, [1, 2, 3].slice(0, all).join(" · ")),
      ]),
    ),
    cardPicture(
      TURF,
      svg("path", { d: "M0 27H240M0 54H240", stroke: "#fff", "stroke-opacity": ".45" }),
      svg("path", { d: "M130 0V80", stroke: "#ff4b4b", "stroke-width": 4 }),
      ...[150, 136, 104].map((x, lane) => at(x, 2 + 27 * lane, 0.55, horse(["blue", "orange", "pink"][lane]!, ["7", "9", "6"][lane]!))),
    ),
  ];
}

function at(x: number, y: number, scale: number, drawn: SVGElement): SVGElement {
  return svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, drawn);
}

function thrown(x: number, eyes: number): SVGElement {
  const element = die(eyes);
  for (const [name, value] of Object.entries({ x, y: 19, width: 42, height: 42 })) element.setAttribute(name, String(value));
  return element;
}

/** A spot of the betting board: what it pays, and what it costs. */
function spot(x: number, gain: string, loss: string): SVGElement {
  const box = svg("rect", { x, y: 14, width: 52, height: 52, rx: 6, fill: "#ffe9a8" });
  return svg("g", {}, box, word(x + 26, 38, gain, "#1d2420"), word(x + 26, 60, loss, "#9b1111"));
}
