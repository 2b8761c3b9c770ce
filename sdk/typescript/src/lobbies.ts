import type * as frames from "./frames.ts";
import { Lost, Stream, type Told } from "./stream.ts";

/** What has happened in a room, and the lobby after it. At first nothing has: the lobby as it was found. */
export interface RoomNews {
  type: "news";
  version: number;
  /** A newer server may know events that this client does not. */
  events: frames.LobbyEvent[];
  lobby: frames.Lobby;
}

/** What happens in one room, without gaps, and who is here. It ends when the lobby has closed. */
export class Room extends Stream<frames.FromLobby, RoomNews | frames.Presence> {
  #hasClosed = false;

  /** How far the news have come; none until the first. */
  get version(): number | undefined {
    return this.after;
  }

  protected override isOver(): boolean {
    return this.#hasClosed;
  }

  protected take(frame: Told<frames.FromLobby>): void {
    switch (frame.type) {
      case "room":
        if (this.after === undefined) this.#tell(frame, []);
        this.#see(frame.lobby);
        break;
      case "lobby_events":
        this.#takeEvents(frame);
        break;
      case "presence":
        this.tell(frame);
        break;
      case "heartbeat":
        if (this.after !== undefined && frame.version > this.after) throw new Lost();
    }
  }

  #takeEvents(frame: frames.LobbyEventsFrame): void {
    const known = this.after;
    const fresh = frame.events.filter(({ version }) => known === undefined || version > known);
    if (known === undefined || fresh.some(({ version }, index) => version !== known + 1 + index)) throw new Lost();
    if (!fresh.length) return;
    this.#tell(frame, fresh);
    this.#see(frame.lobby);
  }

  #tell({ version, lobby }: frames.Room | frames.LobbyEventsFrame, events: frames.LobbyEvent[]): void {
    this.after = version;
    this.tell({ type: "news", version, events, lobby });
  }

  /** Whether this is the end: who catches up is told of it by the lobby before the last events have come. */
  #see(lobby: frames.Lobby): void {
    this.#hasClosed = lobby.status === "closed" && lobby.version === this.after;
  }
}

/** The open lobbies that one may see, newest first, each time they have changed. Who is slow gets the last list alone. */
export class Lobbies extends Stream<frames.FromLobbies, frames.Lobby[]> {
  #open = new Map<string, frames.Lobby>();
  #coming = new Map<string, frames.Lobby>();

  /** Half a list is none: the next connection brings all of it. */
  protected override resume(): void {
    this.#coming.clear();
  }

  protected take(frame: Told<frames.FromLobbies>): void {
    switch (frame.type) {
      case "lobbies":
        for (const lobby of frame.lobbies) this.#coming.set(lobby.id, lobby);
        if (!frame.complete) return;
        [this.#open, this.#coming] = [this.#coming, new Map()];
        this.#show(frame.cursor);
        break;
      case "changes":
        for (const lobby of frame.lobbies) {
          if (lobby.status === "open") this.#open.set(lobby.id, lobby);
          else this.#open.delete(lobby.id);
        }
        for (const id of frame.gone) this.#open.delete(id);
        this.#show(frame.cursor);
        break;
      case "heartbeat":
        this.after = frame.cursor;
    }
  }

  #show(cursor: number): void {
    this.after = cursor;
    this.news = [];
    // An id tells when it was made.
    this.tell([...this.#open.values()].sort((one, other) => (one.id < other.id ? 1 : -1)));
  }
}
