/** Pictures for the first cards of Quitte ou double, in their order. */
import { arrow, cardPicture, coin, word } from "../card_picture.ts";
import { svg } from "../dom.ts";

const STAGE = "#234a5f";

export function introduction(): SVGElement[] {
  return [
    cardPicture(STAGE, tile(96, "?", true)),
    cardPicture(STAGE, ...row()),
    cardPicture(STAGE, ...row(), coin(75, 40, "A", "#f2c400"), coin(165, 40, "B", "#f2c400")),
    cardPicture(
      STAGE,
      svg("rect", { x: 56, y: 6, width: 38, height: 68, rx: 6, fill: "#ffe45c" }),
      ...row(),
      coin(75, 46, "A", "#f2c400"),
      word(75, 26, "+1", "#2b2105"),
      ...[30, 120].map((x) => word(x, 16, "+1", "#ffe45c")),
    ),
    cardPicture(STAGE, ...pile(30, 4), arrow(62, 44), ...pile(114, 8), word(158, 48, "/"), word(196, 48, "0", "#ffb3b3")),
  ];
}

function tile(x: number, text: string, isLarge = false): SVGElement {
  const width = 48;
  const box = svg("rect", { x, y: 22, width, height: isLarge ? 44 : 38, rx: 6, fill: "#fffdf6", stroke: "#cbbf9d", "stroke-width": 2 });
  return svg("g", {}, box, word(x + width / 2, isLarge ? 52 : 48, text, "#2a241a"));
}

/** Three answers in order, with gaps around them. */
function row(): SVGElement[] {
  return ["12", "30", "86"].map((text, nth) => tile(6 + 90 * nth, text));
}

function pile(cx: number, all: number): SVGElement[] {
  return Array.from({ length: all }, (_, nth) => svg("ellipse", { cx, cy: 66 - 7 * nth, rx: 16, ry: 6, fill: "#e8c66a", stroke: "#8a5f00" }));
}
