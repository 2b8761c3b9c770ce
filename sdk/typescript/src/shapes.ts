/** Whether a value from outside has the shape of a type. */
import { Misused } from "./problems.ts";
import { SHAPES } from "./shapes_of_types.ts";

/**
 * `s` text, `i` integer, `n` number, `b` true or false, `*` anything, `e` an object with a `type`, or
 * the name of a type. With a `?`, it may be null; with a `!`, it may also be missing: so may what is in
 * an object with this name. A list has its items' shape in brackets, a map in an object without names.
 */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

/** Thrown while something is read: it does not have the shape of what the server sends. */
export class Unreadable extends Error {}

/** Parse JSON. Throws Unreadable, also for halves of characters. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text, /\\u[dD][89a-fA-F]/.test(text) ? whole : undefined);
  } catch (error) {
    throw new Unreadable(String(error));
  }
}

function whole(name: string, value: unknown): unknown {
  if (/\p{Surrogate}/u.test(typeof value === "string" ? `${name} ${value}` : name)) throw new Unreadable("half a character");
  return value;
}

/** Write JSON. Throws Misused for what JSON cannot express. */
export function written(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new Misused(`this cannot be sent: ${error}`);
  }
}

/** The same value with the names of objects in order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]));
}

/** Check that a value has a shape. Throws Unreadable. */
export function check(value: unknown, shape: Shape): void {
  if (typeof shape === "string") return checkNamed(value, shape);
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) throw new Unreadable("a list is expected");
    for (const item of value) check(item, shape[0]);
    return;
  }
  const { "?": nullable, "!": optional } = shape as { readonly [field: string]: Shape };
  if (nullable ?? optional) return isAbsent(value, optional ? "!" : "?") ? undefined : check(value, (nullable ?? optional)!);
  const fields = fieldsOf(value);
  for (const [field, inner] of Object.entries(shape)) {
    if (field) check(fields[field], inner);
    else for (const member of Object.values(fields)) check(member, inner);
  }
}

function checkNamed(value: unknown, shape: string): void {
  const mark = shape.at(-1)!;
  if (mark === "?" || mark === "!") return isAbsent(value, mark) ? undefined : checkNamed(value, shape.slice(0, -1));
  const named = SHAPES[shape];
  if (named !== undefined) return check(value, named);
  if (!IS[shape]!(value)) throw new Unreadable(`the shape ${shape} is expected`);
}

function isAbsent(value: unknown, mark: "?" | "!"): boolean {
  return value === null || (mark === "!" && value === undefined);
}

const IS: Record<string, (value: unknown) => boolean> = {
  s: (value) => typeof value === "string",
  i: (value) => Number.isSafeInteger(value),
  n: (value) => Number.isFinite(value),
  b: (value) => typeof value === "boolean",
  e: (value) => typeof fieldsOf(value)["type"] === "string",
  "*": (value) => value !== undefined,
};

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Unreadable("an object is expected");
  return value as Record<string, unknown>;
}

/** Read a frame of one of these types; undefined for a type that is not known. Throws Unreadable. */
export function readFrame<Frame>(text: unknown, types: Record<string, Shape>): Frame | undefined {
  if (typeof text !== "string") throw new Unreadable("frames are texts");
  const frame = parse(text);
  check(frame, "e");
  const { type } = frame as { type: string };
  if (!Object.hasOwn(types, type)) return undefined;
  check(frame, types[type]!);
  return frame as Frame;
}
