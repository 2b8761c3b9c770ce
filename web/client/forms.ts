/** Small forms: some fields with labels, and a button that sends them. */
import { h } from "./dom.ts";
import { action } from "./frame.ts";
import { say } from "./words.ts";

export interface FieldOf {
  name: string;
  label: string;
  type?: "password" | "email";
  autocomplete: string;
  least?: number;
  isOptional?: boolean;
}

/** `id` tells the fields of this form from others on the page. */
export function form(
  id: string,
  fields: readonly FieldOf[],
  button: string,
  send: (given: Record<string, string>) => Promise<void>,
): HTMLFormElement {
  const inputs = fields.map(({ name, type, autocomplete, least, isOptional }) =>
    h("input", {
      id: `${id}-${name}`,
      name,
      type,
      autocomplete,
      autocapitalize: "none",
      minlength: least,
      required: !isOptional,
    }),
  );
  const submit = action(() => send(Object.fromEntries(inputs.map(({ name, type, value }) => [name, type === "password" ? value : value.trim()]))));
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    ...fields.map(({ label, least }, nth) =>
      h(
        "p",
        { class: "field" },
        h("label", { for: inputs[nth]!.id }, least ? `${label} (${say("profile.least", { least })})` : label),
        inputs[nth],
      ),
    ),
    h("button", { class: "primary" }, button),
  );
}
