using System;
using System.Collections.Generic;
using Railbird.Models;

namespace Railbird
{
    /// <summary>
    /// The private key with which a client signs for its seat: its own, or one of another device.
    /// </summary>
    public sealed class SeatKey
    {
        /// <summary>How many versions after the newest one that was seen a signed command may be
        /// carried out.</summary>
        private const int VersionsMax = 100;

        /// <summary>The origin of the public log, and the name of the game in it.</summary>
        public string Origin, Name;

        /// <summary>The number of the seat in the game.</summary>
        public long Seat;

        private readonly byte[] secret;

        /// <summary>Take the key of a seat, in hex, or make a new one.</summary>
        public SeatKey(string secret = null)
        {
            try
            {
                this.secret = secret == null ? Ed25519.NewKey() : Hex.Bytes(secret);
            }
            catch (FormatException error)
            {
                throw new Misused(error.Message);
            }
            if (this.secret.Length != 32) throw new Misused("A key has 32 bytes.");
        }

        /// <summary>The private key, in hex: keep it, for nobody can play the seat without it.</summary>
        public string Secret
        {
            get { return Hex.Text(secret); }
        }

        /// <summary>The public key, in hex.</summary>
        public string Public
        {
            get { return Hex.Text(Ed25519.PublicKey(secret)); }
        }

        /// <summary>Sign for a place of a lobby, given the hash of its opening and the commitment to
        /// entropy there.</summary>
        internal string SignSeat(string opened, long place, string commitment)
        {
            return Signed("Railbird seat 1\nopened " + opened + "\nplace " + place + "\nkey " + Public
                + "\ncommitment " + commitment + "\n");
        }

        /// <summary>Sign the text of a command after a commit.</summary>
        internal CommandSignature Sign(string command, string id, long head, string hash)
        {
            long until = head + VersionsMax;
            string text = "Railbird command 1\norigin " + Origin + "\nname " + Name + "\nseat " + Seat
                + "\nid " + id + "\nhead " + head + " " + hash + "\nuntil " + until + "\ncommand "
                + command + "\n";
            return new CommandSignature
            {
                Head = head, Hash = hash, Until = until, Signature = Signed(text),
            };
        }

        private string Signed(string text)
        {
            return Hex.Text(Ed25519.Sign(secret, text));
        }
    }

    /// <summary>The text of a signed command: the server may write it in another way, and may have
    /// gone on.</summary>
    internal sealed class Signing
    {
        private readonly Dictionary<string, object> defaults;
        private int left = 4;

        /// <summary>The command as it is signed.</summary>
        internal string Text;

        /// <summary>`defaults` is JSON: the defaults of the commands of the game by type, and the
        /// names that lead to each.</summary>
        internal Signing(string defaults, object command)
        {
            this.defaults = Json.Object(Json.Parse(defaults));
            Text = Json.Write(command);
        }

        /// <summary>Whether another signature may be accepted after this refusal.</summary>
        internal bool GoesOn(string code, Dictionary<string, object> data)
        {
            if (code != "signature_refused" || left == 0) return false;
            left--;
            if (IsLate(data)) return true;
            var text = Json.Field(data, "command") as string;
            if (!"wrong".Equals(Json.Field(data, "reason")) || text == null || text == Text)
                return false;
            if (!IsSame(text)) return false;
            Text = text;
            return true;
        }

        internal static bool IsLate(Dictionary<string, object> data)
        {
            return "late".Equals(Json.Field(data, "reason"));
        }

        /// <summary>Whether a text is this command, apart from the order of its members, with the
        /// defaults of the game for those that were left out.</summary>
        private bool IsSame(string text)
        {
            try
            {
                object said = Json.Parse(text), own = Json.Parse(Text);
                if (Json.Write(said) != text) return false; // such as a member that is there twice
                if (defaults.TryGetValue(Json.Tag(own), out object all))
                {
                    foreach (List<object> each in (List<object>)all)
                        Fill(own, (List<object>)each[0], 0, each[1]);
                }
                return Json.AreSame(said, own);
            }
            catch (FormatException)
            {
                return false;
            }
        }

        /// <summary>Set what the names from `at` on lead to, unless it is set.</summary>
        private static void Fill(object into, List<object> path, int at, object value)
        {
            var name = (string)path[at];
            if (name == "*")
            {
                foreach (object item in Json.List(Json.Any)(into)) Fill(item, path, at + 1, value);
                return;
            }
            Dictionary<string, object> fields = Json.Object(into);
            bool has = fields.TryGetValue(name, out object inner);
            if (at + 1 < path.Count && has) Fill(inner, path, at + 1, value);
            else if (at + 1 == path.Count && !has) fields[name] = value;
        }
    }
}
