/** A form made from the JSON Schema of a game's options. Fields at their default are not sent. */
import { h } from "./dom.ts";
import { say, sayIfKnown } from "./words.ts";

type Value = boolean | number | string | null | Value[];

export interface Schema {
  type?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  enum?: (string | number)[];
  anyOf?: Schema[];
  default?: Value;
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  pattern?: string;
}

interface Struct {
  description?: string;
  properties?: Record<string, Schema>;
}

/** Options that hold seats or teams: those of the server count from 0, people from 1. */
const COUNTED = ["announcer_seat", "banker", "dealer", "presenter", "teams"];

export interface OptionsForm {
  element: HTMLElement;
  /** The options that differ from their defaults. */
  read(): Record<string, Value>;
}

/** `schema` is the document of a game, in which `options` refers to its definition. */
export function optionsForm(schema: Record<string, unknown>): OptionsForm {
  const { properties = {}, description } = optionsOf(schema);
  const fields = Object.entries(properties)
    .map(([name, property]) => field(name, property))
    .filter((one) => one !== undefined);
  return {
    element: h(
      "fieldset",
      { class: "options" },
      h("legend", {}, say("open.options")),
      ...fields.map(({ element }) => element),
      description && h("details", {}, h("summary", {}, say("open.about")), aboutOf(description)),
    ),
    read: () =>
      Object.fromEntries(
        fields
          .map(({ name, usual, read }) => [name, read(), usual] as const)
          .filter(([, value, usual]) => JSON.stringify(value) !== JSON.stringify(usual)),
      ),
  };
}

/** The definition of the options in the schema of a game. */
export function optionsOf(schema: Record<string, unknown>): Struct {
  const { options } = schema["properties"] as { options: { $ref: string } };
  const name = options.$ref.split("/").at(-1)!;
  return (schema["$defs"] as Record<string, Struct>)[name]!;
}

/** The text of the rules, which is in English. */
function aboutOf(description: string): HTMLElement {
  const paragraphs = description.replaceAll("`", "").split("\n\n");
  return h("div", { lang: "en" }, ...paragraphs.map((text) => h("p", {}, text)));
}

interface Field {
  name: string;
  usual: Value;
  element: HTMLElement;
  read(): Value;
}

function field(name: string, property: Schema): Field | undefined {
  const schema = property.anyOf?.find(({ type }) => type !== "null") ?? property;
  const usual = property.default ?? null;
  const first = COUNTED.includes(name) ? 1 : 0;
  const label = sayIfKnown(`option.${name}`) ?? name.replaceAll("_", " ");
  const id = `option-${name}`;
  const labelled = (input: HTMLElement): HTMLElement =>
    h("p", { class: "field" }, h("label", { for: id }, label), input);
  if (schema.type === "boolean") {
    const input = h("input", { type: "checkbox", id, checked: usual === true });
    return { name, usual, element: labelled(input), read: () => input.checked };
  }
  if (schema.enum) {
    const choices = schema.enum.map((value) =>
      h(
        "option",
        { value, selected: value === usual },
        sayIfKnown(`option.${name}.${value}`) ?? String(value).replaceAll("_", " "),
      ),
    );
    const input = h("select", { id }, ...choices);
    return { name, usual, element: labelled(input), read: () => input.value };
  }
  if (schema.type === "integer") {
    const input = h("input", {
      type: "number",
      id,
      min: schema.minimum === undefined ? undefined : schema.minimum + first,
      max: schema.maximum === undefined ? undefined : schema.maximum + first,
      value: usual === null ? null : (usual as number) + first,
      placeholder: usual === null ? say("open.automatic") : undefined,
      required: usual !== null,
    });
    const read = (): Value => (input.value === "" ? usual : input.valueAsNumber - first);
    return { name, usual, element: labelled(input), read };
  }
  if (schema.type === "string") {
    const input = h("input", { id, value: String(usual ?? "") });
    const pattern = new RegExp(schema.pattern ?? "", "u"); // the attribute has another syntax
    input.addEventListener("input", () =>
      input.setCustomValidity(pattern.test(input.value) ? "" : say("open.text")),
    );
    return { name, usual, element: labelled(input), read: () => input.value };
  }
  if (schema.type === "array" && schema.items?.type === "integer")
    return { name, usual, ...numbers(id, labelled, schema, usual as number[], first) };
  return undefined;
}

/** A field for a list of integers, separated by commas or spaces. */
function numbers(
  id: string,
  labelled: (input: HTMLElement) => HTMLElement,
  { items, minItems = 0, maxItems = Infinity }: Schema,
  usual: number[],
  first: number,
): Pick<Field, "element" | "read"> {
  const input = h("input", { id, value: usual.map((value) => value + first).join(", "), inputmode: "numeric" });
  const read = (): number[] => (input.value.match(/[^\s,;]+/g) ?? []).map((value) => Number(value) - first);
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
  return { element: labelled(input), read };
}
