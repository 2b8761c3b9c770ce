// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.

import type * as models from "./models.ts";

/** What an operation asks for besides its path. */
export interface Asked {
  query?: object;
  body?: unknown;
}

/** Every operation of the API. */
export abstract class Operations {
  protected abstract call<T>(method: string, path: string, asked?: Asked): Promise<T>;

  /** One's own accounts, in the order in which they were opened. */
  listAccounts(query: { cursor?: string; limit?: number; unit?: string; key?: string } = {}): Promise<models.PageWallet> {
    return this.call("GET", `/api/v1/accounts/`, { query });
  }

  /** What was in one of one's own accounts at a moment; without one, what is in it now. */
  getBalance(account: number, query: { at?: string } = {}): Promise<models.Balance> {
    return this.call("GET", `/api/v1/accounts/${account}/balance/`, { query });
  }

  /** What operators asked for, and why, newest first; what came of it, the logs of the games say. */
  listOperatorActs(query: { cursor?: string; limit?: number; operator?: string; act?: "annotate" | "edit" | "list_games" | "list_lobbies" | "mute" | "unmute" | "void_bet" | "void_game" | "watch"; game?: string; lobby?: string; asked_after?: string; asked_before?: string } = {}): Promise<models.PageOperatorAct> {
    return this.call("GET", `/api/v1/admin/acts/`, { query });
  }

  /** Everybody's games, newest first. It is written down. */
  listAllGames(query: { cursor?: string; limit?: number; slug?: string; status?: "finished" | "running" | "voided"; visibility?: "invite" | "public" | "unlisted"; user?: string; is_stalled?: boolean; started_after?: string; started_before?: string } = {}): Promise<models.PageGame> {
    return this.call("GET", `/api/v1/admin/games/`, { query });
  }

  /** Call one bet off, open or settled, in a game that runs or has ended: what it moved goes back. */
  voidBet(game: string, number: number, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/games/${game}/bets/${number}/void/`, { body });
  }

  /** The commits of any game after a version, as a spectator may read them. That one looked, and why, is written down. */
  watchCommits(game: string, query: { after?: number; limit?: number; reason?: string } = {}): Promise<models.Commits> {
    return this.call("GET", `/api/v1/admin/games/${game}/commits/`, { query });
  }

  /** Add a note to the log of a game, even of one that has ended. */
  annotateGame(game: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/games/${game}/notes/`, { body });
  }

  /** What a spectator of any game sees now, were there one. That one looked, and why, is written down. */
  watchGame(game: string, query: { reason?: string } = {}): Promise<models.ViewAtHead> {
    return this.call("GET", `/api/v1/admin/games/${game}/view/`, { query });
  }

  /** Call a game off, even one that has ended: open bets are void, buy-ins go back. */
  voidGame(game: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/games/${game}/void/`, { body });
  }

  /** Everybody's lobbies, newest first, as a stranger sees public ones: without invite codes. It is written down. */
  listAllLobbies(query: { cursor?: string; limit?: number; slug?: string; status?: "closed" | "open" | "started"; free_seats_min?: number; buy_in_min?: number; buy_in_max?: number; admits_bot_accounts?: boolean; text?: string; visibility?: "invite" | "public" | "unlisted"; host?: string; user?: string } = {}): Promise<models.PageLobby> {
    return this.call("GET", `/api/v1/admin/lobbies/`, { query });
  }

  /** Let a person talk no more in a lobby, its host too, until an operator lifts it. */
  muteAsOperator(lobby: string, user: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/lobbies/${lobby}/people/${user}/mute/`, { body });
  }

  /** Let a person talk again in a lobby, whoever muted them. */
  unmuteAsOperator(lobby: string, user: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/lobbies/${lobby}/people/${user}/unmute/`, { body });
  }

  /** Everybody's bets in all games, newest first: for auditors. */
  listAllBets(query: { game?: string; slug?: string; seat?: number; spot?: string; spot_prefix?: string; outcome?: "lost" | "open" | "void" | "won"; stake_min?: number; stake_max?: number; placed_after?: string; placed_before?: string; user?: string; cursor?: string; limit?: number } = {}): Promise<models.PageBet> {
    return this.call("GET", `/api/v1/audit/bets/`, { query });
  }

  /** The newest signed head of the log, and the keys that sign it. Keep one now and then: it is what proofs start from. */
  getCheckpoint(): Promise<models.Checkpoint> {
    return this.call("GET", `/api/v1/audit/checkpoint/`);
  }

  /** A bet's place in the log as a file. While the game goes on it shows hashes; afterwards, all that decided the bet. */
  getReceipt(game: string, number: number, query: { since?: number } = {}): Promise<string> {
    return this.call("GET", `/api/v1/audit/games/${game}/bets/${number}/receipt/`, { query });
  }

  /** The apps that one registered, newest first. */
  listApps(): Promise<models.App[]> {
    return this.call("GET", `/api/v1/auth/apps/`);
  }

  /** Register an app, which may then ask people to let it act for them, by OAuth 2.0. */
  registerApp(body: models.NewApp): Promise<models.App> {
    return this.call("POST", `/api/v1/auth/apps/`, { body });
  }

  /** Forget an app that one registered. All that people lent it ends, and its open sockets are closed at once. */
  removeApp(client_id: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/apps/${client_id}/`);
  }

  /** One's bot accounts, newest first. */
  listBotAccounts(): Promise<models.BotAccount[]> {
    return this.call("GET", `/api/v1/auth/bots/`);
  }

  /** Make an account for a program, which plays under a name of its own and is marked as a bot. */
  createBotAccount(body: models.BotName): Promise<models.BotAccount> {
    return this.call("POST", `/api/v1/auth/bots/`, { body });
  }

  /** Call one of one's bot accounts otherwise. */
  renameBotAccount(bot: string, body: models.BotName): Promise<models.BotAccount> {
    return this.call("PUT", `/api/v1/auth/bots/${bot}/`, { body });
  }

  /** Delete one of one's bot accounts, for good. Its tokens end, and its open sockets are closed at once. */
  deleteBotAccount(bot: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/bots/${bot}/`);
  }

  /** The tokens of a bot account of one's own that hold, newest first. */
  listBotTokens(bot: string): Promise<models.Token[]> {
    return this.call("GET", `/api/v1/auth/bots/${bot}/tokens/`);
  }

  /** Get a token with which a program is one of one's bot accounts. */
  createBotToken(bot: string, body: models.BotToken): Promise<models.NewPersonalToken> {
    return this.call("POST", `/api/v1/auth/bots/${bot}/tokens/`, { body });
  }

  /** End a token of one of one's bot accounts. Its open sockets are closed at once. */
  revokeBotToken(bot: string, token: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/bots/${bot}/tokens/${token}/`);
  }

  /** A guest registers, and keeps seats, bets and tokens. */
  claimAccount(body: models.Registration): Promise<models.Person> {
    return this.call("POST", `/api/v1/auth/claim/`, { body });
  }

  /** Have a code mailed to one's address, which counts once the code has come back. */
  askForAddressCode(body: models.NewAddress): Promise<void> {
    return this.call("POST", `/api/v1/auth/email/`, { body });
  }

  /** Prove that one reads the address to which this code was mailed. From now on it can replace a lost password. */
  confirmAddress(body: models.AddressCode): Promise<void> {
    return this.call("POST", `/api/v1/auth/email/confirm/`, { body });
  }

  /** Have one's name, address, password, tokens and bot accounts forgotten, for good. */
  eraseAccount(body?: models.Farewell): Promise<void> {
    return this.call("POST", `/api/v1/auth/erase/`, { body });
  }

  /** Come in as a guest. */
  comeInAsGuest(body?: models.NewGuest): Promise<models.NewToken> {
    return this.call("POST", `/api/v1/auth/guest/`, { body });
  }

  /** Who one is. */
  me(): Promise<models.Person> {
    return this.call("GET", `/api/v1/auth/me/`);
  }

  /** Set another password. All tokens end but the one that asks, those of one's bot accounts too. */
  changePassword(body: models.NewPassword): Promise<void> {
    return this.call("POST", `/api/v1/auth/password/`, { body });
  }

  /** Register with a username and a password. */
  register(body: models.Registration): Promise<models.NewToken> {
    return this.call("POST", `/api/v1/auth/register/`, { body });
  }

  /** Have a code mailed to everybody who proved to read this address. The answer is the same when there is nobody. */
  askForResetCode(body: models.NewAddress): Promise<void> {
    return this.call("POST", `/api/v1/auth/reset/`, { body });
  }

  /** Set another password with the code from the mail. All tokens end; the code is good for once. */
  resetPassword(body: models.ResetCode): Promise<void> {
    return this.call("POST", `/api/v1/auth/reset/confirm/`, { body });
  }

  /** End the token that asks, whatever its scopes. Its open sockets are closed at once. */
  revokeToken(): Promise<void> {
    return this.call("POST", `/api/v1/auth/revoke/`);
  }

  /** End all of one's tokens and those of one's bot accounts, and close all their sockets. */
  revokeAllTokens(): Promise<void> {
    return this.call("POST", `/api/v1/auth/revoke_all/`);
  }

  /** Get a token for a username and a password. */
  signIn(body: models.Credentials): Promise<models.NewToken> {
    return this.call("POST", `/api/v1/auth/token/`, { body });
  }

  /** One's tokens that hold, newest first; then what one lent to apps. */
  listTokens(): Promise<models.Token[]> {
    return this.call("GET", `/api/v1/auth/tokens/`);
  }

  /** Get a personal token for a program, with some of one's own scopes. */
  createToken(body: models.PersonalToken): Promise<models.NewPersonalToken> {
    return this.call("POST", `/api/v1/auth/tokens/`, { body });
  }

  /** End one of one's tokens, or take back what an app was lent. Its open sockets are closed at once. */
  revokeOneToken(token: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/tokens/${token}/`);
  }

  /** One's own bets in all games, newest first. */
  listBets(query: { game?: string; slug?: string; seat?: number; spot?: string; spot_prefix?: string; outcome?: "lost" | "open" | "void" | "won"; stake_min?: number; stake_max?: number; placed_after?: string; placed_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageBet> {
    return this.call("GET", `/api/v1/bets/`, { query });
  }

  /** The games that one may watch, newest first: those of public lobbies and one's own. */
  listGames(query: { cursor?: string; limit?: number; slug?: string; status?: "finished" | "running" | "voided"; mine?: boolean } = {}): Promise<models.PageGame> {
    return this.call("GET", `/api/v1/games/`, { query });
  }

  /** One game, with its result once it is finished. */
  getGame(game: string): Promise<models.GameInFull> {
    return this.call("GET", `/api/v1/games/${game}/`);
  }

  /** Everybody's bets in a game, in the order in which they were placed. */
  listBetsInGame(game: string, query: { slug?: string; seat?: number; spot?: string; spot_prefix?: string; outcome?: "lost" | "open" | "void" | "won"; stake_min?: number; stake_max?: number; placed_after?: string; placed_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageBet> {
    return this.call("GET", `/api/v1/games/${game}/bets/`, { query });
  }

  /** Give a command for one's seat. What is answered is committed; what is refused changed nothing. */
  play(game: string, body: models.NewCommand): Promise<models.Commit> {
    return this.call("POST", `/api/v1/games/${game}/commands/`, { body });
  }

  /** The commits after a version, in order, with the events that one may read. */
  listCommits(game: string, query: { after?: number; limit?: number } = {}): Promise<models.Commits> {
    return this.call("GET", `/api/v1/games/${game}/commits/`, { query });
  }

  /** The commands that one's seat may give now, or some of them. */
  listLegalCommands(game: string, query: { limit?: number } = {}): Promise<models.LegalCommands> {
    return this.call("GET", `/api/v1/games/${game}/legal/`, { query });
  }

  /** What was in the purses of a game after a version; without one, what is in them now. */
  listPurses(game: string, query: { version?: number } = {}): Promise<models.Balance[]> {
    return this.call("GET", `/api/v1/games/${game}/purses/`, { query });
  }

  /** What moved between the purses of a game, in order of version and position. */
  listTransfersInGame(game: string, query: { cause?: string; reason?: string; amount_min?: number; amount_max?: number; posted_after?: string; posted_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageMoved> {
    return this.call("GET", `/api/v1/games/${game}/transfers/`, { query });
  }

  /** What one's seat, or a spectator, sees now. */
  getView(game: string): Promise<models.ViewAtHead> {
    return this.call("GET", `/api/v1/games/${game}/view/`);
  }

  /** This process answers: there is no need to restart it. */
  live(): Promise<models.Alive> {
    return this.call("GET", `/api/v1/health/live/`);
  }

  /** Database and Valkey can be reached: requests may be sent here. */
  ready(): Promise<models.Alive> {
    return this.call("GET", `/api/v1/health/ready/`);
  }

  /** The lobbies that one may see, newest first: public ones and one's own. */
  listLobbies(query: { cursor?: string; limit?: number; slug?: string; status?: "closed" | "open" | "started"; free_seats_min?: number; buy_in_min?: number; buy_in_max?: number; admits_bot_accounts?: boolean; text?: string; mine?: boolean } = {}): Promise<models.PageLobby> {
    return this.call("GET", `/api/v1/lobbies/`, { query });
  }

  /** Open a lobby and take its first seat. From here on the hash of the seed is public. */
  createLobby(body: models.NewLobby): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/`, { body });
  }

  /** One lobby. */
  getLobby(lobby: string): Promise<models.Lobby> {
    return this.call("GET", `/api/v1/lobbies/${lobby}/`);
  }

  /** Whom one has banned as the host. */
  listBans(lobby: string): Promise<models.BannedPerson[]> {
    return this.call("GET", `/api/v1/lobbies/${lobby}/bans/`);
  }

  /** Send a person away for good, as the host; or before they come. A buy-in goes back. */
  ban(lobby: string, user: string): Promise<void> {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/bans/${user}/`);
  }

  /** Let a person come again, as the host. */
  unban(lobby: string, user: string): Promise<void> {
    return this.call("DELETE", `/api/v1/lobbies/${lobby}/bans/${user}/`);
  }

  /** Sit a bot down, as the host. */
  addBot(lobby: string): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${lobby}/bots/`);
  }

  /** What happened in a room after a version of its lobby, and what was said, in order. */
  listRoomEvents(lobby: string, query: { after?: number; limit?: number } = {}): Promise<models.RoomEvents> {
    return this.call("GET", `/api/v1/lobbies/${lobby}/events/`, { query });
  }

  /** Let another person who sits here host, as the host. */
  handOver(lobby: string, body: models.Heir): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/host/`, { body });
  }

  /** Take the first free seat of a lobby that is not by invitation, and pay its buy-in. Joining again changes nothing. */
  joinLobby(lobby: string, body?: models.SitDown): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${lobby}/join/`, { body });
  }

  /** Stand up and take the buy-in back. A host who leaves hands over; the last person closes the lobby. */
  leaveLobby(lobby: string): Promise<void> {
    return this.call("POST", `/api/v1/lobbies/${lobby}/leave/`);
  }

  /** Say something to everybody who may look into the room, before the game, at it and after. Without a seat one may where `spectators` may `talk`. */
  say(lobby: string, body: models.NewLine): Promise<models.Happened> {
    return this.call("POST", `/api/v1/lobbies/${lobby}/lines/`, { body });
  }

  /** Who may not talk, for the host. */
  listMutes(lobby: string): Promise<models.MutedPerson[]> {
    return this.call("GET", `/api/v1/lobbies/${lobby}/mutes/`);
  }

  /** Let a person talk no more, before the game, at it and after, as the host. */
  mute(lobby: string, user: string): Promise<void> {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/mutes/${user}/`);
  }

  /** Let a person talk again, as the host, unless it was an operator who muted them. */
  unmute(lobby: string, user: string): Promise<void> {
    return this.call("DELETE", `/api/v1/lobbies/${lobby}/mutes/${user}/`);
  }

  /** Say whether one is ready to start. */
  setReady(lobby: string, body: models.Readiness): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/ready/`, { body });
  }

  /** Play again at the same table, when the game has ended. */
  rematch(lobby: string, body?: models.SitDown): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${lobby}/rematch/`, { body });
  }

  /** Move to this seat, which is free. */
  takeSeat(lobby: string, number: number): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${lobby}/seats/${number}/`);
  }

  /** Send a bot or a person away, as the host. A buy-in goes back. */
  removeSeat(lobby: string, number: number): Promise<void> {
    return this.call("DELETE", `/api/v1/lobbies/${lobby}/seats/${number}/`);
  }

  /** Have two seats change places, as the host. One of them may be empty. */
  swapSeats(lobby: string, body: models.Swap): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${lobby}/seats/swap/`, { body });
  }

  /** Turn the lobby into a running game, as the host. */
  startGame(lobby: string): Promise<models.Game> {
    return this.call("POST", `/api/v1/lobbies/${lobby}/start/`);
  }

  /** Take the first free seat of the lobby with this invite code. */
  joinByCode(body: models.Invitation): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/join/`, { body });
  }

  /** Sit down at a public table of this game with these options, or open one that starts when it is full. */
  quickMatch(body: models.WantedTable): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/quick_match/`, { body });
  }

  /** The games that can be played here, by slug. */
  listRules(): Promise<models.Rules[]> {
    return this.call("GET", `/api/v1/rules/`);
  }

  /** One game, with the JSON Schema of its options, commands, events, views and book. */
  getRules(slug: string): Promise<models.RulesInFull> {
    return this.call("GET", `/api/v1/rules/${slug}/`);
  }

  /** What a game prints and says: cards, boards, names, and words for events in English and French. */
  getBook(slug: string): Promise<models.GameBook> {
    return this.call("GET", `/api/v1/rules/${slug}/book/`);
  }

  /** What came to and left one's own accounts, newest first. */
  listTransfers(query: { cause?: string; reason?: string; amount_min?: number; amount_max?: number; posted_after?: string; posted_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageMoved> {
    return this.call("GET", `/api/v1/transfers/`, { query });
  }
}
