const FIRST_MS = 250;
const MOST_MS = 15_000;

/** Codes after which the client repeats the same request, a command under the same id. */
export const AGAIN: ReadonlySet<string> = new Set([
  "busy",
  "unavailable",
  "outcome_unknown",
  "too_many_commands",
]);

/**
 * Return a random pause after this many failures in a row; its limit doubles each time.
 *
 * The random part keeps clients that lost the same server from returning together.
 */
export function pauseMs(failures: number): number {
  return 50 + Math.random() * Math.min(MOST_MS, FIRST_MS * 2 ** failures);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
