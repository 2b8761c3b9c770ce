/** Moves of pieces: an element travels from where its piece was to where it is. */
import { h, motionIsReduced, svg } from "./dom.ts";

const MS = 500;
const EASING = "cubic-bezier(.3, .7, .3, 1)";

let isStill = false;

/** Let no piece travel during this work: a replay has jumped. */
export function still(work: () => void): void {
  isStill = true;
  try {
    work();
  } finally {
    isStill = false;
  }
}

/** Let this element, which is at its place, come from the place of another. */
export function travel(element: Element, from: DOMRect | undefined): void {
  if (!from?.width || isStill || motionIsReduced()) return;
  const to = element.getBoundingClientRect();
  if (!to.width) return;
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const scale = from.width / to.width;
  const unit = unitOf(element, to);
  const start = `translate(${x / unit}px, ${y / unit}px) scale(${scale})`;
  const pose = { zIndex: 5, transformBox: "fill-box", transformOrigin: "center" };
  element.animate([{ ...pose, transform: start }, { ...pose, transform: "none" }], {
    duration: MS,
    easing: EASING,
  });
}

/** Let a picture of a piece fly from one place to another where the piece itself is not drawn. */
export function fly(picture: Element, from: DOMRect | undefined, to: DOMRect | undefined): void {
  if (!from?.width || !to?.width || isStill || document.hidden || motionIsReduced()) return;
  const flying = h("span", { class: "flying", "aria-hidden": "true" }, picture);
  for (const edge of ["left", "top", "width", "height"] as const) flying.style[edge] = `${from[edge]}px`;
  document.body.append(flying);
  const [x, y] = [to.left + to.width / 2 - from.left - from.width / 2, to.top + to.height / 2 - from.top - from.height / 2];
  const scale = Math.min(1, to.width / from.width, to.height / from.height);
  const move = flying.animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px) scale(${scale})` }], { duration: MS, easing: EASING });
  move.onfinish = move.oncancel = () => flying.remove();
}

/** A part of a drawing as a picture of its own. */
export function pictureOf(part: SVGGraphicsElement): SVGElement {
  const { x, y, width, height } = part.getBBox();
  return svg("svg", { viewBox: `${x} ${y} ${width} ${height}` }, part.cloneNode(true) as SVGElement);
}

/** A box of this size in the middle of another. */
export function middleOf({ left, top, width, height }: DOMRect, size: number): DOMRect {
  return new DOMRect(left + (width - size) / 2, top + (height - size) / 2, size, size);
}

/** How large a unit of the element is on the screen; inside of drawings it is not a pixel. */
function unitOf(element: Element, { width }: DOMRect): number {
  const isInside = element instanceof SVGGraphicsElement && !(element instanceof SVGSVGElement);
  return isInside ? width / (element.getBBox().width || width) : 1;
}

/** Let this element come up where it is. */
export function appear(element: Element): void {
  if (motionIsReduced()) return;
  element.animate([{ transform: "scale(.3)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: MS / 2, easing: "ease-out" });
}
