// The tagger's face in TypeScript: times mentioned in texts, as Mentions. Reading is the native
// kernel's work (native/timetag); what a mention means for a question or a passage's clock
// is question/'s and clocks.ts'.
import { binding, withCancellation } from '../binding.js';
import type { TaggedTimes } from '../../binding.js';
import { AsOfError, invalidArgument, mustBe, throwIfAborted } from '../errors.js';
import type { TimeInput } from '../records.js';
import { relations } from './constraint.js';
import { parseAskedAt } from './instant.js';
import { granularities } from './interval.js';
import { timexTypes, type Mention, type ReadMode, type TaggedText, type Timex } from './mention.js';

/**
 * What dates that leave something out refer to. `news`: the reference, the text's publication time.
 * `narrative`: the last date mentioned before in the text, the reference where there is none.
 * `automatic` (default): one of the two, chosen by what the text holds.
 */
export const tagModes = ['automatic', 'news', 'narrative'] as const;
/** See `tagModes`. */
export type TagMode = (typeof tagModes)[number];

export interface TagOptions {
  mode?: TagMode;
}

/**
 * A text with more mentions than these is refused, before they fill the memory: 10 MB of bare years
 * have more.
 */
const mostMentions = 1 << 20;

/**
 * The times of one short text, at once (a question; a sentence takes some microseconds). Errors: as
 * `tagTimes`.
 */
export function tagText(
  text: string,
  options: TagOptions & { reference?: TimeInput } = {},
): TaggedText {
  checkTexts([text]);
  const references = Float64Array.of(referenceOf(options.reference));
  return taggedOf([text], binding.tagTimesSync([text], references, modeIndex(options.mode)))[0]!;
}

/**
 * The times of many texts, off the JS thread. `references` gives each text, or all of them, what
 * its relative words refer to (a date alone is the end of that day); without one, relative words
 * are mentions that have no interval.
 * @returns one a text; offsets are UTF-16 units of that text.
 * @throws AsOfError ERR_INVALID_ARGUMENT for values of another kind, ERR_INVALID_INPUT for a text
 * with over 1,048,576 mentions, ERR_ABORTED.
 */
export async function tagTimes(
  texts: readonly string[],
  options: TagOptions & {
    references?: TimeInput | readonly (TimeInput | undefined)[];
    signal?: AbortSignal;
  } = {},
): Promise<TaggedText[]> {
  mustBe('an object', { options });
  const { signal } = options;
  throwIfAborted(signal);
  checkTexts(texts);
  const references = referencesOf(texts.length, options.references);
  const mode = modeIndex(options.mode);
  return taggedOf(
    texts,
    await withCancellation(signal, (cancellation) =>
      binding.tagTimes(texts, references, mode, cancellation),
    ),
  );
}

function checkTexts(texts: readonly string[]): void {
  if (!Array.isArray(texts)) throw invalidArgument('texts', 'an array of strings', texts);
  for (let i = 0; i < texts.length; i++) {
    if (typeof texts[i] !== 'string') throw invalidArgument(`text ${i}`, 'a string', texts[i]);
  }
}

const referenceOf = (reference: TimeInput | undefined) =>
  reference === undefined ? NaN : parseAskedAt(reference, 'reference');

function referencesOf(
  count: number,
  given: TimeInput | readonly (TimeInput | undefined)[] | undefined,
): Float64Array {
  if (!Array.isArray(given))
    return new Float64Array(count).fill(referenceOf(given as TimeInput | undefined));
  if (given.length !== count)
    throw invalidArgument('references', `one time or ${count} of them, one a text`, given);
  return Float64Array.from(given as readonly (TimeInput | undefined)[], referenceOf);
}

function modeIndex(mode: TagMode = 'automatic'): number {
  const index = tagModes.indexOf(mode);
  if (index < 0) throw invalidArgument('mode', tagModes.join(', '), mode);
  return index;
}

function taggedOf(texts: readonly string[], tagged: TaggedTimes): TaggedText[] {
  const values = tagged.timexValues.split('\n');
  const all = new Array<TaggedText>(texts.length);
  let at = 0;
  let timex = 0;
  for (let i = 0; i < texts.length; i++) {
    const count = tagged.counts[i]!;
    if (count > mostMentions) {
      throw new AsOfError(
        'ERR_INVALID_INPUT',
        `Expected a text with at most ${mostMentions} mentions of time, received one with ${count}. Split it.`,
        { details: { text: i } },
      );
    }
    const mentions: Mention[] = [];
    for (const end = at + count; at < end; at++) {
      const after = timex + tagged.timexCounts[at]!;
      const timexes: Timex[] = [];
      for (; timex < after; timex++) timexes.push(timexAt(tagged, values, timex));
      mentions.push(mentionAt(texts[i]!, tagged, timexes, at));
    }
    all[i] = { mode: tagModes[tagged.modes[i]!] as ReadMode, mentions };
  }
  return all;
}

function timexAt(
  { timexStarts, timexEnds, timexTypes: types }: TaggedTimes,
  values: readonly string[],
  i: number,
): Timex {
  return {
    start: timexStarts[i]!,
    end: timexEnds[i]!,
    type: timexTypes[types[i]!]!,
    value: values[i]!,
  };
}

// Indexing makes millions of these: one literal each, no spreading.
function mentionAt(text: string, tagged: TaggedTimes, timexes: Timex[], i: number): Mention {
  const start = tagged.starts[i]!;
  const end = tagged.ends[i]!;
  const relation = tagged.relations[i] === 0 ? 'none' : relations[tagged.relations[i]! - 1]!;
  const timexType = timexes[0]!.type;
  const timexValue =
    timexes.length === 1 ? timexes[0]!.value : timexes.map(({ value }) => value).join('/');
  const confidence = tagged.confidences[i]!;
  const from = tagged.intervalStarts[i]!;
  if (Number.isNaN(from))
    return {
      start,
      end,
      text: text.slice(start, end),
      relation,
      timexType,
      timexValue,
      timexes,
      confidence,
    };
  const interval = {
    start: from,
    end: tagged.intervalEnds[i]!,
    granularity: granularities[tagged.granularities[i]!]!,
  };
  return {
    start,
    end,
    text: text.slice(start, end),
    relation,
    interval,
    timexType,
    timexValue,
    timexes,
    confidence,
  };
}
