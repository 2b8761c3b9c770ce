/** Commands that players sign: the text is the command as the server writes it. */
import { DEFAULTS } from "./defaults.ts";
import type * as models from "./models.ts";
import { sorted, written } from "./shapes.ts";

/** How often a command is signed again. */
const TRIES_MAX = 4;

type Json = Record<string, unknown>;

/** A version and its hash. */
export type Head = [version: number, hash: string];

/** Sign a text after a commit. */
export type Sign = (text: string, head: Head) => Promise<models.CommandSignature>;

/** The signatures of a command: the server may write it in another way, and may have gone on. */
export class Signing {
  /** The command as it is signed. */
  text: string;
  readonly #defaults: (typeof DEFAULTS)[string];
  readonly #sign: Sign;
  #left = TRIES_MAX;

  constructor(slug: string, command: unknown, sign: Sign) {
    this.#defaults = Object.hasOwn(DEFAULTS, slug) ? DEFAULTS[slug]! : {};
    this.#sign = sign;
    this.text = written(command);
  }

  /** Return a signature after a commit. */
  after(head: Head): Promise<models.CommandSignature> {
    return this.#sign(this.text, head);
  }

  /** Whether another signature may be accepted after this refusal. */
  goesOn(code: string, data: Json): boolean {
    if (code !== "signature_refused" || this.#left === 0) return false;
    this.#left--;
    const { reason, command: text } = data;
    if (reason === "late") return true;
    if (reason !== "wrong" || typeof text !== "string" || text === this.text || !this.#isSame(text)) return false;
    this.text = text;
    return true;
  }

  /** Whether a text is this command, apart from the order of its members, with the defaults of the
   * game for those that were left out. */
  #isSame(text: string): boolean {
    try {
      const said: unknown = JSON.parse(text);
      if (JSON.stringify(said) !== text) return false; // such as a member that is there twice
      const own = JSON.parse(this.text) as Json & { type: string };
      const defaults = Object.hasOwn(this.#defaults, own.type) ? this.#defaults[own.type]! : [];
      for (const [path, value] of defaults) fill(own, path, value);
      return JSON.stringify(sorted(said)) === JSON.stringify(sorted(own));
    } catch {
      return false;
    }
  }
}

/** Set what a path leads to, unless it is set. */
function fill(into: unknown, [name, ...more]: string[], value: unknown): void {
  if (name === "*") return (into as unknown[]).forEach((item) => fill(item, more, value));
  const object = into as Json;
  const has = Object.hasOwn(object, name!);
  if (more.length === 0 && !has) object[name!] = value;
  else if (more.length > 0 && has) fill(object[name!], more, value);
}
