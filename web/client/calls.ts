/** Events in words: the sentences of the book, filled in as docs/protocol/books.md describes. */
import { inWords, language, type Text } from "./words.ts";

export interface Call extends Text {
  key: string;
  event: string;
  where?: Record<string, (boolean | number | string | null)[]>;
}

/** The part of a book that is the same for every game. */
export interface Book {
  names?: Record<string, Record<string, Text>>;
  calls?: Call[];
  /** The fields that hold seats. */
  seat_fields?: string[];
  /** The reasons for which the game refuses a command. */
  refusals?: Record<string, Text>;
  seat_colours?: { name: Text; hex: string }[];
}

type Fields = Record<string, unknown>;

export class Caller {
  readonly #book: Book;
  readonly #players: string[];

  /** `players` are the names by seat. */
  constructor(book: Book, players: string[]) {
    this.#book = book;
    this.#players = players;
  }

  /** All sentences for an event. */
  calls(event: { type: string }): string[] {
    const fields = event as unknown as Fields;
    return (this.#book.calls ?? [])
      .filter((call) => call.event === event.type && fits(call, fields))
      .map((call) =>
        inWords(call).replace(/\{([\w.]+)\}/g, (_, path: string) => this.#fill(path, fields)),
      );
  }

  /** The book's name of a value in this field; else the value itself. */
  name(field: string, value: unknown): string {
    if (isText(value)) return inWords(value);
    if (Array.isArray(value)) return value.map((item) => this.name(field, item)).join(", ");
    if (typeof value === "number" && this.#book.seat_fields?.includes(field))
      return this.#players[value] ?? String(value);
    const text = this.#book.names?.[field]?.[String(value)];
    if (text) return inWords(text);
    return typeof value === "number" ? value.toLocaleString(language) : String(value);
  }

  #fill(path: string, event: Fields): string {
    const parts = path.split(".");
    const value = parts.reduce<unknown>((found, part) => (found as Fields | null)?.[part], event);
    return this.name(parts.at(-1)!, value);
  }
}

function fits(call: Call, event: Fields): boolean {
  return Object.entries(call.where ?? {}).every(([field, values]) =>
    (values as unknown[]).includes(event[field]),
  );
}

function isText(value: unknown): value is Text {
  return typeof value === "object" && value !== null && "en" in value && "fr" in value;
}
