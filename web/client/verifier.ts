/** The worker that verifies a bundle or a receipt with the second verifier. */
import "./verify/buffer.ts";
import { keep } from "./verify/files.ts";
import { Diverged, judgeNotes, Needed, verifyFile, type Progress } from "railbird-verifier";

export type Check = Parameters<Progress>[0];

/** A game of a file: the seats and witnesses that added to its dice, and the silent seats of each
 * start that was abandoned before. */
export interface Game {
  game: string;
  seats: number[];
  witnesses: string[];
  silent: number[][];
}

/** The result of the comparison with signed notes. */
export type Judged = ReturnType<typeof judgeNotes>;

/** A file to verify, and the signed notes of a player to compare it with. */
export interface Order {
  content: Uint8Array;
  notes: Uint8Array | undefined;
}

/** The reports of the worker: checks that passed, then how it ended. */
export type Report =
  | { type: "passed"; check: Check; commits: number }
  | { type: "verified"; summary: string; keys: string[]; games: Game[]; judged?: Judged }
  | { type: "diverged" | "needs" | "unreadable"; reason: string };

const NAME = "file";
const NOTES = "notes";
const report = (message: Report): void => postMessage(message);

onmessage = ({ data: { content, notes } }: MessageEvent<Order>): void => {
  keep(NAME, content);
  try {
    const demand = { origin: null, witnesses: [], quorum: 0 } as const;
    const { summary, keys, openings } = verifyFile(
      NAME,
      [],
      null,
      { ...demand, witnesses: [] },
      (check, commits) => report({ type: "passed", check, commits }),
    );
    const games = [...openings].map(([game, { dice, silent }]) => ({ game, ...dice, silent }));
    const verified = { type: "verified", summary, keys: keys.map(({ text }) => text), games } as const;
    report(notes ? { ...verified, judged: judged(notes) } : verified);
  } catch (error) {
    const type =
      error instanceof Diverged ? "diverged" : error instanceof Needed ? "needs" : "unreadable";
    report({ type, reason: (error as Error).message });
  }
};

function judged(notes: Uint8Array): Judged {
  keep(NOTES, notes);
  try {
    return judgeNotes(NOTES, [NAME], new Set());
  } catch (error) {
    return { lines: [(error as Error).message], summary: "", code: error instanceof Needed ? 3 : 2 };
  }
}
