// Judgements of time and versions for `asof eval` and `asof metrics`.
import { readJudgements } from '../../eval/files/judgements.js';
import { readQrels } from '../../eval/files/trec.js';
import type { AuxiliaryJudgements } from '../../eval/measures/metricInput.js';
import { tempoDefinitions, type TempoDefinition } from '../../eval/measures/temporal.js';
import { readFacts } from '../../eval/measures/versions.js';
import { UsageError, option, type Command, type Invocation } from '../command.js';

/** The options that provide each source of judgements. */
const remedies: Readonly<Record<string, string>> = {
  'temporal judgements': '--judgements',
  'temporal judgements and judgements': '--judgements and --qrels',
  versions: '--outdated',
  'later versions': '--future',
  facts: '--outdated and --facts',
};

export interface MoreJudged {
  judgements: AuxiliaryJudgements;
  tempo: TempoDefinition;
  /** Metrics that are measured where no others are named. */
  usual: string[];
  /** What is printed with the figures. */
  shown: { tempo?: TempoDefinition; judge?: string };
}

/** Reads what the options name. Errors: UsageError, and those of the files. */
export async function moreJudgements(
  invocation: Invocation,
  command: Command,
): Promise<MoreJudged> {
  const { signal } = invocation;
  const [file, by, outdated, future, facts] = [
    'judgements',
    'judge',
    'outdated',
    'future',
    'facts',
  ].map((name) => option(invocation, name));
  const written = option(invocation, 'tempo') ?? 'paper';
  const tempo = tempoDefinitions.find((each) => each === written);
  if (!tempo)
    throw new UsageError(
      `--tempo must be paper or code, received ${JSON.stringify(written)}.`,
      command.name,
    );
  if (by !== undefined && file === undefined)
    throw new UsageError('--judge is of --judgements, which is not given.', command.name);
  if (outdated === undefined && (future ?? facts) !== undefined) {
    throw new UsageError(
      `--${future === undefined ? 'facts' : 'future'} goes with --outdated, which is not given.`,
      command.name,
    );
  }
  const temporal =
    file === undefined
      ? undefined
      : await readJudgements(file, { signal, ...(by === undefined ? {} : { by }) });
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
    usual: [
      ...(temporal ? ['tp@10', 'tr@10', 'tc@10', 'ndcg_fc@10'] : []),
      ...(versions ? ['current@1', 'current@5', 'outdated@5', 'clean@5'] : []),
      ...(versions?.future ? ['future@5'] : []),
      ...(versions?.facts ? ['all@5'] : []),
    ],
    shown: { ...(temporal ? { tempo, ...(by === undefined ? {} : { judge: by }) } : {}) },
  };
}

/** Whose definition TEMPO's measures have. */
export const tempoNote = (tempo: TempoDefinition): string =>
  `TEMPO's measures as its ${tempo === 'paper' ? 'paper defines' : 'code computes'} them`;

/** Metrics left out, said by what they need: `--judgements: tp@10, tr@10; asof eval: em`. */
export function leftOut(
  names: readonly string[],
  metrics: readonly { name: string; source: string }[],
  otherwise: string,
): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const source = metrics.find((metric) => metric.name === name)!.source;
    const need = Object.hasOwn(remedies, source) ? remedies[source]! : otherwise;
    groups.set(need, [...(groups.get(need) ?? []), name]);
  }
  return [...groups].map(([need, group]) => `${need}: ${group.join(', ')}`).join('; ');
}
