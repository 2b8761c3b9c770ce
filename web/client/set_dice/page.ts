/** The table of SET Dice: the board, the user's dice, and everybody's points. */
import { colourOf, marksOf } from "../colours.ts";
import { h, redraw, type Child } from "../dom.ts";
import { term } from "../explain.ts";
import { attempt, tell } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { ranking } from "../ranking.ts";
import { standingOf } from "../standing.ts";
import { travel } from "../travel.ts";
import { inWords, say as sayToAll } from "../words.ts";
import { board, type Drafted } from "./board.ts";
import { drawDie } from "./die.ts";
import {
  handOf,
  isAwaited,
  isOnTurn,
  keyOf,
  mayDecide,
  SET_SIZE,
  tableOf,
  WILD,
  type Command,
  type Die,
  type Game,
  type Place,
  type Table,
  type View,
} from "./game.ts";
import { judge, thirdSquares, type Judgement } from "./judge.ts";
import { shine } from "./shine.ts";
import { say } from "./words.ts";

/** The dice that the user has chosen, and those that lie on the board but are not yet played. */
interface Choice {
  chosen: number[];
  drafted: Map<number, Place>;
  /** The faces of the user's Wilds. */
  faces: Map<number, string>;
}

export function setDicePage(setting: Setting<Game>): GamePage<Game> {
  const table = tableOf(setting);
  const turn = h("p", { class: "turn" });
  const told = h("p", { class: "set-told", role: "status" });
  const again = h("p", { class: "set-again", role: "status" });
  const hand = h("div", { class: "set-hand", role: "group", "aria-label": say("hand") });
  const wilds = h("div", { class: "wilds" });
  const actions = h("div", { class: "actions" });
  const players = h("ol", { class: "seats" });
  const bag = term("bag");
  const results = h("section", { class: "results", hidden: true });
  const choice: Choice = { chosen: [], drafted: new Map(), faces: new Map() };
  let shown: View | undefined;
  /** The dice that the user's hand shows. */
  let inHand: ReadonlySet<number> | undefined;
  /** The dice of the user that were drawn or thrown again last. */
  let thrown: Die[] = [];
  let isDrawn = false;

  const forget = (): void => {
    choice.chosen = [];
    choice.drafted.clear();
  };
  const play = (command: Command): void => {
    thrown = [];
    void table.play(command);
  };
  const replaceWild = async (place: Place, die: number): Promise<void> => {
    if (!(await table.play({ type: "replace_wild", ...keyed(place), die }))) return;
    choice.chosen = choice.chosen.filter((one) => one !== die);
    if (shown) draw(shown);
  };
  const press = (place: Place): void => {
    if (!shown || table.seat === null) return tell(say("hand.spectator"), "bad");
    if (shown.phase !== "turns") return tell(hintOf(table, shown), "bad");
    const there = [...choice.drafted].find(([, one]) => keyOf(one) === keyOf(place));
    const onBoard = shown.board.find((one) => keyOf(one) === keyOf(place));
    const [die] = choice.chosen;
    let from: DOMRect | undefined;
    if (there) {
      choice.drafted.delete(there[0]);
    } else if (die === undefined) {
      return tell(say("hand.first"), "bad");
    } else if (onBoard?.wild) {
      return void replaceWild(place, die);
    } else if (onBoard) {
      return tell(inWords(table.book.refusals!["square_taken"]!), "bad");
    } else {
      from = hand.querySelector(`[data-die="${die}"]`)?.getBoundingClientRect();
      choice.drafted.set(die, keyed(place));
      choice.chosen = [];
    }
    draw(shown);
    const laid = land.square(place)?.querySelector(".set-die");
    if (laid) travel(laid, from);
  };
  const land = board(table, press);
  const made = shine(table);
  const haveChanged = (before: View, now: View): boolean => // all dice were thrown again
    now.phase === "opening" && JSON.stringify(handOf(table, before)) !== JSON.stringify(handOf(table, now));
  const placeOf = (seat: number): DOMRect | undefined =>
    players.children[seat]?.querySelector(".other-hand .set-die")?.getBoundingClientRect();

  const draw = (view: View): void => {
    const dice = handOf(table, view);
    const held = new Set(dice.map(({ number }) => number));
    choice.chosen = choice.chosen.filter((die) => held.has(die));
    for (const die of choice.drafted.keys()) if (!held.has(die)) choice.drafted.delete(die);
    const faceOf = ({ number, shows }: Die): string =>
      shows === WILD ? (choice.faces.get(number) ?? table.printed.faces[0]!.face) : shows;
    const drafted = [...choice.drafted].map(([number, place]): Drafted => {
      const die = dice.find((one) => one.number === number)!;
      return { ...place, die: number, face: faceOf(die), isWild: die.shows === WILD };
    });
    const mayChoose = mayDecide(table, view);
    const judged = judge(table, view, drafted);
    const isPlacing = mayChoose && view.phase === "turns";
    const isReady = drafted.length > 0 && !judged.alone.size && judged.joins;
    land.show(view, drafted, judged.alone, isPlacing && choice.chosen.length ? thirdSquares(table, view, drafted) : undefined);
    redraw(told, [judged, [...judged.alone], drafted], () =>
      drafted.length ? [judgementInWords(judged), h("span", { class: "unseen" }, ` ${drafted.map(draftInWords).join("; ")}`)] : [],
    );
    redraw(again, thrown, () => [
      thrown.length > 0 && say(isDrawn ? "drawn" : "thrown", { dice: thrown.map(({ shows }) => table.caller.name("shows", shows)).join(", ") }),
    ]);
    redraw(hand, [dice, choice.chosen, [...choice.drafted], mayChoose], () =>
      dice.map((die) => dieButton(die, mayChoose)),
    );
    for (const die of held) // drawn from the bag
      if (inHand && !inHand.has(die)) travel(hand.querySelector(`[data-die="${die}"] svg`)!, bag.getBoundingClientRect());
    inHand = held;
    hand.classList.toggle("press", isAwaited(table, view) && !isReady && choice.chosen.length < (view.phase === "opening" ? SET_SIZE : 1));
    const used = [...choice.chosen, ...choice.drafted.keys()];
    const wildDice = dice.filter(({ number, shows }) => shows === WILD && used.includes(number));
    redraw(wilds, [wildDice, view.phase, [...choice.faces]], () =>
      view.phase === "reroll" ? [] : wildDice.map(wildChoice),
    );
    const state = [view.phase, mayChoose, view.answered, dice, used, drafted, choice.chosen, isReady];
    const hadFocus = actions.contains(document.activeElement);
    redraw(actions, state, () => buttons(view, dice, drafted, faceOf, isReady));
    // The keyboard stays near what comes next.
    if (hadFocus && !document.activeElement?.closest("button")) own.focus({ preventScroll: true });
  };

  const draftInWords = ({ row, column, face, isWild }: Drafted): string => {
    const name = table.caller.name("face", face);
    return say("square.die", { row: row + 1, column: column + 1, face: isWild ? say("square.wild", { face: name }) : name });
  };
  const dieButton = (die: Die, mayChoose: boolean): HTMLElement => {
    const isDrafted = choice.drafted.has(die.number);
    const name = table.caller.name("shows", die.shows);
    const button = h(
      "button",
      {
        class: isDrafted ? "die-button drafted" : "die-button",
        "aria-pressed": String(choice.chosen.includes(die.number)),
        "aria-label": isDrafted ? `${name}, ${say("hand.on_board")}` : name,
        "data-die": die.number,
        "data-term": die.shows === WILD ? "wild" : "die",
        disabled: !mayChoose,
        onclick: () => toggle(die.number),
      },
      drawDie(table, die.shows),
    );
    return button;
  };
  const toggle = (die: number): void => {
    if (!shown) return;
    const wasChosen = choice.chosen.includes(die);
    choice.drafted.delete(die);
    const others = choice.chosen.filter((one) => one !== die);
    if (wasChosen) choice.chosen = others;
    else if (shown.phase === "turns") choice.chosen = [die];
    else if (shown.phase === "opening") choice.chosen = [...others, die].slice(-SET_SIZE);
    else choice.chosen = [...others, die];
    draw(shown);
    hand.querySelector<HTMLElement>(`[data-die="${die}"]`)?.focus();
  };

  /** The face that a Wild announces, chosen among all faces. */
  const wildChoice = ({ number }: Die): HTMLElement => {
    const now = choice.faces.get(number) ?? table.printed.faces[0]!.face;
    const choose = (face: string): void => {
      choice.faces.set(number, face);
      if (shown) draw(shown);
      wilds.querySelector<HTMLElement>(`input[name="wild-${number}"]:checked`)?.focus();
    };
    const faces = table.printed.faces.map(({ face }) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: `wild-${number}`,
          checked: face === now,
          "aria-label": table.caller.name("face", face),
          onchange: () => choose(face),
        }),
        drawDie(table, face),
      ),
    );
    return h("fieldset", { class: "wild-face" }, h("legend", {}, say("wild.face")), ...faces);
  };

  const buttons = (
    view: View,
    dice: Die[],
    drafted: Drafted[],
    faceOf: (die: Die) => string,
    isReady: boolean,
  ): Child[] => {
    if (!mayDecide(table, view)) return [];
    const button = (type: string, text: string, press: () => void, isFirst = false): HTMLElement =>
      h("button", { class: isFirst ? "primary press" : "", "data-command": type, onclick: press }, text);
    const wildAs = (die: Die): string | null => (die.shows === WILD ? faceOf(die) : null);
    switch (view.phase) {
      case "opening": {
        const named = choice.chosen.map((number) => dice.find((die) => die.number === number)!);
        const call = (): void =>
          play({
            type: "call_set",
            dice: named.map((die) => ({ die: die.number, wild_as: wildAs(die) })),
          });
        return [
          named.length === SET_SIZE && button("call_set", say("call"), call, true),
          !view.answered.includes(table.seat!) &&
            button("declare_no_set", say("none"), () => play({ type: "declare_no_set" })),
        ];
      }
      case "turns": {
        const placements = drafted.map(({ die, row, column, face, isWild }) => ({
          die,
          row,
          column,
          wild_as: isWild ? face : null,
        }));
        const text =
          drafted.length === 1 ? say("place.one") : say("place", { dice: drafted.length });
        const place = (): void => play({ type: "place_dice", dice: placements });
        const takeBack = (): void => {
          forget();
          draw(view);
        };
        return [
          drafted.length > 0 && button("place_dice", text, place, isReady),
          drafted.length > 0 && button("back", say("back"), takeBack),
          button("suggest", say("suggest"), () => void attempt(() => suggest(view))),
          button("pass_turn", say("pass"), () => play({ type: "pass_turn" })),
        ];
      }
      case "reroll": {
        const again = choice.chosen;
        const throwAgain = (): void => play({ type: "reroll", dice: again });
        return [
          again.length > 0 &&
            button("reroll", say("reroll", { dice: again.length }), throwAgain, true),
          button("keep_dice", say("keep"), () => play({ type: "keep_dice" })),
        ];
      }
      default:
        return [];
    }
  };

  /** Put the best of the server's sample of moves on the board. */
  const suggest = async (view: View): Promise<void> => {
    const moves = (await table.legal()).filter((one) => one.type === "place_dice");
    const most = Math.max(0, ...moves.map(({ dice }) => dice.length));
    const move = moves.find(({ dice }) => dice.length === most);
    if (!move) return tell(say("suggest.none"));
    forget();
    for (const { die, row, column, wild_as } of move.dice) {
      choice.drafted.set(die, { row, column });
      if (wild_as) choice.faces.set(die, wild_as);
    }
    draw(shown ?? view);
  };

  const own = h(
    "div",
    { class: "set-own", tabindex: "-1", role: "group", "aria-label": say("hand") },
    turn,
    h("div", { class: "set-slot" }, told, made.element),
    actions,
    hand,
    wilds,
    again,
    results,
  );
  return {
    element: h(
      "div",
      { class: "set-dice" },
      h(
        "section",
        { class: "set-table" },
        land.element,
        own,
      ),
      h(
        "div",
        { class: "side-column" },
        h("section", { class: "panel" }, h("h2", {}, say("players")), players, bag),
        setting.log,
      ),
    ),
    showEvents(events): void {
      made.note(events);
      for (const event of events)
        if (event.type === "dice_thrown" && event.seat === table.seat) [thrown, isDrawn] = [event.dice, event.cause === "drawn"];
    },
    showView({ view }): void {
      if (shown && (shown.phase !== view.phase || shown.on_turn !== view.on_turn || haveChanged(shown, view))) forget();
      shown = view;
      redraw(turn, [view.phase, view.on_turn, view.answered, view.round], () =>
        turnLine(table, view),
      );
      draw(view);
      made.show(view, land, placeOf);
      redraw(players, [view.scores, view.hands, view.on_turn, view.first, view.phase, view.answered], () =>
        table.players.map((_, seat) => playerLine(table, view, seat)),
      );
      bag.textContent = say("bag", { bag: view.bag });
      results.hidden = view.phase !== "finished";
      actions.hidden = !results.hidden;
      if (!results.hidden)
        redraw(results, [view.scores], () =>
          ranking(table, view.scores, (points) => say("points", { points })),
        );
    },
    now: (view) => nowOf(table, view),
  };
}

function keyed({ row, column }: Place): Place {
  return { row, column };
}

function judgementInWords({ sets, bonus, points, alone, joins }: Judgement): string {
  if (alone.size) return say("judge.alone");
  return joins ? say("judge.points", { points, sets, bonus }) : say("judge.apart");
}

function turnLine(table: Table, view: View): Child[] {
  return [
    h(
      "b",
      { class: "phase-name" },
      `${say("round", { round: view.round })} · ${table.caller.name("phase", view.phase)}`,
    ),
  ];
}

function nowOf(table: Table, view: View): Now {
  const points = view.scores[table.seat ?? -1];
  const has = points === undefined ? undefined : say("points", { points });
  const standing = standingOf(table, view.scores, (seat) => isOnTurn(view, seat));
  return { doing: hintOf(table, view), isMine: isAwaited(table, view), has, standing, why: whyOf(table, view) };
}

function hintOf(table: Table, view: View): string {
  if (view.phase === "finished") return whyOf(table, view) ?? table.caller.name("phase", view.phase);
  if (table.seat === null) return say("hand.spectator");
  if (isAwaited(table, view)) return say(`hand.${view.phase}`);
  if (view.phase === "turns" && view.on_turn !== null)
    return say("hand.wait", { name: table.players[view.on_turn]! });
  return say(view.phase === "opening" ? "hand.none" : "hand.answered");
}

/** Why the game has ended before a hand was empty: silence ends it without points. */
function whyOf({ caller }: Table, { ending }: View): string | undefined {
  return ending && ending !== "hand_empty" ? say("over", { ending: caller.name("ending", ending) }) : undefined;
}

function playerLine(table: Table, view: View, seat: number): HTMLElement {
  const hand = view.hands[seat] ?? [];
  const dot = h("span", { class: "dot", "data-term": "player" });
  dot.style.setProperty("--seat", colourOf(table, seat));
  const names = hand.map(({ shows }) => table.caller.name("shows", shows)).join(", ");
  return h(
    "li",
    { class: marksOf(table, seat, isOnTurn(view, seat), view.scores) },
    dot,
    h(
      view.on_turn === seat ? "strong" : "span",
      { class: "player" },
      table.players[seat],
      seat === table.seat && h("small", {}, ` ${sayToAll("seats.you")}`),
      seat === view.first && h("small", { class: "quiet", "data-term": "first" }, ` ${say("first")}`),
    ),
    h("strong", { class: "sum", "data-term": "player" }, say("points", { points: view.scores[seat] ?? 0 })),
    h(
      "span",
      { class: "other-hand", role: "img", "aria-label": say("dice", { dice: names }) },
      ...hand.map(({ shows }) => drawDie(table, shows)),
    ),
  );
}
