using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{
    /// <summary>News of a game: a GameView at first, unless `after` was given, then GameCommits.</summary>
    public abstract class News
    {
        public long Version;

        /// <summary>When the clock acts next, if the game awaits anything from it.</summary>
        public DateTimeOffset? NextAt;
    }

    /// <summary>
    /// The view of a seat, or of a spectator (no seat), at a version. Ended is "" during the game.
    /// </summary>
    public sealed class GameView<TView> : News
    {
        public long? Seat;
        public string Ended;
        public TView View;

        /// <summary>The server's time.</summary>
        public DateTimeOffset Now;

        /// <summary>
        /// The last version of the news before, if the server's database lost commits: this view
        /// takes the place of everything before it.
        /// </summary>
        public long? Replaces;
    }

    /// <summary>The events of a version that this user may see.</summary>
    public sealed class GameCommit<TEvent> : News
    {
        public DateTimeOffset At;
        public string Hash;
        public List<TEvent> Events;
    }

    /// <summary>The user's own command, committed as this version.</summary>
    public sealed class AcceptedCommand<TEvent>
    {
        public string Id;
        public long Version;
        public string Hash;
        public List<TEvent> Events;
    }

    /// <summary>Commands that a seat may send at a version; IsComplete if there are no others.</summary>
    public sealed class Legal<TCommand>
    {
        public long Version;
        public List<TCommand> Commands;
        public bool IsComplete;
    }

    /// <summary>
    /// The socket of a game: commits without gaps, and commands that count once. It ends when the
    /// game has ended and every request is answered.
    /// </summary>
    public sealed class Table<TCommand, TEvent, TView> : Conversation<News>
    {
        private const int PlaysWaitingMax = 16;

        /// <summary>The close code of a game whose commits the server's database lost.</summary>
        private const int HistoryLost = 4410;

        private readonly GameTypes<TCommand, TEvent, TView> types;
        private readonly SemaphoreSlim room = new SemaphoreSlim(PlaysWaitingMax);
        private readonly bool isWhole;
        private readonly string game;
        private readonly Entropies entropies;
        private readonly SeatKey key;
        private readonly Notes notes;
        private Task begun;
        private string shown;
        private string head;
        private long? replaces;
        private long heardOf;
        private long endsAt = long.MaxValue;

        internal Table(
            string address, string token, GameTypes<TCommand, TEvent, TView> types, long? after,
            string game, Entropies entropies, SeatKey key, Notes notes)
            : base(address, token, after)
        {
            this.types = types;
            this.game = game;
            this.entropies = entropies;
            this.key = key;
            this.notes = notes;
            isWhole = after == null && notes == null;
            Start();
        }

        /// <summary>The version of the latest news; null before the first view.</summary>
        public long? Version
        {
            get { lock (Gate) return After; }
        }

        /// <summary>
        /// The newest commit as the server signed it; null if it has signed none. Keep it: it proves
        /// what was shown, and `railbird-audit` checks it.
        /// </summary>
        public string Head
        {
            get { lock (Gate) return head; }
        }

        /// <summary>
        /// Send a command. It counts once, even if reconnections repeat it, and only in time: the
        /// server rejects copies that arrive more than a few seconds later. Throws Problem when the
        /// server finally rejects the command, Unanswered when there is no answer in time: play it
        /// again with the same id to get the first answer.
        /// </summary>
        public async Task<AcceptedCommand<TEvent>> Play(
            TCommand command, string id = null, TimeSpan? within = null)
        {
            id = id ?? Guid.NewGuid().ToString();
            Accepted accepted = await Within(id, within, async isOver =>
            {
                await room.WaitAsync().ConfigureAwait(false);
                try
                {
                    return await FinalAnswer(id, command, isOver).ConfigureAwait(false);
                }
                finally
                {
                    room.Release();
                }
            }).ConfigureAwait(false);
            if (notes != null)
                await notes.Keep(accepted.Acknowledgement, command, id, accepted.Version, accepted.Hash)
                    .ConfigureAwait(false);
            return new AcceptedCommand<TEvent>
            {
                Id = id,
                Version = accepted.Version,
                Hash = accepted.Hash,
                Events = Readable(() => accepted.Events.ConvertAll(each => types.ReadEvent(each))),
            };
        }

        /// <summary>Return the view at the head. Throws Problem, Unanswered.</summary>
        public async Task<GameView<TView>> Look(TimeSpan? within = null)
        {
            string id = Guid.NewGuid().ToString();
            View frame = await Request<View>(id, new Look { Id = id }, within).ConfigureAwait(false);
            return Readable(() => ViewOf(frame));
        }

        /// <summary>
        /// Return up to `limit` commands that this user may send now, without those that this client
        /// does not know. Throws Problem, Unanswered.
        /// </summary>
        public async Task<Legal<TCommand>> LegalCommands(long limit = 100, TimeSpan? within = null)
        {
            string id = Guid.NewGuid().ToString();
            var request = new ListLegalCommands { Id = id, Limit = limit };
            LegalCommandsFrame frame =
                await Request<LegalCommandsFrame>(id, request, within).ConfigureAwait(false);
            List<TCommand> all =
                Readable(() => frame.Commands.ConvertAll(each => types.ReadCommand(each)));
            List<TCommand> known = all.FindAll(each => !(each is IUnknown));
            return new Legal<TCommand>
            {
                Version = frame.Version,
                Commands = known,
                IsComplete = frame.IsComplete && known.Count == all.Count,
            };
        }

        /// <summary>
        /// Return the final answer to a command, or throw it. The first answer is final if the
        /// command was sent once. Otherwise a copy may arrive until `not_after`, and only the answer
        /// to a copy that was sent after it is final.
        /// </summary>
        private async Task<Accepted> FinalAnswer(string id, TCommand command, Func<bool> isOver)
        {
            Refused earlier = null;
            await Begin().ConfigureAwait(false);
            DateTimeOffset notAfter = await Now().ConfigureAwait(false) + ServerClock.InTime;
            int copies = 0;
            bool isPast = false;
            SeatKey own = key ?? entropies?.KeyFor(game);
            Signing signing = own == null ? null : new Signing(types.Defaults, command);
            CommandSignature signed = await Signed(own, signing, id).ConfigureAwait(false);
            bool? acknowledge = notes == null ? (bool?)null : true;
            for (int failures = 0; !isOver(); failures++)
            {
                var play = new Play
                {
                    Id = id, Command = command, NotAfter = notAfter, Signed = signed,
                    Acknowledge = acknowledge,
                };
                var found = await Ask(id, play).ConfigureAwait(false);
                copies += found.Value;
                if (!(found.Key is Refused refused)) return Expect<Accepted>(found.Key);
                if (refused.Code == "too_late")
                {
                    if (copies > 1 || failures > 1) throw ProblemOf(earlier ?? refused);
                    // Only the clock was wrong: no copy is on its way.
                    SetTime(Readable(() => Json.Moment(Json.Field(refused.Data, "now"))));
                    notAfter = await Now().ConfigureAwait(false) + ServerClock.InTime;
                    copies = 0;
                }
                else if (signing != null && signing.GoesOn(refused.Code, refused.Data))
                {
                    // The server never carries out a copy with the signature that it refused.
                    bool isLate = Signing.IsLate(refused.Data);
                    signed = await Signed(own, signing, id, isLate).ConfigureAwait(false);
                    copies = 0;
                }
                else if (Patience.Again.Contains(refused.Code))
                {
                    await Task.Delay(Patience.Pause(failures)).ConfigureAwait(false);
                }
                else if (copies == 1 || isPast)
                {
                    throw ProblemOf(refused);
                }
                else
                {
                    earlier = refused;
                    TimeSpan left = notAfter - await Now().ConfigureAwait(false);
                    await Task.Delay((left > TimeSpan.Zero ? left : TimeSpan.Zero) + Patience.Pause(0))
                        .ConfigureAwait(false);
                    isPast = true;
                }
            }
            throw new Unanswered(id);
        }

        /// <summary>Sign a command after the commit that was shown last, or after the server's
        /// newest.</summary>
        private async Task<CommandSignature> Signed(
            SeatKey own, Signing signing, string id, bool newest = false)
        {
            if (signing == null) return null;
            long? head;
            string hash;
            lock (Gate)
            {
                head = After;
                hash = shown;
            }
            if (newest || head == null || hash == null)
            {
                string asked = Guid.NewGuid().ToString();
                View view = await Request<View>(asked, new Look { Id = asked }, null).ConfigureAwait(false);
                head = view.Version;
                hash = view.Hash;
            }
            return own.Sign(signing.Text, id, head.Value, hash);
        }

        /// <summary>Read a part of an answer. Throws Unreachable.</summary>
        private static T Readable<T>(Func<T> read)
        {
            try
            {
                return read();
            }
            catch (FormatException error)
            {
                throw new Unreachable("unreadable", error.Message, error);
            }
        }

        /// <summary>Close the socket, and store the newest signed head.</summary>
        public override async Task Close()
        {
            await base.Close().ConfigureAwait(false);
            notes?.Store();
        }

        internal override Task Begin()
        {
            if (entropies == null) return base.Begin();
            lock (Gate) return begun ?? (begun = Patience.Persist(() => entropies.CheckStart(game)));
        }

        internal override async Task End()
        {
            if (entropies != null)
                await Patience.Persist(() => entropies.CheckEnd(game)).ConfigureAwait(false);
            if (notes != null)
                await Patience.Persist(() => notes.CheckEnd(Version)).ConfigureAwait(false);
        }

        // The connection

        internal override string Query()
        {
            return "?heads=true" + (After == null ? "" : "&after=" + After);
        }

        internal override bool StartsAgain(int code)
        {
            if (code != HistoryLost || After == null || !isWhole) return false;
            replaces = After;
            After = null;
            endsAt = long.MaxValue;
            return true;
        }

        internal override void Resume()
        {
            heardOf = 0;
        }

        internal override bool IsOver()
        {
            return After >= endsAt;
        }

        // Incoming frames

        internal override object FrameOf(object json)
        {
            return Read.FromGame(json);
        }

        internal override void Take(object frame)
        {
            if (frame is View view && After == null) TakeView(view);
            else if (frame is CommitsFrame commits) TakeCommits(commits);
            else if (frame is HeartbeatFrame heartbeat) TakeHeartbeat(heartbeat);
        }

        private void TakeView(View frame)
        {
            GameView<TView> view = ViewOf(frame);
            view.Replaces = replaces;
            Tell(view);
            After = view.Version;
            shown = frame.Hash;
            notes?.Compare(view.Version, frame.Hash);
            TakeHead(frame.Head);
        }

        /// <summary>Keep the signed head of the newest version. Throws Contradicted,
        /// NoEvidence.</summary>
        private void TakeHead(string note)
        {
            if (note == null || After == null || shown == null) return;
            head = note;
            notes?.Show(note, After.Value, shown);
        }

        private GameView<TView> ViewOf(View frame)
        {
            var view = new GameView<TView>
            {
                Version = frame.Version,
                NextAt = frame.NextAt,
                Seat = frame.Seat,
                Ended = frame.Ended,
                View = types.ReadView(frame.ViewValue),
                Now = frame.Now,
            };
            lock (Gate)
            {
                if (view.Ended != "") endsAt = view.Version;
            }
            return view;
        }

        private void TakeCommits(CommitsFrame frame)
        {
            string before = frame.Previous;
            foreach (Commit commit in frame.Commits)
            {
                TakeCommit(commit, before);
                before = commit.Hash;
            }
            List<Commit> commits = frame.Commits;
            if (commits.Count > 0 && commits[commits.Count - 1].Version == After) TakeHead(frame.Head);
        }

        /// <summary>
        /// Read a commit that follows one with the hash `before`. Throws Lost, and Contradicted if
        /// somebody changed the history after it was shown.
        /// </summary>
        private void TakeCommit(Commit commit, string before)
        {
            if (After == null || commit.Version > After + 1) throw new Lost();
            if (commit.Version < After) return;
            string now = commit.Version == After ? commit.Hash : before;
            if (shown != null && shown != now)
                throw new Contradicted(head, "hash of version " + After, shown, now);
            if (commit.Version == After) return;
            notes?.Compare(commit.Version, commit.Hash);
            Tell(new GameCommit<TEvent>
            {
                Version = commit.Version,
                NextAt = commit.NextAt,
                At = commit.At,
                Hash = commit.Hash,
                Events = commit.Events.ConvertAll(each => types.ReadEvent(each)),
            });
            After = commit.Version;
            shown = commit.Hash;
        }

        private void TakeHeartbeat(HeartbeatFrame frame)
        {
            // The version of an earlier heartbeat has still not arrived.
            if (After < heardOf) throw new Lost();
            heardOf = frame.Version;
            TakeHead(frame.Head);
            if (frame.Ended != "") endsAt = frame.Version;
        }
    }
}
