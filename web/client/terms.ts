/** The terms of a table in words: its options, who may join and watch, and what it costs. */
import type { Lobby } from "railbird-client";
import { choiceOf, firstOf, labelOf, optionsOf } from "./options_form.ts";
import { language, say } from "./words.ts";

type Terms = Pick<Lobby, "options" | "spectators" | "absence" | "absence_s" | "buy_in">;

/** The options that differ from those of the rules. */
export function optionsInWords(options: object, schema: Record<string, unknown>): string[] {
  const { properties = {} } = optionsOf(schema);
  return Object.entries(options)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(properties[name]?.default ?? null))
    .map(([name, value]) => say("terms.option", { label: labelOf(name), value: valueInWords(name, value) }));
}

function valueInWords(name: string, value: unknown): string {
  if (typeof value === "boolean") return say(value ? "terms.yes" : "terms.no");
  if (name.endsWith("_ms") && typeof value === "number") return `${(value / 1000).toLocaleString(language)} s`;
  if (Array.isArray(value)) return value.map((one) => valueInWords(name, one)).join(", ");
  return typeof value === "number" ? String(value + firstOf(name)) : choiceOf(name, String(value));
}

export function termsInWords(terms: Terms, schema: Record<string, unknown>): string[] {
  const { options, spectators, absence, absence_s, buy_in } = terms;
  const away = say(`open.absence.${absence}`) + (absence === "wait" ? "" : ` (${absence_s} s)`);
  const chosen = optionsInWords(options as object, schema);
  return [
    ...(chosen.length ? chosen : [say("terms.usual")]),
    say("terms.option", { label: say("open.spectators"), value: say(`open.spectators.${spectators}`) }),
    say("terms.option", { label: say("open.absence"), value: away }),
    ...(buy_in ? [say("terms.buy_in", { coins: buy_in })] : []),
  ];
}
