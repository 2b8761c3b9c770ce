/** Moves of pieces: an element travels from where its piece was to where it is. */
import { motionIsReduced } from "./dom.ts";

const MS = 500;

/** Let this element, which is at its place, come from the place of another. */
export function travel(element: Element, from: DOMRect | undefined): void {
  if (!from?.width || motionIsReduced()) return;
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
    easing: "cubic-bezier(.3, .7, .3, 1)",
  });
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
