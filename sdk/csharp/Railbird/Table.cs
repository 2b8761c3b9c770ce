using System;
using System.Collections.Generic;
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
    /// game has ended and every command is answered.
    /// </summary>
    public sealed class Table<TCommand, TEvent, TView> : Stream<News>
    {
        private const int PlaysWaitingMax = 16;
        private static readonly TimeSpan AnswerWithin = TimeSpan.FromSeconds(30);

        private readonly GameTypes<TCommand, TEvent, TView> types;
        private readonly List<Waiting> plays = new List<Waiting>();

        /// <summary>Requests that await their answers, which come in the order of the requests.</summary>
        private readonly Queue<Request> requests = new Queue<Request>();
        private readonly ServerClock clock = new ServerClock();
        private long? version;
        private long heardOf;
        private long endsAt = long.MaxValue;

        internal Table(
            string address, string token, GameTypes<TCommand, TEvent, TView> types, long? after)
            : base(address, token)
        {
            this.types = types;
            version = after;
            Start();
        }

        /// <summary>A command that awaits its answer; Copies counts how often it was sent.</summary>
        private sealed class Waiting
        {
            public string Id;
            public object Command;
            public DateTimeOffset NotAfter;
            public int Copies;
            public bool IsSent;
            public int Failures;

            /// <summary>The rejection that a delayed copy may still change.</summary>
            public Problem Refusal;
            public readonly TaskCompletionSource<AcceptedCommand<TEvent>> Answer =
                NewSource<AcceptedCommand<TEvent>>();
        }

        private sealed class Request
        {
            public string Frame;
            public readonly TaskCompletionSource<object> Answer = NewSource<object>();
        }

        /// <summary>The version of the latest news; null before the first view.</summary>
        public long? Version
        {
            get { lock (Gate) return version; }
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
            var play = new Waiting { Id = id ?? Guid.NewGuid().ToString(), Command = command };
            lock (Gate)
            {
                Check();
                if (plays.Exists(other => other.Id == play.Id))
                    throw new ArgumentException("A command with this id is in flight.");
                play.NotAfter = clock.Now + ServerClock.InTime;
                plays.Add(play);
                SendPlays();
            }
            try
            {
                Task late = Task.Delay(within ?? AnswerWithin);
                if (await Task.WhenAny(play.Answer.Task, late).ConfigureAwait(false) == late)
                    throw new Unanswered(play.Id);
                return await play.Answer.Task.ConfigureAwait(false);
            }
            finally
            {
                lock (Gate)
                {
                    plays.Remove(play);
                    SendPlays();
                    Wake();
                }
            }
        }

        /// <summary>Return the view at the head.</summary>
        public async Task<GameView<TView>> Look()
        {
            return (GameView<TView>)await Ask(Json.Write(new Look())).ConfigureAwait(false);
        }

        /// <summary>Return up to `limit` commands that this user may send now.</summary>
        public async Task<Legal<TCommand>> LegalCommands(long limit = 100)
        {
            string frame = Json.Write(new ListLegalCommands { Limit = limit });
            return (Legal<TCommand>)await Ask(frame).ConfigureAwait(false);
        }

        private Task<object> Ask(string frame)
        {
            lock (Gate)
            {
                Check();
                var request = new Request { Frame = frame };
                requests.Enqueue(request);
                Say(frame);
                return request.Answer.Task;
            }
        }

        private void Check()
        {
            if (IsClosed) throw Failure ?? new ServerException("The table is closed.");
        }

        private void SendPlays()
        {
            if (!IsConnected) return;
            for (int each = 0; each < plays.Count && each < PlaysWaitingMax; each++)
            {
                Waiting play = plays[each];
                if (play.IsSent) continue;
                play.IsSent = true;
                play.Copies++;
                Say(Json.Write(new Play
                {
                    Id = play.Id, Command = play.Command, NotAfter = play.NotAfter,
                }));
            }
        }

        // The connection

        internal override string Query()
        {
            return version == null ? "" : "?after=" + version;
        }

        internal override void Resume()
        {
            heardOf = 0;
            foreach (Waiting play in plays) play.IsSent = false;
            SendPlays();
            foreach (Request request in requests) Say(request.Frame);
        }

        internal override bool IsOver()
        {
            return version >= endsAt && plays.Count == 0 && requests.Count == 0;
        }

        internal override void End()
        {
            foreach (Waiting play in plays)
                play.Answer.TrySetException(Failure ?? new Unanswered(play.Id));
            foreach (Request request in requests)
                request.Answer.TrySetException(
                    Failure ?? new ServerException("The table is closed."));
        }

        // Incoming frames

        internal override void Take(IFromGame frame)
        {
            if (frame is View view) TakeView(view);
            else if (frame is CommitsFrame commits) commits.Commits.ForEach(TakeCommit);
            else if (frame is LegalCommandsFrame legal) TakeLegal(legal);
            else if (frame is Accepted accepted) TakeAccepted(accepted);
            else if (frame is Refused refused) TakeRefusal(refused);
            else if (frame is HeartbeatFrame heartbeat) TakeHeartbeat(heartbeat);
        }

        private void TakeView(View frame)
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
            if (view.Ended != "") endsAt = view.Version;
            if (version != null)
            {
                TakeAnswer(view);
                return;
            }
            version = view.Version;
            Tell(view);
        }

        private void TakeCommit(Commit commit)
        {
            if (version == null || commit.Version > version + 1) throw new Lost();
            if (commit.Version <= version) return;
            clock.Heard(commit.At);
            Tell(new GameCommit<TEvent>
            {
                Version = commit.Version,
                NextAt = commit.NextAt,
                At = commit.At,
                Hash = commit.Hash,
                Events = commit.Events.ConvertAll(each => types.ReadEvent(each)),
            });
            version = commit.Version;
        }

        private void TakeLegal(LegalCommandsFrame frame)
        {
            TakeAnswer(new Legal<TCommand>
            {
                Version = frame.Version,
                Commands = frame.Commands.ConvertAll(each => types.ReadCommand(each)),
                IsComplete = frame.IsComplete,
            });
        }

        private void TakeAnswer(object answer)
        {
            if (requests.Count > 0) requests.Dequeue().Answer.TrySetResult(answer);
        }

        private void TakeAccepted(Accepted frame)
        {
            plays.Find(play => play.Id == frame.Id)?.Answer.TrySetResult(
                new AcceptedCommand<TEvent>
                {
                    Id = frame.Id,
                    Version = frame.Version,
                    Hash = frame.Hash,
                    Events = frame.Events.ConvertAll(each => types.ReadEvent(each)),
                });
        }

        private void TakeHeartbeat(HeartbeatFrame frame)
        {
            // The version of an earlier heartbeat has still not arrived.
            if (version < heardOf) throw new Lost();
            heardOf = frame.Version;
            if (frame.Ended != "") endsAt = frame.Version;
        }

        private void TakeRefusal(Refused frame)
        {
            Waiting play = plays.Find(each => each.Id == frame.Id);
            if (play == null) return;
            var problem = new Problem(frame.Code, frame.Data, frame.Version);
            TimeSpan wait = Backoff.Pause(play.Failures++);
            if (frame.Code == "too_late")
            {
                clock.Set(Json.Moment(Json.Field(frame.Data, "now")));
                if (play.Copies > 1 || play.Failures > 2)
                {
                    play.Answer.TrySetException(play.Refusal ?? problem);
                    return;
                }
                // Only the clock was wrong: no copy is on its way.
                play.NotAfter = clock.Now + ServerClock.InTime;
                play.Copies = 0;
            }
            else if (!Backoff.Again.Contains(frame.Code))
            {
                if (play.Copies == 1)
                {
                    play.Answer.TrySetException(problem);
                    return;
                }
                // A copy may arrive until then; a request after that gets the final answer.
                play.Refusal = problem;
                TimeSpan left = play.NotAfter - clock.Now;
                wait = (left > TimeSpan.Zero ? left : TimeSpan.Zero) + Backoff.Pause(0);
            }
            SendAgain(play, wait);
        }

        private async void SendAgain(Waiting play, TimeSpan wait)
        {
            await Task.Delay(wait).ConfigureAwait(false);
            lock (Gate)
            {
                play.IsSent = false;
                SendPlays();
            }
        }
    }
}
