/** A QR code (ISO/IEC 18004) as SVG: bytes, error correction M, versions 1 to 13, mask 0. */
import { svg } from "./dom.ts";

/** By version: all codewords, those for correction in a block, and the blocks. */
const VERSIONS = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2],
  [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5],
  [404, 30, 5], [466, 22, 8], [532, 22, 9],
] as const;
const QUIET = 4;
const BYTE_MODE = 4;

type Bits = number[];

/** The code of this text; undefined if it is too long. */
export function qr(text: string, label: string): SVGElement | undefined {
  const bytes = [...new TextEncoder().encode(text)];
  const version = 1 + VERSIONS.findIndex((_, nth) => bytes.length + (nth < 9 ? 2 : 3) <= room(nth + 1));
  if (!version) return undefined;
  const modules = drawn(version, codewords(version, bytes));
  const size = modules.length + 2 * QUIET;
  const dark = modules.flatMap((row, y) =>
    row.flatMap((module, x) => (module ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  return svg(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d: dark.join(""), fill: "#000", "shape-rendering": "crispEdges" }),
  );
}

/** How many codewords of data a version holds. */
function room(version: number): number {
  const [all, correction, blocks] = VERSIONS[version - 1]!;
  return all - correction * blocks;
}

function bitsOf(value: number, length: number): Bits {
  return Array.from({ length }, (_, nth) => (value >> (length - 1 - nth)) & 1);
}

/** The data in blocks with their correction, interleaved. */
function codewords(version: number, bytes: number[]): number[] {
  const bits = [
    ...bitsOf(BYTE_MODE, 4),
    ...bitsOf(bytes.length, version < 10 ? 8 : 16),
    ...bytes.flatMap((byte) => bitsOf(byte, 8)),
    ...bitsOf(0, 4),
  ].slice(0, room(version) * 8);
  while (bits.length % 8) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, nth) => parseInt(bits.slice(nth * 8, nth * 8 + 8).join(""), 2));
  for (let nth = 0; data.length < room(version); nth++) data.push(nth % 2 ? 0x11 : 0xec);
  const [, correction, count] = VERSIONS[version - 1]!;
  const short = Math.floor(data.length / count);
  const long = data.length % count; // so many blocks at the end have one codeword more
  let start = 0;
  const blocks = Array.from({ length: count }, (_, nth) => {
    const length = short + (nth >= count - long ? 1 : 0);
    return data.slice(start, (start += length));
  });
  const corrections = blocks.map((block) => remainder(block, divisor(correction)));
  return [...interleaved(blocks), ...interleaved(corrections)];
}

function interleaved(blocks: number[][]): number[] {
  const most = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: most }, (_, nth) => blocks.flatMap((block) => block[nth] ?? [])).flat();
}

// Reed-Solomon over GF(256)

function times(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

function divisor(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let nth = 0; nth < degree; nth++) {
    for (let at = 0; at < degree; at++) result[at] = times(result[at]!, root) ^ (result[at + 1] ?? 0);
    root = times(root, 2);
  }
  return result;
}

function remainder(data: number[], by: number[]): number[] {
  const result = by.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ result.shift()!;
    result.push(0);
    for (const [at, one] of by.entries()) result[at]! ^= times(one, factor);
  }
  return result;
}

// The drawing

function drawn(version: number, words: number[]): boolean[][] {
  const size = version * 4 + 17;
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const isFixed = modules.map((row) => row.map(() => false));
  const set = (x: number, y: number, dark: boolean): void => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    modules[y]![x] = dark;
    isFixed[y]![x] = true;
  };
  const square = (left: number, top: number, radius: number, rings: readonly number[]): void => {
    for (let y = -radius; y <= radius; y++)
      for (let x = -radius; x <= radius; x++) set(left + x, top + y, rings.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let nth = 0; nth < size; nth++) {
    set(6, nth, nth % 2 === 0);
    set(nth, 6, nth % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, [0, 1, 3]);
  const places = alignments(version, size);
  for (const [row, y] of places.entries())
    for (const [column, x] of places.entries()) {
      const last = places.length - 1;
      const isFinder = (!row && !column) || (!row && column === last) || (row === last && !column);
      if (!isFinder) square(x, y, 2, [0, 2]);
    }
  for (const [nth, bit] of formatBits().entries()) {
    const dark = bit === 1;
    set(8, nth < 6 ? nth : nth < 8 ? nth + 1 : size - 15 + nth, dark);
    set(nth < 8 ? size - 1 - nth : nth === 8 ? 7 : 14 - nth, 8, dark);
  }
  set(8, size - 8, true);
  if (version >= 7)
    for (const [nth, bit] of versionBits(version).entries()) {
      const [long, short] = [size - 11 + (nth % 3), Math.floor(nth / 3)];
      set(long, short, bit === 1);
      set(short, long, bit === 1);
    }
  const bits = words.flatMap((word) => bitsOf(word, 8));
  for (const [nth, [x, y]] of path(size, isFixed).entries())
    modules[y]![x] = (bits[nth] ?? 0) !== ((x + y + 1) % 2);
  return modules;
}

/** The places of alignment patterns, in both directions. */
function alignments(version: number, size: number): number[] {
  if (version === 1) return [];
  return version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7];
}

/** Level M with mask 0, protected by a code; the lowest bit first. */
function formatBits(): Bits {
  return bitsOf(0x5412, 15).reverse();
}

function versionBits(version: number): Bits {
  let rest = version;
  for (let nth = 0; nth < 12; nth++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  return bitsOf((version << 12) | rest, 18).reverse();
}

/** The places of data, in pairs of columns that go up and down from the right. */
function path(size: number, isFixed: boolean[][]): [number, number][] {
  const places: [number, number][] = [];
  for (let right = size - 1, goesUp = true; right > 0; right -= 2, goesUp = !goesUp) {
    if (right === 6) right = 5;
    for (let nth = 0; nth < size; nth++)
      for (const x of [right, right - 1]) {
        const y = goesUp ? size - 1 - nth : nth;
        if (!isFixed[y]![x]) places.push([x, y]);
      }
  }
  return places;
}
