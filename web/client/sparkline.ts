/** A small line of values over time. */
import { svg } from "./dom.ts";

const [WIDTH, HEIGHT] = [120, 28];

export function sparkline(values: readonly number[], label: string): SVGElement {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, nth) => {
    const x = (nth / Math.max(1, values.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - ((value - least) / (most - least || 1)) * (HEIGHT - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return svg(
    "svg",
    { class: "sparkline", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("path", { d: `M${points.join("L")}` }),
  );
}
