/** A lobby as a table seen from above. It is a picture of the list of seats, which says it in words. */
import type { Lobby } from "railbird-client";
import { avatar } from "./avatar.ts";
import { h } from "./dom.ts";
import { isReady, type Colours } from "./lobby_seats.ts";
import { isScreen } from "./path.ts";
import { picture } from "./pictures.ts";
import { nameInWords } from "./words.ts";

/** From this number on, seats are smaller and have no names. */
const MANY = 9;
/** A table with more seats than this is not drawn. */
const MOST = 24;
/** Where seats are, in per cent of the picture. */
const [ACROSS, DOWN] = [42, 36];

/** The seats around a table, with the user's own in front. */
export function roundTable(lobby: Lobby, colours: Colours): HTMLElement | undefined {
  const { slug, capacity, seats, your_seat } = lobby;
  if (capacity > MOST) return undefined;
  const front = (!isScreen && your_seat) || 0;
  const places = Array.from({ length: capacity }, (_, number) => {
    const seat = seats.find((one) => one.number === number);
    const place = h(
      "div",
      { class: ["place", !seat && "free", seat && !isReady(lobby, seat) && "unready"].filter(Boolean).join(" ") },
      seat ? avatar(seat.name, colours[seat.colour]?.hex) : h("span", { class: "avatar" }),
      seat && capacity < MANY && h("span", { class: "place-name" }, nameInWords(seat.name)),
    );
    const angle = Math.PI * (0.5 + (2 * (number - front)) / capacity);
    place.style.left = `${50 + ACROSS * Math.cos(angle)}%`;
    place.style.top = `${46 + DOWN * Math.sin(angle)}%`;
    return place;
  });
  const kind = capacity < MANY ? "round-table" : "round-table many";
  return h("div", { class: kind, "aria-hidden": "true" }, h("div", { class: "felt-top" }, picture(slug)), ...places);
}
