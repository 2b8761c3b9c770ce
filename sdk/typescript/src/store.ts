import { Misused } from "./problems.ts";

/** Where to keep texts, for instance `localStorage`. With `removeItem`, what is no longer needed is
 * removed. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem?(key: string): void;
}

/** Return a value of a store; undefined if there is none. Throws Misused. */
export function stored<T>(store: Store | undefined, key: string): T | undefined {
  const text = store?.getItem(key);
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    throw new Misused(`${key} in the store is not of this client`);
  }
}
