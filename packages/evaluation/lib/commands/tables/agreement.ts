// Agreement of two judges as a table and as JSON.
import type { Agreement, JudgeAgreement } from '../../judges/agreement.js';
import { table } from 'asof/command';

const rows: readonly [keyof JudgeAgreement, string, string][] = [
  ['temporal', 'query asks for time', 'temporal'],
  ['crossPeriod', 'query asks for several periods', 'cross_period'],
  ['verdict', 'document helps', 'verdict'],
  ['coverage', 'document covers a period', 'coverage'],
];

/** A row for each kind of judgement: pairs, percent, kappa and the four counts. */
export function agreementTable(agreement: JudgeAgreement, first: string, second: string): string {
  const head = [
    'agreement',
    'both judged',
    'percent',
    'kappa',
    'both yes',
    'both no',
    'first only',
    'second only',
  ];
  const body = rows.map(([field, label]) => {
    const { pairs, agreed, kappa, confusion } = agreement[field];
    const [[neither, later], [former, both]] = confusion as [[number, number], [number, number]];
    const shown = (value: number | undefined, digits: number): string =>
      value === undefined ? '-' : value.toFixed(digits);
    const counts = [both, neither, former, later].map(String);
    return [
      label,
      String(pairs),
      shown(agreed === undefined ? undefined : 100 * agreed, 1),
      shown(kappa, 3),
      ...counts,
    ];
  });
  return `${table([head, ...body])}first: ${first}, second: ${second}\n`;
}

export function agreementJson(agreement: JudgeAgreement): Record<string, unknown> {
  const shown = ({
    pairs,
    agreed,
    kappa,
    labels,
    confusion,
  }: Agreement): Record<string, unknown> => ({
    pairs,
    agreed: agreed ?? null,
    kappa: kappa ?? null,
    labels,
    confusion,
  });
  return Object.fromEntries(rows.map(([field, , name]) => [name, shown(agreement[field])]));
}
