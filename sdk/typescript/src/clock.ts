import { Unreadable } from "./shapes.ts";

/** How far ahead of the server's time the `not_after` of a command lies. */
export const IN_TIME = { ms: 5_000 };

/** A time with its zone: without one, it would be of this computer's zone. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** Read a time of the server. Throws Unreadable. */
export function moment(text: string): Date {
  const found = new Date(MOMENT.test(text) ? text : NaN);
  const year = found.getUTCFullYear();
  if (!(year >= 2000 && year < 9000)) throw new Unreadable(`no time of this server: ${text.slice(0, 40)}`);
  return found;
}

export function momentOrNull(text: string | null): Date | null {
  return text === null ? null : moment(text);
}

/**
 * The server's time as its latest frame said, and the time that has passed since.
 *
 * The clock of this computer may be wrong, or be set: only how fast it runs counts.
 */
export class ServerClock {
  #saidMs = 0;
  #heardAt = 0;

  /** Note what time the server says it is. */
  set(now: Date): void {
    this.#saidMs = now.getTime();
    this.#heardAt = performance.now();
  }

  now(): number {
    return this.#saidMs + performance.now() - this.#heardAt;
  }
}
