using System;
using System.Collections.Generic;

namespace Railbird
{
    /// <summary>A request failed, or its outcome is unknown.</summary>
    public class ServerException : Exception
    {
        public ServerException(string message, Exception cause = null) : base(message, cause)
        {
        }
    }

    /// <summary>
    /// An error response. Test Code, which is stable; Data has the details. Version is the version
    /// of the game that rejected a command. Status is the HTTP status; null on a socket.
    /// </summary>
    public class Problem : ServerException
    {
        public readonly string Code;
        public new readonly Dictionary<string, object> Data;
        public readonly long? Version;
        public readonly int? Status;

        public Problem(
            string code, Dictionary<string, object> data, long? version = null, int? status = null)
            : base(data.Count == 0 ? code : code + " " + Json.Write(data))
        {
            Code = code;
            Data = data;
            Version = version;
            Status = status;
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

    /// <summary>The server did not respond, despite retries.</summary>
    public sealed class Unreachable : ServerException
    {
        public Unreachable(string message, Exception cause) : base(message, cause)
        {
        }
    }

    /// <summary>The outcome of a command is unknown. Repeat it with this id; it counts once.</summary>
    public sealed class Unanswered : ServerException
    {
        public readonly string Id;

        public Unanswered(string id) : base("Command " + id + " was not answered in time.")
        {
            Id = id;
        }
    }

    /// <summary>
    /// More news wait than this client stores. To continue, open the table again with `after`.
    /// </summary>
    public sealed class FellBehind : ServerException
    {
        public FellBehind(string message) : base(message)
        {
        }
    }
}
