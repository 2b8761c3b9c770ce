/** The texts of the pages, in the browser's language or the one chosen here. */
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
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => tag === "en" || tag === "fr");
  return known === "fr" ? "fr" : "en";
}

/** Say everything in the other language from now on. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEPT, chosen);
  location.reload();
}

/** A sentence, with what stands in its braces: `say("race", { race: 2, races: 4 })`. */
export function say(key: keyof Words, values: Values = {}): string {
  return filled(words[key], values);
}

type Values = Record<string, string | number>;

/** A function like `say` for the texts of one game, which only its page loads. */
export function sayIn<Texts extends Record<string, string>>(texts: {
  en: Texts;
  fr: Record<keyof Texts, string>;
}): (key: keyof Texts, values?: Values) => string {
  return (key, values = {}) => filled(texts[language][key], values);
}

function filled(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? value.toLocaleString(language) : value;
  });
}

/** A sentence, if there is one under this name. */
export function sayIfKnown(key: string): string | undefined {
  return key in words ? words[key as keyof Words] : undefined;
}

/** A text of the server in this language, with printed apostrophes. */
export function inWords(text: Text): string {
  return text[language].replaceAll("'", "’");
}
