// Content times of rows as TypeScript made them of mentions, before the addon read them: an oracle.
import type { StoredPassage } from '../../lib/records.js';
import { passageText, unionIntervals } from '../../lib/store/writing/rows.js';
import type { Interval } from '../../lib/time/interval.js';
import { tagTimes } from '../../lib/time/tagger.js';
import { contentOfSentences } from './cues.js';

interface Span {
  start: number;
  end: number;
}

/**
 * Of each passage the times of all of its sentences, then where these have rows those of each: its
 * own and the title's. A passage is tagged as one text with its title.
 */
export async function contentTimes(
  passages: readonly StoredPassage[],
  sentences: readonly (readonly Span[])[],
  { sentenceRows, timeZone }: { sentenceRows: boolean; timeZone?: string | undefined },
): Promise<Interval[][]> {
  const texts = passages.map(passageText);
  const references = passages.map(({ publishedAt }) => publishedAt);
  const tagged = await tagTimes(texts, { references, timeZone });
  return passages.flatMap(({ text, publishedAt }, p) => {
    const prefix = texts[p]!.length - text.length;
    const spans = [
      { start: 0, end: prefix },
      ...sentences[p]!.map(({ start, end }) => ({ start: prefix + start, end: prefix + end })),
    ];
    const [title, ...own] = contentOfSentences(
      texts[p]!,
      spans,
      tagged[p]!.mentions,
      publishedAt,
    ) as [Interval[], ...Interval[][]];
    const whole = unionIntervals([title, ...own]);
    if (!sentenceRows || own.length < 2) return [whole];
    return [whole, ...own.map((each) => unionIntervals([title, each]))];
  });
}
