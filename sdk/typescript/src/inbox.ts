import type * as frames from "./frames.ts";
import type { Notices } from "./models.ts";
import { FROM_ME } from "./shapes_of_types.ts";
import { Lost, Stream, type StreamOptions, type Told } from "./stream.ts";

/**
 * A user's notices in order, without gaps, except those that the server has deleted. The first news
 * come at once, perhaps without notices.
 */
export class Inbox extends Stream<frames.FromMe, Notices> {
  #hasTold = false;

  constructor(address: string, token: string, options: StreamOptions) {
    super(address, token, FROM_ME, options);
  }

  /** The number of the latest notice; undefined before the first news. */
  get number(): number | undefined {
    return this.after;
  }

  protected take(frame: Told<frames.FromMe>): void {
    if (frame.type === "notices") this.#takeNotices(frame);
    else if (this.after !== undefined && frame.last > this.after) throw new Lost();
  }

  #takeNotices({ first, last, read, notices }: frames.NoticesFrame): void {
    const before = this.after ?? (notices[0] ? notices[0].number - 1 : last);
    const known = Math.max(before, Math.min(first - 1, last)); // the server has deleted those before
    const fresh = notices.filter(({ number }) => number > known);
    if (fresh.some(({ number }, index) => number !== known + 1 + index)) throw new Lost();
    this.after = known + fresh.length;
    if (!fresh.length && this.#hasTold) return;
    this.#hasTold = true;
    this.tell({ first, last, read, notices: fresh });
  }
}
