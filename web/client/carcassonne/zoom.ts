/** Zoom of the land by buttons, keys and the wheel, and a mouse that drags it. */
import { h } from "../dom.ts";
import { say } from "../words.ts";

const STEP = 1.25;
/** A large board does not fit at 1, so that its tiles stay legible. */
const [LEAST, MOST] = [0.5, 8];
/** A pointer that moves further drags the land, and presses nothing. */
const PRESS_PX = 6;

/** The zoom of an element: the buttons for it, and how large it is. */
export interface Zoom {
  element: HTMLElement;
  value(): number;
  set(wanted: number): void;
}

export function zoomed(land: HTMLElement): Zoom {
  let zoom = 1;
  const set = (wanted: number): void => {
    const before = zoom;
    zoom = Math.min(MOST, Math.max(LEAST, wanted));
    const [x, y] = [land.scrollLeft + land.clientWidth / 2, land.scrollTop + land.clientHeight / 2];
    land.style.setProperty("--zoom", String(zoom));
    land.scrollLeft = (x * zoom) / before - land.clientWidth / 2;
    land.scrollTop = (y * zoom) / before - land.clientHeight / 2;
  };
  land.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    set(zoom * (event.deltaY < 0 ? STEP : 1 / STEP));
  });
  land.addEventListener("keydown", ({ key }) => {
    if (key === "+") set(zoom * STEP);
    if (key === "-") set(zoom / STEP);
  });
  let start = { x: 0, y: 0 };
  let isDragged = false;
  land.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    start = { x, y };
    isDragged = false;
  });
  land.addEventListener("pointermove", ({ pointerType, buttons, clientX, clientY, movementX, movementY }) => {
    if (pointerType !== "mouse" || buttons !== 1) return;
    isDragged ||= Math.hypot(clientX - start.x, clientY - start.y) > PRESS_PX;
    land.scrollLeft -= movementX;
    land.scrollTop -= movementY;
  });
  land.addEventListener(
    "click",
    (event) => {
      // The land moves with the mouse, so that a drag ends on what it began on; keys have no detail.
      if (isDragged && event.detail) event.stopPropagation();
    },
    { capture: true },
  );
  const button = (text: string, label: string, factor: number): HTMLElement =>
    h("button", { "aria-label": label, title: label, onclick: () => set(zoom * factor) }, text);
  const element = h(
    "div",
    { class: "zoom" },
    button("+", say("carcassonne.zoom_in"), STEP),
    button("−", say("carcassonne.zoom_out"), 1 / STEP),
  );
  return { element, value: () => zoom, set };
}
