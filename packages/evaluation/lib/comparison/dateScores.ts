// MRAG's controlled experiment (appendix A, figure 5): questions that differ in their temporal
// relation only, over passages that differ in their date only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustBe, throwIfAborted } from 'asof/kit';
import { Corpus, type System, type Encoder } from 'asof';
import type { Settings } from 'asof/papers';
import { evaluatedSystem, type EvaluatedSystemOptions } from '../systems.js';
import { groupBy } from '../measures/groupBy.js';
import { mean } from '../measures/mean.js';
import type { Comparison, DateScore } from './result.js';

export interface DateScoreOptions extends Omit<EvaluatedSystemOptions, 'read'> {
  systems: readonly string[];
  /** Default: the embedded one. */
  encoder?: Encoder;
  signal?: AbortSignal;
}

const askedYear = 1961;
const years = Array.from({ length: 13 }, (_, at) => askedYear - 6 + at);
const queryDay = `June 4, ${askedYear}`;

/**
 * Relations of the question, with the years of passages that satisfy them. The question's own year
 * counts as neither.
 */
const relations: Readonly<Record<string, (year: number) => boolean>> = {
  'as of': (year) => year < askedYear,
  before: (year) => year < askedYear,
  by: (year) => year < askedYear,
  until: (year) => year < askedYear,
  after: (year) => year > askedYear,
  since: (year) => year > askedYear,
};

/** Date forms of passages: the question's day in another year is deceptively similar. */
const forms: Readonly<Record<string, (year: number) => string>> = {
  year: (year) => ` in ${year}`,
  'same day': (year) => ` on June 4, ${year}`,
  'another day': (year) => ` on October 17, ${year}`,
};

const subjects = [
  {
    asked: 'Who was keeper of the Marrow Point light',
    statement: 'Elin Dorsey became keeper of the Marrow Point light',
  },
  {
    asked: 'Who led the Tarnwick choir',
    statement: 'The Tarnwick choir was given to Osric Vane to lead',
  },
  {
    asked: 'Who owned the Hollin Street mill',
    statement: 'Beatrix Lowde bought the Hollin Street mill',
  },
  {
    asked: 'Who was editor of the Cresswater Gazette',
    statement: 'Ivo Pennant took over as editor of the Cresswater Gazette',
  },
  {
    asked: 'Who coached the Aldersea rowing club',
    statement: 'Marit Sorley started as coach of the Aldersea rowing club',
  },
];

const passages = subjects.flatMap(({ statement }, subject) => [
  { id: `${subject} none`, text: `${statement}.` },
  ...Object.entries(forms).flatMap(([form, said]) =>
    years.map((year) => ({ id: `${subject} ${form} ${year}`, text: `${statement}${said(year)}.` })),
  ),
]);

/** Without version filtering, since all passages of a subject would be versions of one fact. */
const withoutVersions: Readonly<Record<string, Settings>> = { re3: { versions: false } };

/**
 * Every system's scores by relation and date of the passage, scaled to 0 to 1 within a question and
 * averaged over subjects, and their summary by relation. Passages that a system omits score 0.
 * Errors: those of the systems; ERR_ABORTED.
 */
export async function dateScores(
  options: DateScoreOptions,
): Promise<{ scores: DateScore[]; reasoning: NonNullable<Comparison['date_reasoning']> }> {
  mustBe('an object', { options });
  mustBe('an array', { 'options.systems': options.systems });
  const { systems, settings = {}, encoder, model, reranker, extractor, timeWeights } = options;
  const { signal } = options;
  const folder = await mkdtemp(join(tmpdir(), 'asof-dates-'));
  try {
    const corpus = await Corpus.open(join(folder, 'dates.asof'), encoder ? { encoder } : {});
    try {
      await corpus.add(passages, signal ? { signal } : {});
      const scores: DateScore[] = [];
      for (const name of systems) {
        const system = evaluatedSystem(name, corpus, {
          settings: { [name]: { ...settings[name], ...withoutVersions[name] } },
          model,
          reranker,
          extractor,
          timeWeights,
        });
        for (const relation of Object.keys(relations))
          scores.push(
            ...averageOverSubjects(name, relation, await scoresOf(system, relation, signal)),
          );
      }
      return { scores, reasoning: reasoningOf(scores) };
    } finally {
      await corpus.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The scores of each subject's passages for a question with that relation. */
async function scoresOf(
  system: System,
  relation: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, number>[]> {
  const bySubject: Map<string, number>[] = [];
  for (const [subject, { asked }] of subjects.entries()) {
    throwIfAborted(signal);
    const among = passages.map(({ id }) => id).filter((id) => id.startsWith(`${subject} `));
    const question = { text: `${asked} ${relation} ${queryDay}?` };
    const { evidence } = await system.run(question, {
      k: among.length,
      candidateIds: among,
      signal,
    });
    bySubject.push(
      minMaxScores(among, new Map(evidence.map(({ id, score }) => [id, score])), subject),
    );
  }
  return bySubject;
}

/** Scores of one question's passages from 0 to 1, by form and year. */
function minMaxScores(
  among: readonly string[],
  found: ReadonlyMap<string, number>,
  subject: number,
): Map<string, number> {
  const given = [...found.values()];
  const [least, most] = [Math.min(...given), Math.max(...given)];
  const floor = found.size < among.length ? 0.05 : 0; // 0 is reserved for omitted passages
  const place = (score: number): number =>
    most === least ? 1 : floor + ((1 - floor) * (score - least)) / (most - least);
  return new Map(
    among.map((id) => {
      const score = found.get(id);
      return [id.slice(String(subject).length + 1), score === undefined ? 0 : place(score)];
    }),
  );
}

function averageOverSubjects(
  system: string,
  relation: string,
  bySubject: readonly ReadonlyMap<string, number>[],
): DateScore[] {
  return [...bySubject[0]!.keys()].map((key) => {
    const [, form, written] = /^(.*?)(?: (\d{4}))?$/.exec(key)!;
    const year = written === undefined ? null : Number(written);
    const holds = year === null || year === askedYear ? null : relations[relation]!(year);
    const score = bySubject.reduce((sum, scores) => sum + scores.get(key)!, 0) / bySubject.length;
    return { system, relation, form: form as DateScore['form'], year, holds, score };
  });
}

/**
 * Summary of scores by relation: whether years that satisfy it rank above those that do not, and
 * the score of the question's own year.
 */
function reasoningOf(scores: readonly DateScore[]): NonNullable<Comparison['date_reasoning']> {
  const groups = groupBy(scores, ({ system, relation }) => `${system}\n${relation}`);
  return [...groups.values()].map((group) => {
    const { system, relation } = group[0]!;
    const of = (holds: boolean | null): number[] =>
      group.filter((each) => each.holds === holds && each.year !== null).map(({ score }) => score);
    const [holding, failing, exact] = [of(true), of(false), of(null)];
    return {
      system,
      relation,
      ordered: pairsInOrder(holding, failing),
      exact: mean(exact),
      holding: mean(holding),
      failing: mean(failing),
    };
  });
}

/** The share of pairs whose first scores higher, ties half. */
function pairsInOrder(higher: readonly number[], lower: readonly number[]): number {
  const count = higher.reduce(
    (sum, a) =>
      sum + lower.reduce((inner, b) => inner + (a > b + 1e-9 ? 1 : a < b - 1e-9 ? 0 : 0.5), 0),
    0,
  );
  return count / (higher.length * lower.length);
}
