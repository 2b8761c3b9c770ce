// A race with Apollo Client, which asks for `__typename` everywhere: node play.ts URL
// Bets are sent while a subscription follows the game.

import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { createClient } from "graphql-ws";

const url = `${process.argv[2]}/graphql/`;

function clientWith(token: string) {
  return new ApolloClient({
    cache: new InMemoryCache(),
    defaultOptions: { query: { fetchPolicy: "no-cache" } },
    link: new HttpLink({ uri: url, headers: token ? { Authorization: `Bearer ${token}` } : {} }),
  });
}

let apollo = clientWith("");

async function mutate(mutation: ReturnType<typeof gql>, variables: object): Promise<any> {
  return Object.values((await apollo.mutate<any>({ mutation, variables })).data)[0];
}

async function ask(query: ReturnType<typeof gql>, variables: object): Promise<any> {
  return Object.values((await apollo.query<any>({ query, variables })).data)[0];
}

const guest = gql`mutation { createGuest { ... on NewToken { token } ... on Problem { code } } }`;
const { token } = await mutate(guest, {});
apollo = clientWith(token);
const create = gql`mutation ($options: GameOptionsInput!) {
  createLobby(slug: "ready_set_bet", options: $options) { ... on Lobby { id } ... on Problem { code } }
}`;
const options = { readySetBet: { races: 1, rollMs: 50, pauseMs: 0 } };
const lobby = (await mutate(create, { options })).id;
const addBot = gql`mutation ($lobby: UUID!) {
  addBot(lobby: $lobby) { ... on Lobby { id capacity } ... on Problem { code } }
}`;
await mutate(addBot, { lobby });
const start = gql`mutation ($lobby: UUID!) {
  startGame(lobby: $lobby) { ... on Start { id } ... on Problem { code } }
}`;
const game = (await mutate(start, { lobby })).id;

const legal = gql`query ($game: UUID!) {
  game(id: $game) { id legal(limit: 200) { commands { ... on ReadySetBetPlaceBet { spot token } } } }
}`;
const bet = gql`mutation ($game: UUID!, $id: UUID!, $spot: String!, $token: Integer!) {
  play(game: $game, id: $id, command: { readySetBet: { placeBet: { spot: $spot, token: $token } } }) {
    ... on Committed { version }
    ... on Problem { code }
  }
}`;
const follow = gql`subscription ($game: UUID!) {
  gameCommits(game: $game, after: 0) { version events { ... on BetPlaced { seat spot } } }
}`;
const sockets = createClient({ url: url.replace("http", "ws"), connectionParams: { token } });
const following = new ApolloClient({ cache: new InMemoryCache(), link: new GraphQLWsLink(sockets) });

let accepted = 0;
let commits = 0;
let betting = Promise.resolve();

async function tryToBet() {
  const found = (await ask(legal, { game })).legal?.commands ?? [];
  const one = found.find((each: any) => each.__typename === "ReadySetBetPlaceBet");
  if (one === undefined) return;
  const variables = { game, id: crypto.randomUUID(), spot: one.spot, token: one.token };
  accepted += Number((await mutate(bet, variables)).__typename === "Committed");
}

await new Promise<void>((resolve, reject) => {
  following.subscribe<any>({ query: follow, variables: { game } }).subscribe({
    next({ data, error }) {
      if (error) reject(error);
      commits += data.gameCommits.length;
      betting = betting.then(tryToBet);
    },
    error: reject,
    complete: resolve,
  });
});
await betting;
sockets.dispose();
const view = gql`query ($game: UUID!) { game(id: $game) { id view { version } } }`;
const { version } = (await ask(view, { game })).view;
console.log(JSON.stringify({ accepted, version, commits }));
