/** One request over HTTP: the server's own answer, whole and within limits, or an error. */
import type * as models from "./models.ts";
import { LONGEST_MS, retryAfterMs } from "./patience.ts";
import { Aborted, Misused, Problem, Unreachable } from "./problems.ts";
import { check, parse, Unreadable, type Shape } from "./shapes.ts";

const BODY_BYTES_MAX = 1 << 24;
const WITHOUT_BODY = new Set([202, 204]);

export interface Asked {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** Escape a part of a path, which cannot lead elsewhere. Throws Misused. */
export function part(value: string | number): string {
  const text = String(value ?? "");
  if (["", ".", ".."].includes(text)) throw new Misused(`"${text}" is no id`);
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "?"));
}

/** Whether this is the address of a server, as sockets and HTTP understand it. */
export function isAddress(url: string): boolean {
  try {
    new URL(url);
  } catch {
    return false;
  }
  return /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(url);
}

/** Send a request once, and return its answer. Throws Problem, Unreachable, Aborted. */
export function ask(
  address: string,
  asked: Asked,
  shape: Shape | undefined,
  withinMs: number,
  signal?: AbortSignal,
): Promise<unknown> {
  return exchange(address, asked, withinMs, signal, async (answer, end) => read(answer, await textOf(answer, end), shape));
}

/** Send a request for a file once. Throws Problem, Unreachable. */
export function download(address: string, asked: Asked, withinMs: number): Promise<Blob> {
  return exchange(address, asked, withinMs, undefined, async (answer, end) => {
    if (answer.ok) return answer.blob();
    return read(answer, await textOf(answer, end), undefined) as never;
  });
}

async function exchange<T>(
  address: string,
  asked: Asked,
  withinMs: number,
  signal: AbortSignal | undefined,
  take: (answer: Response, end: () => void) => Promise<T>,
): Promise<T> {
  const what = `${asked.method} ${address}`;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  if (signal?.aborted) throw new Aborted();
  signal?.addEventListener("abort", end);
  const late = setTimeout(end, Math.min(withinMs, LONGEST_MS));
  try {
    const answer = await fetch(address, { ...asked, redirect: "manual", signal: ending.signal });
    if (answer.type === "opaqueredirect" || (answer.status >= 300 && answer.status < 400)) {
      throw new Unreachable("redirected", `${what}: status ${answer.status}`);
    }
    return await take(answer, end);
  } catch (error) {
    if (error instanceof Problem || error instanceof Unreachable) throw error;
    if (signal?.aborted) throw new Aborted();
    const code = ending.signal.aborted ? "timed_out" : troubleOf(error);
    throw new Unreachable(code, `${what}: ${error}`, { cause: error });
  } finally {
    clearTimeout(late);
    signal?.removeEventListener("abort", end);
  }
}

function troubleOf(error: unknown): string {
  if (error instanceof Unreadable) return "unreadable";
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === "string" ? cause.code : "";
  if (/CERT|TLS|SSL/.test(code)) return "tls_failed";
  return code.startsWith("Z_") ? "unreadable" : "unreachable";
}

/** Read a text whose size is bounded, also after decompression. Throws Unreachable. */
async function textOf(answer: Response, end: () => void): Promise<string> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (part?: Uint8Array): string => {
    try {
      return decoder.decode(part, { stream: part !== undefined });
    } catch (error) {
      throw new Unreadable(String(error));
    }
  };
  let text = "";
  let left = BODY_BYTES_MAX;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text + decoded();
    left -= value!.length;
    if (left < 0) {
      end();
      throw new Unreachable("too_large", `more than ${BODY_BYTES_MAX} bytes`);
    }
    text += decoded(value);
  }
}

/** Read the answer in a response. Throws Problem, Unreadable. */
function read(answer: Response, text: string, shape: Shape | undefined): unknown {
  const kind = (answer.headers.get("Content-Type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (answer.ok && shape === undefined && WITHOUT_BODY.has(answer.status) && !text) return undefined;
  if (answer.ok && shape !== undefined && kind === "application/json") {
    const found = parse(text);
    check(found, shape);
    return found;
  }
  if (answer.status >= 400 && kind === "application/problem+json") {
    const found = parse(text);
    check(found, "ProblemDocument");
    throw problemOf(answer, found as models.ProblemDocument);
  }
  throw new Unreadable(`status ${answer.status} with ${kind || "no type"}`);
}

function problemOf(answer: Response, { code, data = {}, version = null, title }: models.ProblemDocument): Problem {
  check(data, {});
  const waitMs = retryAfterMs(answer.headers.get("Retry-After"), answer.headers.get("Date"));
  return new Problem(code, data, { version, status: answer.status, title, retryAfterMs: waitMs });
}
