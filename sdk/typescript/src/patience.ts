/** How long to wait before another try. */
import { Problem, Unanswered, Unreachable } from "./problems.ts";

/** In milliseconds: the first pause, the longest one, and how long a good connection lasts. */
export const PATIENCE = { firstMs: 250, mostMs: 15_000, goodAfterMs: 5_000 };

/** How long a server, or who answers in its place, can make a client wait that goes on by itself. */
const ASKED_MAX_MS = 60_000;

/** Codes after which the client repeats the same request, a command under the same id. */
export const AGAIN: ReadonlySet<string> = new Set([
  "busy",
  "unavailable",
  "outcome_unknown",
  "too_many_commands",
]);

/** The statuses of requests that the server asks to send again. */
const LATER = new Set([429, 503]);
/** The codes of answers that are not the server's; asking again brings the same. */
const FOREIGN = new Set(["unreadable", "too_large"]);

/** Whether the server was only busy or away, so that the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Problem) return AGAIN.has(error.code) || LATER.has(error.status!);
  return error instanceof Unanswered || (error instanceof Unreachable && !FOREIGN.has(error.code));
}

/**
 * Do this again until it succeeds, or fails in a way that stays. `onFailure` learns why
 * it is to be done again.
 */
export async function persist<T>(
  work: () => Promise<T>,
  onFailure: (error: unknown) => void = () => undefined,
  pause: (ms: number) => Promise<void> = sleep,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      onFailure(error);
      const asked = error instanceof Problem ? Math.min(error.retryAfterMs, ASKED_MAX_MS) : 0;
      await pause(pauseMs(failures) + asked);
    }
  }
}

/**
 * Return a random pause after this many failures in a row; its limit doubles each time.
 *
 * The random part keeps clients that lost the same server from returning together.
 */
export function pauseMs(failures: number): number {
  return 50 + Math.random() * Math.min(PATIENCE.mostMs, PATIENCE.firstMs * 2 ** failures);
}

/**
 * The pauses between connections, which grow until one was good: it has lasted for a while, or
 * brought something new.
 */
export class Patience {
  #failures = 0;

  /** Return the pause after a connection. */
  pauseMs(wasGood: boolean): number {
    if (wasGood) this.#failures = 0;
    return pauseMs(this.#failures++);
  }
}

/**
 * Return the milliseconds that a `Retry-After` asks for, in either of its forms; 0 for others.
 *
 * A moment is compared with the `Date` of the same response, since the own clock may be wrong.
 */
export function retryAfterMs(asked: string | null, date: string | null): number {
  if (asked === null) return 0;
  if (/^\d+$/.test(asked)) return 1000 * Number(asked);
  const left = moment(asked) - (date === null ? Date.now() : moment(date));
  return left > 0 ? left : 0;
}

/** A date in a header is of Greenwich, unless it names another zone. */
function moment(text: string): number {
  return Date.parse(/GMT|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
}

/** The longest time that timers count: a longer one would end at once. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Wait so long, or until the signal ends it. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
