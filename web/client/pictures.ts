/** Small pictures of the games for the start page, and of what their first cards explain. All are our own. */
import { die } from "./die.ts";
import { svg } from "./dom.ts";
import { horse } from "./ready_set_bet/horse.ts";

/** A picture of this game; a game without one gets a pair of dice. */
export function picture(slug: string): SVGElement {
  const draw = PICTURES[slug] ?? dice;
  return svg("svg", { class: "picture", viewBox: "0 0 120 72", "aria-hidden": "true" }, ...draw());
}

const PICTURES: Record<string, () => SVGElement[]> = {
  ready_set_bet: () => [
    ground("#2e7d4f"),
    svg("path", { d: "M0 44H120M0 62H120", stroke: "#fff", "stroke-opacity": ".45" }),
    svg("path", { d: "M92 20V72", stroke: "#d62728", "stroke-width": 3 }),
    svg("g", { transform: "translate(6 4) scale(.8)" }, horse("blue", "4")),
    svg("g", { transform: "translate(36 28) scale(.95)" }, horse("orange", "9")),
  ],
  ascot: () => [
    ground("#7b3f61"),
    svg("ellipse", {
      cx: 60,
      cy: 36,
      rx: 48,
      ry: 26,
      fill: "#3f8f5b",
      stroke: "#f3e9d8",
      "stroke-width": 3,
    }),
    svg("ellipse", {
      cx: 60,
      cy: 36,
      rx: 26,
      ry: 11,
      fill: "#7b3f61",
      stroke: "#f3e9d8",
      "stroke-width": 2,
    }),
    ...["#1f5fbf", "#d62728", "#f2c400"].map((fill, number) =>
      svg("circle", { cx: 30 + number * 24, cy: 54 - number * 1.5, r: 5, fill, stroke: "#fff" }),
    ),
  ],
  carcassonne: () => [
    ground("#8db255"),
    svg("path", {
      d: "M60 72C60 50 80 44 120 44",
      fill: "none",
      stroke: "#f4efe0",
      "stroke-width": 7,
    }),
    svg("path", { d: "M0 0H120C104 26 74 30 60 30S16 26 0 0Z", fill: "#b98552" }),
    svg("path", {
      d: "M0 0C16 26 46 30 60 30S104 26 120 0",
      fill: "none",
      stroke: "#6b4a2b",
      "stroke-width": 4,
    }),
    svg("path", { d: "M50 8h6v4h8V8h6v16H50Z", fill: "#efe3cf", stroke: "#6b4a2b" }),
    svg("circle", { cx: 26, cy: 52, r: 5, fill: "#1f5fbf" }),
    svg("path", { d: "M18 66l8-12 8 12Z", fill: "#1f5fbf" }),
  ],
  set_dice: () => [ground("#3b4a8c"), ...shapes()],
  quitte_ou_double: () => [
    ground("#274b5e"),
    svg("path", {
      d: "M40 12H80M40 60H80",
      stroke: "#e8c66a",
      "stroke-width": 5,
      "stroke-linecap": "round",
    }),
    svg("path", {
      d: "M45 14C45 32 58 32 58 36S45 40 45 58H75C75 40 62 40 62 36S75 32 75 14Z",
      fill: "#dff1f7",
    }),
    svg("path", {
      d: "M51 24H69C67 30 61 31 60 35C59 31 53 30 51 24ZM48 57C50 48 60 50 60 44C60 50 70 48 72 57Z",
      fill: "#e8a33d",
    }),
  ],
};

function ground(fill: string): SVGElement {
  return svg("rect", { width: 120, height: 72, fill });
}

function shapes(): SVGElement[] {
  const signs = [
    svg("circle", { cx: 22, cy: 36, r: 9, fill: "#d62728" }),
    svg("path", { d: "M60 25l11 11-11 11-11-11Z", fill: "#1b8a4b" }),
    svg("path", {
      d: "M88 44c4-18 6 0 10-8s8-4 10 0",
      fill: "none",
      stroke: "#8e44ad",
      "stroke-width": 5,
    }),
  ];
  return signs.flatMap((sign, number) => [
    svg("rect", { x: 6 + number * 38, y: 20, width: 32, height: 32, rx: 6, fill: "#fff" }),
    sign,
  ]);
}

function dice(): SVGElement[] {
  return [
    ground("#444"),
    svg("rect", { x: 44, y: 20, width: 32, height: 32, rx: 6, fill: "#fff" }),
  ];
}

/** A picture of what a first card of this game explains; the words of some need none. */
export function cardPicture(slug: string, nth: number): SVGElement | null {
  const parts = CARDS[slug]?.[nth]?.();
  return parts ? svg("svg", { class: "card-picture", viewBox: "0 0 240 80", "aria-hidden": "true" }, ...parts) : null;
}

const CARDS: Record<string, (() => SVGElement[])[]> = {
  ready_set_bet: [
    () => [turf(), thrown(10, 3), thrown(60, 4), arrow(112, 40), at(146, 14, 1.2, horse("blue", "7"))],
    () => [turf(), ...["5×", "4×", "3×"].map((text, place) => spot(20 + 70 * place, text, "−1")), coin(138, 58, "3", "#f2c400")],
    () => [turf(), spot(12, "5×", "−2"), coin(66, 24, "3", "#f2c400"), word(134, 36, "5 × 3 = +15", "#ffe45c"), word(134, 66, "−2", "#ffb3b3")],
    () => [
      turf(),
      ...(["9", "6", "8"] as const).map((number, place) => at(128 - 60 * place, 4, 0.88, horse(["orange", "blue", "pink"][place]!, number))),
      ...[1, 2, 3].flatMap((all) => [
        svg("path", { d: `M188 ${46 + 13 * (all - 1)}H${196 - 60 * all}`, stroke: "#ffe45c", "stroke-width": 5, "stroke-linecap": "round" }),
        svg("text", { x: 198, y: 50 + 13 * (all - 1), fill: "#fff", "font-size": 12, "font-weight": 700 }, [1, 2, 3].slice(0, all).join(" · ")),
      ]),
    ],
    () => [
      turf(),
      svg("path", { d: "M0 27H240M0 54H240", stroke: "#fff", "stroke-opacity": ".45" }),
      svg("path", { d: "M130 0V80", stroke: "#ff4b4b", "stroke-width": 4 }),
      ...[150, 136, 104].map((x, lane) => at(x, 2 + 27 * lane, 0.55, horse(["blue", "orange", "pink"][lane]!, ["7", "9", "6"][lane]!))),
    ],
  ],
  quitte_ou_double: [
    () => [stage(), tile(96, "?", true)],
    () => [stage(), ...row()],
    () => [stage(), ...row(), coin(75, 40, "A", "#f2c400"), coin(165, 40, "B", "#f2c400")],
    () => [
      stage(),
      svg("rect", { x: 56, y: 6, width: 38, height: 68, rx: 6, fill: "#ffe45c" }),
      ...row(),
      coin(75, 46, "A", "#f2c400"),
      word(75, 26, "+1", "#2b2105"),
      ...[30, 120].map((x) => word(x, 16, "+1", "#ffe45c")),
    ],
    () => [stage(), ...pile(30, 4), arrow(62, 44), ...pile(114, 8), word(158, 48, "/"), word(196, 48, "0", "#ffb3b3")],
  ],
};

const turf = (): SVGElement => svg("rect", { width: 240, height: 80, rx: 8, fill: "#2e7d4f" });
const stage = (): SVGElement => svg("rect", { width: 240, height: 80, rx: 8, fill: "#234a5f" });

function at(x: number, y: number, scale: number, drawn: SVGElement): SVGElement {
  return svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, drawn);
}

function thrown(x: number, eyes: number): SVGElement {
  const element = die(eyes);
  for (const [name, value] of Object.entries({ x, y: 19, width: 42, height: 42 })) element.setAttribute(name, String(value));
  return element;
}

function arrow(x: number, y: number): SVGElement {
  return svg("path", { d: `M${x} ${y}h22m-8 -8l8 8l-8 8`, fill: "none", stroke: "#fff", "stroke-width": 4, "stroke-linecap": "round", "stroke-linejoin": "round" });
}

function word(x: number, y: number, text: string, fill = "#fff"): SVGElement {
  return svg("text", { x, y, fill, "font-size": 20, "font-weight": 800, "text-anchor": "middle" }, text);
}

function coin(cx: number, cy: number, text: string, fill: string): SVGElement {
  const rim = svg("circle", { cx, cy, r: 13, fill, stroke: "#fff", "stroke-width": 2, "stroke-dasharray": "4 3" });
  return svg("g", {}, rim, svg("text", { x: cx, y: cy + 5, "font-size": 15, "font-weight": 800, "text-anchor": "middle", fill: "#111" }, text));
}

/** A spot of the betting board: what it pays, and what it costs. */
function spot(x: number, gain: string, loss: string): SVGElement {
  const box = svg("rect", { x, y: 14, width: 52, height: 52, rx: 6, fill: "#ffe9a8" });
  return svg("g", {}, box, word(x + 26, 38, gain, "#1d2420"), word(x + 26, 60, loss, "#9b1111"));
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
