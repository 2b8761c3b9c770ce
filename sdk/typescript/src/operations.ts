// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.

import { part } from "./http.ts";
import type * as models from "./models.ts";
import type { Shape } from "./shapes.ts";

/** The query and the body of a request. */
export interface Asked {
  query?: object;
  body?: unknown;
}

/** Every operation of the API. */
export abstract class Operations {
  protected abstract call<T>(
    method: string,
    path: string,
    shape: Shape | undefined,
    asked?: Asked,
  ): Promise<T>;

  /** List your ledger accounts, oldest first. */
  async listAccounts(query: { cursor?: string; limit?: number; unit?: string; key?: string } = {}): Promise<models.PageAccount> {
    return this.call("GET", `/api/v1/accounts/`, "PageAccount", { query });
  }

  /** Get the balance of one of your accounts at a moment, by default now. */
  async getBalance(account: number, query: { at?: string } = {}): Promise<models.Balance> {
    return this.call("GET", `/api/v1/accounts/${part(account)}/balance/`, "Balance", { query });
  }

  /** List the actions of operators and their reasons, newest first. */
  async listOperatorActions(query: { cursor?: string; limit?: number; operator?: string; action?: "annotate" | "archive_month" | "close_lobby" | "edit" | "list_games" | "list_lobbies" | "mute" | "restore_history" | "restore_log" | "retitle_lobby" | "search" | "suspend" | "unmute" | "void_bet" | "void_game" | "watch"; game?: string; lobby?: string; asked_after?: string; asked_before?: string } = {}): Promise<models.PageOperatorAction> {
    return this.call("GET", `/api/v1/admin/actions/`, "PageOperatorAction", { query });
  }

  /** List everybody's games, newest first. The request is logged. */
  async listAllGames(query: { cursor?: string; limit?: number; slug?: string; status?: "finished" | "running" | "voided"; visibility?: "invite" | "public" | "unlisted"; user?: string; is_stalled?: boolean; started_after?: string; started_before?: string } = {}): Promise<models.PageGame> {
    return this.call("GET", `/api/v1/admin/games/`, "PageGame", { query });
  }

  /** Void one bet, open or settled, during or after its game. Its transfers are reversed. */
  async voidBet(game: string, number: number, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/games/${part(game)}/bets/${part(number)}/void/`, undefined, { body });
  }

  /** List the commits of any game after a version, as a spectator may read them. The request and its reason are logged. */
  async watchCommits(game: string, query: { after?: number; limit?: number; reason?: string } = {}): Promise<models.Commits> {
    return this.call("GET", `/api/v1/admin/games/${part(game)}/commits/`, "Commits", { query });
  }

  /** Add a note to the log of a game, even of one that has ended. */
  async annotateGame(game: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/games/${part(game)}/notes/`, undefined, { body });
  }

  /** Get a spectator's view of any game. The request and its reason are logged. */
  async watchGame(game: string, query: { reason?: string } = {}): Promise<models.ViewAtVersion> {
    return this.call("GET", `/api/v1/admin/games/${part(game)}/view/`, "ViewAtVersion", { query });
  }

  /** Void a game, even one that has ended: open bets are voided and buy-ins returned. */
  async voidGame(game: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/games/${part(game)}/void/`, undefined, { body });
  }

  /** List everybody's lobbies, newest first, without invite codes. The request is logged. */
  async listAllLobbies(query: { cursor?: string; limit?: number; slug?: string; status?: "closed" | "open" | "started" | "starting"; free_seats_min?: number; buy_in_min?: number; buy_in_max?: number; admits_bot_users?: boolean; text?: string; visibility?: "invite" | "public" | "unlisted"; host?: string; user?: string } = {}): Promise<models.PageLobby> {
    return this.call("GET", `/api/v1/admin/lobbies/`, "PageLobby", { query });
  }

  /** Close a lobby that has not started. Everybody leaves and gets the buy-in back. */
  async closeLobbyAsOperator(lobby: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/lobbies/${part(lobby)}/close/`, undefined, { body });
  }

  /** Change the title of a lobby, even of one that has ended. */
  async retitleLobbyAsOperator(lobby: string, body: models.NewTitle): Promise<void> {
    return this.call("POST", `/api/v1/admin/lobbies/${part(lobby)}/title/`, undefined, { body });
  }

  /** Mute a user in a lobby, its host included, until an operator lifts it. */
  async muteAsOperator(lobby: string, user: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/lobbies/${part(lobby)}/users/${part(user)}/mute/`, undefined, { body });
  }

  /** Unmute a user in a lobby, even one whom its host muted. */
  async unmuteAsOperator(lobby: string, user: string, body: models.Why): Promise<void> {
    return this.call("POST", `/api/v1/admin/lobbies/${part(lobby)}/users/${part(user)}/unmute/`, undefined, { body });
  }

  /** Suspend a user until a time, or end the suspension. Staff cannot be suspended. */
  async suspendUser(user: string, body: models.Suspension): Promise<void> {
    return this.call("POST", `/api/v1/admin/users/${part(user)}/suspend/`, undefined, { body });
  }

  /** List the months of games whose histories are archived, oldest first. */
  async listArchivedMonths(): Promise<models.ArchivedMonth[]> {
    return this.call("GET", `/api/v1/audit/archive/`, ["ArchivedMonth"]);
  }

  /** List everybody's bets in all games, newest first (auditors only). */
  async listAllBets(query: { game?: string; slug?: string; seat?: number; spot?: string; spot_prefix?: string; outcome?: "lost" | "open" | "void" | "won"; stake_min?: number; stake_max?: number; placed_after?: string; placed_before?: string; user?: string; cursor?: string; limit?: number } = {}): Promise<models.PageBet> {
    return this.call("GET", `/api/v1/audit/bets/`, "PageBet", { query });
  }

  /** Get the newest signed checkpoint of the public log and the keys that sign it. */
  async getCheckpoint(query: { since?: number } = {}): Promise<models.Checkpoint> {
    return this.call("GET", `/api/v1/audit/checkpoint/`, "Checkpoint", { query });
  }

  /** Get the proof that the current user sat in a seat of a game. */
  async getSeatProof(game: string): Promise<models.SeatProof> {
    return this.call("GET", `/api/v1/audit/games/${part(game)}/seat/`, "SeatProof");
  }

  /** List what joins the starts of games that the current user took part in, up to a thousand. */
  async listLinks(query: { after?: number } = {}): Promise<models.PersonLink[]> {
    return this.call("GET", `/api/v1/audit/links/`, ["PersonLink"], { query });
  }

  /** List the witnesses of the public log, and when each of them cosigned it last. */
  async listWitnesses(): Promise<models.LogWitness[]> {
    return this.call("GET", `/api/v1/audit/witnesses/`, ["LogWitness"]);
  }

  /** List the apps that you registered, newest first. */
  async listApps(): Promise<models.App[]> {
    return this.call("GET", `/api/v1/auth/apps/`, ["App"]);
  }

  /** Register an app, which may then request access to users by OAuth 2.0. */
  async registerApp(body: models.NewApp): Promise<models.App> {
    return this.call("POST", `/api/v1/auth/apps/`, "App", { body });
  }

  /** Remove an app that you registered. All access granted to it ends, and its open sockets close at once. */
  async removeApp(client_id: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/apps/${part(client_id)}/`, undefined);
  }

  /** List your bot users, newest first. */
  async listBotUsers(): Promise<models.BotUser[]> {
    return this.call("GET", `/api/v1/auth/bots/`, ["BotUser"]);
  }

  /** Create a user for a program, with a name of its own and marked as a bot. */
  async createBotUser(body: models.BotName): Promise<models.BotUser> {
    return this.call("POST", `/api/v1/auth/bots/`, "BotUser", { body });
  }

  /** Rename one of your bot users. */
  async renameBotUser(bot: string, body: models.BotName): Promise<models.BotUser> {
    return this.call("PUT", `/api/v1/auth/bots/${part(bot)}/`, "BotUser", { body });
  }

  /** Delete one of your bot users. Its tokens end, and its open sockets close at once. */
  async deleteBotUser(bot: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/bots/${part(bot)}/`, undefined);
  }

  /** List the valid tokens of one of your bot users, newest first. */
  async listBotTokens(bot: string): Promise<models.Token[]> {
    return this.call("GET", `/api/v1/auth/bots/${part(bot)}/tokens/`, ["Token"]);
  }

  /** Create a token with which a program signs in as one of your bot users. */
  async createBotToken(bot: string, body: models.BotToken): Promise<models.NewPersonalToken> {
    return this.call("POST", `/api/v1/auth/bots/${part(bot)}/tokens/`, "NewPersonalToken", { body });
  }

  /** Revoke a token of one of your bot users. Its open sockets close at once. */
  async revokeBotToken(bot: string, token: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/bots/${part(bot)}/tokens/${part(token)}/`, undefined);
  }

  /** Create a code with which your guest moves to another device. It is valid for five minutes. */
  async createDeviceCode(): Promise<models.DeviceCode> {
    return this.call("POST", `/api/v1/auth/device/`, "DeviceCode");
  }

  /** Sign in with a code of another device, whose session ends when you first use the new one. The code is used up then. */
  async changeDevice(body: models.DeviceCode): Promise<models.NewToken> {
    return this.call("POST", `/api/v1/auth/device/confirm/`, "NewToken", { body });
  }

  /** Send a code to your e-mail address, which counts once the code is confirmed. */
  async askForAddressCode(body: models.NewAddress): Promise<void> {
    return this.call("POST", `/api/v1/auth/email/`, undefined, { body });
  }

  /** Confirm your e-mail address with the code sent to it. It can then reset a lost password. */
  async confirmAddress(body: models.AddressCode): Promise<void> {
    return this.call("POST", `/api/v1/auth/email/confirm/`, undefined, { body });
  }

  /** Erase your name, address, password, tokens and bot users. */
  async eraseUser(body?: models.ProofOfUser): Promise<void> {
    return this.call("POST", `/api/v1/auth/erase/`, undefined, { body });
  }

  /** Create a guest and sign in. */
  async createGuest(body?: models.NewGuest): Promise<models.NewToken> {
    return this.call("POST", `/api/v1/auth/guest/`, "NewToken", { body });
  }

  /** Register the current guest, who keeps seats, bets and tokens. The wallet opens with a grant. */
  async registerGuest(body: models.Registration): Promise<models.CurrentUser> {
    return this.call("POST", `/api/v1/auth/guest/register/`, "CurrentUser", { body });
  }

  /** Get the current user. */
  async me(): Promise<models.CurrentUser> {
    return this.call("GET", `/api/v1/auth/me/`, "CurrentUser");
  }

  /** Change the password. All other tokens end, those of your bot users too. */
  async changePassword(body: models.NewPassword): Promise<void> {
    return this.call("POST", `/api/v1/auth/password/`, undefined, { body });
  }

  /** Send a code to your present e-mail address. */
  async askForProofCode(): Promise<void> {
    return this.call("POST", `/api/v1/auth/proof/`, undefined);
  }

  /** Register a user with a username and a password. The wallet opens with a grant. */
  async register(body: models.Registration): Promise<models.NewToken> {
    return this.call("POST", `/api/v1/auth/register/`, "NewToken", { body });
  }

  /** Send a reset code to each user with this confirmed address. The response is the same if there is none. */
  async askForResetCode(body: models.NewAddress): Promise<void> {
    return this.call("POST", `/api/v1/auth/reset/`, undefined, { body });
  }

  /** Reset the password with the code from the e-mail. All tokens end; a code works once. */
  async resetPassword(body: models.ResetCode): Promise<void> {
    return this.call("POST", `/api/v1/auth/reset/confirm/`, undefined, { body });
  }

  /** Undo a change of password, address or second factor, or an erasure, with the code that was mailed to the previous address. */
  async restoreUser(body: models.WayBack): Promise<void> {
    return this.call("POST", `/api/v1/auth/restore/`, undefined, { body });
  }

  /** Revoke the token of this request, whatever its scopes. Its open sockets close at once. */
  async revokeToken(): Promise<void> {
    return this.call("POST", `/api/v1/auth/revoke/`, undefined);
  }

  /** Revoke all your tokens and those of your bot users, and close all their sockets. */
  async revokeAllTokens(): Promise<void> {
    return this.call("POST", `/api/v1/auth/revoke_all/`, undefined);
  }

  /** Prove the second factor for this session. */
  async proveSecondFactor(body: models.FactorCode): Promise<void> {
    return this.call("POST", `/api/v1/auth/second-factor/`, undefined, { body });
  }

  /** Confirm that your authenticator app has the secret. Signing in takes its codes from then on. */
  async addSecondFactor(body: models.NewFactor): Promise<models.RecoveryCodes> {
    return this.call("POST", `/api/v1/auth/second-factor/add/`, "RecoveryCodes", { body });
  }

  /** Remove your second factor, with a code of it or your password. Staff need the code. */
  async removeSecondFactor(body?: models.ProofOfUser): Promise<void> {
    return this.call("POST", `/api/v1/auth/second-factor/remove/`, undefined, { body });
  }

  /** Create a secret for your authenticator app, which replaces an unconfirmed one. */
  async createFactorSecret(): Promise<models.FactorSecret> {
    return this.call("POST", `/api/v1/auth/second-factor/secret/`, "FactorSecret");
  }

  /** Sign in with a username and a password, and the second factor if the user has one. */
  async signIn(body: models.Credentials): Promise<models.NewToken> {
    return this.call("POST", `/api/v1/auth/token/`, "NewToken", { body });
  }

  /** List your valid tokens, newest first, then the access granted to apps. */
  async listTokens(): Promise<models.Token[]> {
    return this.call("GET", `/api/v1/auth/tokens/`, ["Token"]);
  }

  /** Create a personal token for a program, with some of your scopes. */
  async createToken(body: models.PersonalToken): Promise<models.NewPersonalToken> {
    return this.call("POST", `/api/v1/auth/tokens/`, "NewPersonalToken", { body });
  }

  /** Revoke one of your tokens, or an app's access. Its open sockets close at once. */
  async revokeOneToken(token: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/tokens/${part(token)}/`, undefined);
  }

  /** List your vacations that have not ended, the next first. */
  async listVacations(): Promise<models.Vacation[]> {
    return this.call("GET", `/api/v1/auth/vacations/`, ["Vacation"]);
  }

  /** Announce a vacation: up to 30 days in a calendar year (UTC). */
  async announceVacation(body: models.NewVacation): Promise<models.Vacation> {
    return this.call("POST", `/api/v1/auth/vacations/`, "Vacation", { body });
  }

  /** Cancel a vacation, or end it now. Games that it paused keep the time that they show. */
  async endVacation(vacation: string): Promise<void> {
    return this.call("DELETE", `/api/v1/auth/vacations/${part(vacation)}/`, undefined);
  }

  /** List your bets in all games, newest first. */
  async listBets(query: { game?: string; slug?: string; seat?: number; spot?: string; spot_prefix?: string; outcome?: "lost" | "open" | "void" | "won"; stake_min?: number; stake_max?: number; placed_after?: string; placed_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageBet> {
    return this.call("GET", `/api/v1/bets/`, "PageBet", { query });
  }

  /** List games of public lobbies and your own games, newest first. */
  async listGames(query: { cursor?: string; limit?: number; slug?: string; status?: "finished" | "running" | "voided"; mine?: boolean; awaits?: "me" } = {}): Promise<models.PageGame> {
    return this.call("GET", `/api/v1/games/`, "PageGame", { query });
  }

  /** Get one game, with its result once it has ended. */
  async getGame(game: string): Promise<models.GameInFull> {
    return this.call("GET", `/api/v1/games/${part(game)}/`, "GameInFull");
  }

  /** Agree to void a slow game. It is voided, with refunds, once all players agree who have not left it. */
  async agreeToVoid(game: string): Promise<void> {
    return this.call("PUT", `/api/v1/games/${part(game)}/agreement/`, undefined);
  }

  /** Agree no longer to void a slow game. */
  async withdrawAgreement(game: string): Promise<void> {
    return this.call("DELETE", `/api/v1/games/${part(game)}/agreement/`, undefined);
  }

  /** List all bets of a game in the order in which they were placed. */
  async listBetsInGame(game: string, query: { slug?: string; seat?: number; spot?: string; spot_prefix?: string; outcome?: "lost" | "open" | "void" | "won"; stake_min?: number; stake_max?: number; placed_after?: string; placed_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageBet> {
    return this.call("GET", `/api/v1/games/${part(game)}/bets/`, "PageBet", { query });
  }

  /** Send a command for your seat. An accepted command is committed; a refused one changed nothing. */
  async play(game: string, body: models.NewCommand): Promise<models.Committed> {
    return this.call("POST", `/api/v1/games/${part(game)}/commands/`, "Committed", { body });
  }

  /** List the commits after a version, oldest first, with the events that you may read. */
  async listCommits(game: string, query: { after?: number; limit?: number } = {}): Promise<models.Commits> {
    return this.call("GET", `/api/v1/games/${part(game)}/commits/`, "Commits", { query });
  }

  /** Get the genesis of a game: its terms, its seats, and the entropy that players added. */
  async getGenesis(game: string): Promise<models.Genesis> {
    return this.call("GET", `/api/v1/games/${part(game)}/genesis/`, "Genesis");
  }

  /** List the commands that your seat may send now, or a sample of them. */
  async listLegalCommands(game: string, query: { limit?: number } = {}): Promise<models.LegalCommands> {
    return this.call("GET", `/api/v1/games/${part(game)}/legal/`, "LegalCommands", { query });
  }

  /** List the purses of a game with their balances after a version, by default now. */
  async listPurses(game: string, query: { version?: number } = {}): Promise<models.Balance[]> {
    return this.call("GET", `/api/v1/games/${part(game)}/purses/`, ["Balance"], { query });
  }

  /** Resign: a bot plays your seat to the end, and your share of the buy-ins is that of the last rank. Resigning again changes nothing. */
  async resign(game: string): Promise<void> {
    return this.call("POST", `/api/v1/games/${part(game)}/resign/`, undefined);
  }

  /** List the transfers of a game by version and position. */
  async listTransfersInGame(game: string, query: { cause?: string; reason?: string; amount_min?: number; amount_max?: number; posted_after?: string; posted_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageTransfer> {
    return this.call("GET", `/api/v1/games/${part(game)}/transfers/`, "PageTransfer", { query });
  }

  /** Get what your seat, or a spectator, sees now, or saw at a version. */
  async getView(game: string, query: { version?: number } = {}): Promise<models.ViewAtVersion> {
    return this.call("GET", `/api/v1/games/${part(game)}/view/`, "ViewAtVersion", { query });
  }

  /** List what your seat, or a spectator, saw at up to 100 versions, oldest first. */
  async listViews(game: string, query: { from?: number; to?: number } = {}): Promise<models.Views> {
    return this.call("GET", `/api/v1/games/${part(game)}/views/`, "Views", { query });
  }

  /** Report that this process responds and need not be restarted. */
  async live(): Promise<models.Alive> {
    return this.call("GET", `/api/v1/health/live/`, "Alive");
  }

  /** Report that the database responds and accepts writes, that no loop of this process is stuck, and that requests may be sent here: the process is not about to end. */
  async ready(): Promise<models.Health> {
    return this.call("GET", `/api/v1/health/ready/`, "Health");
  }

  /** List public lobbies and your own, newest first. */
  async listLobbies(query: { cursor?: string; limit?: number; slug?: string; status?: "closed" | "open" | "started" | "starting"; free_seats_min?: number; buy_in_min?: number; buy_in_max?: number; admits_bot_users?: boolean; text?: string; mine?: boolean } = {}): Promise<models.PageLobby> {
    return this.call("GET", `/api/v1/lobbies/`, "PageLobby", { query });
  }

  /** Create a lobby and take its first seat. From now on the hash of the game's seed is public. */
  async createLobby(body: models.NewLobby): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/`, "Lobby", { body });
  }

  /** Get one lobby. */
  async getLobby(lobby: string): Promise<models.Lobby> {
    return this.call("GET", `/api/v1/lobbies/${part(lobby)}/`, "Lobby");
  }

  /** List the users that you banned from this lobby (host only). */
  async listBans(lobby: string): Promise<models.BannedUser[]> {
    return this.call("GET", `/api/v1/lobbies/${part(lobby)}/bans/`, ["BannedUser"]);
  }

  /** Ban a user from this lobby, whether or not they sit in it (host only). The buy-in is returned. During the game, hosts can ban spectators, who then see nothing more of it. */
  async ban(lobby: string, user: string): Promise<void> {
    return this.call("PUT", `/api/v1/lobbies/${part(lobby)}/bans/${part(user)}/`, undefined);
  }

  /** Lift a ban (host only). */
  async unban(lobby: string, user: string): Promise<void> {
    return this.call("DELETE", `/api/v1/lobbies/${part(lobby)}/bans/${part(user)}/`, undefined);
  }

  /** Add a bot to a free seat (host only). */
  async addBot(lobby: string): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/bots/`, "Lobby");
  }

  /** Give your seat this colour: a place in `seat_colours` of the game's book. A bot that has it gets yours. */
  async takeColour(lobby: string, colour: number): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${part(lobby)}/colours/${part(colour)}/`, "Lobby");
  }

  /** Commit to entropy, which nobody knows before the start. */
  async commit(lobby: string, body: models.NewCommitment): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${part(lobby)}/commitment/`, "Lobby", { body });
  }

  /** Get the log entry with all seats and commitments of a start, with its proof. */
  async getCommitments(lobby: string, query: { since?: number } = {}): Promise<models.Commitments> {
    return this.call("GET", `/api/v1/lobbies/${part(lobby)}/commitments/`, "Commitments", { query });
  }

  /** List lobby events and chat messages after a version, oldest first. */
  async listLobbyEvents(lobby: string, query: { after?: number; limit?: number } = {}): Promise<models.LobbyEvents> {
    return this.call("GET", `/api/v1/lobbies/${part(lobby)}/events/`, "LobbyEvents", { query });
  }

  /** Make another player of this lobby its host (host only). */
  async handOver(lobby: string, body: models.NewHost): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${part(lobby)}/host/`, "Lobby", { body });
  }

  /** Take the first free seat of a lobby that is not by invitation, and pay its buy-in. Joining again changes nothing. */
  async joinLobby(lobby: string, body?: models.SitDown): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/join/`, "Lobby", { body });
  }

  /** Leave a lobby and get the buy-in back. When the host leaves, another player becomes the host; the lobby closes with its last player. */
  async leaveLobby(lobby: string): Promise<void> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/leave/`, undefined);
  }

  /** Send a chat message to all who can see the lobby, or to your team. Spectators may if `spectators` is `chat`. */
  async sendMessage(lobby: string, body: models.NewMessage): Promise<models.LobbyEvent> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/messages/`, "LobbyEvent", { body });
  }

  /** List the users who are muted in this lobby (host only). */
  async listMutes(lobby: string): Promise<models.MutedUser[]> {
    return this.call("GET", `/api/v1/lobbies/${part(lobby)}/mutes/`, ["MutedUser"]);
  }

  /** Mute a user in this lobby: before, during and after its game (host only). */
  async mute(lobby: string, user: string): Promise<void> {
    return this.call("PUT", `/api/v1/lobbies/${part(lobby)}/mutes/${part(user)}/`, undefined);
  }

  /** Unmute a user in this lobby (host only). An operator's mute is lifted by an operator. */
  async unmute(lobby: string, user: string): Promise<void> {
    return this.call("DELETE", `/api/v1/lobbies/${part(lobby)}/mutes/${part(user)}/`, undefined);
  }

  /** Set whether you are ready to start. */
  async setReady(lobby: string, body: models.Readiness): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${part(lobby)}/ready/`, "Lobby", { body });
  }

  /** Play again with the same table, after the game has ended. */
  async rematch(lobby: string, body?: models.SitDown): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/rematch/`, "Lobby", { body });
  }

  /** Reveal your entropy, once the log has all commitments. `your_reveal` of the response is the signed receipt of it. */
  async reveal(lobby: string, body: models.NewReveal): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/reveal/`, "Lobby", { body });
  }

  /** Move to this seat, which must be free. */
  async takeSeat(lobby: string, number: number): Promise<models.Lobby> {
    return this.call("PUT", `/api/v1/lobbies/${part(lobby)}/seats/${part(number)}/`, "Lobby");
  }

  /** Remove a bot or a player from a seat (host only). The buy-in is returned. */
  async removeSeat(lobby: string, number: number): Promise<void> {
    return this.call("DELETE", `/api/v1/lobbies/${part(lobby)}/seats/${part(number)}/`, undefined);
  }

  /** Swap two seats (host only). One of them may be empty. */
  async swapSeats(lobby: string, body: models.Swap): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/seats/swap/`, "Lobby", { body });
  }

  /** Start the game of this lobby (host only). */
  async startGame(lobby: string): Promise<models.Start> {
    return this.call("POST", `/api/v1/lobbies/${part(lobby)}/start/`, "Start");
  }

  /** Take the first free seat of the lobby with this invite code. */
  async joinByCode(body: models.Invitation): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/join/`, "Lobby", { body });
  }

  /** Join a public lobby of this game with these options, or create one that starts when it is full. */
  async quickMatch(body: models.WantedTable): Promise<models.Lobby> {
    return this.call("POST", `/api/v1/lobbies/quick_match/`, "Lobby", { body });
  }

  /** List your notices after a number, oldest first. */
  async listNotices(query: { after?: number; limit?: number } = {}): Promise<models.Notices> {
    return this.call("GET", `/api/v1/notices/`, "Notices", { query });
  }

  /** List the kinds of notices, each with the channels on which you want it. */
  async listNoticeChoices(): Promise<models.NoticeChoice[]> {
    return this.call("GET", `/api/v1/notices/choices/`, ["NoticeChoice"]);
  }

  /** Choose the channels on which you want a kind of notices. */
  async chooseNotices(body: models.Wanted): Promise<models.NoticeChoice> {
    return this.call("PUT", `/api/v1/notices/choices/`, "NoticeChoice", { body });
  }

  /** List your browsers that receive notices by Web Push, newest first. */
  async listPushSubscriptions(): Promise<models.PushSubscription[]> {
    return this.call("GET", `/api/v1/notices/push/`, ["PushSubscription"]);
  }

  /** Let a browser receive your notices. An eleventh one replaces the oldest. */
  async subscribePush(body: models.NewPushSubscription): Promise<models.PushSubscription> {
    return this.call("POST", `/api/v1/notices/push/`, "PushSubscription", { body });
  }

  /** Let a browser receive nothing more. */
  async unsubscribePush(subscription: string): Promise<void> {
    return this.call("DELETE", `/api/v1/notices/push/${part(subscription)}/`, undefined);
  }

  /** Get the key with which a browser subscribes to Web Push. */
  async getPushKey(): Promise<models.PushKey> {
    return this.call("GET", `/api/v1/notices/push/key/`, "PushKey");
  }

  /** Mark your notices up to a number as read. A lower number than before changes nothing. */
  async markNoticesRead(body: models.ReadUpTo): Promise<void> {
    return this.call("PUT", `/api/v1/notices/read/`, undefined, { body });
  }

  /** List your webhooks and those of your apps, oldest first. */
  async listWebhooks(): Promise<models.Webhook[]> {
    return this.call("GET", `/api/v1/notices/webhooks/`, ["Webhook"]);
  }

  /** Create a webhook. The answer has the secret with which you verify what arrives. Then send a test: before it succeeds, the webhook is `unproved` and receives nothing else. */
  async createWebhook(body: models.NewWebhook): Promise<models.WebhookSecret> {
    return this.call("POST", `/api/v1/notices/webhooks/`, "WebhookSecret", { body });
  }

  /** Change a webhook, disable or enable it. A disabled one misses what happens meanwhile. */
  async changeWebhook(webhook: string, body: models.ChangedWebhook): Promise<models.Webhook> {
    return this.call("PUT", `/api/v1/notices/webhooks/${part(webhook)}/`, "Webhook", { body });
  }

  /** Delete a webhook and the list of its deliveries. */
  async deleteWebhook(webhook: string): Promise<void> {
    return this.call("DELETE", `/api/v1/notices/webhooks/${part(webhook)}/`, undefined);
  }

  /** List the deliveries to a webhook, newest first. Those that ended are kept for 30 days. */
  async listDeliveries(webhook: string, query: { before?: number; limit?: number } = {}): Promise<models.Delivery[]> {
    return this.call("GET", `/api/v1/notices/webhooks/${part(webhook)}/deliveries/`, ["Delivery"], { query });
  }

  /** Send the deliveries of a range to a webhook again, with the ids that they had. */
  async sendDeliveriesAgain(webhook: string, body: models.DeliveryRange): Promise<models.SentAgain> {
    return this.call("POST", `/api/v1/notices/webhooks/${part(webhook)}/deliveries/again/`, "SentAgain", { body });
  }

  /** Give a webhook another secret. For a day, deliveries have a signature of each of the two. */
  async rotateWebhookSecret(webhook: string): Promise<models.WebhookSecret> {
    return this.call("POST", `/api/v1/notices/webhooks/${part(webhook)}/secret/`, "WebhookSecret");
  }

  /** Send a test to a webhook: first with a wrong signature, which it must refuse with a status from 400 to 499, then with the right one. `list_deliveries` says how it ended. */
  async testWebhook(webhook: string): Promise<models.Delivery> {
    return this.call("POST", `/api/v1/notices/webhooks/${part(webhook)}/test/`, "Delivery");
  }

  /** List the games that can be played here. */
  async listRules(): Promise<models.Rules[]> {
    return this.call("GET", `/api/v1/rules/`, ["Rules"]);
  }

  /** Get one game with the JSON Schema of its options, commands, events, views and book. */
  async getRules(slug: string): Promise<models.RulesInFull> {
    return this.call("GET", `/api/v1/rules/${part(slug)}/`, "RulesInFull");
  }

  /** Get the book of a game: cards, boards, names, and sentences for its events in English and French. */
  async getBook(slug: string): Promise<models.GameBook> {
    return this.call("GET", `/api/v1/rules/${part(slug)}/book/`, "GameBook");
  }

  /** List the transfers to and from your accounts, newest first. */
  async listTransfers(query: { cause?: string; reason?: string; amount_min?: number; amount_max?: number; posted_after?: string; posted_before?: string; cursor?: string; limit?: number } = {}): Promise<models.PageTransfer> {
    return this.call("GET", `/api/v1/transfers/`, "PageTransfer", { query });
  }
}
