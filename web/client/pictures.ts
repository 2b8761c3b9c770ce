/** Small pictures of the games for the start page. All are our own. */
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
