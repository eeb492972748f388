// Reader, the last stage of every system, also for passages of the caller: it extracts the answer,
// or prompts a model, whose failure is an error.
import { checkOptionNames, invalidArgument, mustBeWhole } from '../errors.js';
import type { DroppedPassage, Evidence, RankedEvidence } from './evidence.js';
import type { Question } from '../records.js';
import { stage, type Stage } from '../pipeline.js';
import { checkTextModel, type TextModel } from '../text/textModel.js';
import { isOver } from '../time/validity.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { parseQuestion } from '../time/question/question.js';
import {
  defaultConfidence,
  defaultPassages,
  fallbacks,
  readerModes,
  readOptionNames,
  type Answer,
  type ModelReaderInput,
  type PromptOptions,
  type ReadablePassage,
  type ReaderMode,
  type ReaderInput,
  type ReadOptions,
} from './answer.js';
import { checkReaderExample, mostExamples } from './examples.js';
import { extract } from './extract.js';
import { checkSpanReader } from './spanReader.js';
import { concatenated, fromMemory, selfMrag } from './fromModel.js';

/** What the last stage of every system gives. */
export interface SystemOutput {
  parsed: ParsedQuestion;
  evidence: Evidence[];
  dropped?: DroppedPassage[];
  answer?: Answer;
  /** Why there is no answer, in a sentence, where the ranking says that no passage has one. */
  unanswered?: string;
}

/** The output of a system whose answer is not asked for. */
export const unread = ({ query, evidence, dropped }: RankedEvidence): SystemOutput => ({
  parsed: query.parsed,
  evidence,
  ...(dropped ? { dropped } : {}),
});

type Reader = (reading: ReaderInput) => Promise<Answer | undefined>;

const byModel: Record<
  Exclude<ReaderMode, 'extract'>,
  (reading: ModelReaderInput) => Promise<Answer | undefined>
> = {
  direct: fromMemory('direct'),
  chainOfThought: fromMemory('chainOfThought'),
  concatenated,
  selfMrag,
};

/**
 * Reads an answer off the evidence; none where nothing was found or the passages do not tell.
 * `systemModel` is prompted where the options name no model. Notes: by (rules, or the id of the
 * reader or model), mode, passages (how many were read), answerable; with a language model also
 * calls, usage (tokens of all calls), unstructured (answers that were no JSON) and relevant
 * (passages kept by selfMrag).
 * @throws AsOfError ERR_INVALID_ARGUMENT for invalid options, and for a mode that needs a model
 * without one
 */
export function read(
  options: ReadOptions = {},
  systemModel?: TextModel,
): Stage<RankedEvidence, SystemOutput> {
  const { mode, passages, reader } = checkOptions(options, systemModel);
  return stage(mode === 'extract' ? 'read' : `read(${mode})`, async (ranked, context) => {
    const { query, evidence, calibrated, unanswered } = ranked;
    const { note, signal } = context;
    const output = unread(ranked);
    const { onAnswer } = query;
    if (unanswered !== undefined && mode === 'extract') {
      note('answerable', false);
      onAnswer?.('');
      return { ...output, unanswered };
    }
    const answer = await reader({
      question: query.parsed,
      passages: evidence
        .slice(0, passages)
        .filter(({ validity }) => mode !== 'extract' || !validity || !isOver(validity)),
      note,
      signal,
      onAnswer,
    });
    onAnswer?.(answer?.text ?? '');
    if (!answer) return output;
    const first = evidence.find(({ id }) => id === answer.evidence[0]);
    return {
      ...output,
      answer: {
        ...answer,
        ...(calibrated && first ? { confidence: first.score } : {}),
        ...(first?.validity ? { validity: first.validity } : {}),
      },
    };
  });
}

/** An answer read off given passages, and what the trace of a system would say of it. */
export interface ReadingResult {
  answer?: Answer;
  notes: Record<string, unknown>;
}

/**
 * Answers a question from passages of the caller's, best first, without any retrieval: for passages
 * that come from elsewhere.
 * @throws AsOfError as `read`; what the model throws, with details { stage: 'read', step };
 * ERR_ABORTED.
 * @example const { answer } = await readPassages({ text: 'Who led it in 2004?' }, [{ id: 'a', text:
 * 'Ann Lee led it from 2001 to 2006.' }]);
 */
export async function readPassages(
  question: Question,
  passages: readonly ReadablePassage[],
  options: ReadOptions & { signal?: AbortSignal } = {},
): Promise<ReadingResult> {
  const { passages: count, reader } = checkOptions(options);
  if (!Array.isArray(passages))
    throw invalidArgument('passages', 'an array of passages { id, text, ... }', passages);
  passages.forEach(checkReadable);
  const notes: Record<string, unknown> = {};
  const note = (key: string, value: unknown): void => void (notes[key] = value);
  const { signal } = options;
  const answer = await reader({
    question: parseQuestion(question),
    passages: passages.slice(0, count),
    note,
    signal,
  });
  return { ...(answer ? { answer } : {}), notes };
}

function checkOptions(
  options: ReadOptions,
  systemModel?: TextModel,
): { mode: ReaderMode; passages: number; reader: Reader } {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('read', 'an object { mode, model, passages }', options);
  checkOptionNames('read', options, [...readOptionNames, 'signal']);
  const { mode = 'extract', passages = defaultPassages, model = systemModel } = options;
  const { temperature = 0, fallback = 'abstain', examples } = options;
  const { leastConfidence = defaultConfidence, reader } = options;
  const characters = options.characters ?? charactersFor(model, examples);
  if (!readerModes.includes(mode))
    throw invalidArgument('read.mode', `one of ${readerModes.join(', ')}`, mode);
  mustBeWhole({ 'read.passages': passages }, 1, 100);
  mustBeWhole({ 'read.characters': characters }, 200);
  if (!(Number.isFinite(leastConfidence) && leastConfidence >= 0 && leastConfidence <= 1))
    throw invalidArgument('read.leastConfidence', 'a number from 0 to 1', leastConfidence);
  checkPromptOptions(mode, { temperature, fallback, examples });
  if (mode === 'extract') {
    if (reader !== undefined) checkSpanReader(reader);
    const extracting: Reader = (reading) => extract(reading, leastConfidence, reader);
    return { mode, passages, reader: noting(mode, reader?.id ?? 'rules', extracting) };
  }
  if (reader !== undefined)
    throw invalidArgument('read.reader', `absent with the mode ${mode}, which has a model`, reader);
  if (!model) {
    throw invalidArgument(
      'read.model',
      'a TextModel { id, generate }',
      model,
      `The mode ${mode} prompts one; the mode extract needs none.`,
    );
  }
  checkTextModel(model);
  const prompting: PromptOptions = { model, characters, temperature, fallback, examples };
  return {
    mode,
    passages,
    reader: noting(mode, model.id, (reading) => byModel[mode]({ ...reading, ...prompting })),
  };
}

function checkPromptOptions(
  mode: ReaderMode,
  { temperature, fallback, examples }: Omit<PromptOptions, 'model' | 'characters'>,
): void {
  if (!(Number.isFinite(temperature) && temperature >= 0 && temperature <= 2))
    throw invalidArgument('read.temperature', 'a number from 0 to 2', temperature);
  if (!fallbacks.includes(fallback))
    throw invalidArgument('read.fallback', `one of ${fallbacks.join(', ')}`, fallback);
  if (fallback === 'memory' && mode !== 'concatenated' && mode !== 'selfMrag')
    throw invalidArgument(
      'read.fallback',
      `abstain with the mode ${mode}`,
      fallback,
      'The modes concatenated and selfMrag can fall back on what the model knows.',
    );
  if (examples === undefined) return;
  if (!Array.isArray(examples) || examples.length > mostExamples)
    throw invalidArgument('read.examples', `at most ${mostExamples} examples`, examples);
  examples.forEach(checkReaderExample);
}

// Instructions, question and answer take up to some 1,200 tokens, besides the examples of the
// caller; a token of English has three characters and more.
function charactersFor(model: TextModel | undefined, examples: ReadOptions['examples']): number {
  const size = model?.contextSize;
  if (size === undefined || !Number.isFinite(size)) return 12_000;
  const left = (size - 1200) * 3 - (examples ? JSON.stringify(examples).length : 0);
  return Math.min(12_000, Math.max(600, Math.floor(left)));
}

function noting(mode: ReaderMode, by: string, reader: Reader): Reader {
  return async (reading) => {
    const { note, passages } = reading;
    note('by', by);
    note('mode', mode);
    note('passages', passages.length);
    const answer = await reader(reading);
    note('answerable', answer !== undefined);
    return answer;
  };
}

function checkReadable(passage: ReadablePassage, at: number): void {
  const whole =
    typeof passage === 'object' &&
    passage !== null &&
    typeof passage.id === 'string' &&
    typeof passage.text === 'string';
  if (!whole) throw invalidArgument(`passage ${at}`, 'a passage { id, text, ... }', passage);
}
