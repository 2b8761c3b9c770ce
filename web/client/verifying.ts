/** Download the bundle of a game, and verify it in a worker. */
import { Problem } from "railbird-client";
import { sleep } from "railbird-client/patience";
import { downloaded } from "./about.ts";
import { signIn } from "./session.ts";
import type { Report } from "./verifier.ts";

const SEAL_AGAIN_MS = 1000;
const SEAL_ATTEMPTS = 30;
/** The answer of the verifiers when notes contradict a game. */
export const CONTRADICTED = 1;

/** A new worker. `fail` is called when it cannot be loaded, or fails. */
export function verifier(show: (report: Report) => void, fail: () => void): Worker {
  const begun = new Worker(new URL("verifier.js", import.meta.url), { type: "module" });
  begun.onmessage = ({ data }: MessageEvent<Report>): void => show(data);
  begun.onerror = (event): void => {
    event.preventDefault();
    fail();
  };
  return begun;
}

/** Download a bundle. A game that has just ended is sealed within seconds; `wait` is called meanwhile. */
export async function bundle(game: string, wait: () => void): Promise<Uint8Array> {
  const { token } = await signIn();
  for (let attempt = 1; ; attempt++) {
    try {
      const file = await downloaded(`/api/v1/audit/games/${game}/bundle/`, token);
      return new Uint8Array(await file.arrayBuffer());
    } catch (error) {
      const isEarly = error instanceof Problem && error.code === "not_sealed";
      if (!isEarly || attempt === SEAL_ATTEMPTS) throw error;
    }
    wait();
    await sleep(SEAL_AGAIN_MS);
  }
}
