/** One warning for each game to a player who leaves its page while the clock runs. */
import { confirmed } from "./dialog.ts";
import { kept, keptNow } from "./kept.ts";
import { say } from "./words.ts";

const KEPT = "railbird.warned";
/** A button that loads the page again does so at once. */
const OWN_MS = 1000;

/** Say the consequence when the user leaves the page by a link; a browser asks in its words before a step back or the end of a tab. */
export function warnOfLeaving(game: string, consequence: string, isAtStake: () => boolean): void {
  let pressedAt = -OWN_MS;
  /** Whether the user is to be warned, which happens now. A browser that keeps nothing would ask each time. */
  const warns = (): boolean => isAtStake() && kept(KEPT) !== game && keptNow(KEPT, game);
  document.addEventListener(
    "click",
    async (event) => {
      const { target, ctrlKey, metaKey, shiftKey } = event;
      const control = target instanceof Element ? target.closest("a[href], button") : null;
      if (control instanceof HTMLButtonElement) pressedAt = event.timeStamp;
      const isHere = !(control instanceof HTMLAnchorElement) || control.hash !== "" || control.target !== "" || ctrlKey || metaKey || shiftKey;
      if (isHere || !warns()) return;
      event.preventDefault();
      if (await confirmed(consequence, say("exits.leave"))) location.assign(control.href);
    },
    { capture: true },
  );
  addEventListener("beforeunload", (event) => {
    if (event.timeStamp - pressedAt > OWN_MS && warns()) event.preventDefault();
  });
}
