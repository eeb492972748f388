// Results table of a system for one question: text, dates and score components.
import type { ReportCandidate, ReportHit, ReportQuestion } from '../../reportData.js';
import { emptyState, h, quoted, scrolling, spoken } from '../dom.js';
import { dateText, score } from '../format.js';

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
    const numbers = values.map((value) =>
      h('td', { class: 'number' }, value === undefined ? '–' : score(value)),
    );
    return h(
      'tr',
      { class: found.relevant ? 'relevant' : undefined },
      h('td', { class: 'number rank' }, rank),
      h('td', { class: 'passage' }, passage(found)),
      ...numbers,
    );
  });
  const names = [spoken('rank'), 'passage', 'score', ...parts];
  const head = names.map((name, at) =>
    h('th', { scope: 'col', class: at === 1 ? undefined : 'number' }, name),
  );
  const table = h(
    'table',
    { class: 'results' },
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...rows),
  );
  return scrolling(`Results of ${system}`, table);
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
