// Temporal extraction: one time tuple per text (Re3 section 3.2). The interface that learned
// extractors implement, and the grammar as its default.
import { AsOfError, describe, invalidArgument, mustBe, throwIfAborted } from '../errors.js';
import type { TimeInput } from '../records.js';
import { contentIntervals } from './contentClock.js';
import type { ParsedQuestion } from './constraint.js';
import type { Interval } from './interval.js';
import type { Mention } from './mention.js';
import { parseQuestion } from './question/question.js';
import { tagText, tagTimes } from './tagger.js';
import { checkTuple, noTime, timeTupleOf, type TimeTuple } from './tuple.js';

/** Side of retrieval: the time of a question and that of a passage are defined differently. */
export type TextKind = 'query' | 'passage';

export interface ExtractOptions {
  kind: TextKind;
  /**
   * Reference times of relative dates, one per text: a question's query time, a passage's
   * publication. Their days are those of UTC.
   */
  references: readonly (TimeInput | undefined)[];
  signal?: AbortSignal | undefined;
}

/** A temporal extractor; the grammar is one, `learnedTimeExtractor` another. */
export interface TimeExtractor {
  /**
   * Name of the extractor and its weights, not blank: part of the key of vectors fused with its
   * times, so that another extractor, or the same with other weights, must have another.
   */
  readonly id: string;
  /** One tuple per text, in order; `noTime` for a text without a time. */
  extract(texts: readonly string[], options: ExtractOptions): Promise<readonly TimeTuple[]>;
}

export interface TimeTupleOptions {
  /** Default passage. */
  kind?: TextKind | undefined;
  reference?: TimeInput | undefined;
}

/**
 * The time of a text, by the grammar. The paper extracts "the" time of a text without defining it;
 * its questions have one constraint, and its documents state the time of a fact and are published
 * at another (appendix A). Here:
 * - for a query, the primary constraint; relative dates refer to `reference`, default now;
 * - for a passage, the first content date, narrowed by later and finer ones inside it ("In late
 * August 2022 ... On August 25, 2022 ..." is that day); the publication date only if there is no
 * other.
 * Dates are as the text names them, days of the reference those of UTC.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a text that is no string or an invalid reference.
 * @example timeTuple('In the 1990s prices fell.') // { year: 1995, month: 0, dayOfMonth: 0, mask:
 * [1, 0, 0] }
 */
export function timeTuple(text: string, options: TimeTupleOptions = {}): TimeTuple {
  mustBe('an object', { options });
  const { kind = 'passage', reference } = options;
  checkKind(kind);
  if (kind === 'query') return timeOfQuery(parseQuestion({ text, askedAt: reference }));
  return timeOfPassage(tagText(text, { reference }).mentions, text);
}

const byGrammar = (
  id: string,
  ofQuery: (question: ParsedQuestion) => TimeTuple,
  ofPassage: (mentions: readonly Mention[], text: string) => TimeTuple,
): TimeExtractor => ({
  id,
  async extract(texts, { kind, references, signal }) {
    if (kind === 'query') {
      return texts.map((text, at) => {
        throwIfAborted(signal);
        return ofQuery(parseQuestion({ text, askedAt: references[at] }));
      });
    }
    const tagged = await tagTimes(texts, { references, signal });
    return tagged.map(({ mentions }, at) => ofPassage(mentions, texts[at]!));
  },
});

const timeOfQuery = ({ constraint }: ParsedQuestion): TimeTuple => tupleOrNone(constraint.interval);
const timeOfPassage = (mentions: readonly Mention[], text: string): TimeTuple =>
  tupleOrNone(narrowestInterval(contentIntervals(mentions, text)));

/** The grammar as an extractor: `timeTuple` of many texts. */
export const grammarExtractor = byGrammar('grammar', timeOfQuery, timeOfPassage);

/**
 * The grammar for unambiguous texts: no time for a text with several different ones, so that the
 * next extractor of a `fallbackExtractor` decides. Counts all constraints of a question, and all
 * dates of a passage, publication included.
 */
export const singleTimeExtractor = byGrammar(
  'grammar of sole times',
  ({ constraints }) => singleTime(constraints),
  singleTime,
);

/**
 * The times of many texts, by the grammar or a custom extractor, whose result is validated.
 * `references` is the reference time of relative dates, one for all texts or one per text.
 * @throws AsOfError ERR_INVALID_ARGUMENT for values of other types, ERR_MODEL_FAILED for an
 * unusable result of the extractor, ERR_ABORTED.
 */
export async function timeTuples(
  texts: readonly string[],
  options: {
    kind?: TextKind | undefined;
    references?: TimeInput | readonly (TimeInput | undefined)[] | undefined;
    signal?: AbortSignal | undefined;
    extractor?: TimeExtractor | undefined;
  } = {},
): Promise<TimeTuple[]> {
  mustBe('an object', { options });
  const { kind = 'passage', references, signal, extractor = grammarExtractor } = options;
  throwIfAborted(signal);
  checkKind(kind);
  checkExtractor(extractor);
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw invalidArgument('texts', 'an array of strings', texts);
  const each = Array.isArray(references)
    ? (references as readonly (TimeInput | undefined)[])
    : texts.map(() => references as TimeInput | undefined);
  if (each.length !== texts.length)
    throw invalidArgument(
      'references',
      `one time or ${texts.length} of them, one per text`,
      references,
    );
  const tuples = await extractor.extract(texts, {
    kind,
    references: each,
    signal,
  });
  if (!Array.isArray(tuples) || tuples.length !== texts.length) {
    const expected = `the extractor ${extractor.id} to return ${texts.length} tuples, one per text`;
    throw new AsOfError('ERR_MODEL_FAILED', `Expected ${expected}, received ${describe(tuples)}.`);
  }
  return tuples.map((tuple: unknown, at) => {
    checkTuple(tuple, `tuple ${at} of the extractor ${extractor.id}`);
    return tuple;
  });
}

/** Whether a value is an extractor with an id that distinguishes it. */
export function isTimeExtractor(value: unknown): value is TimeExtractor {
  const { id, extract } = (value ?? {}) as Partial<TimeExtractor>;
  return typeof extract === 'function' && typeof id === 'string' && id.trim() !== '';
}

/** Throws ERR_INVALID_ARGUMENT for a value that is no extractor, or one without an id. */
export function checkExtractor(value: unknown): asserts value is TimeExtractor {
  if (!isTimeExtractor(value)) {
    const remedy = 'Its id names it and its weights: vectors fused with its times are kept by it.';
    throw invalidArgument('extractor', 'a TimeExtractor { id, extract }', value, remedy);
  }
}

function checkKind(kind: TextKind): void {
  if (kind !== 'query' && kind !== 'passage')
    throw invalidArgument('kind', 'query or passage', kind);
}

function tupleOrNone(interval: Interval | undefined): TimeTuple {
  return interval === undefined ? noTime : timeTupleOf(interval);
}

function singleTime(dates: readonly Pick<Mention, 'interval'>[]): TimeTuple {
  const [first, ...others] = dates.flatMap(({ interval }) => interval ?? []);
  return others.every(({ start, end }) => start === first!.start && end === first!.end)
    ? tupleOrNone(first)
    : noTime;
}

/** The first interval, successively narrowed by later ones inside it. */
export function narrowestInterval(intervals: readonly Interval[]): Interval | undefined {
  return intervals.reduce<Interval | undefined>((known, next) => {
    const inside = known === undefined || (next.start >= known.start && next.end <= known.end);
    return inside ? next : known;
  }, undefined);
}

/**
 * An extractor that tries others in order and keeps the first time of a text: usually the exact
 * grammar, then a learned extractor for expressions outside the grammar.
 * @throws AsOfError ERR_INVALID_ARGUMENT for values that are no extractors, or none.
 * @example fallbackExtractor(grammarExtractor, await learnedTimeExtractor())
 */
export function fallbackExtractor(...extractors: readonly TimeExtractor[]): TimeExtractor {
  const wrong = extractors.findIndex((each) => !isTimeExtractor(each));
  if (extractors.length === 0 || wrong >= 0)
    throw invalidArgument(
      'extractors',
      'one extractor or more, { id, extract }',
      extractors[wrong],
    );
  return {
    id: extractors.map(({ id }) => id).join(' else '),
    async extract(texts, { references, ...options }) {
      const tuples: TimeTuple[] = [];
      let remaining = texts.map((_, at) => at);
      for (const extractor of extractors) {
        if (remaining.length === 0) break;
        const extracted = await extractor.extract(
          remaining.map((at) => texts[at]!),
          { ...options, references: remaining.map((at) => references[at]) },
        );
        remaining.forEach((at, of) => (tuples[at] = extracted[of]!));
        remaining = remaining.filter((at) => tuples[at]?.mask[0] === 0);
      }
      return tuples;
    },
  };
}
