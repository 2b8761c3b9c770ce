/** Events in words: the sentences of the book, filled in as docs/protocol/books.md describes. */
import { asSubject, BEGINS_CLAUSE, furtherToYou, THEM, YOU, youAfter } from "./second_person.ts";
import { decimal, elided, inWords, language, say, type Text } from "./words.ts";

export interface Call extends Text {
  key: string;
  event: string;
  where?: Record<string, (boolean | number | string | null)[]>;
}

export interface Passage {
  title: Text;
  text: Text;
}

/** Texts for a person who has never played the game. */
export interface Guide {
  summary: Text;
  minutes: number;
  weight: number;
  liked_by: Text;
  cards: Passage[];
  rules: Passage[];
  terms: Record<string, Passage>;
}

/** The part of a book that is the same for every game. */
export interface Book {
  names?: Record<string, Record<string, Text>>;
  calls?: Call[];
  /** The fields that hold seats. */
  seat_fields?: string[];
  /** The fields whose lists have an item for each seat. */
  by_seat?: string[];
  /** The reasons for which the game refuses a command. */
  refusals?: Record<string, Text>;
  seat_colours?: { name: Text; hex: string }[];
  guide?: Guide | null;
}

type Fields = Record<string, unknown>;

const COLON = language === "fr" ? "\u00a0: " : ": ";

/** The name of a seat. */
interface Named {
  seat: number;
  name: string;
}

/** A part of a sentence. */
export type Part = string | Named;

export class Caller {
  readonly #book: Book;
  readonly #players: string[];
  readonly #own: number | null;

  /** `players` are the names by seat; the seat `own` is addressed as "you". */
  constructor(book: Book, players: string[], own: number | null = null) {
    this.#book = book;
    this.#players = players;
    this.#own = own;
  }

  /** All sentences for an event, in parts. */
  calls(event: { type: string }): Part[][] {
    const fields = event as unknown as Fields;
    return (this.#book.calls ?? [])
      .filter((call) => call.event === event.type && fits(call, fields))
      .map((call) => this.sentence(inWords(call), fields));
  }

  /** A sentence with the values of these fields, in parts. */
  sentence(text: string, fields: object): Part[] {
    const values = Array.from(text.matchAll(/\{([\w.]+)\}/g), ([, path]) => this.#fill(path!, fields as Fields));
    const words = text.split(/\{[\w.]+\}/).map((word, nth) => elided(word, spoken(values.slice(nth, nth + 1))));
    signFirst(words, values);
    const isNamed = (value: Part | undefined): value is Named => typeof value === "object";
    const isOwn = (value: Part | undefined): value is Named => isNamed(value) && value.seat === this.#own;
    const begins = words[0] === "" && isOwn(values[0]);
    for (const [nth, value] of values.entries()) {
      if (!isOwn(value)) continue;
      const [before, rest] = [words[nth]!, words[nth + 1]!];
      const said = BEGINS_CLAUSE.test(before) ? asSubject(rest) : undefined;
      if (said) {
        words[nth + 1] = said;
        for (let later = nth + 1; !/[.!?:;]/.test(words[later]!) && later + 1 < words.length && !isNamed(values[later]); later++)
          words[later + 1] = furtherToYou(words[later + 1]!);
      }
      const you = before && !/[.!?] $/.test(before) ? THEM : YOU;
      values[nth] = { ...value, name: said ? you : youAfter(before, value.name, begins) };
    }
    return words.flatMap((word, nth) => [word, ...values.slice(nth, nth + 1)]);
  }

  /** The book's name of a value in this field; else the value itself. */
  name(field: string, value: unknown): string {
    if (isText(value)) return inWords(value);
    if (this.#book.by_seat?.includes(field))
      return (value as unknown[]).map((item, seat) => `${seat === this.#own ? THEM : this.#players[seat]}${COLON}${this.name("", item)}`).join("; ");
    if (Array.isArray(value))
      return value.map((item) => (this.#isSeat(field, item) && item === this.#own ? THEM : this.name(field, item))).join(", ") || (this.#book.seat_fields?.includes(field) ? say("nobody") : "–");
    if (this.#isSeat(field, value)) return this.#players[value] ?? String(value);
    const text = this.#book.names?.[field]?.[String(value)];
    if (text) return inWords(text);
    if (field === "spot") return this.#spot(String(value));
    if (field === "odds") return String(value).replace(/x\b/g, "×").replaceAll("-", "−");
    return typeof value === "number" ? value.toLocaleString(language).replace("-", "−") : String(value);
  }

  /** A spot of parts, such as a tile and a chip, or a gap between numbers: `100..860`, `<100` and `>860`. */
  #spot(name: string): string {
    const parts = name.split(" ").flatMap((part) => this.#book.names?.["chip"]?.[part] ?? []);
    if (parts.length) return parts.map(inWords).join(", ");
    const [, least, most] = /^(-?[\d.]+)\.\.(-?[\d.]+)$/.exec(name) ?? [];
    if (least && most) return say("spot.between", { least: decimal(least), most: decimal(most) });
    const limit = name.slice(1);
    if (/^<-?[\d.]+$/.test(name)) return say("spot.below", { most: decimal(limit) });
    return /^>-?[\d.]+$/.test(name) ? say("spot.above", { least: decimal(limit) }) : name;
  }

  #fill(path: string, event: Fields): Part {
    const parts = path.split(".");
    const value = parts.reduce<unknown>((found, part) => (found as Fields | null)?.[part], event);
    const field = parts.at(-1)!;
    const name = this.name(field, value);
    return this.#isSeat(field, value) ? { seat: value, name } : name;
  }

  #isSeat(field: string, value: unknown): value is number {
    return typeof value === "number" && (this.#book.seat_fields ?? []).includes(field);
  }
}

/** Put the sign of a sum before its unit: −€2. */
function signFirst(words: string[], values: Part[]): void {
  for (const [nth, value] of values.entries()) {
    if (typeof value !== "string" || !value.startsWith("−") || !words[nth]!.endsWith("€")) continue;
    words[nth] = `${words[nth]!.slice(0, -1)}−€`;
    values[nth] = value.slice(1);
  }
}

/** A sentence as plain text. */
export function spoken(parts: Part[]): string {
  return parts.map((part) => (typeof part === "string" ? part : part.name)).join("");
}

function fits(call: Call, event: Fields): boolean {
  return Object.entries(call.where ?? {}).every(([field, values]) =>
    (values as unknown[]).includes(event[field]),
  );
}

function isText(value: unknown): value is Text {
  return typeof value === "object" && value !== null && "en" in value && "fr" in value;
}
