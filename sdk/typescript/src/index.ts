/** A typed Railbird client for browsers and Node. */
export { Acknowledgements, parseNote } from "./acknowledgements.ts";
export { Client, type ClientOptions } from "./client.ts";
export type { EntropyStore, KeptEntropy } from "./entropy.ts";
export type { LobbyEvent, Lobby, Presence } from "./frames.ts";
export { Inbox } from "./inbox.ts";
export { Lobbies, Room, type RoomNews } from "./lobbies.ts";
export { Aborted, Closed, Contradicted, FellBehind, Misused, NoEvidence, Problem, RevealedInVain, ServerError, StartAbandoned, StartOverdue, Unanswered, Unreachable } from "./problems.ts";
export { decidedWithinMs } from "./sealed.ts";
export { Table, type Accepted, type Commit, type GameTypes, type Legal, type View } from "./table.ts";
