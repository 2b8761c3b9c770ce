/** Six sounds for each game, made of a few tones and noises. This file is loaded when sounds are wanted. */
import type { Event as Ascot } from "railbird-client/games/ascot";
import type { Event as Carcassonne } from "railbird-client/games/carcassonne";
import type { Event as QuitteOuDouble } from "railbird-client/games/quitte_ou_double";
import type { Event as ReadySetBet } from "railbird-client/games/ready_set_bet";
import type { Event as SetDice } from "railbird-client/games/set_dice";

/** From `at` for `length` seconds: a tone of `hz`, which may slide to another, or noise around `hz`. */
interface Note {
  at: number;
  length: number;
  hz: number;
  to?: number;
  wave?: OscillatorType | "noise";
  gain?: number;
}
type Sound = readonly Note[];
type Sounds<Event extends { type: string }> = Partial<Record<Event["type"], Sound>>;

const LOUDNESS = 0.2;
/** The sounds of a commit, one after the other. */
const TOGETHER = 3;
const APART_S = 0.15;
/** A commit that comes this much later than the quickest one is part of a catch-up. */
const LATE_MS = 2000;

function tones(wave: OscillatorType, stepS: number, length: number, ...hz: number[]): Note[] {
  return hz.map((each, nth) => ({ at: nth * stepS, length, hz: each, wave }));
}

function knocks(stepS: number, ...hz: number[]): Note[] {
  return hz.map((each, nth) => ({ at: nth * stepS, length: 0.07, hz: each, wave: "noise" as const, gain: 2.5 }));
}

function slide(hz: number, to: number, length: number, wave: OscillatorType = "sine"): Note[] {
  return [{ at: 0, length, hz, to, wave }];
}

const CHIP = [...tones("sine", 0.03, 0.05, 2400, 3100), ...knocks(0, 4000)];
const COINS = tones("sine", 0.06, 0.22, 1976, 2637, 3136);

const readySetBet: Sounds<ReadySetBet> = {
  race_started: tones("triangle", 0.13, 0.16, 392, 523, 659, 784, 659, 784),
  rolled: knocks(0.055, 2600, 1900, 2300, 1500),
  bet_placed: CHIP,
  red_line_crossed: tones("square", 0.16, 0.12, 880, 880),
  race_finished: tones("triangle", 0.12, 0.3, 523, 659, 784, 1047),
  bet_settled: COINS,
};
const ascot: Sounds<Ascot> = {
  bid_made: [...knocks(0, 900), ...tones("sine", 0, 0.09, 660)],
  lot_sold: knocks(0.22, 420, 320),
  card_exchanged: [{ at: 0, length: 0.16, hz: 5200, to: 2400, wave: "noise" }],
  horse_moved: knocks(0.11, 520, 430, 560, 450),
  horse_fell: slide(420, 90, 0.45, "sawtooth"),
  race_ended: tones("triangle", 0.15, 0.35, 440, 554, 659, 880),
};
const carcassonne: Sounds<Carcassonne> = {
  tile_drawn: [{ at: 0, length: 0.14, hz: 1400, to: 3000, wave: "noise" }],
  tile_placed: knocks(0.05, 380, 700),
  meeple_placed: slide(330, 720, 0.12),
  feature_scored: tones("sine", 0.09, 0.5, 784, 988, 1175, 1568),
  chip_turned: CHIP,
  game_ended: tones("triangle", 0.05, 0.9, 196, 294, 392, 494, 587),
};
const setDice: Sounds<SetDice> = {
  dice_thrown: knocks(0.045, 3000, 2100, 2700, 1700, 2400, 1500),
  dice_placed: knocks(0.06, 1200, 1800),
  set_called: tones("triangle", 0.1, 0.35, 659, 831, 988),
  no_set_declared: tones("square", 0.14, 0.12, 196, 165),
  turn_passed: slide(520, 390, 0.16),
  game_ended: tones("sine", 0.16, 0.7, 330, 494, 415, 659),
};
const quitteOuDouble: Sounds<QuitteOuDouble> = {
  question_asked: tones("triangle", 0.11, 0.28, 440, 587, 740),
  team_locked: knocks(0.07, 2200, 700),
  tiles_revealed: knocks(0.05, 900, 900, 900, 1000, 1100, 1200, 1300, 1500),
  token_placed: CHIP,
  answer_revealed: tones("sawtooth", 0.16, 0.4, 392, 784),
  tile_paid: COINS,
};
const SOUNDS: Record<string, Record<string, Sound | undefined>> = {
  ascot,
  carcassonne,
  quitte_ou_double: quitteOuDouble,
  ready_set_bet: readySetBet,
  set_dice: setDice,
};

/** Plays what a game has for the events of a commit, until it is closed. */
export interface Player {
  play(commit: { at: Date; events: { type: string }[] }): void;
  close(): void;
}

export function player(slug: string): Player {
  const sounds = SOUNDS[slug] ?? {};
  const context = new AudioContext();
  const noise = noiseOf(context);
  const closing = new AbortController();
  const resume = (): void => {
    if (context.state !== "running") void context.resume();
  };
  // Browsers let a page sound after a press only, of which the beginning of a touch is none. A
  // phone that was locked needs another press.
  for (const press of ["pointerup", "keydown"]) addEventListener(press, resume, { signal: closing.signal });
  let leastLag = Infinity;
  let free = 0;
  return {
    play({ at, events }): void {
      const lag = Date.now() - at.getTime(); // with the difference of two clocks
      leastLag = Math.min(leastLag, lag);
      const now = context.currentTime;
      if (context.state !== "running" || lag > leastLag + LATE_MS || now < free) return;
      const types = [...new Set(events.map(({ type }) => type))].filter((type) => sounds[type]).slice(0, TOGETHER);
      free = now + types.length * APART_S;
      for (const [nth, type] of types.entries())
        for (const note of sounds[type]!) play(context, noise, note, now + nth * APART_S);
    },
    close(): void {
      closing.abort();
      void context.close();
    },
  };
}

function play(context: AudioContext, noise: AudioBuffer, note: Note, from: number): void {
  const { at, length, hz, to = hz, wave = "sine", gain = 1 } = note;
  const [start, end] = [from + at, from + at + length];
  const volume = context.createGain();
  volume.gain.setValueAtTime(LOUDNESS * gain, start);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  volume.connect(context.destination);
  if (wave === "noise") {
    const source = new AudioBufferSourceNode(context, { buffer: noise });
    const band = new BiquadFilterNode(context, { type: "bandpass", frequency: hz, Q: 3 });
    band.frequency.setValueAtTime(hz, start);
    band.frequency.linearRampToValueAtTime(to, end);
    source.connect(band).connect(volume);
    source.start(start);
    source.stop(end);
  } else {
    const source = new OscillatorNode(context, { type: wave, frequency: hz });
    source.frequency.setValueAtTime(hz, start);
    source.frequency.linearRampToValueAtTime(to, end);
    source.connect(volume);
    source.start(start);
    source.stop(end);
  }
}

/** A second of white noise. */
function noiseOf(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  buffer.getChannelData(0).forEach((_, nth, samples) => (samples[nth] = Math.random() * 2 - 1));
  return buffer;
}
