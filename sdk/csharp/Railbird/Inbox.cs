using System;
using System.Collections.Generic;
using Railbird.Models;

namespace Railbird
{
    /// <summary>
    /// A user's notices in order, without gaps, except those that the server has deleted. The first
    /// news come at once, perhaps without notices.
    /// </summary>
    public sealed class InboxStream : Stream<Notices>
    {
        private bool hasTold;

        internal InboxStream(string address, string token, long? after)
            : base(address, token, after)
        {
            Start();
        }

        /// <summary>The number of the latest notice; null before the first news.</summary>
        public long? Number
        {
            get { lock (Gate) return After; }
        }

        internal override object FrameOf(object json)
        {
            return Read.FromMe(json);
        }

        internal override void Take(object frame)
        {
            if (frame is NoticesFrame notices) TakeNotices(notices);
            else if (frame is InboxHeartbeat heartbeat && heartbeat.Last > After) throw new Lost();
        }

        private void TakeNotices(NoticesFrame frame)
        {
            List<Notice> all = frame.Notices;
            long known = After ?? (all.Count > 0 ? all[0].Number - 1 : frame.Last);
            // The server has deleted those before.
            known = Math.Max(known, Math.Min(frame.First - 1, frame.Last));
            List<Notice> fresh = all.FindAll(each => each.Number > known);
            for (int i = 0; i < fresh.Count; i++)
            {
                if (fresh[i].Number != known + 1 + i) throw new Lost();
            }
            After = known + fresh.Count;
            if (fresh.Count == 0 && hasTold) return;
            hasTold = true;
            Tell(new Notices
            {
                First = frame.First, Last = frame.Last, Read = frame.Read, NoticesValue = fresh,
            });
        }
    }
}
