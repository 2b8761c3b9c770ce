using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{
    /// <summary>A signed state of the public log: its name, its number of entries, and the root of
    /// their tree.</summary>
    internal sealed class LogState
    {
        internal string Origin;
        internal long Size;
        internal byte[] Root;

        /// <summary>Read the text of a checkpoint. Throws FormatException.</summary>
        internal static LogState Of(string text)
        {
            string[] lines = text.Split('\n');
            if (lines.Length < 3 || !long.TryParse(lines[1], out long size))
                throw new FormatException("This is no checkpoint.");
            return new LogState { Origin = lines[0], Size = size, Root = Convert.FromBase64String(lines[2]) };
        }

        /// <summary>Return the state in a note that all of these keys signed which it names, at
        /// least one. Throws Contradicted.</summary>
        internal static LogState Signed(string note, List<string> keys)
        {
            bool isSigned = false;
            try
            {
                LogState found = Of(SignedNote.TextOf(note));
                foreach (string key in keys)
                {
                    string[] parts = key.Split(new[] { '+' }, 3);
                    foreach (byte[] signature in SignedNote.SignaturesOf(note, found.Origin))
                    {
                        if (parts.Length < 3 || parts[0] != found.Origin) continue;
                        if (SignedNote.HintOf(signature) != parts[1]) continue;
                        if (!SignedNote.IsBy(Key(key), note, signature)) throw new FormatException("false");
                        isSigned = true;
                    }
                }
                if (isSigned) return found;
            }
            catch (FormatException error)
            {
                throw Contradicted.By("checkpoint", "a signed checkpoint", error.Message);
            }
            throw Contradicted.By("checkpoint", "a signature by " + string.Join(" or ", keys), note);
        }

        /// <summary>Return the public key in the text of a key of the log. Throws
        /// FormatException.</summary>
        internal static byte[] Key(string text)
        {
            string[] parts = text.Split(new[] { '+' }, 3);
            byte[] bytes = Convert.FromBase64String(parts[parts.Length - 1]);
            return bytes.Length < 1 ? bytes : SignedNote.Part(bytes, 1);
        }

        /// <summary>Whether a proof leads from an entry to this root (RFC 9162, section
        /// 2.1.3.2).</summary>
        internal bool Has(byte[] leaf, long index, List<string> path)
        {
            long place = index, last = Size - 1;
            byte[] hash = leaf;
            if (place < 0 || place > last) return false;
            foreach (string text in path)
            {
                if (last == 0) return false;
                bool isRight = (place & 1) == 1 || place == last;
                hash = isRight ? Node(Hex.Bytes(text), hash) : Node(hash, Hex.Bytes(text));
                while (isRight && (place & 1) == 0 && place != 0)
                {
                    place >>= 1;
                    last >>= 1;
                }
                place >>= 1;
                last >>= 1;
            }
            return last == 0 && AreSame(hash, Root);
        }

        /// <summary>Whether a proof shows that this state continues an older one (RFC 9162, section
        /// 2.1.4.2).</summary>
        internal bool Continues(LogState old, List<string> path)
        {
            if (old.Size == 0) return true;
            if (old.Size == Size) return path.Count == 0 && AreSame(old.Root, Root);
            if (old.Size > Size || path.Count == 0) return false;
            List<byte[]> hashes = path.ConvertAll(Hex.Bytes);
            if ((old.Size & (old.Size - 1)) == 0) hashes.Insert(0, old.Root);
            long place = old.Size - 1, last = Size - 1;
            for (; (place & 1) == 1; place >>= 1) last >>= 1;
            byte[] first = hashes[0], second = first;
            foreach (byte[] each in hashes.GetRange(1, hashes.Count - 1))
            {
                if (last == 0) return false;
                bool isRight = (place & 1) == 1 || place == last;
                if (isRight) first = Node(each, first);
                second = isRight ? Node(each, second) : Node(second, each);
                while (isRight && (place & 1) == 0 && place != 0)
                {
                    place >>= 1;
                    last >>= 1;
                }
                place >>= 1;
                last >>= 1;
            }
            return last == 0 && AreSame(first, old.Root) && AreSame(second, Root);
        }

        private static byte[] Node(byte[] left, byte[] right)
        {
            return Hashes.Sha256(new byte[] { 1 }, left, right);
        }

        private static bool AreSame(byte[] one, byte[] other)
        {
            return Hex.Text(one) == Hex.Text(other);
        }
    }

    /// <summary>A text with signatures below it, in the form of C2SP signed notes.</summary>
    internal static class SignedNote
    {
        /// <summary>Return what is signed. Throws FormatException.</summary>
        internal static string TextOf(string note)
        {
            return note.Substring(0, EndOf(note) + 1);
        }

        /// <summary>Return the signatures under a name. Throws FormatException.</summary>
        internal static List<byte[]> SignaturesOf(string note, string name)
        {
            var found = new List<byte[]>();
            foreach (string line in note.Substring(EndOf(note) + 2).Split('\n'))
            {
                string[] parts = line.Split(new[] { ' ' }, 3);
                if (parts.Length == 3 && parts[1] == name) found.Add(Convert.FromBase64String(parts[2]));
            }
            return found.FindAll(each => each.Length >= 4);
        }

        /// <summary>Return the hint at the key of a signature, in hex.</summary>
        internal static string HintOf(byte[] signature)
        {
            return Hex.Text(signature).Substring(0, 8);
        }

        internal static bool IsBy(byte[] key, string note, byte[] signature)
        {
            return Ed25519.IsSigned(key, TextOf(note), Part(signature, 4));
        }

        internal static byte[] Part(byte[] bytes, int start)
        {
            var part = new byte[bytes.Length - start];
            Buffer.BlockCopy(bytes, start, part, 0, part.Length);
            return part;
        }

        private static int EndOf(string note)
        {
            int end = (note ?? "").LastIndexOf("\n\n", StringComparison.Ordinal);
            return end >= 0 ? end : throw new FormatException("This note is not signed.");
        }
    }

    /// <summary>The log of a server as a client knows it. Without its public keys, those that are
    /// seen first count.</summary>
    internal sealed class Log
    {
        private const int KeyEntry = 8;
        private const int KeyEntryBytes = 73;
        private const int TriesMax = 5;

        private readonly object gate = new object();
        private readonly Operations api;
        private List<string> keys;
        private LogState newest;

        /// <summary>The keys that sign notes, in hex, and the sizes of the log at which they
        /// count.</summary>
        private Dictionary<string, KeyValuePair<long, long>> signers =
            new Dictionary<string, KeyValuePair<long, long>>();

        internal Log(Operations api, List<string> keys)
        {
            this.api = api;
            this.keys = keys ?? new List<string>();
        }

        /// <summary>The newest state that was seen; null before the first.</summary>
        internal LogState Newest
        {
            get { lock (gate) return newest; }
        }

        /// <summary>Return the keys that count where the server names these.</summary>
        internal List<string> KeysOr(List<string> named)
        {
            lock (gate) return keys.Count > 0 ? keys : named;
        }

        /// <summary>Keep the keys as first seen, and the newest state of the log.</summary>
        internal void Know(List<string> named, LogState seen)
        {
            lock (gate)
            {
                if (keys.Count == 0) keys = named;
                if (newest == null || seen.Size > newest.Size) newest = seen;
            }
        }

        /// <summary>Return the state in a note, which continues an earlier one. Throws
        /// Contradicted.</summary>
        internal LogState Checked(LogState before, string note, List<string> named, List<string> path)
        {
            LogState now = LogState.Signed(note, KeysOr(named));
            bool continues = before == null;
            try
            {
                if (!continues && path != null && before.Origin == now.Origin)
                    continues = now.Continues(before, path);
            }
            catch (FormatException)
            {
                // The proof is no list of hashes.
            }
            if (continues) return now;
            throw Contradicted.By("checkpoint", "one that continues that of " + before.Size + " entries", note);
        }

        /// <summary>Return the newest state of the log, which continues what this client saw of it.
        /// Throws Contradicted.</summary>
        internal async Task<LogState> Check()
        {
            LogState before = Newest;
            Checkpoint found = await Found(before?.Size).ConfigureAwait(false);
            LogState now = Checked(before, found.Note, found.Keys, found.SincePath);
            var named = SignersIn(found, now);
            lock (gate) signers = named;
            Know(found.Keys, now);
            return now;
        }

        /// <summary>Get a checkpoint. A server that reads from a replica may be behind for a
        /// moment.</summary>
        private async Task<Checkpoint> Found(long? since)
        {
            for (int failures = 0; failures < TriesMax; failures++)
            {
                if (failures > 0) await Task.Delay(Patience.Pause(failures - 1)).ConfigureAwait(false);
                try
                {
                    return await api.GetCheckpoint(since).ConfigureAwait(false);
                }
                catch (Problem problem) when (problem.Code == "malformed")
                {
                }
            }
            throw Contradicted.By("checkpoint", "at least " + since + " entries", "fewer");
        }

        /// <summary>Check that a key signed a note which the log names, and at this size does not
        /// end. Throws NoEvidence. A key may be newer than what the client has seen of the
        /// log.</summary>
        internal async Task CheckAuthor(string note, long? size = null)
        {
            for (int checks = 0; checks <= TriesMax; checks++)
            {
                if (checks > 1) await Task.Delay(Patience.Pause(checks - 1)).ConfigureAwait(false);
                if (checks > 0) await Check().ConfigureAwait(false);
                if (HasAuthor(note, size)) return;
            }
            throw new NoEvidence(note);
        }

        private bool HasAuthor(string note, long? size)
        {
            Dictionary<string, KeyValuePair<long, long>> named;
            lock (gate) named = signers;
            try
            {
                if (Newest == null) return false;
                List<byte[]> signatures = SignedNote.SignaturesOf(note, Newest.Origin + "/acknowledgements");
                foreach (var signer in named)
                {
                    bool counts = size == null || (signer.Value.Key <= size && size < signer.Value.Value);
                    byte[] key = Hex.Bytes(signer.Key);
                    if (counts && signatures.Exists(each => SignedNote.IsBy(key, note, each))) return true;
                }
            }
            catch (FormatException)
            {
                // This is no signed note.
            }
            return false;
        }

        /// <summary>Return the keys that sign notes, by the entries of the log that name and end
        /// them. Throws Contradicted.</summary>
        private static Dictionary<string, KeyValuePair<long, long>> SignersIn(Checkpoint found, LogState now)
        {
            var named = new Dictionary<string, KeyValuePair<long, long>>();
            foreach (LogSigner each in found.Signers)
            {
                try
                {
                    byte[] entry = Hex.Bytes(each.Entry);
                    bool isKey = entry.Length == KeyEntryBytes && entry[0] == KeyEntry;
                    if (!isKey || !now.Has(Hashes.Leaf(entry), each.Index, each.Path))
                        throw new FormatException(each.Entry);
                    string key = each.Entry.Substring(50, 64).ToLowerInvariant();
                    bool isKnown = named.TryGetValue(key, out var sizes);
                    named[key] = isKnown
                        ? new KeyValuePair<long, long>(sizes.Key, Math.Min(sizes.Value, each.Index + 1))
                        : new KeyValuePair<long, long>(each.Index + 1, long.MaxValue);
                }
                catch (FormatException error)
                {
                    throw Contradicted.By("signers", "entries of the log that name keys", error.Message);
                }
            }
            return named;
        }
    }
}
