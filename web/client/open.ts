/** The page that opens a table: its settings, and the options of the game as a form. */
import type { NewLobby } from "railbird-client/models";
import type { Book } from "./calls.ts";
import { fail } from "./connection.ts";
import { h } from "./dom.ts";
import { isFilledIn } from "./forms.ts";
import { action, showLoading, showPage } from "./frame.ts";
import { optionsForm, type Preset } from "./options_form.ts";
import { signIn } from "./session.ts";
import { goToLobby, usualSeats } from "./tables.ts";
import { inWords, say } from "./words.ts";

/** The pace that the form begins with. */
const USUAL: Preset = { title: { en: "Normal", fr: "Normale" }, options: {}, pace: "live" };

const slug = new URLSearchParams(location.search).get("game") ?? "";
showLoading(say("open.title"));
void main();

async function main(): Promise<void> {
  try {
    const client = await signIn();
    const [{ title, seats, json_schema }, book, accounts] = await Promise.all([
      client.getRules(slug),
      client.getBook(slug),
      client.listAccounts(),
    ]);
    const coins = accounts.items.find(({ unit }) => unit === "coin")?.balance ?? 0;
    const heading = say("open.title_of", { game: inWords(title) });
    const options = optionsForm(json_schema);
    const name = h("input", { id: "title", maxlength: 60 });
    const capacity = h("input", {
      id: "capacity",
      type: "number",
      min: seats.least,
      max: seats.most,
      value: usualSeats(seats),
      required: true,
    });
    const visibility = choice("visibility", ["public", "unlisted", "invite"]);
    const spectators = choice("spectators", ["watch", "chat", "none"]);
    const absence = choice("absence", ["wait", "bot", "forfeit"]);
    const buyIn = h("input", { id: "buy-in", type: "number", min: 0, max: coins, value: 0, required: true, "aria-describedby": "about-buy-in" });
    buyIn.addEventListener("input", () => {
      // The server allows nothing else: nobody can hold the others' coins back.
      absence.disabled = buyIn.valueAsNumber > 0;
      if (absence.disabled) absence.value = "forfeit";
    });
    const lives = options.presets.some((preset) => preset.pace === "live");
    const paces = lives ? options.presets : [USUAL, ...options.presets];
    const usual = paces.find(({ title }) => title.en === USUAL.title.en)!;
    let chosen = usual;
    const own = h("option", { value: "own", hidden: true, disabled: true }, say("open.own"));
    const use = (preset: Preset): void => {
      chosen = preset;
      own.hidden = true;
      options.use(preset);
    };
    const pace = h(
      "select",
      { id: "pace", onchange: () => use(paces[Number(pace.value)]!) },
      ...paces.map((preset, nth) =>
        h("option", { value: nth, selected: preset === usual }, inWords(preset.title)),
      ),
      own,
    );
    options.element.addEventListener("change", () => {
      const same = paces.findIndex((preset) => preset.pace === chosen.pace && options.isAs(preset));
      own.hidden = same >= 0;
      pace.value = same < 0 ? own.value : String(same);
    });
    use(usual);
    const more = h(
      "details",
      { class: "more-options" },
      h("summary", {}, say("open.more")),
      field("title", say("open.name"), name),
      field("spectators", say("open.spectators"), spectators),
      coins > 0 && buyInField(buyIn, coins),
      field("absence", say("open.absence"), absence),
      options.element,
    );
    // A field that is not valid must be seen.
    more.addEventListener("invalid", () => (more.open = true), { capture: true });
    const open = async (): Promise<void> => {
      const body = {
        slug,
        title: name.value,
        capacity: capacity.valueAsNumber,
        visibility: visibility.value,
        spectators: spectators.value,
        absence: absence.value,
        buy_in: buyIn.valueAsNumber,
        pace: chosen.pace,
        options: options.read(),
      };
      goToLobby((await client.createLobby(body as NewLobby)).id);
    };
    const submit = action(open, (book as Book).refusals);
    const form: HTMLFormElement = h(
      "form",
      {
        class: "narrow settings",
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          if (isFilledIn(form)) submit();
        },
      },
      h("h1", {}, heading),
      field("capacity", say("open.capacity", { ...seats }), capacity),
      field("pace", say("open.pace"), pace),
      field("visibility", say("open.visibility"), visibility),
      more,
      h("button", { class: "primary" }, say("open.open")),
    );
    showPage(heading, form);
  } catch (error) {
    fail(error);
  }
}

function field(id: string, label: string, input: HTMLElement): HTMLElement {
  return h("p", { class: "field" }, h("label", { for: id }, label), input);
}

function buyInField(input: HTMLElement, coins: number): HTMLElement {
  const about = h("small", { class: "quiet", id: "about-buy-in" }, say("open.buy_in.about", { coins }));
  return h("p", { class: "field" }, h("span", {}, h("label", { for: input.id }, say("open.buy_in")), about), input);
}

function choice<Name extends "visibility" | "spectators" | "absence">(
  name: Name,
  values: string[],
): HTMLSelectElement {
  return h(
    "select",
    { id: name },
    ...values.map((value) =>
      h("option", { value }, say(`open.${name}.${value}` as Parameters<typeof say>[0])),
    ),
  );
}
