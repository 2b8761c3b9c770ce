/** The base class of the exceptions of this package: a request failed or its outcome is unknown. */
export class ServerError extends Error {
  /** The stable name of the failure. */
  readonly code: string;

  constructor(code: string, message: string = code, options?: { cause: unknown }) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    if (options) this.cause = options.cause;
  }
}

export interface Details {
  version?: number | null;
  status?: number;
  title?: string;
  retryAfterMs?: number;
}

/** An error response. Test `code`, which is stable; `data` has the details. */
export class Problem extends ServerError {
  readonly data: Readonly<Record<string, unknown>>;
  /** The version of the game that rejected a command. */
  readonly version: number | null;
  /** The HTTP status; undefined on a socket. */
  readonly status: number | undefined;
  readonly title: string;
  /** How long the server asks to wait before another try. */
  readonly retryAfterMs: number;

  constructor(
    code: string,
    data: Readonly<Record<string, unknown>>,
    { version, status, title, retryAfterMs }: Details = {},
  ) {
    super(code, Object.keys(data).length ? `${code} ${JSON.stringify(data)}` : code);
    this.data = data;
    this.version = version ?? null;
    this.status = status;
    this.title = title ?? "";
    this.retryAfterMs = retryAfterMs ?? 0;
  }
}

/** The server closed a socket, and reconnecting is pointless. See `closeCode` and `code`. */
export class Closed extends Problem {
  readonly closeCode: number;

  constructor(closeCode: number, code: string, data: Readonly<Record<string, unknown>>) {
    super(code, data);
    this.closeCode = closeCode;
  }
}

/**
 * No answer of the server arrived, also to repetitions where they are safe. `code` says why.
 *
 * - `unreachable`: no connection, or it was lost
 * - `timed_out`: no answer in time
 * - `tls_failed`: the certificate or the encryption is wrong; browsers do not say so
 * - `redirected`: something referred the client to another address, which it never follows
 * - `unreadable`: what arrived is not of the server's form, such as the page of a proxy
 * - `too_large`: what arrived exceeds the limit of this client
 */
export class Unreachable extends ServerError {}

/**
 * The outcome of a request on a socket is unknown: there was no answer in time. Repeat a command or
 * message with this `id`: it counts once.
 */
export class Unanswered extends ServerError {
  readonly id: string;

  constructor(id: string, trouble = "") {
    super("unanswered", `request ${id} was not answered in time${trouble && ` (${trouble})`}`);
    this.id = id;
  }
}

/**
 * The server contradicts what it has acknowledged.
 *
 * Keep `note` if it is not empty: it is signed.
 */
export class Contradicted extends ServerError {
  readonly note: string;
  readonly field: string;

  constructor(note: string, field: string, expected: string, found: string) {
    super("contradicted", `${field}: expected ${expected}, found ${found}`);
    this.note = note;
    this.field = field;
  }
}

/** No key that the public log names signed this note, so it proves nothing, also not that the server
 * lied. An empty note: the server did not sign what it showed. */
export class NoEvidence extends ServerError {
  readonly note: string;

  constructor(note: string) {
    super("no_evidence", `no key of the log signed ${note ? "this note" : "what the server showed"}`);
    this.note = note;
  }
}

/** More news wait than this client stores. To continue, reopen the table with `after`. */
export class FellBehind extends ServerError {
  constructor(message: string) {
    super("fell_behind", message);
  }
}

/** The program ended a request or a stream with its AbortSignal. */
export class Aborted extends ServerError {
  constructor() {
    super("aborted", "the program ended this");
  }
}

/** The program uses this package in a way that cannot work; the message says how to use it. */
export class Misused extends ServerError {
  constructor(message: string) {
    super("misused", message);
  }
}

/** Return an object of the program, such as options. Throws Misused for null and other values. */
export function given<T extends object>(value: T): T {
  if (value === null || typeof value !== "object") throw new Misused(`an object is expected, not ${String(value)}`);
  return value;
}

/**
 * The start of this lobby's game was given up, for instance because a player left; the lobby is open
 * again, or closed.
 */
export class StartAbandoned extends ServerError {
  constructor(lobby: string) {
    super("start_abandoned", lobby);
  }
}

/**
 * By its terms, the start of this lobby's game was to be decided by now: the server has neither
 * started the game nor given up. It may be looking at the dice.
 */
export class StartOverdue extends ServerError {
  constructor(lobby: string, withinMs: number) {
    const decided = `the start was to be decided within ${withinMs / 1000} s`;
    super("start_overdue", `lobby ${lobby}: ${decided}; the server has neither started the game nor given up`);
  }
}

/**
 * The client revealed its entropy this many times without a game. Somebody may try for other dice;
 * `Client.goOn` continues.
 */
export class RevealedInVain extends ServerError {
  constructor(times: number) {
    super("revealed_in_vain", `${times} times`);
  }
}
