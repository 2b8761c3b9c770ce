using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{
    /// <summary>The types of one game, in each namespace of <c>Railbird.Games</c>.</summary>
    public sealed class GameTypes<TCommand, TEvent, TView>
    {
        public readonly string Slug;
        internal readonly Func<object, TCommand> ReadCommand;
        internal readonly Func<object, TEvent> ReadEvent;
        internal readonly Func<object, TView> ReadView;

        /// <summary>The defaults of commands by type, and the names that lead to each, as JSON.</summary>
        internal readonly string Defaults;

        public GameTypes(
            string slug, Func<object, TCommand> readCommand, Func<object, TEvent> readEvent,
            Func<object, TView> readView, string defaults = "{}")
        {
            Slug = slug;
            ReadCommand = readCommand;
            ReadEvent = readEvent;
            ReadView = readView;
            Defaults = defaults;
        }
    }

    /// <summary>
    /// A client of one user, with a method for every operation.
    ///
    /// It retries requests that are safe to repeat while the server is busy or unreachable. Throws
    /// Problem for an error response, Unreachable when the server does not respond.
    /// </summary>
    public sealed class Client : Operations, IDisposable
    {
        private const int TriesMax = 6;
        private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(30);
        private static readonly TimeSpan AnswerWithin = TimeSpan.FromSeconds(30);
        private static readonly Regex Address = new Regex(@"^https?://[^\s/?#@]+(/[^\s?#]*)?$");

        /// <summary>Requests that get a random id if they have none, to be repeated safely.</summary>
        private static readonly string[] Named = { "/v1/lobbies/", "/lobbies/quick_match/" };

        private readonly string url;
        private readonly Http http;

        /// <summary>The access token of the user; "" for none.</summary>
        public string Token;

        /// <summary>One try of a request may take `timeout` in all, 30 seconds by default.</summary>
        public Client(string url, string token = "", TimeSpan? timeout = null)
        {
            if (!Address.IsMatch(url ?? "") || !Uri.IsWellFormedUriString(url, UriKind.Absolute))
                throw new Misused(url + " is no address: give one like https://railbird.example");
            this.url = url.TrimEnd('/');
            http = new Http(timeout ?? AnswerWithin);
            Token = token ?? "";
        }

        public void Dispose()
        {
            http.Dispose();
        }

        /// <summary>
        /// Open the socket of a game: <c>client.Table(game.Id, ReadySetBet.Game.Types)</c>.
        ///
        /// Without `after`, it begins with a view of the game; with it, with the commit that follows.
        /// With the `key` of the seat, it signs each command.
        /// </summary>
        public Table<TCommand, TEvent, TView> Table<TCommand, TEvent, TView>(
            string game, GameTypes<TCommand, TEvent, TView> types, long? after = null,
            SeatKey key = null)
        {
            if (types == null) throw new Misused("The types of the game are missing.");
            string address = Socket("games/" + Part(game));
            return new Table<TCommand, TEvent, TView>(address, Token, types, after, key);
        }

        /// <summary>Follow the events of a lobby, after this version if it is given.</summary>
        public RoomStream Room(string lobby, long? after = null)
        {
            return new RoomStream(Socket("lobbies/" + Part(lobby)), Token, after);
        }

        /// <summary>Follow open lobbies, of one game or of all.</summary>
        public LobbiesStream Lobbies(string slug = null)
        {
            return new LobbiesStream(Socket("lobbies"), Token, slug);
        }

        /// <summary>Follow the user's notices, after this number if it is given.</summary>
        public InboxStream Inbox(long? after = null)
        {
            return new InboxStream(Socket("me"), Token, after);
        }

        private string Socket(string path)
        {
            http.Check();
            return "ws" + url.Substring("http".Length) + "/ws/v1/" + path;
        }

        protected override async Task<T> Call<T>(
            string method, string path, Func<object, T> read,
            Dictionary<string, object> query = null, Value body = null)
        {
            string text = Body(method, path, body);
            // The server carries each request out once, however often it arrives: by this key, by
            // the id in its body, or because a repetition changes nothing.
            string key = method == "POST" ? Guid.NewGuid().ToString() : null;
            for (int failures = 0; ; failures++)
            {
                TimeSpan wait = TimeSpan.Zero;
                try
                {
                    using (var request = Request(method, path + Query(query), text, key))
                        return await http.Ask(request, read).ConfigureAwait(false);
                }
                catch (Unreachable) when (failures + 1 < TriesMax)
                {
                }
                catch (Problem problem) when (IsPassing(problem) && failures + 1 < TriesMax)
                {
                    wait = problem.RetryAfter;
                }
                await Task.Delay(wait + Patience.Pause(failures)).ConfigureAwait(false);
            }
        }

        private static bool IsPassing(Problem problem)
        {
            bool isLater = problem.Status == 429 || problem.Status == 503;
            return (isLater || Patience.Again.Contains(problem.Code))
                && problem.RetryAfter <= PauseMax;
        }

        private HttpRequestMessage Request(
            string method, string pathAndQuery, string body, string key)
        {
            var request = new HttpRequestMessage(new HttpMethod(method), url + pathAndQuery);
            foreach (char letter in Token ?? "")
            {
                if (letter < ' ' || letter > '~')
                    throw new Misused("The token has characters that no token has.");
            }
            if (!string.IsNullOrEmpty(Token))
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Token);
            // Mono takes what follows an answer for the answer to the next request.
            request.Headers.ConnectionClose = true;
            if (key != null) request.Headers.Add("Idempotency-Key", key);
            if (body != null)
                request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            return request;
        }

        private static string Body(string method, string path, Value body)
        {
            if (body == null) return null;
            Dictionary<string, object> fields = body.ToJson();
            if (method == "POST" && EndsWith(path, Named) && !fields.ContainsKey("id"))
                fields["id"] = Guid.NewGuid().ToString();
            return Json.Write(fields);
        }

        private static string Query(Dictionary<string, object> query)
        {
            var given = new List<string>();
            foreach (var filter in query ?? new Dictionary<string, object>())
            {
                if (filter.Value != null)
                    given.Add(filter.Key + "=" + Uri.EscapeDataString(Json.Words(filter.Value)));
            }
            return given.Count == 0 ? "" : "?" + string.Join("&", given);
        }

        private static bool EndsWith(string path, string[] ends)
        {
            return Array.Exists(ends, end => path.EndsWith(end, StringComparison.Ordinal));
        }
    }
}
