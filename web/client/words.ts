/** The texts of the pages, in the browser's language or the one chosen here. */
import { kept, keptNow } from "./kept.ts";
import { en, type Words } from "./words/en.ts";
import { fr } from "./words/fr.ts";

export type Language = "en" | "fr";

/** A text that the server has in both languages. */
export interface Text {
  en: string;
  fr: string;
}

const KEPT = "railbird.language";

export const language: Language = choose();
const words: Words = language === "fr" ? fr : en;

function choose(): Language {
  const wanted = [kept(KEPT), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => tag === "en" || tag === "fr");
  return known === "fr" ? "fr" : "en";
}

/** Say everything in the other language from now on. */
export function chooseLanguage(chosen: Language): void {
  keptNow(KEPT, chosen);
  location.reload();
}

const plurals = new Intl.PluralRules(language);

/**
 * A sentence, with what stands in its braces: `say("race", { race: 2, races: 4 })`. A noun of two
 * forms depends on a number: `{points|pt|pts}`.
 */
export function say(key: keyof Words, values: Values = {}): string {
  return filled(words[key] ?? named(key), values);
}

/** The name of a value that a newer server has: its list is open. */
function named(key: string): string {
  return key.split(".").at(-1)!.replaceAll("_", " ");
}

/** A sentence with its braces. */
export function template(key: keyof Words): string {
  return typeset(words[key]);
}

type Values = Record<string, string | number>;

/** A function like `say` for the texts of one game, which only its page loads. */
export function sayIn<Texts extends Record<string, string>>(texts: {
  en: Texts;
  fr: Record<keyof Texts, string>;
}): (key: keyof Texts, values?: Values) => string {
  return (key, values = {}) => filled(texts[language][key] ?? named(String(key)), values);
}

function filled(sentence: string, values: Values): string {
  return typeset(sentence).replace(/(\bde )?\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, de = "", name: string, one?: string, other?: string) => {
    const value = values[name] ?? "";
    if (one !== undefined) return de + ((plurals.select(Number(value)) === "one" ? one : other) ?? "");
    const text = typeof value === "number" ? value.toLocaleString(language) : value;
    return elided(de, text) + text;
  });
}

/** A text before a word: a French "de" or "que" at its end loses its vowel before another one. */
export function elided(before: string, word: string): string {
  const isVowel = language === "fr" && /^[aeiouy]/i.test(word.normalize("NFD"));
  return isVowel && /(^|[\s(])(de|que) $/i.test(before) ? `${before.slice(0, -2)}’` : before;
}

/** A decimal number of the server as people read it. Whole numbers of four digits may be years. */
export function decimal(text: string): string {
  const [whole = "", decimals] = text.replace("-", "−").split(".");
  const [space, point] = language === "fr" ? ["\u202f", ","] : [",", "."];
  const grouped = whole.replace("−", "").length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, space) : whole;
  return decimals ? grouped + point + decimals : grouped;
}

/** A sum in the unit of a game or of an account. */
export function sumInWords(amount: number, unit: string | null, signDisplay: "auto" | "exceptZero" = "auto"): string {
  const digits = amount.toLocaleString(language, { signDisplay }).replace("-", "−");
  const [sign = ""] = /^[−+]/.exec(digits) ?? [];
  const sum = sayIfKnown(`sum.${unit}`, { digits: digits.slice(sign.length) });
  if (sum) return sign + sum;
  const name = unit && (sayIfKnown(`unit.${unit}`, { amount: Math.abs(amount) }) ?? unit);
  return name ? `${digits}\u00a0${name}` : digits;
}

/** A sentence, if there is one under this name. */
export function sayIfKnown(key: string, values: Values = {}): string | undefined {
  return key in words ? say(key as keyof Words, values) : undefined;
}

/** A sentence, or the name of a value that this page does not know: the server may be newer. */
export function sayOrName(key: string): string {
  return sayIfKnown(key) ?? named(key);
}

/** A text of the server in this language. */
export function inWords(text: Text): string {
  return typeset(text[language]);
}

/** Printed apostrophes, and in French the spaces at which no line breaks. */
function typeset(text: string): string {
  const printed = text.replaceAll("'", "’");
  return language === "en"
    ? printed
    : printed
        .replace(/ ([;?!])/g, "\u202f$1")
        .replace(/ ([:»€])/g, "\u00a0$1")
        .replace(/« /g, "«\u00a0")
        .replace(/([\d}]) (?=(?:F|pts|s)\b)/g, "$1\u00a0");
}

/** Names in a sentence: `A, B and C`. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(language).format(names);
}

/** How long ago this was: `5 minutes ago`. */
export function ago(at: string): string {
  const minutes = Math.round((Date.now() - Date.parse(at)) / 60_000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (minutes < 60) return format.format(-Math.max(0, minutes), "minute");
  return minutes < 1440 ? format.format(-Math.round(minutes / 60), "hour") : format.format(-Math.round(minutes / 1440), "day");
}

/** The winner, or the winners after a tie; nobody if all `sums` are zero. */
export function winnersInWords(names: readonly string[], sums: readonly number[]): string {
  if (!sums.some(Boolean)) return say("results.nobody");
  return say(names.length > 1 ? "results.winners" : "results.winner", { names: listed(names) });
}

/** The name of a user. The server names guests in English; those who chose no name. */
export function nameInWords(name: string): string {
  const number = /^Guest (\d{4})$/.exec(name)?.[1];
  return number ? say("guest", { number }) : name;
}

export interface Seated {
  number: number;
  name: string;
}

/** The name of the user who has this seat. */
export function nameAt(seats: readonly Seated[], seat: number): string {
  return nameInWords(seats.find(({ number }) => number === seat)?.name ?? "");
}
