// From any text to its one time, as Re3's temporal extractor gives it (section 3.2): an interface
// that a learned extractor can stand behind, and the grammar of this library as its default. It
// trains nothing and loads no model.
import { AsOfError, describe, invalidArgument, mustBe, throwIfAborted } from '../errors.js';
import type { TimeInput } from '../records.js';
import { contentIntervals } from './contentClock.js';
import type { Interval } from './interval.js';
import { parseQuestion } from './question/question.js';
import { tagText, tagTimes } from './tagger.js';
import { checkTuple, noTime, timeTupleOf, type TimeTuple } from './tuple.js';

/**
 * Which side of retrieval a text is on: what a question's time is differs from what a passage's is.
 */
export type TextKind = 'query' | 'passage';

export interface ExtractOptions {
  kind: TextKind;
  /**
   * What relative words refer to, one a text: when a question was asked, when a passage was
   * published.
   */
  references: readonly (TimeInput | undefined)[];
  signal?: AbortSignal;
}

/** What reads the one time of a text; the grammar is one, `learnedTimeExtractor` another. */
export interface TimeExtractor {
  /** Names the extractor and its weights: vectors fused with its times are keyed by it. */
  readonly id: string;
  /** One tuple a text, in order; `noTime` where it names none. */
  extract(texts: readonly string[], options: ExtractOptions): Promise<readonly TimeTuple[]>;
}

export interface TimeTupleOptions {
  /** Default passage. */
  kind?: TextKind;
  reference?: TimeInput;
}

/**
 * The time of a text, by the grammar. The paper parses "the" time of a text without saying which;
 * its questions have one constraint, and its documents state the time of a fact and are published
 * at another (appendix A). So:
 * - of a query, the constraint that binds the answer; relative words refer to `reference`, none
 * means now;
 * - of a passage, the first date that its sentences speak of, narrowed by a later and finer one
 * inside it ("In late August
 * 2022 ... On August 25, 2022 ..." is that day); never the date of its publication, unless it names
 * no other.
 * @throws AsOfError ERR_INVALID_ARGUMENT where the text is no string or the reference no time.
 * @example timeTuple('In the 1990s prices fell.') // { year: 1995, month: 0, dayOfMonth: 0, mask:
 * [1, 0, 0] }
 */
export function timeTuple(text: string, options: TimeTupleOptions = {}): TimeTuple {
  mustBe('an object', { options });
  const { kind = 'passage', reference } = options;
  checkKind(kind);
  if (kind === 'query')
    return tupleOrNone(
      parseQuestion(reference === undefined ? { text } : { text, askedAt: reference }).constraint
        .interval,
    );
  const { mentions } = tagText(text, reference === undefined ? {} : { reference });
  return tupleOrNone(narrowestInterval(contentIntervals(mentions, text)));
}

/** The grammar as an extractor: what `timeTuple` says, for many texts at once. */
export const grammarExtractor: TimeExtractor = {
  id: 'grammar',
  async extract(texts, { kind, references, signal }) {
    if (kind === 'query') {
      return texts.map((text, at) => {
        throwIfAborted(signal);
        const reference = references[at];
        return timeTuple(text, reference === undefined ? { kind } : { kind, reference });
      });
    }
    const tagged = await tagTimes(texts, { references, ...(signal ? { signal } : {}) });
    return tagged.map(({ mentions }, at) =>
      tupleOrNone(narrowestInterval(contentIntervals(mentions, texts[at]!))),
    );
  },
};

/**
 * The grammar where there is nothing to choose: no time of a text that names several different
 * ones, so that an extractor which chooses better is asked (`fallbackExtractor`). Of a question,
 * several constraints; of a passage, several dates, that of its publication counted.
 */
export const singleTimeExtractor: TimeExtractor = {
  id: 'grammar of sole times',
  async extract(texts, { kind, references, signal }) {
    if (kind === 'query') {
      return texts.map((text, at) => {
        throwIfAborted(signal);
        const askedAt = references[at];
        return sole(
          parseQuestion(askedAt === undefined ? { text } : { text, askedAt }).constraints.map(
            ({ interval }) => interval,
          ),
        );
      });
    }
    const tagged = await tagTimes(texts, { references, ...(signal ? { signal } : {}) });
    return tagged.map(({ mentions }) => sole(mentions.map(({ interval }) => interval)));
  },
};

/**
 * The times of many texts, by the grammar or an extractor of the user's, whose answers are checked.
 * `references` gives each text, or all of them, what relative words refer to.
 * @throws AsOfError ERR_INVALID_ARGUMENT for values of another kind, ERR_MODEL_FAILED where the
 * extractor's answer is unusable, ERR_ABORTED.
 */
export async function timeTuples(
  texts: readonly string[],
  options: {
    kind?: TextKind;
    references?: TimeInput | readonly (TimeInput | undefined)[];
    signal?: AbortSignal;
    extractor?: TimeExtractor;
  } = {},
): Promise<TimeTuple[]> {
  mustBe('an object', { options });
  const { kind = 'passage', references, signal, extractor = grammarExtractor } = options;
  throwIfAborted(signal);
  checkKind(kind);
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw invalidArgument('texts', 'an array of strings', texts);
  const each = Array.isArray(references)
    ? (references as readonly (TimeInput | undefined)[])
    : texts.map(() => references as TimeInput | undefined);
  if (each.length !== texts.length)
    throw invalidArgument(
      'references',
      `one time or ${texts.length} of them, one a text`,
      references,
    );
  const tuples = await extractor.extract(texts, {
    kind,
    references: each,
    ...(signal ? { signal } : {}),
  });
  if (!Array.isArray(tuples) || tuples.length !== texts.length) {
    const expected = `the extractor ${extractor.id} to return ${texts.length} tuples, one a text`;
    throw new AsOfError('ERR_MODEL_FAILED', `Expected ${expected}, received ${describe(tuples)}.`);
  }
  return tuples.map((tuple: unknown, at) => {
    checkTuple(tuple, `tuple ${at} of the extractor ${extractor.id}`);
    return tuple;
  });
}

function checkKind(kind: TextKind): void {
  if (kind !== 'query' && kind !== 'passage')
    throw invalidArgument('kind', 'query or passage', kind);
}

function tupleOrNone(interval: Interval | undefined): TimeTuple {
  return interval === undefined ? noTime : timeTupleOf(interval);
}

function sole(intervals: readonly (Interval | undefined)[]): TimeTuple {
  const known = intervals.filter((interval) => interval !== undefined);
  const [first] = known;
  return known.every(({ start, end }) => start === first!.start && end === first!.end)
    ? tupleOrNone(first)
    : noTime;
}

/** The first interval, narrowed step by step by those inside it that follow. */
export function narrowestInterval(intervals: readonly Interval[]): Interval | undefined {
  return intervals.reduce<Interval | undefined>((known, next) => {
    const inside = known === undefined || (next.start >= known.start && next.end <= known.end);
    return inside ? next : known;
  }, undefined);
}
