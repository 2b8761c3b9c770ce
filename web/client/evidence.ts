/** The signed notes that this browser keeps of the user's last games: evidence, if the server lies. */
import { Acknowledgements, parseNote, type Client, type Problem } from "railbird-client";
import type { GameInFull } from "railbird-client/models";
import { persist } from "./connection.ts";
import { h } from "./dom.ts";
import { action } from "./frame.ts";
import { forget, kept, keptNow } from "./kept.ts";
import { say } from "./words.ts";

const GAMES = "railbird.evidence";
const GAMES_MAX = 24;
/** About 150 notes of each game. Seats and keys need room in the same store. */
const CHARACTERS_MAX = 100_000;

const SAVED_MS = 60_000;

/** Texts that do not fit into the store, until the page is left. */
const unkept = new Map<string, string>();
const read = (key: string): string => unkept.get(key) ?? kept(key) ?? "";

/** The receipts and the acknowledgements of a game, one in each line, the newest head, and the notes about moves that
 * the server says it has lost. */
const notesOf = (game: string): string => `railbird.notes.${game}`;
const headOf = (game: string): string => `railbird.head.${game}`;
const lostOf = (game: string): string => `railbird.lost.${game}`;
const allOf = (game: string): string[] => [notesOf(game), headOf(game), lostOf(game)];

/** Keep a text. Games from long ago make room for it. */
function write(key: string, text: string): void {
  unkept.delete(key);
  while (!keptNow(key, text)) {
    const [oldest, ...others] = games();
    if (oldest === undefined || key.endsWith(oldest)) return void unkept.set(key, text);
    drop(oldest, others);
  }
}

function games(): string[] {
  return (kept(GAMES) ?? "").split(" ").filter(Boolean);
}

function drop(game: string, others: readonly string[]): void {
  for (const key of allOf(game)) forget(key);
  keptNow(GAMES, others.join(" "));
}

/** Make this the last game of which notes are kept. */
function begin(game: string): void {
  let others = games().filter((other) => other !== game);
  for (; others.length >= GAMES_MAX; others = others.slice(1)) drop(others[0]!, others.slice(1));
  write(GAMES, [...others, game].join(" "));
}

/** Keep a note. Without room for all, the first receipt stays, and the newest notes: their hashes cover what came before. */
function add(game: string, note: string): void {
  const lines = linesIn(notesOf(game));
  if (!lines.includes(JSON.stringify(note))) lines.push(JSON.stringify(note));
  for (let length = lines.join("\n").length; length > CHARACTERS_MAX && lines.length > 1; ) length -= lines.splice(1, 1)[0]!.length + 1;
  write(notesOf(game), lines.join("\n"));
}

function keep(game: string, note: string): void {
  if (parseNote(note)["command"] === undefined) keepHead(game, note);
  else add(game, note);
}

/** Keep a head, unless another page of the game has shown a newer one. Two of one version may be proof together. */
function keepHead(game: string, note: string): void {
  const known = linesIn(headOf(game)).map(noteIn).find(isCompared);
  const ahead = known === undefined ? -1 : versionIn(known) - versionIn(note);
  if (ahead > 0) return;
  if (ahead === 0 && known !== note) add(game, known!);
  write(headOf(game), JSON.stringify(note));
}

function versionIn(note: string): number {
  return Number(parseNote(note)["version"]);
}

/** Compare the notes about the moves after a version no more: the server says that it has lost these. They stay evidence. */
export function setAside(game: string, { data }: Pick<Problem, "data">): void {
  const isLost = (line: string): boolean => {
    const note = noteIn(line);
    return isCompared(note) && versionIn(note) > Number(data["version"]);
  };
  for (const key of [notesOf(game), headOf(game)]) {
    const lines = linesIn(key);
    write(lostOf(game), [...new Set([...linesIn(lostOf(game)), ...lines.filter(isLost)])].join("\n"));
    write(key, lines.filter((line) => !isLost(line)).join("\n"));
  }
}

/** Keep the notes of a game that the user plays, and compare them with what the server shows. */
export async function keepEvidence(client: Client, { id, your_seat, ended }: GameInFull): Promise<Acknowledgements | undefined> {
  if (your_seat === null || ended) return undefined;
  begin(id);
  for (const receipt of await persist(() => client.receipts(id))) add(id, receipt);
  // The head from before this page was loaded: the next one may belong to another course of the game.
  for (const line of linesIn(headOf(id))) add(id, noteIn(line));
  const known = linesIn(notesOf(id)).map(noteIn);
  return new Acknowledgements(id, (note) => keep(id, note), known.filter(isCompared));
}

/** Whether clients compare a note with what the server shows: a receipt is none of these. */
function isCompared(note: string): boolean {
  try {
    return Boolean(parseNote(note));
  } catch {
    return false;
  }
}

function linesOf(game: string, seat: number | undefined): string[] {
  const lines = [...new Set(allOf(game).flatMap(linesIn))];
  return seat === undefined ? lines : lines.filter((line) => !isOfOther(noteIn(line), seat));
}

/** Whether a note is about a command of another seat: somebody else has played the game in this browser. */
function isOfOther(note: string, seat: number): boolean {
  const said = isCompared(note) ? parseNote(note)["seat"] : undefined;
  return said !== undefined && said !== String(seat);
}

/** The lines of a text that was kept, without those that are damaged. */
function linesIn(key: string): string[] {
  return read(key).split("\n").filter(isLine);
}

/** The note in a line that is not damaged. */
function noteIn(line: string): string {
  return JSON.parse(line) as string;
}

function isLine(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "string";
  } catch {
    return false;
  }
}

/** The notes of a seat, or of all, as a file, which the verifiers read; none if this browser has none. */
export function evidenceOf(game: string, seat?: number): Blob | undefined {
  const lines = linesOf(game, seat);
  return lines.length ? new Blob([`${lines.join("\n")}\n`]) : undefined;
}

/** A button that saves the notes of a seat, or of all, if this browser has any; in a list, `of` names the game. */
export function evidenceButton(game: string, seat: number | undefined, of?: string): HTMLElement | undefined {
  const save = async (): Promise<void> => saveFile(evidenceOf(game, seat)!, `${game}.notes`);
  const text = say("evidence.save");
  const attributes = { title: say("evidence.about"), "aria-label": of && `${text}: ${of}`, onclick: action(save) };
  return evidenceOf(game, seat) && h("button", attributes, text);
}

/** Save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS); // a busy browser begins to save it later
}
