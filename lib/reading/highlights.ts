// Highlights: where the text of a passage has words of the question's search and times that its
// constraint admits.
import type { QueryContext } from '../retrieval/queryContext.js';
import { termSpans } from '../text/analyzer.js';
import { windowOf, type Window } from '../time/constraint.js';
import { jointConstraint } from '../time/question/jointConstraint.js';
import { tagTimes } from '../time/tagger.js';
import type { Evidence } from './evidence.js';

type Highlights = NonNullable<Evidence['highlights']>;

/** The evidence with highlights, in order and without overlaps: a time has its own words. */
export async function withHighlights(
  { parsed, terms, snapshot }: QueryContext,
  evidence: readonly Evidence[],
  signal: AbortSignal | undefined,
): Promise<Evidence[]> {
  const words = terms();
  const windows = contentWindows(jointConstraint(parsed));
  const { timeZone } = snapshot;
  const texts = evidence.map(({ text }) => text);
  const references = evidence.map(({ publishedAt }) => publishedAt);
  const tagged =
    windows.length === 0 ? [] : await tagTimes(texts, { references, timeZone, signal });
  return evidence.map((each, at): Evidence => {
    const times = (tagged[at]?.mentions ?? []).filter(
      ({ interval }) =>
        interval && windows.some(({ start, end }) => interval.start < end && start < interval.end),
    );
    const isInTime = (start: number, end: number): boolean =>
      times.some((time) => start < time.end && time.start < end);
    const highlights: Highlights = [
      ...times.map(({ start, end }) => ({ start, end, kind: 'time' as const })),
      ...termSpans(each.text, words)
        .filter(({ start, end }) => !isInTime(start, end))
        .map((span) => ({ ...span, kind: 'term' as const })),
    ];
    return { ...each, highlights: highlights.sort((a, b) => a.start - b.start) };
  });
}

/** The times that a constraint on what passages speak of admits; none without one. */
function contentWindows(constraint: ReturnType<typeof jointConstraint>): Window[] {
  const { interval, alternatives, relation, window, clock } = constraint;
  if (clock !== 'content' || !interval) return [];
  if (alternatives) return alternatives.map((each) => windowOf(relation, each) ?? each);
  return [window ?? interval];
}
