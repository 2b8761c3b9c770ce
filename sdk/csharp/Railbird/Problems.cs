using System;
using System.Collections.Generic;

namespace Railbird
{
    /// <summary>
    /// A request failed, or its outcome is unknown. Code is stable. All exceptions of this client
    /// are of this class.
    /// </summary>
    public class ServerException : Exception
    {
        public readonly string Code;

        public ServerException(string code, string message, Exception cause = null)
            : base(message, cause)
        {
            Code = code;
        }
    }

    /// <summary>
    /// An error response. Test Code, which is stable; Data has the details. Version is the version
    /// of the game that rejected a command. Status is the HTTP status; null on a socket.
    /// </summary>
    public class Problem : ServerException
    {
        public new readonly Dictionary<string, object> Data;
        public readonly long? Version;
        public readonly int? Status;

        /// <summary>How long the server asks to wait before another try.</summary>
        public readonly TimeSpan RetryAfter;

        public Problem(
            string code, Dictionary<string, object> data, long? version = null, int? status = null,
            TimeSpan retryAfter = default(TimeSpan))
            : base(code, data.Count == 0 ? code : code + " " + Json.Write(data))
        {
            Data = data;
            Version = version;
            Status = status;
            RetryAfter = retryAfter;
        }
    }

    /// <summary>The server closed a socket, and reconnecting is pointless.</summary>
    public sealed class Closed : Problem
    {
        public readonly int CloseCode;

        public Closed(int closeCode, string code, Dictionary<string, object> data) : base(code, data)
        {
            CloseCode = closeCode;
        }
    }

    /// <summary>
    /// No answer of the server arrived, also to repetitions where they are safe. Code says why:
    /// `unreachable` (no connection), `timed_out`, `tls_failed`, `redirected` (something referred the client to
    /// another address, which it never follows), `unreadable` (what arrived is not of the server's
    /// form, such as the page of a proxy), or `too_large`.
    /// </summary>
    public sealed class Unreachable : ServerException
    {
        public Unreachable(string code, string message, Exception cause = null)
            : base(code, code + ": " + message, cause)
        {
        }
    }

    /// <summary>
    /// The outcome of a request on a socket is unknown. Repeat a command with this id; it counts
    /// once.
    /// </summary>
    public sealed class Unanswered : ServerException
    {
        public readonly string Id;

        public Unanswered(string id, string trouble = "")
            : base(
                "unanswered",
                "Request " + id + " was not answered in time. " + trouble)
        {
            Id = id;
        }
    }

    /// <summary>The server contradicts what it has shown: somebody changed the history.</summary>
    public sealed class Contradicted : ServerException
    {
        public readonly string Field;

        /// <summary>What the server signed about what it had shown. Keep it; may be null.</summary>
        public readonly string Note;

        public Contradicted(string note, string field, string expected, string found)
            : base("contradicted", field + ": expected " + expected + ", found " + found)
        {
            Note = note;
            Field = field;
        }

        /// <summary>Return the error for a log that contradicts the server or itself.</summary>
        internal static Contradicted By(string field, object expected, object found)
        {
            return new Contradicted(null, field, Json.Words(expected), Json.Words(found));
        }
    }

    /// <summary>
    /// No key that the public log names signed this note, so it proves nothing, also not that the
    /// server lied. A note that is null: the server did not sign what it showed.
    /// </summary>
    public sealed class NoEvidence : ServerException
    {
        public readonly string Note;

        public NoEvidence(string note)
            : base("no_evidence", "No key of the log signed " + (note ?? "what the server showed"))
        {
            Note = note;
        }
    }

    /// <summary>
    /// The start of this lobby's game was given up, for instance because a player left; the lobby is
    /// open again, or closed.
    /// </summary>
    public sealed class StartAbandoned : ServerException
    {
        public StartAbandoned(string lobby) : base("start_abandoned", "Lobby " + lobby)
        {
        }
    }

    /// <summary>
    /// By its terms, the start of this lobby's game was to be decided by now: the server has neither
    /// started the game nor given up. It may be looking at the dice.
    /// </summary>
    public sealed class StartOverdue : ServerException
    {
        public StartOverdue(string lobby, long withinSeconds) : base("start_overdue", "Lobby " + lobby
            + ": the start was to be decided within " + withinSeconds
            + " s; the server has neither started the game nor given up.")
        {
        }
    }

    /// <summary>
    /// The client revealed its entropy twice in a row without a game. Somebody may try for other
    /// dice; `Client.GoOn` continues.
    /// </summary>
    public sealed class RevealedInVain : ServerException
    {
        public RevealedInVain() : base("revealed_in_vain", "Two reveals in a row led to no game.")
        {
        }
    }

    /// <summary>
    /// More news wait than this client stores. To continue, open the table again with `after`.
    /// </summary>
    public sealed class FellBehind : ServerException
    {
        public FellBehind(string message) : base("fell_behind", message)
        {
        }
    }

    /// <summary>
    /// The program uses this client in a way that cannot work; the message says how to use it.
    /// </summary>
    public sealed class Misused : ServerException
    {
        public Misused(string message) : base("misused", message)
        {
        }
    }
}
