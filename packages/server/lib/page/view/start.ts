// What is there before a question: the corpora with their sizes and spans of time, and questions
// made of the titles and dates of the first one.
import { h, quoted } from '@asof/pages/dom';
import { counted } from '@asof/pages/format';
import type { CorpusRecord } from '../../http/pageData.js';
import { monthWords, timeWords } from '../dates.js';
import type { SampleRecord } from '../source.js';

export const startOf = (
  corpora: readonly CorpusRecord[],
  examples: readonly string[],
  chosen: (question: string) => void,
): HTMLElement[] => [
  h(
    'ul',
    {},
    ...corpora.map((corpus) => h('li', {}, h('b', {}, corpus.name), `: ${contentsOf(corpus)}.`)),
  ),
  ...(examples.length === 0
    ? []
    : [
        h('h2', {}, 'Ask, for example'),
        h(
          'ul',
          { class: 'examples' },
          ...examples.map((question) =>
            h(
              'li',
              {},
              h(
                'button',
                { type: 'button', class: 'link', onclick: () => chosen(question) },
                quoted(question),
              ),
            ),
          ),
        ),
      ]),
  h(
    'p',
    { class: 'note' },
    'Ask in a whole question. Its words of time count, such as “in May 2021”, “before 2010” or ' +
      '“latest”. With a date nothing counts that was published later.',
  ),
];

/** "1,204 passages, published 13 July 2016 to 25 October 2022". */
function contentsOf({ passages, spans }: CorpusRecord): string {
  const { start_iso: start, end_iso: end } = spans?.['published'] ?? {};
  const span = start && end ? `, published ${timeWords(start)} to ${timeWords(end)}` : '';
  return `${counted(passages, 'passage', 'passages')}${span}`;
}

/** Longest title that reads well inside a question. */
const longestTitle = 60;

/** Up to three questions, of titles and dates of passages that lie apart. */
export function examplesOf(sample: readonly SampleRecord[]): string[] {
  const titles = [...new Set(sample.flatMap(({ title }) => title ?? []))].filter(
    (title) => title.length <= longestTitle,
  );
  const dated = sample.filter(({ published_at: at }) => at !== undefined);
  const apart = <Value>(of: readonly Value[], nth: number): Value | undefined =>
    of[Math.floor((nth * of.length) / 3)];
  const titled = dated.filter(({ title }) => title !== undefined && titles.includes(title));
  const [first, second, third] = [apart(titles, 0), apart(titled, 1), apart(dated, 2)];
  return [
    ...(first === undefined ? [] : [`What is the latest on ${first}?`]),
    ...(second === undefined
      ? []
      : [`What was known of ${second.title} in ${second.published_at!.slice(0, 4)}?`]),
    ...(third === undefined ? [] : [`What was reported in ${monthWords(third.published_at!)}?`]),
  ];
}
