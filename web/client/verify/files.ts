/** The parts of `node:fs` that the verifier uses: files in memory. */
const files = new Map<string, Uint8Array>();
const open: { content: Uint8Array; read: number }[] = [];

export function keep(name: string, content: Uint8Array): void {
  files.set(name, content);
}

export function openSync(name: string): number {
  return open.push({ content: readFileSync(name), read: 0 }) - 1;
}

export function readSync(number: number, into: Uint8Array): number {
  const file = open[number]!;
  const part = file.content.subarray(file.read, file.read + into.length);
  into.set(part);
  file.read += part.length;
  return part.length;
}

export function readFileSync(name: string): Uint8Array {
  const content = files.get(name);
  if (!content) throw new Error(`There is no file ${name}.`);
  return content;
}

export function closeSync(): void {}

export function statSync(): undefined {
  return undefined;
}
