// Generated from schema/openapi.yaml and schema/asyncapi.yaml by `python -m sdk.generate`: do not edit.
using System;
using System.Collections.Generic;

namespace Railbird.Models
{
    public interface ILobbyEventEvent
    {
    }

    public interface IFromGame
    {
    }

    public interface IFromLobby
    {
    }

    public interface IFromLobbies
    {
    }

    /// <summary>A value of a kind that this client does not know.</summary>
    public sealed class Unknown : ILobbyEventEvent, IFromGame, IFromLobby, IFromLobbies
    {
        public string Type;
        public Dictionary<string, object> Fields;
    }

    /// <summary>
    /// A command was committed: its version, its hash in hex, and its events as this seat may read
    /// them. `acknowledgement` is a signed note that says so, null unless the command asked for it.
    /// </summary>
    public sealed class Accepted : IFromGame
    {
        public const string Type = "accepted";
        public string Id;
        public long Version;
        public string Hash;
        public List<object> Events;
        public string Acknowledgement;
    }

    /// <summary>
    /// Seats or commitments changed after the first reveal: players commit again. The log knows the
    /// next attempt by this name.
    /// </summary>
    public sealed class AttemptAbandoned : ILobbyEventEvent
    {
        public const string Type = "attempt_abandoned";
        public string LogName;
    }

    /// <summary>The first frame of a client that cannot set headers.</summary>
    public sealed class Authenticate : Value
    {
        public const string Type = "authenticate";
        public string Token;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["token"] = Token;
            return json;
        }
    }

    /// <summary>A user was banned from the lobby.</summary>
    public sealed class Banned : ILobbyEventEvent
    {
        public const string Type = "banned";
        public string User;
    }

    /// <summary>
    /// Lobbies that changed, in their current state, and those that you may no longer see (`gone`).
    /// Some are sent twice.
    /// </summary>
    public sealed class ChangesFrame : IFromLobbies
    {
        public const string Type = "changes";
        public long Cursor;
        public List<Lobby> Lobbies;
        public List<string> Gone;
    }

    /// <summary>
    /// An accepted command, or a commit by the server: its events as you may read them, and its hash
    /// in hex. `next_at` is when the clock acts next after it, null if it awaits nothing.
    /// </summary>
    public sealed class Commit
    {
        public long Version;
        public DateTimeOffset At;
        public DateTimeOffset? NextAt;
        public string Hash;
        public List<object> Events;
    }

    /// <summary>Commits in order, as they happen or to catch up. `now` is the server's time.</summary>
    public sealed class CommitsFrame : IFromGame
    {
        public const string Type = "commits";
        public List<Commit> Commits;
        public DateTimeOffset Now;
    }

    /// <summary>A seat committed to entropy; the commitment is in hex.</summary>
    public sealed class EntropyCommitted : ILobbyEventEvent
    {
        public const string Type = "entropy_committed";
        public long Seat;
        public string Commitment;
    }

    /// <summary>A malformed frame, or the reason why the server closes the connection.</summary>
    public sealed class Error : IFromGame, IFromLobby, IFromLobbies
    {
        public const string Type = "error";
        /// <summary>One of "malformed", "authenticated_already", "unauthenticated", "scope_missing", "not_found", "version_ahead", "text_frames_only", "restarting", "too_slow", "too_many_frames", "too_many_sockets", "rules_missing", "seed_key_missing", "game_stalled", "busy", "unavailable".</summary>
        public string Code;
        public Dictionary<string, object> Data;
    }

    /// <summary>The connection is alive, and every change before this cursor was sent.</summary>
    public sealed class FeedHeartbeat : IFromLobbies
    {
        public const string Type = "heartbeat";
        public long Cursor;
    }

    /// <summary>The game started. Seats are numbered as the game numbers them.</summary>
    public sealed class GameStarted : ILobbyEventEvent
    {
        public const string Type = "game_started";
        public string Game;
    }

    /// <summary>
    /// The connection is alive, and the game is at this version. `ended` is empty while the game
    /// runs. `next_at` is when the clock acts next, null if it awaits nothing; `now` is the server's
    /// time.
    /// </summary>
    public sealed class HeartbeatFrame : IFromGame
    {
        public const string Type = "heartbeat";
        public long Version;
        /// <summary>One of "", "finished", "voided".</summary>
        public string Ended;
        public DateTimeOffset? NextAt;
        public DateTimeOffset Now;
    }

    /// <summary>Another user became the host.</summary>
    public sealed class HostChanged : ILobbyEventEvent
    {
        public const string Type = "host_changed";
        public string User;
    }

    /// <summary>
    /// Commands that your seat may send at a version; `is_complete` if there are no others. A
    /// spectator may send none.
    /// </summary>
    public sealed class LegalCommandsFrame : IFromGame
    {
        public const string Type = "legal_commands";
        public long Version;
        public List<object> Commands;
        public bool IsComplete;
    }

    /// <summary>Request up to `limit` commands that your seat may send now.</summary>
    public sealed class ListLegalCommands : Value
    {
        public const string Type = "list_legal_commands";
        public long? Limit;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            if (Limit != null) json["limit"] = Limit;
            return json;
        }
    }

    /// <summary>
    /// All open lobbies that you may see, newest first, replacing earlier ones. The last frame of
    /// the list is `complete`.
    /// </summary>
    public sealed class Lobbies : IFromLobbies
    {
        public const string Type = "lobbies";
        public long Cursor;
        public List<Lobby> LobbiesValue;
        public bool Complete;
    }

    /// <summary>
    /// A lobby. `your_seat` is where you sit. Only players and the host receive the invite code.
    /// `version` counts the lobby's events. `teams` lists the seats that would play together if the
    /// game started now. `held` lists the seats reserved until `held_until`. `rematch` is the lobby of
    /// the next game at this table.
    ///
    /// `seed_hash` commits the server to the luck of the game; `seed` is published a second or two
    /// after the end of the game, or when it can no longer start. `opening` is what the public log says
    /// of the game to come. A lobby that is `starting` waits until `starts_by` for players to reveal
    /// their entropy; `your_reveal` is a signed receipt of yours.
    /// </summary>
    public sealed class Lobby
    {
        public string Id;
        public long Version;
        public string Title;
        public string Slug;
        public object Options;
        public string Host;
        /// <summary>One of "public", "unlisted", "invite".</summary>
        public string Visibility;
        /// <summary>One of "none", "watch", "chat".</summary>
        public string Spectators;
        /// <summary>One of "wait", "bot", "forfeit".</summary>
        public string Absence;
        public long AbsenceS;
        public bool StartWhenFull;
        public bool AdmitsBotUsers;
        public DateTimeOffset? BotsDueAt;
        public long Capacity;
        public long BuyIn;
        public List<long> Prizes;
        /// <summary>One of "open", "starting", "started", "closed".</summary>
        public string Status;
        public DateTimeOffset? StartsBy;
        public List<Seat> Seats;
        public List<ReservedSeat> Held;
        public DateTimeOffset? HeldUntil;
        public List<List<long>> Teams;
        public long? YourSeat;
        public string YourReveal;
        public string InviteCode;
        public string Game;
        public string Rematch;
        public Opening Opening;
        public string SeedHash;
        public string Seed;
        public DateTimeOffset CreatedAt;
    }

    /// <summary>The lobby closed without a game because its last player left.</summary>
    public sealed class LobbyClosed : ILobbyEventEvent
    {
        public const string Type = "lobby_closed";
    }

    /// <summary>A numbered event of a lobby. `name` is the current display name of its `user`, if any.</summary>
    public sealed class LobbyEvent
    {
        public long Version;
        public string At;
        public ILobbyEventEvent Event;
        public string Name;
    }

    /// <summary>
    /// New lobby events in order, and the lobby after the last of them. If the lobby's own version
    /// is higher, more events follow.
    /// </summary>
    public sealed class LobbyEventsFrame : IFromGame, IFromLobby
    {
        public const string Type = "lobby_events";
        public long Version;
        public List<LobbyEvent> Events;
        public Lobby Lobby;
    }

    /// <summary>The lobby was created; `user` hosts it.</summary>
    public sealed class LobbyOpened : ILobbyEventEvent
    {
        public const string Type = "lobby_opened";
        public string User;
    }

    /// <summary>Request the current state: the view of a game, a lobby, or the list of lobbies.</summary>
    public sealed class Look : Value
    {
        public const string Type = "look";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>A chat message was stored as this version of the lobby.</summary>
    public sealed class MessageAccepted : IFromGame, IFromLobby
    {
        public const string Type = "message_accepted";
        public string Id;
        public long Version;
    }

    /// <summary>A chat message whose text and author are no longer stored.</summary>
    public sealed class MessageErased : ILobbyEventEvent
    {
        public const string Type = "message_erased";
    }

    /// <summary>A user sent a chat message, under an id of their choice.</summary>
    public sealed class MessageSent : ILobbyEventEvent
    {
        public const string Type = "message_sent";
        public string User;
        public string Id;
        public string Text;
    }

    /// <summary>A user was muted in this lobby.</summary>
    public sealed class Muted : ILobbyEventEvent
    {
        public const string Type = "muted";
        public string User;
    }

    /// <summary>
    /// The entry of the public log that was made when the lobby opened, and that binds its game.
    ///
    /// The log knows the game by `name` only. `entry` is in hex, at `index` of the log, which is null
    /// for a second or two; `hash` is that of its leaf, which commitments cover. The entry covers the
    /// `salt`, the id of the `game` to come, the version and edition of its rules, its options as
    /// `options_text`, and the seed hash. `abandoned` is the hash of the entry that ended the attempt
    /// before, if there was one.
    /// </summary>
    public sealed class Opening
    {
        public string Name;
        public string Hash;
        public string Entry;
        public long? Index;
        public string Salt;
        public string Game;
        public long RulesVersion;
        public string Edition;
        public string OptionsText;
        public string Abandoned;
    }

    /// <summary>
    /// Send a command. It is carried out once, however often it is sent with this id, and not after
    /// `not_after`, a time of the server's database clock: from then on the answer is final. With
    /// `acknowledge` the answer contains a signed acknowledgement.
    /// </summary>
    public sealed class Play : Value
    {
        public const string Type = "play";
        public string Id;
        public object Command;
        public DateTimeOffset? NotAfter;
        public bool? Acknowledge;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["id"] = Id;
            json["command"] = Command;
            if (NotAfter != null) json["not_after"] = NotAfter;
            if (Acknowledge != null) json["acknowledge"] = Acknowledge;
            return json;
        }
    }

    /// <summary>The presence of the lobby's players, sent first and after each change.</summary>
    public sealed class Presence : IFromGame, IFromLobby
    {
        public const string Type = "presence";
        public List<Present> People;
    }

    /// <summary>
    /// The presence of a player. If not connected, `gone_since` is when they were last seen, if
    /// ever, and `disconnect_reason` says why. A bot may play for them.
    /// </summary>
    public sealed class Present
    {
        public string User;
        public long Seat;
        public bool Connected;
        public string GoneSince;
        /// <summary>One of "closed", "left", "lost", "silent".</summary>
        public string DisconnectReason;
        public bool BotPlays;
    }

    /// <summary>A seat became ready to start, or is no longer ready.</summary>
    public sealed class ReadyChanged : ILobbyEventEvent
    {
        public const string Type = "ready_changed";
        public long Seat;
        public bool Ready;
    }

    /// <summary>
    /// A command or message was refused and nothing changed. `version` is the head of the game at
    /// which a command was refused, or null if the refusal did not depend on the game's state.
    /// </summary>
    public sealed class Refused : IFromGame, IFromLobby
    {
        public const string Type = "refused";
        public string Id;
        /// <summary>The game's own, or one of `malformed`, `not_found`, `too_many_requests`, `too_many_commands`, `internal_error`, `scope_missing`, `spectators_only_watch`, `seat_forfeited`, `command_id_reused`, `too_late`, `rules_missing`, `seed_key_missing`, `game_stalled`, `game_voided`, `busy`, `unavailable`, `outcome_unknown`, `lobby_not_open`, `banned`, `muted`</summary>
        public string Code;
        public long? Version;
        public Dictionary<string, object> Data;
    }

    /// <summary>A player created a lobby for a rematch, with seats reserved for the other players.</summary>
    public sealed class RematchOpened : ILobbyEventEvent
    {
        public const string Type = "rematch_opened";
        public string User;
        public string Lobby;
    }

    /// <summary>A free seat that is reserved for a user.</summary>
    public sealed class ReservedSeat
    {
        public long Number;
        public string User;
    }

    /// <summary>The current state of a lobby.</summary>
    public sealed class Room : IFromGame, IFromLobby
    {
        public const string Type = "room";
        public long Version;
        public Lobby Lobby;
    }

    /// <summary>The connection is alive, and the lobby is at this version.</summary>
    public sealed class RoomHeartbeat : IFromLobby
    {
        public const string Type = "heartbeat";
        public long Version;
    }

    /// <summary>
    /// A seat and its player. A bot of the server has no user; a bot user has. A player who
    /// `commits` adds entropy, which stays secret until the start; `commitment` is that to it.
    /// </summary>
    public sealed class Seat
    {
        public long Number;
        public string User;
        public string Name;
        public bool IsBot;
        public bool IsReady;
        public bool Commits;
        public string Commitment;
        public bool HasRevealed;
    }

    /// <summary>A seat became free, for this reason. Its buy-in was returned.</summary>
    public sealed class SeatLeft : ILobbyEventEvent
    {
        public const string Type = "seat_left";
        public long Seat;
        public string User;
        /// <summary>One of "banned", "kicked", "left", "timed_out".</summary>
        public string Reason;
    }

    /// <summary>A seat is no longer reserved for a user who did not return.</summary>
    public sealed class SeatReleased : ILobbyEventEvent
    {
        public const string Type = "seat_released";
        public long Seat;
        public string User;
    }

    /// <summary>A user took a seat; without a user, a bot did.</summary>
    public sealed class SeatTaken : ILobbyEventEvent
    {
        public const string Type = "seat_taken";
        public long Seat;
        public string User;
    }

    /// <summary>Two seats swapped places; one of them may have been empty.</summary>
    public sealed class SeatsSwapped : ILobbyEventEvent
    {
        public const string Type = "seats_swapped";
        public List<long> Seats;
    }

    /// <summary>Send a chat message, once, however often it is sent with this id.</summary>
    public sealed class SendMessage : Value
    {
        public const string Type = "send_message";
        public string Id;
        public string Text;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["id"] = Id;
            json["text"] = Text;
            return json;
        }
    }

    /// <summary>
    /// The game starts once all players who committed have revealed their entropy, which they have
    /// to do by this time. Without a time, the lobby waits for players again.
    /// </summary>
    public sealed class StartDue : ILobbyEventEvent
    {
        public const string Type = "start_due";
        public string By;
    }

    /// <summary>An operator changed the title of the lobby.</summary>
    public sealed class TitleChanged : ILobbyEventEvent
    {
        public const string Type = "title_changed";
        public string Title;
    }

    /// <summary>A ban was lifted.</summary>
    public sealed class Unbanned : ILobbyEventEvent
    {
        public const string Type = "unbanned";
        public string User;
    }

    /// <summary>A user was unmuted in this lobby.</summary>
    public sealed class Unmuted : ILobbyEventEvent
    {
        public const string Type = "unmuted";
        public string User;
    }

    /// <summary>
    /// The view of your seat, or of a spectator (no seat), at a version. `ended` is empty while the
    /// game runs. `next_at` is when the clock acts next, null if it awaits nothing; `now` is the
    /// server's time.
    /// </summary>
    public sealed class View : IFromGame
    {
        public const string Type = "view";
        public string Game;
        public long Version;
        public long? Seat;
        /// <summary>One of "", "finished", "voided".</summary>
        public string Ended;
        public DateTimeOffset? NextAt;
        public DateTimeOffset Now;
        public object ViewValue;
    }

    /// <summary>One of your ledger accounts.</summary>
    public sealed class Account
    {
        public long Id;
        public string Key;
        public string Unit;
        public long Balance;
    }

    /// <summary>The code from the e-mail.</summary>
    public sealed class AddressCode : Value
    {
        public string Code;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["code"] = Code;
            return json;
        }
    }

    /// <summary>The process responds.</summary>
    public sealed class Alive
    {
        public string Status;
    }

    /// <summary>An app that you registered. It is identified by its `client_id` and has no secret.</summary>
    public sealed class App
    {
        public string ClientId;
        public string Name;
        public List<string> RedirectUris;
        public DateTimeOffset CreatedAt;
    }

    /// <summary>A month, such as `2026-04`, whose histories are archived: how many games, and since when.</summary>
    public sealed class ArchivedMonth
    {
        public string Month;
        public long Games;
        public DateTimeOffset ArchivedAt;
    }

    /// <summary>The balance of an account at the requested version or moment.</summary>
    public sealed class Balance
    {
        public long Account;
        public string Key;
        public string Unit;
        public long BalanceValue;
    }

    /// <summary>A user whom the host banned.</summary>
    public sealed class BannedUser
    {
        public string User;
        public string Name;
    }

    /// <summary>
    /// A bet and its outcome: the stake, the spot, the odds as shown, the commit that placed it
    /// (`version`) and the one that settled it. `payout` is what settling moved: positive to the seat,
    /// negative from it.
    ///
    /// The draws from `drawn_before` up to, not including, `drawn_until` fell between the two; they are
    /// published when the game has ended. Bets of the server's bots have no `user`.
    /// </summary>
    public sealed class Bet
    {
        public string Game;
        public string Slug;
        public long Number;
        public string User;
        public bool IsBot;
        public long Seat;
        public string Spot;
        public long Stake;
        public string Odds;
        public long Version;
        public DateTimeOffset PlacedAt;
        /// <summary>One of "lost", "open", "void", "won".</summary>
        public string Outcome;
        public long? Payout;
        public long? SettledVersion;
        public DateTimeOffset? SettledAt;
        public long? DrawnBefore;
        public long? DrawnUntil;
    }

    /// <summary>The display name of a bot user.</summary>
    public sealed class BotName : Value
    {
        public string DisplayName;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["display_name"] = DisplayName;
            return json;
        }
    }

    /// <summary>A token for a bot user: its name, scopes and lifetime.</summary>
    public sealed class BotToken : Value
    {
        public string Name;
        public List<string> Scopes;
        public long? Days;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["name"] = Name;
            json["scopes"] = Scopes;
            if (Days != null) json["days"] = Days;
            return json;
        }
    }

    /// <summary>A user that a program of yours plays under. It is marked as a bot everywhere.</summary>
    public sealed class BotUser
    {
        public string Id;
        public string DisplayName;
        public DateTimeOffset CreatedAt;
    }

    /// <summary>
    /// A signed head of the public log: the note as signed, and its contents. `root` is hex; `keys`
    /// are public.
    /// </summary>
    public sealed class Checkpoint
    {
        public string Origin;
        public long Size;
        public string Root;
        public string Note;
        public List<string> Keys;
    }

    /// <summary>
    /// Commits in order. Continue with `after` set to `next_after`; an empty list means that you are
    /// at the head. `now` is the server's time.
    /// </summary>
    public sealed class Commits
    {
        public List<Commit> CommitsValue;
        public long NextAfter;
        public DateTimeOffset Now;
    }

    /// <summary>
    /// Your command, committed. `acknowledgement` is a signed note that says so, null unless you
    /// asked for it.
    /// </summary>
    public sealed class Committed
    {
        public long Version;
        public DateTimeOffset At;
        public DateTimeOffset? NextAt;
        public string Hash;
        public List<object> Events;
        public string Acknowledgement;
    }

    /// <summary>A username and password.</summary>
    public sealed class Credentials : Value
    {
        public string Username;
        public string Password;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["username"] = Username;
            json["password"] = Password;
            return json;
        }
    }

    /// <summary>The current user. Guests and bot users have no username; a bot user names its owner.</summary>
    public sealed class CurrentUser
    {
        public string Id;
        public string Username;
        public string DisplayName;
        public bool IsGuest;
        public bool IsBot;
        public string Owner;
    }

    /// <summary>The user's password; guests have none.</summary>
    public sealed class Erasure : Value
    {
        public string Password;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Password != null) json["password"] = Password;
            return json;
        }
    }

    /// <summary>A code of the authenticator app, or a recovery code.</summary>
    public sealed class FactorCode : Value
    {
        public string Code;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["code"] = Code;
            return json;
        }
    }

    /// <summary>
    /// One playthrough. `ended` is empty while it runs; a stalled game waits for an operator to void
    /// it. `version` counts its commits. The public log knows the game
    /// by its `log_name`. `unit` is null if this server no longer has the rules.
    /// </summary>
    public sealed class Game
    {
        public string Id;
        public string Lobby;
        public string LogName;
        public string Slug;
        public long RulesVersion;
        public string Unit;
        public List<Seat> Seats;
        public long? YourSeat;
        public long Version;
        /// <summary>One of "", "finished", "voided".</summary>
        public string Ended;
        public bool IsStalled;
        public DateTimeOffset StartedAt;
        public DateTimeOffset? EndedAt;
        public string SeedHash;
        public string Seed;
    }

    /// <summary>One playthrough, with its result once it has ended.</summary>
    public sealed class GameInFull
    {
        public string Id;
        public string Lobby;
        public string LogName;
        public string Slug;
        public long RulesVersion;
        public string Unit;
        public List<Seat> Seats;
        public long? YourSeat;
        public long Version;
        /// <summary>One of "", "finished", "voided".</summary>
        public string Ended;
        public bool IsStalled;
        public DateTimeOffset StartedAt;
        public DateTimeOffset? EndedAt;
        public string SeedHash;
        public string Seed;
        public Result Result;
    }

    /// <summary>The start of a game. If you have committed to entropy, reveal it here.</summary>
    public sealed class GameStart : Value
    {
        public string Entropy;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Entropy != null) json["entropy"] = Entropy;
            return json;
        }
    }

    /// <summary>
    /// A game before its first commit: its terms, its seats, and the entropy that players added.
    ///
    /// `text` is JSON as stored, and `hash` the first of the game's history, which covers it.
    /// </summary>
    public sealed class Genesis
    {
        public string Text;
        public string Hash;
    }

    /// <summary>
    /// The state of the server. `late` names work that no worker has done in time: `clock` steps
    /// games, `sealer` writes the public log, `months` are the partitions of the next month. Late games
    /// continue when a worker is back. `diverged` counts games whose stored history is not the one that
    /// was signed: they stay stalled. Without `valkey` games continue, clients learn of commits later,
    /// and rate limits are off.
    /// </summary>
    public sealed class Health
    {
        /// <summary>One of "degraded", "ok".</summary>
        public string Status;
        public List<string> Late;
        public long Diverged;
        public bool Valkey;
    }

    /// <summary>A request for a seat by invite code. `commits` as in SitDown.</summary>
    public sealed class Invitation : Value
    {
        public string InviteCode;
        public bool? Commits;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["invite_code"] = InviteCode;
            if (Commits != null) json["commits"] = Commits;
            return json;
        }
    }

    /// <summary>Commands that your seat may send at a version; `is_complete` if there are no others.</summary>
    public sealed class LegalCommands
    {
        public long Version;
        public List<object> Commands;
        public bool IsComplete;
    }

    /// <summary>
    /// Lobby events in order. Continue with `after` set to `next_after`; an empty list is the
    /// end.
    /// </summary>
    public sealed class LobbyEvents
    {
        public List<LobbyEvent> Events;
        public long NextAfter;
    }

    /// <summary>
    /// A witness of the public log, run by somebody else, and the last checkpoint that it cosigned:
    /// how many entries it has, when it was cosigned, and the note with the cosignature. All three are
    /// null before the first.
    ///
    /// Ask the witness itself for its `key` before you demand it of files.
    /// </summary>
    public sealed class LogWitness
    {
        public string Name;
        public string Key;
        public long? Size;
        public DateTimeOffset? CosignedAt;
        public string Note;
    }

    /// <summary>A muted user; `by_operator` if only an operator can lift it.</summary>
    public sealed class MutedUser
    {
        public string User;
        public string Name;
        public bool ByOperator;
    }

    /// <summary>The e-mail address that receives a code.</summary>
    public sealed class NewAddress : Value
    {
        public string Email;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["email"] = Email;
            return json;
        }
    }

    /// <summary>
    /// An app that will request access to users: its name, and the redirect URIs that receive their
    /// answers: https, or http on the app's own machine.
    /// </summary>
    public sealed class NewApp : Value
    {
        public string Name;
        public List<string> RedirectUris;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["name"] = Name;
            json["redirect_uris"] = RedirectUris;
            return json;
        }
    }

    /// <summary>
    /// A command under an id chosen by the client.
    ///
    /// The same id with the same command is carried out once and returns the same response, so send it
    /// again when a response was lost. It is not carried out after `not_after`, a time of the server's
    /// database clock: from then on the response is final. With `acknowledge` the response contains a
    /// signed acknowledgement, which proves what the server accepted.
    /// </summary>
    public sealed class NewCommand : Value
    {
        public string Id;
        public object Command;
        public DateTimeOffset? NotAfter;
        public bool? Acknowledge;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["id"] = Id;
            json["command"] = Command;
            if (NotAfter != null) json["not_after"] = NotAfter;
            if (Acknowledge != null) json["acknowledge"] = Acknowledge;
            return json;
        }
    }

    /// <summary>
    /// Your commitment to 32 random bytes of entropy: SHA-256 over `entropy`, a zero byte, the hash
    /// of the lobby's opening (`opened`), the number of your seat in 2 bytes, and the entropy.
    /// </summary>
    public sealed class NewCommitment : Value
    {
        public string Opened;
        public string Commitment;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["opened"] = Opened;
            json["commitment"] = Commitment;
            return json;
        }
    }

    /// <summary>The display name of a guest; without one, the server makes one up.</summary>
    public sealed class NewGuest : Value
    {
        public string DisplayName;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (DisplayName != null) json["display_name"] = DisplayName;
            return json;
        }
    }

    /// <summary>The user who becomes the host.</summary>
    public sealed class NewHost : Value
    {
        public string User;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["user"] = User;
            return json;
        }
    }

    /// <summary>
    /// The choices of a host. `prizes` weighs the ranks that share the buy-ins. Without `capacity`,
    /// the lobby seats as many as the game allows.
    ///
    /// An unlisted lobby is open to all who know its id, an invite-only one to those who know its code.
    /// Spectators see nothing (`none`), may `watch`, or may also `chat`. Free seats are filled by bots
    /// after `bots_after_s`; bot users, which are programs of users, may join if `admits_bot_users`.
    /// With `start_when_full` the game starts by itself, and players are ready when they sit down. When
    /// the game awaits a player who was gone for `absence_s`, it will `wait`; or a `bot` plays until
    /// they return; or a bot plays to the end and the seat will `forfeit` its share of the buy-ins.
    ///
    /// `id` is chosen by the client: requests with the same id create one lobby. `commits` as in
    /// SitDown.
    /// </summary>
    public sealed class NewLobby : Value
    {
        public string Slug;
        public object Options;
        public long? Capacity;
        public long? BuyIn;
        public string Title;
        /// <summary>One of "invite", "public", "unlisted".</summary>
        public string Visibility;
        /// <summary>One of "chat", "none", "watch".</summary>
        public string Spectators;
        /// <summary>One of "bot", "forfeit", "wait".</summary>
        public string Absence;
        public long? AbsenceS;
        public bool? StartWhenFull;
        public bool? AdmitsBotUsers;
        public long? BotsAfterS;
        public List<long> Prizes;
        public string Id;
        public bool? Commits;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["slug"] = Slug;
            if (Options != null) json["options"] = Options;
            if (Capacity != null) json["capacity"] = Capacity;
            if (BuyIn != null) json["buy_in"] = BuyIn;
            if (Title != null) json["title"] = Title;
            if (Visibility != null) json["visibility"] = Visibility;
            if (Spectators != null) json["spectators"] = Spectators;
            if (Absence != null) json["absence"] = Absence;
            if (AbsenceS != null) json["absence_s"] = AbsenceS;
            if (StartWhenFull != null) json["start_when_full"] = StartWhenFull;
            if (AdmitsBotUsers != null) json["admits_bot_users"] = AdmitsBotUsers;
            if (BotsAfterS != null) json["bots_after_s"] = BotsAfterS;
            if (Prizes != null) json["prizes"] = Prizes;
            if (Id != null) json["id"] = Id;
            if (Commits != null) json["commits"] = Commits;
            return json;
        }
    }

    /// <summary>A chat message under an id chosen by the client. A message with the same id is sent once.</summary>
    public sealed class NewMessage : Value
    {
        public string Id;
        public string Text;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["id"] = Id;
            json["text"] = Text;
            return json;
        }
    }

    /// <summary>The current password and the new one.</summary>
    public sealed class NewPassword : Value
    {
        public string Current;
        public string New;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["current"] = Current;
            json["new"] = New;
            return json;
        }
    }

    /// <summary>The text of a personal token, shown only once, and its description.</summary>
    public sealed class NewPersonalToken
    {
        public string Token;
        public Token About;
    }

    /// <summary>The new title of a lobby, and the reason.</summary>
    public sealed class NewTitle : Value
    {
        public string Reason;
        public string Title;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["reason"] = Reason;
            json["title"] = Title;
            return json;
        }
    }

    /// <summary>The token of a new session, shown only once, and its user.</summary>
    public sealed class NewToken
    {
        public string Token;
        public DateTimeOffset ExpiresAt;
        public CurrentUser User;
    }

    /// <summary>An operator's request: its subject and its reason.</summary>
    public sealed class OperatorAction
    {
        public long Id;
        public DateTimeOffset At;
        public string Operator;
        public string Action;
        public string Subject;
        public string Reason;
    }

    /// <summary>
    /// One page of a list. `next` is the cursor of the following page; it is null on the last
    /// page. A page of bets may be short before the last.
    /// </summary>
    public sealed class PageAccount
    {
        public List<Account> Items;
        public string Next;
    }

    /// <summary>
    /// One page of a list. `next` is the cursor of the following page; it is null on the last
    /// page. A page of bets may be short before the last.
    /// </summary>
    public sealed class PageBet
    {
        public List<Bet> Items;
        public string Next;
    }

    /// <summary>
    /// One page of a list. `next` is the cursor of the following page; it is null on the last
    /// page. A page of bets may be short before the last.
    /// </summary>
    public sealed class PageGame
    {
        public List<Game> Items;
        public string Next;
    }

    /// <summary>
    /// One page of a list. `next` is the cursor of the following page; it is null on the last
    /// page. A page of bets may be short before the last.
    /// </summary>
    public sealed class PageLobby
    {
        public List<Lobby> Items;
        public string Next;
    }

    /// <summary>
    /// One page of a list. `next` is the cursor of the following page; it is null on the last
    /// page. A page of bets may be short before the last.
    /// </summary>
    public sealed class PageOperatorAction
    {
        public List<OperatorAction> Items;
        public string Next;
    }

    /// <summary>
    /// One page of a list. `next` is the cursor of the following page; it is null on the last
    /// page. A page of bets may be short before the last.
    /// </summary>
    public sealed class PageTransfer
    {
        public List<Transfer> Items;
        public string Next;
    }

    /// <summary>A token for a program: its name, scopes and lifetime.</summary>
    public sealed class PersonalToken : Value
    {
        public string Name;
        public List<string> Scopes;
        public long? Days;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["name"] = Name;
            json["scopes"] = Scopes;
            if (Days != null) json["days"] = Days;
            return json;
        }
    }

    /// <summary>Whether you are ready to start. If you have committed to entropy, reveal it here.</summary>
    public sealed class Readiness : Value
    {
        public bool Ready;
        public string Entropy;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["ready"] = Ready;
            if (Entropy != null) json["entropy"] = Entropy;
            return json;
        }
    }

    /// <summary>The username, password and display name of a new user.</summary>
    public sealed class Registration : Value
    {
        public string Username;
        public string Password;
        public string DisplayName;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["username"] = Username;
            json["password"] = Password;
            json["display_name"] = DisplayName;
            return json;
        }
    }

    /// <summary>The code from the e-mail, and the new password.</summary>
    public sealed class ResetCode : Value
    {
        public string Code;
        public string Password;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["code"] = Code;
            json["password"] = Password;
            return json;
        }
    }

    /// <summary>The result of a game: seats by rank, best first, ties together; and one score per seat.</summary>
    public sealed class Result
    {
        public List<List<long>> Ranking;
        public List<long> Scores;
    }

    /// <summary>A game that can be played here. `unit` is the currency of its purses.</summary>
    public sealed class Rules
    {
        public string Slug;
        public Title Title;
        public SeatRange Seats;
        public string Unit;
        public long Version;
    }

    /// <summary>A game with the JSON Schema of its options, commands, events, views and book.</summary>
    public sealed class RulesInFull
    {
        public string Slug;
        public Title Title;
        public SeatRange Seats;
        public string Unit;
        public long Version;
        public Dictionary<string, object> JsonSchema;
    }

    /// <summary>
    /// A proof that a user sat in a seat of a game: the salt (hex) that opens the commitment in the
    /// game's genesis.
    /// </summary>
    public sealed class SeatProof
    {
        public string Game;
        public long Seat;
        public string User;
        public string Salt;
    }

    /// <summary>The fewest and most seats of a game.</summary>
    public sealed class SeatRange
    {
        public long Least;
        public long Most;
    }

    /// <summary>One side of a transfer: an account by its book (a game, lobby or user) and its key there.</summary>
    public sealed class Side
    {
        public string Book;
        public string Key;
    }

    /// <summary>
    /// A request for a seat. With `commits`, you will commit to entropy, and the start waits for
    /// it.
    /// </summary>
    public sealed class SitDown : Value
    {
        public bool? Commits;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Commits != null) json["commits"] = Commits;
            return json;
        }
    }

    /// <summary>When the suspension ends, and the reason. Without an end, it ends now.</summary>
    public sealed class Suspension : Value
    {
        public string Reason;
        public DateTimeOffset? Until;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["reason"] = Reason;
            json["until"] = Until;
            return json;
        }
    }

    /// <summary>Two seats to swap.</summary>
    public sealed class Swap : Value
    {
        public List<long> Seats;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["seats"] = Seats;
            return json;
        }
    }

    /// <summary>The title of a game.</summary>
    public sealed class Title
    {
        public string En;
        public string Fr;
    }

    /// <summary>
    /// A valid token. Sessions have no name and hold every scope of their user.
    ///
    /// Access granted to an app has the kind `app` and the app's name; it ends at `expires_at` unless
    /// the app refreshes it.
    /// </summary>
    public sealed class Token
    {
        public string Id;
        /// <summary>One of "app", "personal", "session".</summary>
        public string Kind;
        public string Name;
        public List<string> Scopes;
        public DateTimeOffset CreatedAt;
        public DateTimeOffset ExpiresAt;
        public bool IsThisOne;
    }

    /// <summary>An amount moved from the debited to the credited account.</summary>
    public sealed class Transfer
    {
        public long Id;
        public string Cause;
        public long Number;
        public long Position;
        public Side Debit;
        public Side Credit;
        public long Amount;
        public string Unit;
        public string Reason;
        public DateTimeOffset At;
    }

    /// <summary>
    /// The view of your seat, or of a spectator (no seat), at a version. `next_at` is when the clock
    /// acts next, null if it awaits nothing; `now` is the server's time, or for a past version the time
    /// of its commit.
    /// </summary>
    public sealed class ViewAtVersion
    {
        public string Game;
        public long Version;
        public long? Seat;
        /// <summary>One of "", "finished", "voided".</summary>
        public string Ended;
        public DateTimeOffset? NextAt;
        public DateTimeOffset Now;
        public object View;
    }

    /// <summary>Views of one seat, or of a spectator, at versions in order.</summary>
    public sealed class Views
    {
        public List<ViewAtVersion> ViewsValue;
    }

    /// <summary>
    /// The game to find or create. Without `capacity`, it seats as many as the game allows.
    ///
    /// `id` is chosen by the client: requests with the same id are carried out once. `commits` as in
    /// SitDown.
    /// </summary>
    public sealed class WantedTable : Value
    {
        public string Slug;
        public object Options;
        public long? Capacity;
        public long? BuyIn;
        public string Id;
        public bool? Commits;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["slug"] = Slug;
            if (Options != null) json["options"] = Options;
            if (Capacity != null) json["capacity"] = Capacity;
            if (BuyIn != null) json["buy_in"] = BuyIn;
            if (Id != null) json["id"] = Id;
            if (Commits != null) json["commits"] = Commits;
            return json;
        }
    }

    /// <summary>The reason. The players of a game read it.</summary>
    public sealed class Why : Value
    {
        public string Reason;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["reason"] = Reason;
            return json;
        }
    }

    /// <summary>
    /// An error response. `code` is stable; `data` has the details that a client needs.
    ///
    /// `version` is the version of the game that rejected a command. `request_id` is that of the header
    /// `X-Request-ID`, by which operators find the request in their logs.
    /// </summary>
    public sealed class ProblemDocument
    {
        public string Type;
        public string Title;
        public long Status;
        public string Code;
        public long? Version;
        public string RequestId;
        public Dictionary<string, object> Data;
    }

    /// <summary>Reads the types of this namespace from JSON values.</summary>
    public static class Read
    {
        public static Accepted Accepted(object json)
        {
            var fields = Json.Object(json);
            return new Accepted
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Version = Json.Long(Json.Field(fields, "version")),
                Hash = Json.Text(Json.Field(fields, "hash")),
                Events = Json.List(Json.Any)(Json.Field(fields, "events")),
                Acknowledgement = Json.Maybe(Json.Text)(Json.Field(fields, "acknowledgement")),
            };
        }

        public static AttemptAbandoned AttemptAbandoned(object json)
        {
            var fields = Json.Object(json);
            return new AttemptAbandoned
            {
                LogName = Json.Text(Json.Field(fields, "log_name")),
            };
        }

        public static Authenticate Authenticate(object json)
        {
            var fields = Json.Object(json);
            return new Authenticate
            {
                Token = Json.Text(Json.Field(fields, "token")),
            };
        }

        public static Banned Banned(object json)
        {
            var fields = Json.Object(json);
            return new Banned
            {
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static ChangesFrame ChangesFrame(object json)
        {
            var fields = Json.Object(json);
            return new ChangesFrame
            {
                Cursor = Json.Long(Json.Field(fields, "cursor")),
                Lobbies = Json.List(Read.Lobby)(Json.Field(fields, "lobbies")),
                Gone = Json.List(Json.Text)(Json.Field(fields, "gone")),
            };
        }

        public static Commit Commit(object json)
        {
            var fields = Json.Object(json);
            return new Commit
            {
                Version = Json.Long(Json.Field(fields, "version")),
                At = Json.Moment(Json.Field(fields, "at")),
                NextAt = Json.Nullable(Json.Moment)(Json.Field(fields, "next_at")),
                Hash = Json.Text(Json.Field(fields, "hash")),
                Events = Json.List(Json.Any)(Json.Field(fields, "events")),
            };
        }

        public static CommitsFrame CommitsFrame(object json)
        {
            var fields = Json.Object(json);
            return new CommitsFrame
            {
                Commits = Json.List(Read.Commit)(Json.Field(fields, "commits")),
                Now = Json.Moment(Json.Field(fields, "now")),
            };
        }

        public static EntropyCommitted EntropyCommitted(object json)
        {
            var fields = Json.Object(json);
            return new EntropyCommitted
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                Commitment = Json.Text(Json.Field(fields, "commitment")),
            };
        }

        public static Error Error(object json)
        {
            var fields = Json.Object(json);
            return new Error
            {
                Code = Json.Text(Json.Field(fields, "code")),
                Data = Json.Object(Json.Field(fields, "data")),
            };
        }

        public static FeedHeartbeat FeedHeartbeat(object json)
        {
            var fields = Json.Object(json);
            return new FeedHeartbeat
            {
                Cursor = Json.Long(Json.Field(fields, "cursor")),
            };
        }

        public static GameStarted GameStarted(object json)
        {
            var fields = Json.Object(json);
            return new GameStarted
            {
                Game = Json.Text(Json.Field(fields, "game")),
            };
        }

        public static HeartbeatFrame HeartbeatFrame(object json)
        {
            var fields = Json.Object(json);
            return new HeartbeatFrame
            {
                Version = Json.Long(Json.Field(fields, "version")),
                Ended = Json.Text(Json.Field(fields, "ended")),
                NextAt = Json.Nullable(Json.Moment)(Json.Field(fields, "next_at")),
                Now = Json.Moment(Json.Field(fields, "now")),
            };
        }

        public static HostChanged HostChanged(object json)
        {
            var fields = Json.Object(json);
            return new HostChanged
            {
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static LegalCommandsFrame LegalCommandsFrame(object json)
        {
            var fields = Json.Object(json);
            return new LegalCommandsFrame
            {
                Version = Json.Long(Json.Field(fields, "version")),
                Commands = Json.List(Json.Any)(Json.Field(fields, "commands")),
                IsComplete = Json.Bool(Json.Field(fields, "is_complete")),
            };
        }

        public static ListLegalCommands ListLegalCommands(object json)
        {
            var fields = Json.Object(json);
            return new ListLegalCommands
            {
                Limit = Json.Nullable(Json.Long)(Json.Field(fields, "limit")),
            };
        }

        public static Lobbies Lobbies(object json)
        {
            var fields = Json.Object(json);
            return new Lobbies
            {
                Cursor = Json.Long(Json.Field(fields, "cursor")),
                LobbiesValue = Json.List(Read.Lobby)(Json.Field(fields, "lobbies")),
                Complete = Json.Bool(Json.Field(fields, "complete")),
            };
        }

        public static Lobby Lobby(object json)
        {
            var fields = Json.Object(json);
            return new Lobby
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Version = Json.Long(Json.Field(fields, "version")),
                Title = Json.Text(Json.Field(fields, "title")),
                Slug = Json.Text(Json.Field(fields, "slug")),
                Options = Json.Any(Json.Field(fields, "options")),
                Host = Json.Text(Json.Field(fields, "host")),
                Visibility = Json.Text(Json.Field(fields, "visibility")),
                Spectators = Json.Text(Json.Field(fields, "spectators")),
                Absence = Json.Text(Json.Field(fields, "absence")),
                AbsenceS = Json.Long(Json.Field(fields, "absence_s")),
                StartWhenFull = Json.Bool(Json.Field(fields, "start_when_full")),
                AdmitsBotUsers = Json.Bool(Json.Field(fields, "admits_bot_users")),
                BotsDueAt = Json.Nullable(Json.Moment)(Json.Field(fields, "bots_due_at")),
                Capacity = Json.Long(Json.Field(fields, "capacity")),
                BuyIn = Json.Long(Json.Field(fields, "buy_in")),
                Prizes = Json.List(Json.Long)(Json.Field(fields, "prizes")),
                Status = Json.Text(Json.Field(fields, "status")),
                StartsBy = Json.Nullable(Json.Moment)(Json.Field(fields, "starts_by")),
                Seats = Json.List(Read.Seat)(Json.Field(fields, "seats")),
                Held = Json.List(Read.ReservedSeat)(Json.Field(fields, "held")),
                HeldUntil = Json.Nullable(Json.Moment)(Json.Field(fields, "held_until")),
                Teams = Json.Maybe(Json.List(Json.List(Json.Long)))(Json.Field(fields, "teams")),
                YourSeat = Json.Nullable(Json.Long)(Json.Field(fields, "your_seat")),
                YourReveal = Json.Maybe(Json.Text)(Json.Field(fields, "your_reveal")),
                InviteCode = Json.Maybe(Json.Text)(Json.Field(fields, "invite_code")),
                Game = Json.Maybe(Json.Text)(Json.Field(fields, "game")),
                Rematch = Json.Maybe(Json.Text)(Json.Field(fields, "rematch")),
                Opening = Read.Opening(Json.Field(fields, "opening")),
                SeedHash = Json.Text(Json.Field(fields, "seed_hash")),
                Seed = Json.Maybe(Json.Text)(Json.Field(fields, "seed")),
                CreatedAt = Json.Moment(Json.Field(fields, "created_at")),
            };
        }

        public static LobbyClosed LobbyClosed(object json)
        {
            return new LobbyClosed();
        }

        public static LobbyEvent LobbyEvent(object json)
        {
            var fields = Json.Object(json);
            return new LobbyEvent
            {
                Version = Json.Long(Json.Field(fields, "version")),
                At = Json.Text(Json.Field(fields, "at")),
                Event = Read.LobbyEventEvent(Json.Field(fields, "event")),
                Name = Json.Maybe(Json.Text)(Json.Field(fields, "name")),
            };
        }

        public static LobbyEventsFrame LobbyEventsFrame(object json)
        {
            var fields = Json.Object(json);
            return new LobbyEventsFrame
            {
                Version = Json.Long(Json.Field(fields, "version")),
                Events = Json.List(Read.LobbyEvent)(Json.Field(fields, "events")),
                Lobby = Read.Lobby(Json.Field(fields, "lobby")),
            };
        }

        public static LobbyOpened LobbyOpened(object json)
        {
            var fields = Json.Object(json);
            return new LobbyOpened
            {
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static Look Look(object json)
        {
            return new Look();
        }

        public static MessageAccepted MessageAccepted(object json)
        {
            var fields = Json.Object(json);
            return new MessageAccepted
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Version = Json.Long(Json.Field(fields, "version")),
            };
        }

        public static MessageErased MessageErased(object json)
        {
            return new MessageErased();
        }

        public static MessageSent MessageSent(object json)
        {
            var fields = Json.Object(json);
            return new MessageSent
            {
                User = Json.Text(Json.Field(fields, "user")),
                Id = Json.Text(Json.Field(fields, "id")),
                Text = Json.Text(Json.Field(fields, "text")),
            };
        }

        public static Muted Muted(object json)
        {
            var fields = Json.Object(json);
            return new Muted
            {
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static Opening Opening(object json)
        {
            var fields = Json.Object(json);
            return new Opening
            {
                Name = Json.Text(Json.Field(fields, "name")),
                Hash = Json.Text(Json.Field(fields, "hash")),
                Entry = Json.Text(Json.Field(fields, "entry")),
                Index = Json.Nullable(Json.Long)(Json.Field(fields, "index")),
                Salt = Json.Text(Json.Field(fields, "salt")),
                Game = Json.Text(Json.Field(fields, "game")),
                RulesVersion = Json.Long(Json.Field(fields, "rules_version")),
                Edition = Json.Text(Json.Field(fields, "edition")),
                OptionsText = Json.Text(Json.Field(fields, "options_text")),
                Abandoned = Json.Maybe(Json.Text)(Json.Field(fields, "abandoned")),
            };
        }

        public static Play Play(object json)
        {
            var fields = Json.Object(json);
            return new Play
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Command = Json.Any(Json.Field(fields, "command")),
                NotAfter = Json.Nullable(Json.Moment)(Json.Field(fields, "not_after")),
                Acknowledge = Json.Nullable(Json.Bool)(Json.Field(fields, "acknowledge")),
            };
        }

        public static Presence Presence(object json)
        {
            var fields = Json.Object(json);
            return new Presence
            {
                People = Json.List(Read.Present)(Json.Field(fields, "people")),
            };
        }

        public static Present Present(object json)
        {
            var fields = Json.Object(json);
            return new Present
            {
                User = Json.Text(Json.Field(fields, "user")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Connected = Json.Bool(Json.Field(fields, "connected")),
                GoneSince = Json.Maybe(Json.Text)(Json.Field(fields, "gone_since")),
                DisconnectReason = Json.Maybe(Json.Text)(Json.Field(fields, "disconnect_reason")),
                BotPlays = Json.Bool(Json.Field(fields, "bot_plays")),
            };
        }

        public static ReadyChanged ReadyChanged(object json)
        {
            var fields = Json.Object(json);
            return new ReadyChanged
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                Ready = Json.Bool(Json.Field(fields, "ready")),
            };
        }

        public static Refused Refused(object json)
        {
            var fields = Json.Object(json);
            return new Refused
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Code = Json.Text(Json.Field(fields, "code")),
                Version = Json.Nullable(Json.Long)(Json.Field(fields, "version")),
                Data = Json.Object(Json.Field(fields, "data")),
            };
        }

        public static RematchOpened RematchOpened(object json)
        {
            var fields = Json.Object(json);
            return new RematchOpened
            {
                User = Json.Text(Json.Field(fields, "user")),
                Lobby = Json.Text(Json.Field(fields, "lobby")),
            };
        }

        public static ReservedSeat ReservedSeat(object json)
        {
            var fields = Json.Object(json);
            return new ReservedSeat
            {
                Number = Json.Long(Json.Field(fields, "number")),
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static Room Room(object json)
        {
            var fields = Json.Object(json);
            return new Room
            {
                Version = Json.Long(Json.Field(fields, "version")),
                Lobby = Read.Lobby(Json.Field(fields, "lobby")),
            };
        }

        public static RoomHeartbeat RoomHeartbeat(object json)
        {
            var fields = Json.Object(json);
            return new RoomHeartbeat
            {
                Version = Json.Long(Json.Field(fields, "version")),
            };
        }

        public static Seat Seat(object json)
        {
            var fields = Json.Object(json);
            return new Seat
            {
                Number = Json.Long(Json.Field(fields, "number")),
                User = Json.Maybe(Json.Text)(Json.Field(fields, "user")),
                Name = Json.Text(Json.Field(fields, "name")),
                IsBot = Json.Bool(Json.Field(fields, "is_bot")),
                IsReady = Json.Bool(Json.Field(fields, "is_ready")),
                Commits = Json.Bool(Json.Field(fields, "commits")),
                Commitment = Json.Maybe(Json.Text)(Json.Field(fields, "commitment")),
                HasRevealed = Json.Bool(Json.Field(fields, "has_revealed")),
            };
        }

        public static SeatLeft SeatLeft(object json)
        {
            var fields = Json.Object(json);
            return new SeatLeft
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                User = Json.Maybe(Json.Text)(Json.Field(fields, "user")),
                Reason = Json.Text(Json.Field(fields, "reason")),
            };
        }

        public static SeatReleased SeatReleased(object json)
        {
            var fields = Json.Object(json);
            return new SeatReleased
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static SeatTaken SeatTaken(object json)
        {
            var fields = Json.Object(json);
            return new SeatTaken
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                User = Json.Maybe(Json.Text)(Json.Field(fields, "user")),
            };
        }

        public static SeatsSwapped SeatsSwapped(object json)
        {
            var fields = Json.Object(json);
            return new SeatsSwapped
            {
                Seats = Json.List(Json.Long)(Json.Field(fields, "seats")),
            };
        }

        public static SendMessage SendMessage(object json)
        {
            var fields = Json.Object(json);
            return new SendMessage
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Text = Json.Text(Json.Field(fields, "text")),
            };
        }

        public static StartDue StartDue(object json)
        {
            var fields = Json.Object(json);
            return new StartDue
            {
                By = Json.Maybe(Json.Text)(Json.Field(fields, "by")),
            };
        }

        public static TitleChanged TitleChanged(object json)
        {
            var fields = Json.Object(json);
            return new TitleChanged
            {
                Title = Json.Text(Json.Field(fields, "title")),
            };
        }

        public static Unbanned Unbanned(object json)
        {
            var fields = Json.Object(json);
            return new Unbanned
            {
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static Unmuted Unmuted(object json)
        {
            var fields = Json.Object(json);
            return new Unmuted
            {
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static View View(object json)
        {
            var fields = Json.Object(json);
            return new View
            {
                Game = Json.Text(Json.Field(fields, "game")),
                Version = Json.Long(Json.Field(fields, "version")),
                Seat = Json.Nullable(Json.Long)(Json.Field(fields, "seat")),
                Ended = Json.Text(Json.Field(fields, "ended")),
                NextAt = Json.Nullable(Json.Moment)(Json.Field(fields, "next_at")),
                Now = Json.Moment(Json.Field(fields, "now")),
                ViewValue = Json.Any(Json.Field(fields, "view")),
            };
        }

        public static Account Account(object json)
        {
            var fields = Json.Object(json);
            return new Account
            {
                Id = Json.Long(Json.Field(fields, "id")),
                Key = Json.Text(Json.Field(fields, "key")),
                Unit = Json.Text(Json.Field(fields, "unit")),
                Balance = Json.Long(Json.Field(fields, "balance")),
            };
        }

        public static AddressCode AddressCode(object json)
        {
            var fields = Json.Object(json);
            return new AddressCode
            {
                Code = Json.Text(Json.Field(fields, "code")),
            };
        }

        public static Alive Alive(object json)
        {
            var fields = Json.Object(json);
            return new Alive
            {
                Status = Json.Text(Json.Field(fields, "status")),
            };
        }

        public static App App(object json)
        {
            var fields = Json.Object(json);
            return new App
            {
                ClientId = Json.Text(Json.Field(fields, "client_id")),
                Name = Json.Text(Json.Field(fields, "name")),
                RedirectUris = Json.List(Json.Text)(Json.Field(fields, "redirect_uris")),
                CreatedAt = Json.Moment(Json.Field(fields, "created_at")),
            };
        }

        public static ArchivedMonth ArchivedMonth(object json)
        {
            var fields = Json.Object(json);
            return new ArchivedMonth
            {
                Month = Json.Text(Json.Field(fields, "month")),
                Games = Json.Long(Json.Field(fields, "games")),
                ArchivedAt = Json.Moment(Json.Field(fields, "archived_at")),
            };
        }

        public static Balance Balance(object json)
        {
            var fields = Json.Object(json);
            return new Balance
            {
                Account = Json.Long(Json.Field(fields, "account")),
                Key = Json.Text(Json.Field(fields, "key")),
                Unit = Json.Text(Json.Field(fields, "unit")),
                BalanceValue = Json.Long(Json.Field(fields, "balance")),
            };
        }

        public static BannedUser BannedUser(object json)
        {
            var fields = Json.Object(json);
            return new BannedUser
            {
                User = Json.Text(Json.Field(fields, "user")),
                Name = Json.Text(Json.Field(fields, "name")),
            };
        }

        public static Bet Bet(object json)
        {
            var fields = Json.Object(json);
            return new Bet
            {
                Game = Json.Text(Json.Field(fields, "game")),
                Slug = Json.Text(Json.Field(fields, "slug")),
                Number = Json.Long(Json.Field(fields, "number")),
                User = Json.Maybe(Json.Text)(Json.Field(fields, "user")),
                IsBot = Json.Bool(Json.Field(fields, "is_bot")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Spot = Json.Text(Json.Field(fields, "spot")),
                Stake = Json.Long(Json.Field(fields, "stake")),
                Odds = Json.Text(Json.Field(fields, "odds")),
                Version = Json.Long(Json.Field(fields, "version")),
                PlacedAt = Json.Moment(Json.Field(fields, "placed_at")),
                Outcome = Json.Text(Json.Field(fields, "outcome")),
                Payout = Json.Nullable(Json.Long)(Json.Field(fields, "payout")),
                SettledVersion = Json.Nullable(Json.Long)(Json.Field(fields, "settled_version")),
                SettledAt = Json.Nullable(Json.Moment)(Json.Field(fields, "settled_at")),
                DrawnBefore = Json.Nullable(Json.Long)(Json.Field(fields, "drawn_before")),
                DrawnUntil = Json.Nullable(Json.Long)(Json.Field(fields, "drawn_until")),
            };
        }

        public static BotName BotName(object json)
        {
            var fields = Json.Object(json);
            return new BotName
            {
                DisplayName = Json.Text(Json.Field(fields, "display_name")),
            };
        }

        public static BotToken BotToken(object json)
        {
            var fields = Json.Object(json);
            return new BotToken
            {
                Name = Json.Text(Json.Field(fields, "name")),
                Scopes = Json.List(Json.Text)(Json.Field(fields, "scopes")),
                Days = Json.Nullable(Json.Long)(Json.Field(fields, "days")),
            };
        }

        public static BotUser BotUser(object json)
        {
            var fields = Json.Object(json);
            return new BotUser
            {
                Id = Json.Text(Json.Field(fields, "id")),
                DisplayName = Json.Text(Json.Field(fields, "display_name")),
                CreatedAt = Json.Moment(Json.Field(fields, "created_at")),
            };
        }

        public static Checkpoint Checkpoint(object json)
        {
            var fields = Json.Object(json);
            return new Checkpoint
            {
                Origin = Json.Text(Json.Field(fields, "origin")),
                Size = Json.Long(Json.Field(fields, "size")),
                Root = Json.Text(Json.Field(fields, "root")),
                Note = Json.Text(Json.Field(fields, "note")),
                Keys = Json.List(Json.Text)(Json.Field(fields, "keys")),
            };
        }

        public static Commits Commits(object json)
        {
            var fields = Json.Object(json);
            return new Commits
            {
                CommitsValue = Json.List(Read.Commit)(Json.Field(fields, "commits")),
                NextAfter = Json.Long(Json.Field(fields, "next_after")),
                Now = Json.Moment(Json.Field(fields, "now")),
            };
        }

        public static Committed Committed(object json)
        {
            var fields = Json.Object(json);
            return new Committed
            {
                Version = Json.Long(Json.Field(fields, "version")),
                At = Json.Moment(Json.Field(fields, "at")),
                NextAt = Json.Nullable(Json.Moment)(Json.Field(fields, "next_at")),
                Hash = Json.Text(Json.Field(fields, "hash")),
                Events = Json.List(Json.Any)(Json.Field(fields, "events")),
                Acknowledgement = Json.Maybe(Json.Text)(Json.Field(fields, "acknowledgement")),
            };
        }

        public static Credentials Credentials(object json)
        {
            var fields = Json.Object(json);
            return new Credentials
            {
                Username = Json.Text(Json.Field(fields, "username")),
                Password = Json.Text(Json.Field(fields, "password")),
            };
        }

        public static CurrentUser CurrentUser(object json)
        {
            var fields = Json.Object(json);
            return new CurrentUser
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Username = Json.Maybe(Json.Text)(Json.Field(fields, "username")),
                DisplayName = Json.Text(Json.Field(fields, "display_name")),
                IsGuest = Json.Bool(Json.Field(fields, "is_guest")),
                IsBot = Json.Bool(Json.Field(fields, "is_bot")),
                Owner = Json.Maybe(Json.Text)(Json.Field(fields, "owner")),
            };
        }

        public static Erasure Erasure(object json)
        {
            var fields = Json.Object(json);
            return new Erasure
            {
                Password = Json.Maybe(Json.Text)(Json.Field(fields, "password")),
            };
        }

        public static FactorCode FactorCode(object json)
        {
            var fields = Json.Object(json);
            return new FactorCode
            {
                Code = Json.Text(Json.Field(fields, "code")),
            };
        }

        public static Game Game(object json)
        {
            var fields = Json.Object(json);
            return new Game
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Lobby = Json.Text(Json.Field(fields, "lobby")),
                LogName = Json.Text(Json.Field(fields, "log_name")),
                Slug = Json.Text(Json.Field(fields, "slug")),
                RulesVersion = Json.Long(Json.Field(fields, "rules_version")),
                Unit = Json.Maybe(Json.Text)(Json.Field(fields, "unit")),
                Seats = Json.List(Read.Seat)(Json.Field(fields, "seats")),
                YourSeat = Json.Nullable(Json.Long)(Json.Field(fields, "your_seat")),
                Version = Json.Long(Json.Field(fields, "version")),
                Ended = Json.Text(Json.Field(fields, "ended")),
                IsStalled = Json.Bool(Json.Field(fields, "is_stalled")),
                StartedAt = Json.Moment(Json.Field(fields, "started_at")),
                EndedAt = Json.Nullable(Json.Moment)(Json.Field(fields, "ended_at")),
                SeedHash = Json.Text(Json.Field(fields, "seed_hash")),
                Seed = Json.Maybe(Json.Text)(Json.Field(fields, "seed")),
            };
        }

        public static GameInFull GameInFull(object json)
        {
            var fields = Json.Object(json);
            return new GameInFull
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Lobby = Json.Text(Json.Field(fields, "lobby")),
                LogName = Json.Text(Json.Field(fields, "log_name")),
                Slug = Json.Text(Json.Field(fields, "slug")),
                RulesVersion = Json.Long(Json.Field(fields, "rules_version")),
                Unit = Json.Maybe(Json.Text)(Json.Field(fields, "unit")),
                Seats = Json.List(Read.Seat)(Json.Field(fields, "seats")),
                YourSeat = Json.Nullable(Json.Long)(Json.Field(fields, "your_seat")),
                Version = Json.Long(Json.Field(fields, "version")),
                Ended = Json.Text(Json.Field(fields, "ended")),
                IsStalled = Json.Bool(Json.Field(fields, "is_stalled")),
                StartedAt = Json.Moment(Json.Field(fields, "started_at")),
                EndedAt = Json.Nullable(Json.Moment)(Json.Field(fields, "ended_at")),
                SeedHash = Json.Text(Json.Field(fields, "seed_hash")),
                Seed = Json.Maybe(Json.Text)(Json.Field(fields, "seed")),
                Result = Json.Maybe(Read.Result)(Json.Field(fields, "result")),
            };
        }

        public static GameStart GameStart(object json)
        {
            var fields = Json.Object(json);
            return new GameStart
            {
                Entropy = Json.Maybe(Json.Text)(Json.Field(fields, "entropy")),
            };
        }

        public static Genesis Genesis(object json)
        {
            var fields = Json.Object(json);
            return new Genesis
            {
                Text = Json.Text(Json.Field(fields, "text")),
                Hash = Json.Text(Json.Field(fields, "hash")),
            };
        }

        public static Health Health(object json)
        {
            var fields = Json.Object(json);
            return new Health
            {
                Status = Json.Text(Json.Field(fields, "status")),
                Late = Json.List(Json.Text)(Json.Field(fields, "late")),
                Diverged = Json.Long(Json.Field(fields, "diverged")),
                Valkey = Json.Bool(Json.Field(fields, "valkey")),
            };
        }

        public static Invitation Invitation(object json)
        {
            var fields = Json.Object(json);
            return new Invitation
            {
                InviteCode = Json.Text(Json.Field(fields, "invite_code")),
                Commits = Json.Nullable(Json.Bool)(Json.Field(fields, "commits")),
            };
        }

        public static LegalCommands LegalCommands(object json)
        {
            var fields = Json.Object(json);
            return new LegalCommands
            {
                Version = Json.Long(Json.Field(fields, "version")),
                Commands = Json.List(Json.Any)(Json.Field(fields, "commands")),
                IsComplete = Json.Bool(Json.Field(fields, "is_complete")),
            };
        }

        public static LobbyEvents LobbyEvents(object json)
        {
            var fields = Json.Object(json);
            return new LobbyEvents
            {
                Events = Json.List(Read.LobbyEvent)(Json.Field(fields, "events")),
                NextAfter = Json.Long(Json.Field(fields, "next_after")),
            };
        }

        public static LogWitness LogWitness(object json)
        {
            var fields = Json.Object(json);
            return new LogWitness
            {
                Name = Json.Text(Json.Field(fields, "name")),
                Key = Json.Text(Json.Field(fields, "key")),
                Size = Json.Nullable(Json.Long)(Json.Field(fields, "size")),
                CosignedAt = Json.Nullable(Json.Moment)(Json.Field(fields, "cosigned_at")),
                Note = Json.Maybe(Json.Text)(Json.Field(fields, "note")),
            };
        }

        public static MutedUser MutedUser(object json)
        {
            var fields = Json.Object(json);
            return new MutedUser
            {
                User = Json.Text(Json.Field(fields, "user")),
                Name = Json.Text(Json.Field(fields, "name")),
                ByOperator = Json.Bool(Json.Field(fields, "by_operator")),
            };
        }

        public static NewAddress NewAddress(object json)
        {
            var fields = Json.Object(json);
            return new NewAddress
            {
                Email = Json.Text(Json.Field(fields, "email")),
            };
        }

        public static NewApp NewApp(object json)
        {
            var fields = Json.Object(json);
            return new NewApp
            {
                Name = Json.Text(Json.Field(fields, "name")),
                RedirectUris = Json.List(Json.Text)(Json.Field(fields, "redirect_uris")),
            };
        }

        public static NewCommand NewCommand(object json)
        {
            var fields = Json.Object(json);
            return new NewCommand
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Command = Json.Any(Json.Field(fields, "command")),
                NotAfter = Json.Nullable(Json.Moment)(Json.Field(fields, "not_after")),
                Acknowledge = Json.Nullable(Json.Bool)(Json.Field(fields, "acknowledge")),
            };
        }

        public static NewCommitment NewCommitment(object json)
        {
            var fields = Json.Object(json);
            return new NewCommitment
            {
                Opened = Json.Text(Json.Field(fields, "opened")),
                Commitment = Json.Text(Json.Field(fields, "commitment")),
            };
        }

        public static NewGuest NewGuest(object json)
        {
            var fields = Json.Object(json);
            return new NewGuest
            {
                DisplayName = Json.Maybe(Json.Text)(Json.Field(fields, "display_name")),
            };
        }

        public static NewHost NewHost(object json)
        {
            var fields = Json.Object(json);
            return new NewHost
            {
                User = Json.Text(Json.Field(fields, "user")),
            };
        }

        public static NewLobby NewLobby(object json)
        {
            var fields = Json.Object(json);
            return new NewLobby
            {
                Slug = Json.Text(Json.Field(fields, "slug")),
                Options = Json.Any(Json.Field(fields, "options")),
                Capacity = Json.Nullable(Json.Long)(Json.Field(fields, "capacity")),
                BuyIn = Json.Nullable(Json.Long)(Json.Field(fields, "buy_in")),
                Title = Json.Maybe(Json.Text)(Json.Field(fields, "title")),
                Visibility = Json.Maybe(Json.Text)(Json.Field(fields, "visibility")),
                Spectators = Json.Maybe(Json.Text)(Json.Field(fields, "spectators")),
                Absence = Json.Maybe(Json.Text)(Json.Field(fields, "absence")),
                AbsenceS = Json.Nullable(Json.Long)(Json.Field(fields, "absence_s")),
                StartWhenFull = Json.Nullable(Json.Bool)(Json.Field(fields, "start_when_full")),
                AdmitsBotUsers = Json.Nullable(Json.Bool)(Json.Field(fields, "admits_bot_users")),
                BotsAfterS = Json.Nullable(Json.Long)(Json.Field(fields, "bots_after_s")),
                Prizes = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "prizes")),
                Id = Json.Maybe(Json.Text)(Json.Field(fields, "id")),
                Commits = Json.Nullable(Json.Bool)(Json.Field(fields, "commits")),
            };
        }

        public static NewMessage NewMessage(object json)
        {
            var fields = Json.Object(json);
            return new NewMessage
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Text = Json.Text(Json.Field(fields, "text")),
            };
        }

        public static NewPassword NewPassword(object json)
        {
            var fields = Json.Object(json);
            return new NewPassword
            {
                Current = Json.Text(Json.Field(fields, "current")),
                New = Json.Text(Json.Field(fields, "new")),
            };
        }

        public static NewPersonalToken NewPersonalToken(object json)
        {
            var fields = Json.Object(json);
            return new NewPersonalToken
            {
                Token = Json.Text(Json.Field(fields, "token")),
                About = Read.Token(Json.Field(fields, "about")),
            };
        }

        public static NewTitle NewTitle(object json)
        {
            var fields = Json.Object(json);
            return new NewTitle
            {
                Reason = Json.Text(Json.Field(fields, "reason")),
                Title = Json.Text(Json.Field(fields, "title")),
            };
        }

        public static NewToken NewToken(object json)
        {
            var fields = Json.Object(json);
            return new NewToken
            {
                Token = Json.Text(Json.Field(fields, "token")),
                ExpiresAt = Json.Moment(Json.Field(fields, "expires_at")),
                User = Read.CurrentUser(Json.Field(fields, "user")),
            };
        }

        public static OperatorAction OperatorAction(object json)
        {
            var fields = Json.Object(json);
            return new OperatorAction
            {
                Id = Json.Long(Json.Field(fields, "id")),
                At = Json.Moment(Json.Field(fields, "at")),
                Operator = Json.Text(Json.Field(fields, "operator")),
                Action = Json.Text(Json.Field(fields, "action")),
                Subject = Json.Text(Json.Field(fields, "subject")),
                Reason = Json.Text(Json.Field(fields, "reason")),
            };
        }

        public static PageAccount PageAccount(object json)
        {
            var fields = Json.Object(json);
            return new PageAccount
            {
                Items = Json.List(Read.Account)(Json.Field(fields, "items")),
                Next = Json.Maybe(Json.Text)(Json.Field(fields, "next")),
            };
        }

        public static PageBet PageBet(object json)
        {
            var fields = Json.Object(json);
            return new PageBet
            {
                Items = Json.List(Read.Bet)(Json.Field(fields, "items")),
                Next = Json.Maybe(Json.Text)(Json.Field(fields, "next")),
            };
        }

        public static PageGame PageGame(object json)
        {
            var fields = Json.Object(json);
            return new PageGame
            {
                Items = Json.List(Read.Game)(Json.Field(fields, "items")),
                Next = Json.Maybe(Json.Text)(Json.Field(fields, "next")),
            };
        }

        public static PageLobby PageLobby(object json)
        {
            var fields = Json.Object(json);
            return new PageLobby
            {
                Items = Json.List(Read.Lobby)(Json.Field(fields, "items")),
                Next = Json.Maybe(Json.Text)(Json.Field(fields, "next")),
            };
        }

        public static PageOperatorAction PageOperatorAction(object json)
        {
            var fields = Json.Object(json);
            return new PageOperatorAction
            {
                Items = Json.List(Read.OperatorAction)(Json.Field(fields, "items")),
                Next = Json.Maybe(Json.Text)(Json.Field(fields, "next")),
            };
        }

        public static PageTransfer PageTransfer(object json)
        {
            var fields = Json.Object(json);
            return new PageTransfer
            {
                Items = Json.List(Read.Transfer)(Json.Field(fields, "items")),
                Next = Json.Maybe(Json.Text)(Json.Field(fields, "next")),
            };
        }

        public static PersonalToken PersonalToken(object json)
        {
            var fields = Json.Object(json);
            return new PersonalToken
            {
                Name = Json.Text(Json.Field(fields, "name")),
                Scopes = Json.List(Json.Text)(Json.Field(fields, "scopes")),
                Days = Json.Nullable(Json.Long)(Json.Field(fields, "days")),
            };
        }

        public static Readiness Readiness(object json)
        {
            var fields = Json.Object(json);
            return new Readiness
            {
                Ready = Json.Bool(Json.Field(fields, "ready")),
                Entropy = Json.Maybe(Json.Text)(Json.Field(fields, "entropy")),
            };
        }

        public static Registration Registration(object json)
        {
            var fields = Json.Object(json);
            return new Registration
            {
                Username = Json.Text(Json.Field(fields, "username")),
                Password = Json.Text(Json.Field(fields, "password")),
                DisplayName = Json.Text(Json.Field(fields, "display_name")),
            };
        }

        public static ResetCode ResetCode(object json)
        {
            var fields = Json.Object(json);
            return new ResetCode
            {
                Code = Json.Text(Json.Field(fields, "code")),
                Password = Json.Text(Json.Field(fields, "password")),
            };
        }

        public static Result Result(object json)
        {
            var fields = Json.Object(json);
            return new Result
            {
                Ranking = Json.List(Json.List(Json.Long))(Json.Field(fields, "ranking")),
                Scores = Json.List(Json.Long)(Json.Field(fields, "scores")),
            };
        }

        public static Rules Rules(object json)
        {
            var fields = Json.Object(json);
            return new Rules
            {
                Slug = Json.Text(Json.Field(fields, "slug")),
                Title = Read.Title(Json.Field(fields, "title")),
                Seats = Read.SeatRange(Json.Field(fields, "seats")),
                Unit = Json.Text(Json.Field(fields, "unit")),
                Version = Json.Long(Json.Field(fields, "version")),
            };
        }

        public static RulesInFull RulesInFull(object json)
        {
            var fields = Json.Object(json);
            return new RulesInFull
            {
                Slug = Json.Text(Json.Field(fields, "slug")),
                Title = Read.Title(Json.Field(fields, "title")),
                Seats = Read.SeatRange(Json.Field(fields, "seats")),
                Unit = Json.Text(Json.Field(fields, "unit")),
                Version = Json.Long(Json.Field(fields, "version")),
                JsonSchema = Json.Object(Json.Field(fields, "json_schema")),
            };
        }

        public static SeatProof SeatProof(object json)
        {
            var fields = Json.Object(json);
            return new SeatProof
            {
                Game = Json.Text(Json.Field(fields, "game")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                User = Json.Text(Json.Field(fields, "user")),
                Salt = Json.Text(Json.Field(fields, "salt")),
            };
        }

        public static SeatRange SeatRange(object json)
        {
            var fields = Json.Object(json);
            return new SeatRange
            {
                Least = Json.Long(Json.Field(fields, "least")),
                Most = Json.Long(Json.Field(fields, "most")),
            };
        }

        public static Side Side(object json)
        {
            var fields = Json.Object(json);
            return new Side
            {
                Book = Json.Text(Json.Field(fields, "book")),
                Key = Json.Text(Json.Field(fields, "key")),
            };
        }

        public static SitDown SitDown(object json)
        {
            var fields = Json.Object(json);
            return new SitDown
            {
                Commits = Json.Nullable(Json.Bool)(Json.Field(fields, "commits")),
            };
        }

        public static Suspension Suspension(object json)
        {
            var fields = Json.Object(json);
            return new Suspension
            {
                Reason = Json.Text(Json.Field(fields, "reason")),
                Until = Json.Nullable(Json.Moment)(Json.Field(fields, "until")),
            };
        }

        public static Swap Swap(object json)
        {
            var fields = Json.Object(json);
            return new Swap
            {
                Seats = Json.List(Json.Long)(Json.Field(fields, "seats")),
            };
        }

        public static Title Title(object json)
        {
            var fields = Json.Object(json);
            return new Title
            {
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
            };
        }

        public static Token Token(object json)
        {
            var fields = Json.Object(json);
            return new Token
            {
                Id = Json.Text(Json.Field(fields, "id")),
                Kind = Json.Text(Json.Field(fields, "kind")),
                Name = Json.Text(Json.Field(fields, "name")),
                Scopes = Json.List(Json.Text)(Json.Field(fields, "scopes")),
                CreatedAt = Json.Moment(Json.Field(fields, "created_at")),
                ExpiresAt = Json.Moment(Json.Field(fields, "expires_at")),
                IsThisOne = Json.Bool(Json.Field(fields, "is_this_one")),
            };
        }

        public static Transfer Transfer(object json)
        {
            var fields = Json.Object(json);
            return new Transfer
            {
                Id = Json.Long(Json.Field(fields, "id")),
                Cause = Json.Text(Json.Field(fields, "cause")),
                Number = Json.Long(Json.Field(fields, "number")),
                Position = Json.Long(Json.Field(fields, "position")),
                Debit = Read.Side(Json.Field(fields, "debit")),
                Credit = Read.Side(Json.Field(fields, "credit")),
                Amount = Json.Long(Json.Field(fields, "amount")),
                Unit = Json.Text(Json.Field(fields, "unit")),
                Reason = Json.Text(Json.Field(fields, "reason")),
                At = Json.Moment(Json.Field(fields, "at")),
            };
        }

        public static ViewAtVersion ViewAtVersion(object json)
        {
            var fields = Json.Object(json);
            return new ViewAtVersion
            {
                Game = Json.Text(Json.Field(fields, "game")),
                Version = Json.Long(Json.Field(fields, "version")),
                Seat = Json.Nullable(Json.Long)(Json.Field(fields, "seat")),
                Ended = Json.Text(Json.Field(fields, "ended")),
                NextAt = Json.Nullable(Json.Moment)(Json.Field(fields, "next_at")),
                Now = Json.Moment(Json.Field(fields, "now")),
                View = Json.Any(Json.Field(fields, "view")),
            };
        }

        public static Views Views(object json)
        {
            var fields = Json.Object(json);
            return new Views
            {
                ViewsValue = Json.List(Read.ViewAtVersion)(Json.Field(fields, "views")),
            };
        }

        public static WantedTable WantedTable(object json)
        {
            var fields = Json.Object(json);
            return new WantedTable
            {
                Slug = Json.Text(Json.Field(fields, "slug")),
                Options = Json.Any(Json.Field(fields, "options")),
                Capacity = Json.Nullable(Json.Long)(Json.Field(fields, "capacity")),
                BuyIn = Json.Nullable(Json.Long)(Json.Field(fields, "buy_in")),
                Id = Json.Maybe(Json.Text)(Json.Field(fields, "id")),
                Commits = Json.Nullable(Json.Bool)(Json.Field(fields, "commits")),
            };
        }

        public static Why Why(object json)
        {
            var fields = Json.Object(json);
            return new Why
            {
                Reason = Json.Text(Json.Field(fields, "reason")),
            };
        }

        public static ProblemDocument ProblemDocument(object json)
        {
            var fields = Json.Object(json);
            return new ProblemDocument
            {
                Type = Json.Text(Json.Field(fields, "type")),
                Title = Json.Text(Json.Field(fields, "title")),
                Status = Json.Long(Json.Field(fields, "status")),
                Code = Json.Text(Json.Field(fields, "code")),
                Version = Json.Nullable(Json.Long)(Json.Field(fields, "version")),
                RequestId = Json.Maybe(Json.Text)(Json.Field(fields, "request_id")),
                Data = Json.Object(Json.Field(fields, "data")),
            };
        }

        public static ILobbyEventEvent LobbyEventEvent(object json)
        {
            switch (Json.Tag(json))
            {
                case "lobby_opened":
                    return LobbyOpened(json);
                case "seat_taken":
                    return SeatTaken(json);
                case "seat_left":
                    return SeatLeft(json);
                case "ready_changed":
                    return ReadyChanged(json);
                case "seats_swapped":
                    return SeatsSwapped(json);
                case "entropy_committed":
                    return EntropyCommitted(json);
                case "start_due":
                    return StartDue(json);
                case "attempt_abandoned":
                    return AttemptAbandoned(json);
                case "host_changed":
                    return HostChanged(json);
                case "game_started":
                    return GameStarted(json);
                case "lobby_closed":
                    return LobbyClosed(json);
                case "title_changed":
                    return TitleChanged(json);
                case "message_sent":
                    return MessageSent(json);
                case "message_erased":
                    return MessageErased(json);
                case "banned":
                    return Banned(json);
                case "unbanned":
                    return Unbanned(json);
                case "muted":
                    return Muted(json);
                case "unmuted":
                    return Unmuted(json);
                case "rematch_opened":
                    return RematchOpened(json);
                case "seat_released":
                    return SeatReleased(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static IFromGame FromGame(object json)
        {
            switch (Json.Tag(json))
            {
                case "view":
                    return View(json);
                case "commits":
                    return CommitsFrame(json);
                case "error":
                    return Error(json);
                case "accepted":
                    return Accepted(json);
                case "refused":
                    return Refused(json);
                case "legal_commands":
                    return LegalCommandsFrame(json);
                case "message_accepted":
                    return MessageAccepted(json);
                case "heartbeat":
                    return HeartbeatFrame(json);
                case "room":
                    return Room(json);
                case "lobby_events":
                    return LobbyEventsFrame(json);
                case "presence":
                    return Presence(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static IFromLobby FromLobby(object json)
        {
            switch (Json.Tag(json))
            {
                case "room":
                    return Room(json);
                case "lobby_events":
                    return LobbyEventsFrame(json);
                case "error":
                    return Error(json);
                case "message_accepted":
                    return MessageAccepted(json);
                case "refused":
                    return Refused(json);
                case "presence":
                    return Presence(json);
                case "heartbeat":
                    return RoomHeartbeat(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static IFromLobbies FromLobbies(object json)
        {
            switch (Json.Tag(json))
            {
                case "lobbies":
                    return Lobbies(json);
                case "changes":
                    return ChangesFrame(json);
                case "error":
                    return Error(json);
                case "heartbeat":
                    return FeedHeartbeat(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static object Event(object json)
        {
            return Json.Any(json);
        }

        public static object GameBook(object json)
        {
            return Json.Any(json);
        }

        public static object GameCommand(object json)
        {
            return Json.Any(json);
        }

        public static object GameEvent(object json)
        {
            return Json.Any(json);
        }

        public static object GameOptions(object json)
        {
            return Json.Any(json);
        }

        public static object GameView(object json)
        {
            return Json.Any(json);
        }

        public static string Scope(object json)
        {
            return Json.Text(json);
        }
    }
}
