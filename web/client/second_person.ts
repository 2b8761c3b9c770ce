/** Sentences about the reader: "Ann bids" becomes "You bid". */
import { language, listed, nameAt, say, type Seated } from "./words.ts";

const NAMES_MAX = 4;

/** Verbs that the rules below would spoil. */
const VERBS: Record<string, Record<string, string>> = {
  en: { is: "are", has: "have", does: "do", may: "may", must: "must" },
  fr: {
    a: "avez", "n'a": "n'avez", est: "êtes", fait: "faites", doit: "devez", peut: "pouvez",
    perd: "perdez", tient: "tenez", choisit: "choisissez", écrit: "écrivez", répond: "répondez",
    reprend: "reprenez", voit: "voyez", paie: "payez", possède: "possédez", reçoit: "recevez",
  },
};
const OWNED: Record<string, [RegExp, string][]> = {
  en: [[/\btheir\b/g, "your"]],
  fr: [[/ (?:son|sa) /g, " votre "], [/ ses /g, " vos "]],
};

/** The verbs after the first one of a sentence, which has the same subject. */
const FURTHER: Record<string, RegExp> = {
  en: /(,| and) ()(gets|has|pays|scores|throws)\b/g,
  fr: /(,| et) (ne )?(doit|lance|marque|paie|peut|possède|reçoit)(?![\p{L}’])/gu,
};

/** The words after which a name is an object, not the actor of a further sentence. */
const OBJECTS: Record<string, RegExp> = {
  en: /(?:\b(?:against|by|for|from|to|with)|:) $/,
  fr: /(?:(?:^|[\s(])(?:à|avec|contre|par|pour|sur)|:) $/,
};
/** The reader as an object. */
export const THEM = language === "fr" ? "vous" : "you";
const SELF = language === "fr" ? "vous-même" : "yourself";

/** Names of these seats; the reader's own is "you". */
export function namesOf({ players, seat: own }: { players: readonly string[]; seat: number | null }, seats: readonly number[]): string[] {
  return seats.map((seat) => (seat === own ? THEM : players[seat]!));
}

/** Names of these seats in a sentence, or how many they are: a line of a phone has room for four. */
export function namesInShort(at: { players: readonly string[]; seat: number | null }, seats: readonly number[]): string {
  return seats.length > NAMES_MAX ? say("players", { players: seats.length }) : listed(namesOf(at, seats));
}

/** Names of these seats of a game; the reader's own is "you". */
export function namesIn({ seats, your_seat }: { seats: readonly Seated[]; your_seat: number | null }, numbers: readonly number[]): string[] {
  return numbers.map((seat) => (seat === your_seat ? THEM : nameAt(seats, seat)));
}

/** The name of the reader after these words, in a sentence that they begin or not. */
export function youAfter(before: string, name: string, begins: boolean): string {
  if (!OBJECTS[language]!.test(before)) return name;
  return begins ? SELF : THEM;
}

export const YOU = language === "fr" ? "Vous" : "You";

/** The words after which a name is the actor of a clause: none, or those that begin a further one. */
export const BEGINS_CLAUSE = /(?:^|[,;:.!?] | and | et )$/;

/** The rest of a clause after the name of the reader as its actor; undefined if the name is something else. */
export function asSubject(rest: string): string | undefined {
  const [, apposition = "", verb] = /^(, [^,]+,)?( .+)$/su.exec(rest) ?? [];
  return verb && apposition + toYou(verb);
}

/** The rest of a sentence after the name with which it begins, as said to that person. */
function toYou(rest: string): string {
  const pattern = language === "fr" ? /^ (ne |se )?([^\s.,:;!?]+)/ : /^ ()([^\s.,:;!?]+)/;
  const said = rest.replace(pattern, (_, particle: string | undefined, verb: string) => {
    const before = particle === "se " ? "vous " : (particle ?? "");
    return ` ${before}${conjugated(verb)}`;
  });
  return furtherToYou(said);
}

/** A later part of the sentence whose actor is the reader. */
export function furtherToYou(rest: string): string {
  const joined = rest.replace(
    FURTHER[language]!,
    (_, before: string, particle: string | undefined, verb: string) => `${before} ${particle ?? ""}${conjugated(verb)}`,
  );
  return OWNED[language]!.reduce((text, [found, yours]) => text.replace(found, yours), joined);
}

function conjugated(verb: string): string {
  const known = VERBS[language]![verb.replaceAll("’", "'")];
  if (known) return known.replaceAll("'", "’");
  if (language === "fr") return verb.endsWith("e") ? `${verb}z` : verb;
  return verb.replace(/(ss|sh|ch|x)es$/, "$1").replace(/([^s])s$/, "$1");
}
