/** The table of Quitte ou double: the question, the answers in a row, the bets and the teams. */
import { marksOf } from "../colours.ts";
import { h, motionIsReduced, redraw, type Child } from "../dom.ts";
import { tell } from "../frame.ts";
import type { GamePage, Now, Setting } from "../game_page.ts";
import { isNewPress } from "../presses.ts";
import type { Standing } from "../standing.ts";
import { decimal, inWords, listed, say as sayToAll, sumInWords } from "../words.ts";
import {
  mayAct,
  ownTeam,
  tableOf,
  teamInWords,
  teamMark,
  type Command,
  type Game,
  type Table,
  type Team,
  type View,
} from "./game.ts";
import { answerRow, letter, nameOf, spotNames } from "./row.ts";
import { say, unitInWords } from "./words.ts";

const LEVELS = [1, 2, 3] as const;
/** The answer is revealed in steps: the gap that pays, the number, what each team gains. */
const STEPS = 3;
/** The phases in which the game waits for the presenter. */
const PRESENTED = new Set(["level", "reveal"]);
const STEP_MS = 1300;
type Play = (command: Command, move?: string) => Promise<boolean>;
/** Write an answer that was changed, and lock it if it is the last. */
type Write = (answer: string, isChanged: boolean, isLast: boolean) => Promise<void>;
/** Where a token lies, and the gain tokens under it. */
type Laid = Pick<NonNullable<Team["tokens"]>[number], "zone" | "stake">;
/** The numbers that the server reads. */
const NUMBER = /^\s*-?\d{1,15}([.,]\d{1,10})?\s*$/;

export function quitteOuDoublePage(setting: Setting<Game>): GamePage<Game> {
  const table = tableOf(setting);
  const play: Play = (command, move) => table.play(command, move);
  const turn = h("p", { class: "turn" });
  const question = h("div", { class: "question" });
  const actions = h("div", { class: "actions" });
  const choice = h("div", { class: "bet-part" });
  const locking = h("div", { class: "bet-part" }); // of its own: a stake that changes while the button is pressed takes it from nobody
  const tokens = h("div", { class: "actions bet-tokens" }, choice, locking);
  const teams = h("ol", { class: "podiums", "aria-label": say("teams") });
  const results = h("section", { class: "results", hidden: true });
  let chosen = 1;
  let isAnswering = false;
  /** Bets are sent one after the other: each press counts, however quick it is. */
  let betting: Promise<unknown> = Promise.resolve();
  /** Tokens that the view does not show yet. */
  const laid = new Map<number, Laid>();
  let shown: View | undefined;
  /** The gain tokens of each team for its answers, once the game has ended. */
  let forAnswers: number[] | undefined;
  const stake = h("input", { type: "number", inputmode: "numeric", min: 0, value: 0, onchange: () => void later(restaking()) });
  const staked = (): number => Math.max(0, Math.trunc(Number(stake.value)) || 0);
  const later = <T>(work: () => Promise<T>): Promise<T> => {
    const done = betting.catch(() => undefined).then(work);
    betting = done;
    return done;
  };

  const lying = (token: number): Laid | undefined =>
    laid.get(token) ?? (shown && ownTeam(shown)?.tokens)?.find(({ number }) => number === token);
  /** A press does nothing meanwhile. */
  const write: Write = async (answer, isChanged, isLast) => {
    if (isAnswering) return;
    isAnswering = true;
    try {
      const isWritten = !isChanged || await play({ type: "write_answer", answer }, say("answer.written", { answer: answer.trim() }));
      if (isWritten && isLast) await play({ type: "lock_answer" }, say("answer.lock"));
    } finally {
      isAnswering = false;
    }
  };
  const choose = (token: number): void => {
    chosen = token;
    stake.value = String(lying(token)?.stake ?? 0);
    if (shown) showTokens(shown);
  };
  /** Return whether the token lies there. */
  const place = async (token: number, where: string, to: Laid): Promise<boolean> => {
    const there = lying(token);
    if (there?.zone === to.zone && there.stake === to.stake) return true;
    const words = [say("token.one", { token: letter(token) }), where, to.stake > 0 && `${say("token.stake")}: ${to.stake}`];
    const command: Command = { type: "place_token", token, zone: to.zone, stake: to.stake };
    if (!(await table.play(command, words.filter(Boolean).join(" · "), true))) return false;
    laid.set(token, to);
    return true;
  };
  /** Place the chosen token. The next one is chosen once it lies there. */
  const bet = async (zone: number, where: string): Promise<void> => {
    if (!(await place(chosen, where, { zone, stake: staked() }))) return;
    const free = tokenNumbers(table).find((one) => !lying(one));
    if (free) choose(free);
    else if (shown) showTokens(shown);
  };
  /** Return how to put the stake that stands in the field now under its token, if that lies in a gap. */
  const restaking = (token = chosen, sum = staked()) => async (): Promise<boolean> => {
    const there = lying(token);
    return !there || !shown || place(token, nameOf(shown, there.zone), { zone: there.zone, stake: sum });
  };
  const lock = (): void => void later(restaking()).then((isPlaced) => isPlaced && play({ type: "lock_bets" }));
  const row = answerRow(table, (zone, where) => void later(() => bet(zone, where)), (team, token) => {
    const own = team === shown?.your_team && tokens.querySelector(`[data-coin="${token}"]`);
    return (own || teams.children[team]?.querySelector(".team-mark"))?.getBoundingClientRect();
  });
  const skip = h("button", { class: "skip-reveal", onclick: () => isNewPress() && go(STEPS) }, say("reveal.skip"));
  let step = STEPS;
  let next: ReturnType<typeof setTimeout> | undefined;
  /** Show this much of the answer, and the rest a little later. */
  const reveal = (now: number): void => {
    clearTimeout(next);
    step = now;
    if (step < STEPS) next = setTimeout(() => go(step + 1), STEP_MS);
    if (shown) draw(shown);
  };
  const go = (now: number): void => {
    reveal(now);
    setting.showNow();
  };

  const showTokens = (view: View): void => {
    const mayBet = view.phase === "bet" && mayAct(view);
    const own = ownTeam(view);
    tokens.hidden = !mayBet;
    redraw(choice, [mayBet, chosen, own?.tokens, lying(chosen), own?.score, view.stakes_allowed], () =>
      mayBet ? tokenChoice(view, own!) : [],
    );
    const mayLock = mayBet && hasPlacedAll(table, view);
    redraw(locking, mayLock, () =>
      mayLock ? [h("button", { class: "primary press", "data-command": "lock_bets", onclick: lock }, say("bet.lock"))] : [],
    );
  };
  const stakeAll = (left: number): void => {
    stake.value = String(left);
    void later(restaking());
  };
  const tokenChoice = (view: View, own: Team): Child[] => {
    const others = (own.tokens ?? []).filter(({ number }) => number !== chosen);
    const most = own.score - others.reduce((sum, { stake }) => sum + stake, 0);
    const left = most - (lying(chosen)?.stake ?? 0);
    stake.max = String(most);
    return [
      h(
        "div",
        { class: "token-choice", role: "radiogroup", "aria-label": say("token") },
        ...tokenNumbers(table).map((token) =>
          h(
            "button",
            {
              class: "coin",
              role: "radio",
              "aria-checked": String(token === chosen),
              "aria-label": say("token.one", { token: letter(token) }),
              "data-coin": token,
              "data-term": "token",
              onclick: () => choose(token),
            },
            coin(table, own.team, token),
          ),
        ),
      ),
      ...(view.stakes_allowed
        ? [
            h("label", { class: "sum-input", "data-term": "stake" }, h("span", {}, say("token.stake_of", { token: letter(chosen), left, all: own.score })), stake),
            h("button", { onclick: () => stakeAll(most) }, say("token.stake_all")),
          ]
        : []),
    ];
  };

  const draw = (view: View): void => {
    Object.assign(((setting.book.names ??= {})["spot"] ??= {}), view.tiles.length ? spotNames(view) : {});
    redraw(turn, [view.phase, view.round, view.teams, view.tiebreak], () => turnLine(table, view));
    redraw(question, [view.question, view.reveal, view.phase, step], () => questionCard(view, step));
    const isRevealing = step < STEPS;
    redraw(actions, [isRevealing, actionState(view)], () => (isRevealing ? [skip] : buttons(table, view, play, write)));
    showTokens(view);
    row.show(view, step);
    redraw(teams, [view.teams, view.reveal, step], () => view.teams.map((team) => teamLine(table, view, team, step)));
    results.hidden = view.phase !== "finished";
    if (!results.hidden)
      redraw(results, [view.winners, view.teams, forAnswers], () => resultTable(table, view, forAnswers));
  };

  return {
    element: h(
      "div",
      { class: "quitte" },
      h("section", { class: "stage" }, turn, question, actions, tokens, row.element, results, teams),
      h("div", { class: "side-column" }, setting.log),
    ),
    showView({ view }): void {
      const isNewRound = shown?.round !== view.round || shown.phase !== view.phase;
      const isRevealed = shown?.phase === "bet" && view.phase === "reveal";
      shown = view;
      if (isNewRound) laid.clear();
      for (const { number } of ownTeam(view)?.tokens ?? []) laid.delete(number);
      if (isNewRound) choose(1);
      if (isNewRound && isRevealed && !motionIsReduced()) reveal(0);
      else if (isNewRound) reveal(STEPS);
      else draw(view);
    },
    showAll(events): void {
      forAnswers = table.printed.team_colours.map((_, team) =>
        events.reduce((sum, event) => sum + (event.type === "tile_paid" && event.team === team ? event.amount : 0), 0));
      if (shown) draw(shown);
    },
    withholds: (events) =>
      step < STEPS || (shown?.phase === "bet" && !motionIsReduced() && events.some(({ type }) => type === "answer_revealed")),
    now: (view) => nowOf(table, view, step),
  };
}

function nowOf(table: Table, view: View, step: number): Now {
  const own = ownTeam(view);
  const isPresenter = view.you !== null && view.you === view.presenter;
  const isMine =
    (isPresenter && (view.phase === "level" || (view.phase === "reveal" && step >= STEPS))) ||
    ((view.phase === "answer" || view.phase === "bet") && mayAct(view));
  const has = own ? say("tokens", { tokens: scoreOf(view, own, step) }) : undefined;
  const what = view.phase === "reveal" && step < STEPS ? table.caller.name("phase", view.phase) : doing(table, view, isMine);
  return { doing: what, isMine, late: late(table, view), winners: view.phase === "finished" ? winnersOf(table, view) : undefined, has, standing: view.teams.map((team) => standingOfTeam(table, view, team, step)) };
}

/** The gains are paid at the last step; before, the score is that of the round before. */
function scoreOf({ reveal }: View, { team, score }: Team, step: number): number {
  return step < STEPS ? score - (reveal?.gains[team] ?? 0) : score;
}

function standingOfTeam(table: Table, view: View, { team }: Team, step: number): Standing {
  return {
    name: table.caller.name("team", team),
    whole: teamInWords(table, view.teams[team]!),
    colour: table.printed.team_colours[team]!.hex,
    isOwn: team === view.your_team,
    isAwaited: isAwaited(view, view.teams[team]!),
    sum: scoreOf(view, view.teams[team]!, step),
  };
}

/** Whether the game waits for this team: for its answer or its bets, or for the presenter. */
function isAwaited({ phase, presenter, tiebreak }: View, { team, seats, locked }: Team): boolean {
  if (PRESENTED.has(phase)) return seats.includes(presenter);
  const plays = !tiebreak.length || tiebreak.includes(team);
  return (phase === "answer" || phase === "bet") && plays && !locked;
}

function doing(table: Table, view: View, isMine: boolean): string {
  if (view.phase === "finished") return winnersOf(table, view);
  if (view.you === null) return say("spectator");
  switch (view.phase) {
    case "level":
      return isMine ? say("level") : say("level.wait", { name: table.players[view.presenter]! });
    case "answer":
      return isMine ? say(isAlone(view) ? "answer.alone" : (ownTeam(view)?.answer ?? null) === null ? "answer.now" : "answer.next") : lockedInWords(table, view);
    case "bet":
      return isMine ? say(hasPlacedAll(table, view) ? "bet.next" : "bet.help") : lockedInWords(table, view);
    case "reveal":
      return nextInWords(table, view, isMine ? "next" : "next.wait");
  }
}

/** The result if time runs out now; nothing is lost in the other phases. */
function late({ printed }: Table, view: View): string | undefined {
  const { answer = null, tokens } = ownTeam(view) ?? {};
  if (view.phase === "level") return say("late.level");
  if (view.phase === "answer") return answer === null ? say("late.no_answer") : say("late.answer", { answer: decimal(answer) });
  return view.phase === "bet" ? say("late.bet", { placed: tokens?.length ?? 0, all: printed.tokens_per_team }) : "";
}

/** The teams that may still change their answer or their bets. */
function thinking({ teams, tiebreak }: View): number[] {
  return teams.filter(({ team, locked }) => !locked && (!tiebreak.length || tiebreak.includes(team))).map(({ team }) => team);
}

function lockedInWords({ caller }: Table, view: View): string {
  return say("locked", { teams: listed(thinking(view).map((team) => caller.name("team", team))) });
}

function hasPlacedAll({ printed }: Table, view: View): boolean {
  return (ownTeam(view)?.tokens ?? []).length === printed.tokens_per_team;
}

/** Whether the user answers for their team with nobody else. */
function isAlone(view: View): boolean {
  return ownTeam(view)?.seats.length === 1;
}

/** The text about what follows: after the last round, the end or a question that breaks a tie. */
function nextInWords({ printed }: Table, { round }: View, key: "next" | "next.wait"): string {
  return say(round < printed.rounds ? key : `${key}.last`);
}

/** A bet token in the colour of its team. */
function coin(table: Table, team: number, token: number): HTMLElement {
  const mark = teamMark(table, team);
  mark.textContent = letter(token);
  mark.dataset["term"] = "token";
  return mark;
}

function tokenNumbers({ printed }: Table): number[] {
  return [...Array(printed.tokens_per_team).keys()].map((token) => token + 1);
}

function turnLine(table: Table, view: View): Child[] {
  const { rounds } = table.printed;
  const isTiebreak = view.tiebreak.length > 0;
  const round = isTiebreak ? say("tiebreak") : say("round", { round: view.round, rounds });
  const isOpen = view.phase === "answer" || view.phase === "bet";
  const waiting = thinking(view).map((team) => table.caller.name("team", team));
  return [
    h(
      "span",
      { class: "rounds", "aria-hidden": "true", "data-term": "round" },
      ...Array.from({ length: rounds }, (_, nth) => h("i", { class: nth < view.round ? "past" : "" })),
    ),
    h("b", { class: "phase-name" }, view.round > 0 && `${round} · `, table.caller.name("phase", view.phase)),
    isOpen && h("span", { class: "waiting" }, waiting.length > 0 && say("awaited", { teams: waiting.join(", ") })),
    view.stakes_allowed && view.phase === "bet" && h("p", { class: "double", "data-term": "stake" }, say("double")),
  ];
}

function questionCard(view: View, step: number): Child[] {
  const { question, reveal } = view;
  if (!question) return view.phase === "level" ? [] : [say("question.wait")];
  const unit = unitInWords(inWords(question.unit));
  const isShown = reveal && step > 1;
  return [
    h("h2", { class: "unseen" }, say("question")),
    h("p", { class: "question-text" }, inWords(question)),
    unit && !isShown && h("p", { class: "quiet" }, say("unit", { unit })),
    isShown &&
      h(
        "p",
        { class: "right-answer", "data-term": "truth" },
        h("b", {}, say("answer.right", { answer: decimal(reveal.answer) }), unit && ` (${unit})`),
        " ",
        h("small", {}, say("answer.source", { source: reveal.source })),
      ),
  ];
}

/** The state that the buttons depend on. */
function actionState(view: View): unknown {
  const own = ownTeam(view);
  return [view.phase, view.round, view.question?.card, own?.locked && thinking(view), own?.answer, view.tiebreak];
}

function buttons(table: Table, view: View, play: Play, write: Write): Child[] {
  const button = (command: Command, text: string, isFirst = true): HTMLElement =>
    h(
      "button",
      {
        class: isFirst ? "primary press" : "press",
        "data-command": command.type,
        onclick: () => void play(command),
      },
      text,
    );
  if (view.you === null) return [h("p", {}, say("spectator"))];
  const isPresenter = view.you === view.presenter;
  switch (view.phase) {
    case "level":
      if (!isPresenter)
        return [h("p", {}, say("level.wait", { name: table.players[view.presenter]! }))];
      return [
        h("p", { class: "ask" }, say("level")),
        ...LEVELS.map((level) =>
          button({ type: "choose_level", level }, say(`level.${level}`), false),
        ),
      ];
    case "answer":
      return mayAct(view) ? answerForm(table, view, write) : [h("p", {}, lockedInWords(table, view))];
    case "bet":
      return mayAct(view) ? [] : [h("p", {}, lockedInWords(table, view))];
    case "reveal":
      return isPresenter
        ? [button({ type: "next_question" }, nextInWords(table, view, "next"))]
        : [h("p", { class: "quiet" }, nextInWords(table, view, "next.wait"))];
    case "finished":
      return [];
  }
}

function answerForm(table: Table, view: View, write: Write): Child[] {
  const answer = ownTeam(view)?.answer ?? null;
  const input = h("input", {
    class: answer === null ? "press" : "",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 40,
    required: true,
    value: answer ?? "",
  });
  const alone = isAlone(view);
  const submit = (event: Event, isLast = alone): void => {
    event.preventDefault();
    const reason = table.printed.refusals["not_a_number"];
    if (!NUMBER.test(input.value) && reason) tell(inWords(reason), "bad");
    else void write(input.value, input.value !== answer, isLast);
  };
  return [
    h(
      "form",
      { class: "answer-form", onsubmit: submit },
      h("label", { class: "sum-input" }, h("span", {}, say("answer")), input),
      h("button", { class: alone && answer !== null ? "primary press" : "", "data-command": "write_answer" }, say(alone ? "answer.lock" : "answer.write")),
    ),
    answer !== null && !alone && h("p", { class: "ask" }, say("answer.written", { answer: decimal(answer) })),
    answer !== null && !alone && h("button", { class: "primary press", "data-command": "lock_answer", onclick: (event) => submit(event, true) }, say("answer.lock")),
  ];
}

function teamLine(table: Table, view: View, team: Team, step: number): HTMLElement {
  const isOpen = view.phase === "answer" || view.phase === "bet";
  const scores = view.teams.map((one) => scoreOf(view, one, step));
  const score = scores[team.team]!;
  const line = h(
    "li",
    { class: `podium-of ${marksOf({ seat: view.your_team }, team.team, isAwaited(view, team), scores)}` },
    h("span", { class: "podium-gain", "data-term": "gain" }, ...(step < STEPS || !view.reveal ? [] : gainInWords(view, team))),
    h(
      "strong",
      { class: "podium-score", role: "img", "aria-label": say("tokens", { tokens: score }), "data-term": "score" },
      score,
    ),
    h(
      "span",
      { class: "podium-name" },
      teamMark(table, team.team),
      h("strong", {}, teamInWords(table, team)),
    ),
    h("span", { class: "podium-presenter", "data-term": "presenter" }, team.seats.includes(view.presenter) && say("team.presenter", { name: table.players[view.presenter]! })),
    h(
      "span",
      { class: "podium-state" },
      isOpen && (team.locked ? h("b", { class: "locked", "data-term": "lock" }, say("team.locked")) : "…"),
    ),
  );
  line.style.setProperty("--seat", table.printed.team_colours[team.team]!.hex);
  return line;
}

/** The gain of a team in this round, and how much of it its answer and its bets brought. */
function gainInWords({ reveal }: View, { team, tokens }: Team): Child[] {
  const bets = (tokens ?? []).reduce((sum, { zone, stake }) => sum + (reveal!.paying_zones.includes(zone) ? 1 + stake : -stake), 0);
  const gain = reveal!.gains[team] ?? 0;
  const parts = Object.entries({ answer: gain - bets, bets }).filter(([, part]) => part);
  const signed = (sum: number): string => sumInWords(sum, null, "exceptZero");
  return parts.length
    ? [h("b", {}, signed(gain)), h("small", {}, parts.map(([what, part]) => say(what === "bets" ? "gain.bets" : "gain.answer", { gain: signed(part) })).join(", "))]
    : [];
}

function winnersOf(table: Table, { teams, winners }: View): string {
  if (!teams.some(({ score }) => score)) return sayToAll("results.nobody");
  return say(winners.length > 1 ? "winners" : "winner", { teams: listed(winners.map((team) => teamInWords(table, teams[team]!))) });
}

function resultTable(table: Table, view: View, forAnswers: number[] | undefined): Child[] {
  const number = (one: Child): HTMLElement => h("td", { class: "number" }, one);
  const title = (text: string): HTMLElement => h("th", { scope: "col", class: "number" }, text);
  const order = [...view.teams].sort((one, other) => other.score - one.score);
  return [
    h("h2", {}, winnersOf(table, view)),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, say("results.team")),
          ...(forAnswers ? [title(say("results.answers")), title(say("results.bets"))] : []),
          title(say("results.tokens")),
        ),
      ),
      h(
        "tbody",
        {},
        ...order.map((one) =>
          h(
            "tr",
            { class: one.team === view.your_team ? "me" : "" },
            h("th", { scope: "row" }, teamMark(table, one.team), " ", teamInWords(table, one)),
            ...(forAnswers ? [number(forAnswers[one.team]!), number(one.score - forAnswers[one.team]!)] : []),
            number(one.score),
          ),
        ),
      ),
    ),
  ];
}
