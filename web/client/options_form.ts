/** A form made from the JSON Schema of a game's options. Fields at their default are not sent. */
import { h } from "./dom.ts";
import { inWords, say, sayOrName, type Text } from "./words.ts";
import { en } from "./words/en.ts";

type Value = boolean | number | string | null | Value[];

export interface Schema {
  type?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  enum?: (string | number)[];
  anyOf?: Schema[];
  default?: Value;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  pattern?: string;
  "x-help"?: Text;
  /** The values of other options with which this one has an effect. */
  "x-when"?: Record<string, Value[]>;
}

/** Options for a pace, with its name. */
export interface Preset {
  title: Text;
  options: Record<string, Value>;
  pace: "live" | "slow";
}

interface Struct {
  properties?: Record<string, Schema>;
  "x-presets"?: Preset[];
}

/** Options that hold seats or teams: those of the server count from 0, people from 1. */
const COUNTED = ["announcer_seat", "banker", "dealer", "presenter", "teams"];

/** The difference between the number that people see and the value of an option. */
export const firstOf = (name: string): number => (COUNTED.includes(name) ? 1 : 0);

/** Whether an option is a time. */
export const isTime = (name: string): boolean => /_(ms|s|seconds)$/.test(name);

export const labelOf = (name: string): string => sayOrName(`option.${name}`);

/** A choice of an option in words. */
export const choiceOf = (name: string, value: string | number): string =>
  sayOrName(`option.${name}.${value}`);

/** The schema lists choices by letter; the texts have them in order. Unknown ones come last. */
const rankOfChoice = (name: string, value: string | number): number => KEYS.get(`option.${name}.${value}`) ?? Infinity;
const KEYS = new Map(Object.keys(en).map((key, nth) => [key, nth]));

const MS = 1000;

export interface OptionsForm {
  element: HTMLElement;
  presets: Preset[];
  /** Fill in a preset. */
  use(preset: Preset): void;
  /** Whether the fields are those of a preset. */
  isAs(preset: Preset): boolean;
  /** The options that differ from their defaults, and have an effect. */
  read(): Record<string, Value>;
}

/** `schema` is the document of a game, in which `options` refers to its definition. */
export function optionsForm(schema: Record<string, unknown>): OptionsForm {
  const { properties = {}, "x-presets": presets = [] } = optionsOf(schema);
  const fields = Object.entries(properties)
    .map(([name, property]) => field(name, property))
    .filter((one) => one !== undefined);
  const values = (): Map<string, Value> => new Map(fields.map(({ name, read }) => [name, read()]));
  const applies = ({ when }: Field, now: Map<string, Value>): boolean =>
    Object.entries(when).every(([name, wanted]) => wanted.includes(now.get(name) ?? null));
  const showFields = (): void => {
    const now = values();
    for (const one of fields) {
      one.element.hidden = !applies(one, now);
      one.input.disabled = one.element.hidden; // so that it blocks nothing
    }
  };
  const element = h(
    "fieldset",
    { class: "options", onchange: showFields },
    h("legend", {}, say("open.options")),
    ...fields.map(({ element }) => element),
  );
  showFields();
  return {
    element,
    presets,
    use({ options }): void {
      for (const { name, usual, write } of fields) write(options[name] ?? usual);
      showFields();
    },
    isAs: ({ options }) => fields.every(({ name, usual, read }) => JSON.stringify(read()) === JSON.stringify(options[name] ?? usual)),
    read(): Record<string, Value> {
      const now = values();
      const chosen = fields.filter(
        (one) =>
          applies(one, now) && JSON.stringify(now.get(one.name)) !== JSON.stringify(one.usual),
      );
      return Object.fromEntries(chosen.map(({ name }) => [name, now.get(name)!]));
    },
  };
}

/** The definition of the options in the schema of a game. */
export function optionsOf(schema: Record<string, unknown>): Struct {
  const { options } = schema["properties"] as { options: { $ref: string } };
  const name = options.$ref.split("/").at(-1)!;
  return (schema["$defs"] as Record<string, Struct>)[name]!;
}

type Input = HTMLInputElement | HTMLSelectElement;

interface Field {
  name: string;
  usual: Value;
  when: Record<string, Value[]>;
  element: HTMLElement;
  input: Input;
  read(): Value;
  write(value: Value): void;
}

/** An input, and how a value is read from it and written into it. */
type Control = Pick<Field, "input" | "read" | "write">;

function field(name: string, property: Schema): Field | undefined {
  const schema = property.anyOf?.find(({ type }) => type !== "null") ?? property;
  const usual = property.default ?? null;
  const control = controlOf(name, schema, usual);
  if (!control) return undefined;
  const { input } = control;
  input.id = `option-${name}`;
  const help = property["x-help"];
  const about = help && h("small", { class: "quiet", id: `about-${name}` }, inWords(help));
  if (about) input.setAttribute("aria-describedby", about.id);
  const label = h("label", { for: input.id }, labelOf(name), isTime(name) && " (s)");
  const element = h("p", { class: "field" }, h("span", {}, label, about), input);
  control.write(usual);
  return { name, usual, when: property["x-when"] ?? {}, element, ...control };
}

function controlOf(name: string, schema: Schema, usual: Value): Control | undefined {
  const first = firstOf(name);
  if (schema.type === "boolean") {
    const input = h("input", { type: "checkbox" });
    return { input, read: () => input.checked, write: (value) => (input.checked = value === true) };
  }
  if (schema.enum) {
    const values = [...schema.enum].sort((one, other) => rankOfChoice(name, one) - rankOfChoice(name, other));
    const choices = values.map((value) => h("option", { value }, choiceOf(name, value)));
    const input = h("select", {}, ...choices);
    return { input, read: () => input.value, write: (value) => (input.value = String(value)) };
  }
  if (schema.type === "integer") return number(schema, usual, first, name.endsWith("_ms") ? MS : 1);
  if (schema.type === "string") return text(schema);
  if (schema.type === "array" && schema.items?.type === "integer") return numbers(schema, first);
  return undefined;
}

/** A field for an integer, which people see in a unit of so many. */
function number({ minimum, maximum }: Schema, usual: Value, first: number, unit: number): Control {
  const shown = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : (value + first) / unit;
  const input = h("input", {
    type: "number",
    min: shown(minimum),
    max: shown(maximum),
    step: unit === 1 ? 1 : "any",
    placeholder: usual === null ? say("open.automatic") : undefined,
    required: usual !== null,
  });
  return {
    input,
    read: () => (input.value === "" ? usual : Math.round(input.valueAsNumber * unit) - first),
    write: (value) => (input.value = value === null ? "" : String(shown(value as number))),
  };
}

function text({ pattern: wanted = "" }: Schema): Control {
  const input = h("input", {});
  const pattern = new RegExp(wanted, "u"); // the attribute has another syntax
  input.addEventListener("input", () =>
    input.setCustomValidity(pattern.test(input.value) ? "" : say("open.text")),
  );
  return { input, read: () => input.value, write: (value) => (input.value = String(value ?? "")) };
}

/** A field for a list of integers, separated by commas or spaces. */
function numbers({ items, minItems = 0, maxItems = Infinity }: Schema, first: number): Control {
  const input = h("input", { inputmode: "numeric" });
  const read = (): number[] =>
    (input.value.match(/[^\s,;]+/g) ?? []).map((value) => Number(value) - first);
  const { minimum = -Infinity, exclusiveMaximum = Infinity } = items!;
  const { maximum = exclusiveMaximum - 1 } = items!;
  input.addEventListener("input", () => {
    const list = read();
    const isOne = (value: number): boolean =>
      Number.isInteger(value) && value >= minimum && value <= maximum;
    const fits = list.length >= minItems && list.length <= maxItems && list.every(isOne);
    const wanted = minItems === maxItems ? minItems : `${minItems}–${maxItems}`;
    const limits = { count: wanted, least: minimum + first, most: maximum + first };
    input.setCustomValidity(fits ? "" : say("open.numbers", limits));
  });
  const write = (value: Value): void => {
    input.value = (value as number[]).map((one) => one + first).join(", ");
  };
  return { input, read, write };
}
