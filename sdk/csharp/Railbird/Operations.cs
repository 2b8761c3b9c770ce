// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.
using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{
    /// <summary>Every operation of the API.</summary>
    public abstract class Operations
    {
        protected abstract Task<T> Call<T>(
            string method, string path, Func<object, T> read,
            Dictionary<string, object> query = null, Value body = null);

        private static string Part(object value)
        {
            return Uri.EscapeDataString(Convert.ToString(value));
        }

        /// <summary>List your ledger accounts, oldest first.</summary>
        public Task<PageAccount> ListAccounts(string cursor = null, long? limit = null, string unit = null, string key = null)
        {
            return Call("GET", "/api/v1/accounts/", Read.PageAccount, query: new Dictionary<string, object> { { "cursor", cursor }, { "limit", limit }, { "unit", unit }, { "key", key } });
        }

        /// <summary>Get the balance of one of your accounts at a moment, by default now.</summary>
        public Task<Balance> GetBalance(long account, DateTimeOffset? at = null)
        {
            return Call("GET", "/api/v1/accounts/" + Part(account) + "/balance/", Read.Balance, query: new Dictionary<string, object> { { "at", at } });
        }

        /// <summary>List the actions of operators and their reasons, newest first.</summary>
        public Task<PageOperatorAction> ListOperatorActions(string cursor = null, long? limit = null, string @operator = null, string action = null, string game = null, string lobby = null, DateTimeOffset? askedAfter = null, DateTimeOffset? askedBefore = null)
        {
            return Call("GET", "/api/v1/admin/actions/", Read.PageOperatorAction, query: new Dictionary<string, object> { { "cursor", cursor }, { "limit", limit }, { "operator", @operator }, { "action", action }, { "game", game }, { "lobby", lobby }, { "asked_after", askedAfter }, { "asked_before", askedBefore } });
        }

        /// <summary>List everybody's games, newest first. The request is logged.</summary>
        public Task<PageGame> ListAllGames(string cursor = null, long? limit = null, string slug = null, string status = null, string visibility = null, string user = null, bool? isStalled = null, DateTimeOffset? startedAfter = null, DateTimeOffset? startedBefore = null)
        {
            return Call("GET", "/api/v1/admin/games/", Read.PageGame, query: new Dictionary<string, object> { { "cursor", cursor }, { "limit", limit }, { "slug", slug }, { "status", status }, { "visibility", visibility }, { "user", user }, { "is_stalled", isStalled }, { "started_after", startedAfter }, { "started_before", startedBefore } });
        }

        /// <summary>Void one bet, open or settled, during or after its game. Its transfers are reversed.</summary>
        public Task VoidBet(string game, long number, Why body)
        {
            return Call("POST", "/api/v1/admin/games/" + Part(game) + "/bets/" + Part(number) + "/void/", Json.Any, body: body);
        }

        /// <summary>List the commits of any game after a version, as a spectator may read them. The request and its reason are logged.</summary>
        public Task<Commits> WatchCommits(string game, long? after = null, long? limit = null, string reason = null)
        {
            return Call("GET", "/api/v1/admin/games/" + Part(game) + "/commits/", Read.Commits, query: new Dictionary<string, object> { { "after", after }, { "limit", limit }, { "reason", reason } });
        }

        /// <summary>Add a note to the log of a game, even of one that has ended.</summary>
        public Task AnnotateGame(string game, Why body)
        {
            return Call("POST", "/api/v1/admin/games/" + Part(game) + "/notes/", Json.Any, body: body);
        }

        /// <summary>Get a spectator's view of any game. The request and its reason are logged.</summary>
        public Task<ViewAtVersion> WatchGame(string game, string reason = null)
        {
            return Call("GET", "/api/v1/admin/games/" + Part(game) + "/view/", Read.ViewAtVersion, query: new Dictionary<string, object> { { "reason", reason } });
        }

        /// <summary>Void a game, even one that has ended: open bets are voided and buy-ins returned.</summary>
        public Task VoidGame(string game, Why body)
        {
            return Call("POST", "/api/v1/admin/games/" + Part(game) + "/void/", Json.Any, body: body);
        }

        /// <summary>List everybody's lobbies, newest first, without invite codes. The request is logged.</summary>
        public Task<PageLobby> ListAllLobbies(string cursor = null, long? limit = null, string slug = null, string status = null, long? freeSeatsMin = null, long? buyInMin = null, long? buyInMax = null, bool? admitsBotUsers = null, string text = null, string visibility = null, string host = null, string user = null)
        {
            return Call("GET", "/api/v1/admin/lobbies/", Read.PageLobby, query: new Dictionary<string, object> { { "cursor", cursor }, { "limit", limit }, { "slug", slug }, { "status", status }, { "free_seats_min", freeSeatsMin }, { "buy_in_min", buyInMin }, { "buy_in_max", buyInMax }, { "admits_bot_users", admitsBotUsers }, { "text", text }, { "visibility", visibility }, { "host", host }, { "user", user } });
        }

        /// <summary>Close a lobby that has not started. Everybody leaves and gets the buy-in back.</summary>
        public Task CloseLobbyAsOperator(string lobby, Why body)
        {
            return Call("POST", "/api/v1/admin/lobbies/" + Part(lobby) + "/close/", Json.Any, body: body);
        }

        /// <summary>Change the title of a lobby, even of one that has ended.</summary>
        public Task RetitleLobbyAsOperator(string lobby, NewTitle body)
        {
            return Call("POST", "/api/v1/admin/lobbies/" + Part(lobby) + "/title/", Json.Any, body: body);
        }

        /// <summary>Mute a user in a lobby, its host included, until an operator lifts it.</summary>
        public Task MuteAsOperator(string lobby, string user, Why body)
        {
            return Call("POST", "/api/v1/admin/lobbies/" + Part(lobby) + "/users/" + Part(user) + "/mute/", Json.Any, body: body);
        }

        /// <summary>Unmute a user in a lobby, even one whom its host muted.</summary>
        public Task UnmuteAsOperator(string lobby, string user, Why body)
        {
            return Call("POST", "/api/v1/admin/lobbies/" + Part(lobby) + "/users/" + Part(user) + "/unmute/", Json.Any, body: body);
        }

        /// <summary>Suspend a user until a time, or end the suspension. Staff cannot be suspended.</summary>
        public Task SuspendUser(string user, Suspension body)
        {
            return Call("POST", "/api/v1/admin/users/" + Part(user) + "/suspend/", Json.Any, body: body);
        }

        /// <summary>List the months of games whose histories are archived, oldest first.</summary>
        public Task<List<ArchivedMonth>> ListArchivedMonths()
        {
            return Call("GET", "/api/v1/audit/archive/", Json.List(Read.ArchivedMonth));
        }

        /// <summary>List everybody's bets in all games, newest first (auditors only).</summary>
        public Task<PageBet> ListAllBets(string game = null, string slug = null, long? seat = null, string spot = null, string spotPrefix = null, string outcome = null, long? stakeMin = null, long? stakeMax = null, DateTimeOffset? placedAfter = null, DateTimeOffset? placedBefore = null, string user = null, string cursor = null, long? limit = null)
        {
            return Call("GET", "/api/v1/audit/bets/", Read.PageBet, query: new Dictionary<string, object> { { "game", game }, { "slug", slug }, { "seat", seat }, { "spot", spot }, { "spot_prefix", spotPrefix }, { "outcome", outcome }, { "stake_min", stakeMin }, { "stake_max", stakeMax }, { "placed_after", placedAfter }, { "placed_before", placedBefore }, { "user", user }, { "cursor", cursor }, { "limit", limit } });
        }

        /// <summary>Get the newest signed checkpoint of the public log and the keys that sign it.</summary>
        public Task<Checkpoint> GetCheckpoint()
        {
            return Call("GET", "/api/v1/audit/checkpoint/", Read.Checkpoint);
        }

        /// <summary>Download a bet's receipt: its place in the public log.</summary>
        public Task<string> GetReceipt(string game, long number, long? since = null)
        {
            return Call("GET", "/api/v1/audit/games/" + Part(game) + "/bets/" + Part(number) + "/receipt/", Json.Text, query: new Dictionary<string, object> { { "since", since } });
        }

        /// <summary>Get the proof that the current user sat in a seat of a game.</summary>
        public Task<SeatProof> GetSeatProof(string game)
        {
            return Call("GET", "/api/v1/audit/games/" + Part(game) + "/seat/", Read.SeatProof);
        }

        /// <summary>List the witnesses of the public log, and when each of them cosigned it last.</summary>
        public Task<List<LogWitness>> ListWitnesses()
        {
            return Call("GET", "/api/v1/audit/witnesses/", Json.List(Read.LogWitness));
        }

        /// <summary>List the apps that you registered, newest first.</summary>
        public Task<List<App>> ListApps()
        {
            return Call("GET", "/api/v1/auth/apps/", Json.List(Read.App));
        }

        /// <summary>Register an app, which may then request access to users by OAuth 2.0.</summary>
        public Task<App> RegisterApp(NewApp body)
        {
            return Call("POST", "/api/v1/auth/apps/", Read.App, body: body);
        }

        /// <summary>Remove an app that you registered. All access granted to it ends, and its open sockets close at once.</summary>
        public Task RemoveApp(string clientId)
        {
            return Call("DELETE", "/api/v1/auth/apps/" + Part(clientId) + "/", Json.Any);
        }

        /// <summary>List your bot users, newest first.</summary>
        public Task<List<BotUser>> ListBotUsers()
        {
            return Call("GET", "/api/v1/auth/bots/", Json.List(Read.BotUser));
        }

        /// <summary>Create a user for a program, with a name of its own and marked as a bot.</summary>
        public Task<BotUser> CreateBotUser(BotName body)
        {
            return Call("POST", "/api/v1/auth/bots/", Read.BotUser, body: body);
        }

        /// <summary>Rename one of your bot users.</summary>
        public Task<BotUser> RenameBotUser(string bot, BotName body)
        {
            return Call("PUT", "/api/v1/auth/bots/" + Part(bot) + "/", Read.BotUser, body: body);
        }

        /// <summary>Delete one of your bot users. Its tokens end, and its open sockets close at once.</summary>
        public Task DeleteBotUser(string bot)
        {
            return Call("DELETE", "/api/v1/auth/bots/" + Part(bot) + "/", Json.Any);
        }

        /// <summary>List the valid tokens of one of your bot users, newest first.</summary>
        public Task<List<Token>> ListBotTokens(string bot)
        {
            return Call("GET", "/api/v1/auth/bots/" + Part(bot) + "/tokens/", Json.List(Read.Token));
        }

        /// <summary>Create a token with which a program signs in as one of your bot users.</summary>
        public Task<NewPersonalToken> CreateBotToken(string bot, BotToken body)
        {
            return Call("POST", "/api/v1/auth/bots/" + Part(bot) + "/tokens/", Read.NewPersonalToken, body: body);
        }

        /// <summary>Revoke a token of one of your bot users. Its open sockets close at once.</summary>
        public Task RevokeBotToken(string bot, string token)
        {
            return Call("DELETE", "/api/v1/auth/bots/" + Part(bot) + "/tokens/" + Part(token) + "/", Json.Any);
        }

        /// <summary>Send a code to your e-mail address, which counts once the code is confirmed.</summary>
        public Task AskForAddressCode(NewAddress body)
        {
            return Call("POST", "/api/v1/auth/email/", Json.Any, body: body);
        }

        /// <summary>Confirm your e-mail address with the code sent to it. It can then reset a lost password.</summary>
        public Task ConfirmAddress(AddressCode body)
        {
            return Call("POST", "/api/v1/auth/email/confirm/", Json.Any, body: body);
        }

        /// <summary>Erase your name, address, password, tokens and bot users. This cannot be undone.</summary>
        public Task EraseUser(Erasure body = null)
        {
            return Call("POST", "/api/v1/auth/erase/", Json.Any, body: body);
        }

        /// <summary>Create a guest and sign in.</summary>
        public Task<NewToken> CreateGuest(NewGuest body = null)
        {
            return Call("POST", "/api/v1/auth/guest/", Read.NewToken, body: body);
        }

        /// <summary>Register the current guest, who keeps seats, bets and tokens. The wallet opens with a grant.</summary>
        public Task<CurrentUser> RegisterGuest(Registration body)
        {
            return Call("POST", "/api/v1/auth/guest/register/", Read.CurrentUser, body: body);
        }

        /// <summary>Get the current user.</summary>
        public Task<CurrentUser> Me()
        {
            return Call("GET", "/api/v1/auth/me/", Read.CurrentUser);
        }

        /// <summary>Change the password. All other tokens end, those of your bot users too.</summary>
        public Task ChangePassword(NewPassword body)
        {
            return Call("POST", "/api/v1/auth/password/", Json.Any, body: body);
        }

        /// <summary>Register a user with a username and a password. The wallet opens with a grant.</summary>
        public Task<NewToken> Register(Registration body)
        {
            return Call("POST", "/api/v1/auth/register/", Read.NewToken, body: body);
        }

        /// <summary>Send a reset code to each user with this confirmed address. The response is the same if there is none.</summary>
        public Task AskForResetCode(NewAddress body)
        {
            return Call("POST", "/api/v1/auth/reset/", Json.Any, body: body);
        }

        /// <summary>Reset the password with the code from the e-mail. All tokens end; a code works once.</summary>
        public Task ResetPassword(ResetCode body)
        {
            return Call("POST", "/api/v1/auth/reset/confirm/", Json.Any, body: body);
        }

        /// <summary>Revoke the token of this request, whatever its scopes. Its open sockets close at once.</summary>
        public Task RevokeToken()
        {
            return Call("POST", "/api/v1/auth/revoke/", Json.Any);
        }

        /// <summary>Revoke all your tokens and those of your bot users, and close all their sockets.</summary>
        public Task RevokeAllTokens()
        {
            return Call("POST", "/api/v1/auth/revoke_all/", Json.Any);
        }

        /// <summary>Prove the second factor for this session (staff only).</summary>
        public Task ProveSecondFactor(FactorCode body)
        {
            return Call("POST", "/api/v1/auth/second-factor/", Json.Any, body: body);
        }

        /// <summary>Sign in with a username and a password.</summary>
        public Task<NewToken> SignIn(Credentials body)
        {
            return Call("POST", "/api/v1/auth/token/", Read.NewToken, body: body);
        }

        /// <summary>List your valid tokens, newest first, then the access granted to apps.</summary>
        public Task<List<Token>> ListTokens()
        {
            return Call("GET", "/api/v1/auth/tokens/", Json.List(Read.Token));
        }

        /// <summary>Create a personal token for a program, with some of your scopes.</summary>
        public Task<NewPersonalToken> CreateToken(PersonalToken body)
        {
            return Call("POST", "/api/v1/auth/tokens/", Read.NewPersonalToken, body: body);
        }

        /// <summary>Revoke one of your tokens, or an app's access. Its open sockets close at once.</summary>
        public Task RevokeOneToken(string token)
        {
            return Call("DELETE", "/api/v1/auth/tokens/" + Part(token) + "/", Json.Any);
        }

        /// <summary>List your bets in all games, newest first.</summary>
        public Task<PageBet> ListBets(string game = null, string slug = null, long? seat = null, string spot = null, string spotPrefix = null, string outcome = null, long? stakeMin = null, long? stakeMax = null, DateTimeOffset? placedAfter = null, DateTimeOffset? placedBefore = null, string cursor = null, long? limit = null)
        {
            return Call("GET", "/api/v1/bets/", Read.PageBet, query: new Dictionary<string, object> { { "game", game }, { "slug", slug }, { "seat", seat }, { "spot", spot }, { "spot_prefix", spotPrefix }, { "outcome", outcome }, { "stake_min", stakeMin }, { "stake_max", stakeMax }, { "placed_after", placedAfter }, { "placed_before", placedBefore }, { "cursor", cursor }, { "limit", limit } });
        }

        /// <summary>List games of public lobbies and your own games, newest first.</summary>
        public Task<PageGame> ListGames(string cursor = null, long? limit = null, string slug = null, string status = null, bool? mine = null)
        {
            return Call("GET", "/api/v1/games/", Read.PageGame, query: new Dictionary<string, object> { { "cursor", cursor }, { "limit", limit }, { "slug", slug }, { "status", status }, { "mine", mine } });
        }

        /// <summary>Get one game, with its result once it has ended.</summary>
        public Task<GameInFull> GetGame(string game)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/", Read.GameInFull);
        }

        /// <summary>List all bets of a game in the order in which they were placed.</summary>
        public Task<PageBet> ListBetsInGame(string game, string slug = null, long? seat = null, string spot = null, string spotPrefix = null, string outcome = null, long? stakeMin = null, long? stakeMax = null, DateTimeOffset? placedAfter = null, DateTimeOffset? placedBefore = null, string cursor = null, long? limit = null)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/bets/", Read.PageBet, query: new Dictionary<string, object> { { "slug", slug }, { "seat", seat }, { "spot", spot }, { "spot_prefix", spotPrefix }, { "outcome", outcome }, { "stake_min", stakeMin }, { "stake_max", stakeMax }, { "placed_after", placedAfter }, { "placed_before", placedBefore }, { "cursor", cursor }, { "limit", limit } });
        }

        /// <summary>Send a command for your seat. An accepted command is committed; a refused one changed nothing.</summary>
        public Task<Committed> Play(string game, NewCommand body)
        {
            return Call("POST", "/api/v1/games/" + Part(game) + "/commands/", Read.Committed, body: body);
        }

        /// <summary>List the commits after a version, oldest first, with the events that you may read.</summary>
        public Task<Commits> ListCommits(string game, long? after = null, long? limit = null)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/commits/", Read.Commits, query: new Dictionary<string, object> { { "after", after }, { "limit", limit } });
        }

        /// <summary>Get the genesis of a game: its terms, its seats, and the entropy that players added.</summary>
        public Task<Genesis> GetGenesis(string game)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/genesis/", Read.Genesis);
        }

        /// <summary>List the commands that your seat may send now, or a sample of them.</summary>
        public Task<LegalCommands> ListLegalCommands(string game, long? limit = null)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/legal/", Read.LegalCommands, query: new Dictionary<string, object> { { "limit", limit } });
        }

        /// <summary>List the purses of a game with their balances after a version, by default now.</summary>
        public Task<List<Balance>> ListPurses(string game, long? version = null)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/purses/", Json.List(Read.Balance), query: new Dictionary<string, object> { { "version", version } });
        }

        /// <summary>List the transfers of a game by version and position.</summary>
        public Task<PageTransfer> ListTransfersInGame(string game, string cause = null, string reason = null, long? amountMin = null, long? amountMax = null, DateTimeOffset? postedAfter = null, DateTimeOffset? postedBefore = null, string cursor = null, long? limit = null)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/transfers/", Read.PageTransfer, query: new Dictionary<string, object> { { "cause", cause }, { "reason", reason }, { "amount_min", amountMin }, { "amount_max", amountMax }, { "posted_after", postedAfter }, { "posted_before", postedBefore }, { "cursor", cursor }, { "limit", limit } });
        }

        /// <summary>Get what your seat, or a spectator, sees now, or saw at a version.</summary>
        public Task<ViewAtVersion> GetView(string game, long? version = null)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/view/", Read.ViewAtVersion, query: new Dictionary<string, object> { { "version", version } });
        }

        /// <summary>List what your seat, or a spectator, saw at up to 100 versions, oldest first.</summary>
        public Task<Views> ListViews(string game, long? from = null, long? to = null)
        {
            return Call("GET", "/api/v1/games/" + Part(game) + "/views/", Read.Views, query: new Dictionary<string, object> { { "from", from }, { "to", to } });
        }

        /// <summary>Report that this process responds and need not be restarted.</summary>
        public Task<Alive> Live()
        {
            return Call("GET", "/api/v1/health/live/", Read.Alive);
        }

        /// <summary>Report that the database responds, that no loop of this process is stuck, and that requests may be sent here: the process is not about to end.</summary>
        public Task<Health> Ready()
        {
            return Call("GET", "/api/v1/health/ready/", Read.Health);
        }

        /// <summary>List public lobbies and your own, newest first.</summary>
        public Task<PageLobby> ListLobbies(string cursor = null, long? limit = null, string slug = null, string status = null, long? freeSeatsMin = null, long? buyInMin = null, long? buyInMax = null, bool? admitsBotUsers = null, string text = null, bool? mine = null)
        {
            return Call("GET", "/api/v1/lobbies/", Read.PageLobby, query: new Dictionary<string, object> { { "cursor", cursor }, { "limit", limit }, { "slug", slug }, { "status", status }, { "free_seats_min", freeSeatsMin }, { "buy_in_min", buyInMin }, { "buy_in_max", buyInMax }, { "admits_bot_users", admitsBotUsers }, { "text", text }, { "mine", mine } });
        }

        /// <summary>Create a lobby and take its first seat. From now on the hash of the game's seed is public.</summary>
        public Task<Lobby> CreateLobby(NewLobby body)
        {
            return Call("POST", "/api/v1/lobbies/", Read.Lobby, body: body);
        }

        /// <summary>Get one lobby.</summary>
        public Task<Lobby> GetLobby(string lobby)
        {
            return Call("GET", "/api/v1/lobbies/" + Part(lobby) + "/", Read.Lobby);
        }

        /// <summary>List the users that you banned from this lobby (host only).</summary>
        public Task<List<BannedUser>> ListBans(string lobby)
        {
            return Call("GET", "/api/v1/lobbies/" + Part(lobby) + "/bans/", Json.List(Read.BannedUser));
        }

        /// <summary>Ban a user from this lobby, whether or not they sit in it (host only). The buy-in is returned.</summary>
        public Task Ban(string lobby, string user)
        {
            return Call("PUT", "/api/v1/lobbies/" + Part(lobby) + "/bans/" + Part(user) + "/", Json.Any);
        }

        /// <summary>Lift a ban (host only).</summary>
        public Task Unban(string lobby, string user)
        {
            return Call("DELETE", "/api/v1/lobbies/" + Part(lobby) + "/bans/" + Part(user) + "/", Json.Any);
        }

        /// <summary>Add a bot to a free seat (host only).</summary>
        public Task<Lobby> AddBot(string lobby)
        {
            return Call("POST", "/api/v1/lobbies/" + Part(lobby) + "/bots/", Read.Lobby);
        }

        /// <summary>Commit to entropy, which nobody knows before the start.</summary>
        public Task<Lobby> Commit(string lobby, NewCommitment body)
        {
            return Call("PUT", "/api/v1/lobbies/" + Part(lobby) + "/commitment/", Read.Lobby, body: body);
        }

        /// <summary>List lobby events and chat messages after a version, oldest first.</summary>
        public Task<LobbyEvents> ListLobbyEvents(string lobby, long? after = null, long? limit = null)
        {
            return Call("GET", "/api/v1/lobbies/" + Part(lobby) + "/events/", Read.LobbyEvents, query: new Dictionary<string, object> { { "after", after }, { "limit", limit } });
        }

        /// <summary>Make another player of this lobby its host (host only).</summary>
        public Task<Lobby> HandOver(string lobby, NewHost body)
        {
            return Call("PUT", "/api/v1/lobbies/" + Part(lobby) + "/host/", Read.Lobby, body: body);
        }

        /// <summary>Take the first free seat of a lobby that is not by invitation, and pay its buy-in. Joining again changes nothing.</summary>
        public Task<Lobby> JoinLobby(string lobby, SitDown body = null)
        {
            return Call("POST", "/api/v1/lobbies/" + Part(lobby) + "/join/", Read.Lobby, body: body);
        }

        /// <summary>Leave a lobby and get the buy-in back. When the host leaves, another player becomes the host; the lobby closes with its last player.</summary>
        public Task LeaveLobby(string lobby)
        {
            return Call("POST", "/api/v1/lobbies/" + Part(lobby) + "/leave/", Json.Any);
        }

        /// <summary>Send a chat message to all who can see the lobby. Spectators may if `spectators` is `chat`.</summary>
        public Task<LobbyEvent> SendMessage(string lobby, NewMessage body)
        {
            return Call("POST", "/api/v1/lobbies/" + Part(lobby) + "/messages/", Read.LobbyEvent, body: body);
        }

        /// <summary>List the users who are muted in this lobby (host only).</summary>
        public Task<List<MutedUser>> ListMutes(string lobby)
        {
            return Call("GET", "/api/v1/lobbies/" + Part(lobby) + "/mutes/", Json.List(Read.MutedUser));
        }

        /// <summary>Mute a user in this lobby: before, during and after its game (host only).</summary>
        public Task Mute(string lobby, string user)
        {
            return Call("PUT", "/api/v1/lobbies/" + Part(lobby) + "/mutes/" + Part(user) + "/", Json.Any);
        }

        /// <summary>Unmute a user in this lobby (host only). An operator's mute is lifted by an operator.</summary>
        public Task Unmute(string lobby, string user)
        {
            return Call("DELETE", "/api/v1/lobbies/" + Part(lobby) + "/mutes/" + Part(user) + "/", Json.Any);
        }

        /// <summary>Set whether you are ready to start. `your_reveal` of the response is the signed receipt of the entropy that you revealed.</summary>
        public Task<Lobby> SetReady(string lobby, Readiness body)
        {
            return Call("PUT", "/api/v1/lobbies/" + Part(lobby) + "/ready/", Read.Lobby, body: body);
        }

        /// <summary>Play again with the same table, after the game has ended.</summary>
        public Task<Lobby> Rematch(string lobby, SitDown body = null)
        {
            return Call("POST", "/api/v1/lobbies/" + Part(lobby) + "/rematch/", Read.Lobby, body: body);
        }

        /// <summary>Move to this seat, which must be free.</summary>
        public Task<Lobby> TakeSeat(string lobby, long number)
        {
            return Call("PUT", "/api/v1/lobbies/" + Part(lobby) + "/seats/" + Part(number) + "/", Read.Lobby);
        }

        /// <summary>Remove a bot or a player from a seat (host only). The buy-in is returned.</summary>
        public Task RemoveSeat(string lobby, long number)
        {
            return Call("DELETE", "/api/v1/lobbies/" + Part(lobby) + "/seats/" + Part(number) + "/", Json.Any);
        }

        /// <summary>Swap two seats (host only). One of them may be empty.</summary>
        public Task<Lobby> SwapSeats(string lobby, Swap body)
        {
            return Call("POST", "/api/v1/lobbies/" + Part(lobby) + "/seats/swap/", Read.Lobby, body: body);
        }

        /// <summary>Start the game of this lobby (host only).</summary>
        public Task<Game> StartGame(string lobby, GameStart body = null)
        {
            return Call("POST", "/api/v1/lobbies/" + Part(lobby) + "/start/", Read.Game, body: body);
        }

        /// <summary>Take the first free seat of the lobby with this invite code.</summary>
        public Task<Lobby> JoinByCode(Invitation body)
        {
            return Call("POST", "/api/v1/lobbies/join/", Read.Lobby, body: body);
        }

        /// <summary>Join a public lobby of this game with these options, or create one that starts when it is full.</summary>
        public Task<Lobby> QuickMatch(WantedTable body)
        {
            return Call("POST", "/api/v1/lobbies/quick_match/", Read.Lobby, body: body);
        }

        /// <summary>List the games that can be played here.</summary>
        public Task<List<Rules>> ListRules()
        {
            return Call("GET", "/api/v1/rules/", Json.List(Read.Rules));
        }

        /// <summary>Get one game with the JSON Schema of its options, commands, events, views and book.</summary>
        public Task<RulesInFull> GetRules(string slug)
        {
            return Call("GET", "/api/v1/rules/" + Part(slug) + "/", Read.RulesInFull);
        }

        /// <summary>Get the book of a game: cards, boards, names, and sentences for its events in English and French.</summary>
        public Task<object> GetBook(string slug)
        {
            return Call("GET", "/api/v1/rules/" + Part(slug) + "/book/", Json.Any);
        }

        /// <summary>List the transfers to and from your accounts, newest first.</summary>
        public Task<PageTransfer> ListTransfers(string cause = null, string reason = null, long? amountMin = null, long? amountMax = null, DateTimeOffset? postedAfter = null, DateTimeOffset? postedBefore = null, string cursor = null, long? limit = null)
        {
            return Call("GET", "/api/v1/transfers/", Read.PageTransfer, query: new Dictionary<string, object> { { "cause", cause }, { "reason", reason }, { "amount_min", amountMin }, { "amount_max", amountMax }, { "posted_after", postedAfter }, { "posted_before", postedBefore }, { "cursor", cursor }, { "limit", limit } });
        }
    }
}
