using System;
using System.Collections.Generic;
using System.IO;
using System.Net.WebSockets;
using System.Diagnostics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{
    /// <summary>Thrown while a frame is handled: this connection is unusable.</summary>
    internal sealed class Lost : Exception
    {
    }

    /// <summary>
    /// A socket that reconnects and resumes, on a thread of the pool. Call Next for the news, and
    /// Dispose to close it.
    /// </summary>
    public abstract class Stream<TNews> : IDisposable where TNews : class
    {
        internal static int NewsMax = 100000;
        private const long NewsBytesMax = 1 << 27;
        private const int FrameBytesMax = 1 << 24;
        private const int UnreadableMax = 4;
        private static readonly TimeSpan SilentMax = TimeSpan.FromSeconds(40);
        private static readonly TimeSpan OpenWithin = TimeSpan.FromSeconds(10);
        private static readonly TimeSpan CloseWithin = TimeSpan.FromSeconds(1);
        private static readonly TimeSpan AnswerWithin = TimeSpan.FromSeconds(30);

        /// <summary>Guards all fields.</summary>
        protected readonly object Gate = new object();

        private readonly string address;
        private readonly string token;
        private readonly Queue<KeyValuePair<int, TNews>> news =
            new Queue<KeyValuePair<int, TNews>>();
        private readonly Dictionary<string, Asked> asked = new Dictionary<string, Asked>();
        private readonly ServerClock clock = new ServerClock();
        private readonly TaskCompletionSource<bool> timed = NewSource<bool>();
        private readonly Patience patience = new Patience();
        private readonly CancellationTokenSource closing = new CancellationTokenSource();
        private readonly SemaphoreSlim sending = new SemaphoreSlim(1);
        private readonly Stopwatch connected = new Stopwatch();
        private TimeSpan openWithin = OpenWithin;
        private TaskCompletionSource<bool> change = NewSource<bool>();
        private ClientWebSocket socket;
        private Task keeping;
        private long newsBytes;
        private int frameBytes;
        private int unreadable;
        private int busy;
        private Problem lastError;

        /// <summary>Why there will be no further connection, if the user did not close it.</summary>
        protected ServerException Failure;
        protected bool IsClosed;

        /// <summary>The number of the latest news: the next connection continues after it.</summary>
        protected long? After;

        internal Stream(string address, string token, long? after)
        {
            After = after;
            this.address = address;
            this.token = token;
            Trouble = "";
        }

        /// <summary>A request that awaits its answer; Copies counts how often it was sent.</summary>
        internal sealed class Asked
        {
            public string Text;
            public int Copies;
            public readonly TaskCompletionSource<object> Answer = NewSource<object>();
        }

        // Hooks for subclasses. All but Begin and End are called with the gate held.

        /// <summary>The query of the next connection: "", or from where to resume.</summary>
        internal virtual string Query()
        {
            return After == null ? "" : "?after=" + After;
        }

        /// <summary>Read a frame. Throws FormatException.</summary>
        internal abstract object FrameOf(object json);

        /// <summary>
        /// Handle a frame that is neither an error nor an answer. Throws Lost when this connection
        /// misses frames, and FormatException.
        /// </summary>
        internal abstract void Take(object frame);

        /// <summary>Whether all news have arrived.</summary>
        internal virtual bool IsOver()
        {
            return false;
        }

        /// <summary>Forget everything if this close code asks for that.</summary>
        internal virtual bool StartsAgain(int code)
        {
            return false;
        }

        /// <summary>Called when a connection is open.</summary>
        internal virtual void Resume()
        {
        }

        /// <summary>Called before the first news.</summary>
        internal virtual Task Begin()
        {
            return Task.FromResult(true);
        }

        /// <summary>Called after the last news.</summary>
        internal virtual Task End()
        {
            return Task.FromResult(true);
        }

        // For users of the stream

        /// <summary>Why the stream is not connected, as a code; "" while it is.</summary>
        public string Trouble { get; private set; }

        /// <summary>
        /// Wait for news; null at the end. Throws Closed when the server forbids reconnecting,
        /// FellBehind when too many news are unread, and Unreachable when it can read nothing that
        /// arrives.
        /// </summary>
        public async Task<TNews> Next()
        {
            await Begin();
            while (true)
            {
                Task changed;
                lock (Gate)
                {
                    if (news.Count > 0)
                    {
                        var first = news.Dequeue();
                        newsBytes -= first.Key;
                        return first.Value;
                    }
                    if (Failure != null) throw Failure;
                    if (IsClosed || (IsOver() && busy == 0)) break;
                    changed = change.Task;
                }
                await changed;
            }
            await Close();
            if (IsOver()) await End();
            return null;
        }

        /// <summary>
        /// Close the socket, and wait until it is closed. The outcome of unanswered commands stays
        /// unknown.
        /// </summary>
        public virtual Task Close()
        {
            lock (Gate) Stop(null);
            return keeping;
        }

        /// <summary>Close the socket without waiting.</summary>
        public void Dispose()
        {
            lock (Gate) Stop(null);
        }

        internal static TaskCompletionSource<T> NewSource<T>()
        {
            return new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        internal void Start()
        {
            keeping = Task.Run(Keep);
        }

        protected void Tell(TNews found)
        {
            newsBytes += frameBytes;
            if (news.Count >= NewsMax || newsBytes > NewsBytesMax)
                throw new FellBehind(news.Count + " unread news");
            news.Enqueue(new KeyValuePair<int, TNews>(frameBytes, found));
        }

        /// <summary>Drop the news that wait: later ones replace them.</summary>
        protected void DropNews()
        {
            news.Clear();
            newsBytes = 0;
        }

        /// <summary>Wake everybody who waits for news.</summary>
        private void Wake()
        {
            TaskCompletionSource<bool> waited = change;
            change = NewSource<bool>();
            waited.TrySetResult(true);
        }

        /// <summary>Whether the stream is connected. It reconnects by itself.</summary>
        public bool IsConnected
        {
            get { return socket != null; }
        }

        // Requests and their answers

        /// <summary>
        /// Do something that ends in time, and keeps the stream open until then. The work learns
        /// whether the time is over. Throws Unanswered.
        /// </summary>
        internal async Task<T> Within<T>(string id, TimeSpan? within, Func<Func<bool>, Task<T>> work)
        {
            bool isOver = false;
            lock (Gate) busy++;
            try
            {
                Task<T> done = work(() => isOver);
                Task late = Task.Delay(Patience.AtMost(within ?? AnswerWithin));
                if (await Task.WhenAny(done, late).ConfigureAwait(false) == late)
                    throw new Unanswered(id, Trouble);
                return await done.ConfigureAwait(false);
            }
            finally
            {
                isOver = true;
                lock (Gate)
                {
                    asked.Remove(id);
                    busy--;
                    Wake();
                }
            }
        }

        /// <summary>Return the answer to a request. Throws Problem, Unanswered, Unreachable.</summary>
        internal Task<TAnswer> Request<TAnswer>(string id, Value request, TimeSpan? within)
            where TAnswer : class
        {
            return Within(id, within, async isOver =>
            {
                object answer = (await Ask(id, request).ConfigureAwait(false)).Key;
                if (answer is Refused refused) throw ProblemOf(refused);
                return Expect<TAnswer>(answer);
            });
        }

        internal static Problem ProblemOf(Refused refused)
        {
            return new Problem(refused.Code, refused.Data, refused.Version);
        }

        internal static TAnswer Expect<TAnswer>(object answer) where TAnswer : class
        {
            return answer as TAnswer
                ?? throw new Unreachable("unreadable", "an answer of the wrong type");
        }

        /// <summary>Return the answer to a request, and how many copies of it were sent.</summary>
        internal async Task<KeyValuePair<object, int>> Ask(string id, Value request)
        {
            var waiting = new Asked { Text = Json.Write(request) };
            lock (Gate)
            {
                Check();
                if (asked.ContainsKey(id))
                    throw new Misused("A request with the id " + id + " awaits its answer.");
                asked[id] = waiting;
                Say(waiting);
            }
            try
            {
                object answer = await waiting.Answer.Task.ConfigureAwait(false);
                return new KeyValuePair<object, int>(answer, waiting.Copies);
            }
            finally
            {
                lock (Gate) asked.Remove(id);
            }
        }

        /// <summary>Send if connected. The next connection repeats what is unanswered.</summary>
        private void Say(Asked waiting)
        {
            ClientWebSocket to = socket;
            if (to == null) return;
            waiting.Copies++;
            Task.Run(() => Send(to, waiting.Text));
        }

        private void Check()
        {
            if (IsClosed)
                throw Failure ?? new Misused("This stream is closed: make another one.");
        }

        /// <summary>Return the server's time, once the server has said it.</summary>
        internal async Task<DateTimeOffset> Now()
        {
            await timed.Task.ConfigureAwait(false);
            lock (Gate)
            {
                Check();
                return clock.Now;
            }
        }

        /// <summary>Note what time the server says it is.</summary>
        internal void SetTime(DateTimeOffset now)
        {
            lock (Gate) clock.Set(now);
            timed.TrySetResult(true);
        }

        private void Stop(ServerException failure)
        {
            if (IsClosed) return;
            IsClosed = true;
            Failure = failure;
            if (socket == null) closing.Cancel();
            else HangUp(socket);
            timed.TrySetResult(false);
            foreach (var each in asked)
                each.Value.Answer.TrySetException(failure ?? new Unanswered(each.Key, "closed"));
            Wake();
        }

        /// <summary>Tell the server that this connection ends; it answers by closing it.</summary>
        private void HangUp(ClientWebSocket from)
        {
            closing.CancelAfter(CloseWithin);
            Task.Run(() => Send(
                () => from.CloseOutputAsync(
                    WebSocketCloseStatus.NormalClosure, "", closing.Token)));
        }

        // The connection

        private async Task Keep()
        {
            while (!closing.IsCancellationRequested)
            {
                connected.Reset();
                bool wasNew;
                string known;
                lock (Gate) known = Query();
                using (var fresh = new ClientWebSocket())
                {
                    string trouble = "unreachable";
                    ServerException final = null;
                    try
                    {
                        await Follow(fresh).ConfigureAwait(false);
                    }
                    catch (FormatException)
                    {
                        trouble = "unreadable";
                    }
                    catch (ServerException error)
                    {
                        final = error;
                    }
                    catch (Exception error)
                    {
                        if (!IsLoss(error))
                            final = new ServerException("failed", error.Message, error);
                    }
                    lock (Gate)
                    {
                        wasNew = known != Query();
                        if (wasNew) unreadable = 0;
                        else if (trouble == "unreadable") unreadable++;
                        Disconnected(fresh, trouble, final);
                        if (IsClosed || (IsOver() && busy == 0)) return;
                    }
                }
                try
                {
                    bool wasGood = wasNew || connected.Elapsed >= Patience.GoodAfter;
                    TimeSpan pause = patience.Next(wasGood);
                    await Task.Delay(pause, closing.Token).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                    return;
                }
            }
        }

        /// <summary>Note why a connection has ended, and whether there can be another one.</summary>
        private void Disconnected(ClientWebSocket from, string trouble, ServerException final)
        {
            socket = null;
            Trouble = lastError?.Code ?? trouble;
            int code = (int)(from.CloseStatus ?? 0);
            if (final == null && IsFinal(code) && !StartsAgain(code))
            {
                var data = lastError?.Data ?? new Dictionary<string, object>();
                final = new Closed(code, lastError?.Code ?? "closed", data);
            }
            if (unreadable == UnreadableMax)
                final = new Unreachable(trouble, "the server sends what this client cannot read");
            if (final != null) Stop(final);
        }

        private static bool IsLoss(Exception error)
        {
            return error is Lost || error is WebSocketException || error is IOException
                || error is OperationCanceledException || error is ObjectDisposedException
                || error is InvalidOperationException;
        }

        /// <summary>Close codes that forbid reconnecting.</summary>
        private static bool IsFinal(int code)
        {
            return code == 1003 || code == 1008 || code == 1009
                || (code >= 4400 && code < 4500 && code != 4408 && code != 4423 && code != 4429);
        }

        private async Task Follow(ClientWebSocket fresh)
        {
            string query;
            lock (Gate)
            {
                query = Query();
                lastError = null;
            }
            await Opened(fresh, new Uri(address + query)).ConfigureAwait(false);
            var hello = new Authenticate { Token = token };
            await Send(fresh, Json.Write(hello)).ConfigureAwait(false);
            lock (Gate)
            {
                if (IsClosed) return;
                socket = fresh;
                Trouble = "";
                Resume();
                foreach (Asked waiting in asked.Values) Say(waiting);
            }
            string text;
            while ((text = await Receive(fresh).ConfigureAwait(false)) != null)
            {
                lock (Gate)
                {
                    if (!IsClosed) Hear(text);
                }
            }
        }

        /// <summary>Connect in time, also where a platform does not give up by itself.</summary>
        private async Task Opened(ClientWebSocket fresh, Uri uri)
        {
            Task opened = fresh.ConnectAsync(uri, closing.Token);
            Task late = Task.Delay(openWithin, closing.Token);
            if (await Task.WhenAny(opened, late).ConfigureAwait(false) != opened)
            {
                // A slow server gets more time, or every retry would add to what slows it.
                openWithin = openWithin + openWithin < SilentMax ? openWithin + openWithin : SilentMax;
                throw new Lost();
            }
            await opened.ConfigureAwait(false);
            openWithin = OpenWithin;
            connected.Start();
        }

        private void Hear(string text)
        {
            frameBytes = text.Length;
            object json = Json.Parse(text);
            object frame = FrameOf(json);
            if (frame is IUnknown) return;
            var fields = Json.Object(json);
            if (fields.TryGetValue("now", out object now)) SetTime(Json.Moment(now));
            var id = Json.Field(fields, "id") as string;
            if (frame is Error error) lastError = new Problem(error.Code, error.Data);
            else if (id == null) Take(frame);
            else if (asked.TryGetValue(id, out Asked waiting)) waiting.Answer.TrySetResult(frame);
            Wake();
        }

        /// <summary>Return the next text, or null when the connection has ended.</summary>
        private async Task<string> Receive(ClientWebSocket from)
        {
            var part = new byte[16384];
            using (var whole = new MemoryStream())
            using (var silent = CancellationTokenSource.CreateLinkedTokenSource(closing.Token))
            {
                silent.CancelAfter(SilentMax);
                while (true)
                {
                    WebSocketReceiveResult result =
                        await from.ReceiveAsync(new ArraySegment<byte>(part), silent.Token)
                            .ConfigureAwait(false);
                    if (result.MessageType == WebSocketMessageType.Close) return null;
                    whole.Write(part, 0, result.Count);
                    if (result.MessageType == WebSocketMessageType.Binary)
                        throw new FormatException("Frames are texts.");
                    if (whole.Length > FrameBytesMax)
                        throw new FormatException("A frame is too large.");
                    if (result.EndOfMessage) return Http.Decode(whole);
                    // Mono reads a length below zero as parts without bytes, for ever and at once.
                    if (result.Count == 0) throw new FormatException("A part of a frame is empty.");
                }
            }
        }

        private Task Send(ClientWebSocket to, string frame)
        {
            var bytes = new ArraySegment<byte>(Encoding.UTF8.GetBytes(frame));
            return Send(() => to.SendAsync(bytes, WebSocketMessageType.Text, true, closing.Token));
        }

        /// <summary>Send when everything before it is sent: sockets send one frame at a time.</summary>
        private async Task Send(Func<Task> send)
        {
            await sending.WaitAsync().ConfigureAwait(false);
            try
            {
                await send().ConfigureAwait(false);
            }
            catch (Exception error) when (IsLoss(error))
            {
                // The receiver notices that the connection is lost.
            }
            finally
            {
                sending.Release();
            }
        }
    }

    /// <summary>A stream on which the user may also send chat messages.</summary>
    public abstract class Conversation<TNews> : Stream<TNews> where TNews : class
    {
        internal Conversation(string address, string token, long? after)
            : base(address, token, after)
        {
        }

        /// <summary>
        /// Send a chat message to all who can see the lobby, and return the lobby's version. It is
        /// sent once, however often it is repeated with the same id. Throws Problem, Unanswered.
        /// </summary>
        public async Task<long> SendMessage(string text, string id = null, TimeSpan? within = null)
        {
            id = id ?? Guid.NewGuid().ToString();
            var message = new SendMessage { Id = id, Text = text };
            return (await Request<MessageAccepted>(id, message, within).ConfigureAwait(false))
                .Version;
        }
    }
}
