// Results table of a system for one question: text, dates and score components.
import type { ReportCandidate, ReportHit, ReportQuestion } from '../../reportData.js';
import { emptyState, h, quoted, spoken, table } from '@asof/pages/dom';
import { dateText, score } from '@asof/pages/format';

const shownDates = 6;

export function resultsTable(
  { candidates }: ReportQuestion,
  top: readonly ReportHit[],
  system: string,
): HTMLElement {
  if (top.length === 0) return emptyState(`${system} has no results.`);
  const parts = [...new Set(top.flatMap(([, , scores]) => Object.keys(scores)))];
  const rows = top.map(([candidate, total, scores], at) => {
    const found = candidates[candidate]!;
    const rank = [
      String(at + 1),
      found.relevant && [
        h('span', { class: 'tick', 'aria-hidden': 'true' }, ' ✓'),
        spoken(', relevant'),
      ],
    ];
    const values = [total, ...parts.map((part) => scores[part])];
    return [
      h('td', { class: 'number rank' }, rank),
      h('td', { class: 'passage' }, passage(found)),
      ...values.map((value) => (value === undefined ? '–' : score(value))),
    ];
  });
  return table({
    label: `Results of ${system}`,
    class: 'results',
    columns: [
      [spoken('rank'), 'number'],
      ['passage'],
      ...['score', ...parts].map((name) => [name, 'number'] as const),
    ],
    rows,
    rowClass: (at) => (candidates[top[at]![0]]!.relevant ? 'relevant' : undefined),
  });
}

function passage({
  id,
  title,
  sentence,
  dates = [],
  published_at: published,
}: ReportCandidate): HTMLElement {
  const more = dates.length - shownDates;
  return h(
    'div',
    {},
    h(
      'p',
      { class: 'title', dir: 'auto' },
      title === undefined ? '' : h('b', {}, title),
      ' ',
      h('code', {}, quoted(id)),
    ),
    sentence !== undefined && h('p', { dir: 'auto' }, sentence),
    (dates.length > 0 || published !== undefined) &&
      h(
        'p',
        { class: 'dates' },
        ...dates
          .slice(0, shownDates)
          .map((date, at) =>
            h('span', { class: at === 0 ? 'decided' : undefined }, dateText(date)),
          ),
        more > 0 && h('span', {}, `${more} more`),
        published !== undefined && h('span', { class: 'published' }, `published ${published}`),
      ),
  );
}
