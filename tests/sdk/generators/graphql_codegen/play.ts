// A race with documents of graphql-codegen: node play.ts URL

import { setTimeout } from "node:timers/promises";
import { graphql } from "./race/gql.js";
import type { TypedDocumentString } from "./race/graphql.js";

const Guest = graphql(`
  mutation Guest {
    createGuest { __typename ... on NewToken { token } ... on Problem { code } }
  }
`);
const Create = graphql(`
  mutation Create($options: GameOptionsInput!) {
    createLobby(slug: "ready_set_bet", options: $options) { __typename ... on Lobby { id } ... on Problem { code } }
  }
`);
const AddBot = graphql(`
  mutation AddBot($lobby: UUID!) {
    addBot(lobby: $lobby) { __typename ... on Problem { code } }
  }
`);
const Start = graphql(`
  mutation Start($lobby: UUID!) {
    startGame(lobby: $lobby) { __typename ... on Start { id } ... on Problem { code } }
  }
`);
const Bet = graphql(`
  mutation Bet($game: UUID!, $id: UUID!, $command: GameCommandInput!) {
    play(game: $game, id: $id, command: $command) { __typename ... on Committed { version } ... on Problem { code } }
  }
`);
const Race = graphql(`
  query Race($game: UUID!) {
    game(id: $game) {
      ended
      view { version }
      legal(limit: 200) { commands { __typename ... on ReadySetBetPlaceBet { spot token } } }
      commits(first: 100) { edges { node { version } } }
    }
  }
`);

let token = "";

async function ask<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (token !== "") headers.Authorization = `Bearer ${token}`;
  const body = JSON.stringify({ query: document, variables });
  const answer = await fetch(`${process.argv[2]}/graphql/`, { method: "POST", headers, body });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** The answer, if it is of this type, and otherwise an error. */
function found<Answer extends { __typename?: string }, Name extends Answer["__typename"]>(
  answer: Answer,
  name: Name,
): Extract<Answer, { __typename?: Name }> {
  if (answer.__typename !== name) throw new Error(JSON.stringify(answer));
  return answer as Extract<Answer, { __typename?: Name }>;
}

token = found((await ask(Guest, {})).createGuest, "NewToken").token;
const options = { readySetBet: { races: 1, rollMs: 50, pauseMs: 0 } };
const lobby = found((await ask(Create, { options })).createLobby, "Lobby").id;
await ask(AddBot, { lobby });
const game = found((await ask(Start, { lobby })).startGame, "Start").id;

let accepted = 0;
let race = (await ask(Race, { game })).game!;
for (; race.ended === null; race = (await ask(Race, { game })).game!) {
  const bet = race.legal!.commands.find((each) => each.__typename === "ReadySetBetPlaceBet");
  if (bet !== undefined) {
    const command = { readySetBet: { placeBet: { spot: bet.spot, token: bet.token } } };
    const { play } = await ask(Bet, { game, id: crypto.randomUUID(), command });
    accepted += Number(play.__typename === "Committed");
  }
  await setTimeout(100);
}
console.log(JSON.stringify({ accepted, version: race.view!.version, commits: race.commits!.edges.length }));
