/** The preferences of this browser for every table. All are off until they are wanted. */
import { h } from "./dom.ts";
import { kept, keptNow } from "./kept.ts";
import { PATH } from "./path.ts";
import { say } from "./words.ts";

type Name = "confirm" | "sound";

export interface Preference {
  element: HTMLElement;
  isOn: boolean;
}

/** A box to tick. `changed` is called with each change, and at first if it is on. */
export function preference(name: Name, changed: (isOn: boolean) => void = () => undefined): Preference {
  const key = `railbird.${name}${PATH}`;
  const box = h("input", { type: "checkbox", checked: kept(key) === "1" });
  const made = {
    element: h("label", { class: "preference" }, box, " ", say(`preference.${name}`)),
    isOn: box.checked,
  };
  box.addEventListener("change", () => {
    made.isOn = box.checked;
    keptNow(key, box.checked ? "1" : "0");
    changed(box.checked);
  });
  if (made.isOn) changed(true);
  return made;
}
