// Temporal hard mining (re-implementation, sections 4.2 and 6): dated passages give questions,
// their nearest passages give positives and time-wrong negatives. Streaming.
import { invalidArgument, mustBeWhole, seededRandom, type Random, checkTextModel } from 'asof/kit';
import type { Progress, Corpus, TextModel } from 'asof';
import type { Window } from 'asof/time';
import { CorpusReader, type TaggedPassage } from './corpusReader.js';
import { factsOf, type Fact } from './facts.js';
import { frames } from './frames.js';
import { modelQuestion } from './modelQuestions.js';
import { gradedMargin, relationOf, yearOf } from './overlap.js';
import { writeQuestion, type GeneratedQuestion } from './questions.js';
import { splitOf } from './split.js';
import { splits, tripletPassage, type Split, type Triplet } from './triplets.js';

/**
 * Definition of positives and negatives by time. `interval` (section 6): a positive's time covers
 * the question's window, a negative's is disjoint from it. `year` (section 4.2): a positive names a
 * year of the question, a negative names only other years. `none`: every near passage is a
 * negative, the control condition.
 */
export const matchings = ['interval', 'year', 'none'] as const;
export type Matching = (typeof matchings)[number];

export interface MiningOptions {
  matching?: Matching | undefined;
  /**
   * Part of the 80/20 split by page to mine; the triplets contain passages of that part only.
   * Default: both.
   */
  split?: Split | undefined;
  /** Maximum number of temporal triplets. Default 100,000. */
  limit?: number | undefined;
  /** Maximum number of questions per passage, each for another time. Default 4. */
  questionsPerPassage?: number | undefined;
  /** Maximum number of negatives per question. Default 3. */
  negativesPerQuestion?: number | undefined;
  /** Number of nearest passages considered. Default 50. */
  depth?: number | undefined;
  /** The margin of the ranking loss. Default 1, as in the paper. */
  margin?: number | undefined;
  /** Grade the margin by the negative's distance in time. Default: with `interval`. */
  graded?: boolean | undefined;
  seed?: number | undefined;
  /**
   * Generates the questions; rules replace unusable ones.
   */
  model?: TextModel | undefined;
  signal?: AbortSignal | undefined;
  /** Passages read, of the whole corpus. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

const batchPassages = 64;

/**
 * Mines a snapshot of a corpus. Deterministic for the same corpus, encoder and options.
 * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ENCODER_FAILED, ERR_MODEL_FAILED, ERR_ABORTED,
 * ERR_CLOSED
 * @example for await (const triplet of mineTriplets(corpus, { split: 'train' }))
 * console.log(triplet.question);
 */
export async function* mineTriplets(
  corpus: Corpus,
  options: MiningOptions = {},
): AsyncGenerator<Triplet> {
  if (typeof corpus?.snapshot !== 'function') throw invalidArgument('corpus', 'a Corpus', corpus);
  const settings = checkedOptions(options);
  const { limit, split, seed, signal, onProgress } = settings;
  const snapshot = corpus.snapshot();
  try {
    const reader = new CorpusReader(corpus, snapshot, signal);
    let made = 0;
    let done = 0;
    for (const places of reader.batches(seed, batchPassages)) {
      const read = await reader.read(places);
      const sources = read.filter(
        ({ passage }) => split === undefined || splitOf(passage, seed) === split,
      );
      const questions: { source: TaggedPassage; question: GeneratedQuestion }[] = [];
      for (const source of sources)
        for (const question of await questionsOf(source, settings))
          questions.push({ source, question });
      const near = await reader.nearest(
        questions.map(({ question }) => question.text),
        settings.depth,
      );
      for (const [q, { source, question }] of questions.entries()) {
        const hits = await reader.read(near[q]!);
        for (const triplet of tripletsOf(question, source, hits, settings)) {
          yield triplet;
          made += 1;
          if (made === limit) return;
        }
      }
      done += places.length;
      onProgress?.({ done, total: reader.count });
    }
  } finally {
    snapshot.release();
  }
}

type Settings = Required<
  Pick<
    MiningOptions,
    | 'matching'
    | 'limit'
    | 'questionsPerPassage'
    | 'negativesPerQuestion'
    | 'depth'
    | 'margin'
    | 'graded'
    | 'seed'
  >
> &
  MiningOptions;

function checkedOptions(options: MiningOptions): Settings {
  const {
    matching = 'interval',
    limit = 100_000,
    questionsPerPassage = 4,
    negativesPerQuestion = 3,
    depth = 50,
    margin = 1,
    seed = 1,
    model,
    split,
  } = options;
  if (!matchings.includes(matching))
    throw invalidArgument('matching', `one of ${matchings.join(', ')}`, matching);
  if (split !== undefined && !splits.includes(split))
    throw invalidArgument('split', splits.join(' or '), split);
  mustBeWhole({ limit, questionsPerPassage, negativesPerQuestion, depth }, 1);
  if (!(margin > 0 && margin <= 2))
    throw invalidArgument(
      'margin',
      'a number above 0, up to 2',
      margin,
      'Cosines differ by 2 at most.',
    );
  mustBeWhole({ seed }, 0);
  if (model) checkTextModel(model);
  return {
    ...options,
    matching,
    limit,
    questionsPerPassage,
    negativesPerQuestion,
    depth,
    margin,
    graded: options.graded ?? matching === 'interval',
    seed,
  };
}

async function questionsOf(
  { passage, mentions }: TaggedPassage,
  settings: Settings,
): Promise<GeneratedQuestion[]> {
  const random = seededRandom(settings.seed, passage.id);
  const facts = random.shuffled(factsOf(passage, mentions)).slice(0, settings.questionsPerPassage);
  const questions: GeneratedQuestion[] = [];
  for (const fact of facts) questions.push(await questionOf(fact, random, settings));
  return questions;
}

async function questionOf(
  fact: Fact,
  random: Random,
  { model, signal }: Settings,
): Promise<GeneratedQuestion> {
  const written = model && (await modelQuestion(model, fact, random, signal));
  return written ? { ...written, by: model.id } : writeQuestion(fact, random);
}

/**
 * Triplets of the source, and of other positives, with the negatives.
 */
function* tripletsOf(
  question: GeneratedQuestion,
  source: TaggedPassage,
  hits: readonly TaggedPassage[],
  settings: Settings,
): Generator<Triplet> {
  const { matching, negativesPerQuestion, seed, split, margin, graded } = settings;
  const { window } = question;
  const side = splitOf(source.passage, seed);
  const others = hits.filter(
    ({ passage }) =>
      passage.id !== source.passage.id &&
      passage.text !== source.passage.text &&
      splitOf(passage, seed) === (split ?? side),
  );
  const negatives = others.filter((hit) => isNegative(hit, question, matching));
  // Passages of the same page first: the same subject at another time.
  const own = negatives.filter(
    ({ passage }) => passage.title !== undefined && passage.title === source.passage.title,
  );
  const ordered =
    matching === 'none'
      ? seededRandom(seed, question.text).shuffled(negatives)
      : [...own, ...negatives.filter((hit) => !own.includes(hit))];
  const chosen = ordered.slice(0, negativesPerQuestion);
  const positives = [
    source,
    ...others.filter((hit) => isPositive(hit, source, question, matching)).slice(0, 1),
  ];
  for (const [i, negative] of chosen.entries()) {
    const relation = relationOf(negative.times, window);
    yield {
      kind: 'temporal',
      split: side,
      question: question.text,
      by: question.by ?? 'rules',
      window,
      relation: question.relation,
      positive: tripletPassage(positives[i % positives.length]!.passage),
      negative: tripletPassage(negative.passage),
      margin: graded ? gradedMargin(margin, relation) : margin,
      ...(Number.isFinite(relation.gapYears) ? { gapYears: relation.gapYears } : {}),
    };
  }
}

function isNegative(
  { times }: TaggedPassage,
  { window }: GeneratedQuestion,
  matching: Matching,
): boolean {
  if (matching === 'none') return true;
  if (times.length === 0) return false;
  if (matching === 'year') return !times.some((time) => sharesYear(time, window));
  return relationOf(times, window).coverage === 0;
}

function isPositive(
  { passage, times }: TaggedPassage,
  source: TaggedPassage,
  { window, fact }: GeneratedQuestion,
  matching: Matching,
): boolean {
  if (matching === 'year') return times.some((time) => sharesYear(time, window));
  if (matching === 'none' || passage.title === undefined || passage.title !== source.passage.title)
    return false;
  const alike = frames.some(({ cues }) => cues.test(fact.sentence) && cues.test(passage.text));
  return alike && relationOf(times, window).coverage >= 0.5;
}

function sharesYear(time: Window, window: Window): boolean {
  return yearOf(Math.max(time.start, window.start)) <= yearOf(Math.min(time.end, window.end) - 1);
}
