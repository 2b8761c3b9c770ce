import { Misused, ServerError } from "./problems.ts";

/** Where to keep texts, for instance `localStorage`. With `removeItem`, what is no longer needed is
 * removed. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem?(key: string): void;
}

/** Return a value of a store; undefined if there is none. Throws Misused, and ServerError `nothing_kept`. */
export function stored<T>(store: Store | undefined, key: string): T | undefined {
  const text = used(() => store?.getItem(key));
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    throw new Misused(`${key} in the store is not of this client`);
  }
}

/** Keep a value. Throws ServerError `nothing_kept`, for instance if the store is full. */
export function keep(store: Store | undefined, key: string, value: unknown): void {
  used(() => store?.setItem(key, JSON.stringify(value)));
}

function used<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ServerError("nothing_kept", String(error), { cause: error });
  }
}
