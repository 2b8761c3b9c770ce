/** How far ahead of the server's time the `not_after` of a command lies. */
export const IN_TIME_MS = 5_000;

/** An estimate of the server's time from its frames; before the first one, the client's time. */
export class ServerClock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Note a time that the server has passed already. */
  heard(atMs: number): void {
    this.#aheadMs = Math.max(this.#aheadMs, atMs - Date.now());
  }

  /** Note what time the server says it is. */
  set(nowMs: number): void {
    this.#aheadMs = nowMs - Date.now();
  }
}
