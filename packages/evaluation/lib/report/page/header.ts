// Page header: systems, collections, machine and every option, to reproduce a figure.
import type { Comparison } from '../../comparison/result.js';
import { h, quoted, table, type Child } from '@asof/pages/dom';
import { anyValue, count, counted, duration } from '@asof/pages/format';
import type { View } from './view.js';

export function header({ data }: View): HTMLElement {
  const { comparison } = data;
  const { machine, sets, systems } = comparison;
  const asked = sets.reduce((sum, { queries }) => sum + queries, 0);
  const names = (of: readonly { name: string }[]): string => of.map(({ name }) => name).join(', ');
  const line = `${counted(asked, 'question', 'questions')} of ${names(sets)}, by ${names(systems)}`;
  const when = comparison.made_at.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/, ' UTC');
  const concurrency =
    comparison.jobs === undefined ? '' : `, with ${comparison.jobs} processes measuring at once`;
  const isBusy = machine.load > machine.cores || concurrency !== '';
  const busy = isBusy
    ? ` The machine was busy (load ${machine.load}${concurrency}): latencies are high.`
    : '';
  return h(
    'header',
    {},
    h('h1', {}, quoted(data.title)),
    h(
      'p',
      { class: 'lead' },
      `${line}. Made ${when} by asof ${comparison.asof} in ${duration(comparison.seconds)}.${busy}`,
    ),
    h(
      'details',
      { class: 'origin' },
      h('summary', {}, 'How this was made: command, options, versions, machine'),
      facts(comparison),
      h('h2', {}, 'Systems'),
      systemsTable(comparison),
      h('h2', {}, 'Sets'),
      setsTable(comparison),
    ),
  );
}

function facts(comparison: View['data']['comparison']): HTMLElement {
  const {
    machine,
    perturb,
    significance: [test],
  } = comparison;
  const cores = `${counted(machine.cores, 'core', 'cores')}, ${machine.memory_gib} GiB`;
  const kernels = `kernels ${machine.level} on ${counted(machine.threads, 'thread', 'threads')}`;
  const entries: [string, Child][] = [
    ['command', h('pre', {}, comparison.command)],
    ['asof', comparison.asof],
    ['Node.js', comparison.node],
    ['machine', `${machine.processor}, ${cores}, ${kernels}, load ${machine.load}`],
    ['seed', String(comparison.seed)],
    [
      'sample',
      comparison.sample === undefined
        ? 'all questions'
        : `${count(comparison.sample)} questions of each set`,
    ],
    ['encoder', comparison.encoder],
    ['reranker', comparison.reranker ?? 'none'],
    ['model', comparison.model ?? 'none'],
    ['retrieved passages', String(comparison.k)],
    ['relevant from grade', String(comparison.relevant_from)],
    ['measures', comparison.metrics.join(', ')],
    ...Object.entries(comparison.metric_options ?? {}).map(([name, value]): [string, Child] => [
      name,
      value,
    ]),
    ['baseline', comparison.baseline],
    [
      'tests',
      test ? `${test.test}, ${test.correction}, ${count(comparison.rounds)} rounds` : 'none',
    ],
    [
      'perturbation',
      perturb
        ? `${counted(perturb.per_question, 'form', 'forms')} a question, seed ${perturb.seed}`
        : 'none',
    ],
    [
      'took',
      `${duration(comparison.seconds)}${comparison.jobs === undefined ? '' : ` in ${comparison.jobs} processes at once`}`,
    ],
  ];
  return h(
    'dl',
    { class: 'facts' },
    ...entries.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

function systemsTable({ systems }: Pick<Comparison, 'systems'>): HTMLElement {
  const rows = systems.map(({ name, composition, options }) => [
    name,
    composition,
    h(
      'code',
      {},
      Object.entries(options)
        .map(([key, value]) => `${key} ${anyValue(value)}`)
        .join(' · '),
    ),
  ]);
  return table({
    label: 'Systems',
    columns: [['system'], ['stages', 'prose'], ['options', 'prose']],
    rows,
  });
}

function setsTable({ sets }: Pick<Comparison, 'sets'>): HTMLElement {
  const rows = sets.map((set) => [
    set.name,
    count(set.queries),
    count(set.queries_in_set),
    count(set.passages),
    h('code', {}, set.sha256),
  ]);
  return table({
    label: 'Sets',
    rows,
    columns: [
      ['set'],
      ['asked', 'number'],
      ['questions', 'number'],
      ['passages', 'number'],
      ['sha256', 'prose'],
    ],
  });
}
