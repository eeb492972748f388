// Constraint violations: passages whose dates contradict the time constraint of a question. Dates
// are tagged by one rule for all systems; an undated passage violates nothing.
import { contentIntervals } from 'asof/kit';
import { type Constraint, type ParsedQuestion, type Window, tagTimes } from 'asof/time';

/** A passage with its times. */
export interface DatedPassage {
  text: string;
  /** Instants in milliseconds. */
  publishedAt?: number;
  validFrom?: number;
  validTo?: number;
}

/**
 * Whether each passage contradicts the question: for some binding constraint, it has dates on the
 * constraint's clock and none of them overlaps the constraint's window (for "around", extended by
 * the length of its date to either side). On the content clock, undated text falls back to the
 * passage's validity. Undefined without a binding constraint.
 */
export async function constraintViolations(
  question: Pick<ParsedQuestion, 'constraints'>,
  passages: readonly DatedPassage[],
  signal?: AbortSignal,
): Promise<boolean[] | undefined> {
  const windows = question.constraints.flatMap((constraint) => {
    const window = constraint.binds ? windowOf(constraint) : undefined;
    return window ? [{ window, clock: constraint.clock }] : [];
  });
  if (windows.length === 0) return undefined;
  const read = windows.some(({ clock }) => clock === 'content');
  const references = passages.map(({ publishedAt }) => publishedAt);
  const tagged = read
    ? await tagTimes(
        passages.map(({ text }) => text),
        { references, signal },
      )
    : [];
  return passages.map((passage, at) => {
    const content = tagged[at]
      ? contentIntervals(tagged[at].mentions, passage.text, passage.publishedAt)
      : [];
    return windows.some(({ window, clock }) => {
      const dates = datesOn(clock, passage, content);
      return (
        dates.length > 0 &&
        !dates.some(({ start, end }) => start < window.end && window.start < end)
      );
    });
  });
}

/**
 * violation@k = |contradicting passages of the first k| / |retrieved passages of the first k|;
 * undefined without passages.
 */
export function violationRate(contradicting: readonly boolean[], k: number): number | undefined {
  const shown = contradicting.slice(0, k);
  return shown.length === 0 ? undefined : shown.filter(Boolean).length / shown.length;
}

function windowOf({ relation, interval, window }: Constraint): Window | undefined {
  if (relation !== 'around' || !interval) return window;
  const length = interval.end - interval.start;
  return { start: interval.start - length, end: interval.end + length };
}

function datesOn(
  clock: Constraint['clock'],
  passage: DatedPassage,
  content: readonly Window[],
): readonly Window[] {
  const { publishedAt, validFrom, validTo } = passage;
  if (clock === 'published')
    return publishedAt === undefined ? [] : [{ start: publishedAt, end: publishedAt + 1 }];
  if (clock === 'content' && content.length > 0) return content;
  return validFrom === undefined && validTo === undefined
    ? []
    : [{ start: validFrom ?? -Infinity, end: validTo ?? Infinity }];
}
