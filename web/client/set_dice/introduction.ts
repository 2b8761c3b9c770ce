/** Pictures for the first cards of SET Dice, in their order. */
import { cardPieces } from "../card_picture.ts";
import { h, type Child } from "../dom.ts";
import type { Setting } from "../game_page.ts";
import { drawDie } from "./die.ts";
import { tableOf, WILD, type Game } from "./game.ts";

export function introduction(setting: Setting<Game>): HTMLElement[] {
  const table = tableOf(setting);
  const { colours, faces, shapes } = table.printed;
  const [shape, other] = Object.keys(shapes);
  /** One shape in all colours, with one, two and three symbols: a SET. */
  const made = Object.keys(colours).map((colour, nth) => faceOf(shape!, colour, nth + 1));
  const odd = faceOf(other!, Object.keys(colours)[0]!, 1);
  const die = (face: string, isWild = false): SVGElement => drawDie(table, face, isWild);
  const square = (text: string, className = "", ...inside: Child[]): HTMLElement => h("span", { class: `square ${className}` }, ...inside, text);
  const laid = (face: string, className = ""): HTMLElement => square("", className, die(face));
  const empty = [1, 2, 3, 4, 5, 6].map(() => square(""));

  function faceOf(ofShape: string, colour: string, number: number): string {
    return faces.find((one) => one.shape === ofShape && one.colour === colour && one.number === number)!.face;
  }

  return [
    h("span", { class: "card-dice" }, ...made.map((face) => die(face))),
    h("span", { class: "card-dice" }, die(odd), die(made[0]!), die(made[1]!), die(WILD)),
    h("span", { class: "card-squares" }, ...empty.slice(3), laid(made[0]!), laid(made[1]!), laid(made[2]!, "shines"), ...empty.slice(0, 3)),
    h("span", { class: "card-squares" }, square("2", "bonus"), square("", "", die(made[2]!, true)), square("5", "bonus")),
    h("span", { class: "card-dice small" }, ...made.map((face) => die(face)), die(odd), die(WILD)),
  ].map((drawn) => cardPieces(drawn));
}
