/** The base class of the exceptions of this package: a request failed or its outcome is unknown. */
export class ServerError extends Error {
  constructor(message?: string) {
    super(message);
    this.name = new.target.name;
  }
}

export interface Details {
  version?: number | null;
  status?: number;
  title?: string;
}

/** An error response. Test `code`, which is stable; `data` has the details. */
export class Problem extends ServerError {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The version of the game that rejected a command. */
  readonly version: number | null;
  /** The HTTP status; undefined on a socket. */
  readonly status: number | undefined;
  readonly title: string;

  constructor(
    code: string,
    data: Readonly<Record<string, unknown>>,
    { version, status, title }: Details = {},
  ) {
    super(Object.keys(data).length ? `${code} ${JSON.stringify(data)}` : code);
    this.code = code;
    this.data = data;
    this.version = version ?? null;
    this.status = status;
    this.title = title ?? "";
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

/** The server did not respond, despite retries. */
export class Unreachable extends ServerError {}

/** The outcome of a command is unknown. Repeat it with this `id`; it counts once. */
export class Unanswered extends ServerError {
  readonly id: string;

  constructor(id: string) {
    super(`command ${id} was not answered in time`);
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
    super(`${field}: expected ${expected}, found ${found}`);
    this.note = note;
    this.field = field;
  }
}

/** More news wait than this client stores. To continue, reopen the table with `after`. */
export class FellBehind extends ServerError {}
