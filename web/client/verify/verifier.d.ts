/** The second verifier of `audit/typescript/`, which is checked there. */
declare module "railbird-verifier" {
  export type Progress = (
    passed: "log" | "opening" | "commits" | "money" | "end",
    commits: number,
  ) => void;
  export class Diverged extends Error {}
  export class Needed extends Error {}
  export function verifyFile(
    name: string,
    trusted: never[],
    since: null,
    demand: { origin: null; witnesses: never[]; quorum: 0 },
    progress: Progress,
  ): { summary: string; keys: { text: string }[]; openings: Map<string, Opening> };
  /** The seats and witnesses that added to the dice, and the silent seats of abandoned starts. */
  interface Opening {
    dice: { seats: number[]; witnesses: string[] };
    silent: number[][];
  }
  export function judgeNotes(
    name: string,
    bundles: string[],
    dice: Set<string>,
  ): { lines: string[]; summary: string; code: number };
}
