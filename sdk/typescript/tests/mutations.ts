/**
 * Read damaged frames and bodies from a file of JSON strings, and print how many were read and what
 * was thrown that is no error of the client: `mutations.ts FILE`.
 */
import { readFileSync } from "node:fs";
import { ask } from "../src/http.ts";
import { Client, ServerError, type GameTypes } from "../src/index.ts";

const texts = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as string[];
const foreign: string[] = [];
let read = 0;

/** A connection on which the test says what arrives. */
class Line {
  static readonly OPEN = 1;
  static last: Line;
  readonly readyState = Line.OPEN;
  onmessage: ((message: { data: unknown }) => void) | undefined;

  constructor() {
    Line.last = this;
  }

  send(): void {}
  close(): void {}
}

globalThis.WebSocket = Line as unknown as typeof WebSocket;
const client = new Client("http://127.0.0.1:9", "SECRET", { entropy: false });
for (const text of texts) {
  for (const open of [() => client.table<GameTypes>("a"), () => client.room("a"), () => client.lobbies(), () => client.inbox()]) {
    const stream = open();
    try {
      Line.last.onmessage!({ data: text });
      if (stream.trouble !== "unreadable") read++;
    } catch (error) {
      foreign.push(`${text}: ${error}`);
    }
    stream.close();
  }
  for (const [status, kind] of [[200, "application/json"], [503, "application/problem+json"]] as const) {
    globalThis.fetch = async () => new Response(text, { status, headers: { "Content-Type": kind } });
    try {
      await ask("http://127.0.0.1:9", { method: "GET", headers: {} }, "Lobby", 1000);
      read++;
    } catch (error) {
      if (!(error instanceof ServerError && typeof error.code === "string")) foreign.push(`${text}: ${error}`);
    }
  }
}
console.log(JSON.stringify({ read, foreign }));
process.exit(0);
