/** The grandstand behind the track: its crowd wears the colours of the horses. */
import { svg } from "../dom.ts";

const WIDTH = 400;
const SILKS = ["blue", "orange", "pink", "black", "plain"];
const ROWS = 3;
const PEOPLE = 22;

/** A picture without meaning: screen readers skip it. */
export function grandstand(): SVGElement {
  return svg(
    "svg",
    {
      class: "stand",
      viewBox: `0 0 ${WIDTH} 48`,
      preserveAspectRatio: "xMidYMax slice",
      "aria-hidden": "true",
    },
    svg("path", { class: "hill far", d: "M0 34C60 10 120 20 180 28S320 8 400 26V48H0Z" }),
    svg("path", { class: "hill", d: "M0 40C70 26 110 36 170 36S330 24 400 38V48H0Z" }),
    ...[14, 38, 58, 336, 356, 384].map((x, tree) =>
      svg("path", { class: "tree", d: `M${x} 44V34A${7 + (tree % 3)} 9 0 1 1 ${x + 1} 34V44Z` }),
    ),
    svg("path", { class: "roof", d: "M92 12L104 4H296L308 12Z" }),
    svg("path", { class: "posts", d: "M104 12V44M168 12V44M232 12V44M296 12V44" }),
    svg("path", { class: "terrace", d: "M96 24H304V44H96Z" }),
    ...Array.from({ length: ROWS * PEOPLE }, (_, place) => person(place)),
    ...[104, 168, 232, 296].map((x, flag) =>
      svg("path", { class: `flag silk-${SILKS[flag]!}`, d: `M${x} 4V-4L${x + 9}-1.5L${x} 1` }),
    ),
    svg("path", { class: "rail", d: "M0 45H400" }),
  );
}

function person(place: number): SVGElement {
  const row = Math.floor(place / PEOPLE);
  const x = 101 + (place % PEOPLE) * 9.3 + (row % 2) * 4;
  const y = 25 + row * 6;
  const silk = SILKS[(place * 7 + row * 3) % SILKS.length]!;
  return svg(
    "g",
    { class: `person silk-${silk}` },
    svg("path", { d: `M${x - 3} ${y + 7}C${x - 3} ${y + 2} ${x + 3} ${y + 2} ${x + 3} ${y + 7}Z` }),
    svg("circle", { class: "face", cx: x, cy: y, r: 2 }),
  );
}
