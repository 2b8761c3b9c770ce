/** The land: all tiles and meeples, the places for the next tile, and for a meeple or a bet. */
import { colourOf } from "../colours.ts";
import { h, redraw, svg, type Child } from "../dom.ts";
import { pieceButton, pressRing } from "../next_press.ts";
import { placeOfSeat } from "../standing.ts";
import { fly, pictureOf, travel } from "../travel.ts";
import { say } from "../words.ts";
import { chipsOut, paysFor, signOf } from "./chips.ts";
import { claimInWords, newFeature, occupiedInWords } from "./claims.ts";
import type { ChooseFeature, Command, PlaceMeeple, PlaceTile, Table, View } from "./game.ts";
import { sharedBy, sharedInWords } from "./joins.ts";
import { apart, drawSegment, drawTile, looks, meeple, textures, turned } from "./tile.ts";
import { zoomed } from "./zoom.ts";

const OFFICE_CHIP = 7;
/** The radius of what is pressed on a tile. */
const SPOT = 11;
/** How large a tile is at least on the screen while the user chooses a road or city on it, or the place of a meeple. */
const [FEATURE_PX, MEEPLE_PX] = [130, 200];
/** The room around what a question is about. */
const FIT_PX = 8;

export interface Board {
  element: HTMLElement;
  /** `legal` are the commands that the user may give. */
  show(view: View, legal: Command[]): void;
  /** Let these features glow until others do. */
  glow(features: readonly number[]): void;
  /** Forget what was shown: a replay has jumped. */
  forget(): void;
  /** Mark the tile `at` this place, `x,y`, or all tiles of this feature, and show them; none without either. */
  point(about: { at?: string; feature?: string }): void;
}

/** A meeple or chip that lay on the land. */
interface Laid {
  piece: string | undefined;
  seat: string | undefined;
  box: DOMRect;
  picture: SVGElement;
}

export function board(table: Table, play: (command: Command) => void): Board {
  const size = table.printed.tile_size;
  const land = h("div", {
    class: "land",
    role: "group",
    tabindex: "0",
    "aria-label": say("carcassonne.land"),
  });
  const next = h("div", { class: "next" });
  const chosenLine = h("div", { class: "actions chosen" });
  let chosen: PlaceTile | undefined;
  /** The segment that a finger has chosen for a meeple: it has no hover, and presses again. */
  let picked: string | undefined;
  let isTouched = false;
  // A key presses once, because its focus has shown the claim.
  for (const type of ["pointerdown", "keydown"])
    land.addEventListener(type, (event) => (isTouched = event instanceof PointerEvent && event.pointerType === "touch"), { capture: true });
  /** How the user holds the next tile. */
  let rotation = 0;
  let newest = "";
  /** Whether the land was drawn before. */
  let wasDrawn = false;
  let asked = "";
  let unasked = 1;
  /** The zoom of a question that has room. */
  let near = 1;
  let glowing: readonly number[] = [];
  let shown: [View, Command[]] | undefined;

  const choose = (command: PlaceTile | undefined): void => {
    chosen = command;
    if (command) rotation = command.rotation;
    if (shown) draw(...shown);
  };
  const placesOf = (legal: Command[]): PlaceTile[] => legal.filter((one) => one.type === "place_tile");
  /** The placement in this cell, as the user holds the tile if it fits so. */
  const placement = (places: PlaceTile[], x: number, y: number): PlaceTile | undefined => {
    const there = places.filter((one) => one.x === x && one.y === y);
    return there.find((one) => one.rotation === rotation) ?? there[0];
  };
  const rotate = (): void => {
    rotation = (rotation + 1) % 4;
    const places = placesOf(shown?.[1] ?? []);
    const now = chosen && places.find((one) => one.x === chosen!.x && one.y === chosen!.y && one.rotation === rotation);
    choose(now);
  };

  const draw = (view: View, legal: Command[]): void => {
    const places = placesOf(legal);
    if (!places.some((one) => isSame(one, chosen))) chosen = undefined;
    const choices = legal.filter((one) => one.type !== "place_tile");
    const meeples = meeplesIn(legal);
    if (!meeples.some(({ segment }) => segment === picked)) picked = undefined;
    const state = [view.board, view.features, view.offices, places, choices, chosen, rotation, glowing];
    const before = next.querySelector(".next-tile")?.getBoundingClientRect();
    const lay = pieces().map((one): Laid => ({
      piece: one.dataset["piece"],
      seat: one.dataset["seat"],
      box: one.getBoundingClientRect(),
      picture: pictureOf(one),
    }));
    redraw(land, state, () => [picture(view, legal, places)]);
    redraw(next, [view.tile, rotation, places.length > 0], () => held(view, places));
    showNewest(view, before);
    showAsked(view, legal);
    showPieces(lay);
    redraw(chosenLine, [chosen, places, meeples, picked], () => {
      if (meeples.length) return claims(view, meeples);
      if (!chosen) return places.length ? [say("carcassonne.drag")] : [];
      const turns = places.filter((one) => one.x === chosen!.x && one.y === chosen!.y);
      return [
        h("button", { class: "primary press", onclick: () => play(chosen!) }, say("carcassonne.place")),
        turns.some((one) => looksOf(one) !== looksOf(chosen!)) && h("button", { onclick: () => choose(turnedOn(turns)) }, say("carcassonne.turn")),
        h("button", { onclick: () => choose(undefined) }, say("carcassonne.elsewhere")),
        h("p", { class: "told", role: "status" }, sharedInWords(table, "carcassonne.joins", sharedBy(table, view, chosen))),
      ];
    });
  };
  const meeplesIn = (legal: Command[]): PlaceMeeple[] => legal.filter((one) => one.type === "place_meeple");
  /** The line on the places for a meeple: what the one that is pointed at claims, or why some are not offered. */
  const claims = (view: View, meeples: PlaceMeeple[]): Child[] => {
    const chosen = meeples.find(({ segment }) => segment === picked);
    return [
      h("p", { class: "told claims", role: "status" }, chosen ? claimInWords(table, view, chosen) : occupiedInWords(table, view)),
      chosen && h("button", { class: "primary press", onclick: () => play(chosen) }, say("carcassonne.place_meeple")),
    ];
  };
  /** Show what a meeple on this segment claims; without one, what the user has chosen. */
  const showClaim = (view: View, command = meeplesIn(shown?.[1] ?? []).find(({ segment }) => segment === picked)): void => {
    land.querySelector(".claim")?.remove();
    for (const spot of land.querySelectorAll<SVGElement>(".meeple-spot")) spot.classList.toggle("picked", spot.dataset["segment"] === picked);
    const told = chosenLine.querySelector(".told");
    if (told) told.textContent = command ? claimInWords(table, view, command) : occupiedInWords(table, view);
    if (!command) return;
    const claimed = newFeature(view, command);
    const shapes = view.board.flatMap(({ x, y, tile, rotation, segments }) =>
      Object.keys(segments)
        .filter((name) => segments[name] === claimed?.feature)
        .map((name) => at(x, y, drawSegment(table, table.tiles.get(tile)!, rotation, name))),
    );
    land.querySelector(".frame")!.before(svg("g", { class: "claim" }, ...shapes));
  };
  const turnedOn = (turns: PlaceTile[]): PlaceTile =>
    turns[(turns.findIndex((one) => isSame(one, chosen)) + 1) % turns.length]!;

  const looksOf = ({ rotation }: PlaceTile): string => {
    const tile = shown?.[0].tile ? table.tiles.get(shown[0].tile) : undefined;
    return tile ? looks(tile, rotation) : "";
  };

  /** The next tile in the hand of the user: a press turns it, and it can be dragged to its place. */
  const held = (view: View, places: PlaceTile[]): HTMLElement[] => {
    const tile = view.tile ? table.tiles.get(view.tile) : undefined;
    if (!tile) return [];
    const name = table.caller.name("tile", tile.tile);
    const drawn = svg(
      "svg",
      { class: "next-tile", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": name },
      drawTile(table, tile, rotation),
    );
    if (!places.length) return [h("div", {}, drawn)];
    const button = h("button", { class: "held", "aria-label": `${say("carcassonne.rotate")}: ${name}` }, drawn, turnSign());
    drag(button, rotate, (x, y) => {
      const cell = document.elementFromPoint(x, y)?.closest<SVGElement>(".free");
      const [column, row] = (cell?.dataset["cell"] ?? "").split(",").map(Number);
      if (cell) choose(placement(places, column!, row!));
    });
    return [button];
  };

  /** Scroll to the newest tile, once; it comes from the hand. */
  const showNewest = ({ laid }: View, from: DOMRect | undefined): void => {
    const element = land.querySelector(".newest-tile");
    const tile = element?.getBoundingClientRect();
    if (!element || !tile || String(laid) === newest) return;
    if (newest) travel(element, from);
    newest = String(laid);
    scrollTo(tile);
  };
  /** The meeples and chips that lie on the land. */
  const pieces = (): SVGGElement[] => [...land.querySelectorAll<SVGGElement>("[data-piece]")];
  /** A new meeple or chip comes from its seat, and an old one goes home. */
  const showPieces = (lay: readonly Laid[]): void => {
    const [then, now] = [lay.map(({ piece }) => piece), pieces()];
    for (const one of now)
      if (wasDrawn && !then.includes(one.dataset["piece"])) travel(one, placeOfSeat(Number(one.dataset["seat"])));
    for (const { piece, seat, box, picture } of lay)
      if (wasDrawn && !now.some((one) => one.dataset["piece"] === piece)) fly(picture, box, placeOfSeat(Number(seat)));
    wasDrawn = true;
  };
  const scrollTo = (tile: DOMRect): void => {
    const { left, top } = land.getBoundingClientRect();
    land.scrollLeft += tile.left + tile.width / 2 - left - land.clientWidth / 2;
    land.scrollTop += tile.top + tile.height / 2 - top - land.clientHeight / 2;
  };

  const isInSight = (tile: DOMRect): boolean => {
    const { left, top, right, bottom } = land.getBoundingClientRect();
    const [x, y] = [tile.left + tile.width / 2, tile.top + tile.height / 2];
    return left < x && x < right && top < y && y < bottom;
  };

  /** Go near the tile that the user is asked about, and away again after the last. */
  const showAsked = (view: View, legal: Command[]): void => {
    const [choice] = choicesOf(legal);
    const isBet = legal.some(({ type }) => type === "place_bet");
    const px = choice ? FEATURE_PX : isBet ? 0 : MEEPLE_PX;
    const at = choice ? [choice.x, choice.y] : isBet || meeplesIn(legal).length ? view.laid : [];
    const wanted = at.length ? `${view.stage} ${at}` : "";
    if (wanted !== asked) {
      if (!asked) unasked = zoom.value();
      zoom.set(unasked);
      near = Math.max(unasked, (unasked * px) / frame().width);
    }
    const isNew = wanted && wanted !== asked;
    asked = wanted;
    if (isNew) fit();
  };
  const frame = (): DOMRect => land.querySelector(".newest")!.getBoundingClientRect();
  /** Show the framed tile, and all that glows with it. */
  const fit = (): void => {
    const whole = (): DOMRect => around([frame(), ...[...land.querySelectorAll(asked.startsWith("meeple") ? ".meeple-spot" : ".glow")].map((one) => one.getBoundingClientRect())]);
    zoom.set(near);
    const { width, height } = whole();
    const room = Math.min((land.clientWidth - 2 * FIT_PX) / width, (land.clientHeight - 2 * FIT_PX) / height);
    if (room < 1) zoom.set(zoom.value() * room);
    scrollTo(whole());
  };

  const picture = (view: View, legal: Command[], places: PlaceTile[]): SVGElement => {
    const cells = [...view.board, ...places];
    const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [columns, rows] = [Math.max(...xs) - left + 1, Math.max(...ys) - top + 1];
    const element = svg("svg", {
      viewBox: `${left * size - 4} ${top * size - 4} ${columns * size + 8} ${rows * size + 8}`,
    });
    element.style.setProperty("--columns", String(columns));
    element.style.setProperty("--rows", String(rows));
    const [lastX, lastY] = view.laid;
    const choices = choicesOf(legal);
    const lit = litIn(view, legal);
    for (const { x, y, tile, rotation, segments } of view.board) {
      const printed = table.tiles.get(tile)!;
      const isNewest = x === lastX && y === lastY;
      const drawn = svg("g", { class: isNewest ? "newest-tile" : "" }, drawTile(table, printed, rotation));
      for (const [name, feature] of Object.entries(segments)) {
        if (!lit.includes(feature)) continue;
        const shape = drawSegment(table, printed, rotation, name);
        const choice = choices.find((one) => one.feature === feature);
        if (choice) {
          shape.classList.add("candidate");
          shape.addEventListener("click", () => play(choice));
        }
        drawn.append(shape);
      }
      const placed = at(x, y, drawn);
      placed.append(svg("title", {}, table.caller.name("tile", tile)));
      element.append(placed);
    }
    const free = freeCells(places);
    const meeples = meeplesIn(legal);
    const spots = apart(meeples.map(({ segment }) => placeOf(view, lastX, lastY, segment)), size);
    const framed = choices[0] ?? { x: lastX, y: lastY };
    const signs = choices.map((choice) => placeOf(view, choice.x, choice.y, segmentOf(view, choice)));
    element.append(
      svg("g", { class: "frame" }, at(framed.x, framed.y, svg("rect", { class: "newest", width: size, height: size }))),
      ...view.features.flatMap(({ meeples }) =>
        meeples.map(({ seat, x, y, segment }) =>
          at(x, y, piece(`${x},${y}`, seat, meeple(placeOf(view, x, y, segment), table, seat))),
        ),
      ),
      ...view.offices.flatMap(({ x, y, seats }) =>
        seats.map((seat, number) => at(x, y, piece(`${x},${y},${number}`, seat, sealed(seat, number, seats.length)))),
      ),
      ...free.map((place, nth) => freeCell(view, places, place, nth, free.length)),
      ...meeples.map((command, nth) => meepleSpot(view, command, spots[nth]!)),
      ...apart(signs, size).map((place, nth) => featureSpot(view, choices[nth]!, place, nth + 1)),
    );
    return element;
  };

  /** The features that glow: those that a bet or a choice is about, or else those just scored. */
  const litIn = (view: View, legal: Command[]): readonly number[] => {
    const choices = choicesOf(legal);
    if (choices.length) return choices.map(({ feature }) => feature);
    if (!legal.some(({ type }) => type === "place_bet")) return glowing;
    const [x, y] = view.laid;
    const own = Object.values(view.board.find((one) => one.x === x && one.y === y)?.segments ?? {});
    const isBetOn = ({ kind, open }: View["features"][number]): boolean => (kind === "road" || kind === "city") && open > 0;
    return view.features.filter((one) => own.includes(one.feature) && isBetOn(one)).map(({ feature }) => feature);
  };

  const at = (x: number, y: number, ...inside: SVGElement[]): SVGElement =>
    svg("g", { transform: `translate(${x * size} ${y * size})` }, ...inside);

  const placeOf = (view: View, x: number, y: number, segment: string): { x: number; y: number } => {
    const placed = view.board.find((one) => one.x === x && one.y === y)!;
    const printed = table.tiles.get(placed.tile)!.segments.find(({ name }) => name === segment)!;
    return turned(printed.meeple, placed.rotation, size);
  };

  const piece = (name: string, seat: number, drawn: SVGElement): SVGElement =>
    svg("g", { "data-piece": name, "data-seat": seat, "data-term": drawn.matches(".meeple") ? "meeple" : "chip" }, drawn);

  /** A chip face down on an office. */
  const sealed = (seat: number, number: number, all: number): SVGElement =>
    svg("circle", {
      cx: size / 2 + (number - (all - 1) / 2) * OFFICE_CHIP * 2.2,
      cy: size - OFFICE_CHIP - 3,
      r: OFFICE_CHIP,
      fill: colourOf(table, seat),
      stroke: "#fff",
      "stroke-width": 1.5,
      "stroke-dasharray": "3 2",
    });

  /** A cell where the tile fits: it shows the tile once it is chosen, and turns it when it is pressed again. */
  const freeCell = (view: View, places: PlaceTile[], place: PlaceTile, nth: number, all: number): SVGElement => {
    const { x, y } = place;
    const isChosen = chosen?.x === x && chosen.y === y;
    const turns = places.filter((one) => one.x === x && one.y === y);
    const fits = turns.some((one) => one.rotation === rotation);
    const tile = view.tile ? table.tiles.get(view.tile) : undefined;
    const frame = { x: 4, y: 4, width: size - 8, height: size - 8, rx: 8 };
    const edge = svg("rect", { class: "chosen-edge", width: size, height: size });
    const inside = isChosen && tile ? svg("g", {}, drawTile(table, tile, chosen!.rotation), edge) : svg("rect", frame);
    // Where the tile fits nowhere as it is held, a press turns it.
    const isNext = !chosen && (fits || places.every((one) => one.rotation !== rotation));
    const cell = at(x, y, inside, ...(isNext ? [pressRing("rect", frame)] : []));
    Object.assign(cell.dataset, { cell: `${x},${y}`, term: "place" });
    const name = isChosen ? "free chosen-cell" : isNext ? "free press" : "free";
    const label = say("carcassonne.cell", { nth: nth + 1, all, where: where(view, x, y) });
    return button(cell, name, label, () => choose(isChosen ? turnedOn(turns) : placement(places, x, y)));
  };

  /** A segment of the tile just laid that may take a meeple. */
  const meepleSpot = (view: View, command: PlaceMeeple, place: { x: number; y: number }): SVGElement => {
    const { segment } = command;
    const kind = newFeature(view, command)?.kind ?? "";
    const circle = { cx: place.x, cy: place.y, r: SPOT };
    const spotted = at(...view.laid, svg("circle", circle), pressRing("circle", circle), meeple(place, table, table.seat ?? 0, 0.8));
    // The line below the land explains it: a tip would cover the others.
    Object.assign(spotted.dataset, { term: kind, told: "", segment });
    const press = (): void => {
      if (!isTouched || picked === segment) return play(command);
      picked = segment;
      draw(...shown!);
      showClaim(view);
    };
    for (const event of ["pointerenter", "focus"]) spotted.addEventListener(event, () => showClaim(view, command));
    for (const event of ["pointerleave", "blur"]) spotted.addEventListener(event, () => showClaim(view));
    return button(spotted, "meeple-spot press", say("carcassonne.meeple", { kind: table.caller.name("kind", kind) }), press);
  };

  /** The number of a road or city for which the chips of an office may count. */
  const featureSpot = (view: View, command: ChooseFeature, place: { x: number; y: number }, nth: number): SVGElement => {
    const circle = { cx: place.x, cy: place.y, r: SPOT };
    const spotted = at(
      command.x,
      command.y,
      svg("circle", circle),
      pressRing("circle", circle),
      svg("text", { class: "feature-sign", x: place.x, y: place.y + 6 }, String(nth)),
    );
    return button(spotted, "meeple-spot press", featureName(table, view, command, nth), () => play(command));
  };

  const area = h("div", { class: "land-area" }, textures(), land, next);
  const zoom = zoomed(land);
  // A phone that is turned shows the newest tile again, and a question leaves less room.
  addEventListener("resize", () => land.querySelector(".newest") && scrollTo(frame()));
  new ResizeObserver(() => asked && fit()).observe(land, { box: "border-box" });
  area.append(zoom.element);
  return {
    element: h("div", { class: "land-panel" }, area, chosenLine),
    show(view, legal): void {
      shown = [view, legal];
      draw(view, legal);
    },
    glow: (features) => void (glowing = features),
    forget(): void {
      [glowing, newest, wasDrawn] = [[], "", false];
    },
    point({ at: place, feature }): void {
      for (const mark of land.querySelectorAll(".pointed")) mark.parentElement!.remove();
      const [view] = shown ?? [];
      const isMeant = ({ x, y, segments }: View["board"][number]): boolean =>
        place ? place === `${x},${y}` : Object.values(segments).includes(Number(feature ?? NaN));
      const marks = (view?.board ?? []).filter(isMeant).map(({ x, y }) => at(x, y, svg("rect", { class: "pointed", width: size, height: size })));
      land.querySelector("svg")?.append(...marks);
      const boxes = marks.map((mark) => mark.getBoundingClientRect());
      if (boxes.length && !boxes.some(isInSight)) scrollTo(boxes[0]!);
    },
  };
}

/**
 * The roads and cities among which the user chooses for the chips of one office, one office after
 * the other: each has a number, on the board and on its button.
 */
export function choicesOf(legal: Command[]): ChooseFeature[] {
  const all = legal.filter((command) => command.type === "choose_feature");
  return all.filter(({ x, y }) => x === all[0]!.x && y === all[0]!.y);
}

function segmentOf({ board }: View, { x, y, feature }: ChooseFeature): string {
  const segments = board.find((one) => one.x === x && one.y === y)?.segments ?? {};
  return Object.keys(segments).find((name) => segments[name] === feature)!;
}

/** A road or city in words, with what each chip that the user may have laid there pays for it. */
export function featureName(table: Table, view: View, { x, y, feature }: ChooseFeature, nth: number): string {
  const about = view.features.find((one) => one.feature === feature);
  const tiles = about?.tiles ?? 0;
  const name = say("carcassonne.feature", { nth, kind: table.caller.name("kind", about?.kind ?? ""), tiles });
  const isMine = view.offices.some((one) => one.x === x && one.y === y && one.seats.includes(table.seat!));
  if (!isMine) return name;
  const paying = chipsOut(table, view).filter((chip) => paysFor(chip, tiles));
  const pays = paying.map((chip) => say("carcassonne.pays", { chip: signOf(chip), points: paysFor(chip, tiles) }));
  return say("carcassonne.choice", { name, pays: pays.join(", ") || say("carcassonne.pays_nothing") });
}

/** The sign that a press turns the tile. */
function turnSign(): SVGElement {
  return svg("svg", { class: "turns", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M18 12a6 6 0 1 1-2-4.5M17 4v4h-4" }));
}

/** Where a cell lies, seen from the newest tile. */
function where({ laid }: View, x: number, y: number): string {
  const [across, down] = [x - laid[0], y - laid[1]];
  const step = (steps: number, less: "left" | "up", more: "right" | "down"): string[] =>
    steps ? [say(`carcassonne.${steps < 0 ? less : more}`, { steps: Math.abs(steps) })] : [];
  return [...step(across, "left", "right"), ...step(down, "up", "down")].join(", ");
}

/** A press of the button, or a drag of what it shows to a point of the page. */
function drag(button: HTMLElement, press: () => void, drop: (x: number, y: number) => void): void {
  let start: { x: number; y: number } | undefined;
  let isDragged = false;
  button.addEventListener("pointerdown", ({ pointerId, clientX, clientY }) => {
    start = { x: clientX, y: clientY };
    isDragged = false;
    button.setPointerCapture(pointerId);
  });
  button.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!start) return;
    const [x, y] = [clientX - start.x, clientY - start.y];
    isDragged ||= Math.hypot(x, y) > 6;
    if (isDragged) button.style.translate = `${x}px ${y}px`;
  });
  button.addEventListener("pointerup", ({ clientX, clientY }) => {
    start = undefined;
    button.style.translate = "";
    if (!isDragged) return;
    button.style.pointerEvents = "none";
    drop(clientX, clientY);
    button.style.pointerEvents = "";
  });
  button.addEventListener("pointercancel", () => {
    start = undefined;
    button.style.translate = "";
  });
  button.addEventListener("click", ({ detail }) => {
    // The drag of a finger ends without a click; keys have no detail.
    if (!isDragged || !detail) press();
    isDragged = false;
  });
}

function button(element: SVGElement, className: string, label: string, press: () => void): SVGElement {
  element.setAttribute("class", className);
  return pieceButton(element, label, press);
}

function isSame(one: PlaceTile, other: PlaceTile | undefined): boolean {
  return one.x === other?.x && one.y === other.y && one.rotation === other.rotation;
}

/** The box around all of these. */
function around(boxes: readonly DOMRect[]): DOMRect {
  const [left, top] = [Math.min(...boxes.map((one) => one.left)), Math.min(...boxes.map((one) => one.top))];
  const [right, bottom] = [Math.max(...boxes.map((one) => one.right)), Math.max(...boxes.map((one) => one.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

/** The first placement of each cell. */
function freeCells(places: PlaceTile[]): PlaceTile[] {
  return [...new Map([...places].reverse().map((one) => [`${one.x},${one.y}`, one])).values()];
}
