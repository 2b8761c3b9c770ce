/** Small forms: some fields with labels, and a button that sends them. */
import { h } from "./dom.ts";
import { action } from "./frame.ts";
import { language, say } from "./words.ts";

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
  const submit = action(() => send(Object.fromEntries(inputs.map(({ name, value }, nth) => [name, fields[nth]!.type === "password" ? value : value.trim()]))));
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    ...fields.map(({ label, least, type }, nth) =>
      h(
        "p",
        { class: "field" },
        h("label", { for: inputs[nth]!.id }, least ? `${label} (${say("profile.least", { least })})` : label),
        type === "password" ? h("span", { class: "shown-password" }, inputs[nth], shower(inputs[nth]!)) : inputs[nth],
      ),
    ),
    h("button", { class: "primary" }, button),
  );
}

/** A button that shows a password, or hides it again. */
function shower(input: HTMLInputElement): HTMLElement {
  const press = (): void => {
    input.type = input.type === "password" ? "text" : "password";
    button.ariaPressed = String(input.type === "text");
  };
  const button = h("button", { type: "button", "aria-pressed": "false", onclick: press }, say("form.show"));
  return button;
}

/** Whether every field of a form is valid. Those that are not say why, and the first one gets the focus. */
export function isFilledIn(form: HTMLFormElement): boolean {
  for (const told of form.querySelectorAll(".wrong")) told.remove();
  const inputs = [...form.querySelectorAll("input")];
  const wrong = inputs.filter((input) => !input.checkValidity());
  for (const input of inputs) input.ariaInvalid = wrong.includes(input) ? "true" : null;
  for (const input of wrong) {
    const reason = h("small", { class: "wrong", id: `wrong-${input.id}` }, reasonOf(input));
    input.setAttribute("aria-errormessage", reason.id);
    input.after(reason);
  }
  wrong[0]?.focus();
  return !wrong.length;
}

function reasonOf(input: HTMLInputElement): string {
  if (input.validity.customError) return input.validationMessage;
  const [least, most] = [input.min, input.max].map((text) => Number(text).toLocaleString(language));
  return input.min && input.max ? say("open.between", { least: least!, most: most! }) : say("open.missing");
}
