/** The drawing of pictures on first cards. */
import { h, svg, type Child } from "./dom.ts";

/** The pieces of a game; a card without a picture keeps their place. */
export function cardPieces(...pieces: Child[]): HTMLElement {
  return h("div", { class: "card-pieces", "aria-hidden": "true" }, ...pieces);
}

/** A drawing on a ground of this colour, 240 wide and 80 high. */
export function cardPicture(ground: string, ...parts: SVGElement[]): SVGElement {
  const back = svg("rect", { width: 240, height: 80, rx: 8, fill: ground });
  return svg("svg", { class: "card-picture", viewBox: "0 0 240 80", "aria-hidden": "true" }, back, ...parts);
}

export function arrow(x: number, y: number): SVGElement {
  return svg("path", { d: `M${x} ${y}h22m-8 -8l8 8l-8 8`, fill: "none", stroke: "#fff", "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" });
}

export function word(x: number, y: number, text: string, fill = "#fff"): SVGElement {
  return svg("text", { x, y, fill, "font-size": 20, "font-weight": 800, "text-anchor": "middle" }, text);
}

export function coin(cx: number, cy: number, text: string, fill: string): SVGElement {
  const rim = svg("circle", { cx, cy, r: 13, fill, stroke: "#fff", "stroke-width": 2, "stroke-dasharray": "4 3" });
  return svg("g", {}, rim, svg("text", { x: cx, y: cy + 5, "font-size": 15, "font-weight": 800, "text-anchor": "middle", fill: "#111" }, text));
}
