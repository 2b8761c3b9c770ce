/** Cards and pieces of L'Ascot: lease cards with horses and emblems, and discs on the boards. */
import { colourOf, inkOn } from "../colours.ts";
import { h, motionIsReduced, svg, type Child } from "../dom.ts";
import { horse } from "../ready_set_bet/horse.ts";
import { pieceButton, pressRing } from "../next_press.ts";
import { coatOf, francs, priceOf, type ColourChoice, type Pack, type Table, type View } from "./game.ts";

/** A lease card: a horse, an office or a report, with its name and its printed price. */
export function lease(table: Table, asset: string, ...more: Child[]): HTMLElement {
  const [kind, name] = asset.split(":") as [string, string];
  const price = priceOf(table, asset);
  const element = card(
    kind,
    kind === "horse" ? runner(table, Number(name)) : emblem(kind === "office" ? name : kind),
    h("b", {}, table.caller.name("asset", asset)),
    price !== undefined && h("small", {}, francs(price)),
    ...more,
  );
  element.dataset["term"] = kind === "horse" ? kind : termOf(name);
  const colour = kind === "horse" ? coatOf(table, Number(name)) : undefined;
  if (colour) element.style.setProperty("--coat", colour);
  return element;
}

/** The term of an office or a kept report. The members of the Club have a term of their own. */
export function termOf(name: string): string {
  return name === "club" ? "commissioner" : name;
}

function card(kind: string, picture: SVGElement, ...content: Child[]): HTMLElement {
  const drawn = svg("svg", { viewBox: "-2 -2 52 36", "aria-hidden": "true" }, picture);
  return h("span", { class: `lease lease-${kind}` }, drawn, ...content);
}

/** The card of a pack of reports, with its text once it is turned. */
export function reportCard(pack: Pack, text: string): HTMLElement {
  const element = card("report", emblem(pack === "veterinary" ? pack : "report"), h("b", {}, text));
  element.dataset["term"] = "report";
  return element;
}

/** The cards that a player puts down to use a colour, or what the horse does without one. */
export function colourCard(table: Table, number: number, choice: ColourChoice, name = table.caller.name("choice", choice)): HTMLElement {
  const coat = coatOf(table, number);
  const advantage = (x: number): SVGElement => smallCard(x, coat, svg("path", { class: "star", d: STAR }));
  const disadvantage = (x: number): SVGElement => smallCard(x, "#fff", svg("path", { class: "bad-sign", d: "M4 8l12 12M16 8l-12 12" }));
  const arrows = (x: number): SVGElement => svg("path", { class: "arrows", d: `M${x} 7l9 9l-9 9m9-18l9 9l-9 9` });
  const pictures: Record<ColourChoice, SVGElement[]> = {
    extra_rows: [smallCard(3, coat), arrows(27)],
    advantage_for_rows: [advantage(3), arrows(27)],
    drop_disadvantage: [disadvantage(14)],
    advantage_to_drop: [advantage(2), disadvantage(26)],
    nothing: [svg("path", { class: "arrows", d: "M17 6v20M31 6v20" })],
  };
  const terms = { extra_rows: "square", advantage_for_rows: "advantage", drop_disadvantage: "disadvantage", advantage_to_drop: "advantage", nothing: "square" };
  const element = card("choice", svg("g", {}, ...pictures[choice]), h("b", {}, name));
  element.dataset["term"] = terms[choice];
  element.style.setProperty("--coat", coat);
  return element;
}

const STAR = "M10 5l2.700 5.600 6 .8-4.400 4.200 1.100 6-5.400-2.900-5.400 2.900 1.100-6-4.400-4.200 6-.8Z";

function smallCard(x: number, fill: string, ...inside: SVGElement[]): SVGElement {
  return svg("g", { transform: `translate(${x} 2)` }, svg("rect", { class: "small-card", width: 20, height: 28, rx: 3, fill }), ...inside);
}

function runner(table: Table, number: number): SVGElement {
  const figure = horse("ascot", String(number));
  figure.style.setProperty("--coat", coatOf(table, number));
  figure.style.setProperty("--silk", "#e9e2cf");
  return figure;
}

/** The emblem of an office or of a report, drawn into 48 by 32. */
function emblem(name: string): SVGElement {
  const paths = EMBLEMS[name] ?? EMBLEMS["report"]!;
  return svg("g", { class: "emblem" }, ...paths.map((d) => svg("path", { d })));
}

const EMBLEMS: Record<string, string[]> = {
  auctioneer: ["M14 8l6-6 10 10-6 6Z", "M24 14l14 12-3 3-14-12Z", "M8 26h16v4H8Z"],
  bookmaker: ["M8 6h32v20H8Z", "M12 11h24M12 16h24M12 21h14"],
  club: ["M15 24V6q9-4 18 0v18Z", "M6 24q18 7 36 0q-18 11-36 0Z", "M15 18q9 3 18 0"],
  farrier: [
    "M14 29L12 16C10 4 18 2 24 2S38 4 36 16L34 29H29L31 16C32 8 28 7 24 7S16 8 17 16L19 29Z",
  ],
  stevens: ["M8 14L24 3L40 14V29H8Z", "M18 29V17H30V29M18 17L30 29M30 17L18 29"],
  walroy: ["M8 14L24 3L40 14V29H8Z", "M18 29V17H30V29M18 23H30M24 17V29"],
  veterinary: ["M19 3H29V11H37V21H29V29H19V21H11V11H19Z"],
  forage: [
    "M24 30V12M24 14C14 14 14 4 16 2C22 4 24 8 24 14C24 8 26 4 32 2C34 4 34 14 24 14",
    "M17 30L24 20L31 30Z",
  ],
  report: ["M12 3H30L36 9V29H12Z", "M17 13H31M17 18H31M17 23H26"],
};

/** The side of a square of the boards. */
export const CELL = 30;

/** The signs of a board and what they mean. */
export function legend(title: string, signs: readonly (readonly [picture: SVGElement[], text: string])[]): HTMLElement {
  const lines = signs.map(([picture, text]) =>
    h("li", {}, svg("svg", { viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": "true" }, ...picture), h("span", {}, text)),
  );
  return h("details", { class: "sign-legend" }, h("summary", {}, title), h("ul", { class: "legend" }, ...lines));
}

/** A horse on a board: a disc in its colour, with its number and a rim in its owner's colour. */
export function disc(table: Table, view: Pick<View, "horses">, number: number, radius: number): SVGElement {
  const coat = coatOf(table, number);
  const owner = view.horses[number]?.owner;
  const rim = owner === undefined ? "#ffffff" : colourOf(table, owner);
  return svg(
    "g",
    { class: "disc", "data-term": "horse", "data-name": table.caller.name("horse", number) },
    halo(radius + 1.2, owner === table.seat),
    svg("circle", { r: radius - 1, fill: coat, stroke: rim, "stroke-width": radius / 3.4 }),
    svg("text", { y: radius * 0.36, "font-size": radius * 1.02, fill: inkOn(coat) }, number),
  );
}

/** The ground of a disc: a square for the user's own horses, as the user's own mark is in the bar. */
function halo(radius: number, isOwn: boolean): SVGElement {
  if (!isOwn) return svg("circle", { class: "halo", r: radius });
  return svg("rect", { class: "halo own", x: -radius, y: -radius, width: 2 * radius, height: 2 * radius, rx: radius / 4 });
}

/** A choice that is made by a press of a horse. */
export interface Choice {
  label: string;
  press: () => void;
}

const RING = 17;

/** Make buttons of the discs that the user may choose. */
export function pressedDiscs(discs: ReadonlyMap<number, SVGElement>, choices: ReadonlyMap<number, Choice>): void {
  for (const [number, { label, press }] of choices) {
    const piece = discs.get(number);
    if (!piece) continue;
    piece.removeAttribute("aria-hidden");
    piece.classList.add("target", "press");
    piece.lastElementChild!.append(pressRing("circle", { r: RING }));
    pieceButton(piece, `${number} ${label}`, press);
  }
}

const RUN_MS = 600;

/** Let the horses of a board run from where they were: `to` is the place of a disc that was drawn again. */
export function running(): (disc: Element, number: number, to: [number, number]) => void {
  const before = new Map<number, [number, number]>();
  return (drawn, number, to) => {
    const from = before.get(number);
    before.set(number, to);
    if (!from || motionIsReduced()) return;
    const [x, y] = [from[0] - to[0], from[1] - to[1]];
    if (!x && !y) return;
    drawn.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: RUN_MS, easing: "ease-out" });
  };
}

/** The disc of a horse as a picture in a line of text. */
function discIcon(table: Table, view: View, number: number): SVGElement {
  return svg(
    "svg",
    { class: "disc-icon", viewBox: "-13 -13 26 26", "aria-hidden": "true" },
    disc(table, view, number, 11),
  );
}

/** A horse by number and name, with its disc. */
export function horseName(table: Table, view: View, number: number): HTMLElement {
  return h(
    "span",
    { class: "horse-name", "data-term": "horse" },
    discIcon(table, view, number),
    h("span", {}, table.caller.name("horse", number)),
  );
}
