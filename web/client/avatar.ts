/** A coloured, patterned disc for a player, made of their name: nothing is stored or uploaded. */
import { inkOn } from "./colours.ts";
import { svg } from "./dom.ts";
import { nameInWords } from "./words.ts";

/** Colours of players who have none from a game. */
const COLOURS = ["#1f5fbf", "#b85c00", "#0f766e", "#b8336f", "#5b3fa8", "#8a6d00", "#2e7d32", "#a11b1b"];
/** Paths in a square of 40. */
const PATTERNS = [
  "M0 12L12 0M0 28L28 0M0 44L44 0M12 44L44 12M28 44L44 28",
  "M20 2A18 18 0 1 0 20.1 2M20 9A11 11 0 1 0 20.1 9",
  "M0 8H40M0 20H40M0 32H40",
  "M20 0V40M0 20H40M6 6L34 34M34 6L6 34",
  "M0 40L20 20L40 40M0 26L20 6L40 26",
  "M8 0V40M32 0V40M0 8H40M0 32H40",
];

/** The disc of a player: of the `colour` of their seat, if they have one. */
export function avatar(name: string, colour?: string): SVGElement {
  const number = hashOf(name);
  const fill = colour ?? COLOURS[number % COLOURS.length]!;
  const ink = inkOn(fill);
  const [letter = ""] = nameInWords(name).trim();
  const pattern = PATTERNS[Math.floor(number / COLOURS.length) % PATTERNS.length]!;
  return svg(
    "svg",
    { class: "avatar", viewBox: "0 0 40 40", "aria-hidden": "true" },
    svg("rect", { width: 40, height: 40, fill }),
    svg("path", { d: pattern, fill: "none", stroke: ink, "stroke-opacity": 0.3, "stroke-width": 4 }),
    svg("circle", { cx: 20, cy: 20, r: 13, fill }), // lines at a letter would make others of it
    svg("text", { x: 20, y: 27.5, fill: ink, "text-anchor": "middle" }, letter.toUpperCase()),
  );
}

/** A number that depends on each character of a name. */
function hashOf(name: string): number {
  let hash = 2166136261;
  for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619) >>> 0;
  return hash >>> 3; // the lowest bits mix least
}
