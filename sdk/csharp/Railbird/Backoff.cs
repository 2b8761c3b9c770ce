using System;
using System.Collections.Generic;

namespace Railbird
{
    /// <summary>Pauses between retries, and what may be retried.</summary>
    internal static class Backoff
    {
        /// <summary>Codes after which the same command may be sent again under its id.</summary>
        public static readonly HashSet<string> Again = new HashSet<string>
        {
            "busy", "unavailable", "outcome_unknown", "too_many_commands",
        };

        private const double FirstS = 0.25;
        private const double MostS = 15;
        private static readonly Random Chance = new Random();

        /// <summary>
        /// Return a random pause after this many failures in a row; its limit doubles each time.
        /// The random part keeps clients that lost the same server from returning together.
        /// </summary>
        public static TimeSpan Pause(int failures)
        {
            double most = Math.Min(MostS, FirstS * Math.Pow(2, Math.Min(failures, 10)));
            lock (Chance) return TimeSpan.FromSeconds(0.05 + Chance.NextDouble() * (most - 0.05));
        }
    }

    /// <summary>An estimate of the server's time from its frames.</summary>
    internal sealed class ServerClock
    {
        /// <summary>How far ahead of the server's time the `not_after` of a command lies.</summary>
        public static readonly TimeSpan InTime = TimeSpan.FromSeconds(5);

        private TimeSpan ahead;

        public DateTimeOffset Now
        {
            get { return DateTimeOffset.UtcNow + ahead; }
        }

        /// <summary>Note a time that the server has passed already.</summary>
        public void Heard(DateTimeOffset at)
        {
            TimeSpan found = at - DateTimeOffset.UtcNow;
            if (found > ahead) ahead = found;
        }

        /// <summary>Note what time the server says it is.</summary>
        public void Set(DateTimeOffset now)
        {
            ahead = now - DateTimeOffset.UtcNow;
        }
    }
}
