// Results as of two times side by side, and what changed between them.
import { emptyState, h, quoted, table, type Child } from '@asof/pages/dom';
import type { ResultRecord } from '../../http/pageData.js';
import { timeWords } from '../dates.js';
import { askedAtOf, type Row } from '../rows.js';
import { answerOf } from './sections.js';

/** A result as of one time, with its rows. */
export interface Moment {
  result: ResultRecord;
  rows: readonly Row[];
}

interface Change {
  title: string;
  before: string;
  after: string;
  what: string;
}

export function comparisonOf(one: Moment, other: Moment): Child[] {
  const inOrder = askedAtOf(one.result) <= askedAtOf(other.result);
  const [earlier, later] = inOrder ? [one, other] : [other, one];
  const changes = changesBetween(earlier, later);
  return [
    h(
      'div',
      { class: 'sides' },
      ...[earlier, later].map(({ result, rows }) => h('div', {}, answerOf(result, rows))),
    ),
    changes.length === 0
      ? emptyState('Nothing changed between these times.')
      : table({
          label: 'What changed between the two times',
          columns: [['passage', 'prose'], ['before'], ['after'], ['what changed', 'prose']],
          rows: changes.map(({ title, before, after, what }): Child[] => [
            quoted(title),
            before,
            after,
            what,
          ]),
        }),
  ];
}

/** The passages whose standing is another, in the order of the later result. */
export function changesBetween(earlier: Moment, later: Moment): Change[] {
  const [from, to] = [askedAtOf(earlier.result), askedAtOf(later.result)];
  const before = new Map(earlier.rows.map((row) => [row.id, row]));
  const after = new Map(later.rows.map((row) => [row.id, row]));
  const between = (at: number | null | undefined): boolean =>
    typeof at === 'number' && at > from && at <= to;
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((id) => {
    const [old, now] = [before.get(id), after.get(id)];
    const row = (now ?? old)!;
    const what = [
      between(row.published) && `published ${timeWords(row.publishedText!)}`,
      between(row.valid?.from) && `valid from ${timeWords(row.valid!.fromText!)}`,
      between(row.valid?.to) && `ended ${timeWords(row.valid!.toText!)}`,
      now?.faded === true && old?.faded !== true && (now.because ?? 'superseded'),
    ].filter((each) => each !== false);
    const [standingBefore, standingAfter] = [standing(old), standing(now)];
    if (standingBefore === standingAfter && what.length === 0) return [];
    return [
      { title: row.title, before: standingBefore, after: standingAfter, what: what.join('; ') },
    ];
  });
}

function standing(row: Row | undefined): string {
  if (!row) return 'not in the result';
  if (row.state === 'later') return 'not yet published';
  return row.faded || row.rank === undefined ? 'superseded' : `no. ${row.rank}`;
}
