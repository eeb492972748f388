// What is there before a question: the corpora with their sizes and spans of time, and how to ask.
import { h } from '@asof/pages/dom';
import { counted } from '@asof/pages/format';
import type { CorpusRecord } from '../../http/pageData.js';
import { timeWords } from '../dates.js';

export const startOf = (corpora: readonly CorpusRecord[]): HTMLElement[] => [
  h(
    'ul',
    {},
    ...corpora.map((corpus) => h('li', {}, h('b', {}, corpus.name), `: ${contentsOf(corpus)}.`)),
  ),
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
