/** The user's tokens, of which one is chosen for the next bet, and the other legal actions. */
import { h, redraw, type Child } from "../dom.ts";
import { namesInShort } from "../second_person.ts";
import { inWords, say } from "../words.ts";
import { chip, type Token } from "./chip.ts";
import { mayGetReady, type AtTable, type Command, type Part, type View } from "./game.ts";
import { betLine, settledBets } from "./results.ts";

export interface Hand extends Part {
  /** The token for the next bet; none when all are placed. One that can cost money waits for its choice. */
  chosen(): Token | undefined;
  /** Take the token out of the hand until the view shows this bet, or `send` says that it was refused.
   * Does nothing while another bet on the spot is under way. */
  spend(token: Token, spot: string, send: () => Promise<boolean>): Promise<void>;
  isEmpty(): boolean;
}

/** A part whose buttons call `play`; the choice of a token calls `onChoice`. */
export function handPart(at: AtTable, play: (command: Command) => void, onChoice: () => void): Hand {
  const { seat } = at;
  const element = h("section", { class: "hand", "aria-label": say("hand") });
  const tokens = h("div", {
    class: "hand-tokens",
    role: "radiogroup",
    "aria-label": say("hand.tokens"),
  });
  const settled = h("ul", { class: "bets", "aria-label": say("results.bets") });
  const ready = h("div", { class: "hand-ready" });
  const actions = h("div", { class: "actions" });
  element.append(h("div", { class: "hand-row" }, tokens, settled, ready), actions);
  let held: Token[] = [];
  /** Bets that were sent, and that the view does not show yet. */
  let sent: { token: Token; spot: string; race: number }[] = [];
  let race = 0;
  let inHand: Token[] = [];
  let wanted: Token | undefined;

  const chosen = (): Token | undefined =>
    inHand.find((token) => isSame(token, wanted)) ?? inHand.findLast(({ loss }) => !loss);
  const draw = (): void => {
    const left = sent.map(({ token }) => token);
    inHand = held.filter((token) => {
      const gone = left.findIndex((one) => isSame(one, token));
      if (gone >= 0) left.splice(gone, 1);
      return gone < 0;
    });
    const now = chosen();
    redraw(tokens, [inHand, now], () =>
      inHand.length ? inHand.map(tokenButton) : [say("hand.empty")],
    );
  };
  const tokenButton = (token: Token, place: number): HTMLElement => {
    const isChosen = inHand.findIndex((one) => isSame(one, chosen())) === place;
    return h(
      "button",
      {
        class: "token",
        role: "radio",
        "aria-checked": String(isChosen),
        "data-term": token.bonus ? "bonus_token" : "token",
        "aria-label": tokenInWords(token),
        onclick: () => choose(token),
      },
      chip(token, at, seat!),
      token.loss ? h("small", { class: "token-loss", "aria-hidden": "true" }, `−${token.loss}`) : null,
    );
  };
  const choose = (token: Token): void => {
    wanted = token;
    draw();
    onChoice();
  };
  // A digit chooses a token of that value, wherever the focus is.
  document.addEventListener("keydown", ({ key, target }) => {
    const token = inHand.find(({ value }) => String(value) === key);
    if (token && !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement))
      choose(token);
  });

  return {
    element,
    chosen,
    isEmpty: () => !inHand.length,
    async spend(token, spot, send): Promise<void> {
      if (sent.some((bet) => bet.spot === spot)) return;
      const bet = { token, spot, race };
      sent.push(bet);
      draw();
      if (await send()) return;
      sent = sent.filter((one) => one !== bet);
      draw();
    },
    show(view: View): void {
      if (seat === null) {
        element.hidden = true;
        return;
      }
      const bonus = view.vip?.bonus_tokens[seat] ?? [];
      held = [
        ...[...(view.tokens[seat] ?? [])]
          .sort((one, other) => one - other)
          .map((value) => ({ value })),
        ...bonus.map(({ value, colour, loss }) => ({ value, bonus: colour, loss })),
      ];
      if (!held.some((token) => isSame(token, wanted))) wanted = undefined; // in the next race it waits for a choice again
      sent = sent.filter(({ race, spot }) => race === view.race && !view.bets.some((bet) => bet.seat === seat && bet.spot === spot));
      race = view.race;
      const bets = settledBets(at, view);
      tokens.hidden = bets.length > 0;
      settled.hidden = !bets.length;
      redraw(settled, bets, () => bets.map((bet) => betLine(at, bet)));
      draw();
      redraw(ready, [view.phase, view.ready], () => readyButton(at, view, play));
      redraw(actions, offers(view, seat), () => actionButtons(at, view, seat, play));
    },
  };
}

/** A token with its further cost, if a bet with it is lost. */
export function tokenInWords({ value, bonus, loss }: Token): string {
  const name = say(bonus ? "hand.bonus_token" : "hand.token", { value });
  return loss ? `${name}: ${say("hand.token_loss", { loss })}` : name;
}

function isSame(one: Token, other: Token | undefined): boolean {
  return one.value === other?.value && (one.bonus ?? null) === (other.bonus ?? null);
}

/** The button that ends a pause once everybody has pressed it, or whom it waits for. */
function readyButton(at: AtTable, view: View, play: (command: Command) => void): Child[] {
  if (!view.ready) return [];
  if (!mayGetReady(at.seat!, view)) return [say("ready.wait", { names: namesInShort(at, notReady(at, view)) })];
  const text = say(view.phase === "finished" ? "ready.next" : "ready.start");
  return [h("button", { class: "primary press", onclick: () => play({ type: "get_ready" }) }, text)];
}

/** The seats for which a pause waits. */
export function notReady({ players }: AtTable, view: View): number[] {
  return [...players.keys()].filter((seat) => mayGetReady(seat, view));
}

/** The text about who still chooses a VIP card. */
export function choosing(at: AtTable, { vip }: View): string {
  return say("vip.wait", { names: namesInShort(at, vip?.choosing ?? []) });
}

/** The state that the actions depend on. */
function offers({ phase, vip, asked, announcer, dice_ready, tokens }: View, seat: number): unknown {
  return [phase, vip?.hand, vip?.chosen, vip?.choosing, asked, announcer, dice_ready, tokens[seat]?.length];
}

function actionButtons(at: AtTable, view: View, seat: number, play: (command: Command) => void): Child[] {
  const button = (text: string, command: Command, about?: string): HTMLElement =>
    h(
      "button",
      { class: "primary press", "data-term": about && "vip", onclick: () => play(command) },
      h("b", {}, text),
      about && h("span", {}, about),
    );
  const buttons: Child[] = [];
  if (view.phase === "draft" && view.vip?.hand?.length) {
    if (view.vip.chosen) return [choosing(at, view)];
    buttons.push(h("p", {}, say("vip.choose")));
    for (const { card, title, text } of view.vip.hand)
      buttons.push(button(inWords(title), { type: "keep_vip", card }, inWords(text)));
  }
  if (view.asked === seat) {
    buttons.push(button(say("offer.accept"), { type: "answer_offer", accept: true }));
    buttons.push(button(say("offer.decline"), { type: "answer_offer", accept: false }));
  }
  if (view.announcer === seat && !view.options.auto_roll) {
    if (view.phase === "paddock") {
      if (view.tokens[seat]?.length)
        buttons.push(button(say("announcer.skip"), { type: "skip_tokens" }));
      else buttons.push(button(say("announcer.start"), { type: "start_race" }));
    } else if (view.dice_ready) {
      buttons.push(button(say("announcer.roll"), { type: "roll_dice" }));
    } else if (view.announcer_absent && (view.phase === "open" || view.phase === "closed")) {
      buttons.push(button(say("announcer.back"), { type: "take_dice" }));
    }
  }
  return buttons;
}
