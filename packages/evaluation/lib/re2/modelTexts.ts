// Passages and questions written by a language model (Re3 appendix A.4). Texts without their
// entity, date or values are refused, and the grammar's texts are used instead.
import { seededRandom, throwIfAborted, askJson, checkTextModel } from 'asof/kit';
import type { TextModel, RunOptions } from 'asof';
import type { NegativeKind } from './negativeKinds.js';
import type { Re2Benchmark } from './benchmark.js';
import type { PassageFact } from './passages.js';
import type { Re2Question } from './question.js';
import {
  passagesPrompt,
  questionPrompt,
  type PassagesAnswer,
  type QuestionAnswer,
  type PromptRecord,
} from './prompts.js';

/** Texts by id of passages and questions; others keep the grammar's text. */
export interface ModelTexts {
  passages: ReadonlyMap<string, string>;
  questions: ReadonlyMap<string, string>;
  /** Number of refused texts by reason. */
  refused: Readonly<Record<string, number>>;
}

/** Most records of a call. */
const batchSize = 8;

/** A passage's fact, and what sets it apart from the first of its batch. */
interface ClusterMember {
  passageFact: PassageFact;
  kind?: NegativeKind;
}

/**
 * Generates every passage and question by a model: a question's positive and its negatives by one
 * call, then, unless `askedOnly`, the passages of no question. Texts are kept in memory.
 * @throws AsOfError as `generateJson`, except for unusable answers, whose records keep their text;
 * ERR_ABORTED.
 */
export async function writeByModel(
  benchmark: Re2Benchmark,
  model: TextModel,
  options: RunOptions & { askedOnly?: boolean | undefined } = {},
): Promise<ModelTexts> {
  checkTextModel(model);
  const { signal, onProgress, askedOnly = false } = options;
  const { facts, passages } = benchmark;
  const texts = { passages: new Map<string, string>(), questions: new Map<string, string>() };
  const refused: Record<string, number> = {};
  const take = (kind: keyof typeof texts, id: string, { text, fault }: CheckedText): void => {
    if (fault === undefined) texts[kind].set(id, text);
    else refused[fault] = (refused[fault] ?? 0) + 1;
  };
  const questions = [...benchmark.questions()];
  const total = facts.size + benchmark.madeUp().length + questions.length;
  let done = 0;
  const step = (count: number): void => onProgress?.({ done: (done += count), total });
  for (const batch of batches(benchmark, questions, askedOnly)) {
    throwIfAborted(signal);
    const written = await passagesOf(benchmark, batch, model, signal);
    for (const [at, { passageFact }] of batch.entries())
      take('passages', passages.idOf(passageFact), written[at]!);
    step(batch.length);
  }
  for (const question of questions) {
    throwIfAborted(signal);
    take('questions', question.id, await questionOf(question, model, signal));
    step(1);
  }
  return { ...texts, refused };
}

/**
 * Each passage once: with the first question that it is a positive or a negative of, as the paper
 * writes a cluster by one prompt so that its texts are alike but for what differs.
 */
function* batches(
  { facts, passages, madeUp }: Re2Benchmark,
  questions: readonly Re2Question[],
  askedOnly: boolean,
): Generator<readonly ClusterMember[]> {
  const all = [
    ...Array.from({ length: facts.size }, (_, fact) => passages.factAt(fact)),
    ...madeUp(),
  ];
  const waiting = new Map(all.map((passageFact) => [passages.idOf(passageFact), passageFact]));
  for (const { positive, negatives } of questions) {
    const cluster = [{ id: positive }, ...negatives].flatMap(({ id, ...of }): ClusterMember[] => {
      const passageFact = waiting.get(id);
      waiting.delete(id);
      return passageFact ? [{ passageFact, ...of }] : [];
    });
    yield* chunks(cluster);
  }
  if (!askedOnly) yield* chunks([...waiting.values()].map((passageFact) => ({ passageFact })));
}

function* chunks(members: readonly ClusterMember[]): Generator<readonly ClusterMember[]> {
  for (let at = 0; at < members.length; at += batchSize) yield members.slice(at, at + batchSize);
}

/** A text of the model, or why it is refused. */
type CheckedText = { text: string; fault?: never } | { text?: never; fault: string };

const checked = (text: string, fault: string | undefined): CheckedText =>
  fault === undefined ? { text } : { fault };

async function passagesOf(
  benchmark: Re2Benchmark,
  batch: readonly ClusterMember[],
  model: TextModel,
  signal: AbortSignal | undefined,
): Promise<CheckedText[]> {
  const isAnchored = batch[0]!.kind === undefined;
  const shown = batch.map(({ passageFact, kind }) => ({
    ...promptRecord(benchmark, passageFact),
    ...(isAnchored && kind ? { differs: kind } : {}),
  }));
  const answer = await askJson<PassagesAnswer>(model, passagesPrompt(shown), signal);
  if ('unusable' in answer) return batch.map(() => ({ fault: 'no usable answer' }));
  const texts = new Map(answer.value.passages.map(({ record, text }) => [record, oneLine(text)]));
  return shown.map((record, at): CheckedText => {
    const text = texts.get(at + 1);
    return text === undefined ? { fault: 'missing' } : checked(text, passageFault(text, record));
  });
}

async function questionOf(
  question: Re2Question,
  model: TextModel,
  signal: AbortSignal | undefined,
): Promise<CheckedText> {
  const { entity, name, when } = question.asks;
  const prompt = questionPrompt({
    entity,
    wanted: name,
    date: when,
  });
  const answer = await askJson<QuestionAnswer>(model, prompt, signal);
  if ('unusable' in answer) return { fault: 'no usable answer' };
  const text = oneLine(answer.value.question);
  return checked(text, questionFault(text, question));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function promptRecord({ passages }: Re2Benchmark, passageFact: PassageFact): PromptRecord {
  const { statement, written } = passages.parts(passageFact);
  const issued =
    passages.schema.published === undefined
      ? undefined
      : passages.publishedAt(passageFact).slice(0, 10);
  const values = statement.values.map(({ role, name, value }) => ({ name: role ?? name, value }));
  return {
    entity: statement.entity,
    date: written.on,
    ...(statement.label === undefined ? {} : { about: statement.label }),
    values: seededRandom(passages.seed, passages.idOf(passageFact)).shuffled(values),
    ...(issued === undefined ? {} : { issued }),
  };
}

/** The fault of a passage, which must contain entity, date and values verbatim. */
function passageFault(text: string, { entity, date, values }: PromptRecord): string | undefined {
  if (!has(text, entity)) return 'entity left out';
  if (!has(text, date.replace(/^(?:on|in) /, ''))) return 'date left out';
  return values.every(({ value }) => has(text, value)) ? undefined : 'value left out';
}

/**
 * The fault of a question, which must contain entity and date, and no answer outside of them.
 */
function questionFault(text: string, { asks, answers }: Re2Question): string | undefined {
  if (!has(text, asks.entity)) return 'entity left out';
  if (asks.when !== undefined && !has(text, asks.when)) return 'date left out';
  const rest = [asks.entity, ...(asks.when === undefined ? [] : [asks.when])].reduce(
    (left, part) => left.replace(new RegExp(escaped(part), 'giu'), ' '),
    text,
  );
  return answers.some((answer) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${escaped(answer)}(?![\\p{L}\\p{N}])`, 'iu').test(rest),
  )
    ? 'answer given away'
    : undefined;
}

const has = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
