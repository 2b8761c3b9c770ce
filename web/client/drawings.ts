/** Which drawing shows which game; any other game is shown as lists. */
import type { Client } from "railbird-client";
import type { GameInFull, Rules } from "railbird-client/models";
import { Caller, type Book } from "./calls.ts";
import { loaded } from "./connection.ts";
import { attempt } from "./frame.ts";
import type { AnyGame, GamePage, Setting } from "./game_page.ts";
import { genericPage } from "./generic.ts";
import { isNewPress } from "./presses.ts";
import { nameInWords } from "./words.ts";

type Drawing = (setting: Setting) => GamePage<AnyGame>;

/** Each drawing is a file of its own, loaded when it is needed. */
const DRAWINGS: Record<string, () => Promise<unknown>> = {
  ascot: async () => (await import("./ascot/page.ts")).ascotPage,
  carcassonne: async () => (await import("./carcassonne/page.ts")).carcassonnePage,
  quitte_ou_double: async () => (await import("./quitte_ou_double/page.ts")).quitteOuDoublePage,
  ready_set_bet: async () => (await import("./ready_set_bet/page.ts")).readySetBetPage,
  set_dice: async () => (await import("./set_dice/page.ts")).setDicePage,
};

/** A game, its rules and its book. */
export interface Shown {
  game: GameInFull;
  rules: Rules | undefined;
  book: Book;
  drawing: Drawing;
}

export async function load(client: Client, id: string): Promise<Shown> {
  const game = await client.getGame(id);
  const [rules, book, drawing] = await Promise.all([
    client.listRules(),
    client.getBook(game.slug),
    loaded(DRAWINGS[game.slug] ?? (async () => genericPage)),
  ]);
  return {
    game,
    rules: rules.find(({ slug }) => slug === game.slug),
    book: book as Book,
    drawing: drawing as Drawing,
  };
}

/** Draw a game. `actions` are what its user can do. */
export function draw(
  { game, book, drawing }: Shown,
  actions: Pick<Setting, "play" | "legal" | "again">,
): GamePage<AnyGame> {
  const players = [...game.seats]
    .sort((one, other) => one.number - other.number)
    .map(({ name }) => nameInWords(name));
  const caller = new Caller(book, players);
  const unanswered = new Set<string>();
  return drawing({
    ...actions,
    book,
    caller,
    players,
    seat: game.your_seat,
    async play(command): Promise<void> {
      const sent = JSON.stringify(command);
      if (!isNewPress() || unanswered.has(sent)) return;
      unanswered.add(sent);
      await attempt(() => actions.play(command), book.refusals).finally(() =>
        unanswered.delete(sent),
      );
    },
  });
}
