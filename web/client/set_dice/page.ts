/** The table of SET Dice: the board, the user's dice, and everybody's points. */
import { dot, marksOf } from "../colours.ts";
import { h, redraw, type Child } from "../dom.ts";
import { confirmed } from "../dialog.ts";
import { term } from "../explain.ts";
import { attempt, tell } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { ranking, type Column } from "../ranking.ts";
import { namesInShort } from "../second_person.ts";
import { standingOf } from "../standing.ts";
import { travel } from "../travel.ts";
import { inWords, say as sayToAll } from "../words.ts";
import { board, type Drafted } from "./board.ts";
import { drawDie, faceInWords } from "./die.ts";
import {
  handOf,
  isAwaited,
  isOnTurn,
  keyOf,
  mayDecide,
  SET_SIZE,
  tableOf,
  WILD,
  type BoardDie,
  type Command,
  type Die,
  type Event,
  type Game,
  type Place,
  type Table,
  type View,
} from "./game.ts";
import { completing, faced, facesOf, featuresOfTwo, judge, lightFor, swapsFor, type Judgement, type Light } from "./judge.ts";
import { shine } from "./shine.ts";
import { say } from "./words.ts";

/** The dice that the user has chosen, and those that lie on the board but are not yet played. */
interface Choice {
  chosen: number[];
  drafted: Map<number, Place>;
  /** The faces of the user's Wilds. */
  faces: Map<number, string>;
}

type Thrown = Extract<Event, { type: "dice_thrown" }>;

/** A board without dice. */
const EMPTY: Pick<View, "board"> = { board: [] };

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
  let thrown: Thrown | undefined;
  /** The parts of the points, once the game has ended. */
  let columns: Column[] = [];
  const showResults = (view: View): void =>
    redraw(results, [view.scores, columns], () => ranking(table, view.scores, (points) => say("points", { points }), columns));

  const forget = (): void => {
    choice.chosen = [];
    choice.drafted.clear();
  };
  const play = (command: Command): void => {
    thrown = undefined;
    void table.play(command);
  };
  /** Swap a die for a Wild; this cannot be taken back. */
  const replaceWild = async (view: View, wild: BoardDie, die: number): Promise<void> => {
    const place = keyed(wild);
    const shows = handOf(table, view).find(({ number }) => number === die)?.shows;
    const refusal = view.wild_replaced ? "wild_already_replaced" : shows === wild.face ? undefined : "wrong_features";
    if (refusal) return tell(inWords(table.book.refusals![refusal]!), "bad");
    if (!(await confirmed(say("swap.question", { face: table.caller.name("face", wild.face) }), say("swap")))) return;
    if (!(await table.play({ type: "replace_wild", ...place, die }))) return;
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
      return void replaceWild(shown, onBoard, die);
    } else if (onBoard) {
      return tell(inWords(table.book.refusals!["square_taken"]!), "bad");
    } else {
      from = hand.querySelector(`[data-die="${die}"]`)?.getBoundingClientRect();
      choice.drafted.set(die, keyed(place));
      choice.faces.delete(die); // another face may make a SET here
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
    const laid = (places: Iterable<readonly [number, Place]>, on: Pick<View, "board">): Drafted[] =>
      faced(table, on, [...places].map(([number, place]) => {
        const { shows } = dice.find((one) => one.number === number)!;
        return { ...place, die: number, face: shows === WILD ? choice.faces.get(number) : shows, isWild: shows === WILD };
      }));
    const drafted = laid(choice.drafted, view);
    /** The dice of a call lie in one line, and no others. */
    const called = laid(choice.chosen.map((number, column) => [number, { row: 0, column }] as const), EMPTY);
    const [used, below] = view.phase === "opening" ? [called, EMPTY] : [drafted, view];
    const mayChoose = mayDecide(table, view);
    const judged = judge(table, view, drafted);
    const isPlacing = mayChoose && view.phase === "turns";
    const isCall = view.phase === "opening" && judge(table, EMPTY, called).sets > 0;
    const isMove = drafted.length > 0 && drafted.length <= SET_SIZE && !judged.alone.size && judged.joins;
    /** Whether the rules accept what the user has chosen. */
    const isReady = isCall || isMove;
    const free = isPlacing && drafted.length < SET_SIZE ? dice.filter(({ number }) => !choice.drafted.has(number)) : [];
    const chosen = free.find(({ number }) => choice.chosen.includes(number));
    const light = chosen && lightAmong(table, view, drafted, chosen, free);
    const isStuck = !isReady && fitNowhere(table, view, drafted, free);
    land.show(view, drafted, judged.alone, light);
    const maySwap = isPlacing && !drafted.length && dice.some(({ shows }) => swapsFor(view, shows).length);
    const legend = light ? lightInWords(light) : view.phase === "opening" ? refusalInWords(table, called) : "";
    redraw(told, [judged, [...judged.alone], drafted, legend], () =>
      drafted.length ? [judgementInWords(judged, drafted.length), h("span", { class: "unseen" }, ` ${drafted.map(draftInWords).join("; ")}`)] : [legend],
    );
    redraw(again, [thrown, maySwap], () => [
      maySwap && `${say("swap.may")} `,
      thrown && say(thrown.cause === "drawn" ? "drawn" : "thrown", { dice: thrown.dice.map(({ shows }) => table.caller.name("shows", shows)).join(" · ") }),
    ]);
    redraw(hand, [dice, choice.chosen, [...choice.drafted], mayChoose], () =>
      dice.map((die) => dieButton(die, mayChoose)),
    );
    for (const die of held) // drawn from the bag
      if (inHand && !inHand.has(die)) travel(hand.querySelector(`[data-die="${die}"] svg`)!, bag.getBoundingClientRect());
    inHand = held;
    hand.classList.toggle("press", isAwaited(table, view) && !isReady && !isStuck && (view.phase === "opening" || !choice.chosen.length || (light !== undefined && !fitsSomewhere(light))));
    const wildDice = view.phase === "reroll" ? [] : used.filter(({ isWild }) => isWild);
    const fits = wildDice.map((wild) => [...completing(table, facesOf(below, used.filter((one) => one !== wild)), wild)]);
    redraw(wilds, [wildDice, view.phase, fits], () => wildDice.map((wild, nth) => wildChoice(wild, new Set(fits[nth]), wildDice.length > 1 ? say("wild.of", { nth: nth + 1 }) : say("wild.face"))));
    const state = [view.phase, mayChoose, view.answered, dice, used, drafted, choice.chosen, isReady, isStuck];
    const hadFocus = actions.contains(document.activeElement);
    redraw(actions, state, () => buttons(view, called, drafted, isReady, isStuck));
    // The keyboard stays near what comes next.
    if (hadFocus && !document.activeElement?.closest("button")) own.focus({ preventScroll: true });
  };

  const draftInWords = ({ row, column, face, isWild }: Drafted): string =>
    say("square.die", { row: row + 1, column: column + 1, face: faceInWords(table, face, isWild) });
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
    if (shown.phase === "opening") choice.faces.clear(); // other faces may make a SET with these dice
    const others = choice.chosen.filter((one) => one !== die);
    if (wasChosen) choice.chosen = others;
    else if (shown.phase === "turns") choice.chosen = [die];
    else if (shown.phase === "opening") choice.chosen = [...others, die].slice(-SET_SIZE);
    else choice.chosen = [...others, die];
    draw(shown);
    hand.querySelector<HTMLElement>(`[data-die="${die}"]`)?.focus();
  };

  /** The face that a Wild announces, chosen among all faces; those that make a SET are bright. */
  const wildChoice = ({ die: number, face: now }: Drafted, fits: Set<string>, title: string): HTMLElement => {
    const choose = (face: string): void => {
      choice.faces.set(number, face);
      if (shown) draw(shown);
      wilds.querySelector<HTMLElement>(`input[name="wild-${number}"]:checked`)?.focus();
    };
    const faces = table.printed.faces.map(({ face }) =>
      h(
        "label",
        { class: fits.size && !fits.has(face) ? "unfit" : "" },
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
    return h("fieldset", { class: "wild-face" }, h("legend", {}, title), ...faces);
  };

  const buttons = (
    view: View,
    called: Drafted[],
    drafted: Drafted[],
    isReady: boolean,
    isStuck: boolean,
  ): Child[] => {
    if (!mayDecide(table, view)) return [];
    const button = (type: string, text: string, press: () => void, isFirst = false): HTMLElement =>
      h("button", { class: isFirst ? "primary press" : "", "data-command": type, onclick: press }, text);
    const wildAs = ({ isWild, face }: Drafted): string | null => (isWild ? face : null);
    switch (view.phase) {
      case "opening": {
        const call = (): void =>
          play({
            type: "call_set",
            dice: called.map((die) => ({ die: die.die, wild_as: wildAs(die) })),
          });
        return [
          isReady && button("call_set", say("call"), call, true),
          !view.answered.includes(table.seat!) &&
            button("declare_no_set", say("none"), () => play({ type: "declare_no_set" })),
        ];
      }
      case "turns": {
        const placements = drafted.map((one) => ({ die: one.die, ...keyed(one), wild_as: wildAs(one) }));
        const text =
          drafted.length === 1 ? say("place.one") : say("place", { dice: drafted.length });
        const place = (): void => play({ type: "place_dice", dice: placements });
        const takeBack = (): void => {
          forget();
          draw(view);
        };
        return [
          drafted.length > 0 && h("button", { class: isReady ? "primary press" : "primary", "data-command": "place_dice", disabled: !isReady, onclick: place }, text),
          drafted.length > 0 && button("back", say("back"), takeBack, isStuck),
          !drafted.length && !isStuck && button("suggest", say("suggest"), () => void attempt(() => suggest(view))),
          button("pass_turn", say("pass"), () => play({ type: "pass_turn" }), isStuck && !drafted.length),
        ];
      }
      case "reroll": {
        const again = choice.chosen;
        const throwAgain = (): void => play({ type: "reroll", dice: again });
        return [
          again.length > 0 &&
            button("reroll", say("reroll", { dice: again.length }), throwAgain, true),
          button("keep_dice", say(handOf(table, view).length === 1 ? "keep.one" : "keep"), () => play({ type: "keep_dice" })),
        ];
      }
      default:
        return [];
    }
  };

  /** Put the best of the server's sample of moves on the board. */
  const suggest = async (view: View): Promise<void> => {
    const moves = (await table.legal()).filter((one) => one.type === "place_dice");
    const dice = handOf(table, view);
    const worth = moves.map((move) => {
      const laid = move.dice.map(({ die, row, column, wild_as }) => {
        const { shows } = dice.find(({ number }) => number === die)!;
        return { row, column, die, face: wild_as ?? shows, isWild: shows === WILD };
      });
      return judge(table, view, laid).points;
    });
    const move = moves[worth.indexOf(Math.max(...worth))];
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
    // Browsers give the focus to what scrolls, and take it away once it does not.
    h("div", { class: "set-slot", tabindex: "0", role: "group", "aria-label": say("slot") }, told, made.element),
    actions,
    hand,
    wilds,
    again,
  );
  return {
    element: h(
      "div",
      { class: "set-dice" },
      h(
        "section",
        { class: "set-table" },
        results,
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
        if (event.type === "dice_thrown" && event.seat === table.seat) thrown = event;
    },
    showAll(events): void {
      columns = columnsOf(table, events);
      if (shown?.phase === "finished") showResults(shown);
    },
    showView({ view }): void {
      if (shown && (shown.phase !== view.phase || shown.on_turn !== view.on_turn || haveChanged(shown, view))) forget();
      shown = view;
      redraw(turn, [view.phase, view.on_turn, view.answered, view.round, view.hands], () =>
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
      if (!results.hidden) showResults(view);
    },
    now: (view) => nowOf(table, view),
    tellsTime: (event) => (event.type === "turn_passed" || event.type === "dice_kept") && event.timed_out,
  };
}

/** The points of each seat for calling the first SET, for the other SETs and for gold squares. */
function columnsOf({ players }: Table, events: Event[]): Column[] {
  const parts = { called: players.map(() => 0), sets: players.map(() => 0), gold: players.map(() => 0) };
  for (const event of events) {
    if (event.type === "set_called") parts.called[event.seat]! += event.points;
    if (event.type !== "dice_placed") continue;
    parts.gold[event.seat]! += event.bonus;
    parts.sets[event.seat]! += event.points - event.bonus;
  }
  return (["called", "sets", "gold"] as const).map((part) => ({ title: say(`part.${part}`), points: parts[part] }));
}

function keyed({ row, column }: Place): Place {
  return { row, column };
}

function judgementInWords({ sets, bonus, points, alone, joins }: Judgement, laid: number): string {
  if (alone.size) return say(laid < SET_SIZE ? "judge.unfinished" : "judge.alone");
  if (!joins) return say("judge.apart");
  const parts = { points, sets, bonus, ofSets: points - bonus };
  return say(bonus ? "judge.points_and_gold" : "judge.points", parts);
}

/** The meaning of the squares for one of these dice, when the others may follow it. */
function lightAmong(table: Table, view: View, drafted: Drafted[], die: Die, dice: Die[]): Light {
  const rest = drafted.length + 1 < SET_SIZE ? dice.filter((one) => one !== die).map(({ shows }) => shows) : [];
  return lightFor(table, view, drafted, die, rest);
}

function fitNowhere(table: Table, view: View, drafted: Drafted[], dice: Die[]): boolean {
  return dice.length > 0 && !dice.some((die) => fitsSomewhere(lightAmong(table, view, drafted, die, dice)));
}

function fitsSomewhere({ now, later, swaps }: Light): boolean {
  return now.size + later.size + swaps.size > 0;
}

/** The meaning of the marks on the board, for the die that is chosen. */
function lightInWords({ now, later, swaps }: Light): string {
  const said = [now.size && say("lit.now"), later.size && say("lit.later"), swaps.size && say("lit.swap")].filter(Boolean);
  return said.length ? said.join(" ") : say("lit.none");
}

/** Why three dice are no SET; nothing for fewer, or for a SET. */
function refusalInWords(table: Table, called: Drafted[]): string {
  const features = featuresOfTwo(table, called.map(({ face }) => face));
  return features?.length ? say("call.no", { features: features.map((feature) => say(`shine.${feature}`)).join(", ") }) : "";
}

function turnLine(table: Table, view: View): Child[] {
  return [
    h(
      "b",
      { class: "phase-name" },
      [say("round", { round: view.round }), isLastRound(view) && say("last"), table.caller.name("phase", view.phase)].filter(Boolean).join(" · "),
    ),
  ];
}

/** Whether a hand is empty, and the bag as well. */
function isLastRound(view: View): boolean {
  return view.phase === "turns" && view.hands.some((hand) => !hand.length);
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
  if (isAwaited(table, view))
    return say(view.phase === "turns" && fitNowhere(table, view, [], handOf(table, view)) ? "hand.stuck" : `hand.${view.phase}`);
  if (view.phase === "turns" && view.on_turn !== null)
    return say("hand.wait", { name: table.players[view.on_turn]! });
  const others = [...table.players.keys()].filter((seat) => isOnTurn(view, seat));
  return say(view.phase === "opening" ? "hand.none" : "hand.answered", { names: namesInShort(table, others) });
}

/** Why the game has ended before a hand was empty: silence ends it without points. */
function whyOf({ caller }: Table, { ending }: View): string | undefined {
  return ending && ending !== "hand_empty" ? say("over", { ending: caller.name("ending", ending) }) : undefined;
}

function playerLine(table: Table, view: View, seat: number): HTMLElement {
  const hand = view.hands[seat] ?? [];
  const names = hand.map(({ shows }) => table.caller.name("shows", shows)).join(", ");
  return h(
    "li",
    { class: marksOf(table, seat, isOnTurn(view, seat), view.scores) },
    dot(table, seat),
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
