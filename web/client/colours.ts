/** The colours of seats, and ink that can be read on a colour. */
import type { Book } from "./calls.ts";

/** The book's colour of a seat. */
export function colourOf({ book }: { book: Book }, seat: number): string {
  const colours = book.seat_colours ?? [];
  return colours[seat % colours.length]?.hex ?? "#777777";
}

/** Black or white, whichever can be read on this colour. */
export function inkOn(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return red! * 0.299 + green! * 0.587 + blue! * 0.114 > 140 ? "#000000" : "#ffffff";
}
