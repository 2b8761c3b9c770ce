using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{
    /// <summary>
    /// The entropy that a client adds to the draws of its games, so that nobody else chooses them.
    ///
    /// The client commits to it when it takes a seat. At the start, it checks and keeps what the
    /// public log has fixed of all seats; only then it reveals the entropy. It keeps the signed
    /// receipt, and finds all that in what the game began with.
    /// </summary>
    internal sealed class Entropies
    {
        private const int TriesMax = 8, InVainMax = 2;
        internal static int SeedTries = 6;

        /// <summary>How much longer than its terms allow a start may take before the client stops
        /// waiting.</summary>
        internal static int GraceS = 10;

        private readonly Client client;
        private readonly Log log;
        private readonly LineFile file;
        private readonly Dictionary<string, Place> places = new Dictionary<string, Place>();
        private readonly PersonLinks links = new PersonLinks();

        /// <summary>The lock of all that follows: a client has few seats.</summary>
        private readonly SemaphoreSlim one = new SemaphoreSlim(1);

        private Kept lastEnded;
        private bool isClosed;

        /// <summary>The seat of this client in a lobby, until its game starts.</summary>
        private sealed class Place
        {
            internal string Lobby;
            internal Kept Kept;
            internal bool IsChecked;
            internal long Version = -1;
            internal ServerException Failure;
            internal Task Following;
            internal RoomStream Room;

            /// <summary>Throws why this client adds no entropy here any more.</summary>
            internal void Check()
            {
                if (Failure != null) throw Failure;
            }
        }

        internal Entropies(Client client, Log log, LineFile file)
        {
            this.client = client;
            this.log = log;
            this.file = file;
            foreach (Kept kept in file == null ? new List<Kept>() : file.Values(Kept.Of))
            {
                Remember(kept);
                if (kept.Sealed == null) continue;
                log.Know(kept.Sealed.Keys, kept.Log);
                try
                {
                    links.Know(kept.Links);
                    links.Know(new List<PersonLink> { kept.Sealed.YourLink });
                }
                catch (Contradicted)
                {
                    // It was thrown when that was sealed.
                }
            }
        }

        /// <summary>Take in a line of the file. That a start has ended may stand behind the next
        /// one.</summary>
        private void Remember(Kept kept)
        {
            places.TryGetValue(kept.Lobby, out Place place);
            if (kept.InVain != null)
            {
                lastEnded = kept;
                if (place != null && place.Kept.Opening.Hash != kept.Opening.Hash) return;
            }
            places[kept.Lobby] = new Place { Lobby = kept.Lobby, Kept = kept };
        }

        /// <summary>Commit the seat that this client has in a lobby, and follow the lobby until its
        /// game starts. Throws Contradicted, RevealedInVain. The seat is taken even if the
        /// commitment does not reach the server: the news ask again.</summary>
        internal async Task<Lobby> Add(Lobby lobby)
        {
            if (lobby.YourSeat == null || !IsWaiting(lobby)) return lobby;
            Place place = PlaceOf(lobby.Id);
            try
            {
                lobby = await Settle(place, lobby).ConfigureAwait(false);
            }
            catch (Problem)
            {
            }
            catch (Unreachable)
            {
            }
            lock (places)
            {
                if (place.Following == null || place.Following.IsCompleted)
                    place.Following = Task.Run(() => Follow(place));
            }
            return lobby;
        }

        /// <summary>Start the game, and return when it has started. Throws as the API does,
        /// Contradicted, StartAbandoned, and StartOverdue.</summary>
        internal async Task<Start> StartGame(string lobby, Func<Task<Start>> plain)
        {
            Place place = await Followed(lobby).ConfigureAwait(false);
            await Take(place, null).ConfigureAwait(false);
            place.Check();
            Start start = null;
            for (int failures = 0; start == null; failures++)
            {
                try
                {
                    start = await plain().ConfigureAwait(false);
                }
                catch (Problem problem) when (IsAwaited(problem) && failures + 1 < TriesMax)
                {
                }
                if (start == null) await Task.Delay(Patience.Pause(failures)).ConfigureAwait(false);
            }
            if (!start.HasStarted) await Started(place).ConfigureAwait(false);
            await CheckStart(start.Id).ConfigureAwait(false);
            return new Start { Id = start.Id, HasStarted = true };
        }

        /// <summary>Wait until the game of a lobby has started, but no longer than its terms
        /// allow.</summary>
        private async Task Started(Place place)
        {
            // The opening that this client checked and kept counts, not the one shown now.
            Opening opening = place.Kept?.Opening
                ?? (await client.GetLobby(place.Lobby).ConfigureAwait(false)).Opening;
            long within = Kept.DecidedWithin(opening);
            bool isLate = false;
            using (RoomStream room = client.Room(place.Lobby))
            using (new Timer(_ => { Volatile.Write(ref isLate, true); room.Dispose(); }, null, DueMs(within), Timeout.Infinite))
            {
                RoomNews news;
                while ((news = await room.Next().ConfigureAwait(false)) != null)
                {
                    if (news.Lobby == null) continue;
                    await Take(place, news.Lobby).ConfigureAwait(false);
                    place.Check();
                    if (news.Lobby.Status == "started") return;
                    if (news.Lobby.Status != "starting") break;
                }
            }
            if (Volatile.Read(ref isLate))
            {
                // An event may have been lost.
                Lobby lobby = await client.GetLobby(place.Lobby).ConfigureAwait(false);
                if (lobby.Status == "started") return;
                if (lobby.Status == "starting" && lobby.Opening.Hash == opening.Hash)
                    throw new StartOverdue(place.Lobby, within);
            }
            throw new StartAbandoned(place.Lobby);
        }

        private static long DueMs(long seconds)
        {
            return 1000 * Math.Min(seconds + GraceS, int.MaxValue / 1000);
        }

        /// <summary>Return the key for commands in a game; null if this client has none.</summary>
        internal SeatKey KeyFor(string game)
        {
            return Of(game)?.Kept.SeatKey;
        }

        /// <summary>Check once that a game of this player began with the entropy that they added.
        /// Throws Contradicted.</summary>
        internal async Task CheckStart(string game)
        {
            Place place = Of(game);
            if (place == null || place.IsChecked) return;
            place.Check();
            long? seat = (await client.GetGame(game).ConfigureAwait(false)).YourSeat;
            place.Check();
            if (seat != null)
                place.Kept.CheckGenesis(seat.Value, await client.GetGenesis(game).ConfigureAwait(false));
            place.IsChecked = true;
            lock (places)
            {
                if (place.Kept.InVain != null) return;
                place.Kept.Before = InVain;
                Count(place.Kept, 0);
            }
        }

        /// <summary>Check that the seed of a game that has ended is the one that was opened, and that
        /// the log still continues what this client saw of it. Throws Contradicted. A server that
        /// does not disclose the seed within some seconds has nothing to compare.</summary>
        internal async Task CheckEnd(string game)
        {
            Place place = Of(game);
            if (place == null) return;
            for (int failures = 0; failures < SeedTries; failures++)
            {
                GameInFull ended = await client.GetGame(game).ConfigureAwait(false);
                if (ended.Seed != null) place.Kept.CheckSeed(ended.Seed);
                if (ended.Ended == "voided") CountVoided(place.Kept);
                if (ended.Seed != null) break;
                await Task.Delay(Patience.Pause(failures)).ConfigureAwait(false);
            }
            await log.Check().ConfigureAwait(false);
        }

        /// <summary>Forget a lobby that the player has left before the start.</summary>
        internal void Leave(string lobby)
        {
            lock (places)
            {
                if (!places.TryGetValue(lobby, out Place place)) return;
                places.Remove(lobby);
                CountInVain(place);
                place.Room?.Dispose();
            }
        }

        /// <summary>Count once that a start ended without a game after the client had
        /// revealed.</summary>
        private void CountInVain(Place place)
        {
            lock (places)
            {
                if (place.Kept?.Sealed != null && place.Kept.InVain == null)
                    Count(place.Kept, InVain + 1);
            }
        }

        /// <summary>Count once that a game was voided, as if it had not started.</summary>
        private void CountVoided(Kept kept)
        {
            lock (places)
            {
                if (kept.Before == null) return;
                long count = InVain + kept.Before.Value + 1;
                kept.Before = null;
                Count(kept, count);
            }
        }

        /// <summary>How many reveals in a row have led to no game.</summary>
        private long InVain
        {
            get { return lastEnded?.InVain ?? 0; }
        }

        /// <summary>Keep how many reveals in a row led to no game, now that this start has
        /// ended.</summary>
        private void Count(Kept kept, long count)
        {
            kept.InVain = count;
            lastEnded = kept;
            file?.Append(kept);
        }

        /// <summary>Throws RevealedInVain, before a seat is taken in vain as well.</summary>
        internal void CheckInVain()
        {
            lock (places)
            {
                if (InVain >= InVainMax) throw new RevealedInVain();
            }
        }

        /// <summary>Check that this client still adds entropy in a lobby where it does. Throws
        /// Contradicted, RevealedInVain.</summary>
        internal async Task CheckPlace(string lobby)
        {
            bool isHere;
            lock (places) isHere = places.ContainsKey(lobby);
            if (isHere) await Followed(lobby).ConfigureAwait(false);
        }

        /// <summary>Add entropy again after starts that were abandoned.</summary>
        internal void GoOn()
        {
            lock (places)
            {
                if (InVain > 0) Count(lastEnded, 0);
                foreach (Place place in places.Values)
                    if (place.Failure is RevealedInVain) place.Failure = null;
            }
        }

        /// <summary>Stop following lobbies.</summary>
        internal void Close()
        {
            lock (places)
            {
                isClosed = true;
                foreach (Place place in places.Values) place.Room?.Dispose();
            }
        }

        private Place PlaceOf(string lobby)
        {
            lock (places)
            {
                if (!places.TryGetValue(lobby, out Place place))
                    places[lobby] = place = new Place { Lobby = lobby };
                return place;
            }
        }

        private Place Of(string game)
        {
            lock (places)
            {
                foreach (Place place in places.Values)
                    if (place.Kept?.Opening.Game == game) return place;
            }
            return null;
        }

        private async Task<Place> Followed(string lobby)
        {
            Place place = PlaceOf(lobby);
            if (place.Following == null || place.Following.IsCompleted)
                await Add(await client.GetLobby(lobby).ConfigureAwait(false)).ConfigureAwait(false);
            place.Check();
            return place;
        }

        /// <summary>Follow a lobby, and do what its changes ask for.</summary>
        private async Task Follow(Place place)
        {
            try
            {
                using (RoomStream room = client.Room(place.Lobby))
                {
                    lock (places)
                    {
                        if (isClosed) return;
                        place.Room = room;
                    }
                    RoomNews news;
                    while ((news = await room.Next().ConfigureAwait(false)) != null)
                    {
                        if (news.Lobby == null) continue;
                        if (news.Lobby.YourSeat == null || !IsWaiting(news.Lobby))
                        {
                            if (news.Lobby.Game == null) CountInVain(place);
                            return;
                        }
                        await Take(place, news.Lobby).ConfigureAwait(false);
                        if (place.Failure != null) return;
                    }
                }
            }
            catch (ServerException)
            {
                // For instance, the player may not look into this lobby any more.
            }
        }

        /// <summary>Do what the news of a lobby ask for; keep why that failed
        /// permanently.</summary>
        private async Task Take(Place place, Lobby lobby)
        {
            try
            {
                await Patience.Persist(async () =>
                {
                    Lobby found = lobby ?? await client.GetLobby(place.Lobby).ConfigureAwait(false);
                    lobby = null; // It may change meanwhile.
                    await Settle(place, found).ConfigureAwait(false);
                }).ConfigureAwait(false);
            }
            catch (Problem)
            {
                // The next news ask again.
            }
            catch (Unreachable)
            {
            }
            catch (ServerException) when (place.Failure != null)
            {
                // It is kept.
            }
        }

        /// <summary>Commit or reveal, as the lobby allows now; return the lobby after
        /// that.</summary>
        private async Task<Lobby> Settle(Place place, Lobby lobby)
        {
            await one.WaitAsync().ConfigureAwait(false);
            try
            {
                for (int failures = 0; failures < TriesMax; failures++)
                {
                    if (lobby.YourSeat == null || !IsWaiting(lobby) || lobby.Version < place.Version)
                        return lobby;
                    place.Version = lobby.Version;
                    try
                    {
                        lobby = lobby.Status == "open"
                            ? await Commit(place, lobby).ConfigureAwait(false)
                            : await Reveal(place, lobby).ConfigureAwait(false);
                        place.Version = lobby.Version;
                        return lobby;
                    }
                    catch (Problem problem) when (IsAwaited(problem))
                    {
                        return lobby; // The news will say when.
                    }
                    catch (Problem problem) when (HasChanged(problem) && failures + 1 < TriesMax)
                    {
                    }
                    lobby = await client.GetLobby(place.Lobby).ConfigureAwait(false);
                }
                return lobby;
            }
            catch (ServerException error) when (Stays(error))
            {
                place.Failure = error; // before anybody else may settle
                throw;
            }
            finally
            {
                one.Release();
            }
        }

        private async Task<Lobby> Commit(Place place, Lobby lobby)
        {
            Seat seat = SeatIn(lobby);
            Kept kept = place.Kept;
            Kept.CheckOpening(lobby);
            kept?.CheckNext(lobby);
            if (kept != null && kept.Fits(lobby))
            {
                if (seat.Commitment != null)
                {
                    kept.CheckCommitted(seat);
                    return lobby;
                }
            }
            else
            {
                CountInVain(place);
                CheckInVain();
                kept = new Kept
                {
                    Lobby = lobby.Id, Slug = lobby.Slug, SeedHash = lobby.SeedHash,
                    Opening = lobby.Opening, Seat = seat.Number, Entropy = Hex.Text(Ed25519.NewKey()),
                    // A key in memory would be lost with the program, and the seat with it.
                    Key = file == null ? null : Hex.Text(Ed25519.NewKey()),
                };
                Keep(place, kept);
            }
            lobby = await client.Commit(lobby.Id, kept.Given).ConfigureAwait(false);
            if (kept.Fits(lobby)) kept.CheckCommitted(SeatIn(lobby));
            return lobby;
        }

        /// <summary>Reveal the entropy if the log has fixed all seats, and the client has checked
        /// that.</summary>
        private async Task<Lobby> Reveal(Place place, Lobby lobby)
        {
            Seat seat = SeatIn(lobby);
            Kept kept = place.Kept;
            bool isFixed = lobby.Stage == "revealing" || lobby.Stage == "beginning";
            if (kept == null || !kept.Fits(lobby) || !isFixed) return lobby;
            kept.CheckCommitted(seat);
            if (!seat.HasRevealed)
            {
                if (kept.Sealed == null) await CheckSealed(place, kept, lobby).ConfigureAwait(false);
                var given = new NewReveal { Committed = kept.Sealed.Hash, Entropy = kept.Entropy };
                lobby = await client.Reveal(lobby.Id, given).ConfigureAwait(false);
            }
            if (!IsWaiting(lobby) || kept.Receipt != null || !kept.Fits(lobby)) return lobby;
            kept.CheckReceipt(lobby.YourReveal);
            await log.CheckAuthor(lobby.YourReveal).ConfigureAwait(false);
            kept.Receipt = lobby.YourReveal;
            Keep(place, kept);
            return lobby;
        }

        /// <summary>Check what the log has fixed of all seats, and keep it durably. Throws
        /// Contradicted.</summary>
        private async Task CheckSealed(Place place, Kept kept, Lobby lobby)
        {
            LogState before = log.Newest;
            Commitments found;
            try
            {
                found = await client.GetCommitments(lobby.Id, before?.Size).ConfigureAwait(false);
            }
            catch (Problem problem) when (problem.Code == "malformed")
            {
                throw Contradicted.By("checkpoint", before?.Size + " entries", problem.Message);
            }
            LogState now = log.Checked(before, found.Checkpoint, found.Keys, found.SincePath);
            var between = new List<PersonLink>();
            try
            {
                kept.CheckSeats(found, lobby, now);
                while (links.IsBehind(found.YourLink))
                {
                    long last = links.Last;
                    List<PersonLink> all = await client.ListLinks(last).ConfigureAwait(false);
                    List<PersonLink> fresh = all.FindAll(each => each.Count < found.YourLink.Count);
                    links.Know(fresh);
                    if (links.Last == last) throw Contradicted.By("links", "start " + (last + 1), "none");
                    between.AddRange(fresh);
                }
                links.Know(new List<PersonLink> { found.YourLink });
            }
            catch (FormatException error)
            {
                throw Contradicted.By("committed", "hex and numbers", error.Message);
            }
            found.Keys = log.KeysOr(found.Keys);
            kept.Sealed = found;
            kept.Links = between;
            Keep(place, kept);
            log.Know(found.Keys, now);
        }

        private void Keep(Place place, Kept kept)
        {
            place.Kept = kept;
            file?.Append(kept);
        }

        private static bool Stays(ServerException error)
        {
            return error is Contradicted || error is NoEvidence || error is RevealedInVain;
        }

        private static bool IsWaiting(Lobby lobby)
        {
            return lobby.Status == "open" || lobby.Status == "starting";
        }

        /// <summary>Whether the client has to wait for others.</summary>
        private static bool IsAwaited(Problem problem)
        {
            return problem.Code == "commitments_awaited" || problem.Code == "not_sealed";
        }

        /// <summary>Whether the table has changed meanwhile, so that the client reads it
        /// again.</summary>
        private static bool HasChanged(Problem problem)
        {
            return problem.Code == "attempt_over" || problem.Code == "lobby_not_open"
                || problem.Code == "commitment_required";
        }

        /// <summary>Return the seat of this client in a lobby. Throws Contradicted.</summary>
        private static Seat SeatIn(Lobby lobby)
        {
            return lobby.Seats.Find(seat => seat.Number == lobby.YourSeat)
                ?? throw Contradicted.By("your_seat", "a seat of the lobby", lobby.YourSeat);
        }
    }
}
