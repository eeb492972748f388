// Judgements of time and versions for `asof eval` and `asof metrics`.
import { readJudgements } from '../../files/judgements.js';
import { readQrels } from '../../files/trec.js';
import type { AuxiliaryJudgements } from '../../measures/metricInput.js';
import { tempoDefinitions, type TempoDefinition } from '../../measures/temporal.js';
import { readFacts } from '../../measures/versions.js';
import { UsageError, option, type Invocation, wordOption } from 'asof/command';

export interface AuxiliaryInput {
  judgements: AuxiliaryJudgements;
  tempo: TempoDefinition;
  /** Metrics that these judgements add to the default. */
  defaultMetrics: string[];
  /** Options that are reported with the figures. */
  reported: { tempo?: TempoDefinition; judge?: string };
}

/** @throws UsageError for an option without the one that it needs; the errors of the files. */
export async function readAuxiliaryJudgements(invocation: Invocation): Promise<AuxiliaryInput> {
  const { signal } = invocation;
  const [file, by, outdated, future, facts] = [
    'judgements',
    'judge',
    'outdated',
    'future',
    'facts',
  ].map((name) => option(invocation, name));
  const tempo = wordOption(invocation, 'tempo', tempoDefinitions) ?? 'paper';
  if (by !== undefined && file === undefined) throw new UsageError('--judge needs --judgements.');
  if (outdated === undefined && (future ?? facts) !== undefined) {
    throw new UsageError(`--${future === undefined ? 'facts' : 'future'} needs --outdated.`);
  }
  const temporal = file === undefined ? undefined : await readJudgements(file, { signal, by });
  const versions =
    outdated === undefined
      ? undefined
      : {
          outdated: await readQrels(outdated, { signal }),
          ...(future === undefined ? {} : { future: await readQrels(future, { signal }) }),
          ...(facts === undefined ? {} : { facts: await readFacts(facts, { signal }) }),
        };
  return {
    judgements: { ...(temporal ? { temporal } : {}), ...(versions ? { versions } : {}) },
    tempo,
    defaultMetrics: [
      ...(temporal ? ['tp@10', 'tr@10', 'tc@10', 'ndcg_fc@10'] : []),
      ...(versions ? ['current@1', 'current@5', 'outdated@5', 'clean@5'] : []),
      ...(versions?.future ? ['future@5'] : []),
      ...(versions?.facts ? ['all@5'] : []),
    ],
    reported: { ...(temporal ? { tempo, ...(by === undefined ? {} : { judge: by }) } : {}) },
  };
}
