/** The terms of a table in words: its options, who may join and watch, and what it costs. */
import type { Lobby } from "railbird-client";
import { choiceOf, firstOf, isTime, labelOf, optionsOf } from "./options_form.ts";
import { inWords, language, say } from "./words.ts";

type Terms = Pick<Lobby, "options" | "spectators" | "absence" | "absence_s" | "buy_in">;

/** The pace of a table, if it has a name, and the options that differ from those of the rules. */
export function optionsInWords(options: object, schema: Record<string, unknown>): string[] {
  const { properties = {}, "x-presets": presets = [] } = optionsOf(schema);
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  const given = options as Record<string, unknown>;
  const timed = new Set(presets.flatMap((preset) => Object.keys(preset.options)));
  const valueOf = (name: string, values: Record<string, unknown>): unknown => values[name] ?? properties[name]?.default;
  const pace = presets.find((preset) => [...timed].every((name) => isSame(valueOf(name, given), valueOf(name, preset.options))));
  const named = pace ? [say("terms.option", { label: say("open.pace"), value: inWords(pace.title) })] : [];
  // The times of a pace are shown even where they are the usual ones.
  const times = [...timed].map((name) => [name, valueOf(name, given)] as const).filter(([name, value]) => name.endsWith("_ms") && typeof value === "number");
  const others = Object.entries(given).filter(
    ([name, value]) => !isSame(value, properties[name]?.default) && !times.some(([time]) => time === name) && !(pace && timed.has(name)),
  );
  const inOrder = [...times, ...others].map(([name, value]) => say("terms.option", { label: labelOf(name), value: valueInWords(name, value) }));
  return [...named, ...inOrder];
}

function valueInWords(name: string, value: unknown): string {
  if (typeof value === "boolean") return say(value ? "terms.yes" : "terms.no");
  if (isTime(name) && value === 0 && !name.endsWith("_ms")) return say("terms.no_limit");
  if (isTime(name) && typeof value === "number") return `${(value / (name.endsWith("_ms") ? 1000 : 1)).toLocaleString(language)} s`;
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
