// The tagger's face in TypeScript: times mentioned in texts, as Mentions. Reading is the native kernel's work
// (native/kernels/timetag); what a mention means for a question or a passage's clock is question.ts' and clocks.ts'.
import { binding, withCancellation } from '../binding.js';
import type { TaggedTimes } from '../../binding.js';
import { invalidArgument, throwIfAborted } from '../errors.js';
import type { TimeInput } from '../records.js';
import { relations } from './constraint.js';
import { parseAskedAt } from './instant.js';
import { granularities } from './interval.js';
import { timexTypes, type Mention } from './mention.js';

/**
 * How dates without a year find theirs. `news`: the one nearest the reference. `narrative`: that of the last date
 * mentioned before in the text. `automatic` (default): the last date mentioned where there is one, else the reference.
 */
export const tagModes = ['automatic', 'news', 'narrative'] as const;
export type TagMode = (typeof tagModes)[number];

export interface TagOptions {
  mode?: TagMode;
}

/** Mentions of one short text, at once (a question; a sentence takes some microseconds). */
export function tagText(text: string, options: TagOptions & { reference?: TimeInput } = {}): Mention[] {
  checkTexts([text]);
  const references = Float64Array.of(referenceOf(options.reference));
  return mentionsOf([text], binding.tagTimesSync([text], references, modeIndex(options.mode)))[0]!;
}

/**
 * Mentions of many texts, off the JS thread. `references` gives each text, or all of them, what its relative words refer
 * to (a date alone is the end of that day); without one, relative words are mentions that have no interval.
 * @returns one array a text, its mentions in order, not overlapping; offsets are UTF-16 units of that text.
 */
export async function tagTimes(
  texts: readonly string[],
  options: TagOptions & { references?: TimeInput | readonly (TimeInput | undefined)[]; signal?: AbortSignal } = {},
): Promise<Mention[][]> {
  const { signal } = options;
  throwIfAborted(signal);
  checkTexts(texts);
  const references = referencesOf(texts.length, options.references);
  const mode = modeIndex(options.mode);
  return mentionsOf(texts, await withCancellation(signal, (cancellation) => binding.tagTimes(texts, references, mode, cancellation)));
}

function checkTexts(texts: readonly string[]): void {
  if (!Array.isArray(texts)) throw invalidArgument('texts', 'an array of strings', texts);
  for (let i = 0; i < texts.length; i++) {
    if (typeof texts[i] !== 'string') throw invalidArgument(`text ${i}`, 'a string', texts[i]);
  }
}

const referenceOf = (reference: TimeInput | undefined) => (reference === undefined ? NaN : parseAskedAt(reference, 'reference'));

function referencesOf(count: number, given: TimeInput | readonly (TimeInput | undefined)[] | undefined): Float64Array {
  if (!Array.isArray(given)) return new Float64Array(count).fill(referenceOf(given as TimeInput | undefined));
  if (given.length !== count) throw invalidArgument('references', `one time or ${count} of them, one a text`, given);
  return Float64Array.from(given as readonly (TimeInput | undefined)[], referenceOf);
}

function modeIndex(mode: TagMode = 'automatic'): number {
  const index = tagModes.indexOf(mode);
  if (index < 0) throw invalidArgument('mode', tagModes.join(', '), mode);
  return index;
}

function mentionsOf(texts: readonly string[], tagged: TaggedTimes): Mention[][] {
  const values = tagged.values.split('\n');
  const all = new Array<Mention[]>(texts.length);
  let at = 0;
  for (let i = 0; i < texts.length; i++) {
    const mentions: Mention[] = [];
    for (const end = at + tagged.counts[i]!; at < end; at++) mentions.push(mentionAt(texts[i]!, tagged, values[at]!, at));
    all[i] = mentions;
  }
  return all;
}

// Indexing makes millions of these: one literal each, no spreading.
function mentionAt(text: string, tagged: TaggedTimes, timexValue: string, i: number): Mention {
  const start = tagged.starts[i]!;
  const end = tagged.ends[i]!;
  const relation = tagged.relations[i] === 0 ? 'none' : relations[tagged.relations[i]! - 1]!;
  const timexType = timexTypes[tagged.types[i]!]!;
  const confidence = tagged.confidences[i]!;
  const from = tagged.intervalStarts[i]!;
  if (Number.isNaN(from)) return { start, end, text: text.slice(start, end), relation, timexType, timexValue, confidence };
  const interval = { start: from, end: tagged.intervalEnds[i]!, granularity: granularities[tagged.granularities[i]!]! };
  return { start, end, text: text.slice(start, end), relation, interval, timexType, timexValue, confidence };
}
