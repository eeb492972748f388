// `asof bench-data perturb`: varied time constraints of dated questions (MRAG appendix C).
import {
  type Command,
  UsageError,
  countOption,
  listOption,
  option,
  type Invocation,
  filterLines,
  checkOutput,
  writeOutput,
} from 'asof/command';
import { readQrels, type Qrels } from '../files/trec.js';
import type { DateGranularity } from '../perturbation/dates.js';
import {
  perturbQuestion,
  type PerturbedQuestion,
  type PerturbOptions,
} from '../perturbation/perturbQuestion.js';
import { intervalIso } from 'asof/kit';
import { queryShape } from '../files/queries.js';

export const command: Command = {
  name: 'bench-data perturb',
  summary: 'Varies the time constraints of dated questions so that their answers stay the same.',
  positionals: ['[FILE.jsonl]'],
  options: {
    seed: { value: 'N', help: 'random seed, an integer, default 1' },
    'per-question': { value: 'N', help: 'at most N combinations of each question; default all' },
    condition: {
      value: 'C,...',
      multiple: true,
      help: 'of none, first, earliest, last, latest; default all',
    },
    relation: {
      value: 'R,...',
      multiple: true,
      help:
        'of as of, from-to, until, before, after, around, between, by, in, on, since; default ' +
        'all',
    },
    granularity: { value: 'G,...', multiple: true, help: 'of year, month, day; default all' },
    overlap: {
      help:
        'allow dates in the years of the question and of the ends of its answer, which are ' +
        'avoided by default',
    },
    until: { value: 'T', help: 'no date after T; default: asked_at' },
    qrels: { value: 'R', help: 'relevance judgements of the questions, TREC or BEIR form' },
    'qrels-to': {
      value: 'OUT',
      help: 'output of the judgements of the perturbed questions, TREC form',
    },
  },
  details:
    'in:  {id, text, answers?, gold_evidence?, asked_at?, as_recorded?, valid_from?, valid_to?, ' +
    'others?:[{valid_from?, valid_to?}]} a line, from FILE or standard input\n' +
    'out: {id, original_id, text, answers?, gold_evidence?, asked_at?, as_recorded?, condition, ' +
    'relation, start_iso, end_iso, window_start, window_end, granularity}, zero or more lines ' +
    'for each\n' +
    'The answer is valid from valid_from to valid_to, default the interval in the question; ' +
    'others are the validity of other answers, and without them no date depends on them. Every ' +
    'perturbed question parses back to its constraint.',
  example: 'asof bench-data perturb questions.jsonl --granularity year > perturbed.jsonl',
  failure: '1 failure or invalid lines',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const options = optionsOf(invocation);
  // Checks the ranges of options before any line is read.
  perturbQuestion(
    { id: '', text: '', validFrom: '2000', validTo: '2001' },
    { ...options, perQuestion: 1 },
  );
  const judged = await judgementsOf(invocation);
  const lines: string[] = [];
  const code = await filterLines(invocation, {
    shape: (record, where) => {
      const question = queryShape(record, where);
      return { question, perturbed: perturbQuestion(question, options) };
    },
    transform: async (batch) => {
      const all = batch.flatMap(({ perturbed }) => perturbed);
      for (const { id, originalId } of all)
        for (const [document, grade] of judged?.qrels.get(originalId) ?? [])
          lines.push(`${id} 0 ${document} ${grade}\n`);
      return all.map(perturbedRecord);
    },
  });
  if (judged) await writeOutput(judged.to, lines.join(''), invocation.signal);
  return code;
}

function optionsOf(invocation: Invocation): PerturbOptions {
  const seed = option(invocation, 'seed') ?? '1';
  if (!/^-?\d{1,15}$/.test(seed))
    throw new UsageError(`--seed must be a whole number, received ${JSON.stringify(seed)}.`);
  const perQuestion = countOption(invocation, 'per-question');
  const until = option(invocation, 'until');
  const [conditions, relations, granularities] = (
    ['condition', 'relation', 'granularity'] as const
  ).map((name) => listOption(invocation, name));
  return {
    seed: Number(seed),
    avoidOverlap: !invocation.flags.has('overlap'),
    perQuestion,
    until,
    ...(conditions ? { conditions: conditions as NonNullable<PerturbOptions['conditions']> } : {}),
    ...(relations ? { relations: relations as NonNullable<PerturbOptions['relations']> } : {}),
    ...(granularities ? { granularities: granularities as DateGranularity[] } : {}),
  };
}

function perturbedRecord(perturbed: PerturbedQuestion): Record<string, unknown> {
  const { id, originalId, text, condition, relation, interval, window } = perturbed;
  const { answers, goldEvidence, askedAt, asRecorded } = perturbed;
  const { granularity } = interval;
  const edges = intervalIso(window && { ...window, granularity });
  return {
    id,
    original_id: originalId,
    text,
    ...(answers ? { answers } : {}),
    ...(goldEvidence ? { gold_evidence: goldEvidence } : {}),
    ...(askedAt === undefined ? {} : { asked_at: askedAt }),
    ...(asRecorded === undefined ? {} : { as_recorded: asRecorded }),
    condition,
    relation,
    ...intervalIso(interval),
    window_start: edges.start_iso,
    window_end: edges.end_iso,
    granularity,
  };
}

/**
 * The judgements of the questions, and the file for those of their perturbed forms.
 * @throws UsageError for one without the other.
 */
async function judgementsOf(
  invocation: Invocation,
): Promise<{ qrels: Qrels; to: string } | undefined> {
  const [from, to] = [option(invocation, 'qrels'), option(invocation, 'qrels-to')];
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined) {
    throw new UsageError(
      '--qrels and --qrels-to go together: where judgements are read, and where they are written.',
    );
  }
  const qrels = await readQrels(from, { signal: invocation.signal });
  await checkOutput(to, 'qrels-to');
  return { qrels, to };
}
