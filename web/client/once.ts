/** Return a function that asks once for each key. */
export function once<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const found = new Map<string, Promise<T>>();
  return (key) => {
    const known = found.get(key) ?? ask(key);
    found.set(key, known);
    return known;
  };
}
