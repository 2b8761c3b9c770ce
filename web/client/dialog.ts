/** Questions before what cannot be taken back: the consequence, and two buttons. */
import { h } from "./dom.ts";
import { isNewPress } from "./presses.ts";
import { say } from "./words.ts";

let asked: HTMLDialogElement | undefined;

/** Withdraw the question that is open, if any. */
export function withdraw(): void {
  asked?.close();
}

/** Whether the user wants this, once the consequence is known. */
export function confirmed(consequence: string, act: string): Promise<boolean> {
  return new Promise((done) => {
    const dialog = h(
      "dialog",
      { class: "panel", "aria-label": act },
      h("p", {}, consequence),
      h(
        "form",
        // The second click of the press that asked is no answer.
        { method: "dialog", class: "actions", onsubmit: (event) => isNewPress() || event.preventDefault() },
        h("button", { value: "yes", class: "primary" }, act),
        h("button", { value: "no" }, say("dialog.no")),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    });
    asked = dialog;
    document.body.append(dialog);
    dialog.showModal();
  });
}
