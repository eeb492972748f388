// The sets that answers are measured on, with what a system retrieves for each question and what
// was judged relevant. Made from ../shared/data by its own tool; nothing is kept but in the folder
// that it is given.
import { createSystem } from '../../../lib/papers/index.js';
import type { ReadablePassage } from '../../../lib/reading/answer.js';
import { openSet, passagesOf, queriesOf, workFolder } from './sets.js';

/**
 * Task and queries of a set; a set without answers takes the titles of its judged passages, whose
 * subjects are the answers.
 */
const sets: Record<string, [task: string, queries: string]> = {
  'timeqa-easy': ['timeqa', 'queries-easy'],
  'timeqa-hard': ['timeqa', 'queries-hard'],
  tennis: ['tennis', 'queries-anytime'],
  nobel: ['nobel', 'queries'],
  'nobel-born': ['nobel', 'queries-born'],
  nws: ['nws', 'queries'],
  covid: ['covid', 'queries'],
  hoh: ['hoh', 'queries'],
};
export const answerSetNames = Object.keys(sets);

export interface AnswerQuestion {
  /**
   * The page that the question is about, as far as it is judged: questions of one page belong
   * together.
   */
  page: string;
  text: string;
  askedAt?: string;
  answers: string[];
  contexts: Record<string, ReadablePassage[]>;
}

/**
 * The questions of a set, a spread-out sample of them, with what was retrieved and what was judged
 * relevant.
 */
export async function askedOf(
  name: string,
  options: { system: string; sample: number; passages: number; keep?: string },
): Promise<AnswerQuestion[]> {
  if (!Object.hasOwn(sets, name))
    throw new Error(`Expected a set out of ${answerSetNames.join(', ')}, received ${name}.`);
  const [task, queries] = sets[name]!;
  const work = workFolder('answers', options.keep);
  const { corpus: opened, qrels, folder } = await openSet(work, task);
  await using corpus = opened;
  const byId = new Map(passagesOf(folder).map((passage) => [passage.id, passage]));
  const system = createSystem(options.system, { corpus });
  const unfiltered =
    options.system === 're3'
      ? createSystem('re3', { corpus, settings: { versions: false } })
      : undefined;
  const asked: AnswerQuestion[] = [];
  for (const { id, text, askedAt, answers } of queriesOf(folder, queries, options.sample)) {
    const judged = [...(qrels.get(id) ?? [])]
      .filter(([, grade]) => grade > 0)
      .flatMap(([passage]) => byId.get(passage) ?? []);
    const question = askedAt === undefined ? { text } : { text, askedAt };
    const { evidence } = await system.run(question, { k: options.passages });
    const whole: Record<string, ReadablePassage[]> = unfiltered
      ? { unfiltered: (await unfiltered.run(question, { k: options.passages })).evidence }
      : {};
    const oracle = judged.map(
      ({ publishedAt, ...passage }) =>
        ({
          ...passage,
          ...(publishedAt === undefined ? {} : { publishedAt: Date.parse(publishedAt as string) }),
        }) as ReadablePassage,
    );
    asked.push({
      page: judged[0]?.title ?? id,
      text,
      ...(askedAt === undefined ? {} : { askedAt }),
      answers: answers ?? judged.flatMap(({ title }) => title ?? []),
      contexts: { retrieved: evidence, ...whole, oracle },
    });
  }
  return asked;
}
