// Dated statements of passages: a sentence, one of its times, and its keywords.
import { englishAnalyzer } from 'asof/kit';
import { splitSentences, type Interval, type Mention } from 'asof/time';
import { yearOf, yearMilliseconds } from './overlap.js';

export interface Fact {
  /** Entity of the fact: the passage's title, or the sentence's first name. */
  entity: string;
  sentence: string;
  interval: Interval;
  /**
   * Content words of the sentence in lower case, in order, without its times, its names and the
   * entity's words.
   */
  keywords: readonly string[];
}

/** Drops stop words. */
const analyzer = englishAnalyzer();

/** Range of plausible years; other numbers are usually quantities. */
const years = { first: 1000, last: 2999 };
const longestYears = 60;
const leastConfidence = 0.5;
const leastCharacters = 20;
const mostCharacters = 600;

/** The facts of a passage, from the mentions of its whole text. */
export function factsOf(
  passage: { title?: string; text: string },
  mentions: readonly Mention[],
): Fact[] {
  const facts: Fact[] = [];
  for (const { start, end } of splitSentences(passage.text)) {
    if (end - start < leastCharacters || end - start > mostCharacters) continue;
    const own = mentions.filter((mention) => mention.start >= start && mention.end <= end);
    const dated = own.filter(isUsable);
    if (dated.length === 0) continue;
    const sentence = passage.text.slice(start, end);
    const entity =
      passage.title ??
      firstName(
        sentence,
        own.map((mention) => mention.start - start),
      );
    if (entity === undefined) continue;
    const keywords = contentWords(passage.text, start, end, own, entity);
    const seen = new Set<string>();
    for (const { interval } of dated) {
      const key = `${interval!.start} ${interval!.end}`;
      if (seen.has(key)) continue;
      seen.add(key);
      facts.push({ entity, sentence, interval: interval!, keywords });
    }
  }
  return facts;
}

function isUsable({ interval, confidence }: Mention): boolean {
  if (!interval || confidence < leastConfidence || !Number.isFinite(interval.end - interval.start))
    return false;
  const [from, to] = [yearOf(interval.start), yearOf(interval.end - 1)];
  return (
    from >= years.first &&
    to <= years.last &&
    interval.end - interval.start <= longestYears * yearMilliseconds
  );
}

/** The first run of capitalised words that is not only the sentence's first word. */
function firstName(sentence: string, times: readonly number[]): string | undefined {
  for (const match of sentence.matchAll(
    /\p{Lu}[\p{L}.'’-]+(?:\s+(?:of|the|de|von|van)?\s*\p{Lu}[\p{L}.'’-]+)*/gu,
  )) {
    const single = !/\s/.test(match[0]);
    if (times.includes(match.index) || (match.index === 0 && single)) continue;
    return match[0];
  }
  return undefined;
}

function contentWords(
  text: string,
  from: number,
  to: number,
  mentions: readonly Mention[],
  entity: string,
): string[] {
  const about = new Set(entity.toLowerCase().match(/\p{L}+/gu) ?? []);
  const words: string[] = [];
  for (const match of text.slice(from, to).matchAll(/\p{L}[\p{L}'’-]{3,}/gu)) {
    const at = from + match.index;
    if (mentions.some(({ start, end }) => at >= start && at < end)) continue;
    const word = match[0];
    if (/^\p{Lu}/u.test(word)) continue; // names belong to the entity
    const lower = word.toLowerCase();
    if (
      analyzer.analyze(lower).length === 0 ||
      little.has(lower) ||
      about.has(lower) ||
      words.includes(lower)
    )
      continue;
    words.push(lower);
  }
  return words;
}

const little = new Set(
  (
    'also been being both could does during each even ever from have having here into just ' +
    'like many more most much only other over same ' +
    'she since some such than them then they this those through under until upon very well ' +
    'were what when where which while whom whose ' +
    'would your about after again against before between because further once against every ' +
    'until himself herself itself later his her'
  ).split(' '),
);
