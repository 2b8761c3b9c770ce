using System;
using System.Collections.Generic;
using Railbird.Models;

namespace Railbird
{
    /// <summary>
    /// Entropy for one attempt to start a game. `Sealed` is what the client checked before the
    /// reveal, with the links from the start before; `Receipt` is the server's, after it. With a
    /// private `Key`, new for each attempt, the client signs the seat and its commands. `InVain` is
    /// set once its start has ended: how many reveals in a row have led to no game since; `Before`
    /// once its game has started, until that is voided: how many there were before.
    /// </summary>
    internal sealed class Kept : Value
    {
        private const string ReceiptTitle = "Railbird reveal 2";
        private static readonly string[] Terms = { "buy_in", "prizes", "capacity", "absence", "absence_s", "keys" };

        internal string Lobby, Slug, SeedHash, Entropy, Key, Receipt;
        internal Opening Opening;
        internal long Seat;
        internal long? InVain, Before;
        internal Commitments Sealed;
        internal List<PersonLink> Links = new List<PersonLink>();

        public override Dictionary<string, object> ToJson()
        {
            object proof = Sealed == null ? null : new Dictionary<string, object>
            {
                { "commitments", Sealed }, { "links", Links },
            };
            return new Dictionary<string, object>
            {
                { "lobby", Lobby }, { "slug", Slug }, { "seed_hash", SeedHash }, { "opening", Opening },
                { "seat", Seat }, { "entropy", Entropy }, { "key", Key }, { "sealed", proof },
                { "receipt", Receipt }, { "in_vain", InVain }, { "before", Before },
            };
        }

        /// <summary>Read what `ToJson` wrote. Throws FormatException.</summary>
        internal static Kept Of(object json)
        {
            Dictionary<string, object> fields = Json.Object(json);
            var kept = new Kept
            {
                Lobby = Json.Text(Json.Field(fields, "lobby")),
                Slug = Json.Text(Json.Field(fields, "slug")),
                SeedHash = Json.Text(Json.Field(fields, "seed_hash")),
                Opening = Read.Opening(Json.Field(fields, "opening")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Entropy = Json.Text(Json.Field(fields, "entropy")),
                Key = Json.Maybe(Json.Text)(Json.Field(fields, "key")),
                Receipt = Json.Maybe(Json.Text)(Json.Field(fields, "receipt")),
                InVain = Json.Nullable(Json.Long)(Json.Field(fields, "in_vain")),
                Before = Json.Nullable(Json.Long)(Json.Field(fields, "before")),
            };
            object proof = Json.Field(fields, "sealed");
            if (proof == null) return kept;
            kept.Sealed = Read.Commitments(Json.Field(Json.Object(proof), "commitments"));
            kept.Links = Json.List(Read.PersonLink)(Json.Field(Json.Object(proof), "links"));
            return kept;
        }

        /// <summary>The log as this client saw it at the reveal.</summary>
        internal LogState Log
        {
            get { return LogState.Of(Sealed.Checkpoint); } // checked before it was kept
        }

        /// <summary>The hash that the server receives before the start.</summary>
        internal string Commitment
        {
            get { return CommitmentOf(Seat, Entropy); }
        }

        /// <summary>What the server receives: with a key, the client also signs for the seat.</summary>
        internal NewCommitment Given
        {
            get
            {
                var given = new NewCommitment { Opened = Opening.Hash, Commitment = Commitment };
                if (Key == null) return given;
                var key = new SeatKey(Key);
                given.Key = key.Public;
                given.Signature = key.SignSeat(Opening.Hash, Seat, Commitment);
                return given;
            }
        }

        /// <summary>The key for commands at this seat; null without one.</summary>
        internal SeatKey SeatKey
        {
            get
            {
                if (Key == null || Sealed == null) return null;
                long seat = Sealed.Rows.FindIndex(row => row.Place == Seat);
                return new SeatKey(Key) { Origin = Log.Origin, Name = Opening.Name, Seat = seat };
            }
        }

        /// <summary>Whether this is for the current attempt and for the seat that the client
        /// has.</summary>
        internal bool Fits(Lobby lobby)
        {
            return Opening.Hash == lobby.Opening.Hash && Seat == lobby.YourSeat;
        }

        private Contradicted Wrong(string field, object expected, object found)
        {
            return new Contradicted(Receipt, field, Json.Write(expected), Json.Write(found));
        }

        private void Expect(string field, object expected, object found)
        {
            expected = Json.Parse(Json.Write(expected));
            if (!Json.AreSame(expected, found)) throw Wrong(field, expected, found);
        }

        // The opening

        /// <summary>Check that the opening of a lobby covers what the lobby shows. Throws
        /// Contradicted.</summary>
        internal static void CheckOpening(Lobby lobby)
        {
            Opening said = lobby.Opening;
            byte[] entry;
            object options;
            Dictionary<string, object> table;
            try
            {
                entry = EntryOf(lobby);
                options = Json.Parse(said.OptionsText);
                table = Json.Object(Json.Parse(said.TableText));
                WitnessesIn(said);
            }
            catch (FormatException error)
            {
                throw Contradicted.By("opening", "hex and numbers", error.Message);
            }
            var shown = new Kept();
            shown.Expect("entry", Hex.Text(entry), said.Entry);
            shown.Expect("hash", Hex.Text(Hashes.Leaf(entry)), said.Hash);
            shown.Expect("options", lobby.Options, options);
            object[] known =
            {
                lobby.BuyIn, lobby.Prizes, lobby.Capacity, lobby.Absence, lobby.AbsenceS, lobby.Keys,
            };
            for (int i = 0; i < known.Length; i++)
                shown.Expect(Terms[i], known[i], Json.Field(table, Terms[i]));
            DecidedWithin(said);
        }

        /// <summary>Return the log entry that opens what a lobby shows. Throws
        /// FormatException.</summary>
        private static byte[] EntryOf(Lobby lobby)
        {
            Opening said = lobby.Opening;
            byte[] seed = Hex.Bytes(lobby.SeedHash);
            byte[] terms = Hashes.Named("terms", Hashes.Framed(
                Hex.Bytes(said.Salt), Hashes.Id(said.Game), Hashes.Utf8(lobby.Slug),
                Hashes.Number(said.RulesVersion, 4), Hashes.Utf8(said.Edition),
                Hashes.Utf8(said.OptionsText), Hashes.Utf8(said.TableText), seed));
            byte[] ended = said.Abandoned == null ? new byte[32] : Hex.Bytes(said.Abandoned);
            return Hashes.Joined(new byte[] { 6 }, Hashes.Id(said.Name), new byte[8], terms, seed, ended);
        }

        /// <summary>Return the public keys of the witnesses that add to the dice of a game. Throws
        /// FormatException.</summary>
        internal static List<string> WitnessesIn(Opening opening)
        {
            Dictionary<string, object> table = Json.Object(Json.Parse(opening.TableText));
            return Json.List(Json.Text)(Json.Field(table, "witnesses"));
        }

        /// <summary>Return the seconds that the terms allow from the freeze of the seats to the game.
        /// Throws Contradicted.</summary>
        internal static long DecidedWithin(Opening opening)
        {
            long all = 0;
            try
            {
                Dictionary<string, object> table = Json.Object(Json.Parse(opening.TableText));
                Dictionary<string, object> deadlines = Json.Object(Json.Field(table, "deadlines"));
                foreach (string name in new[] { "committed_s", "revealed_s", "started_s" })
                {
                    long seconds = Json.Long(Json.Field(deadlines, name));
                    if (seconds < 0 || seconds > int.MaxValue) throw new FormatException(name + " " + seconds);
                    all += seconds;
                }
            }
            catch (FormatException error)
            {
                throw Contradicted.By("deadlines", "numbers of seconds", error.Message);
            }
            return all;
        }

        /// <summary>Check that a later attempt is one of the same game, with this attempt's
        /// witnesses. Throws Contradicted.</summary>
        internal void CheckNext(Lobby lobby)
        {
            if (Opening.Hash != lobby.Opening.Hash && lobby.Opening.Abandoned == null)
                throw Wrong("opened", Opening.Hash, lobby.Opening.Hash);
            if (Opening.Game != lobby.Opening.Game) throw Wrong("game", Opening.Game, lobby.Opening.Game);
            List<string> next = WitnessesIn(lobby.Opening), own = WitnessesIn(Opening);
            if (!own.TrueForAll(next.Contains)) throw Wrong("witnesses", own, next);
        }

        /// <summary>Check that a seat has this commitment. Throws Contradicted.</summary>
        internal void CheckCommitted(Seat seat)
        {
            if (seat.Commitment != Commitment) throw Wrong("commitment", Commitment, seat.Commitment);
        }

        // The seats in the log

        /// <summary>
        /// Check that the log has fixed all seats of a lobby, with this commitment and key, and
        /// nothing that the lobby does not show, in a state `now` of the log. Throws Contradicted,
        /// FormatException.
        /// </summary>
        internal void CheckSeats(Commitments found, Lobby lobby, LogState now)
        {
            int witnesses = WitnessesIn(lobby.Opening).Count;
            if (found.Promises.Count != witnesses) throw Wrong("promises", (long)witnesses, found.Promises);
            CheckRows(found, lobby);
            byte[] rows = Hashes.Framed(
                Hashes.Framed(Parts(found.Rows)), Hashes.Framed(found.Promises.ConvertAll(Hex.Bytes).ToArray()));
            byte[] digest = Hashes.Named("committed", Hashes.Joined(Hex.Bytes(found.RowsSalt), rows));
            byte[] entry = Hashes.Joined(
                new byte[] { 11 }, Hashes.Id(lobby.Opening.Name), new byte[8],
                Hex.Bytes(lobby.Opening.Hash), digest);
            byte[] leaf = Hashes.Leaf(entry);
            Expect("entry", Hex.Text(entry), found.Entry);
            Expect("hash", Hex.Text(leaf), found.Hash);
            if (!now.Has(leaf, found.Index, found.Path))
                throw Wrong("path", "a proof of the entry", "another");
            PersonLink link = found.YourLink;
            string opened = found.Rows.Find(row => row.Place == Seat).Link;
            if (link.Opened != Opening.Hash || PersonLinks.HashOf(link) != opened)
                throw Wrong("link", opened, PersonLinks.HashOf(link));
        }

        private static byte[][] Parts(List<CommittedSeat> rows)
        {
            var parts = new List<byte[]>();
            foreach (CommittedSeat row in rows)
            {
                parts.Add(Hashes.Number(row.Place, 2));
                foreach (string text in new[] { row.Person, row.Key, row.Commitment, row.Signature, row.Link })
                    parts.Add(Hex.Bytes(text ?? ""));
            }
            return parts.ToArray();
        }

        private void CheckRows(Commitments found, Lobby lobby)
        {
            var seats = new List<Seat>(lobby.Seats);
            seats.Sort((one, other) => one.Number.CompareTo(other.Number));
            List<object> shown = seats.ConvertAll(
                seat => (object)(seat.Number + " " + (seat.User == null ? null : seat.Commitment)));
            List<object> rows = found.Rows.ConvertAll(row => (object)(row.Place + " " + row.Commitment));
            Expect("rows", shown, rows);
            for (int i = 0; i < seats.Count; i++)
            {
                CommittedSeat row = found.Rows[i];
                bool isBot = seats[i].User == null;
                if (isBot != (row.Person == null) || isBot != (row.Link == null))
                    throw Wrong("person", seats[i].User, row.Person);
                if (row.Place != Seat) continue;
                byte[] said = Hashes.Joined(
                    Hex.Bytes(Opening.Hash), Hashes.Number(Seat, 2), Hex.Bytes(found.YourSalt),
                    Hashes.Id(seats[i].User));
                Expect("commitment", Hex.Text(Hashes.Named("person", said)), row.Person);
                Expect("commitment", Commitment, row.Commitment);
                NewCommitment given = Given;
                Expect("rows", new List<object> { given.Key, given.Signature },
                    new List<object> { row.Key, row.Signature });
            }
        }

        // The receipt

        /// <summary>Check the receipt of the reveal. Throws Contradicted.</summary>
        internal void CheckReceipt(string note)
        {
            if (note == null) throw Wrong("receipt", "a signed note", null);
            string[] names =
            {
                "origin", "name", "game", "opened", "committed", "seat", "commitment", "entropy",
            };
            string[] known =
            {
                null, Opening.Name, Opening.Game, Opening.Hash, Sealed?.Hash, Seat.ToString(),
                Commitment, Entropy,
            };
            int end = note.LastIndexOf("\n\n", StringComparison.Ordinal);
            string[] lines = note.Substring(0, Math.Max(end, 0)).Split('\n');
            bool isReceipt = lines[0] == ReceiptTitle && lines.Length == names.Length + 1;
            for (int i = 0; isReceipt && i < names.Length; i++)
                isReceipt = lines[i + 1].StartsWith(names[i] + " ", StringComparison.Ordinal);
            if (!isReceipt) throw new Contradicted(note, "receipt", ReceiptTitle, lines[0]);
            for (int i = 1; i < names.Length; i++)
            {
                string said = lines[i + 1].Substring(names[i].Length + 1);
                if (said != known[i]) throw new Contradicted(note, names[i], known[i], said);
            }
        }

        // The game

        /// <summary>Check that a game began with this entropy of the seat. Throws
        /// Contradicted.</summary>
        internal void CheckGenesis(long seat, Genesis genesis)
        {
            Expect("hash", Hex.Text(Hashes.Named("game", Hashes.Utf8(genesis.Text))), genesis.Hash);
            Dictionary<string, object> found;
            try
            {
                found = Json.Object(Json.Parse(genesis.Text));
            }
            catch (FormatException error)
            {
                throw Wrong("genesis", "JSON", error.Message);
            }
            var known = new Dictionary<string, object>
            {
                { "name", Opening.Name }, { "salt", Opening.Salt }, { "game", Opening.Game },
                { "rules_version", Opening.RulesVersion }, { "edition", Opening.Edition },
                { "rules", Slug }, { "seed_hash", SeedHash }, { "abandoned", Opening.Abandoned },
                { "options", Json.Parse(Opening.OptionsText) }, { "table", Json.Parse(Opening.TableText) },
            };
            foreach (var each in known) Expect(each.Key, each.Value, Json.Field(found, each.Key));
            CheckText(genesis, "options", Opening.OptionsText);
            CheckText(genesis, "table", Opening.TableText);
            CheckBegun(seat, found);
        }

        private void CheckText(Genesis genesis, string name, string text)
        {
            string written = "\"" + name + "\":" + text + ",";
            if (genesis.Text.IndexOf(written, StringComparison.Ordinal) < 0)
                throw Wrong(name, text, "other bytes");
        }

        /// <summary>Check that a genesis has the seats and the entropy that were fixed
        /// before.</summary>
        private void CheckBegun(long seat, Dictionary<string, object> found)
        {
            if (Sealed == null) throw Wrong("reveals", "a game that waits for the entropy", "one without");
            List<object> rows = Sealed.Rows.ConvertAll(row => (object)new List<object>
            {
                row.Place, row.Person, row.Key, row.Commitment, row.Signature, row.Link,
            });
            Expect("rows", rows, Json.Field(found, "rows"));
            Expect("rows_salt", Sealed.RowsSalt, Json.Field(found, "rows_salt"));
            Expect("promises", Sealed.Promises, Json.Field(found, "promises"));
            var own = new List<object> { seat, Entropy, null };
            var reveals = Json.Field(found, "reveals") as List<object> ?? new List<object>();
            bool isIn = reveals.Exists(each => Json.AreSame(each, own));
            bool isRow = seat >= 0 && seat < Sealed.Rows.Count && Sealed.Rows[(int)seat].Place == Seat;
            if (!isIn || !isRow) throw Wrong("reveals", own, reveals);
            try
            {
                CheckReveals(reveals);
            }
            catch (FormatException error)
            {
                throw Wrong("reveals", "those of the seats", error.Message);
            }
            try
            {
                if (!HasAnswers(reveals, Json.List(Json.List(Json.Text))(Json.Field(found, "answers"))))
                    throw new FormatException("others");
            }
            catch (FormatException error)
            {
                throw Wrong("answers", "what the witnesses promised and signed", error.Message);
            }
        }

        /// <summary>Check that exactly the seats with a commitment have revealed, each what it had
        /// committed to: otherwise, the last one to reveal could choose the dice. Throws Contradicted,
        /// FormatException.</summary>
        private void CheckReveals(List<object> reveals)
        {
            var committed = new List<object>();
            for (int i = 0; i < Sealed.Rows.Count; i++)
            {
                string commitment = Sealed.Rows[i].Commitment;
                if (commitment != null) committed.Add(new List<object> { (long)i, commitment, null });
            }
            var revealed = new List<object>();
            foreach (object each in reveals)
            {
                var reveal = new List<object>(Json.List(Json.Any)(each));
                long seat = reveal.Count < 2 ? -1 : Json.Long(reveal[0]);
                if (seat < 0 || seat >= Sealed.Rows.Count) throw new FormatException("no seat " + seat);
                reveal[1] = CommitmentOf(Sealed.Rows[(int)seat].Place, Json.Text(reveal[1]));
                revealed.Add(reveal);
            }
            Expect("reveals", committed, revealed);
        }

        private string CommitmentOf(long place, string entropy)
        {
            return Hex.Text(Hashes.Named("entropy", Hashes.Joined(
                Hex.Bytes(Opening.Hash), Hashes.Number(place, 2), Hex.Bytes(entropy))));
        }

        /// <summary>Whether each witness has added what it had promised, once all had revealed.
        /// Throws FormatException.</summary>
        private bool HasAnswers(List<object> reveals, List<List<string>> answers)
        {
            List<string> witnesses = WitnessesIn(Opening);
            var listed = new List<byte[]>
            {
                new byte[] { 12 }, Hashes.Id(Opening.Name), new byte[8], Hex.Bytes(Sealed.Hash),
            };
            foreach (object each in reveals)
            {
                List<object> reveal = Json.List(Json.Any)(each);
                long seat = reveal.Count < 2 ? -1 : Json.Long(reveal[0]);
                if (seat < 0 || seat >= Sealed.Rows.Count) return false;
                listed.Add(Hashes.Number(Sealed.Rows[(int)seat].Place, 2));
                listed.Add(Hex.Bytes(Json.Text(reveal[1])));
            }
            string revealed = Hex.Text(Hashes.Leaf(Hashes.Joined(listed.ToArray())));
            string said = "Railbird witness answer 1\norigin " + Log.Origin + "\nopened " + Opening.Hash
                + "\nrevealed " + revealed + "\nentropy ";
            if (answers.Count != witnesses.Count || Sealed.Promises.Count != witnesses.Count) return false;
            for (int i = 0; i < answers.Count; i++)
            {
                if (answers[i].Count != 2) return false;
                string entropy = answers[i][0];
                bool isPromised = Hex.Text(Hashes.Sha256(Hex.Bytes(entropy))) == Sealed.Promises[i];
                byte[] key = LogState.Key(witnesses[i]), signature = Hex.Bytes(answers[i][1]);
                if (!isPromised || !Ed25519.IsSigned(key, said + entropy + "\n", signature)) return false;
            }
            return true;
        }

        /// <summary>Check the seed of a game that has ended. Throws Contradicted.</summary>
        internal void CheckSeed(string seed)
        {
            string hash;
            try
            {
                hash = Hex.Text(Hashes.Sha256(Hex.Bytes(seed)));
            }
            catch (FormatException)
            {
                hash = "no seed";
            }
            if (hash != SeedHash) throw Wrong("seed", SeedHash, seed);
        }
    }

    /// <summary>Links between the starts of a user's games: a server that leaves one out is
    /// found.</summary>
    internal sealed class PersonLinks
    {
        private readonly SortedDictionary<long, string> known = new SortedDictionary<long, string>();
        private long last;

        /// <summary>Return the link in the row of the start. Throws FormatException.</summary>
        internal static string HashOf(PersonLink link)
        {
            return Hex.Text(Hashes.Named("link", Hashes.Framed(
                Hex.Bytes(link.Opened), Hex.Bytes(link.Salt), Hashes.Number(link.Count, 8),
                Hex.Bytes(link.Previous))));
        }

        /// <summary>The number of starts up to which the client knows links.</summary>
        internal long Last
        {
            get { return known.Count == 0 ? 0 : last; }
        }

        /// <summary>Whether links are missing between the known ones and this one.</summary>
        internal bool IsBehind(PersonLink link)
        {
            return known.Count > 0 && last + 1 < link.Count;
        }

        /// <summary>Take in links in their order. Throws Contradicted, once for each server that
        /// goes back, perhaps because it lost what it had stored: then this begins again with the
        /// link.</summary>
        internal void Know(List<PersonLink> links)
        {
            foreach (PersonLink link in links)
            {
                string hash = HashOf(link);
                bool hasBefore = known.TryGetValue(link.Count - 1, out string before);
                bool isKnown = known.TryGetValue(link.Count, out string now);
                bool fits = (known.Count == 0 || hasBefore || isKnown)
                    && (!hasBefore || before == link.Previous) && (!isKnown || now == hash);
                if (!fits) known.Clear();
                known[link.Count] = hash;
                last = !fits || known.Count == 1 ? link.Count : Math.Max(last, link.Count);
                if (!fits) throw Contradicted.By("link", "the link after start " + (link.Count - 1), hash);
            }
        }
    }
}
