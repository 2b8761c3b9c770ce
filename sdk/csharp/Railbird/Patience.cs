using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Railbird
{
    /// <summary>Pauses between retries, and what may be retried.</summary>
    internal sealed class Patience
    {
        /// <summary>Codes after which the same command may be sent again under its id.</summary>
        public static readonly HashSet<string> Again = new HashSet<string>
        {
            "busy", "unavailable", "outcome_unknown", "too_many_commands",
        };

        internal static double FirstS = 0.25;
        private const double MostS = 15;
        public static readonly TimeSpan GoodAfter = TimeSpan.FromSeconds(5);
        private static readonly Random Chance = new Random();
        private int failures;

        /// <summary>How long a server can make a client wait.</summary>
        private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(30);

        /// <summary>Whether the server was only busy, so that the same request may succeed
        /// later.</summary>
        public static bool IsPassing(Problem problem)
        {
            bool isLater = problem.Status == 429 || problem.Status == 503;
            return (isLater || Again.Contains(problem.Code)) && problem.RetryAfter <= PauseMax;
        }

        /// <summary>Do this again until it succeeds, or fails in a way that stays.</summary>
        public static async Task Persist(Func<Task> work)
        {
            for (int failures = 0; ; failures++)
            {
                TimeSpan wait = TimeSpan.Zero;
                try
                {
                    await work().ConfigureAwait(false);
                    return;
                }
                catch (Unreachable error) when (error.Code != "unreadable" && error.Code != "too_large")
                {
                }
                catch (Problem problem) when (IsPassing(problem))
                {
                    wait = problem.RetryAfter;
                }
                await Task.Delay(wait + Pause(failures)).ConfigureAwait(false);
            }
        }

        /// <summary>Return a time that timers can count.</summary>
        public static TimeSpan AtMost(TimeSpan within)
        {
            if (within == Timeout.InfiniteTimeSpan) return within;
            double ms = Math.Min(Math.Max(within.TotalMilliseconds, 0), int.MaxValue);
            return TimeSpan.FromMilliseconds(ms);
        }

        /// <summary>
        /// Return the pause after a connection. Pauses grow until a connection was good: it has
        /// lasted for a while, or brought something new.
        /// </summary>
        public TimeSpan Next(bool wasGood)
        {
            if (wasGood) failures = 0;
            return Pause(failures++);
        }

        /// <summary>
        /// Return a random pause after this many failures in a row; its limit doubles each time.
        /// The random part keeps clients that lost the same server from returning together.
        /// </summary>
        public static TimeSpan Pause(int failures)
        {
            double most = Math.Min(MostS, FirstS * Math.Pow(2, Math.Min(failures, 10)));
            lock (Chance) return TimeSpan.FromSeconds(0.05 + Chance.NextDouble() * most);
        }
    }

    /// <summary>
    /// The server's time as its latest frame said, and the time that has passed since. The clock of
    /// this device may be wrong, or be set: only how fast it runs counts.
    /// </summary>
    internal sealed class ServerClock
    {
        /// <summary>How far ahead of the server's time the `not_after` of a command lies.</summary>
        internal static TimeSpan InTime = TimeSpan.FromSeconds(5);

        private readonly Stopwatch passed = new Stopwatch();
        private DateTimeOffset said;

        public DateTimeOffset Now
        {
            get { return said + passed.Elapsed; }
        }

        /// <summary>Note what time the server says it is.</summary>
        public void Set(DateTimeOffset now)
        {
            said = now;
            passed.Restart();
        }
    }
}
