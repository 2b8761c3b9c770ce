/** One press is one action: not two for a double click, a double tap or a key that is held. */

const CONTROLS = "button, [role='button']";
const AGAIN_MS = 400;
const NEAR_PX = 24;

interface Press {
  control: Element;
  at: number;
  x: number;
  y: number;
}

let latest: Press | undefined;
let label = "";
/** The last press that acted, or that repeated it. */
let acted: Press | undefined;

addEventListener(
  "click",
  (event) => {
    const { target, detail, isTrusted, timeStamp: at } = event;
    latest = undefined;
    if (!isTrusted || !(target instanceof Element)) return;
    label = nameOf(target);
    const { x, y } = detail ? { x: event.clientX, y: event.clientY } : target.getBoundingClientRect();
    latest = { control: target.closest(CONTROLS) ?? target, at, x, y };
  },
  { capture: true },
);

addEventListener(
  "keydown",
  (event) => {
    const isPress = event.key === "Enter" || event.key === " ";
    if (isPress && event.target instanceof Element) label = nameOf(event.target);
    if (!isPress) acted = undefined;
    else if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
  },
  { capture: true },
);

// The next press is a new one once something was typed, pasted or filled in.
addEventListener("input", () => (latest = acted = undefined), { capture: true });

function nameOf(target: Element): string {
  const named = target.closest(CONTROLS);
  return (named?.ariaLabel ?? named?.textContent ?? "").trim();
}

/** The name of what was pressed last. */
export function pressed(): string {
  return label;
}

/** Whether another control was pressed than the one before, which is where it was. */
function isElsewhere(press: Press, { control, x, y }: Press): boolean {
  return press.control !== control && control.contains(document.elementFromPoint(x, y));
}

/** Whether the current press may act: it does not repeat, at the same place, one that has. */
export function isNewPress(): boolean {
  const press = latest;
  const isRepeated =
    press !== undefined &&
    acted !== undefined &&
    press !== acted &&
    !isElsewhere(press, acted) &&
    press.at - acted.at < AGAIN_MS &&
    Math.hypot(press.x - acted.x, press.y - acted.y) < NEAR_PX;
  acted = press;
  return !isRepeated;
}
