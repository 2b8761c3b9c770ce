const FIRST_MS = 250;
const MOST_MS = 15_000;

/** Refusals after which the same request, a command under the same id, is sent again. */
export const AGAIN: ReadonlySet<string> = new Set(["busy", "unavailable", "outcome_unknown", "too_many_commands"]);

/**
 * A pause after so many failures in a row: doubled each time, and all of it luck, so that clients that lost the same server
 * do not come back together.
 */
export function pauseMs(failures: number): number {
  return 50 + Math.random() * Math.min(MOST_MS, FIRST_MS * 2 ** failures);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
