// What queries are judged by besides relevance, as eval and metrics take it: verdicts on time and
// versions. Options and files only; the library measures.
import { readJudgements } from '../../eval/files/judgements.js';
import { readQrels } from '../../eval/files/trec.js';
import type { AuxiliaryJudgements } from '../../eval/measures/metricInput.js';
import { tempoDefinitions, type TempoDefinition } from '../../eval/measures/temporal.js';
import { readFacts } from '../../eval/measures/versions.js';
import { UsageError, option, type Command, type Invocation, type OptionSpec } from '../command.js';

export const moreJudgementOptions: Readonly<Record<string, OptionSpec>> = {
  judgements: {
    type: 'string',
    value: 'J.jsonl',
    help: "a judge's verdicts on time and periods, for tp@k tr@k tc@k ndcg_fc@k",
  },
  judge: {
    type: 'string',
    value: 'ID',
    help: 'only what this judge said ("by" in the judgements)',
  },
  tempo: {
    type: 'string',
    value: 'paper|code',
    help: "whose definition TEMPO's measures have, default paper",
  },
  outdated: {
    type: 'string',
    value: 'R',
    help: 'passages superseded when the question was asked, for outdated@k current@k clean@k; as judgements',
  },
  future: {
    type: 'string',
    value: 'R',
    help: 'passages from later than the question, for future@k and clean@k; as judgements',
  },
  facts: {
    type: 'string',
    value: 'F',
    help: 'facts of a question and what states them, for all@k: query fact document grade a line',
  },
};

/** What is said of a metric that lacks what it reads, by what it reads. */
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
