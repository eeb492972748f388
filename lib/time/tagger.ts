// TypeScript interface of the native time tagger (native/timetag): time mentions in texts.
// question/ and contentClock.ts interpret them.
import { binding, withCancellation } from '../binding.js';
import type { TaggedTimes } from '../../binding.js';
import { AsOfError, invalidArgument, mustBe, mustBeWhole, throwIfAborted } from '../errors.js';
import type { TimeInput } from '../records.js';
import { atOnce, inTurns, type Steps } from '../runtime/eventLoop.js';
import { relations } from './constraint.js';
import { parseAskedAt } from './instant.js';
import { granularities, type Instant } from './interval.js';
import { timexTypes, type Mention, type ReadMode, type TaggedText, type Timex } from './mention.js';
import { boundsFromWallClock, checkTimeZone, toWallClock } from './timeZone.js';

/**
 * Reference of incomplete dates. `news`: the reference time, usually the text's publication.
 * `narrative`: the last date mentioned before, else the reference. `automatic` (default): chosen
 * per text.
 */
export const tagModes = ['automatic', 'news', 'narrative'] as const;
/** See `tagModes`. */
export type TagMode = (typeof tagModes)[number];

export interface TagOptions {
  mode?: TagMode | undefined;
  /**
   * IANA name of the time zone in which the text was written: its days are of that zone, and so are
   * its times of day, unless they say another ("EST", "+02:00"). Default UTC.
   */
  timeZone?: string | undefined;
}

/** Most mentions of one text, a bound on memory: 10 MB of bare years have more. */
const maxMentions = 1 << 20;

/** Tags one short text synchronously (a sentence takes microseconds). Errors: as `tagTimes`. */
export function tagText(
  text: string,
  options: TagOptions & { reference?: TimeInput | undefined } = {},
): TaggedText {
  checkTexts([text]);
  const zone = checkTimeZone(options.timeZone);
  const references = Float64Array.of(referenceOf(options.reference, zone));
  const tagged = binding.tagTimesSync([text], references, modeIndex(options.mode));
  return atOnce(taggedOf([text], tagged, zone))[0]!;
}

/** Index of the mode that questions are tagged in. `tagModes` are those of other texts. */
const questionMode = 3;

/**
 * Times of a question as it names them: years in words, slips of spelling, dates without a year
 * that have passed. `reference` is the day of asking, on the wall clock.
 */
export function tagQuestion(text: string, reference: Instant): Mention[] {
  const tagged = binding.tagTimesSync([text], Float64Array.of(reference), questionMode);
  return atOnce(taggedOf([text], tagged, undefined))[0]!.mentions;
}

/**
 * Tags many texts off the JS thread. `references` is the reference time of relative dates, one for
 * all texts or one per text (a date alone is the end of that day); without one, relative dates are
 * mentions without an interval. All texts are of one time zone.
 * @returns one result per text; offsets are UTF-16 units of that text.
 * @throws AsOfError ERR_INVALID_ARGUMENT for values of other types, ERR_INVALID_INPUT for a text
 * with over `mostMentions` mentions, ERR_ABORTED.
 */
export async function tagTimes(
  texts: readonly string[],
  options: TagOptions & {
    references?: TimeInput | readonly (TimeInput | undefined)[] | undefined;
    /** Most mentions of a text, 1 to 1,048,576. Default 1,048,576. */
    mostMentions?: number | undefined;
    signal?: AbortSignal | undefined;
  } = {},
): Promise<TaggedText[]> {
  mustBe('an object', { options });
  const { signal, mostMentions = maxMentions } = options;
  throwIfAborted(signal);
  mustBeWhole({ mostMentions }, 1, maxMentions);
  checkTexts(texts);
  const zone = checkTimeZone(options.timeZone);
  const references = referencesOf(texts.length, options.references, zone);
  const mode = modeIndex(options.mode);
  const tagged = await withCancellation(signal, (cancellation) =>
    binding.tagTimes(texts, references, mode, cancellation),
  );
  return inTurns(taggedOf(texts, tagged, zone, mostMentions), signal);
}

function checkTexts(texts: readonly string[]): void {
  if (!Array.isArray(texts)) throw invalidArgument('texts', 'an array of strings', texts);
  for (let i = 0; i < texts.length; i++) {
    if (typeof texts[i] !== 'string') throw invalidArgument(`text ${i}`, 'a string', texts[i]);
  }
}

const referenceOf = (reference: TimeInput | undefined, timeZone: string | undefined) =>
  reference === undefined
    ? NaN
    : toWallClock(parseAskedAt(reference, 'reference', timeZone), timeZone);

function referencesOf(
  count: number,
  references: TimeInput | readonly (TimeInput | undefined)[] | undefined,
  timeZone: string | undefined,
): Float64Array {
  if (!Array.isArray(references))
    return new Float64Array(count).fill(referenceOf(references as TimeInput | undefined, timeZone));
  if (references.length !== count)
    throw invalidArgument('references', `one time or ${count} of them, one per text`, references);
  return Float64Array.from(references as readonly (TimeInput | undefined)[], (reference) =>
    referenceOf(reference, timeZone),
  );
}

function modeIndex(mode: TagMode = 'automatic'): number {
  const index = tagModes.indexOf(mode);
  if (index < 0) throw invalidArgument('mode', tagModes.join(', '), mode);
  return index;
}

/** Mentions that are created between two turns of the event loop. */
const mentionsTogether = 256;

/** The tagger reads the wall clock of the zone; a time with an offset of its own is an instant. */
function* taggedOf(
  texts: readonly string[],
  tagged: TaggedTimes,
  timeZone: string | undefined,
  mostMentions = maxMentions,
): Steps<TaggedText[]> {
  const values = tagged.timexValues.split('\n');
  const all = new Array<TaggedText>(texts.length);
  let at = 0;
  let timex = 0;
  for (let i = 0; i < texts.length; i++) {
    const count = tagged.counts[i]!;
    if (count > mostMentions) {
      throw new AsOfError(
        'ERR_INVALID_INPUT',
        `Expected a text with at most ${mostMentions} time mentions, received one with ${count}. ` +
          'Split it.',
        { details: { text: i, argument: 'mostMentions' } },
      );
    }
    const mentions: Mention[] = [];
    for (const end = at + count; at < end; at++) {
      const after = timex + tagged.timexCounts[at]!;
      const timexes: Timex[] = [];
      for (; timex < after; timex++) timexes.push(timexAt(tagged, values, timex));
      const mention = mentionAt(texts[i]!, tagged, timexes, at);
      if (timeZone !== undefined && mention.interval && tagged.offsets[at] === 0)
        mention.interval = boundsFromWallClock(mention.interval, timeZone);
      mentions.push(mention);
      if (at % mentionsTogether === 0) yield;
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

// Indexing creates millions of these: one literal, no spread.
function mentionAt(text: string, tagged: TaggedTimes, timexes: Timex[], i: number): Mention {
  const start = tagged.starts[i]!;
  const end = tagged.ends[i]!;
  const mention: Mention = {
    start,
    end,
    text: text.slice(start, end),
    relation: tagged.relations[i] === 0 ? 'none' : relations[tagged.relations[i]! - 1]!,
    timexType: timexes[0]!.type,
    timexValue:
      timexes.length === 1 ? timexes[0]!.value : timexes.map(({ value }) => value).join('/'),
    timexes,
    confidence: tagged.confidences[i]!,
  };
  const from = tagged.intervalStarts[i]!;
  if (!Number.isNaN(from))
    mention.interval = {
      start: from,
      end: tagged.intervalEnds[i]!,
      granularity: granularities[tagged.granularities[i]!]!,
    };
  return mention;
}
