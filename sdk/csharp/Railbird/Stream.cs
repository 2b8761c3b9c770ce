using System;
using System.Collections.Generic;
using System.IO;
using System.Net.WebSockets;
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
        private const int NewsMax = 100000;
        private const int FrameBytesMax = 1 << 24;
        private const int TooSlow = 4408;
        private static readonly TimeSpan SilentMax = TimeSpan.FromSeconds(40);
        private static readonly TimeSpan OpenWithin = TimeSpan.FromSeconds(10);
        private static readonly TimeSpan CloseWithin = TimeSpan.FromSeconds(1);

        /// <summary>Guards all fields.</summary>
        protected readonly object Gate = new object();

        private readonly string address;
        private readonly string token;
        private readonly Queue<TNews> news = new Queue<TNews>();
        private readonly CancellationTokenSource closing = new CancellationTokenSource();
        private readonly SemaphoreSlim sending = new SemaphoreSlim(1);
        private TaskCompletionSource<bool> change = NewSource<bool>();
        private ClientWebSocket socket;
        private Task keeping;
        private int failures;
        private Problem lastError = new Problem("closed", new Dictionary<string, object>());

        /// <summary>Why there will be no further connection, if the user did not close it.</summary>
        protected ServerException Failure;
        protected bool IsClosed;

        internal Stream(string address, string token)
        {
            this.address = address;
            this.token = token;
        }

        // Hooks for subclasses. All are called with the gate held.

        /// <summary>The query of the next connection: "", or from where to resume.</summary>
        internal abstract string Query();

        /// <summary>Handle a frame. Throws Lost when this connection misses frames.</summary>
        internal abstract void Take(IFromGame frame);

        /// <summary>Whether all news have arrived.</summary>
        internal abstract bool IsOver();

        /// <summary>Send again what is unanswered, on a new connection.</summary>
        internal abstract void Resume();

        /// <summary>Called when no further connection will open.</summary>
        internal abstract void End();

        // For users of the stream

        /// <summary>
        /// Wait for news; null at the end. Throws Closed when the server forbids reconnecting, and
        /// FellBehind when too many news are unread.
        /// </summary>
        public async Task<TNews> Next()
        {
            while (true)
            {
                Task changed;
                lock (Gate)
                {
                    if (news.Count > 0) return news.Dequeue();
                    if (Failure != null) throw Failure;
                    if (IsClosed || IsOver()) break;
                    changed = change.Task;
                }
                await changed;
            }
            await Close();
            return null;
        }

        /// <summary>
        /// Close the socket, and wait until it is closed. The outcome of unanswered commands stays
        /// unknown.
        /// </summary>
        public Task Close()
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
            if (news.Count >= NewsMax) throw new FellBehind(NewsMax + " unread news");
            news.Enqueue(found);
        }

        /// <summary>Wake everybody who waits for news.</summary>
        protected void Wake()
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

        /// <summary>Send a frame if connected. The next connection repeats what is unanswered.</summary>
        internal void Say(string frame)
        {
            ClientWebSocket to = socket;
            if (to != null) Task.Run(() => Send(to, frame));
        }

        private void Stop(ServerException failure)
        {
            if (IsClosed) return;
            IsClosed = true;
            Failure = failure;
            if (socket == null) closing.Cancel();
            else HangUp(socket);
            End();
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
                ServerException final = null;
                using (var fresh = new ClientWebSocket())
                {
                    try
                    {
                        await Follow(fresh).ConfigureAwait(false);
                    }
                    catch (Exception error) when (IsLoss(error))
                    {
                    }
                    catch (ServerException error)
                    {
                        final = error;
                    }
                    catch (FormatException error)
                    {
                        final = new ServerException(
                            "The server sent a frame that this client cannot read.", error);
                    }
                    lock (Gate)
                    {
                        socket = null;
                        int code = (int)(fresh.CloseStatus ?? 0);
                        if (final == null && IsFinal(code))
                            final = new Closed(code, lastError.Code, lastError.Data);
                        if (final != null) Stop(final);
                        if (IsClosed || IsOver()) return;
                    }
                }
                try
                {
                    await Task.Delay(Backoff.Pause(failures++), closing.Token).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                    return;
                }
            }
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
                || (code >= 4400 && code < 4500 && code != TooSlow);
        }

        private async Task Follow(ClientWebSocket fresh)
        {
            string query;
            lock (Gate) query = Query();
            using (var opening = CancellationTokenSource.CreateLinkedTokenSource(closing.Token))
            {
                opening.CancelAfter(OpenWithin);
                await fresh.ConnectAsync(new Uri(address + query), opening.Token)
                    .ConfigureAwait(false);
            }
            var hello = new Authenticate { Token = token };
            await Send(fresh, Json.Write(hello)).ConfigureAwait(false);
            lock (Gate)
            {
                if (IsClosed) return;
                socket = fresh;
                Resume();
            }
            string text;
            while ((text = await Receive(fresh).ConfigureAwait(false)) != null)
            {
                lock (Gate)
                {
                    if (IsClosed) continue;
                    failures = 0;
                    Hear(Read.FromGame(Json.Parse(text)));
                }
            }
        }

        private void Hear(IFromGame frame)
        {
            if (frame is Error error) lastError = new Problem(error.Code, error.Data);
            else Take(frame);
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
                    if (whole.Length > FrameBytesMax) throw new Lost();
                    if (result.EndOfMessage)
                        return Encoding.UTF8.GetString(whole.GetBuffer(), 0, (int)whole.Length);
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
}
