// Details of one question: constraint, results of every system, and for the selected system a
// timeline and a table.
import type { ReportQuestion } from '../../reportData.js';
import { h, quoted, spoken, table, type Child } from '@asof/pages/dom';
import { counted, decimals, milliseconds } from '@asof/pages/format';
import type { View } from '../view.js';
import { resultsTable } from './results.js';
import { timeline } from './timeline.js';

type SystemAnswer = ReportQuestion['systems'][number];

export function questionDetail(
  view: View,
  question: ReportQuestion,
  preferred: string,
): HTMLElement {
  const holder = h('div', { class: 'found' });
  const buttons = new Map<string, HTMLElement>();
  const show = (system: string): void => {
    const found = question.systems.find((each) => each.system === system);
    if (!found) return;
    for (const [name, button] of buttons)
      button.setAttribute('aria-pressed', String(name === system));
    const heading = h('h4', {}, `Results of ${system}`);
    holder.replaceChildren(
      heading,
      timeline(view, question, found.top, system),
      resultsTable(question, found.top, system),
    );
  };
  const measured = view.data.comparison.metrics.filter((metric) =>
    question.systems.some(({ metrics }) => metrics[metric] !== undefined),
  );
  const rows = question.systems.map((each) => {
    const button = h(
      'button',
      { type: 'button', 'aria-pressed': 'false', onclick: () => show(each.system) },
      each.system,
    );
    buttons.set(each.system, button);
    return systemRow(question, measured, each, button);
  });
  const numbers = ['first relevant', ...measured, 'time'];
  const body = h(
    'div',
    {},
    h('h3', { dir: 'auto', class: 'question' }, question.text),
    facts(question),
    table({
      label: 'Systems on this question',
      class: 'choose',
      columns: [['system'], ...numbers.map((name) => [name, 'number'] as const)],
      rows,
    }),
    holder,
  );
  show(startWith(view, question, preferred));
  return body;
}

function systemRow(
  question: ReportQuestion,
  measured: readonly string[],
  { metrics, milliseconds: took, top }: SystemAnswer,
  button: HTMLElement,
): Child[] {
  const place = top.findIndex(([candidate]) => question.candidates[candidate]?.relevant) + 1;
  const none = [h('span', { 'aria-hidden': 'true' }, '–'), spoken(`none of ${top.length}`)];
  const values = measured.map((metric) => metrics[metric]);
  return [
    button,
    h('td', { class: `number${place === 1 ? ' first' : ''}` }, place > 0 ? `${place}` : none),
    ...values.map((value) => (value === undefined ? '–' : decimals(value, 2))),
    milliseconds(took),
  ];
}

/**
 * The filtered system, else the best by the selected measure; the last of equals, as baselines come
 * first.
 */
function startWith(view: View, { systems }: ReportQuestion, preferred: string): string {
  if (systems.some(({ system }) => system === preferred)) return preferred;
  const sign = view.lowerIsBetter(view.metric) ? -1 : 1;
  const value = ({ metrics }: SystemAnswer): number => sign * (metrics[view.metric] ?? -Infinity);
  return [...systems].reverse().sort((a, b) => value(b) - value(a) || 0)[0]?.system ?? '';
}

function facts(question: ReportQuestion): HTMLElement {
  const { constraint, answers, relevant } = question;
  const entries: [string, Child][] = [
    ['set', [quoted(question.set), ' ', h('code', {}, quoted(question.id))]],
    ['asked', question.asked_at ?? 'now'],
    ['time', constraint ? constraintText(constraint) : 'no constraint'],
    [
      'answers',
      answers && answers.length > 0
        ? answers.map((answer, at) => [at > 0 && ' · ', quoted(answer)])
        : 'none given',
    ],
    ['relevant', relevant.length === 0 ? 'nothing judged relevant' : relevantText(relevant)],
  ];
  return h(
    'dl',
    { class: 'facts' },
    ...entries.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

function constraintText(constraint: NonNullable<ReportQuestion['constraint']>): Child {
  const { relation, condition, text, window_start: start, window_end: end, clock } = constraint;
  const window =
    start === null && end === null ? '' : `: ${start ?? 'any time'} to ${end ?? 'any time'}`;
  const what = [condition === 'none' ? '' : condition, relation === 'none' ? '' : relation]
    .filter((each) => each !== '')
    .join(', ');
  return [
    what,
    text !== null && [' “', quoted(text), '”'],
    window,
    clock !== 'content' && `, by ${clock}`,
  ];
}

const shownIds = 4;

function relevantText(ids: readonly string[]): Child {
  const more = ids.length - shownIds;
  const shown = ids.slice(0, shownIds).map((id, at) => [at > 0 && ', ', h('code', {}, quoted(id))]);
  return [
    counted(ids.length, 'passage', 'passages'),
    ': ',
    ...shown,
    more > 0 && ` and ${more} more`,
  ];
}
