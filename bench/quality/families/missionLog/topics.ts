// What people talk about in the transcript, with the words that tell an exchange about it.
import type { Exchange } from './data.js';

export interface Topic {
  name: string;
  words: RegExp;
  /** Whether the latest exchange tells the state of something. */
  state?: boolean;
}

export const topics: Topic[] = [
  { name: 'the omnidirectional antennas', words: /[O0]MNI\b|[O0]MNI'/, state: true },
  { name: 'the high-gain antenna', words: /high[- ]gain/i },
  { name: 'the batteries', words: /\bbatter(?:y|ies)\b/i, state: true },
  { name: 'the consumables', words: /consumables/i, state: true },
  { name: 'purging the fuel cells', words: /\bpurg(?:e|es|ed|ing)\b/i, state: true },
  {
    name: 'dumping water overboard',
    words: /water dump|dump.{0,30}water|dump valve/i,
    state: true,
  },
  { name: 'the lithium hydroxide canisters', words: /canister|lithium hydroxide/i, state: true },
  { name: 'the oxygen flow', words: /(?:O2|oxygen) flow/i, state: true },
  { name: 'the cryogenic tanks', words: /\bcryo/i, state: true },
  { name: 'passive thermal control', words: /\bPTC\b|passive thermal/i, state: true },
  { name: 'biomedical sensors', words: /biomed|EKG|heart ?rate/i, state: true },
  { name: 'glycol', words: /glycol/i, state: true },
  { name: 'the cabin pressure', words: /cabin pressure/i, state: true },
  { name: 'the crew status report', words: /crew status/i, state: true },
  { name: 'chlorinating the water', words: /chlorin/i, state: true },
  { name: 'the Soviet probe Luna 15', words: /Luna 15/i, state: true },
  {
    name: 'the weather',
    words: /\bweather\b|thunder|\brain(?:ing)?\b|forecast|hurricane|snowfall/i,
    state: true,
  },
  { name: 'the midcourse correction', words: /midcourse|\bMCC[- ]?\d/i, state: true },
  { name: 'the state vector', words: /state vector/i, state: true },
  { name: 'the reference matrix of the platform', words: /REFSMMAT/, state: true },
  { name: 'aligning the platform (P52)', words: /\bP52/ },
  { name: 'sleep and rest', words: /\bsleep|asleep|\brest period|\bnap\b|good night/i },
  { name: 'television', words: /\bTV\b|television/i },
  {
    name: 'food and meals',
    words:
      /coffee|breakfast|\bdinner|\blunch|\beat(?:ing)?\b|\bmeals?\b|\bfood|\bstew|salad|bacon/i,
  },
  { name: 'the docking probe', words: /\bprobe\b(?! Luna)/i },
  { name: 'the drogue', words: /\bdrogue/i },
  { name: 'a hatch', words: /\bhatch/i },
  { name: 'an alarm', words: /\balarms?\b|\b120[12]\b/i },
  { name: 'the recovery ship Hornet', words: /\bHornet\b/i },
  { name: 'baseball', words: /Astros|baseball|\bleague\b|inning|\bbunt\b|home run/i },
  { name: 'the solar corona', words: /corona\b|eclipse/i },
  { name: 'the crater Aristarchus', words: /Aristarchus/i },
  { name: 'the President', words: /\bPresident\b/i },
  { name: 'rocks', words: /\brocks?\b|boulder/i },
  { name: 'the seismometer', words: /seism/i },
  { name: 'the laser', words: /\blaser/i },
  { name: 'music', words: /\bmusic|\bsongs?\b/i },
  { name: 'clouds', words: /\bclouds?\b/i },
  { name: 'film and magazines', words: /\bfilm\b|\bmagazines?\b/i },
  { name: 'medicine', words: /\bpills?\b|medication|aspirin|Dramamine|Lomotil/i },
  { name: 'exercise', words: /exercis|chinup|pushup/i },
  {
    name: 'families at home',
    words: /\bwife\b|\bwives\b|\bkids\b|\bfamil(?:y|ies)\b|children|\bsons?\b/i,
  },
  { name: 'earthshine', words: /ear?th ?shine/i },
  { name: 'the third stage of the Saturn', words: /S-? ?IVB/i },
  { name: 'the rendezvous radar', words: /rendezvous radar/i },
  { name: 'the backpacks (PLSS)', words: /\bPLSS/ },
  { name: 'the flag', words: /\bflag\b/i },
  { name: 'undocking', words: /undock/i },
  { name: 'the station at Goldstone', words: /Goldstone/i },
  { name: 'the burn for the way home (TEI)', words: /\bTEI\b|trans-?earth injection/i },
  { name: 'lunar orbit insertion', words: /\bLOI\b/ },
  { name: 'powered descent (PDI)', words: /\bPDI\b|powered descent/i },
  { name: 'heaters', words: /\bheaters?\b/i },
  { name: 'the tape recorder', words: /\btape\b|recorder/i },
];

/** Speakers by whom questions ask, as their lines name them. */
export const crew = ['Armstrong', 'Aldrin', 'Collins'] as const;

export const wordsOf = ({ lines }: Exchange, speaker?: string): string =>
  lines
    .filter((line) => speaker === undefined || line.speaker.startsWith(speaker))
    .map(({ text }) => text)
    .join(' ');
