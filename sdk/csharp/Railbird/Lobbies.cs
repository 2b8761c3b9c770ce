using System;
using System.Collections.Generic;
using Railbird.Models;

namespace Railbird
{
    /// <summary>
    /// News of a lobby: its events since the news before, and the lobby after them. The first news
    /// have no events. Or Presence alone, if it is not null: presence has no version.
    /// </summary>
    public sealed class RoomNews
    {
        public long Version;
        public List<LobbyEvent> Events;
        public Lobby Lobby;
        public Presence Presence;
    }

    /// <summary>
    /// A lobby's events without gaps, and presence. The stream ends when the lobby has closed.
    /// </summary>
    public sealed class RoomStream : Conversation<RoomNews>
    {
        private bool hasClosed;

        internal RoomStream(string address, string token, long? after)
            : base(address, token, after)
        {
            Start();
        }

        /// <summary>The version of the latest news; null before the first.</summary>
        public long? Version
        {
            get { lock (Gate) return After; }
        }

        internal override bool IsOver()
        {
            return hasClosed;
        }

        internal override object FrameOf(object json)
        {
            return Read.FromLobby(json);
        }

        internal override void Take(object frame)
        {
            if (frame is Room room)
            {
                if (After == null) Tell(room.Version, new List<LobbyEvent>(), room.Lobby);
                See(room.Lobby);
            }
            else if (frame is LobbyEventsFrame happened) TakeEvents(happened);
            else if (frame is Presence presence) Tell(new RoomNews { Presence = presence });
            else if (frame is RoomHeartbeat heartbeat && heartbeat.Version > After) throw new Lost();
        }

        private void TakeEvents(LobbyEventsFrame frame)
        {
            if (After == null) throw new Lost();
            List<LobbyEvent> fresh = frame.Events.FindAll(each => each.Version > After);
            for (int i = 0; i < fresh.Count; i++)
            {
                if (fresh[i].Version != After + 1 + i) throw new Lost();
            }
            if (fresh.Count == 0) return;
            Tell((long)After + fresh.Count, fresh, frame.Lobby);
            See(frame.Lobby);
        }

        private void Tell(long reached, List<LobbyEvent> events, Lobby lobby)
        {
            Tell(new RoomNews { Version = reached, Events = events, Lobby = lobby });
            After = reached;
        }

        /// <summary>
        /// Note whether this is the end. While a client catches up, the lobby may be ahead of its
        /// events.
        /// </summary>
        private void See(Lobby lobby)
        {
            hasClosed = lobby.Status == "closed" && lobby.Version == After;
        }
    }

    /// <summary>
    /// The visible lobbies that are open or starting, newest first, after each change. A slow reader
    /// gets the last list.
    /// </summary>
    public sealed class LobbiesStream : Stream<List<Lobby>>
    {
        internal static int Most = 100000;

        private readonly string slug;
        private Dictionary<string, Lobby> open = new Dictionary<string, Lobby>();
        private Dictionary<string, Lobby> coming = new Dictionary<string, Lobby>();

        internal LobbiesStream(string address, string token, string slug) : base(address, token, null)
        {
            this.slug = slug;
            Start();
        }

        internal override string Query()
        {
            var asked = new List<string>();
            if (slug != null) asked.Add("slug=" + Uri.EscapeDataString(slug));
            if (After != null) asked.Add("after=" + After);
            return asked.Count == 0 ? "" : "?" + string.Join("&", asked);
        }

        /// <summary>Discard a partial list: the next connection sends the whole list.</summary>
        internal override void Resume()
        {
            coming.Clear();
        }

        internal override object FrameOf(object json)
        {
            return Read.FromLobbies(json);
        }

        internal override void Take(object frame)
        {
            if (frame is LobbiesFrame lobbies) TakeList(lobbies);
            else if (frame is ChangesFrame changes) TakeChanges(changes);
            else if (frame is FeedHeartbeat heartbeat && After != null) After = heartbeat.Cursor;
        }

        private void TakeList(LobbiesFrame frame)
        {
            foreach (Lobby lobby in frame.Lobbies) coming[lobby.Id] = lobby;
            CheckSize(coming);
            if (!frame.Complete) return;
            open = coming;
            coming = new Dictionary<string, Lobby>();
            Show(frame.Cursor);
        }

        private void TakeChanges(ChangesFrame frame)
        {
            if (After == null) throw new Lost(); // Of which list?
            foreach (Lobby lobby in frame.Lobbies)
            {
                if (lobby.Status == "open" || lobby.Status == "starting") open[lobby.Id] = lobby;
                else open.Remove(lobby.Id);
            }
            foreach (string id in frame.Gone) open.Remove(id);
            CheckSize(open);
            Show(frame.Cursor);
        }

        private void Show(long reached)
        {
            After = reached;
            DropNews();
            var shown = new List<Lobby>(open.Values);
            // Ids contain their creation time.
            shown.Sort((one, other) => string.CompareOrdinal(other.Id, one.Id));
            Tell(shown);
        }

        private static void CheckSize(Dictionary<string, Lobby> lobbies)
        {
            if (lobbies.Count > Most) throw new FormatException("A list is too long.");
        }
    }
}
