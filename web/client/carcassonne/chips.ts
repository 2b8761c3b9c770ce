/** The chips of The Bets in words: what they say, what they pay, and which lie on offices. */
import { say } from "../words.ts";
import type { Table, View } from "./game.ts";

type Chip = Table["printed"]["chips"][number];

/** The numbers of a chip: `2 or 8+`. */
export function signOf(chip: Chip | undefined): string {
  return (chip?.faces ?? []).map(numberOf).join(` ${say("carcassonne.or")} `);
}

export function numberOf({ exactly, at_least }: Chip["faces"][number]): string {
  return exactly ? String(exactly) : `${at_least}+`;
}

/** The points of a chip for a road or city of this size. */
export function paysFor({ faces }: Chip, tiles: number): number {
  const fitting = faces.filter(({ exactly, at_least }) => (exactly ? tiles === exactly : tiles >= at_least!));
  return Math.max(0, ...fitting.map(({ points }) => points));
}

/** The chips that the user no longer holds: they lie on offices, and nobody may look at them. */
export function chipsOut({ printed, seat }: Table, { chips }: View): Chip[] {
  const held = chips[seat ?? -1];
  return held ? printed.chips.filter(({ chip }) => !held.includes(chip)) : [];
}
