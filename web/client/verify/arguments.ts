/** The verifier's `node:util` reads the arguments of a command; a page has none. */
export function parseArgs(): never {
  throw new Error("A page has no arguments.");
}
