using System;
using System.Collections.Generic;
using System.IO;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

namespace Railbird
{
    /// <summary>A file of one JSON value per line, which survives a crash while a line is
    /// written.</summary>
    internal sealed class LineFile
    {
        /// <summary>Several may be of one file.</summary>
        private static readonly object Gate = new object();
        private readonly string path;

        internal LineFile(string path)
        {
            this.path = path;
        }

        /// <summary>Append a line durably, after cutting off a line that a crash left incomplete.
        /// Throws Misused.</summary>
        internal void Append(object value)
        {
            byte[] line = Hashes.Utf8(Json.Write(value) + "\n");
            lock (Gate)
            {
                try
                {
                    using (var file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite))
                    {
                        long end = file.Length;
                        for (; end > 0; end--)
                        {
                            file.Position = end - 1;
                            if (file.ReadByte() == '\n') break;
                        }
                        file.SetLength(end);
                        file.Position = end;
                        file.Write(line, 0, line.Length);
                        file.Flush(true);
                    }
                }
                catch (Exception error) when (IsOfFile(error))
                {
                    throw new Misused(path + " cannot be written: " + error.Message);
                }
            }
        }

        /// <summary>Return the values in the complete lines, or none without a file. Throws
        /// Misused.</summary>
        internal List<T> Values<T>(Func<object, T> read)
        {
            try
            {
                string text;
                lock (Gate) text = File.Exists(path) ? File.ReadAllText(path) : "";
                var lines = new List<string>(text.Split('\n'));
                return lines.GetRange(0, lines.Count - 1).ConvertAll(line => read(Json.Parse(line)));
            }
            catch (Exception error) when (IsOfFile(error) || error is FormatException)
            {
                throw new Misused(path + " is not a file of this client: " + error.Message);
            }
        }

        private static bool IsOfFile(Exception error)
        {
            return error is IOException || error is UnauthorizedAccessException
                || error is ArgumentException || error is NotSupportedException;
        }
    }

    /// <summary>The content of a signed note about a game: it acknowledges a command, or names the
    /// newest commit that the server showed (a head).</summary>
    internal sealed class Note
    {
        private const string Title = "Railbird acknowledgement 2", HeadTitle = "Railbird head 1";
        private const string HeadNames = "origin name game version hash";
        private const string Names = HeadNames + " seat id command seed at log";
        private static readonly Regex Digits = new Regex(@"^[0-9]{1,16}\z");
        private static readonly Regex OfLog = new Regex(@"^[0-9]{1,18} [0-9a-f]{64}\z");

        internal readonly string Text;
        internal readonly Dictionary<string, string> Fields = new Dictionary<string, string>();

        /// <summary>Read a note. Throws Contradicted for one of another form.</summary>
        internal Note(string text)
        {
            Text = text ?? throw Contradicted.By("acknowledgement", "a signed note", null);
            int end = text.LastIndexOf("\n\n", StringComparison.Ordinal);
            string[] lines = text.Substring(0, Math.Max(end, 0)).Split('\n');
            var names = new List<string>();
            for (int i = 1; i < lines.Length; i++)
            {
                string[] parts = lines[i].Split(new[] { ' ' }, 2);
                names.Add(parts[0]);
                Fields[parts[0]] = parts[parts.Length - 1];
            }
            IsHead = lines[0] == HeadTitle;
            if (string.Join(" ", names) != (IsHead ? HeadNames : Names) || (lines[0] != Title && !IsHead))
                throw new Contradicted(text, "form", Title, lines[0]);
            if (!Digits.IsMatch(Fields["version"]))
                throw new Contradicted(text, "version", "a number", Fields["version"]);
            if (!IsHead && !OfLog.IsMatch(Fields["log"]))
                throw new Contradicted(text, "log", "size and root", Fields["log"]);
        }

        internal bool IsHead { get; private set; }

        internal long Version
        {
            get { return long.Parse(Fields["version"]); }
        }

        /// <summary>The size of the log when it was signed; null for a head.</summary>
        internal long? Size
        {
            get { return IsHead ? (long?)null : long.Parse(Fields["log"].Split(' ')[0]); }
        }

        /// <summary>Compare a field with a known value. Throws Contradicted.</summary>
        internal Note Expect(string field, object known)
        {
            if (Fields[field] != Json.Words(known))
                throw new Contradicted(Text, field, Json.Words(known), Fields[field]);
            return this;
        }

        /// <summary>Compare its command with the one that was sent, which may lack members that have
        /// a default. Throws Contradicted.</summary>
        internal void CheckCommand(object command)
        {
            string sent = Json.Write(command), said = Fields["command"];
            try
            {
                if (Contains(Json.Parse(said), Json.Parse(sent))) return;
            }
            catch (FormatException)
            {
                // It is not JSON.
            }
            throw new Contradicted(Text, "command", sent, said);
        }

        /// <summary>Whether a value has all that another one has; objects may have more
        /// members.</summary>
        private static bool Contains(object whole, object part)
        {
            if (part is Dictionary<string, object> members && whole is Dictionary<string, object> all)
            {
                foreach (var member in members)
                {
                    if (!all.TryGetValue(member.Key, out object found) || !Contains(found, member.Value))
                        return false;
                }
                return true;
            }
            if (!(part is List<object> items) || !(whole is List<object> others))
                return Json.AreSame(part, whole);
            if (items.Count != others.Count) return false;
            for (int i = 0; i < items.Count; i++)
                if (!Contains(others[i], items[i])) return false;
            return true;
        }
    }

    /// <summary>The signed notes of one game in a file of JSON strings, one per line.</summary>
    internal sealed class Notes
    {
        private static readonly TimeSpan CheckEvery = TimeSpan.FromSeconds(1);

        private readonly LineFile file;
        private readonly string game;
        private readonly Log log;
        private readonly object gate = new object();
        private readonly Dictionary<long, Note> acknowledged = new Dictionary<long, Note>();
        private readonly Dictionary<long, Note> heads = new Dictionary<long, Note>();
        private readonly Dictionary<long, string> hashes = new Dictionary<long, string>();
        private Note newest, stored;
        private Task checking = Task.FromResult(true);
        private ServerException failure;

        internal Notes(string path, string game, Log log)
        {
            file = new LineFile(path);
            this.game = game;
            this.log = log;
            foreach (Note note in KeptIn(path))
                if (note.Fields["game"] == game) (note.IsHead ? heads : acknowledged)[note.Version] = note;
        }

        /// <summary>Return the notes in a file. Throws Misused, Contradicted.</summary>
        internal static List<Note> KeptIn(string path)
        {
            return new LineFile(path).Values(Json.Text).ConvertAll(text => new Note(text));
        }

        /// <summary>Store a new acknowledgement, and check it, as soon as the log can be read. Throws
        /// Contradicted, NoEvidence.</summary>
        internal async Task Keep(string text, object command, string id, long version, string hash)
        {
            var note = new Note(text);
            if (note.IsHead) throw new Contradicted(text, "form", "an acknowledgement", "a head");
            note.Expect("game", game).Expect("id", id).Expect("version", version).Expect("hash", hash);
            note.CheckCommand(command);
            Note known;
            lock (gate) acknowledged.TryGetValue(version, out known);
            if (known == null)
            {
                file.Append(text); // before the log, which may be away
            }
            else
            {
                foreach (var field in known.Fields)
                    if (field.Key != "log") note.Expect(field.Key, field.Value);
            }
            // Also if an earlier run kept one: it may have ended before the check.
            await Patience.Persist(() => log.CheckAuthor(text, note.Size)).ConfigureAwait(false);
            lock (gate)
            {
                acknowledged[version] = note;
                if (hashes.TryGetValue(version, out string shown)) note.Expect("hash", shown);
            }
        }

        /// <summary>Compare a commit with the notes about its version. Throws
        /// Contradicted.</summary>
        internal void Compare(long version, string hash)
        {
            lock (gate)
            {
                hashes[version] = hash;
                foreach (var notes in new[] { acknowledged, heads })
                    if (notes.TryGetValue(version, out Note note)) note.Expect("hash", hash);
            }
        }

        /// <summary>Check the head of a commit that was shown, and store it soon. Throws
        /// Contradicted, and for an earlier head NoEvidence if nobody signed it. If the client cannot
        /// read the log, it tries again with the next head.</summary>
        internal void Show(string text, long version, string hash)
        {
            Note note = new Note(text).Expect("game", game).Expect("version", version).Expect("hash", hash);
            lock (gate)
            {
                if (failure != null) throw failure;
                newest = note;
                if (checking.IsCompleted) checking = Task.Run(CheckNowAndThen);
            }
        }

        /// <summary>Store the newest head. Throws Misused.</summary>
        internal void Store()
        {
            lock (gate)
            {
                if (newest != stored) file.Append(newest.Text);
                stored = newest;
            }
        }

        /// <summary>Check that the server signed the last version of the game. Throws
        /// NoEvidence.</summary>
        internal Task CheckEnd(long? version)
        {
            Note last;
            lock (gate) last = newest;
            if (last?.Version != version) throw new NoEvidence(null);
            return log.CheckAuthor(last.Text);
        }

        private async Task CheckNowAndThen()
        {
            Note last = null;
            try
            {
                while (last != newest)
                {
                    last = newest;
                    Store();
                    await log.CheckAuthor(last.Text).ConfigureAwait(false);
                    await Task.Delay(CheckEvery).ConfigureAwait(false);
                }
            }
            catch (ServerException error)
            {
                bool stays = error is NoEvidence || error is Contradicted || error is Misused;
                if (stays) lock (gate) failure = error;
            }
        }
    }
}
