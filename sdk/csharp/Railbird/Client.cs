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
    ///
    /// By itself it adds entropy to the draws of the games that it plays, and throws Contradicted if
    /// a game began without it.
    /// </summary>
    public sealed class Client : Operations, IDisposable
    {
        private const int TriesMax = 6;
        private static readonly TimeSpan AnswerWithin = TimeSpan.FromSeconds(30);
        private static readonly Regex Address = new Regex(@"^https?://[^\s/?#@]+(/[^\s?#]*)?$");

        /// <summary>Requests that get a random id if they have none, to be repeated safely.</summary>
        private static readonly string[] Named = { "/v1/lobbies/", "/lobbies/quick_match/" };

        /// <summary>Requests that take a seat.</summary>
        private static readonly string[] Seating =
        {
            "/v1/lobbies/", "/join/", "/quick_match/", "/rematch/",
        };

        private readonly string url;
        private readonly Http http;
        private readonly Log log;
        private readonly Entropies entropies;

        /// <summary>The access token of the user; "" for none.</summary>
        public string Token;

        /// <summary>
        /// One try of a request may take `timeout` in all, 30 seconds by default.
        ///
        /// An `entropyFile` stores the entropy, the proofs and the server's receipts, also for later
        /// runs of the program; then the client also signs its commands, with a new key for each game
        /// that it stores there: nobody else may read the file. `logKeys` are the public keys of the
        /// log; without them, the client keeps to those that it sees first.
        /// </summary>
        public Client(
            string url, string token = "", TimeSpan? timeout = null, bool entropy = true,
            string entropyFile = null, List<string> logKeys = null)
        {
            if (!Address.IsMatch(url ?? "") || !Uri.IsWellFormedUriString(url, UriKind.Absolute))
                throw new Misused(url + " is no address: give one like https://railbird.example");
            this.url = url.TrimEnd('/');
            http = new Http(timeout ?? AnswerWithin);
            Token = token ?? "";
            log = new Log(this, logKeys);
            LineFile file = entropyFile == null ? null : new LineFile(entropyFile);
            entropies = entropy ? new Entropies(this, log, file) : null;
        }

        public void Dispose()
        {
            entropies?.Close();
            http.Dispose();
        }

        /// <summary>
        /// Open the socket of a game: <c>client.Table(game.Id, ReadySetBet.Game.Types)</c>.
        ///
        /// Without `after`, it begins with a view of the game; with it, with the commit that follows.
        /// It signs each command if this client has a key for the seat, or with the `key` of another
        /// device. With a file for `acknowledgements`, every command is acknowledged with a signed
        /// note, which is stored there and compared with the commits that follow; so is the newest
        /// commit that was shown.
        /// </summary>
        public Table<TCommand, TEvent, TView> Table<TCommand, TEvent, TView>(
            string game, GameTypes<TCommand, TEvent, TView> types, long? after = null,
            SeatKey key = null, string acknowledgements = null)
        {
            if (types == null) throw new Misused("The types of the game are missing.");
            string address = Socket("games/" + Part(game));
            Notes notes = acknowledgements == null ? null : new Notes(acknowledgements, game, log);
            return new Table<TCommand, TEvent, TView>(
                address, Token, types, after, game, entropies, key, notes);
        }

        /// <summary>
        /// Compare each signed note in a file with the server's commits, the name of its log and the
        /// seeds of games that have ended; return how many there are. Throws Contradicted, and
        /// NoEvidence for one that no key of the log signed.
        /// </summary>
        public async Task<int> Compare(string acknowledgements)
        {
            List<Note> found = Notes.KeptIn(acknowledgements);
            string origin = found.Count == 0 ? "" : (await log.Check().ConfigureAwait(false)).Origin;
            var games = new Dictionary<string, GameInFull>();
            foreach (Note note in found)
            {
                await log.CheckAuthor(note.Text, note.Size).ConfigureAwait(false);
                string id = note.Fields["game"];
                if (!games.TryGetValue(id, out GameInFull game))
                    games[id] = game = await GetGame(id).ConfigureAwait(false);
                var page = await ListCommits(id, note.Version - 1, 1).ConfigureAwait(false);
                string hash = page.CommitsValue.Count == 0 ? "no commit" : page.CommitsValue[0].Hash;
                note.Expect("origin", origin).Expect("name", game.LogName).Expect("hash", hash);
                if (note.IsHead) continue;
                note.Expect("seed", game.SeedHash);
                if (game.Seed != null) note.Expect("seed", Hex.Text(Hashes.Sha256(Hex.Bytes(game.Seed))));
            }
            return found.Count;
        }

        /// <summary>Add entropy again after RevealedInVain.</summary>
        public void GoOn()
        {
            entropies?.GoOn();
        }

        /// <summary>Leave a lobby and get the buy-in back. When the host leaves, another player
        /// becomes the host; the lobby closes with its last player.</summary>
        public override async Task LeaveLobby(string lobby)
        {
            await base.LeaveLobby(lobby).ConfigureAwait(false);
            entropies?.Leave(lobby);
        }

        /// <summary>Set whether you are ready to start. Throws RevealedInVain and Contradicted when
        /// this client adds no entropy any more.</summary>
        public override async Task<Lobby> SetReady(string lobby, Readiness body)
        {
            if (entropies != null && body.Ready) await entropies.CheckPlace(lobby).ConfigureAwait(false);
            return await base.SetReady(lobby, body).ConfigureAwait(false);
        }

        /// <summary>Start the game of this lobby (host only), and return when it has started. If
        /// players add entropy, all reveal theirs first; throws StartAbandoned if one does
        /// not.</summary>
        public override Task<Start> StartGame(string lobby)
        {
            if (entropies == null) return base.StartGame(lobby);
            return entropies.StartGame(lobby, () => base.StartGame(lobby));
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
            bool seats = entropies != null && method == "POST" && EndsWith(path, Seating);
            if (seats) entropies.CheckInVain();
            string text = Body(method, path, body, seats);
            // The server carries each request out once, however often it arrives: by this key, by
            // the id in its body, or because a repetition changes nothing.
            string key = method == "POST" ? Guid.NewGuid().ToString() : null;
            for (int failures = 0; ; failures++)
            {
                TimeSpan wait = TimeSpan.Zero;
                try
                {
                    using (var request = Request(method, path + Query(query), text, key))
                    {
                        T found = await http.Ask(request, read).ConfigureAwait(false);
                        if (!seats || !(found is Lobby lobby)) return found;
                        return (T)(object)await entropies.Add(lobby).ConfigureAwait(false);
                    }
                }
                catch (Unreachable) when (failures + 1 < TriesMax)
                {
                }
                catch (Problem problem) when (Patience.IsPassing(problem) && failures + 1 < TriesMax)
                {
                    wait = problem.RetryAfter;
                }
                await Task.Delay(wait + Patience.Pause(failures)).ConfigureAwait(false);
            }
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

        private static string Body(string method, string path, Value body, bool commits)
        {
            if (body == null && !commits) return null;
            Dictionary<string, object> fields = body?.ToJson() ?? new Dictionary<string, object>();
            if (commits) fields["commits"] = true;
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
