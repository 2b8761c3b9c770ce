/** The colours and marks of seats, and ink that can be read on a colour. */
import type { Book } from "./calls.ts";
import { h } from "./dom.ts";

/** The book's colour of a seat. */
export function colourOf({ book }: { book: Book }, seat: number): string {
  const colours = book.seat_colours ?? [];
  return colours[seat % colours.length]?.hex ?? "#777777";
}

/** A round mark in the colour of a seat. */
export function dot(at: { book: Book }, seat: number): HTMLElement {
  const element = h("span", { class: "dot", "data-term": "player" });
  element.style.setProperty("--seat", colourOf(at, seat));
  return element;
}

/** The book with the colours that the players of these seats chose. */
export function inTheirColours<B extends Book>(book: B, seats: readonly { number: number; colour: number }[]): B {
  const chosen = [...(book.seat_colours ?? [])];
  for (const { number, colour } of seats) {
    const taken = book.seat_colours?.[colour];
    if (taken) chosen[number] = taken;
  }
  return { ...book, seat_colours: chosen };
}

/** Black or white, whichever can be read on this colour. */
export function inkOn(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2);
  // Where both inks have the same contrast (WCAG 2.2), 4.6.
  return red! * 0.2126 + green! * 0.7152 + blue! * 0.0722 > 0.179 ? "#000000" : "#ffffff";
}

/** The marks of a player in a list: the reader, whom the game waits for, and who leads (a crown), by `leads` in seat order. */
export function marksOf({ seat: own }: { seat: number | null }, seat: number, isAwaited: boolean, leads: readonly (number | null)[]): string {
  const isFirst = leads[seat] === Math.max(...(leads as number[])) && leads.some((one) => one !== leads[seat]);
  return [seat === own && "me", isAwaited && "on-turn", isFirst && !leads.includes(null) && "leads"].filter(Boolean).join(" ");
}
