// Re2-style benchmark of structured records (Re3 appendix A): passages, questions with judgements,
// training triplets. Facts are numbers in memory; texts are generated on demand.
import { invalidArgument, mustBeWhole, throwIfAborted, abortableItems } from 'asof/kit';
import type { RunOptions } from 'asof';
import { FactColumns, FactTable } from './factTable.js';
import {
  checkUnique,
  PassageWriter,
  type PassageTruth,
  type Re2Passage,
  type PassageFact,
  type WordingOptions,
} from './passages.js';
import type { Re2Question } from './question.js';
import { QuestionGenerator, type QuestionOptions } from './questions.js';
import type { Re2Record } from './records.js';
import { checkSchema, type Re2Schema } from './schema.js';
import { Splits, type SplitOptions } from './splits.js';

export interface Re2Options extends QuestionOptions, WordingOptions, Pick<RunOptions, 'signal'> {
  /** Whole number; the same seed, records and options give the same benchmark. Default 1. */
  seed?: number;
  splits?: SplitOptions;
}

/**
 * A benchmark. Questions and passages are generated on each iteration, deterministically.
 */
export interface Re2Benchmark {
  /** @internal */
  readonly facts: FactTable;
  /** @internal */
  readonly splits: Splits;
  /** @internal */
  readonly passages: PassageWriter;
  /** In the order of series: facts of an entity and kind, by date. */
  questions(): Generator<Re2Question>;
  /**
   * Every fact and every synthetic negative, in the order of their opaque ids. Generates the
   * questions first, to collect the negatives.
   */
  texts(): Generator<{ passage: Re2Passage; truth: PassageTruth }>;
  /**
   * The distinct synthetic negatives, in the order of the questions.
   */
  madeUp(): readonly PassageFact[];
}

const shares = ['latest', 'masked', 'pairs'] as const;

/**
 * Reads and splits the records. Memory: about 100 bytes per fact in addition to its values.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a schema or options out of range, and without records;
 * ERR_ABORTED.
 * @example const records = readRe2Records('forecasts.csv', schema); const benchmark = await
 * re2Benchmark(records, schema, { seed: 7 }); for (const { text, asked_at, positive } of
 * benchmark.questions()) console.log(text, asked_at, positive);
 */
export async function re2Benchmark(
  records: Iterable<Re2Record> | AsyncIterable<Re2Record>,
  schema: Re2Schema,
  options: Re2Options = {},
): Promise<Re2Benchmark> {
  const checked = checkSchema(schema);
  const seed = checkOptions(options);
  const columns = new FactColumns();
  for await (const record of abortableItems(records, options.signal)) columns.add(record);
  if (columns.entity.length === 0)
    throw invalidArgument(
      'records',
      'at least one fact',
      0,
      'Does the schema name the right columns? A row needs a value in each column of a group.',
    );
  const facts = new FactTable(columns);
  const splits = new Splits(facts, seed, options.splits);
  const passages = new PassageWriter(facts, checked, seed, options);
  const questions = new QuestionGenerator(facts, splits, passages, options);
  let known: readonly PassageFact[] | undefined;
  const made = function* (): Generator<Re2Question> {
    const found = new Map<string, PassageFact>();
    for (const { question, madeUp } of questions.all()) {
      for (const passageFact of madeUp) found.set(passages.idOf(passageFact), passageFact);
      yield question;
    }
    known ??= [...found.values()];
  };
  const madeUp = (): readonly PassageFact[] => {
    if (!known) for (const _ of made()) throwIfAborted(options.signal);
    return known!;
  };
  return {
    facts,
    splits,
    passages,
    questions: made,
    madeUp,
    texts: () => texts(facts, passages, madeUp()),
  };
}

function* texts(
  facts: FactTable,
  passages: PassageWriter,
  madeUp: readonly PassageFact[],
): Generator<{ passage: Re2Passage; truth: PassageTruth }> {
  const factAt = (place: number): PassageFact =>
    place < facts.size ? passages.factAt(place) : madeUp[place - facts.size]!;
  const keys = new Float64Array(facts.size + madeUp.length);
  for (let place = 0; place < keys.length; place += 1)
    keys[place] = passages.numericId(factAt(place));
  checkUnique(keys.toSorted());
  const order = Int32Array.from(keys, (_, place) => place).sort((a, b) => keys[a]! - keys[b]!);
  for (const place of order) yield passages.write(factAt(place));
}

function checkOptions(options: Re2Options): number {
  const { seed = 1, questions } = options;
  mustBeWhole({ seed });
  if (questions !== undefined) mustBeWhole({ questions }, 1);
  for (const name of shares) {
    const share = options[name];
    if (share !== undefined && !(share >= 0 && share <= 1))
      throw invalidArgument(name, 'a share from 0 to 1', share);
  }
  return seed;
}
