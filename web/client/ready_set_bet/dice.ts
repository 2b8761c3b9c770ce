/** The two dice of the last roll. */
import { die } from "../die.ts";
import { h, redraw } from "../dom.ts";
import { say } from "../words.ts";
import type { Part, View } from "./game.ts";

export function dicePart(): Part {
  const element = h("div", { class: "dice", role: "img", "data-term": "dice" });
  return {
    element,
    show({ dice, race, roll }: View): void {
      redraw(element, [dice, race, roll], () => (dice ? dice.map(die) : [die(0), die(0)]));
      element.setAttribute(
        "aria-label",
        dice ? say("dice", { one: dice[0], two: dice[1] }) : say("dice.none"),
      );
    },
  };
}
