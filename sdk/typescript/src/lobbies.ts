import type * as frames from "./frames.ts";
import { FROM_LOBBIES, FROM_LOBBY } from "./shapes_of_types.ts";
import { Unreadable } from "./shapes.ts";
import { Conversation, Lost, MOST, Stream, type StreamOptions, type Told } from "./stream.ts";

/** The statuses of lobbies that have not become a game. */
export const WAITING: ReadonlySet<string> = new Set(["open", "starting"]);

/** Events of a lobby, and the lobby after them. The first news have no events. */
export interface RoomNews {
  type: "news";
  version: number;
  /** A newer server may send events that this client does not know. */
  events: frames.LobbyEvent[];
  lobby: frames.Lobby;
}

/** A lobby's events without gaps, and presence. The stream ends when the lobby has closed. */
export class Room extends Conversation<frames.FromLobby, RoomNews | frames.Presence> {
  #hasClosed = false;

  constructor(address: string, token: string, options: StreamOptions) {
    super(address, token, FROM_LOBBY, options);
  }

  /** The version of the latest news; undefined before the first. */
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
    if (known === undefined || fresh.some(({ version }, index) => version !== known + 1 + index))
      throw new Lost();
    if (!fresh.length) return;
    this.#tell({ ...frame, version: known + fresh.length }, fresh);
    this.#see(frame.lobby);
  }

  #tell(
    { version, lobby }: frames.Room | frames.LobbyEventsFrame,
    events: frames.LobbyEvent[],
  ): void {
    this.after = version;
    this.tell({ type: "news", version, events, lobby });
  }

  /**
   * Note whether this is the end. While a client catches up, the lobby may be ahead of its events.
   */
  #see(lobby: frames.Lobby): void {
    this.#hasClosed = lobby.status === "closed" && lobby.version === this.after;
  }
}

/**
 * The visible lobbies that are open or starting, newest first, after each change. A slow reader
 * gets the last list.
 */
export class Lobbies extends Stream<frames.FromLobbies, frames.Lobby[]> {
  #open = new Map<string, frames.Lobby>();
  #coming = new Map<string, frames.Lobby>();

  constructor(address: string, token: string, options: StreamOptions) {
    super(address, token, FROM_LOBBIES, options);
  }

  /** Discard a partial list: the next connection sends the whole list. */
  protected override resume(): void {
    this.#coming.clear();
  }

  protected take(frame: Told<frames.FromLobbies>): void {
    switch (frame.type) {
      case "lobbies":
        for (const lobby of frame.lobbies) this.#coming.set(lobby.id, lobby);
        checkSize(this.#coming);
        if (!frame.complete) return;
        [this.#open, this.#coming] = [this.#coming, new Map()];
        this.#show(frame.cursor);
        break;
      case "changes":
        if (this.after === undefined) throw new Lost(); // of which list?
        for (const lobby of frame.lobbies) {
          if (WAITING.has(lobby.status)) this.#open.set(lobby.id, lobby);
          else this.#open.delete(lobby.id);
        }
        for (const id of frame.gone) this.#open.delete(id);
        checkSize(this.#open);
        this.#show(frame.cursor);
        break;
      case "heartbeat":
        if (this.after !== undefined) this.after = frame.cursor;
    }
  }

  #show(cursor: number): void {
    this.after = cursor;
    this.dropNews();
    // Ids contain their creation time.
    this.tell([...this.#open.values()].sort((one, other) => (one.id < other.id ? 1 : -1)));
  }
}

function checkSize({ size }: Map<string, frames.Lobby>): void {
  if (size > MOST.lobbies) throw new Unreadable("a list is too long");
}
