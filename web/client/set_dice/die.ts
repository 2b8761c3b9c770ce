/** A die as SVG, from the shapes and colours in the book. */
import { svg } from "../dom.ts";
import { WILD, type Table } from "./game.ts";
import { say } from "./words.ts";

const SIZE = 100;
/** Shapes are printed in a box of 100 by 50, and drawn this large. */
const SCALE = 0.5;
const GAP = 3;
/** The face ends above the edge of the die. */
const FACE = 94;

/** The face of a die on the board in words. */
export function faceInWords({ caller }: Table, face: string, isWild: boolean): string {
  const name = caller.name("face", face);
  return isWild ? say("square.wild", { face: name }) : name;
}

/** The face of a die; a Wild on the board shows its announced face with a W in the corner. */
export function drawDie(table: Table, shows: string, isWild = false): SVGElement {
  return svg(
    "svg",
    { class: "set-die", viewBox: "0 0 100 100", "aria-hidden": "true", "data-term": isWild || shows === WILD ? "wild" : "die" },
    svg("rect", { class: "die-edge", x: 3, y: 7, width: 94, height: 91, rx: 18 }),
    svg("rect", { class: "die-face", x: 3, y: 2, width: 94, height: 90, rx: 18 }),
    ...(shows === WILD ? wildFace(table) : symbols(table, shows)),
    ...(isWild ? [svg("circle", { cx: 84, cy: 15, r: 15, fill: "#2b2b2b" }), svg("text", { x: 84, y: 23, class: "wild-corner" }, "W")] : []),
  );
}

function symbols({ printed }: Table, shows: string): SVGElement[] {
  const face = printed.faces.find((one) => one.face === shows);
  if (!face) return [];
  const height = 50 * SCALE;
  const top = (FACE - face.number * height - (face.number - 1) * GAP) / 2;
  return [...Array(face.number).keys()].map((nth) =>
    symbol(
      printed,
      face.shape,
      face.colour,
      `translate(${(SIZE - SIZE * SCALE) / 2} ${top + nth * (height + GAP)}) scale(${SCALE})`,
    ),
  );
}

function symbol(
  { shapes, colours, fill_opacity }: Table["printed"],
  shape: string,
  colour: string,
  transform: string,
): SVGElement {
  return svg("path", {
    d: shapes[shape],
    transform,
    fill: colours[colour],
    "fill-opacity": fill_opacity[colour],
    stroke: colours[colour],
    "stroke-width": 6,
  });
}

/** A Wild: one symbol of each shape and colour around a W. */
function wildFace({ printed }: Table): SVGElement[] {
  const colours = Object.keys(printed.colours);
  return [
    ...Object.keys(printed.shapes).map((shape, nth) =>
      symbol(
        printed,
        shape,
        colours[nth % colours.length]!,
        `translate(${[10, 60, 35][nth]} ${[14, 14, 70][nth]}) scale(.3)`,
      ),
    ),
    svg("text", { x: 50, y: 62, class: "wild-letter" }, "W"),
  ];
}
