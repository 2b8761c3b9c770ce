/** The betting board, with the book's layout: every spot is a button that shows its tokens. */
import { h, redraw, svg } from "../dom.ts";
import { term } from "../explain.ts";
import { placeOfSeat } from "../standing.ts";
import { fly, travel } from "../travel.ts";
import { inWords, say } from "../words.ts";
import { chip } from "./chip.ts";
import { horse } from "./horse.ts";
import { type AtTable, type Bet, type Part, type Spot, type View } from "./game.ts";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A part whose spots call `bet` when they are chosen. */
export function boardPart(at: AtTable, bet: (spot: string) => void): Part {
  const { book } = at;
  const top = Math.min(...Object.values(book.layout.rows).map(({ y }) => y));
  const spots = new Map<string, SpotButton>();
  const spotButton = (spot: Spot): SpotButton => {
    const button = new SpotButton(at, spot, bet);
    spots.set(spot.spot, button);
    return button;
  };

  const grid = h("div", { class: "grid" });
  grid.style.setProperty("--columns", String(book.layout.width));
  for (const heading of headings(at)) grid.append(heading);
  for (const about of book.horses) {
    const row = h(
      "div",
      { class: `row-name lane-${about.colour}`, "data-term": "horse" },
      h("b", { class: about.horse.length > 3 ? "long" : "" }, about.horse),
      h("span", {}, inWords(about.name)),
      about.bonus > 0 && h("small", { "data-term": "bonus" }, `+${about.bonus}`),
    );
    grid.append(placed(row, book.layout.rows[about.horse]!, top - 1));
  }
  const runs = book.horses.map((about) => {
    const run = smallRun(at, about);
    const { y } = book.layout.rows[about.horse]!;
    grid.append(placed(run.element, { x: 0, y, width: book.layout.width, height: 1 }, top - 1));
    return run;
  });
  for (const spot of book.spots)
    grid.append(placed(spotButton(spot).element, book.layout.spots[spot.spot]!, top - 1));

  const props = h("div", { class: "cards props" });
  const exotics = h("div", { class: "cards exotics" });
  const element = h(
    "section",
    { class: "board", role: "group", "aria-label": say("board") },
    props,
    grid,
    exotics,
    h("p", { class: "board-legend" }, say("board.legend")),
  );
  element.addEventListener("keydown", (event) => moveFocus(element, event));

  return {
    element,
    show(view: View): void {
      redraw(props, view.props, () =>
        view.props.map((card) => {
          const spot = view.spots.find((one) => one.card === card.card)!;
          const button = spotButton(spot).element;
          button.classList.add("card");
          button.prepend(...namesOf(card));
          return button;
        }),
      );
      redraw(exotics, view.exotics, () =>
        view.exotics.map((card) =>
          h(
            "div",
            { class: "card" },
            explained(term("exotic", inWords(card.title)), card),
            h("span", { class: "card-text" }, inWords(card.text)),
            h(
              "div",
              { class: "card-spots" },
              ...view.spots
                .filter((spot) => spot.card === card.card)
                .map((spot) => explained(spotButton(spot).element, card)),
            ),
          ),
        ),
      );
      for (const button of spots.values()) button.show(view);
      for (const [lane, run] of runs.entries()) run.show(view.positions[lane] ?? 0);
      if (!element.querySelector(".spot[tabindex='0']"))
        element.querySelector(".spot")?.setAttribute("tabindex", "0");
    },
  };
}

/** The name of a prop bet, and for a long one a sign that stands for it on a small screen. */
function namesOf({ title, front, behind }: View["props"][number]): HTMLElement[] {
  const name = (text: string, size: string): HTMLElement => h("b", { class: size, "aria-hidden": "true" }, text);
  return behind.length > 1 ? [name(inWords(title), "long"), name(`${front} › ${behind.join(", ")}`, "short")] : [name(inWords(title), "")];
}

/** Explain an exotic finish by its own text, which a phone shows nowhere else. */
function explained<E extends HTMLElement>(element: E, { title, text }: View["exotics"][number]): E {
  Object.assign(element.dataset, { name: inWords(title), text: inWords(text) });
  return element;
}

/** The term of the guide for a spot: its kind, but black is a colour. */
function termOf({ kind }: Spot): string {
  return kind === "black" ? "colour" : kind;
}

/** One spot. It shows its odds and its tokens. */
class SpotButton {
  readonly element: HTMLButtonElement;
  readonly #at: AtTable;
  readonly #spot: Spot;
  readonly #tokens = h("span", { class: "tokens", "aria-hidden": "true" });
  readonly #label = h("span", { class: "unseen" });
  #bets: Bet[] | undefined;

  constructor(at: AtTable, spot: Spot, bet: (spot: string) => void) {
    this.#at = at;
    this.#spot = spot;
    this.element = h(
      "button",
      {
        class: `spot spot-${spot.colour ?? spot.kind}`,
        tabindex: "-1",
        "data-spot": spot.spot,
        onclick: () => bet(spot.spot),
      },
      spot.colour &&
        h(
          "span",
          { class: "spot-label", "aria-hidden": "true" },
          at.caller.name("spot", spot.spot),
        ),
      h("span", { class: "gain", "aria-hidden": "true", "data-term": "gain" }, `${spot.gain}×`),
      spot.loss > 0 && h("span", { class: "loss", "aria-hidden": "true", "data-term": "loss" }, `−${spot.loss}`),
      this.#tokens,
      this.#label,
    );
  }

  show(view: View): void {
    const { spot, column, gain, loss, colour, kind } = this.#spot;
    const bets = view.bets.filter((one) => one.spot === spot);
    const isClosed = column !== null && view.closed_columns.includes(column);
    this.element.classList.toggle("closed", isClosed);
    this.element.dataset["term"] = isClosed ? "closed" : termOf(this.#spot);
    this.element.classList.toggle(
      "mine",
      bets.some(({ seat }) => seat === this.#at.seat),
    );
    const won = bets.find(({ outcome }) => outcome)?.outcome ?? "";
    this.element.dataset["outcome"] = won;
    if (JSON.stringify(bets) !== JSON.stringify(this.#bets)) this.#showChips(bets);
    this.#bets = bets;
    const name = this.#at.caller.name("spot", spot);
    const label = [
      kind === "black" || colour === null ? name : say("board.colour", { name }),
      say(loss ? "board.pays_and_costs" : "board.pays", { gain, loss }),
      isClosed && say("board.closed"),
      ...bets.map(({ seat, token }) =>
        say("board.taken", { player: this.#at.players[seat]!, token }),
      ),
    ];
    this.#label.textContent = label.filter(Boolean).join(", ");
  }

  /** Show the chips; a new one comes from its seat, and an old one goes back there. */
  #showChips(bets: Bet[]): void {
    const chips = bets.map(({ token, bonus, seat }) => chip({ value: token, bonus }, this.#at, seat));
    const before = this.#bets;
    const gone = [...this.#tokens.children].map((drawn, nth) => ({ drawn, from: drawn.getBoundingClientRect(), ...before![nth]! }));
    this.#tokens.replaceChildren(...chips);
    if (!before) return;
    for (const { drawn, from, bet, seat } of gone)
      if (!bets.some((one) => one.bet === bet)) fly(drawn, from, placeOfSeat(seat));
    for (const [nth, { bet, seat }] of bets.entries())
      if (!before.some((one) => one.bet === bet)) travel(chips[nth]!, placeOfSeat(seat));
  }
}

/** A horse at the foot of its row of the board, where there is no room for the track. */
function smallRun({ book }: AtTable, about: AtTable["book"]["horses"][number]): { element: HTMLElement; show(position: number): void } {
  const { finish, red_line } = book.track;
  const runner = svg("svg", { viewBox: "0 0 64 42", "aria-hidden": "true" }, horse(about.colour, about.horse));
  const state = h("span", { class: "unseen" });
  const element = h("div", { class: "small-run", "data-term": "horse" }, runner, state);
  element.style.setProperty("--finish", String(finish));
  element.style.setProperty("--red-line", String(red_line));
  return {
    element,
    show(position): void {
      element.style.setProperty("--at", String(position));
      element.classList.toggle("crossed", position >= red_line);
      state.textContent = `${inWords(about.name)}, ${say("track.at", { position, finish })}`;
    },
  };
}

/** The kinds of bets above their columns. */
function headings({ book, caller }: AtTable): HTMLElement[] {
  const row = book.horses[0]!.horse;
  return ["show", "place", "win"].map((kind) => {
    const columns = book.spots.filter((spot) => spot.kind === kind && spot.horse === row);
    const xs = columns.map(({ spot }) => book.layout.spots[spot]!.x);
    const element = h("div", { class: `heading heading-${kind}` }, term(kind, caller.name("kind", kind)));
    element.style.gridArea = `1 / ${Math.min(...xs) + 1} / span 1 / span ${columns.length}`;
    return element;
  });
}

function placed<E extends HTMLElement>(
  element: E,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  above: number,
): E {
  element.style.gridArea = `${y - above + 1} / ${x + 1} / span ${height} / span ${width}`;
  return element;
}

/** Arrow keys go to the nearest spot in their direction; Tab leaves the board. */
function moveFocus(board: HTMLElement, event: KeyboardEvent): void {
  const direction = ARROWS[event.key];
  const from = document.activeElement;
  if (!direction || !(from instanceof HTMLElement) || !from.matches(".spot")) return;
  event.preventDefault();
  const [dx, dy] = direction;
  const start = middle(from);
  let nearest: HTMLElement | undefined;
  let least = Infinity;
  for (const spot of board.querySelectorAll<HTMLElement>(".spot")) {
    const { x, y } = middle(spot);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (ahead > 4 && ahead + 3 * aside < least) {
      least = ahead + 3 * aside;
      nearest = spot;
    }
  }
  if (!nearest) return;
  board.querySelector(".spot[tabindex='0']")?.setAttribute("tabindex", "-1");
  nearest.setAttribute("tabindex", "0");
  nearest.focus();
}

function middle(element: HTMLElement): { x: number; y: number } {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
