/** What can go wrong. Whatever this package throws on purpose is a ServerError. */
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

/** The server said no. Program against `code`; `data` is what there is to know about it. */
export class Problem extends ServerError {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Where the game stood when it refused. */
  readonly version: number | null;
  /** That of HTTP; none for what was refused on a socket. */
  readonly status: number | undefined;
  readonly title: string;

  constructor(code: string, data: Readonly<Record<string, unknown>>, { version, status, title }: Details = {}) {
    super(Object.keys(data).length ? `${code} ${JSON.stringify(data)}` : code);
    this.code = code;
    this.data = data;
    this.version = version ?? null;
    this.status = status;
    this.title = title ?? "";
  }
}

/** The server closed a socket, and coming back would change nothing: `closeCode` and `code` say why. */
export class Closed extends Problem {
  readonly closeCode: number;

  constructor(closeCode: number, code: string, data: Readonly<Record<string, unknown>>) {
    super(code, data);
    this.closeCode = closeCode;
  }
}

/** No answer from the server, however often it was asked. */
export class Unreachable extends ServerError {}

/** Whether a command was carried out is not known yet. Played again under this `id`, it counts once. */
export class Unanswered extends ServerError {
  readonly id: string;

  constructor(id: string) {
    super(`command ${id} was not answered in time`);
    this.id = id;
  }
}

/** More commits wait to be read than this client keeps. Open the table again with `after` to go on. */
export class FellBehind extends ServerError {}
