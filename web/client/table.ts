/** The page of a game, to play or to watch. It draws Ready Set Bet, and any other game as lists. */
import type { Client, GameTypes, Table } from "railbird-client";
import type { GameInFull } from "railbird-client/models";
import type { Game as ReadySetBet } from "railbird-client/games/ready_set_bet";
import { Caller, type Book } from "./calls.ts";
import { h } from "./dom.ts";
import { follow } from "./follow.ts";
import { attempt, explain, showPage, tell } from "./frame.ts";
import type { GamePage } from "./game_page.ts";
import { genericPage, type AnyGame } from "./generic.ts";
import type { Book as ReadySetBetBook } from "./ready_set_bet/game.ts";
import { readySetBetPage } from "./ready_set_bet/page.ts";
import { signIn } from "./session.ts";
import { playAgainstBots } from "./tables.ts";
import { inWords, say } from "./words.ts";

const id = location.pathname.split("/")[2]!;
const connection = h("p", { class: "connection", role: "status" }, say("connecting"));
void main();

async function main(): Promise<void> {
  showPage(say("connecting"), connection);
  try {
    const client = await signIn();
    const game = await client.getGame(id);
    const [rules, book] = await Promise.all([client.listRules(), client.getBook(game.slug)]);
    const about = rules.find(({ slug }) => slug === game.slug)!;
    const again = (): void => void attempt(() => playAgainstBots(client, about));
    if (game.slug === "ready_set_bet") {
      const table = client.table<ReadySetBet>(id);
      const at = atTable(game, book as Book);
      await show(
        client,
        about.title,
        table,
        readySetBetPage({ ...at, book: book as ReadySetBetBook }, table, again),
      );
    } else {
      const table = client.table<AnyGame>(id);
      await show(
        client,
        about.title,
        table,
        genericPage(game, table, atTable(game, book as Book).caller),
      );
    }
  } catch (error) {
    tell(explain(error), "bad");
    connection.textContent = explain(error);
  }
}

function atTable({ seats, your_seat }: GameInFull, book: Book) {
  const players = [...seats]
    .sort((one, other) => one.number - other.number)
    .map(({ name }) => name);
  return { caller: new Caller(book, players), players, seat: your_seat };
}

async function show<G extends GameTypes>(
  client: Client,
  title: { en: string; fr: string },
  table: Table<G>,
  page: GamePage<G>,
): Promise<void> {
  showPage(inWords(title), h("h1", { class: "unseen" }, inWords(title)), connection, page.element);
  const showConnection = (isConnected: boolean): void => {
    connection.textContent = isConnected ? "" : say("reconnecting");
  };
  showConnection(true);
  await follow(client, id, table, {
    onView: page.showView,
    onCommit: page.showCommit,
    onConnection: showConnection,
  });
}
