using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Railbird;
using Railbird.Models;
using ReadySetBet = Railbird.Games.ReadySetBet;

/// <summary>The programs of the client's tests: `decode`, `heal`, `ask`, `play`, `sit`, `start`, `lies`,
/// `overdue`, `signed`, `texts`, `signatures`, `hostile`, `mutations`, `rooms`, `newer` and `problems`.</summary>
public static class Program
{
    public static int Main(string[] arguments)
    {
        Console.WriteLine(Json.Write(Run(arguments).GetAwaiter().GetResult()));
        return 0;
    }

    private static Task<object> Run(string[] arguments)
    {
        switch (arguments[0])
        {
            case "decode": return Task.FromResult(Decode(arguments[1]));
            case "heal": return Heal(arguments[1], arguments[2]);
            case "ask": return Ask(arguments[1], arguments[2]);
            case "play": return Play(arguments[1], arguments[2]);
            case "sit": return Sit(arguments[1], arguments[2], arguments[3]);
            case "start": return StartAgain(arguments);
            case "lies": return Lies(arguments);
            case "overdue":
                Entropies.GraceS = int.Parse(arguments[1]);
                return Lies(arguments.Skip(1).ToArray());
            case "open": return Task.FromResult(Open(arguments[1], arguments[2]));
            case "signed": return PlaySigned(arguments);
            case "texts": return Task.FromResult(Texts(arguments[1]));
            case "signatures": return Task.FromResult(Signatures(arguments[1]));
            case "hostile": return Hostile(arguments[1], arguments[2], arguments[3]);
            case "mutations": return Task.FromResult(Mutations(arguments[1]));
            case "rooms": return Rooms(arguments[1], arguments[2]);
            case "newer": return Newer(arguments[1], arguments[2]);
            default: return Problems(arguments[1]);
        }
    }

    /// <summary>Read values of all games from a file with the types, and write them again.</summary>
    private static object Decode(string file)
    {
        var found = new List<object>();
        foreach (object each in (List<object>)Json.Parse(File.ReadAllText(file)))
        {
            var value = Json.Object(each);
            Type read = Type.GetType("Railbird.Games." + value["game"] + ".Read", true);
            MethodInfo method = read.GetMethod((string)value["kind"]);
            object typed = method.Invoke(null, new[] { value["json"] });
            if (typed is Value) Json.Write(typed);
            found.Add(Plain(typed));
        }
        return found;
    }

    /// <summary>Follow a table through network failures, and play one command.</summary>
    private static async Task<object> Heal(string url, string id)
    {
        var versions = new List<object>();
        using (var client = new Client(url, "a token"))
        using (var table = client.Table("game", AnyGame))
        {
            for (int number = 0; number < 8; number++) versions.Add((await table.Next()).Version);
            object accepted = (await table.Play(Wave, id)).Version;
            News news;
            while ((news = await table.Next()) != null) versions.Add(news.Version);
            return new Dictionary<string, object>
            {
                { "versions", versions }, { "accepted", accepted },
            };
        }
    }

    /// <summary>Play one command, and return the code of its refusal or the failure.</summary>
    private static async Task<object> Ask(string url, string id)
    {
        using (var client = new Client(url, "a token"))
        using (var table = client.Table("game", AnyGame))
        {
            try
            {
                await table.Play(Wave, id);
                return null;
            }
            catch (Problem problem)
            {
                return problem.Code;
            }
            catch (ServerException failure)
            {
                return failure.Message;
            }
            finally
            {
                await table.Close();
            }
        }
    }

    private static readonly object Wave = new Dictionary<string, object> { { "type", "wave" } };

    private static readonly GameTypes<object, object, object> AnyGame =
        new GameTypes<object, object, object>("any", Json.Any, Json.Any, Json.Any);

    /// <summary>Meet each case of a hostile server, and return the outcomes.</summary>
    private static async Task<object> Hostile(string url, string tls, string cases)
    {
        LobbiesStream.Most = Stream<News>.NewsMax = 50;
        var met = new Dictionary<string, Task<string>>();
        var some = new SemaphoreSlim(64); // Mono needs a thread for each.
        foreach (var each in (Dictionary<string, object>)Json.Parse(cases))
            met[each.Key] = InTime(some, () => Meet(url + "/" + each.Key, (string)each.Value));
        met["tls"] = InTime(some, () => Meet(tls + "/tls", "bot"));
        var found = new Dictionary<string, object>();
        foreach (var each in met) found[each.Key] = await each.Value;
        return found;
    }

    private static async Task<string> InTime(SemaphoreSlim some, Func<Task<string>> meet)
    {
        await some.WaitAsync();
        try
        {
            Task<string> met = meet();
            Task late = Task.Delay(TimeSpan.FromSeconds(100));
            return await Task.WhenAny(met, late) == late ? "hangs" : await met;
        }
        finally
        {
            some.Release();
        }
    }

    private static async Task<string> Meet(string address, string does)
    {
        using (var client = new Client(address, "SECRET", TimeSpan.FromSeconds(does == "drip" ? 0.25 : 60)))
        {
            try
            {
                switch (does)
                {
                    case "get": await client.GetLobby("x"); return "ok";
                    case "leave": await client.LeaveLobby("x"); return "ok";
                    case "drip": await client.AddBot("x"); return "ok";
                    case "join": await client.JoinLobby("x"); return "ok";
                    case "bot": await client.AddBot("x"); return "ok";
                    case "unsent":
                        await client.CreateLobby(new NewLobby { Slug = "x", Options = new object() });
                        return "ok";
                    case "odd": await client.GetLobby("../x?y#zé"); return "ok";
                    case "up": await client.GetLobby(".."); return "ok";
                    case "twice":
                        await client.GetLobby("x");
                        bool isSecond = (await client.GetLobby("x")).Id == "a";
                        return isSecond ? "ok" : "the second answer to the first";
                    case "room":
                        using (var room = client.Room("a")) return await AllEvents(room);
                    case "inbox":
                        using (var inbox = client.Inbox(after: 0)) return await TwoOf(inbox);
                    case "lobbies":
                        using (var lobbies = client.Lobbies()) return await TwoOf(lobbies);
                }
                using (var table = client.Table("game", ReadySetBet.Game.Types))
                    return await MeetAtTable(table, does);
            }
            catch (ServerException error)
            {
                return error.Code;
            }
            catch (Exception error)
            {
                return "foreign: " + error;
            }
        }
    }

    private static async Task<string> MeetAtTable(
        Table<ReadySetBet.ICommand, ReadySetBet.IEvent, ReadySetBet.ReadySetBetView> table,
        string does)
    {
        var bet = new ReadySetBet.PlaceBet { Spot = "win:7:r", Token = 5 };
        switch (does)
        {
            case "slow": return (await table.Look(Timeout.InfiniteTimeSpan)).Version.ToString();
            case "look": return (await table.Look(TimeSpan.MaxValue)).Version.ToString();
            case "never": return (await table.Look(TimeSpan.FromSeconds(1))).Version.ToString();
            case "play": return (await table.Play(bet)).Version.ToString();
            case "odd play": return (await table.Play(new NoCommand())).Version.ToString();
            case "hurry":
                return (await table.Play(bet, within: TimeSpan.FromSeconds(1))).Version.ToString();
            case "chat": return (await table.SendMessage("Good evening")).ToString();
            case "legal": return (await table.LegalCommands()).Commands.Count.ToString();
            case "wait":
                Task waiting = Task.Delay(1000);
                Task<string> read = AllNews(table);
                return await Task.WhenAny(read, waiting) == waiting ? "waiting" : await read;
            case "limit":
                try
                {
                    await table.LegalCommands(0);
                    return "ok";
                }
                catch (Problem problem)
                {
                    return problem.Code + " " + (await table.Look()).Version;
                }
            default: return await AllNews(table);
        }
    }

    /// <summary>A command that JSON cannot express.</summary>
    private sealed class NoCommand : Value, ReadySetBet.ICommand
    {
        public override Dictionary<string, object> ToJson()
        {
            return new Dictionary<string, object> { { "token", double.NaN } };
        }
    }

    private static async Task<string> AllNews<TCommand, TEvent, TView>(
        Table<TCommand, TEvent, TView> table)
    {
        var found = new List<string>();
        News news;
        while ((news = await table.Next()) != null) found.Add(news.Version.ToString());
        found.Add("end");
        return string.Join(" ", found);
    }

    private static async Task<string> AllEvents(RoomStream room)
    {
        var found = new List<string>();
        RoomNews news;
        while ((news = await room.Next()) != null)
        {
            if (news.Presence != null) continue;
            if (news.Events.Count == 0) found.Add(news.Version.ToString());
            foreach (LobbyEvent each in news.Events) found.Add(each.Version.ToString());
        }
        found.Add("end");
        return string.Join(" ", found);
    }

    /// <summary>Return the numbers of the first two notices.</summary>
    private static async Task<string> TwoOf(InboxStream inbox)
    {
        var found = new List<string>();
        while (found.Count < 2)
        {
            foreach (Notice each in (await inbox.Next()).NoticesValue)
                found.Add(each.Number.ToString());
        }
        return string.Join(" ", found);
    }

    /// <summary>Return the ids of the first list of several lobbies.</summary>
    private static async Task<string> TwoOf(LobbiesStream lobbies)
    {
        List<Lobby> found;
        while ((found = await lobbies.Next()) != null)
        {
            if (found.Count > 1) return string.Join(" ", found.ConvertAll(each => each.Id));
        }
        return "end";
    }

    /// <summary>Follow a lobby and the list of lobbies through network failures.</summary>
    private static async Task<object> Rooms(string url, string listUrl)
    {
        var heard = new List<object>();
        var lists = new List<object>();
        using (var client = new Client(url, "a token"))
        using (var room = client.Room("a"))
        {
            RoomNews news;
            while ((news = await room.Next()) != null)
            {
                if (news.Presence != null) heard.Add("presence");
                else heard.Add(news.Events.ConvertAll(each => new List<object> { each.Version, Kind(each.Event) }));
            }
        }
        using (var client = new Client(listUrl, "a token"))
        using (var lobbies = client.Lobbies("x"))
        {
            while (lists.Count < 3) lists.Add((await lobbies.Next()).ConvertAll(each => each.Id));
        }
        return new List<object> { heard, lists };
    }

    private static string Kind(ILobbyEventEvent happened)
    {
        return happened is Railbird.Models.Unknown unknown ? unknown.Type : ReadyChanged.Type;
    }

    /// <summary>Read damaged frames; return how many were read, and what else was thrown.</summary>
    private static object Mutations(string file)
    {
        long read = 0;
        var foreign = new List<object>();
        foreach (string text in File.ReadAllText(file).Split('\n'))
        {
            try
            {
                Railbird.Models.Read.FromGame(Json.Parse(text));
                Railbird.Models.Read.Lobby(Json.Parse(text));
                read++;
            }
            catch (FormatException)
            {
            }
            catch (Exception error)
            {
                foreign.Add(error.GetType().Name + " " + text);
            }
        }
        return new Dictionary<string, object> { { "read", read }, { "foreign", foreign } };
    }

    /// <summary>Call each operation of a newer server so many times, and follow a table; return
    /// what was read.</summary>
    private static async Task<object> Newer(string url, string calls)
    {
        var failed = new List<object>();
        var versions = new List<object>();
        var answers = new List<object>();
        var events = new List<object>();
        using (var client = new Client(url, "SECRET"))
        {
            foreach (object each in (List<object>)Json.Parse(calls))
            {
                var call = (List<object>)each;
                MethodInfo method = typeof(Operations).GetMethod(Pascal((string)call[0]));
                for (long nth = 0; nth < (long)call[2]; nth++)
                {
                    try
                    {
                        object[] given = Array.ConvertAll(method.GetParameters(), Given);
                        await (Task)method.Invoke(client, given);
                    }
                    catch (Problem problem)
                    {
                        if (problem.Code != "brand_new" || nth != (long)call[2] - 1)
                            failed.Add(call[0] + ": " + problem);
                    }
                    catch (Exception error)
                    {
                        failed.Add(call[0] + ": " + error);
                    }
                }
            }
            using (var table = client.Table("x", AnyGame))
            {
                News news;
                while ((news = await table.Next()) != null) versions.Add(news.Version);
            }
            using (var table = client.Table("x", AnyGame))
            {
                answers.Add((await table.Look()).Version);
                answers.Add((await table.LegalCommands()).Version);
                answers.Add((await table.Play(Wave)).Version);
                answers.Add(await table.SendMessage("Good evening"));
            }
            using (var room = client.Room("x"))
            {
                RoomNews news;
                while ((news = await room.Next()) != null)
                    if (news.Presence == null) events.Add((long)news.Events.Count);
            }
            using (var lobbies = client.Lobbies()) await lobbies.Next();
            using (var inbox = client.Inbox()) await inbox.Next();
        }
        return new Dictionary<string, object>
        {
            { "failed", failed }, { "versions", versions }, { "answers", answers },
            { "events", events },
        };
    }

    /// <summary>Return an argument: what can be left out is.</summary>
    private static object Given(ParameterInfo parameter)
    {
        if (parameter.HasDefaultValue) return parameter.DefaultValue;
        if (parameter.ParameterType == typeof(string)) return "x";
        if (parameter.ParameterType == typeof(long)) return 1L;
        return Activator.CreateInstance(parameter.ParameterType);
    }

    private static string Pascal(string name)
    {
        return string.Concat(Array.ConvertAll(
            name.Split('_'), word => char.ToUpperInvariant(word[0]) + word.Substring(1)));
    }

    /// <summary>Two guests play a game behind a proxy; return what one of them read.</summary>
    private static async Task<object> Play(string url, string proxy)
    {
        using (var ann = await Guest(url, "Ann"))
        using (var ben = await Guest(url, "Ben"))
        {
            var wanted = new NewLobby
            {
                Slug = Quick.Slug, Options = Quick.Options, Title = "Ann's é \"table\"",
            };
            Lobby lobby = await ann.CreateLobby(wanted);
            PageLobby listed = await ben.ListLobbies(slug: "ready_set_bet");
            if (!listed.Items.Exists(each => each.Id == lobby.Id && each.Title == lobby.Title))
                throw new Exception("The lobby is not listed.");
            await ben.JoinLobby(lobby.Id);
            await ben.SetReady(lobby.Id, new Readiness { Ready = true });
            Start game = await ann.StartGame(lobby.Id);
            using (var roaming = new Client(proxy, ben.Token))
            using (var table = roaming.Table(game.Id, ReadySetBet.Game.Types, after: 0))
            {
                var accepted = new List<object>();
                var over = new CancellationTokenSource();
                Task playing = PlayOn(table, accepted, over.Token);
                var commits = new List<object>();
                News news;
                while ((news = await table.Next()) != null)
                {
                    commits.Add(Plain(news));
                    if (news.NextAt == null) over.Cancel();
                }
                over.Cancel();
                await playing;
                return new Dictionary<string, object>
                {
                    { "game", game.Id }, { "token", ben.Token }, { "accepted", accepted },
                    { "commits", commits },
                };
            }
        }
    }

    private static readonly NewLobby Quick = new NewLobby
    {
        Slug = ReadySetBet.Game.Types.Slug,
        Options = new ReadySetBet.ReadySetBetOptions { RollMs = 50, PauseMs = 50, Races = 1 },
    };

    /// <summary>Take a seat, play a signed command, and follow the game to its end; return the token
    /// and how many notes were kept. The files are in a folder.</summary>
    private static async Task<object> Sit(string url, string id, string folder)
    {
        string notes = Path.Combine(folder, "notes");
        using (var client = await Guest(url, "Tess", Path.Combine(folder, "entropy")))
        {
            Lobby lobby = await client.JoinLobby(id);
            await client.SetReady(id, new Readiness { Ready = true });
            using (var room = client.Room(id, after: lobby.Version))
            {
                while (lobby.Game == null) lobby = (await room.Next()).Lobby ?? lobby;
            }
            using (var table = client.Table(lobby.Game, ReadySetBet.Game.Types, acknowledgements: notes))
            {
                await PlayBet(table);
                while (await table.Next() != null) { }
            }
            long kept = await client.Compare(notes);
            return new Dictionary<string, object> { { "token", client.Token }, { "kept", kept } };
        }
    }

    /// <summary>Start the game of a lobby in which an earlier run took the seat, given by url, token,
    /// lobby and the file that it kept; return the game.</summary>
    private static async Task<object> StartAgain(string[] given)
    {
        using (var client = new Client(given[1], given[2], entropyFile: given[4]))
            return (await client.StartGame(given[3])).Id;
    }

    /// <summary>Return the least processor time, in milliseconds, of a few times in which files of
    /// entropy and notes are opened.</summary>
    private static object Open(string entropy, string notes)
    {
        double least = double.MaxValue;
        for (int time = 0; time < 5; time++)
        {
            TimeSpan began = Process.GetCurrentProcess().TotalProcessorTime;
            using (var client = new Client("http://127.0.0.1:9", "a token", entropyFile: entropy))
                Notes.KeptIn(notes);
            least = Math.Min(least, (Process.GetCurrentProcess().TotalProcessorTime - began).TotalMilliseconds);
        }
        return least;
    }

    /// <summary>Host a game on each of these servers, which lie or refuse; return what was
    /// found.</summary>
    private static async Task<object> Lies(string[] urls)
    {
        Patience.FirstS = 0.02;
        Entropies.SeedTries = 50;
        var some = new SemaphoreSlim(4); // More of them would miss the deadline for reveals.
        var found = new List<Task<string>>();
        for (int i = 1; i < urls.Length; i++)
        {
            string url = urls[i];
            found.Add(InTime(some, () => LieOf(url)));
        }
        return new List<object>(await Task.WhenAll(found));
    }

    private static async Task<string> LieOf(string url)
    {
        try
        {
            using (var client = await Guest(url, "Tess"))
            {
                Lobby lobby = await client.CreateLobby(Quick);
                await client.AddBot(lobby.Id);
                await client.SetReady(lobby.Id, new Readiness { Ready = true });
                Start game = await client.StartGame(lobby.Id);
                using (var table = client.Table(game.Id, ReadySetBet.Game.Types, after: 0))
                    while (await table.Next() != null) { }
                return "nothing";
            }
        }
        catch (ServerException error)
        {
            return (error as Contradicted)?.Field ?? error.Code;
        }
    }

    /// <summary>Play a command with the key of another device, given by url, token, game, origin,
    /// name, seat and secret; return its version.</summary>
    private static async Task<object> PlaySigned(string[] given)
    {
        var key = new SeatKey(given[7])
        {
            Origin = given[4], Name = given[5], Seat = long.Parse(given[6]),
        };
        using (var client = new Client(given[1], given[2]))
        using (var table = client.Table(given[3], ReadySetBet.Game.Types, key: key))
            return await PlayBet(table);
    }

    /// <summary>Play the first bet that is accepted; return its version.</summary>
    private static async Task<long> PlayBet(
        Table<ReadySetBet.ICommand, ReadySetBet.IEvent, ReadySetBet.ReadySetBetView> table)
    {
        while (true)
        {
            await table.Next();
            var legal = (await table.LegalCommands(500)).Commands;
            var bet = (ReadySetBet.PlaceBet)legal.Find(
                each => each is ReadySetBet.PlaceBet one && one.Bonus == null);
            try
            {
                if (bet != null) return (await table.Play(bet)).Version;
            }
            catch (Problem problem) when (problem.Code == "spot_taken")
            {
                // Another player was faster.
            }
        }
    }

    /// <summary>Return which texts of a server a client signs for which commands, given the name of
    /// a game, a command and a text for each.</summary>
    private static object Texts(string file)
    {
        var found = new List<object>();
        foreach (object each in (List<object>)Json.Parse(File.ReadAllText(file)))
        {
            var given = (List<object>)each;
            Type game = Type.GetType("Railbird.Games." + Pascal((string)given[0]) + ".Game");
            object types = game?.GetField("Types").GetValue(null) ?? AnyGame;
            const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;
            var defaults = (string)types.GetType().GetField("Defaults", Hidden).GetValue(types);
            var signing = new Signing(defaults, given[1]);
            var data = new Dictionary<string, object> { { "reason", "wrong" }, { "command", given[2] } };
            found.Add(signing.GoesOn("signature_refused", data) && signing.Text == (string)given[2]);
        }
        return found;
    }

    /// <summary>Return the public key of each secret, its signature of a text, and whether another
    /// key and signature fit that.</summary>
    private static object Signatures(string file)
    {
        var found = new List<object>();
        foreach (object each in (List<object>)Json.Parse(File.ReadAllText(file)))
        {
            List<string> given = Json.List(Json.Text)(each);
            byte[] secret = Hex.Bytes(given[0]), key = Hex.Bytes(given[2]), signature = Hex.Bytes(given[3]);
            found.Add(new List<object>
            {
                new SeatKey(given[0]).Public, Hex.Text(Ed25519.Sign(secret, given[1])),
                Ed25519.IsSigned(key, given[1], signature),
            });
        }
        return found;
    }

    private static async Task<Client> Guest(string url, string name, string file = null)
    {
        var client = new Client(url, entropyFile: file);
        client.Token = (await client.CreateGuest(new NewGuest { DisplayName = name })).Token;
        return client;
    }

    /// <summary>Play random legal commands until the game is over.</summary>
    private static async Task PlayOn(
        Table<ReadySetBet.ICommand, ReadySetBet.IEvent, ReadySetBet.ReadySetBetView> table,
        List<object> accepted, CancellationToken over)
    {
        var chance = new Random(11);
        while (!over.IsCancellationRequested)
        {
            try
            {
                var legal = (await table.LegalCommands()).Commands;
                if (legal.Count > 0)
                    accepted.Add((await table.Play(legal[chance.Next(legal.Count)])).Version);
                await Task.Delay(100);
            }
            catch (Problem problem)
            {
                if (problem.Version == null) throw; // Not a rejection by the rules.
            }
            catch (ServerException)
            {
                return; // The game has ended meanwhile.
            }
        }
    }

    /// <summary>Ask for what the server refuses, and a server that is not there.</summary>
    private static async Task<object> Problems(string url)
    {
        var found = new List<object>();
        using (var client = await Guest(url, "Tess"))
        {
            try
            {
                await client.CreateLobby(new NewLobby { Slug = "chess" });
            }
            catch (Problem problem)
            {
                found.Add(problem.Code + " " + problem.Status);
            }
            try
            {
                await client.Table(Guid.NewGuid().ToString(), AnyGame).Next();
            }
            catch (Closed closed)
            {
                found.Add(closed.Code + " " + closed.CloseCode);
            }
            try
            {
                await new Client("http://127.0.0.1:9", null, TimeSpan.MaxValue).CreateGuest();
            }
            catch (Unreachable)
            {
                found.Add("unreachable");
            }
            var left = new Client(url);
            left.Dispose();
            var ended = client.Table("x", AnyGame);
            ended.Dispose();
            Action[] wrong =
            {
                () => left.GetLobby("x").GetAwaiter().GetResult(),
                () => ended.Look().GetAwaiter().GetResult(),
                () => new Client(null),
                () => client.Table<object, object, object>("x", null),
                () => left.Lobbies(),
                () => new SeatKey("-1"),
                () => new SeatKey(new string('0', 65)),
            };
            foreach (Action call in wrong)
            {
                try
                {
                    call();
                }
                catch (Misused)
                {
                    found.Add("misused");
                }
            }
        }
        return found;
    }

    /// <summary>Return a typed value as JSON by its fields, in the names of the server.</summary>
    private static object Plain(object value)
    {
        if (value == null || value is string || value is bool || value is long || value is double)
            return value;
        if (value is DateTimeOffset) return Json.Words(value);
        if (value is IDictionary fields)
        {
            var plain = new Dictionary<string, object>();
            foreach (DictionaryEntry field in fields)
                plain[(string)field.Key] = Plain(field.Value);
            return plain;
        }
        if (value is IEnumerable items)
        {
            var plain = new List<object>();
            foreach (object item in items) plain.Add(Plain(item));
            return plain;
        }
        var found = new Dictionary<string, object>();
        Type type = value.GetType();
        foreach (FieldInfo field in type.GetFields())
        {
            // A field that is called like its type has another name in C#.
            string name = field.Name == type.Name + "Value" ? type.Name : field.Name;
            found[Snake(name)] = Plain(field.GetValue(value));
        }
        return found;
    }

    private static string Snake(string name)
    {
        var text = new StringBuilder();
        foreach (char letter in name)
        {
            if (char.IsUpper(letter) && text.Length > 0) text.Append('_');
            text.Append(char.ToLowerInvariant(letter));
        }
        return text.ToString();
    }
}
