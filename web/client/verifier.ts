/** The worker that verifies a bundle or a receipt with the second verifier. */
import "./verify/buffer.ts";
import { keep } from "./verify/files.ts";
import { Diverged, Needed, verifyFile, type Progress } from "railbird-verifier";

export type Check = Parameters<Progress>[0];

/** The reports of the worker: checks that passed, then how it ended. */
export type Report =
  | { type: "passed"; check: Check; commits: number }
  | { type: "verified"; summary: string; keys: string[] }
  | { type: "diverged" | "needs" | "unreadable"; reason: string };

const NAME = "file";
const report = (message: Report): void => postMessage(message);

onmessage = ({ data }: MessageEvent<Uint8Array>): void => {
  keep(NAME, data);
  try {
    const demand = { origin: null, witnesses: [], quorum: 0 } as const;
    const { summary, keys } = verifyFile(
      NAME,
      [],
      null,
      { ...demand, witnesses: [] },
      (check, commits) => report({ type: "passed", check, commits }),
    );
    report({ type: "verified", summary, keys: keys.map(({ text }) => text) });
  } catch (error) {
    const type =
      error instanceof Diverged ? "diverged" : error instanceof Needed ? "needs" : "unreadable";
    report({ type, reason: (error as Error).message });
  }
};
